/* Numbers in lines of logs. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H
#define PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H

#include "base/str.h"

/* Reads the number at `at` ("31", "0.5", "1e-6"; at most 31 characters) and returns the offset
 * of its end. Without a digit there, returns `at` and does not change `*number`. */
size_t log_number_read(Str line, size_t at, double *number);

/* The number at `at`, after at most six signs, quotes or blanks; -1: none. */
double log_number_at(Str line, size_t at);

/* The number after the first of the lower-case words that has one, or -1. Only whole words
 * count, in any case. */
double log_number_after(Str line, const char *const *words, size_t count);

#endif
