/* Numbers in lines of logs. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H
#define PYPTO_LINT_DIAGNOSE_LOG_NUMBER_H

#include "base/str.h"

/* Reads the number whose first digit is at `at` ("31", "0.5", "1e-6"; at most 31 characters).
 * Returns its end, or `at` where there is no digit. */
size_t log_number_read(Str line, size_t at, double *number);

/* The number at `at`, or soon after it past signs, quotes and blanks; -1: none. */
double log_number_at(Str line, size_t at);

/* The number after the first of the words (lower-case, found whole and in either case) that has
 * one; -1: none. */
double log_number_after(Str line, const char *const *words, size_t count);

#endif
