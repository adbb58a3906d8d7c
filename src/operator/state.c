/* State file and stage inference. */
#include "operator/state.h"

#include "base/ascii.h"
#include "base/fence.h"
#include "base/utf8.h"
#include "document/json_reader.h"
#include "operator/value.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { STATE_MAX_BYTES = 4 * 1024 * 1024 };

enum { MAX_SHOWN_NUMBER = 40, LAST_STAGE = 7, MAX_DEPTH = 1000 /* as Python, about */ };

static int int_or_zero(double stage)
{
    return stage >= INT_MIN && stage <= INT_MAX ? (int)stage : 0;
}

/* Integers as they are, reals truncated, decimal text converted, booleans 1 and 0; else 0. */
static int stage_value(Arena *arena, const StateField *field)
{
    int64_t whole = 0;
    switch (field->kind) {
    case STATE_NUMBER:
        return int_or_zero(strtod(str_dup(arena, field->text), NULL));
    case STATE_STRING:
        return text_to_int(field->text, &whole) ? int_or_zero((double)whole) : 0;
    case STATE_BOOL:
        return str_is(field->text, "true");
    default:
        return 0;
    }
}

/* The text of a field as messages show it. */
static void shorten_text(Arena *arena, StateField *field)
{
    if (field->kind == STATE_NUMBER && field->text.length > MAX_SHOWN_NUMBER) {
        field->text = str_format(arena, "%.*s…", MAX_SHOWN_NUMBER, field->text.at);
    } else if (field->kind != STATE_STRING && field->text.length == 0) {
        field->text = str_from(state_kind_name(field->kind));
    }
}

typedef struct Place {
    uint32_t line; /* from 1 */
    size_t start;  /* of the line */
    size_t at;
} Place;

/* Moves on to an offset; LF, CR LF and CR end a line. */
static void move_to(Place *place, Str text, size_t offset)
{
    for (; place->at < offset; place->at++) {
        char c = text.at[place->at];
        bool pair = c == '\r' && place->at + 1 < text.length && text.at[place->at + 1] == '\n';
        if (c == '\n' || (c == '\r' && !pair)) {
            place->line++;
            place->start = place->at + 1;
        }
    }
}

static StateKind kind_of(JsonToken token)
{
    static const StateKind kinds[] = {
        [JSON_TOKEN_NULL] = STATE_NULL,     [JSON_TOKEN_BOOL] = STATE_BOOL,
        [JSON_TOKEN_NUMBER] = STATE_NUMBER, [JSON_TOKEN_WORD] = STATE_NUMBER,
        [JSON_TOKEN_STRING] = STATE_STRING, [JSON_TOKEN_ARRAY] = STATE_ARRAY,
        [JSON_TOKEN_OBJECT] = STATE_OBJECT, [JSON_TOKEN_CLOSE] = STATE_ABSENT};
    return kinds[token];
}

static StateField read_field(Arena *arena, const JsonReader *reader, uint32_t line)
{
    StateKind kind = kind_of(reader->token);
    Str text = reader->value;
    if (kind == STATE_STRING) {
        text = json_decode(arena, str_slice(text, 1, text.length - 1));
    }
    return (StateField){kind, line, kind >= STATE_ARRAY ? STR("") : text};
}

/* Grants the wishes that this value fulfils. A key at the top takes the place of an earlier one and
 * of all that was below it. `below` is the key at the top, NULL when this one is. */
static void grant(const StateWish *wishes, size_t count, const Str *below, Str key,
                  StateField field)
{
    for (size_t i = 0; i < count; i++) {
        const StateWish *wish = &wishes[i];
        bool same_level = (wish->below == NULL) == (below == NULL);
        if (below == NULL && wish->below != NULL && str_is(key, wish->below)) {
            *wish->field = (StateField){STATE_ABSENT, 0, STR("")};
        } else if (same_level && str_is(key, wish->key) &&
                   (below == NULL || str_is(*below, wish->below))) {
            *wish->field = field;
        }
    }
}

/* Fills the fields and returns the kind of the top: JSON as Python's json module reads it, of any
 * size, and the last of repeated keys counts. STATE_ABSENT with an error, which `place` is moved
 * to. */
static StateKind read_json(Arena *arena, Str text, const StateWish *wishes, size_t count,
                           Place *place, const char **error)
{
    JsonReader reader;
    StateKind root = STATE_ABSENT;
    Str top = STR("");
    json_begin(&reader, text, JSON_OF_PYTHON, MAX_DEPTH);
    while (json_next(&reader)) {
        StateKind kind = kind_of(reader.token);
        uint32_t around = reader.depth - (kind >= STATE_ARRAY);
        root = root == STATE_ABSENT ? kind : root;
        if (reader.key.at == NULL || around > 2 || (around == 2 && root != STATE_OBJECT)) {
            continue;
        }
        Str key = json_decode(arena, reader.key);
        if (around == 1) {
            move_to(place, text, (size_t)(reader.key.at - text.at) - 1);
            top = key;
        }
        grant(wishes, count, around == 1 ? NULL : &top, key,
              read_field(arena, &reader, around == 1 ? place->line : 0));
    }
    move_to(place, text, reader.at);
    *error = reader.error;
    for (size_t i = 0; reader.error != NULL && i < count; i++) {
        *wishes[i].field = (StateField){STATE_ABSENT, 0, STR("")};
    }
    return reader.error == NULL ? root : STATE_ABSENT;
}

StateKind state_fields(Arena *arena, Str text, const StateWish *wishes, size_t count,
                       StateFault *fault)
{
    Place place = {.line = 1};
    for (size_t i = 0; i < count; i++) {
        *wishes[i].field = (StateField){STATE_ABSENT, 0, STR("")};
    }
    StateKind root = read_json(arena, text, wishes, count, &place, &fault->error);
    fault->line = place.line;
    fault->column = (uint32_t)utf8_count(str_slice(text, place.start, place.at)) + 1;
    return root;
}

OperatorState state_parse(Arena *arena, Str text)
{
    OperatorState state = {.operator_name = STR(""), .json_error = STR(""), .spec_hash = STR("")};
    StateField retries, spec_hash;
    const StateWish wishes[] = {{NULL, "operator_name", &state.name},
                                {NULL, "current_stage", &state.stage},
                                {NULL, "max_stage", &state.max_stage},
                                {NULL, "stage_status", &state.stage_status},
                                {"stage_status", "5", &state.stage_5_status},
                                {NULL, "stage5_phases", &state.phases},
                                {"stage5_phases", "phase_status", &state.phase_status},
                                {"stage5_phases", "active_phase", &state.active_phase},
                                {NULL, "stage7_tuning_mode", &state.tuning_mode},
                                {NULL, "rollback_history", &state.rollback_history},
                                {NULL, "artifact_hashes", &state.artifact_hashes},
                                {"artifact_hashes", "spec_md", &spec_hash},
                                {"stage_retry_count", "5", &retries}};
    enum { WISHES = sizeof wishes / sizeof *wishes };
    StateFault fault;
    state.exists = true;
    state.root = state_fields(arena, text, wishes, WISHES, &fault);
    state.json_valid = fault.error == NULL;
    state.valid = state.root == STATE_OBJECT;
    if (!state.json_valid) {
        state.json_error = str_from(fault.error);
        state.json_line = fault.line;
        state.json_column = fault.column;
        return state;
    }
    state.operator_name = state.name.kind == STATE_STRING ? state.name.text : STR("");
    state.spec_hash = spec_hash.kind == STATE_STRING ? spec_hash.text : STR("");
    state.current_stage = stage_value(arena, &state.stage);
    state.stage_5_retries = stage_value(arena, &retries);
    for (size_t i = 0; i < WISHES; i++) {
        shorten_text(arena, wishes[i].field);
    }
    return state;
}

OperatorState state_read(Arena *arena, Str dir)
{
    OperatorState state = {.operator_name = STR(""), .json_error = STR(""), .spec_hash = STR("")};
    Str text, reason = STR("");
    const char *path = path_join(arena, dir, STR(STATE_PATH)).at;
    Str fence = fence_of(arena, dir);
    FileStatus status = fence_read(arena, fence, path, STATE_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        state = state_parse(arena, text);
        state.text = text;
        return state;
    }
    /* A link that leads out of the project counts as a file that cannot be read. */
    state.exists = file_is_regular(path) || fence_is_crossed(fence, path);
    struct stat info;
    state.in_the_way = !state.exists && file_lstat(path, &info);
    if (state.exists) {
        state.json_error = status == FILE_TOO_LARGE
                               ? str_format(arena, "larger than %d bytes", STATE_MAX_BYTES)
                               : str_format(arena, "cannot be read: %.*s", STR_ARG(reason));
    }
    return state;
}

const OperatorState *operator_state(Operator *op)
{
    if (op->state == NULL) {
        OperatorState *state = ARENA_NEW(op->arena, OperatorState);
        *state = state_read(op->arena, op->dir);
        op->state = state;
    }
    return op->state;
}

static StateError stage_error(Arena *arena, const OperatorState *state)
{
    const StateField *stage = &state->stage;
    if (stage->kind == STATE_ABSENT) {
        return (StateError){STR("it has no current_stage (expected: a number from 1 to 7)"),
                            STR("缺少 current_stage（应为 1 到 7 的数）")};
    }
    Str shown = stage->text;
    if (stage->kind == STATE_STRING) {
        shown = str_slice(shown, 0, MAX_SHOWN_NUMBER);
        shown = str_format(arena, "\"%.*s\"", STR_ARG(shown));
    }
    return (StateError){
        str_format(arena, "its current_stage is %.*s (expected: a number from 1 to 7)",
                   STR_ARG(shown)),
        str_format(arena, "current_stage 是 %.*s（应为 1 到 7 的数）", STR_ARG(shown))};
}

StateError state_error(Arena *arena, const OperatorState *state)
{
    if (state->in_the_way) {
        return (StateError){STR("it is not a regular file"), STR("不是普通文件")};
    }
    if (!state->exists) {
        return (StateError){STR(""), STR("")};
    }
    if (!state->json_valid && state->json_line == 0) {
        return (StateError){state->json_error, state->json_error};
    }
    if (!state->json_valid) {
        Str error = state->json_error;
        return (StateError){str_format(arena, "it is not JSON: line %u, column %u: %.*s",
                                       state->json_line, state->json_column, STR_ARG(error)),
                            str_format(arena, "不是 JSON：第 %u 行第 %u 列：%.*s", state->json_line,
                                       state->json_column, STR_ARG(error))};
    }
    if (!state->valid) {
        return (StateError){
            str_format(arena, "it holds %s (expected: a JSON object)",
                       state_kind_name(state->root)),
            str_format(arena, "内容是%s（应为 JSON 对象）", state_kind_name_zh(state->root))};
    }
    if (state->current_stage < 1 || state->current_stage > LAST_STAGE) {
        return stage_error(arena, state);
    }
    return (StateError){STR(""), STR("")};
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
    if (text.length < 2 || text.at[0] != 'M' || text.at[1] == '0') {
        return 0;
    }
    for (size_t i = 1; i < text.length; i++) {
        if (!is_digit(text.at[i])) {
            return 0;
        }
        phase = phase < PHASE_MAX / 10 ? phase * 10 + (text.at[i] - '0') : PHASE_MAX;
    }
    return phase;
}

Str directory_name(Arena *arena, Str dir)
{
    Str real = path_real(arena, dir);
    Str name = path_basename(real.length == 0 ? dir : real);
    return str_copy(arena, name);
}

static bool has(Arena *arena, Str dir, Str name)
{
    return file_is_regular(path_join(arena, dir, name).at);
}

int stage_from_artifacts(Arena *arena, Str dir, Str name)
{
    Str impl = artifact_file(arena, KIND_IMPL, name);
    Str test = artifact_file(arena, KIND_TEST, name);
    Str golden = artifact_file(arena, KIND_GOLDEN, name);
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
    static const int stages[] = {[KIND_NONE] = 0, [KIND_IMPL] = 5, [KIND_GOLDEN] = 3,
                                 [KIND_TEST] = 5, [KIND_SPEC] = 1, [KIND_DESIGN] = 4};
    if (str_is(basename, "API_REPORT.md")) {
        return 2;
    }
    return stages[file_kind(basename)];
}
