/* Phases; see phase.h. */
#include "harness/plan/phase.h"

bool phase_read(Str text, uint32_t *module)
{
    size_t start = text.length > 0 && (text.at[0] == 'M' || text.at[0] == 'm') ? 1 : 0;
    uint32_t number = 0;
    for (size_t i = start; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        number = number * 10 + (uint32_t)(text.at[i] - '0');
        if (number > PHASE_MOST_MODULES) {
            return false;
        }
    }
    *module = number;
    return number > 0;
}

Str phase_file(Arena *arena, Str op_dir, Str op_name, Str suffix, FileKind kind)
{
    return str_format(arena, "%.*s/%.*s", STR_ARG(op_dir),
                      STR_ARG(artifact_module(arena, kind, op_name, suffix)));
}
