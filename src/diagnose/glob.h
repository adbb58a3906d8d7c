/* Glob: how a pattern describes a line of a log.
 *
 *   letters   themselves, in either case (ASCII)
 *   *         any bytes, also none
 *   #         one or more decimal digits
 *   ^ first   the line begins here, white space aside
 *   $ last    the line ends here, white space aside
 *   @ first   the rest is a number that counts as an error's: the line has a word for an error
 *             (error, ret, code, result, status, fail) before it, or nothing else
 *   ! first   the words alone prove nothing: they count only in a line that reports an error
 *             (log_scan.c asks; for the matching itself the ! does not exist)
 *
 * Where a glob begins or ends with a letter or a digit, the text must not go on with one. */
#ifndef PYPTO_LINT_DIAGNOSE_GLOB_H
#define PYPTO_LINT_DIAGNOSE_GLOB_H

#include "base/str.h"

/* Where a glob matched: offsets in the line without the white space at both ends. */
typedef struct GlobSpan {
    size_t begin; /* of the first piece */
    size_t last;  /* of the last piece that is not empty */
    size_t end;   /* of the last piece */
} GlobSpan;

/* Does the glob match some part of the line, and where? Takes time proportional to the product of
 * both lengths at most. */
bool glob_find(Str glob, Str line, GlobSpan *span);

/* Does the glob begin with `!`? */
bool glob_wants_error(Str glob);

/* Does the glob begin with `@`? */
bool glob_is_code(Str glob);

/* The longest literal in the glob, as a slice of `glob`: a line that does not contain it cannot
 * match. */
Str glob_anchor(Str glob);

#endif
