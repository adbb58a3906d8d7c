/* What commands that start programs share: the options about where and how a program runs, limits,
 * and its start. */
#ifndef PYPTO_LINT_CLI_LAUNCH_OPTIONS_H
#define PYPTO_LINT_CLI_LAUNCH_OPTIONS_H

#include "cli/cli.h"
#include "harness/pool/launch.h"

typedef struct LaunchOptions {
    Str mode, soc, pypto, profile, warn, sanitize, trace, precision, python, timeout, memory;
    bool stats;
} LaunchOptions;

/* Rows of a table of options; `Type` has a member LaunchOptions `launch`. */
#define LAUNCH_OPTIONS(Type)                                                                       \
    WORD_ROW(Type, launch.mode, "--mode", "sim|npu",                                               \
             "with the simulator (default) or the installed PyPTO on a device",                    \
             "使用模拟器（缺省）或设备上安装的 PyPTO"),                                            \
        TEXT_ROW(Type, launch.timeout, "--timeout", "SECONDS",                                     \
                 "end the program and all it started after so long",                               \
                 "超过该时间后结束程序及其启动的所有进程"),                                        \
        TEXT_ROW(Type, launch.memory, "--mem-limit", "SIZE",                                       \
                 "address space of each process: 8G, 512M", "每个进程的地址空间：8G、512M"),       \
        TEXT_ROW(Type, launch.soc, "--soc", "NAME", "the simulated hardware", "模拟的硬件"),       \
        WORD_ROW(Type, launch.pypto, "--pypto", "9.1|9.2",                                         \
                 "the simulated version of PyPTO (default: the settings', else the installed "     \
                 "one, else 9.2)",                                                                 \
                 "模拟的 PyPTO 版本（缺省：设置，其次已安装的版本，否则 9.2）"),                   \
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
        OPTIONAL_ROW(Type, launch.precision, "--precision", "FILE",                                \
                     "compare each operation with double and rank lines by error; JSON to FILE",   \
                     "将每个操作与双精度比较，按误差列出代码行；JSON 写入 FILE"),                  \
        TEXT_ROW(Type, launch.python, "--python", "PATH", "the interpreter", "解释器")

/* "300", "0.5": seconds above 0, to a thousandth, at most a week; empty = 0, no limit. False after
 * a message that names the option. */
bool read_time_limit(const char *option, Str text, uint32_t *milliseconds);

/* "4G", "512M", "65536": bytes above 0, K, M and G are powers of 1024; empty = 0, no limit. */
bool read_size_limit(const char *option, Str text, uint64_t *bytes);

/* Checks the options and fills in `*launch`, and in `*python` the interpreter. The settings are
 * those of the folder of `program`, a file, or of the working directory when it is empty. False
 * after a message. */
bool launch_options_read(Arena *arena, const LaunchOptions *options, Str program, Launch *launch,
                         const char **python);

/* The version of PyPTO for what is in `folder`; reports settings that cannot be used. */
Product product_for(Arena *arena, Str folder, Str option, Str python);

/* Is there hardware of that name (empty: none is asked for) in the simulator's `folder`? False
 * after a message. */
bool soc_option_check(Arena *arena, Str folder, Str soc);

/* Are these words with commas what the sanitizer knows? False after a message. */
bool sanitize_option_check(Str words);

/* The argument vector PYTHON SCRIPT WORD…, NULL after it. */
char **launch_words(Arena *arena, const char *python, Str script, const Words *words);

/* The exit status for this process: that of the program, or `late`. Ends this process by the signal
 * that ended the program. */
int launch_status(const ProcessResult *result, const char *program, int late);

#endif
