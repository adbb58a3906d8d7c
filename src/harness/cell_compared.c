/* Cells whose outputs were compared: the structure, the values, and whether it was the kernel that
 * computed them. */
#include "harness/cell_reading.h"
#include "harness/cell_sentences.h"

/* Takes the leaves over; what is missing of a leaf makes it differ. */
static void take_leaves(CellReading *reading)
{
    Cell *cell = reading->cell;
    const CellContext *context = reading->context;
    bool precision = context->kind == CELL_SELF_TEST || /* two references: their values, always */
                     context->source == NULL || context->source->precision;
    cell->leaves = reading->result.leaves;
    cell->inspection = reading->result.inspection;
    Largest absolute = {0};
    Largest relative = {0};
    for (uint32_t i = 0; i < cell->leaves.count; i++) {
        Leaf *leaf = &cell->leaves.items[i];
        leaf->name = barrier_message(reading->arena, reading->context->barrier, leaf->name);
        bool same = leaf->structure.length == 0;
        if (precision && same && !leaf->told) {
            leaf->structure = STR("not compared");
            same = false;
        }
        leaf->all_close = same && (!precision || leaf->all_close);
        largest_add(&absolute, leaf->max_abs_diff, leaf->nonfinite);
        largest_add(&relative, leaf->max_rel_diff, leaf->nonfinite);
        cell->nonfinite += leaf->nonfinite;
    }
    for (uint32_t i = 0; i < cell->inspection.steps.count; i++) {
        const InspectionStep *step = &cell->inspection.steps.items[i];
        largest_add(&absolute, step->max_abs_diff, !step->all_close);
        largest_add(&relative, step->max_rel_diff, !step->all_close);
    }
    cell->max_abs_diff = absolute.metric;
    cell->max_rel_diff = relative.metric;
    cell->compared = cell->leaves.count > 0 || cell->inspection.steps.count > 0;
}

static const Leaf *first_structural(const Cell *cell)
{
    for (uint32_t i = 0; i < cell->leaves.count; i++) {
        if (cell->leaves.items[i].structure.length > 0) {
            return &cell->leaves.items[i];
        }
    }
    return NULL;
}

static const Leaf *first_far(const Cell *cell)
{
    for (uint32_t i = 0; i < cell->leaves.count; i++) {
        if (!cell->leaves.items[i].all_close) {
            return &cell->leaves.items[i];
        }
    }
    return NULL;
}

static const InspectionStep *first_drift(const Cell *cell)
{
    for (uint32_t i = 0; i < cell->inspection.steps.count; i++) {
        if (!cell->inspection.steps.items[i].all_close) {
            return &cell->inspection.steps.items[i];
        }
    }
    return NULL;
}

static void fail_structural(CellReading *reading, Str summary)
{
    cell_fail(reading, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER, summary);
}

/* Bits that a device cannot have by its own arithmetic: the reference's transcendental functions in
 * single precision, over more than a handful of elements. In half precision rounding may well give
 * the same. */
static bool is_too_exact(const CellReading *reading)
{
    enum { HANDFUL = 16 };
    const Leaves *leaves = &reading->result.leaves;
    for (uint32_t i = 0; reading->result.exact && i < leaves->count; i++) {
        const Leaf *leaf = &leaves->items[i];
        bool wide = str_is(leaf->dtype, "float32") || str_is(leaf->dtype, "float64");
        if (wide && leaf->elements >= HANDFUL) {
            return true;
        }
    }
    return false;
}

/* Everything is close: was it the kernel that computed it? */
static void suspect_fallback(CellReading *reading)
{
    const Cell *cell = reading->cell;
    bool counted = cell->launches > 0;
    const char *pattern = fallback_pattern(cell->log);
    if (pattern != NULL && (!counted || is_too_exact(reading))) {
        fail_structural(reading, str_format(reading->arena,
                                            "no kernel was launched successfully on %s: the log "
                                            "says \"%s\", yet the outputs are right, so "
                                            "something else computed them",
                                            mode_name(reading->context->mode), pattern));
    } else if (!counted && is_too_exact(reading)) {
        fail_structural(reading,
                        str_format(reading->arena,
                                   "no kernel was launched as far as can be seen: on %s every "
                                   "output equals the reference bit for bit, although the "
                                   "reference calls a transcendental function",
                                   mode_name(reading->context->mode)));
    } else if (pattern != NULL) {
        cell_warn(reading, str_format(reading->arena,
                                      "the log says \"%s\": look whether the wrapper falls back to "
                                      "another computation",
                                      pattern));
    } else if (reading->result.exact) {
        cell_warn(reading,
                  STR("every output equals the reference bit for bit, although the reference "
                      "calls a transcendental function"));
    }
}

static void judge_values(CellReading *reading)
{
    Cell *cell = reading->cell;
    const Leaf *leaf = first_far(cell);
    const InspectionStep *step = first_drift(cell);
    if (leaf == NULL && step == NULL) {
        cell->verdict = VERDICT_PASS;
        if (reading->context->kind != CELL_SELF_TEST) {
            suspect_fallback(reading);
        }
        return;
    }
    VerdictCategory route = reading->context->mode == MODE_NPU
                                ? verdict_category_of_values(cell->log)
                                : ROUTE_PRECISION;
    Str summary = leaf != NULL ? sentence_of_values(reading->arena, reading->context, leaf)
                               : sentence_of_drift(reading->arena, reading->context,
                                                   cell->inspection.name, step);
    cell_fail(reading, VERDICT_FAIL, CATEGORY_PRECISION, route, summary);
}

void cell_judge_comparison(CellReading *reading)
{
    Cell *cell = reading->cell;
    const CellContext *context = reading->context;
    cell->dispatched = true;
    take_leaves(reading);
    const Leaf *leaf = first_structural(cell);
    if (context->kind != CELL_SELF_TEST && cell->launches == 0) {
        fail_structural(reading, str_format(reading->arena,
                                            "no kernel was launched: on %s the outputs were "
                                            "computed without one",
                                            mode_name(context->mode)));
    } else if (reading->result.imported_references.count > 0) {
        fail_structural(reading,
                        str_format(reading->arena,
                                   "the implementation imports the reference %.*s: whatever it "
                                   "returns proves nothing",
                                   STR_ARG(reading->result.imported_references.items[0])));
    } else if (leaf != NULL) {
        fail_structural(reading, sentence_of_structure(reading->arena, context, leaf));
    } else if (!cell->compared && context->kind != CELL_TESTS) {
        fail_structural(reading, STR("nothing was compared: the reference has no output"));
    } else {
        if (!cell->compared) {
            cell_warn(reading, STR("the test passed, but recorded no comparison"));
        }
        judge_values(reading);
    }
}

/* A test tells a mismatch by raising. */
void cell_judge_assertion(CellReading *reading)
{
    take_leaves(reading);
    reading->cell->dispatched = true;
    const Leaf *leaf = first_structural(reading->cell);
    if (leaf != NULL) {
        fail_structural(reading, sentence_of_structure(reading->arena, reading->context, leaf));
    } else if (first_far(reading->cell) != NULL) {
        judge_values(reading);
    } else {
        Str sentence = sentence_of_raised(reading->arena, reading->context, &reading->result);
        cell_fail(reading, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION, sentence);
    }
}
