/* State file and stage inference. */
#include "operator/state.h"

#include "base/utf8.h"

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

/* --- lines of the keys */

/* Behind the string that begins at `at` (its first quote). */
static size_t string_end(Str text, size_t at)
{
    for (at++; at < text.length && text.at[at] != '"'; at++) {
        at += text.at[at] == '\\';
    }
    return at + 1;
}

/* Line of a key at the top of valid JSON, the last one if it is repeated; 0 without. The parser
 * keeps no places. */
static uint32_t key_line(Str text, const char *key)
{
    uint32_t line = 1, found = 0;
    unsigned depth = 0;
    bool at_key = false;
    for (size_t at = 0; at < text.length;) {
        char c = text.at[at];
        if (c == '"') {
            size_t end = string_end(text, at);
            if (depth == 1 && at_key && str_is(str_slice(text, at + 1, end - 1), key)) {
                found = line;
            }
            at_key = false;
            at = end;
            continue;
        }
        line += c == '\n';
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at_key = at_key || c == '{' || c == ',';
        at++;
    }
    return found;
}

/* --- fields */

static StateKind kind_of(const json_t *value)
{
    if (value == NULL) {
        return STATE_ABSENT;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return STATE_OBJECT;
    case JSON_ARRAY:
        return STATE_ARRAY;
    case JSON_STRING:
        return STATE_STRING;
    case JSON_INTEGER:
    case JSON_REAL:
        return STATE_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return STATE_BOOL;
    default:
        return STATE_NULL;
    }
}

static Str string_copy(Arena *arena, const json_t *value)
{
    Str text = {json_string_value(value), json_string_length(value)};
    return (Str){str_dup(arena, text), text.length};
}

/* A value under a key of any object (or of nothing). */
static StateField field(Arena *arena, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    StateField out = {kind_of(value), STR(""), 0};
    switch (out.kind) {
    case STATE_STRING:
        out.text = string_copy(arena, value);
        break;
    case STATE_NUMBER:
        out.text = json_is_integer(value)
                       ? str_format(arena, "%lld", (long long)json_integer_value(value))
                       : str_format(arena, "%g", json_real_value(value));
        break;
    case STATE_BOOL:
        out.text = json_is_true(value) ? STR("true") : STR("false");
        break;
    default:
        out.text = str_from(state_kind_name(out.kind));
    }
    return out;
}

static void read_fields(OperatorState *state, Arena *arena, const json_t *root)
{
    const json_t *status = json_object_get(root, "stage_status");
    const json_t *phases = json_object_get(root, "stage5_phases");
    const json_t *hashes = json_object_get(root, "artifact_hashes");
    state->name = field(arena, root, "operator_name");
    state->operator_name = state->name.kind == STATE_STRING ? state->name.text : STR("");
    state->current_stage = stage_value(json_object_get(root, "current_stage"));
    state->stage = field(arena, root, "current_stage");
    state->max_stage = field(arena, root, "max_stage");
    state->stage_status = field(arena, root, "stage_status");
    state->stage_5_status = field(arena, status, "5");
    state->phases = field(arena, root, "stage5_phases");
    state->phase_status = field(arena, phases, "phase_status");
    state->active_phase = field(arena, phases, "active_phase");
    state->rollback_history = field(arena, root, "rollback_history");
    state->artifact_hashes = field(arena, root, "artifact_hashes");
    const json_t *retries = json_object_get(root, "stage_retry_count");
    state->stage_5_retries = stage_value(json_object_get(retries, "5"));
    StateField spec_hash = field(arena, hashes, "spec_md");
    state->spec_hash = spec_hash.kind == STATE_STRING ? spec_hash.text : STR("");
}

static void find_lines(OperatorState *state, Str text)
{
    state->name.line = key_line(text, "operator_name");
    state->stage.line = key_line(text, "current_stage");
    state->max_stage.line = key_line(text, "max_stage");
    state->stage_status.line = key_line(text, "stage_status");
    state->phases.line = key_line(text, "stage5_phases");
    state->rollback_history.line = key_line(text, "rollback_history");
    state->artifact_hashes.line = key_line(text, "artifact_hashes");
}

typedef struct Filling {
    OperatorState *state;
    Arena *arena;
    const json_t *root;
} Filling;

static void fill(void *argument)
{
    const Filling *filling = argument;
    read_fields(filling->state, filling->arena, filling->root);
}

OperatorState state_parse(Arena *arena, Str text)
{
    OperatorState state = {.operator_name = STR(""), .json_error = STR(""), .spec_hash = STR("")};
    state.exists = true;
    json_error_t error;
    const char *at = text.at == NULL ? "" : text.at;
    json_t *root = json_loadb(at, text.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (root == NULL) {
        /* The parser quotes the text near the error, and may cut it within a character. */
        Str message = str_from(error.text);
        message = str_slice(message, 0, utf8_first_error(message));
        state.json_error = str_format(arena, "%.*s", STR_ARG(message));
        state.json_line = error.line > 0 ? (uint32_t)error.line : 0;
        state.json_column = error.column > 0 ? (uint32_t)error.column : 1;
        return state;
    }
    state.json_valid = true;
    state.root = kind_of(root);
    state.valid = state.root == STATE_OBJECT;
    if (!state.valid) {
        json_decref(root);
        return state;
    }
    Filling filling = {&state, arena, root};
    bool good = arena_try(arena, fill, &filling);
    json_decref(root);
    if (!good) {
        arena_fail(arena);
    }
    find_lines(&state, text);
    return state;
}

OperatorState state_read(Arena *arena, Str dir)
{
    OperatorState state = {.operator_name = STR(""), .json_error = STR(""), .spec_hash = STR("")};
    Str text, reason = STR("");
    const char *path = path_join(arena, dir, STR(STATE_PATH)).at;
    FileStatus status = file_read(arena, path, STATE_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        return state_parse(arena, text);
    }
    state.exists = file_is_regular(path);
    if (state.exists) {
        state.json_error = status == FILE_TOO_LARGE
                               ? str_format(arena, "larger than %d bytes", STATE_MAX_BYTES)
                               : str_format(arena, "cannot be read: %.*s", STR_ARG(reason));
    }
    return state;
}

const char *state_kind_name(StateKind kind)
{
    static const char *const names[] = {"absent",   "null",   "a boolean", "a number",
                                        "a string", "a list", "an object"};
    return names[kind];
}

const char *state_kind_name_zh(StateKind kind)
{
    static const char *const names[] = {"缺失", "null", "布尔值", "数值", "字符串", "列表", "对象"};
    return names[kind];
}

int phase_parse(Str text)
{
    int phase = 0;
    if (text.length < 2 || text.length > 4 || text.at[0] != 'M' || text.at[1] == '0') {
        return 0;
    }
    for (size_t i = 1; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return 0;
        }
        phase = phase * 10 + (text.at[i] - '0');
    }
    return phase;
}

Str directory_name(Arena *arena, Str dir)
{
    Str real = path_real(arena, dir);
    Str name = path_basename(real.length == 0 ? dir : real);
    return (Str){str_dup(arena, name), name.length};
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
