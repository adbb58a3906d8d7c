/* Options of `init`: one table, from which parsing and help are made. */
#ifndef PYPTO_LINT_CLI_COMMAND_INIT_H
#define PYPTO_LINT_CLI_COMMAND_INIT_H

#include "cli/cli.h"
#include "init/plan.h"

typedef struct InitOptions {
    InitRequest request;       /* remove, user, repository and lang only */
    bool chosen[CLIENT_COUNT]; /* by --client */
    bool any_chosen;
    bool yes, dry_run, help;
} InitOptions;

/* Reads the arguments. False after a message on stderr: wrong usage. */
bool init_options_read(InitOptions *options, Arena *arena, int argc, char **argv);
/* Appends the option table as help text. */
void init_options_help(Buf *out, Lang lang);

#endif
