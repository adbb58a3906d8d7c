/* Run hashes: which kernel and which suite a report is about. Two reports with the same hashes
 * compare the same program on the same cases. */
#ifndef PYPTO_LINT_HARNESS_REPORT_RUN_HASHES_H
#define PYPTO_LINT_HARNESS_REPORT_RUN_HASHES_H

#include "base/str.h"

/* SHA-256 in hexadecimal digits. */
typedef struct RunHashes {
    Str kernel; /* the implementation and all Python files beside it that are neither references nor
                   tests; empty without an implementation */
    Str suite;  /* cases, inputs, references, tests and contract */
} RunHashes;

struct Verification;

/* Of the files as they are now. In the arena of the verification. A file that cannot be read counts
 * as missing, which gives another hash than an empty one. */
RunHashes run_hashes(const struct Verification *verification);

#endif
