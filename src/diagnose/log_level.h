/* LogLevel: what a line of a log says of itself, whatever patterns it matches: that it is a
 * warning, that it quotes a source, that there was no error. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_LEVEL_H
#define PYPTO_LINT_DIAGNOSE_LOG_LEVEL_H

#include "diagnose/pattern.h"

/* The highest strength that a match in this line can have; STRENGTH_NONE: it counts for nothing. */
Strength log_most_strength(Str line);

/* Does the line say that there was no error ("12 passed, 0 failed")? */
bool log_says_none(Str line);

/* Does the line report a state that lasts though the step went well (pip installs nevertheless)? */
bool log_lasts(Str line);

/* What a program prints when a step, or the whole run, went well. */
extern const char *const log_success_words[];
enum { LOG_SUCCESS_WORDS = 9 };

#endif
