/* Verification log: the table below the heading "Per-module verification log" of an operator's
 * MEMORY.md, one row for each run that was recorded (docs/kernel-authors/regressions.md). */
#ifndef PYPTO_LINT_HARNESS_REPORT_VERIFICATION_LOG_H
#define PYPTO_LINT_HARNESS_REPORT_VERIFICATION_LOG_H

#include "base/str.h"
#include "base/vec.h"

#define MEMORY_PATH "MEMORY.md"
/* What to add to a MEMORY.md without such a table. */
#define VERIFICATION_LOG_HEAD                                                                      \
    "## Per-module verification log\n\n"                                                           \
    "| Time (UTC) | Phase | Status | Cases | Modes | Max abs diff | Max rel diff | "               \
    "First failure | Kernel |\n"                                                                   \
    "|---|---|---|---|---|---|---|---|---|\n"

typedef struct LogRow {
    Strs cells; /* trimmed, escapes undone */
} LogRow;

typedef struct VerificationLog {
    bool found; /* heading, head and separator are there */
    Str text;   /* of MEMORY.md */
    size_t end; /* offset after the table's last line and its line end */
    Strs head;
    VEC(LogRow) rows;
} VerificationLog;

/* Reads MEMORY.md of an operator directory. False, with the reason, when the file cannot be read or
 * lies outside the project. Everything in the arena. */
bool verification_log_read(Arena *arena, Str op_dir, VerificationLog *log, Str *error);

/* Is there such a table, with a column that is known? False, with the reason and what to add. */
bool verification_log_check(Arena *arena, Str op_dir, Str *error);

struct Verification;

/* Appends a row about this run, in the columns that the table has, at `seconds` since 1970. All
 * other bytes of the file stay. False, with the reason, when there is no such table, none of its
 * columns is known, or the file cannot be replaced. */
bool verification_log_append(const struct Verification *verification, int64_t seconds, Str *error);

#endif
