/* Findings of the simulator; see sim_findings.h. */
#include "harness/judge/sim_findings.h"

#include "base/ascii.h"
#include "harness/judge/advice_table.h"

enum { MOST_PATH = 200, CODE_LENGTH = 6 };

/* They do not affect values: time, capacity, style. */
static const char *const notes[] = {
    "alignment",     "bias-table", "cube-capacity", "fixpipe-buffer", "many-tiles",
    "never-written", "no-dump",    "recompiles",    "unknown-option",
};

static bool is_path_character(char c)
{
    return is_word_char(c) || c == '-' || c == '.' || c == '/';
}

static Str text_of(const json_t *value)
{
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

SourcePlace source_place_read(Arena *arena, const json_t *object)
{
    Str file = text_of(json_object_get(object, "file"));
    json_int_t line = json_integer_value(json_object_get(object, "line"));
    bool sound = file.length > 0 && file.length <= MOST_PATH && line > 0 && line < INT32_MAX;
    for (size_t i = 0; i < file.length && sound; i++) {
        sound = is_path_character(file.at[i]);
    }
    return sound ? (SourcePlace){str_from(str_dup(arena, file)), (uint32_t)line}
                 : (SourcePlace){STR(""), 0};
}

Str source_place_text(Arena *arena, SourcePlace place)
{
    return place.line == 0 ? STR("")
                           : str_format(arena, "%.*s:%u", STR_ARG(place.file), place.line);
}

/* "FC1001", or nothing. */
static Str read_code(Arena *arena, Str code)
{
    bool sound = code.length == CODE_LENGTH && code.at[0] == 'F';
    for (size_t i = 0; i < code.length && sound; i++) {
        sound = is_digit(code.at[i]) || (code.at[i] >= 'A' && code.at[i] <= 'F');
    }
    return sound ? str_from(str_dup(arena, code)) : STR("");
}

SimFindings sim_findings_read(Arena *arena, const json_t *list)
{
    SimFindings findings = {0};
    for (size_t i = 0; i < json_array_size(list) && i < FINDINGS_MOST; i++) {
        const json_t *from = json_array_get(list, i);
        const AdviceRow *row = advice_row(ADVICE_FINDING, text_of(json_object_get(from, "id")));
        json_int_t count = json_integer_value(json_object_get(from, "count"));
        if (row == NULL) {
            continue;
        }
        Str id = str_from(row->name);
        SimFinding finding = {.id = id,
                              .code = read_code(arena, text_of(json_object_get(from, "code"))),
                              .is_note = STR_IS_ANY(id, notes),
                              .place = source_place_read(arena, from),
                              .count = count > 0 && count < INT32_MAX ? (uint32_t)count : 1};
        VEC_PUSH(arena, &findings, finding);
    }
    return findings;
}

void sim_findings_merge(Arena *arena, FindingSum *sum, const SimFindings *job)
{
    sum->jobs++;
    for (uint32_t i = 0; i < job->count; i++) {
        SimFinding finding = job->items[i];
        Str key = str_format(arena, "%.*s %u %.*s", STR_ARG(finding.id), finding.place.line,
                             STR_ARG(finding.place.file));
        uint32_t number = map_find(&sum->keys, key);
        if (number == MAP_NONE) {
            number = map_add(&sum->keys, arena, key);
            finding.count = 0;
            VEC_PUSH(arena, &sum->findings, finding);
            VEC_PUSH(arena, &sum->last, 0);
        }
        sum->findings.items[number].count += sum->last.items[number] < sum->jobs ? 1 : 0;
        sum->last.items[number] = sum->jobs;
    }
}

Str sim_finding_text(Arena *arena, const SimFinding *finding, Lang lang)
{
    Buf out = {.arena = arena};
    Str place = source_place_text(arena, finding->place);
    const AdviceRow *row = advice_row(ADVICE_FINDING, finding->id);
    if (place.length > 0) {
        buf_addf(&out, "%.*s: ", STR_ARG(place));
    }
    if (finding->code.length > 0) {
        buf_addf(&out, "%.*s ", STR_ARG(finding->code));
    }
    buf_addf(&out, "%s [%.*s]", text_in(lang, row->words), STR_ARG(finding->id));
    return buf_str(&out);
}

json_t *sim_finding_json(JsonTree *tree, const SimFinding *finding, const char *mode)
{
    bool known = finding->place.line > 0;
    Str words = sim_finding_text(tree->arena, finding, LANG_EN);
    json_t *object = json_object();
    json_put(tree, object, "mode", json_string(mode));
    json_put(tree, object, "warning", json_text(words));
    json_put(tree, object, "id", json_text(finding->id));
    json_put(tree, object, "code", json_text_or_null(finding->code));
    json_put(tree, object, "count", json_integer((json_int_t)finding->count));
    json_put(tree, object, "level", json_string(finding->is_note ? "note" : "warning"));
    json_put(tree, object, "file", known ? json_text(finding->place.file) : json_null());
    json_put(tree, object, "line", known ? json_integer(finding->place.line) : json_null());
    return object;
}
