/* Sorted lists of names: hostile files have thousands of imports and kernels. */
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
    uint32_t low = 0;
    uint32_t high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = str_compare(name, names->items[middle]);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return false;
}
