/* Version numbers; see version.h. */
#include "base/version.h"

#include "base/ascii.h"

enum { NUMBERS = 3, MAX_DIGITS = 6 };

bool version_read(Str text, Version *version, size_t *length)
{
    size_t at = 0;
    for (int i = 0; i < NUMBERS; i++) {
        if (i > 0 && (at >= text.length || text.at[at++] != '.')) {
            return false;
        }
        size_t start = at;
        version->numbers[i] = 0;
        for (; at < text.length && is_digit(text.at[at]); at++) {
            if (at - start == MAX_DIGITS) {
                return false;
            }
            version->numbers[i] = version->numbers[i] * 10 + (unsigned)(text.at[at] - '0');
        }
        if (at == start) {
            return false;
        }
    }
    if (length != NULL) {
        *length = at;
    }
    return true;
}

bool version_is_older(const Version *version, const Version *than)
{
    for (int i = 0; i < NUMBERS; i++) {
        if (version->numbers[i] != than->numbers[i]) {
            return version->numbers[i] < than->numbers[i];
        }
    }
    return false;
}
