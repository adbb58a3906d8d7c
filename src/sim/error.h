/* Filling PtsError values. Private to libptosim. */
#ifndef PTOSIM_ERROR_H
#define PTOSIM_ERROR_H

#include "sim/ptosim.h"

/* Fills `error` (which may be NULL) and returns false, so that callers can return it. `symbol` is a
 * static string. The site is unknown until pts_error_at adds it. */
bool pts_fail(PtsError *error, PtsErrorKind kind, uint32_t code, const char *symbol,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds the site when the error has none yet. */
void pts_error_at(PtsError *error, PtsSite site);

/* The host's memory ran out; false. */
bool pts_fail_memory(PtsError *error);

#endif
