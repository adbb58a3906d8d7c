/* What `run` and `test` share: the options about where and how a program runs, and its start. */
#ifndef PYPTO_LINT_CLI_LAUNCH_OPTIONS_H
#define PYPTO_LINT_CLI_LAUNCH_OPTIONS_H

#include "cli/cli.h"
#include "harness/launch.h"

typedef struct LaunchOptions {
    Str mode, soc, pypto, profile, warn, sanitize, trace, python, timeout, memory;
    bool stats;
} LaunchOptions;

/* Rows of a table of options; `Type` has a member LaunchOptions `launch`. */
#define LAUNCH_OPTIONS(Type)                                                                       \
    WORD_ROW(Type, launch.mode, "--mode", "sim|npu",                                               \
             "with the simulator (default) or the installed PyPTO on a device",                    \
             "使用模拟器（缺省）或设备上安装的 PyPTO"),                                            \
        TEXT_ROW(Type, launch.timeout, "--timeout", "SECONDS",                                     \
                 "end it and all it started after so long",                                        \
                 "超过该时间后结束程序及其启动的所有进程"),                                        \
        TEXT_ROW(Type, launch.memory, "--mem-limit", "SIZE",                                       \
                 "address space of each process: 8G, 512M", "每个进程的地址空间：8G、512M"),       \
        TEXT_ROW(Type, launch.soc, "--soc", "NAME", "the simulated hardware", "模拟的硬件"),       \
        WORD_ROW(Type, launch.pypto, "--pypto", "9.1|9.2", "the simulated version of PyPTO",       \
                 "模拟的 PyPTO 版本"),                                                             \
        WORD_ROW(Type, launch.profile, "--profile", "device|strict",                               \
                 "warnings stay warnings, or are errors", "警告仍为警告，或视为错误"),             \
        TEXT_ROW(Type, launch.warn, "--warn", "ID[,ID...]",                                        \
                 "checks of tiles and buffers that only warn", "只给出警告的 tile 与缓冲区检查"),  \
        OPTIONAL_ROW(Type, launch.sanitize, "--sanitize", "races,init,bounds",                     \
                     "look for races, unwritten elements and reads of padding",                    \
                     "检查竞争、未写入的元素以及对填充部分的读取"),                                \
        TEXT_ROW(Type, launch.trace, "--trace", "FILE",                                            \
                 "write a Chrome trace of what the kernels would do",                              \
                 "写出 kernel 执行过程的 Chrome trace"),                                           \
        TEXT_ROW(Type, launch.python, "--python", "PATH", "the interpreter", "解释器")

/* Checks the options and makes of them what launch.h wants, and in `*python` the interpreter. False
 * after a message. */
bool launch_options_read(Arena *arena, const LaunchOptions *options, Launch *launch,
                         const char **python);

/* Is there hardware of that name (empty: none is asked for) in the simulator's `folder`? False
 * after a message. */
bool soc_option_check(Arena *arena, Str folder, Str soc);

/* Are these words with commas what the sanitizer knows? False after a message. */
bool sanitize_option_check(Str words);

/* The argument vector PYTHON SCRIPT WORD…, NULL after it. */
char **launch_words(Arena *arena, const char *python, Str script, const Words *words);

/* The exit status for this process: that of the program, or `late`. Ends this process by the signal
 * that ended the program. */
int launch_status(const LaunchResult *result, const char *program, int late);

#endif
