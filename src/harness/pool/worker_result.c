/* Reads the result of a worker; see worker_result.h. */
#include "harness/pool/worker_result.h"

#include "base/ascii.h"
#include "document/json.h"

#include <math.h>

static const char *const stage_names[] = {
    [STAGE_UNKNOWN] = "unknown", [STAGE_SETUP] = "setup",
    [STAGE_INPUTS] = "inputs",   [STAGE_GOLDEN] = "golden",
    [STAGE_COMPARE] = "compare", [STAGE_IMPLEMENTATION] = "implementation",
    [STAGE_INSPECT] = "inspect", [STAGE_WRAPPER] = "wrapper",
    [STAGE_DONE] = "done",
};

static Stage stage_find(Str name)
{
    for (int i = STAGE_SETUP; i <= STAGE_DONE; i++) {
        if (str_is(name, stage_names[i])) {
            return (Stage)i;
        }
    }
    return STAGE_UNKNOWN;
}

/* Takes the lines `{"at": "golden"}` off the front. An earlier stage after a later one is ignored,
 * because a wrapper that crashes could blame the reference with it. */
static Stage read_progress(Str *text)
{
    const Str begin = STR("{\"at\": \"");
    const Str end = STR("\"}");
    Stage stage = STAGE_UNKNOWN;
    size_t newline;
    while (str_starts(*text, begin) && (newline = str_find(*text, STR("\n"), 0)) != SIZE_MAX) {
        Str line = str_slice(*text, begin.length, newline);
        if (!str_ends(line, end)) {
            break;
        }
        Stage next = stage_find(str_slice(line, 0, line.length - end.length));
        stage = next > stage ? next : stage;
        *text = str_slice(*text, newline + 1, text->length);
    }
    return stage;
}

/* --- values; one of another type counts as missing */

static Str text_of(const json_t *value)
{
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

/* A copy in the arena, cut before a byte that would split a character. */
static Str copy(Arena *arena, Str text, size_t most)
{
    if (text.length > most) {
        while (most > 0 && ((unsigned char)text.at[most] & 0xC0u) == 0x80u) {
            most--;
        }
        text = str_slice(text, 0, most);
    }
    return (Str){str_dup(arena, text), text.length};
}

static Str text_at(Arena *arena, const json_t *object, const char *key)
{
    return copy(arena, text_of(json_object_get(object, key)), RESULT_MOST_TEXT);
}

Metric metric_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    return isfinite(number) ? (Metric){number, true} : (Metric){0.0, false};
}

/* -1 for none. */
static int64_t counted_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

static bool true_at(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static Strs sentences_at(Arena *arena, const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    Strs sentences = {0};
    for (size_t i = 0; i < json_array_size(list) && i < RESULT_MOST_SENTENCES; i++) {
        Str sentence = copy(arena, text_of(json_array_get(list, i)), RESULT_MOST_TEXT);
        if (sentence.length > 0) {
            VEC_PUSH(arena, &sentences, sentence);
        }
    }
    return sentences;
}

static LeafShape shape_at(Arena *arena, const json_t *object, const char *key)
{
    enum { MOST_RANK = 64 };
    const json_t *list = json_object_get(object, key);
    LeafShape shape = {0};
    if (!json_is_array(list) || json_array_size(list) > MOST_RANK) {
        return shape;
    }
    shape.known = true;
    shape.rank = (uint32_t)json_array_size(list);
    shape.extents = ARENA_ARRAY(arena, int64_t, shape.rank + 1);
    for (uint32_t i = 0; i < shape.rank; i++) {
        shape.extents[i] = json_integer_value(json_array_get(list, i));
    }
    return shape;
}

/* --- parts of the result */

static Leaf read_leaf(Arena *arena, const json_t *from)
{
    return (Leaf){
        .name = text_at(arena, from, "name"),
        .structure = text_at(arena, from, "structure"),
        .expected_shape = shape_at(arena, from, "expected_shape"),
        .shape = shape_at(arena, from, "shape"),
        .expected_dtype = text_at(arena, from, "expected_dtype"),
        .dtype = text_at(arena, from, "dtype"),
        .judged = json_is_boolean(json_object_get(from, "all_close")),
        .all_close = true_at(from, "all_close"),
        .max_abs_diff = metric_at(from, "max_abs_diff"),
        .max_rel_diff = metric_at(from, "max_rel_diff"),
        .elements = json_count_at(from, "elements"),
        .out_of_tolerance = json_count_at(from, "out_of_tolerance"),
        .nonfinite = json_count_at(from, "nonfinite"),
        .places = leaf_places_read(arena, json_object_get(from, "where")),
    };
}

static bool read_leaves(Arena *arena, const json_t *root, Leaves *leaves)
{
    const json_t *list = json_object_get(root, "leaves");
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && count <= RESULT_MOST_LEAVES; i++) {
        const json_t *leaf = json_array_get(list, i);
        if (!json_is_object(leaf)) {
            return false;
        }
        VEC_PUSH(arena, leaves, read_leaf(arena, leaf));
    }
    return count <= RESULT_MOST_LEAVES;
}

static bool read_inspection(Arena *arena, const json_t *root, Inspection *inspection)
{
    const json_t *from = json_object_get(root, "inspection");
    const json_t *list = json_object_get(from, "per_iter");
    size_t count = json_array_size(list);
    if (!json_is_object(from)) {
        return true;
    }
    inspection->present = true;
    inspection->name = text_at(arena, from, "name");
    for (size_t i = 0; i < count && count <= RESULT_MOST_STEPS; i++) {
        const json_t *step = json_array_get(list, i);
        if (!json_is_integer(json_object_get(step, "iter"))) {
            return false;
        }
        InspectionStep read = {
            .iter = json_integer_value(json_object_get(step, "iter")),
            .max_abs_diff = metric_at(step, "max_abs_diff"),
            .max_rel_diff = metric_at(step, "max_rel_diff"),
            .all_close = true_at(step, "all_close"),
        };
        VEC_PUSH(arena, &inspection->steps, read);
    }
    return count <= RESULT_MOST_STEPS;
}

/* Is it a name that can be shown as it is? */
static bool is_plain(Str name)
{
    enum { MOST_NAME = 64 };
    bool plain = name.length > 0 && name.length <= MOST_NAME;
    for (size_t i = 0; i < name.length && plain; i++) {
        plain = is_word_char(name.at[i]);
    }
    return plain;
}

/* Facts of another form are left out. */
static InputFacts inputs_at(Arena *arena, const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    InputFacts facts = {0};
    for (size_t i = 0; i < json_array_size(list) && facts.count < RESULT_MOST_INPUTS; i++) {
        const json_t *from = json_array_get(list, i);
        Str name = text_of(json_object_get(from, "name"));
        if (is_plain(name)) {
            InputFact fact = {.name = copy(arena, name, RESULT_MOST_TEXT),
                              .shape = shape_at(arena, from, "shape"),
                              .zero_row = json_is_true(json_object_get(from, "zero_row"))};
            VEC_PUSH(arena, &facts, fact);
        }
    }
    return facts;
}

static void read_error(Arena *arena, const json_t *root, WorkerResult *result)
{
    const json_t *error = json_object_get(root, "error");
    result->type = text_at(arena, error, "type");
    result->message = copy(arena, text_of(json_object_get(error, "message")), SIZE_MAX);
    result->code = text_at(arena, error, "code");
    result->kind = text_at(arena, error, "kind");
    result->raised_at = source_place_read(arena, error);
    result->own = true_at(error, "own");
}

static void read_repeat(Arena *arena, const json_t *root, Repeat *repeat)
{
    const json_t *from = json_object_get(root, "repeat");
    Str status = text_of(json_object_get(from, "status"));
    repeat->status = str_is(status, "passed")        ? REPEAT_PASSED
                     : str_is(status, "failed")      ? REPEAT_FAILED
                     : str_is(status, "not checked") ? REPEAT_NOT_CHECKED
                                                     : REPEAT_UNKNOWN;
    repeat->finding = text_at(arena, from, "finding");
    repeat->why = text_at(arena, from, "why");
}

static void read_environment(Arena *arena, const json_t *root, CaseEnvironment *environment)
{
    const json_t *from = json_object_get(root, "environment");
    *environment = (CaseEnvironment){
        .known = json_is_object(from),
        .python = text_at(arena, from, "python"),
        .torch = text_at(arena, from, "torch"),
        .pypto = text_at(arena, from, "pypto"),
        .torch_npu = text_at(arena, from, "torch_npu"),
        .backend = text_at(arena, from, "backend"),
        .soc = text_at(arena, from, "soc"),
        .profile = text_at(arena, from, "profile"),
        .sim_values = true_at(from, "sim_values"),
    };
}

static ResultEnd end_of(const json_t *root)
{
    static const struct {
        const char *name;
        ResultEnd end;
    } ends[] = {
        {"compared", RESULT_COMPARED},
        {"raised", RESULT_RAISED},
        {"contract", RESULT_CONTRACT},
        {"unavailable", RESULT_UNAVAILABLE},
    };
    Str name = text_of(json_object_get(root, "end"));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_is(name, ends[i].name)) {
            return ends[i].end;
        }
    }
    return RESULT_BROKEN;
}

static void read_tree(Arena *arena, const json_t *root, WorkerResult *result)
{
    result->end = end_of(root);
    if (result->end == RESULT_BROKEN) {
        return;
    }
    Stage stage = stage_find(text_of(json_object_get(root, "stage")));
    result->stage = stage == STAGE_UNKNOWN ? result->stage : stage;
    const json_t *seconds = json_object_get(root, "seconds");
    read_error(arena, root, result);
    read_environment(arena, root, &result->environment);
    provenance_read(arena, root, &result->provenance);
    read_repeat(arena, root, &result->repeat);
    blame_read(arena, json_object_get(root, "blame"), &result->blame);
    result->inputs = inputs_at(arena, root, "inputs");
    result->launches = counted_at(root, "launches");
    result->ops = counted_at(root, "ops");
    result->exact = true_at(root, "exact");
    result->modified_inputs = sentences_at(arena, root, "modified_inputs");
    result->imported_references = sentences_at(arena, root, "imported_references");
    result->golden_differs = json_is_false(json_object_get(root, "golden_deterministic"));
    result->warnings = sentences_at(arena, root, "warnings");
    result->findings = sim_findings_read(arena, json_object_get(root, "findings"));
    result->seconds = (CaseSeconds){
        .inputs = metric_at(seconds, "inputs"),
        .golden = metric_at(seconds, "golden"),
        .wrapper = metric_at(seconds, "wrapper"),
        .compare = metric_at(seconds, "compare"),
    };
    if (!read_leaves(arena, root, &result->leaves) ||
        !read_inspection(arena, root, &result->inspection)) {
        result->end = RESULT_BROKEN;
    }
}

typedef struct Reading {
    Arena *arena;
    const json_t *root;
    WorkerResult *result;
} Reading;

static void read_all(void *argument)
{
    const Reading *reading = argument;
    read_tree(reading->arena, reading->root, reading->result);
}

void worker_result_read(Arena *arena, Str text, WorkerResult *result)
{
    *result = (WorkerResult){.end = RESULT_NONE, .launches = -1, .ops = -1};
    result->stage = read_progress(&text);
    text = str_trim(text);
    if (text.length == 0) {
        return;
    }
    result->end = RESULT_BROKEN;
    json_t *root = json_read_lenient(arena, text);
    Reading reading = {arena, root, result};
    json_take(arena, root, read_all, &reading);
}

void largest_add(Largest *largest, Metric metric, uint64_t nonfinite)
{
    largest->lost = largest->lost || (!metric.known && nonfinite > 0);
    if (largest->lost) {
        largest->metric = (Metric){0.0, false};
    } else if (metric.known && !(largest->metric.known && largest->metric.value >= metric.value)) {
        largest->metric = metric;
    }
}

Str worker_result_document(Str text)
{
    size_t newline;
    while (str_starts(text, STR("{\"at\":")) &&
           (newline = str_find(text, STR("\n"), 0)) != SIZE_MAX) {
        text = str_slice(text, newline + 1, text.length);
    }
    return str_trim(text);
}
