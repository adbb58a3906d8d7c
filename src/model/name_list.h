/* Lists of names such as "init,races": entries are separated by commas and spaces. */
#ifndef PTOSIM_NAME_LIST_H
#define PTOSIM_NAME_LIST_H

#include <stdbool.h>
#include <string.h>

/* The first entry from `list` on; its length is 0 at the end. */
static inline const char *next_entry(const char *list, size_t *length)
{
    while (*list == ',' || *list == ' ') {
        list++;
    }
    *length = strcspn(list, ", ");
    return list;
}

static inline bool is_entry(const char *entry, size_t length, const char *id)
{
    return strlen(id) == length && memcmp(entry, id, length) == 0;
}

#endif
