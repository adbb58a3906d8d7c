/* Limits on the command line; see limit_options.h. */
#include "cli/limit_options.h"

#include "base/ascii.h"

enum { LONGEST_SECONDS = 7 * 24 * 3600, MS = 1000 };

/* Digits from `*at` on; false when there are none or too many. */
static bool read_digits(Str text, size_t *at, uint64_t *number)
{
    size_t start = *at;
    *number = 0;
    while (*at < text.length && is_digit(text.at[*at])) {
        *number = *number * 10 + (uint64_t)(text.at[*at] - '0');
        (*at)++;
        if (*number > (uint64_t)1 << 50) {
            return false;
        }
    }
    return *at > start;
}

/* Thousandths after the point; further digits do not count. */
static bool read_fraction(Str text, size_t *at, uint64_t *thousandths)
{
    uint64_t unit = MS / 10;
    size_t start = *at;
    for (; *at < text.length && is_digit(text.at[*at]); (*at)++) {
        *thousandths += unit * (uint64_t)(text.at[*at] - '0');
        unit /= 10;
    }
    return *at > start;
}

bool read_time_limit(const char *option, Str text, uint32_t *milliseconds)
{
    uint64_t whole = 0;
    uint64_t part = 0;
    size_t at = 0;
    *milliseconds = 0;
    if (text.length == 0) {
        return true;
    }
    bool good = read_digits(text, &at, &whole);
    if (good && at < text.length && text.at[at] == '.') {
        at++;
        good = read_fraction(text, &at, &part);
    }
    if (!good || at != text.length || whole > LONGEST_SECONDS || whole * MS + part == 0) {
        print_error("%s takes seconds, from 0.001 to %d, not '%.*s'", option, LONGEST_SECONDS,
                    STR_ARG(text));
        return false;
    }
    *milliseconds = (uint32_t)(whole * MS + part);
    return true;
}

bool read_size_limit(const char *option, Str text, uint64_t *bytes)
{
    size_t at = 0;
    unsigned shift = 0;
    *bytes = 0;
    if (text.length == 0) {
        return true;
    }
    bool good = read_digits(text, &at, bytes) && *bytes > 0;
    if (good && at + 1 == text.length) {
        char unit = text.at[at];
        shift = unit == 'K' || unit == 'k'   ? 10
                : unit == 'M' || unit == 'm' ? 20
                : unit == 'G' || unit == 'g' ? 30
                                             : 0;
        at += shift > 0 ? 1 : 0;
    }
    if (!good || at != text.length || *bytes > UINT64_MAX >> (shift + 1)) {
        print_error("%s takes a size such as 4G, 512M or 65536 (bytes), not '%.*s'", option,
                    STR_ARG(text));
        return false;
    }
    *bytes <<= shift;
    return true;
}
