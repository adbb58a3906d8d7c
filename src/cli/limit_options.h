/* Limits on the command line: seconds and sizes, as all commands that start programs take them. */
#ifndef PYPTO_LINT_CLI_LIMIT_OPTIONS_H
#define PYPTO_LINT_CLI_LIMIT_OPTIONS_H

#include "cli/cli.h"

/* "300", "0.5": seconds above 0, to a thousandth, at most a week; empty = 0, no limit. False after
 * a message that names the option. */
bool read_time_limit(const char *option, Str text, uint32_t *milliseconds);

/* "4G", "512M", "65536": bytes above 0, K, M and G are powers of 1024; empty = 0, no limit. */
bool read_size_limit(const char *option, Str text, uint64_t *bytes);

#endif
