/* Glob: the form of a line in a log, as the patterns write it.
 *
 *   letters   themselves, in either case (ASCII)
 *   *         any bytes, also none
 *   #         one or more decimal digits
 *   ^ first   the line begins here, white space aside
 *   $ last    the line ends here, white space aside
 *   @ first   the rest is a number that counts as an error's: the line has a word for an error
 *             (error, ret, code, result, status, fail) before it, or nothing else
 *
 * Where a glob begins or ends with a letter or a digit, the text must not go on with one. */
#ifndef PYPTO_LINT_DIAGNOSE_GLOB_H
#define PYPTO_LINT_DIAGNOSE_GLOB_H

#include "base/str.h"

/* Does the glob fit some part of the line? Time grows with the product of both lengths at most. */
bool glob_matches(Str glob, Str line);

/* The longest run of letters in the glob: a line without it does not fit. Part of `glob`. */
Str glob_anchor(Str glob);

#endif
