/* Standard output. */
#ifndef PYPTO_LINT_CLI_OUTPUT_H
#define PYPTO_LINT_CLI_OUTPUT_H

#include "base/str.h"

/* Writes all of it to standard output. False when that fails, after a message unless the reader has
 * closed the pipe. */
bool print_all(Str text);

#endif
