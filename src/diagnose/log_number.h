/* Numbers in lines of logs. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H
#define PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H

#include "base/str.h"

/* Reads the number that starts with a digit at `at` ("31", "0.5", "1e-6"; at most 31 characters)
 * and returns where it ends. If there is no digit, returns `at` and leaves `*number` as it is. */
size_t log_number_read(Str line, size_t at, double *number);

/* The number at `at`, after at most six signs, quotes or blanks; -1: none. */
double log_number_at(Str line, size_t at);

/* The number after the first of the words that is followed by one; -1: none. The words are
 * lower-case and are found as whole words in any case. */
double log_number_after(Str line, const char *const *words, size_t count);

#endif
