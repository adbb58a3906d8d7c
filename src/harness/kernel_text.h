/* Kernel text: what the process of the kernel says, made fit for the report.
 *
 * Whoever writes a kernel may put anything into an exception's message, the reference's values
 * included. A line of the report holds words of a fixed list, `#` for every number and `…` for
 * everything else; the text itself is in the log (docs/kernel-authors/verify.md, "The log"). */
#ifndef PYPTO_LINT_HARNESS_KERNEL_TEXT_H
#define PYPTO_LINT_HARNESS_KERNEL_TEXT_H

#include "base/str.h"

enum { KERNEL_TEXT_LIMIT = 160 /* bytes of a reduced line */ };

/* The first line of a text that is not empty, reduced; in the arena, maybe empty. */
Str kernel_text_reduce(Arena *arena, Str text);

/* A name that the process of a test gives to an output: letters, digits, blanks and `_-[]`, `?` for
 * anything else, at most 64 bytes; in the arena. */
Str kernel_text_name(Arena *arena, Str name);

/* Is the word, in whatever case, one that may be told? */
bool kernel_word_is_known(Str word);

#endif
