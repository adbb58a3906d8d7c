/* Kernel text: messages of the kernel's process, made fit for the report.
 *
 * The author of a kernel may put anything into an exception's message, even values of the
 * reference. So a line of the report has only words of a fixed list, `#` for every number and `…`
 * for everything else; the text itself is in the log (docs/kernel-authors/verify-report.md, "The
 * log"). */
#ifndef PYPTO_LINT_HARNESS_JUDGE_KERNEL_TEXT_H
#define PYPTO_LINT_HARNESS_JUDGE_KERNEL_TEXT_H

#include "base/str.h"

enum { KERNEL_TEXT_LIMIT = 160 /* bytes of a reduced line */ };

/* The first line of a text that is not blank, reduced; in the arena, may be empty. */
Str kernel_text_reduce(Arena *arena, Str text);

/* A name that a test gives to an output: letters, digits, blanks and `_-[]`, `?` for anything else,
 * at most 64 bytes; in the arena. */
Str kernel_text_name(Arena *arena, Str name);

/* Is the word, in any case, in the list? */
bool kernel_word_is_known(Str word);

#endif
