/* Verification log: the table below the heading "Per-module verification log" of an operator's
 * MEMORY.md, one row for each run that was recorded (docs/kernel-authors/regressions.md). */
#ifndef PYPTO_LINT_HARNESS_REPORT_VERIFICATION_LOG_H
#define PYPTO_LINT_HARNESS_REPORT_VERIFICATION_LOG_H

#include "base/str.h"
#include "base/vec.h"

#define MEMORY_PATH           "MEMORY.md"
#define VERIFICATION_LOG_NAME "verification log"
/* Added to a MEMORY.md that has no such table. */
#define VERIFICATION_LOG_TABLE                                                                     \
    "| Time (UTC) | Phase | Status | Cases | Modes | Max abs diff | Max rel diff | "               \
    "First failure | Kernel |\n"                                                                   \
    "|---|---|---|---|---|---|---|---|---|\n"
#define VERIFICATION_LOG_HEAD "## Per-module verification log\n\n" VERIFICATION_LOG_TABLE

typedef struct LogRow {
    Strs cells; /* trimmed, escapes undone */
} LogRow;

typedef struct VerificationLog {
    bool found; /* heading, head and separator are there */
    Str text;   /* of MEMORY.md */
    size_t end; /* offset after the table's last line and its line end */
    Strs head;
    VEC(LogRow) rows;        /* not empty, with as many cells as the head */
    VEC(uint32_t) odd_lines; /* the other rows: their lines in MEMORY.md, from 1 */
} VerificationLog;

/* Reads MEMORY.md of an operator directory. False, with the reason, when the file cannot be read or
 * is outside the project. Everything in the arena. */
bool verification_log_read(Arena *arena, Str op_dir, VerificationLog *log, Str *error);

/* Can a row be added: does the table have a known column, or can the file get a table? False, with
 * the reason. */
bool verification_log_check(Arena *arena, Str op_dir, Str *error);

struct Verification;

/* Appends a row about this run, in the columns that the table has, at `seconds` since 1970. Adds
 * the table if the file has none. All other bytes of the file stay. False, with the reason, when
 * none of the table's columns is known or the file cannot be replaced. */
bool verification_log_append(const struct Verification *verification, int64_t seconds, Str *error);

#endif
