/* What `run` and `test` share: the options about where and how a program runs, and its start. */
#ifndef PYPTO_LINT_CLI_LAUNCH_OPTIONS_H
#define PYPTO_LINT_CLI_LAUNCH_OPTIONS_H

#include "cli/command_options.h"
#include "harness/launch.h"

typedef struct LaunchOptions {
    Str mode, soc, pypto, profile, warn, trace, python, timeout, memory;
    bool stats;
} LaunchOptions;

/* Rows of a table of CommandOption; `Type` has a member LaunchOptions `launch`. */
#define LAUNCH_OPTION(Type, name, argument, kind, member, en, zh)                                  \
    {                                                                                              \
        name, argument, kind, offsetof(Type, launch.member),                                       \
        {                                                                                          \
            en, zh                                                                                 \
        }                                                                                          \
    }
#define LAUNCH_OPTIONS(Type)                                                                       \
    LAUNCH_OPTION(Type, "--mode", "sim|npu", OPTION_TEXT, mode,                                    \
                  "with the simulator (default) or the installed PyPTO on a device",               \
                  "使用模拟器（缺省）或设备上安装的 PyPTO"),                                       \
        LAUNCH_OPTION(Type, "--timeout", "SECONDS", OPTION_TEXT, timeout,                          \
                      "end it and all it started after so long",                                   \
                      "超过该时间后结束程序及其启动的所有进程"),                                   \
        LAUNCH_OPTION(Type, "--mem-limit", "SIZE", OPTION_TEXT, memory,                            \
                      "address space of each process: 8G, 512M", "每个进程的地址空间：8G、512M"),  \
        LAUNCH_OPTION(Type, "--soc", "NAME", OPTION_TEXT, soc, "the simulated hardware",           \
                      "模拟的硬件"),                                                               \
        LAUNCH_OPTION(Type, "--pypto", "9.1|9.2", OPTION_TEXT, pypto,                              \
                      "the simulated version of PyPTO", "模拟的 PyPTO 版本"),                      \
        LAUNCH_OPTION(Type, "--profile", "device|strict", OPTION_TEXT, profile,                    \
                      "warnings stay warnings, or are errors", "警告仍为警告，或视为错误"),        \
        LAUNCH_OPTION(Type, "--warn", "ID[,ID…]", OPTION_TEXT, warn,                               \
                      "checks of tiles and buffers that only warn",                                \
                      "只给出警告的 tile 与缓冲区检查"),                                           \
        LAUNCH_OPTION(Type, "--trace", "FILE", OPTION_TEXT, trace,                                 \
                      "write a Chrome trace of what the kernels would do",                         \
                      "写出 kernel 执行过程的 Chrome trace"),                                      \
        LAUNCH_OPTION(Type, "--python", "PATH", OPTION_TEXT, python, "the interpreter", "解释器")

/* Append the option tables as help text. */
void run_options_help(Buf *out, Lang lang);
void test_options_help(Buf *out, Lang lang);
void tolerance_options_help(Buf *out, Lang lang);

/* Checks the options and makes of them what launch.h wants, and in `*python` the interpreter. False
 * after a message. */
bool launch_options_read(Arena *arena, const LaunchOptions *options, Launch *launch,
                         const char **python);

/* Is there hardware of that name (empty: none is asked for) in the simulator's `folder`? False
 * after a message. */
bool soc_option_check(Arena *arena, Str folder, Str soc);

/* The argument vector PYTHON SCRIPT WORD…, NULL behind it. */
char **launch_words(Arena *arena, const char *python, Str script, const Words *words);

/* The exit status for this process: that of the program, or `late`. Ends this process by the signal
 * that ended the program. */
int launch_status(const LaunchResult *result, const char *program, int late);

#endif
