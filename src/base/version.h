/* Version: numbers such as 1.2.3. */
#ifndef PYPTO_LINT_BASE_VERSION_H
#define PYPTO_LINT_BASE_VERSION_H

#include "base/str.h"

typedef struct Version {
    unsigned numbers[3]; /* major, minor, patch */
} Version;

/* Reads "1.2.3" at the start of the text. False for anything else, also for numbers of more than
 * six digits. `*length`, unless NULL: bytes that were read. */
bool version_read(Str text, Version *version, size_t *length);

bool version_is_older(const Version *version, const Version *than);

#endif
