/* Options of `verify`. */
#ifndef PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H
#define PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H

#include "cli/cli.h"
#include "harness/verify.h"

typedef enum VerifyFormat { VERIFY_TEXT, VERIFY_JSON, VERIFY_SARIF } VerifyFormat;

typedef struct VerifyCommand {
    VerifyOptions asked;
    PoolOptions pool;
    Str scheduler, output, log;
    VerifyFormat format;
} VerifyCommand;

/* Reads the arguments. EXIT_CLEAN, else the status with which the command ends. */
int verify_options_read(const Command *self, VerifyCommand *command, Arena *arena, int argc,
                        char **argv);

#endif
