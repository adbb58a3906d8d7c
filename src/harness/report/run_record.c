/* Run record; see run_record.h. */
#include "harness/report/run_record.h"

#include "document/json.h"
#include "harness/verify.h"

/* The case of that id, added if it is new: reports of tests may give several the same one. Valid
 * until the next call. */
static RunCase *case_of(RunRecord *record, Arena *arena, Str id)
{
    uint32_t number = map_find(&record->ids, id);
    if (number == MAP_NONE) {
        number = map_add(&record->ids, arena, id);
        VEC_PUSH(arena, &record->cases, (RunCase){0});
    }
    return &record->cases.items[number];
}

/* --- from a report */

typedef struct Reading {
    Arena *arena;
    const json_t *root;
    RunRecord *record;
    bool good;
} Reading;

/* A word that is none of the verdicts goes to `unknown`: a later version may have written it. */
static Verdict verdict_at(Arena *arena, const json_t *modes, Mode mode, Str *unknown)
{
    const json_t *value = json_object_get(modes, mode_name(mode));
    const char *word = json_string_value(value);
    for (Verdict verdict = VERDICT_SKIPPED; word != NULL && verdict <= VERDICT_ERROR; verdict++) {
        if (strcmp(word, verdict_name(verdict)) == 0) {
            return verdict;
        }
    }
    if (value != NULL && !json_is_null(value)) {
        *unknown =
            word == NULL || *word == '\0' ? STR("?") : str_from(str_dup(arena, str_from(word)));
    }
    return VERDICT_SKIPPED;
}

static void read_check(Reading *reading, const json_t *check)
{
    Str id;
    if (!json_text_at(reading->arena, check, "id", &id)) {
        reading->good = false;
        return;
    }
    RunCase *found = case_of(reading->record, reading->arena, id);
    const json_t *modes = json_object_get(check, "per_mode_status");
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        found->verdicts[mode] = verdict_at(reading->arena, modes, mode, &found->unknown[mode]);
    }
    found->is_finite = json_count_at(check, "nonfinite") == 0;
    found->max_abs_diff = metric_at(check, "max_abs_diff");
    found->max_rel_diff = metric_at(check, "max_rel_diff");
}

static void read_timing(Reading *reading, const json_t *worker)
{
    Str id, name;
    Mode mode;
    if (json_text_at(reading->arena, worker, "case", &id) &&
        json_text_at(reading->arena, worker, "mode", &name) && mode_find(name, &mode)) {
        uint32_t number = map_find(&reading->record->ids, id);
        if (number != MAP_NONE) {
            reading->record->cases.items[number].seconds[mode] = metric_at(worker, "wrapper");
        }
    }
}

static void read_report(void *argument)
{
    Reading *reading = argument;
    RunRecord *record = reading->record;
    const json_t *checks = json_object_get(reading->root, "checks");
    const json_t *timing = json_object_get(json_object_get(reading->root, "timing"), "workers");
    const json_t *hashes = json_object_get(reading->root, "hashes");
    reading->good = json_text_at(reading->arena, reading->root, "op_name", &record->op_name) &&
                    json_is_array(checks) && json_is_object(reading->root);
    for (size_t i = 0; i < json_array_size(checks) && reading->good; i++) {
        read_check(reading, json_array_get(checks, i));
    }
    for (size_t i = 0; i < json_array_size(timing); i++) {
        read_timing(reading, json_array_get(timing, i));
    }
    record->module = (uint32_t)json_count_at(reading->root, "up_to_module");
    json_text_at(reading->arena, hashes, "kernel", &record->hashes.kernel);
    json_text_at(reading->arena, hashes, "suite", &record->hashes.suite);
}

bool run_record_read(Arena *arena, Str text, RunRecord *record, Str *error)
{
    JsonFault fault = {0};
    *record = (RunRecord){.hashes = {STR(""), STR("")}};
    json_t *root = json_read(arena, text, 0, &fault);
    if (root == NULL) {
        *error = str_format(arena, "line %u: %s", fault.line, fault.text);
        return false;
    }
    Reading reading = {.arena = arena, .root = root, .record = record};
    json_take(arena, root, read_report, &reading);
    if (!reading.good) {
        *error = STR("it has no op_name, or no checks with ids: not a report of verify");
    }
    return reading.good;
}

/* --- from a verification */

RunRecord run_record_of(const Verification *verification)
{
    const Judgement *judgement = &verification->judgement;
    RunRecord record = {.op_name = verification->op_name,
                        .module = verification->module,
                        .hashes = verification->hashes};
    for (size_t i = 0; i < judgement->count; i++) {
        const Check *check = &judgement->checks[i];
        RunCase *found = case_of(&record, verification->arena, check->result->source->id);
        found->max_abs_diff = check->max_abs_diff;
        found->max_rel_diff = check->max_rel_diff;
        found->is_finite = check->nonfinite == 0;
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            found->verdicts[mode] = check->verdicts[mode];
            found->seconds[mode] = check->result->by_mode[mode].seconds.wrapper;
        }
    }
    return record;
}
