/* Redaction: keeps source text of references and values of their results out of logs and messages.
 *
 * The first line of defence are the workers, which discard the reference's output and report no
 * values. This is the second: the log and the messages of an implementation belong to its author,
 * but a traceback may show the reference's source, and a comparison its values
 * (docs/kernel-authors/verify-report.md, "Redaction"). */
#ifndef PYPTO_LINT_HARNESS_REPORT_REDACTION_H
#define PYPTO_LINT_HARNESS_REPORT_REDACTION_H

#include "base/str.h"
#include "base/vec.h"

enum {
    REDACTION_LEAST_CHARACTERS = 8, /* shorter lines, such as `else:`, need not be hidden */
};

typedef struct RedactionLine {
    Str text; /* trimmed */
    bool allowed;
    uint32_t next; /* in its bucket, + 1; 0 = the last */
} RedactionLine;

typedef struct Redaction {
    Arena *arena;
    VEC(RedactionLine) lines; /* of references */
    VEC(Str) known;           /* texts of the implementation */
    uint32_t *buckets;        /* by the first bytes of a line: index + 1, or 0 */
} Redaction;

void redaction_init(Redaction *redaction, Arena *arena);
/* Hides the lines of a file of the reference (golden or inputs), except those that are also in a
 * text given to redaction_allow, before or after. The text must outlive the redaction. */
void redaction_hide(Redaction *redaction, Str source);
/* Allows the lines of a file by the author of the kernel. The text must outlive the redaction. */
void redaction_allow(Redaction *redaction, Str source);

/* The text with `[… n lines withheld …]` in the place of hidden lines; in the arena, or the text
 * itself if there are none. `redaction` NULL: only rows of comparisons and dumps of assertions are
 * hidden. */
Str redaction_filter(Arena *arena, const Redaction *redaction, Str text);

/* A message as part of a sentence: its first three lines that are not blank, without hidden lines
 * and dumps of tensors, on one line, at most 240 bytes, valid UTF-8. May be empty. */
Str redaction_message(Arena *arena, const Redaction *redaction, Str message);

#endif
