/* Help of `scaffold`, `interfaces` and `compose`. */
#ifndef PYPTO_LINT_CLI_COMMAND_SCAFFOLD_H
#define PYPTO_LINT_CLI_COMMAND_SCAFFOLD_H

#include "cli/command_options.h"

/* Append the option tables as help text. */
void scaffold_options_help(Buf *out, Lang lang);
void compose_options_help(Buf *out, Lang lang);

#endif
