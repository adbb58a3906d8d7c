/* ApiPage: finding one; see api_page.h. */
#include "rules/data/api_page.h"

const ApiPage *api_page_find(Str name)
{
    size_t low = 0, high = api_page_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(str_from(api_pages[middle].name), name);
        if (order == 0) {
            return &api_pages[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}
