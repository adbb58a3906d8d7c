/* LogTable: the last table whose shape a log gives; finds indices beyond its end. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_TABLE_H
#define PYPTO_LINT_DIAGNOSE_LOG_TABLE_H

#include "base/str.h"

typedef struct LogTable {
    double rows;    /* of the last table whose shape was given */
    uint64_t until; /* the order up to which indices may belong to it */
} LogTable;

/* "vocab_size=32000, max id 32001": does the line name an index beyond the end of its table, or
 * of a table whose shape a recent line gave? */
bool log_table_beyond(LogTable *table, Str line, uint64_t order);

#endif
