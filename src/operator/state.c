/* State file and stage inference. */
#include "operator/state.h"

#include "base/fence.h"
#include "base/utf8.h"
#include "operator/state_json.h"
#include "operator/value.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { STATE_MAX_BYTES = 4 * 1024 * 1024 };

enum { MAX_SHOWN_NUMBER = 40, LAST_STAGE = 7 };

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

/* Line and column (in characters) of an offset, from 1. */
static void find_place(OperatorState *state, Str text, size_t offset)
{
    size_t start = 0;
    state->json_line = 1;
    for (size_t at = 0; at < offset; at++) {
        bool pair = text.at[at] == '\r' && at + 1 < text.length && text.at[at + 1] == '\n';
        if (text.at[at] == '\n' || (text.at[at] == '\r' && !pair)) {
            state->json_line++;
            start = at + 1;
        }
    }
    state->json_column = (uint32_t)utf8_count(str_slice(text, start, offset)) + 1;
}

OperatorState state_parse(Arena *arena, Str text)
{
    OperatorState state = {.operator_name = STR(""), .json_error = STR(""), .spec_hash = STR("")};
    StateField retries, spec_hash;
    const StateWish wishes[] = {{"operator_name", NULL, &state.name},
                                {"current_stage", NULL, &state.stage},
                                {"max_stage", NULL, &state.max_stage},
                                {"stage_status", NULL, &state.stage_status},
                                {"stage_status", "5", &state.stage_5_status},
                                {"stage5_phases", NULL, &state.phases},
                                {"stage5_phases", "phase_status", &state.phase_status},
                                {"stage5_phases", "active_phase", &state.active_phase},
                                {"rollback_history", NULL, &state.rollback_history},
                                {"artifact_hashes", NULL, &state.artifact_hashes},
                                {"artifact_hashes", "spec_md", &spec_hash},
                                {"stage_retry_count", "5", &retries}};
    enum { WISHES = sizeof wishes / sizeof *wishes };
    for (size_t i = 0; i < WISHES; i++) {
        *wishes[i].field = (StateField){STATE_ABSENT, 0, STR("")};
    }
    StateJsonError error;
    state.exists = true;
    state.root = state_json_read(arena, text, wishes, WISHES, &error);
    state.json_valid = error.message == NULL;
    state.valid = state.root == STATE_OBJECT;
    if (!state.json_valid) {
        state.json_error = str_from(error.message);
        find_place(&state, text, error.at);
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
    FileStatus status =
        fence_read(arena, fence_of(arena, dir), path, STATE_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        return state_parse(arena, text);
    }
    /* A link out of the project has something behind it that is not ours to read. */
    state.exists = file_is_regular(path) || fence_is_crossed(fence_of(arena, dir), path);
    struct stat info;
    state.in_the_way = !state.exists && file_lstat(path, &info);
    if (state.exists) {
        state.json_error = status == FILE_TOO_LARGE
                               ? str_format(arena, "larger than %d bytes", STATE_MAX_BYTES)
                               : str_format(arena, "cannot be read: %.*s", STR_ARG(reason));
    }
    return state;
}

static StateTrouble trouble_with_stage(Arena *arena, const OperatorState *state)
{
    const StateField *stage = &state->stage;
    if (stage->kind == STATE_ABSENT) {
        return (StateTrouble){STR("it has no current_stage (expected: a number from 1 to 7)"),
                              STR("缺少 current_stage（应为 1 到 7 的数）")};
    }
    Str shown = stage->text;
    if (stage->kind == STATE_STRING) {
        shown = str_slice(shown, 0, MAX_SHOWN_NUMBER);
        shown = str_format(arena, "\"%.*s\"", STR_ARG(shown));
    }
    return (StateTrouble){
        str_format(arena, "its current_stage is %.*s (expected: a number from 1 to 7)",
                   STR_ARG(shown)),
        str_format(arena, "current_stage 是 %.*s（应为 1 到 7 的数）", STR_ARG(shown))};
}

StateTrouble state_trouble(Arena *arena, const OperatorState *state)
{
    if (state->in_the_way) {
        return (StateTrouble){STR("it is not a regular file"), STR("不是普通文件")};
    }
    if (!state->exists) {
        return (StateTrouble){STR(""), STR("")};
    }
    if (!state->json_valid && state->json_line == 0) {
        return (StateTrouble){state->json_error, state->json_error};
    }
    if (!state->json_valid) {
        Str error = state->json_error;
        return (StateTrouble){str_format(arena, "it is not JSON: line %u, column %u: %.*s",
                                         state->json_line, state->json_column, STR_ARG(error)),
                              str_format(arena, "不是 JSON：第 %u 行第 %u 列：%.*s",
                                         state->json_line, state->json_column, STR_ARG(error))};
    }
    if (!state->valid) {
        return (StateTrouble){
            str_format(arena, "it holds %s (expected: a JSON object)",
                       state_kind_name(state->root)),
            str_format(arena, "内容是%s（应为 JSON 对象）", state_kind_name_zh(state->root))};
    }
    if (state->current_stage < 1 || state->current_stage > LAST_STAGE) {
        return trouble_with_stage(arena, state);
    }
    return (StateTrouble){STR(""), STR("")};
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
        if (text.at[i] < '0' || text.at[i] > '9') {
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
