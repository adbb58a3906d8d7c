/* Redaction: what must not leave a run: source text of references and values of their results.
 *
 * The first line of defence are the workers, which discard the reference's own output and tell no
 * values. This is the second: the log and the messages of an implementation are the author's own,
 * but a traceback may show the reference's source, and a comparison its values
 * (docs/kernel-authors/verify.md, "Redaction"). */
#ifndef PYPTO_LINT_HARNESS_REDACTION_H
#define PYPTO_LINT_HARNESS_REDACTION_H

#include "base/str.h"
#include "base/vec.h"

enum {
    REDACTION_LEAST_CHARACTERS = 8, /* shorter lines, such as `else:`, betray nothing */
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
/* The text of a file of the reference (golden, or the inputs): none of its lines is to be seen, but
 * for those that also stand in a text given to redaction_allow, before or after. The text must
 * outlive the redaction. */
void redaction_hide(Redaction *redaction, Str source);
/* The text of a file that the author of the kernel wrote. It must outlive the redaction. */
void redaction_allow(Redaction *redaction, Str source);

/* The text without lines that must not be seen, `[… n lines withheld …]` in their place; in the
 * arena, or the text itself when there is nothing to remove. `redaction` NULL: only rows of
 * comparisons and dumps of assertions are looked for. */
Str redaction_filter(Arena *arena, const Redaction *redaction, Str text);

/* A message as part of a sentence: its first line without what must not be seen and without dumps
 * of tensors, at most 240 bytes, valid UTF-8. May be empty. */
Str redaction_message(Arena *arena, const Redaction *redaction, Str message);

#endif
