/* Options of `verify`. */
#ifndef PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H
#define PYPTO_LINT_CLI_COMMAND_VERIFY_OPTIONS_H

#include "cli/command_options.h"
#include "harness/verify.h"

typedef enum VerifyFormat { VERIFY_TEXT, VERIFY_JSON, VERIFY_SARIF } VerifyFormat;

typedef struct VerifyCommand {
    VerifyOptions asked;
    PoolOptions pool;
    Str scheduler, output, log;
    VerifyFormat format;
    bool help;
} VerifyCommand;

/* Reads the arguments. False after a message: wrong usage. */
bool verify_options_read(VerifyCommand *command, Arena *arena, int argc, char **argv);
/* Appends the option table as help text. */
void verify_options_help(Buf *out, Lang lang);

#endif
