/* The order of findings: the same in every report, whatever order rules ran and reported in. */
#include "lint/finding_order.h"

#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_place(const void *a, const void *b)
{
    const Finding *x = *(const Finding *const *)a;
    const Finding *y = *(const Finding *const *)b;
    int order = str_compare(x->file, y->file);
    order = order != 0 ? order : compare_numbers(x->region.line, y->region.line);
    order = order != 0 ? order : compare_numbers(x->region.column, y->region.column);
    order = order != 0 ? order : strcmp(x->rule->id, y->rule->id);
    order = order != 0 ? order : compare_numbers(x->region.end_line, y->region.end_line);
    order = order != 0 ? order : compare_numbers(x->region.end_column, y->region.end_column);
    return order != 0 ? order : str_compare(x->message, y->message);
}

void findings_sort(Findings *findings)
{
    if (findings->count < 2) {
        return;
    }
    qsort(findings->items, findings->count, sizeof *findings->items, by_place);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < findings->count; i++) {
        if (by_place(&findings->items[i], &findings->items[kept - 1]) != 0) {
            findings->items[kept++] = findings->items[i];
        }
    }
    findings->count = kept;
}
