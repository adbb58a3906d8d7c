/* Suggest: edit distance over short words. */
#include "lint/suggest.h"

#include "base/ascii.h"

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned edit_distance(Str a, Str b, unsigned limit)
{
    if (a.length > SUGGEST_MAX_LENGTH || b.length > SUGGEST_MAX_LENGTH) {
        return limit + 1;
    }
    /* Three rows of the usual table: two above are needed for a swap. */
    unsigned rows[3][SUGGEST_MAX_LENGTH + 1];
    for (size_t j = 0; j <= b.length; j++) {
        rows[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a.length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.length; j++) {
            bool same = lower_case(a.at[i - 1]) == lower_case(b.at[j - 1]);
            row[j] = least(above[j - 1] + (same ? 0 : 1), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower_case(a.at[i - 1]) == lower_case(b.at[j - 2]) &&
                lower_case(a.at[i - 2]) == lower_case(b.at[j - 1])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return least(rows[a.length % 3][b.length], limit + 1);
}

const char *suggest(Str word, const char *const *candidates, size_t count)
{
    unsigned limit = word.length < 6 ? 1 : (unsigned)(word.length / 3);
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = edit_distance(word, str_from(candidates[i]), limit);
        if (distance <= limit) {
            best = candidates[i];
            if (distance == 0) {
                break;
            }
            limit = distance - 1;
        }
    }
    return best;
}
