/* State file and stage inference. */
#include "operator/state.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>

enum { STATE_MAX_BYTES = 4 * 1024 * 1024 };

/* Integers as they are, reals truncated, decimal text converted, booleans 1 and 0; else 0. */
static int stage_value(const json_t *value)
{
    if (json_is_integer(value)) {
        json_int_t stage = json_integer_value(value);
        return stage > INT_MAX || stage < INT_MIN ? 0 : (int)stage;
    }
    if (json_is_real(value)) {
        double stage = json_real_value(value);
        return stage > INT_MAX || stage < INT_MIN ? 0 : (int)stage;
    }
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        char *end;
        long stage = strtol(text, &end, 10);
        while (*end == ' ' || (*end >= '\t' && *end <= '\r')) {
            end++;
        }
        return *end != '\0' || end == text || stage > INT_MAX || stage < INT_MIN ? 0 : (int)stage;
    }
    return json_is_true(value) ? 1 : 0;
}

OperatorState state_read(Arena *arena, Str dir)
{
    OperatorState state = {.operator_name = STR("")};
    Str text;
    const char *path = path_join(arena, dir, STR(".orchestrator_state.json")).at;
    FileStatus status = file_read(arena, path, STATE_MAX_BYTES, &text, NULL);
    state.exists = status == FILE_OK || file_is_regular(path);
    if (status != FILE_OK) {
        return state;
    }
    json_t *root = json_loadb(text.at, text.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    state.valid = json_is_object(root);
    if (state.valid) {
        const json_t *name = json_object_get(root, "operator_name");
        if (json_is_string(name)) {
            Str value = {json_string_value(name), json_string_length(name)};
            state.operator_name = (Str){str_dup(arena, value), value.length};
        }
        state.current_stage = stage_value(json_object_get(root, "current_stage"));
    }
    json_decref(root);
    return state;
}

Str directory_name(Arena *arena, Str dir)
{
    char *real = realpath(str_dup(arena, dir), NULL);
    Str name = real == NULL ? path_basename(dir) : path_basename(str_from(real));
    name = (Str){str_dup(arena, name), name.length};
    free(real);
    return name;
}

static bool has(Arena *arena, Str dir, Str name)
{
    return file_is_regular(path_join(arena, dir, name).at);
}

int stage_from_artifacts(Arena *arena, Str dir, Str name)
{
    Str impl = str_format(arena, "%.*s_impl.py", STR_ARG(name));
    Str test = str_format(arena, "test_%.*s.py", STR_ARG(name));
    Str golden = str_format(arena, "%.*s_golden.py", STR_ARG(name));
    int built = has(arena, dir, impl) + has(arena, dir, test) + has(arena, dir, STR("README.md"));
    if (built >= 2) {
        return 5;
    }
    if (has(arena, dir, STR("DESIGN.md")) || has(arena, dir, golden)) {
        return 4;
    }
    if (has(arena, dir, STR("API_REPORT.md"))) {
        return 3;
    }
    return has(arena, dir, STR("SPEC.md")) ? 2 : 0;
}

int stage_from_file(Str basename)
{
    if (str_is(basename, "SPEC.md")) {
        return 1;
    }
    if (str_is(basename, "API_REPORT.md")) {
        return 2;
    }
    if (str_is(basename, "DESIGN.md")) {
        return 4;
    }
    if (str_ends(basename, STR("_golden.py"))) {
        return 3;
    }
    bool test = str_starts(basename, STR("test_")) && str_ends(basename, STR(".py"));
    return test || str_ends(basename, STR("_impl.py")) ? 5 : 0;
}
