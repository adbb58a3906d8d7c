/* Options of `verify`, most of which are also those of `tolerance`. */
#ifndef PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H
#define PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H

#include "cli/cli.h"
#include "harness/verify.h"

typedef enum VerifyFormat { VERIFY_TEXT, VERIFY_JSON, VERIFY_SARIF } VerifyFormat;

typedef struct VerifyCommand {
    VerifyRequest asked;
    Str module, timeout, memory, jobs, python, pypto, sanitize; /* as written */
    Str report, output, log, html, baseline;
    VerifyFormat format;
    bool reuse, isolate, no_sanitize, record, blame, no_blame;
} VerifyCommand;

/* Rows that both commands have. */
#define VERIFY_PLACE_ROWS                                                                          \
    TEXT_ROW(VerifyCommand, asked.impl, "--impl", "PATH", "implementation file of the phase",      \
             "该阶段的实现文件"),                                                                  \
        TEXT_ROW(VerifyCommand, module, "--up-to-module", "K",                                     \
                 "the phase: modules 1 to K composed (1)", "阶段：模块 1 到 K 的组合（缺省 1）"),  \
        TEXT_ROW(VerifyCommand, asked.suite, "--suite", "PATH",                                    \
                 "the cases (./adversarial_suite.json)", "测试用例（./adversarial_suite.json）"),  \
        TEXT_ROW(VerifyCommand, asked.op_dir, "--op-dir", "DIR",                                   \
                 "the operator directory; otherwise from the suite",                               \
                 "算子目录；缺省由用例文件的位置决定")
#define VERIFY_SIMULATOR_ROWS                                                                      \
    TEXT_ROW(VerifyCommand, asked.pool.soc, "--soc", "NAME", "the simulated hardware (910B1)",     \
             "模拟的硬件（缺省 910B1）"),                                                          \
        WORD_ROW(VerifyCommand, pypto, "--pypto", "9.1|9.2", "see run", "见 run"),                 \
        WORD_ROW(VerifyCommand, asked.pool.profile, "--profile", "device|strict", "see run",       \
                 "见 run")

/* Completes the request with the working directory, the interpreter and what was given as text:
 * phase, limits, hardware. False after a message. */
bool verify_request_complete(VerifyCommand *command, Arena *arena);

/* Plans cases of a suite. False after a message: refused, in error, or there are none. */
bool verify_plan_cases(Verification *plan, Arena *arena, const VerifyRequest *asked);

/* Can a worker run in this mode here? False after a message. */
bool verify_mode_check(Arena *arena, const PoolOptions *pool, Mode mode);

/* Says why a worker's outcome has no numbers, as `verify` would: EXIT_ERROR. */
int verify_print_failure(const Verification *plan, const SuiteCase *source, Mode mode,
                         const WorkerOutcome *outcome);

/* Reads the arguments of `verify`. EXIT_CLEAN, else the status with which the command ends. */
int verify_options_read(const Command *self, VerifyCommand *command, Arena *arena, int argc,
                        char **argv);

#endif
