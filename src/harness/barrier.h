/* Barrier: what must not leave a run: source text of references and values of their results.
 *
 * The first line of defence are the workers, which discard the reference's own output and tell no
 * values. This is the second: the log and the messages of an implementation are the author's own,
 * but a traceback may show the reference's source, and a comparison its values
 * (docs/kernel-authors/verify.md, "Information barrier"). */
#ifndef PYPTO_LINT_HARNESS_BARRIER_H
#define PYPTO_LINT_HARNESS_BARRIER_H

#include "base/str.h"
#include "base/vec.h"

enum {
    BARRIER_LEAST_CHARACTERS = 8, /* shorter lines, such as `else:`, betray nothing */
};

typedef struct BarrierLine {
    Str text; /* trimmed */
    bool allowed;
    uint32_t next; /* in its bucket, + 1; 0 = the last */
} BarrierLine;

typedef struct Barrier {
    Arena *arena;
    VEC(BarrierLine) lines; /* of references */
    VEC(Str) known;         /* texts of the implementation */
    uint32_t *buckets;      /* by the first bytes of a line: index + 1, or 0 */
} Barrier;

void barrier_init(Barrier *barrier, Arena *arena);
/* The text of a file of the reference (golden, or the inputs): none of its lines is to be seen, but
 * for those that also stand in a text given to barrier_allow, before or after. The text must
 * outlive the barrier. */
void barrier_hide(Barrier *barrier, Str source);
/* The text of a file that the author of the kernel wrote. It must outlive the barrier. */
void barrier_allow(Barrier *barrier, Str source);

/* The text without lines that must not be seen, `[… n lines withheld …]` in their place; in the
 * arena, or the text itself when there is nothing to remove. `barrier` NULL: only rows of
 * comparisons and dumps of assertions are looked for. */
Str barrier_filter(Arena *arena, const Barrier *barrier, Str text);

/* A message as part of a sentence: its first line without what must not be seen and without dumps
 * of tensors, at most 240 bytes, valid UTF-8. May be empty. */
Str barrier_message(Arena *arena, const Barrier *barrier, Str message);

#endif
