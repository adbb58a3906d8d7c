/* Redaction of dumps: finds lines in which comparison functions show values, such as rows of
 * detailed_tensor_compare and arrays in assertions of numpy and torch. For redaction.c. */
#ifndef PYPTO_LINT_HARNESS_REPORT_REDACTION_DUMPS_H
#define PYPTO_LINT_HARNESS_REPORT_REDACTION_DUMPS_H

#include "base/str.h"

/* Goes through a text line by line. Starts as zeros. */
typedef struct DumpFinder {
    bool in_table; /* below the head of a table of a comparison */
    bool in_array; /* within an array of an assertion */
    int depth;     /* its open brackets */
    int lines;     /* of it so far */
} DumpFinder;

/* Does this line show values? */
bool dump_finder_next(DumpFinder *finder, Str line);

/* The offset in a message at which a printed tensor begins; its length if there is none. */
size_t dump_begins(Str line);

#endif
