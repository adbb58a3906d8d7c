/* What the readers of logs share: lines, cores and numbers. */
#include "perf/profile.h"

#include <math.h>
#include <stdlib.h>

bool profile_line(Str text, size_t *at, Str *line)
{
    if (*at >= text.length) {
        return false;
    }
    size_t end = str_find(text, STR("\n"), *at);
    end = end == SIZE_MAX ? text.length : end;
    *line = str_trim(str_slice(text, *at, end));
    *at = end + 1;
    return true;
}

CoreFigures *profile_core(CoreTable *table, Arena *arena, Str core)
{
    uint32_t number = map_find(&table->keys, core);
    if (number == MAP_NONE) {
        if (table->cores.count == PROFILE_MOST_CORES) {
            return NULL;
        }
        CoreFigures made = {.core = str_copy(arena, core)};
        map_add(&table->keys, arena, made.core);
        VEC_PUSH(arena, &table->cores, made);
        number = table->cores.count - 1;
    }
    return &table->cores.items[number];
}

bool profile_number(Str text, double *value, Str *rest)
{
    enum { LONGEST = 40 };
    char digits[LONGEST + 1];
    Str trimmed = str_trim(text);
    size_t length = trimmed.length < LONGEST ? trimmed.length : LONGEST;
    if (length == 0 || ((trimmed.at[0] < '0' || trimmed.at[0] > '9') && trimmed.at[0] != '.')) {
        return false;
    }
    memcpy(digits, trimmed.at, length);
    digits[length] = '\0';
    char *end = digits;
    *value = strtod(digits, &end);
    *rest = str_trim(str_slice(trimmed, (size_t)(end - digits), trimmed.length));
    return end != digits && isfinite(*value) && *value >= 0 && *value < 1e15;
}
