/* Shell expand: words that the shell makes from one, and characters that it makes from escapes. */
#ifndef PYPTO_LINT_HOOK_SHELL_EXPAND_H
#define PYPTO_LINT_HOOK_SHELL_EXPAND_H

#include "kernel/kernel.h"

/* How unquoted braces and commas are written in a word, so that they differ from quoted ones. */
enum { BRACE_OPEN = 1, BRACE_COMMA, BRACE_CLOSE };

/* Appends the words that the shell makes of `word` to `out`: a_b.py and a_c.py of `a_{b,c}.py`.
 * Groups without a comma stay as they are, and so does everything when the word is long or `*room`,
 * the bytes that the new words may take, is used up. No recursion, and linear in what comes out. */
void shell_expand_braces(Strs *out, Arena *arena, Str word, size_t *room);

/* Appends the character for the escape in $'…' whose backslash is before `at`; returns the place
 * after it. */
size_t shell_add_escape(Buf *out, Str text, size_t at);

#endif
