/* Reads the result of a job of kind `tolerance`; see tolerance.h. */
#include "harness/judge/tolerance.h"

#include "document/json.h"

#include <math.h>

enum { MOST_ORDERS = 100, MOST_REDUCTIONS = 200 };

static const char *const verdict_names[] = {
    [TOLERANCE_NONE] = "none",
    [TOLERANCE_INNOCENT] = "innocent",
    [TOLERANCE_UNDECIDED] = "undecided",
    [TOLERANCE_GUILTY] = "guilty",
};
static const char *const reason_names[TOLERANCE_REASON_COUNT] = {
    "within",    "explained",    "alike",       "near",      "few",
    "structure", "orders_agree", "unexplained", "no_digits",
};

const char *tolerance_verdict_name(ToleranceVerdict verdict)
{
    return verdict_names[verdict];
}

const char *tolerance_reason_name(ToleranceReason reason)
{
    return reason_names[reason];
}

typedef struct Reading {
    Arena *arena;
    const json_t *root; /* of the part */
    Tolerance *tolerance;
    bool good;
} Reading;

static Str text_at(Reading *reading, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    Str text = {json_string_value(value), json_string_length(value)};
    if (text.at == NULL || text.length > RESULT_MOST_TEXT) {
        reading->good = false;
        return STR("");
    }
    return (Str){str_dup(reading->arena, text), text.length};
}

static int name_at(Reading *reading, const json_t *object, const char *key,
                   const char *const *names, int count)
{
    Str name = text_at(reading, object, key);
    for (int i = 0; i < count; i++) {
        if (str_is(name, names[i])) {
            return i;
        }
    }
    reading->good = false;
    return 0;
}

static ToleranceDifference read_difference(const json_t *from)
{
    return (ToleranceDifference){
        .max_abs = metric_at(from, "max_abs_diff"),
        .max_rel = metric_at(from, "max_rel_diff"),
        .worst = metric_at(from, "worst"),
        .out_of_tolerance = json_count_at(from, "out_of_tolerance"),
        .nonfinite = json_count_at(from, "nonfinite"),
    };
}

static ToleranceVerdict verdict_at(Reading *reading, const json_t *from)
{
    return (ToleranceVerdict)name_at(reading, from, "verdict", verdict_names,
                                     sizeof verdict_names / sizeof *verdict_names);
}

static void read_leaves(Reading *reading)
{
    const json_t *list = json_object_get(reading->root, "leaves");
    reading->good = reading->good && json_array_size(list) <= RESULT_MOST_LEAVES;
    for (size_t i = 0; reading->good && i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        ToleranceLeaf leaf = {
            .name = text_at(reading, from, "name"),
            .elements = json_count_at(from, "elements"),
            .kernel = read_difference(from),
            .orders_worst = metric_at(from, "orders_worst"),
            .unexplained = json_count_at(from, "unexplained"),
            .unexplained_worst = metric_at(from, "unexplained_worst"),
            .orders_unexplained = json_count_at(from, "orders_unexplained"),
            .orders_unexplained_worst = metric_at(from, "orders_unexplained_worst"),
            .verdict = verdict_at(reading, from),
            .reason = (ToleranceReason)name_at(reading, from, "reason", reason_names,
                                               TOLERANCE_REASON_COUNT),
        };
        VEC_PUSH(reading->arena, &reading->tolerance->leaves, leaf);
    }
}

static void read_orders(Reading *reading)
{
    const json_t *list = json_object_get(reading->root, "orders");
    reading->good = reading->good && json_array_size(list) <= MOST_ORDERS;
    for (size_t i = 0; reading->good && i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        const json_t *leaves = json_object_get(from, "leaves");
        ToleranceOrder order = {.name = text_at(reading, from, "name")};
        reading->good = reading->good && json_array_size(leaves) <= RESULT_MOST_LEAVES;
        for (size_t k = 0; reading->good && k < json_array_size(leaves); k++) {
            VEC_PUSH(reading->arena, &order.leaves, read_difference(json_array_get(leaves, k)));
        }
        VEC_PUSH(reading->arena, &reading->tolerance->orders, order);
    }
}

static void read_reductions(Reading *reading)
{
    json_t *object = json_object_get(reading->root, "reductions");
    const json_t *kept = json_object_get(reading->root, "not_reordered");
    reading->good = reading->good && json_object_size(object) <= MOST_REDUCTIONS &&
                    json_array_size(kept) <= MOST_REDUCTIONS;
    for (void *at = json_object_iter(object); reading->good && at != NULL;
         at = json_object_iter_next(object, at)) {
        Str name = str_from(str_dup(reading->arena, str_from(json_object_iter_key(at))));
        ToleranceCount count = {name, json_count_at(object, name.at)};
        VEC_PUSH(reading->arena, &reading->tolerance->reductions, count);
    }
    for (size_t i = 0; reading->good && i < json_array_size(kept); i++) {
        const json_t *value = json_array_get(kept, i);
        Str name = {json_string_value(value), json_string_length(value)};
        if (name.at != NULL && name.length <= RESULT_MOST_TEXT) {
            Str copy = {str_dup(reading->arena, name), name.length};
            VEC_PUSH(reading->arena, &reading->tolerance->not_reordered, copy);
        }
    }
}

static void read_all(void *argument)
{
    Reading *reading = argument;
    reading->tolerance->verdict = verdict_at(reading, reading->root);
    read_leaves(reading);
    read_orders(reading);
    read_reductions(reading);
}

bool tolerance_read(Arena *arena, Str result, Tolerance *tolerance)
{
    *tolerance = (Tolerance){0};
    json_t *root = json_read_lenient(arena, worker_result_document(result));
    Reading reading = {arena, json_object_get(root, "tolerance"), tolerance, true};
    bool found = json_is_object(reading.root);
    json_take(arena, root, read_all, &reading);
    return found && reading.good && tolerance->leaves.count > 0;
}
