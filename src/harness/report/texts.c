/* Texts; see texts.h. */
#include "harness/report/texts.h"

bool strs_add(Arena *arena, Strs *list, Str text)
{
    bool is_new = !strs_have(list, text);
    if (is_new) {
        VEC_PUSH(arena, list, text);
    }
    return is_new;
}

Str strs_in_brackets(Arena *arena, const Strs *list)
{
    Buf out = {.arena = arena};
    buf_add_char(&out, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(list->items[i]));
    }
    buf_add_char(&out, ']');
    return buf_str(&out);
}
