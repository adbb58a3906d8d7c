/* Metrics file: appending to the log. Private to the metrics. */
#ifndef PYPTO_LINT_METRICS_LOG_FILE_H
#define PYPTO_LINT_METRICS_LOG_FILE_H

#include "base/str.h"

/* Appends whole lines in one write. The file is made if need be, its folder is not; a symlink, a
 * pipe or a device is refused, and so is a file that would pass METRICS_MAX_FILE bytes. Never
 * waits for another process. False with the reason, which needs no freeing. */
bool log_file_append(const char *path, Str lines, const char **reason);

#endif
