/* LogRead: reads logs from a file, standard input or a folder of logs. In a folder only regular
 * files are opened, links are not followed, and limits apply. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_READ_H
#define PYPTO_LINT_DIAGNOSE_LOG_READ_H

#include "diagnose/log_scan.h"

enum {
    LOG_MOST_FILES = 2000, /* of a folder */
    LOG_MOST_DEPTH = 8,    /* levels of folders */
};
/* Bytes of all logs together: 16 GiB, about a minute and a half of reading. */
#define LOG_MOST_BYTES ((uint64_t)16 << 30)

typedef struct LogRead {
    Strs skipped; /* "PATH: reason" */
    Str failed;   /* the first of them that the system refused to read; or empty */
    bool cut;     /* a limit was reached: not everything was read */
    char *chunk;  /* buffer for reading; allocated with the first log */
} LogRead;

/* Reads from a descriptor to its end or to LOG_MOST_BYTES; the caller closes it. On a read error
 * returns false, with the reason in `*error`. */
bool log_read_fd(LogScan *scan, LogRead *logs, int fd, Str name, Str *error);
/* Reads the file or folder. False, with the reason in `*error`, when it cannot be read at all. */
bool log_read_path(LogScan *scan, LogRead *logs, Str path, Str *error);

#endif
