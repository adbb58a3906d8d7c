/* LogTable: the table that a log speaks of, and indices into it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_TABLE_H
#define PYPTO_LINT_DIAGNOSE_LOG_TABLE_H

#include "base/str.h"

typedef struct LogTable {
    double rows;    /* of a table whose shape was named */
    uint64_t until; /* the order up to which that counts */
} LogTable;

/* "vocab_size=32000, max id 32001": does the line name an index beyond the end of its table, or of
 * the one whose shape a line shortly before named? */
bool log_table_beyond(LogTable *table, Str line, uint64_t order);

#endif
