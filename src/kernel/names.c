/* Sorted lists of names: hostile files have thousands of imports and kernels. */
#include "base/search.h"
#include "kernel/kernel.h"

#include <stdlib.h>

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const Str *)a, *(const Str *)b);
}

void names_sort(Strs *names)
{
    if (names->count < 2) {
        return;
    }
    qsort(names->items, names->count, sizeof *names->items, by_text);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < names->count; i++) {
        if (!str_equal(names->items[i], names->items[kept - 1])) {
            names->items[kept++] = names->items[i];
        }
    }
    names->count = kept;
}

bool names_have(const Strs *names, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, names->count, str_compare(name, names->items[low]) > 0);
    return low < names->count && str_compare(name, names->items[low]) == 0;
}
