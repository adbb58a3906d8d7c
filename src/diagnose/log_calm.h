/* LogCalm: lines that say that nothing is wrong, with the very words that errors are made of:
 * "test_out_of_memory PASSED", "mismatch ratio: 0.00%", "does not exceed the limit". */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_CALM_H
#define PYPTO_LINT_DIAGNOSE_LOG_CALM_H

#include "diagnose/glob.h"

/* What a line says against the words in it. */
typedef enum LogCalm {
    LOG_NOT_CALM,
    LOG_CALM_WORDS, /* plain words of it are no error; codes and names of exceptions are */
    LOG_CALM,       /* nothing of it is an error */
} LogCalm;

LogCalm log_calm(Str line);

/* Is there FAIL, FAILED or FAILURE in capitals with anything but a count of zero after it? */
bool log_counts_failures(Str line);

/* Is the glob the name of an exception or a code, rather than plain words? */
bool log_glob_is_name(Str glob);

/* Does the line deny the words that matched at `span`: "compare failed: 0", "device is busy: no",
 * "never exceeds tolerance"? Always false in a line that begins with an exception or is marked
 * [ERROR]. */
bool log_is_denied(Str line, GlobSpan span);

/* Does the line have words for an error, and deny each of them: "0 tests failed", "error: none",
 * "3 xfailed"? */
bool log_denies_errors(Str line);

#endif
