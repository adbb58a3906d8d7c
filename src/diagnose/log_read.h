/* LogRead: where logs come from: a file, standard input, a folder of logs. A folder is read without
 * following links out of it, without opening anything but regular files, and within limits. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_READ_H
#define PYPTO_LINT_DIAGNOSE_LOG_READ_H

#include "diagnose/log_scan.h"

enum {
    LOG_MOST_FILES = 2000, /* of a folder */
    LOG_MOST_DEPTH = 8,    /* folders in folders */
};
/* Of all logs together: 16 GiB, a minute and a half of reading. */
#define LOG_MOST_BYTES ((uint64_t)16 << 30)

typedef struct LogRead {
    Strs skipped; /* "PATH: reason" */
    Str failed;   /* of these the first that the system did not let us read; or empty */
    bool cut;     /* a limit was reached: not everything was read */
    char *chunk;  /* where all of them are read to; made when the first one is */
} LogRead;

/* Reads from a descriptor to its end. False with the reason. */
bool log_read_fd(LogScan *scan, LogRead *logs, int fd, Str name, Str *error);
/* Reads the file or folder. False with the reason when it cannot be read at all. */
bool log_read_path(LogScan *scan, LogRead *logs, Str path, Str *error);

#endif
