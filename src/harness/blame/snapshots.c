/* Reads the result of watching a kernel and writes it as JSON; see snapshots.h. */
#include "harness/blame/snapshots.h"

enum { MOST_DRIFTS = 64, MOST_STEPS = 20000 };

static const char *const pattern_names[DRIFT_PATTERN_COUNT] = {
    [DRIFT_NONE] = "none",   [DRIFT_ALL] = "all",   [DRIFT_FROM] = "from",
    [DRIFT_FIRST] = "first", [DRIFT_LAST] = "last", [DRIFT_SOME] = "some",
};

static const char *drift_pattern_name(DriftPattern pattern)
{
    return pattern_names[pattern];
}

/* --- reading */

typedef struct Reading {
    Arena *arena;
    const json_t *root;
    Bisection *made;
    bool good;
} Reading;

/* Empty for null and for a text too long to be a name or a sentence. */
static Str text_at(Reading *reading, const json_t *object, const char *key)
{
    Str text;
    bool good = json_text_at(reading->arena, object, key, &text);
    return good && text.length <= RESULT_MOST_TEXT ? text : STR("");
}

static bool true_at(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* An unknown pattern still means that something differs. */
static DriftPattern pattern_at(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "pattern"));
    for (DriftPattern i = DRIFT_NONE; name != NULL && i < DRIFT_PATTERN_COUNT; i++) {
        if (strcmp(name, pattern_names[i]) == 0) {
            return i;
        }
    }
    return name == NULL ? DRIFT_NONE : DRIFT_SOME;
}

static void read_steps(Reading *reading, const json_t *list, Drift *drift)
{
    for (size_t i = 0; i < json_array_size(list) && i < MOST_STEPS; i++) {
        const json_t *from = json_array_get(list, i);
        DriftStep step = {.iter = json_integer_value(json_object_get(from, "iter")),
                          .relative_error = metric_at(from, "relative_error"),
                          .out_of_tolerance = json_count_at(from, "out_of_tolerance"),
                          .elements = json_count_at(from, "elements"),
                          .nonfinite = json_count_at(from, "nonfinite"),
                          .all_close = true_at(from, "all_close")};
        VEC_PUSH(reading->arena, &drift->steps, step);
    }
}

static void read_drift(Reading *reading, const json_t *from)
{
    Bisection *made = reading->made;
    Drift drift = {.name = text_at(reading, from, "name"),
                   .expression = text_at(reading, from, "expression"),
                   .dtype = text_at(reading, from, "dtype"),
                   .why = text_at(reading, from, "why"),
                   .line = json_count_at(from, "line"),
                   .iterations = json_count_at(from, "iterations"),
                   .pattern = pattern_at(from),
                   .onset = json_integer_value(json_object_get(from, "onset_iter")),
                   .carried = true_at(from, "carried"),
                   .handed_on = true_at(from, "loop_carried"),
                   .handing_known = json_is_boolean(json_object_get(from, "loop_carried")),
                   .grows = true_at(from, "grows"),
                   .worst = metric_at(from, "worst")};
    read_steps(reading, json_object_get(from, "steps"), &drift);
    if (drift.why.length == 0 && drift.steps.count == 0) {
        drift.why = STR("the worker does not say what it compared");
    }
    made->not_compared += drift.why.length > 0;
    made->drifting += drift.why.length == 0 && drift.pattern != DRIFT_NONE;
    VEC_PUSH(reading->arena, &made->drifts, drift);
}

static void read_all(void *argument)
{
    Reading *reading = argument;
    Bisection *made = reading->made;
    const json_t *drifts = json_object_get(reading->root, "watches");
    const json_t *proposed = json_object_get(reading->root, "proposed");
    const json_t *first = json_object_get(reading->root, "first");
    made->axis = text_at(reading, reading->root, "axis");
    for (size_t i = 0; i < json_array_size(drifts) && i < MOST_DRIFTS; i++) {
        read_drift(reading, json_array_get(drifts, i));
    }
    for (size_t i = 0; i < json_array_size(proposed) && i < MOST_DRIFTS; i++) {
        const json_t *from = json_array_get(proposed, i);
        Proposal proposal = {text_at(reading, from, "name"), json_count_at(from, "line")};
        VEC_PUSH(reading->arena, &made->proposed, proposal);
    }
    json_int_t number = json_is_integer(first) ? json_integer_value(first) : -1;
    if (number >= 0 && number < made->drifts.count) {
        made->first = &made->drifts.items[number];
    }
    reading->good = (json_is_array(drifts) && made->drifts.count > 0) || json_is_array(proposed);
}

bool bisection_read(Arena *arena, Str result, Bisection *bisection)
{
    *bisection = (Bisection){.axis = STR("")};
    json_t *root = json_read_lenient(arena, worker_result_document(result));
    Reading reading = {.arena = arena, .root = json_object_get(root, "bisect"), .made = bisection};
    json_take(arena, root, read_all, &reading);
    return reading.good && (bisection->drifting == 0) == (bisection->first == NULL);
}

/* --- JSON */

static json_t *number(Metric metric)
{
    return metric.known ? json_real(metric.value) : json_null();
}

static json_t *step_json(JsonTree *tree, const DriftStep *step)
{
    json_t *object = json_object();
    json_put(tree, object, "iter", json_integer(step->iter));
    json_put(tree, object, "relative_error", number(step->relative_error));
    json_put(tree, object, "out_of_tolerance", json_integer((json_int_t)step->out_of_tolerance));
    json_put(tree, object, "elements", json_integer((json_int_t)step->elements));
    json_put(tree, object, "nonfinite", json_integer((json_int_t)step->nonfinite));
    json_put(tree, object, "all_close", json_boolean(step->all_close));
    return object;
}

static json_t *drift_json(JsonTree *tree, const Drift *drift)
{
    json_t *object = json_object(), *steps = json_array();
    bool drifts = drift->why.length == 0 && drift->pattern != DRIFT_NONE;
    for (uint32_t i = 0; i < drift->steps.count; i++) {
        json_append(tree, steps, step_json(tree, &drift->steps.items[i]));
    }
    json_put(tree, object, "name", json_text(drift->name));
    json_put(tree, object, "expression", json_text(drift->expression));
    json_put(tree, object, "line", json_integer((json_int_t)drift->line));
    json_put(tree, object, "dtype", json_text_or_null(drift->dtype));
    json_put(tree, object, "compared", json_boolean(drift->why.length == 0));
    json_put(tree, object, "why_not", json_text_or_null(drift->why));
    json_put(tree, object, "iterations", json_integer((json_int_t)drift->iterations));
    json_put(tree, object, "drift_onset_iter", drifts ? json_integer(drift->onset) : json_null());
    json_put(tree, object, "pattern",
             drifts ? json_string(drift_pattern_name(drift->pattern)) : json_null());
    json_put(tree, object, "kept_over_iterations", json_boolean(drift->carried));
    json_put(tree, object, "loop_carried",
             drift->handing_known ? json_boolean(drift->handed_on) : json_null());
    json_put(tree, object, "grows", json_boolean(drift->grows));
    json_put(tree, object, "worst_relative_error", number(drift->worst));
    json_put(tree, object, "per_iter", steps);
    return object;
}

json_t *bisection_json(JsonTree *tree, const Bisection *bisection)
{
    json_t *object = json_object(), *list = json_array();
    for (uint32_t i = 0; i < bisection->drifts.count; i++) {
        json_append(tree, list, drift_json(tree, &bisection->drifts.items[i]));
    }
    json_put(tree, object, "iteration_axis", json_text_or_null(bisection->axis));
    json_put(tree, object, "first_to_drift",
             bisection->first == NULL ? json_null() : json_text(bisection->first->name));
    json_put(tree, object, "snapshots", list);
    return object;
}
