/* Evaluation report: the key `checks`; see evaluation_report.h. */
#include "harness/report/evaluation_report.h"

#include "harness/judge/case_sentences.h"

static json_t *metric_value(Metric metric)
{
    return metric.known ? json_real(metric.value) : json_null();
}

void report_put_metric(JsonTree *tree, json_t *object, const char *key, Metric metric)
{
    json_put(tree, object, key, metric_value(metric));
}

static json_t *shape_value(JsonTree *tree, const LeafShape *shape)
{
    if (!shape->known) {
        return json_null();
    }
    json_t *array = json_array();
    for (uint32_t i = 0; i < shape->rank; i++) {
        json_append(tree, array, json_integer(shape->extents[i]));
    }
    return array;
}

/* --- leaves: one entry for each, whatever the number of modes */

/* The outputs of a case with the same name, by mode; NULL where a mode has none. */
typedef struct LeafRow {
    const Leaf *leaves[MODE_COUNT];
} LeafRow;

/* The leaf of a mode by name. Apart from missing ones, names have the same order in all modes. */
static const Leaf *leaf_of(const CaseResult *case_result, Str name, uint32_t near)
{
    const Leaves *leaves = &case_result->leaves;
    if (near < leaves->count && str_equal(leaves->items[near].name, name)) {
        return &leaves->items[near];
    }
    for (uint32_t i = 0; i < leaves->count; i++) {
        if (str_equal(leaves->items[i].name, name)) {
            return &leaves->items[i];
        }
    }
    return NULL;
}

static void put_counts(JsonTree *tree, json_t *object, const Leaf *leaf)
{
    json_put(tree, object, "out_of_tolerance", json_integer((json_int_t)leaf->out_of_tolerance));
    json_put(tree, object, "nonfinite", json_integer((json_int_t)leaf->nonfinite));
    json_put(tree, object, "structure", json_text_or_null(leaf->structure));
    if (leaf->never_written > 0) {
        json_put(tree, object, "never_written", json_integer((json_int_t)leaf->never_written));
        json_put(tree, object, "never_written_where", json_text(leaf->never));
    }
}

/* The contract's name, and where it differs. */
static void put_places(JsonTree *tree, json_t *object, const Leaf *leaf)
{
    if (leaf->output.length > 0) {
        json_put(tree, object, "output", json_text(leaf->output));
    }
    if (leaf->places != NULL) {
        json_put(tree, object, "where", leaf_places_json(tree, leaf->places, leaf->equals));
    }
}

static json_t *leaf_in_mode(JsonTree *tree, const Leaf *leaf)
{
    json_t *object = json_object();
    report_put_metric(tree, object, "max_abs_diff", leaf->max_abs_diff);
    report_put_metric(tree, object, "max_rel_diff", leaf->max_rel_diff);
    json_put(tree, object, "all_close", json_boolean(leaf->all_close));
    put_counts(tree, object, leaf);
    put_places(tree, object, leaf);
    return object;
}

static json_t *leaves_by_mode(JsonTree *tree, const LeafRow *row)
{
    json_t *object = json_object();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        if (row->leaves[mode] != NULL) {
            json_put(tree, object, mode_name((Mode)mode), leaf_in_mode(tree, row->leaves[mode]));
        }
    }
    return object;
}

/* The worst of all modes; names and shapes are those of the first that is not close. */
static Leaf worst_of(const LeafRow *row)
{
    const Leaf *shown = NULL;
    bool all_close = true;
    Largest absolute = {0};
    Largest relative = {0};
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Leaf *leaf = row->leaves[mode];
        if (leaf != NULL) {
            shown = shown == NULL || (shown->all_close && !leaf->all_close) ? leaf : shown;
            all_close = all_close && leaf->all_close;
            largest_add(&absolute, leaf->max_abs_diff, leaf->nonfinite);
            largest_add(&relative, leaf->max_rel_diff, leaf->nonfinite);
        }
    }
    Leaf worst = *shown;
    worst.all_close = all_close;
    worst.max_abs_diff = absolute.metric;
    worst.max_rel_diff = relative.metric;
    return worst;
}

static json_t *leaf_object(JsonTree *tree, const LeafRow *row, bool by_mode)
{
    Leaf leaf = worst_of(row);
    json_t *object = json_object();
    json_put(tree, object, "name", json_text(leaf.name));
    report_put_metric(tree, object, "max_abs_diff", leaf.max_abs_diff);
    report_put_metric(tree, object, "max_rel_diff", leaf.max_rel_diff);
    json_put(tree, object, "all_close", json_boolean(leaf.all_close));
    json_put(tree, object, "shape", shape_value(tree, &leaf.shape));
    json_put(tree, object, "dtype", json_text_or_null(leaf.dtype));
    json_put(tree, object, "expected_shape", shape_value(tree, &leaf.expected_shape));
    json_put(tree, object, "expected_dtype", json_text_or_null(leaf.expected_dtype));
    json_put(tree, object, "elements", json_integer((json_int_t)leaf.elements));
    put_counts(tree, object, &leaf);
    put_places(tree, object, &leaf);
    if (by_mode) {
        json_put(tree, object, "per_mode", leaves_by_mode(tree, row));
    }
    return object;
}

static json_t *leaves_array(JsonTree *tree, const CaseModes *result)
{
    json_t *array = json_array();
    const CaseResult *sim = &result->by_mode[MODE_SIM];
    const CaseResult *npu = &result->by_mode[MODE_NPU];
    bool by_mode = sim->leaves.count > 0 && npu->leaves.count > 0;
    for (uint32_t i = 0; i < sim->leaves.count; i++) {
        const Leaf *leaf = &sim->leaves.items[i];
        LeafRow row = {{[MODE_SIM] = leaf, [MODE_NPU] = leaf_of(npu, leaf->name, i)}};
        json_append(tree, array, leaf_object(tree, &row, by_mode));
    }
    for (uint32_t i = 0; i < npu->leaves.count; i++) {
        const Leaf *leaf = &npu->leaves.items[i];
        LeafRow row = {{[MODE_NPU] = leaf}};
        if (leaf_of(sim, leaf->name, i) == NULL) {
            json_append(tree, array, leaf_object(tree, &row, by_mode));
        }
    }
    return array;
}

/* --- inspection */

static bool is_drifting(const Inspection *inspection)
{
    for (uint32_t i = 0; i < inspection->steps.count; i++) {
        if (!inspection->steps.items[i].all_close) {
            return true;
        }
    }
    return false;
}

/* The mode to show: the first that drifts, else the first that was inspected; MODE_COUNT = none. */
static int inspected_mode(const CaseModes *result)
{
    int shown = MODE_COUNT;
    for (int mode = MODE_COUNT - 1; mode >= 0; mode--) {
        const Inspection *inspection = &result->by_mode[mode].inspection;
        bool instead = shown == MODE_COUNT || is_drifting(inspection) ||
                       !is_drifting(&result->by_mode[shown].inspection);
        shown = inspection->present && instead ? mode : shown;
    }
    return shown;
}

static json_t *inspection_object(JsonTree *tree, const Inspection *inspection, Mode mode)
{
    json_t *object = json_object();
    json_t *steps = json_array();
    for (uint32_t i = 0; i < inspection->steps.count; i++) {
        const InspectionStep *step = &inspection->steps.items[i];
        json_t *entry = json_object();
        json_put(tree, entry, "iter", json_integer(step->iter));
        report_put_metric(tree, entry, "max_abs_diff", step->max_abs_diff);
        report_put_metric(tree, entry, "max_rel_diff", step->max_rel_diff);
        json_put(tree, entry, "all_close", json_boolean(step->all_close));
        json_append(tree, steps, entry);
    }
    json_put(tree, object, "per_iter", steps);
    json_put(tree, object, "name", json_text(inspection->name));
    json_put(tree, object, "mode", json_string(mode_name(mode)));
    return object;
}

/* --- failures by mode */

void report_put_raised(JsonTree *tree, json_t *object, const CaseResult *case_result)
{
    if (case_result->code.length > 0) {
        json_put(tree, object, "code", json_text(case_result->code));
    }
    if (case_result->raised_at.line > 0) {
        json_put(tree, object, "file", json_text(case_result->raised_at.file));
        json_put(tree, object, "line", json_integer(case_result->raised_at.line));
    }
}

static json_t *failures_array(JsonTree *tree, const CaseModes *result)
{
    json_t *array = json_array();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const CaseResult *case_result = &result->by_mode[mode];
        if (case_result->verdict <= VERDICT_PASS) {
            continue;
        }
        json_t *object = json_object();
        json_put(tree, object, "mode", json_string(mode_name((Mode)mode)));
        json_put(tree, object, "failure_category",
                 json_string(category_name(case_result->category)));
        json_put(tree, object, "verdict_category",
                 json_string(verdict_category_name(case_result->route)));
        json_put(tree, object, "summary", json_text(case_result->summary));
        report_put_raised(tree, object, case_result);
        json_append(tree, array, object);
    }
    return array;
}

static json_t *warnings_array(JsonTree *tree, const CaseModes *result)
{
    json_t *array = json_array();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Strs *warnings = &result->by_mode[mode].warnings;
        for (uint32_t i = 0; i < warnings->count; i++) {
            json_t *object = json_object();
            json_put(tree, object, "mode", json_string(mode_name((Mode)mode)));
            json_put(tree, object, "warning", json_text(warnings->items[i]));
            json_append(tree, array, object);
        }
        const SimFindings *findings = &result->by_mode[mode].findings;
        for (uint32_t i = 0; i < findings->count; i++) {
            json_append(tree, array,
                        sim_finding_json(tree, &findings->items[i], mode_name((Mode)mode)));
        }
    }
    return array;
}

/* --- provenance */

static json_t *place_value(JsonTree *tree, const MadePlace *made)
{
    if (made->operation.length == 0) {
        return json_null();
    }
    json_t *object = json_object();
    json_put(tree, object, "operation", json_text(made->operation));
    json_put(tree, object, "file", json_text_or_null(made->file));
    json_put(tree, object, "line", made->line > 0 ? json_integer(made->line) : json_null());
    return object;
}

static json_t *origin_object(JsonTree *tree, const OutputOrigin *output)
{
    json_t *object = json_object();
    json_t *moved = json_array();
    for (uint32_t i = 0; i < output->conversions.count; i++) {
        json_append(tree, moved, json_text(output->conversions.items[i]));
    }
    json_put(tree, object, "name", json_text(output->name));
    json_put(tree, object, "elements", json_integer((json_int_t)output->elements));
    json_put(tree, object, "written", json_integer((json_int_t)output->written));
    json_put(tree, object, "never_written", json_integer((json_int_t)output->never_written));
    json_put(tree, object, "torch", json_integer((json_int_t)output->computed));
    json_put(tree, object, "host", json_integer((json_int_t)output->host));
    json_put(tree, object, "input", json_text_or_null(output->input));
    json_put(tree, object, "made", place_value(tree, &output->made));
    json_put(tree, object, "conversions", moved);
    return object;
}

static json_t *provenance_array(JsonTree *tree, const CaseModes *result)
{
    json_t *array = json_array();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Provenance *provenance = &result->by_mode[mode].provenance;
        for (uint32_t i = 0; provenance->known && i < provenance->outputs.count; i++) {
            json_t *object = origin_object(tree, &provenance->outputs.items[i]);
            json_put(tree, object, "mode", json_string(mode_name((Mode)mode)));
            json_append(tree, array, object);
        }
    }
    return array;
}

/* By mode; null where the backend does not count. */
static json_t *counts_object(JsonTree *tree, int64_t sim, int64_t npu)
{
    const int64_t counts[MODE_COUNT] = {[MODE_SIM] = sim, [MODE_NPU] = npu};
    json_t *object = json_object();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        json_put(tree, object, mode_name((Mode)mode),
                 counts[mode] < 0 ? json_null() : json_integer(counts[mode]));
    }
    return object;
}

/* By mode; null where the worker reported nothing. */
static json_t *repeat_object(JsonTree *tree, const CaseModes *result)
{
    json_t *object = json_object();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Repeat *repeat = &result->by_mode[mode].repeat;
        json_put(tree, object, mode_name((Mode)mode),
                 repeat->status == REPEAT_UNKNOWN ? json_null() : json_text(repeat_text(repeat)));
    }
    return object;
}

/* Puts a list unless it is empty. */
static void put_list(JsonTree *tree, json_t *object, const char *key, json_t *list)
{
    if (json_array_size(list) == 0) {
        tree->failed = tree->failed || list == NULL;
        json_decref(list);
        return;
    }
    json_put(tree, object, key, list);
}

static json_t *check_object(JsonTree *tree, const Check *check)
{
    const CaseModes *result = check->result;
    json_t *object = json_object();
    json_t *modes = json_object();
    json_put(tree, object, "id", json_text(result->source->id));
    json_put(tree, object, "level", json_text(result->source->level));
    json_put(tree, object, "precision_checked", json_boolean(result->source->precision));
    json_put(tree, object, "all_close", json_boolean(check->all_close));
    report_put_metric(tree, object, "max_abs_diff", check->max_abs_diff);
    report_put_metric(tree, object, "max_rel_diff", check->max_rel_diff);
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        json_put(tree, modes, mode_name((Mode)mode),
                 json_string(verdict_name(check->verdicts[mode])));
    }
    json_put(tree, object, "per_mode_status", modes);
    put_list(tree, object, "per_tensor", leaves_array(tree, result));
    int inspected = inspected_mode(result);
    if (inspected != MODE_COUNT) {
        json_put(tree, object, "inspection",
                 inspection_object(tree, &result->by_mode[inspected].inspection, (Mode)inspected));
    }
    json_put(tree, object, "nonfinite", json_integer((json_int_t)check->nonfinite));
    const CaseResult *case_results = result->by_mode;
    json_put(tree, object, "launches",
             counts_object(tree, case_results[MODE_SIM].launches, case_results[MODE_NPU].launches));
    json_put(tree, object, "ops",
             counts_object(tree, case_results[MODE_SIM].ops, case_results[MODE_NPU].ops));
    put_list(tree, object, "provenance", provenance_array(tree, result));
    put_list(tree, object, "failures", failures_array(tree, result));
    put_list(tree, object, "warnings", warnings_array(tree, result));
    json_put(tree, object, "repeat", repeat_object(tree, result));
    if (case_results[MODE_SIM].blame.status != BLAME_NONE) {
        json_put(tree, object, "blame", blame_json(tree, &case_results[MODE_SIM].blame));
    }
    return object;
}

json_t *report_checks(JsonTree *tree, const Judgement *judgement)
{
    json_t *array = json_array();
    for (size_t i = 0; i < judgement->count; i++) {
        json_append(tree, array, check_object(tree, &judgement->checks[i]));
    }
    return array;
}
