/* Case results whose outputs were compared: structure, values, and whether the kernel computed
 * them. */
#include "harness/judge/case_reading.h"
#include "harness/judge/case_sentences.h"
#include "harness/judge/kernel_text.h"

/* Gives outputs their names in the contract, if it names all outputs of the reference. */
static void name_outputs(Arena *arena, const CaseContext *context, Leaves *leaves)
{
    uint32_t count = 0;
    while (count < leaves->count && !str_is(leaves->items[count].structure, "extra")) {
        count++;
    }
    bool named = context->outputs != NULL && context->kind != RESULT_OF_TESTS &&
                 context->outputs->count == count;
    for (uint32_t i = 0; i < count && named; i++) {
        leaves->items[i].output = context->outputs->items[i];
    }
    for (uint32_t i = 0; i < leaves->count; i++) {
        Leaf *leaf = &leaves->items[i];
        int32_t equals = leaf->places == NULL ? -1 : leaf->places->equals;
        leaf->equals = equals >= 0 && (uint32_t)equals < leaves->count
                           ? leaf_title(arena, &leaves->items[equals])
                           : STR("");
    }
}

/* Memory that was never written differs from a computed NaN, and is never right. */
static void note_never_written(CaseReading *reading, Leaf *leaf, bool precision)
{
    const OutputOrigin *origin = provenance_of(&reading->result.provenance, leaf->name);
    if (reading->context->kind != RESULT_OF_CASE || origin == NULL || origin->never_written == 0) {
        return;
    }
    leaf->never_written = origin->never_written;
    leaf->never = provenance_never(reading->arena, origin, LANG_EN);
    leaf->never_zh = provenance_never(reading->arena, origin, LANG_ZH);
    bool is_float = str_starts(leaf->dtype, STR("float")) || str_starts(leaf->dtype, STR("bfloat"));
    if (is_float) { /* each of them is a NaN */
        leaf->nonfinite -=
            leaf->nonfinite < leaf->never_written ? leaf->nonfinite : leaf->never_written;
    }
    leaf->all_close = leaf->all_close && !precision;
}

/* Takes the leaves over; a leaf with missing parts counts as different. */
static void take_leaves(CaseReading *reading)
{
    CaseResult *case_result = reading->case_result;
    const CaseContext *context = reading->context;
    bool precision =
        context->kind == RESULT_OF_SELF_TEST || /* two references: their values, always */
        context->source == NULL || context->source->precision;
    case_result->leaves = reading->result.leaves;
    case_result->inspection = reading->result.inspection;
    case_result->provenance = reading->result.provenance;
    Largest absolute = {0};
    Largest relative = {0};
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        Leaf *leaf = &case_result->leaves.items[i];
        leaf->name = redaction_message(reading->arena, reading->context->redaction, leaf->name);
        if (context->kind == RESULT_OF_TESTS) {
            leaf->name = kernel_text_name(reading->arena, leaf->name);
        }
        bool same = leaf->structure.length == 0;
        if (precision && same && !leaf->judged) {
            leaf->structure = STR("not compared");
            same = false;
        }
        leaf->all_close = same && (!precision || leaf->all_close);
        note_never_written(reading, leaf, precision);
        largest_add(&absolute, leaf->max_abs_diff, leaf->nonfinite);
        largest_add(&relative, leaf->max_rel_diff, leaf->nonfinite);
        case_result->nonfinite += leaf->nonfinite;
    }
    name_outputs(reading->arena, context, &case_result->leaves);
    for (uint32_t i = 0; i < case_result->inspection.steps.count; i++) {
        const InspectionStep *step = &case_result->inspection.steps.items[i];
        largest_add(&absolute, step->max_abs_diff, !step->all_close);
        largest_add(&relative, step->max_rel_diff, !step->all_close);
    }
    case_result->max_abs_diff = absolute.metric;
    case_result->max_rel_diff = relative.metric;
    case_result->compared =
        case_result->leaves.count > 0 || case_result->inspection.steps.count > 0;
}

static const Leaf *first_structural(const CaseResult *case_result)
{
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        if (case_result->leaves.items[i].structure.length > 0) {
            return &case_result->leaves.items[i];
        }
    }
    return NULL;
}

static const Leaf *first_far(const CaseResult *case_result)
{
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        if (!case_result->leaves.items[i].all_close) {
            return &case_result->leaves.items[i];
        }
    }
    return NULL;
}

static const InspectionStep *first_drift(const CaseResult *case_result)
{
    for (uint32_t i = 0; i < case_result->inspection.steps.count; i++) {
        if (!case_result->inspection.steps.items[i].all_close) {
            return &case_result->inspection.steps.items[i];
        }
    }
    return NULL;
}

static void fail_structural(CaseReading *reading, Sentence summary)
{
    case_fail(reading, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER, summary);
}

/* A sentence that the table of warning_text.c translates. */
static Sentence in_english(const CaseReading *reading, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Sentence sentence = {.en = str_vformat(reading->arena, format, args)};
    va_end(args);
    return sentence;
}

/* Are the outputs equal bit for bit although a device's arithmetic cannot give that? So it is with
 * transcendental functions in single precision over more than a handful of elements; in half
 * precision rounding may well give the same bits. */
static bool is_too_exact(const CaseReading *reading)
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

/* Are all outputs empty? Then nothing has to be launched. */
static bool is_empty(const CaseResult *case_result)
{
    bool empty = case_result->leaves.count > 0;
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        const LeafShape *shape = &case_result->leaves.items[i].expected_shape;
        bool none = false;
        for (uint32_t axis = 0; axis < shape->rank; axis++) {
            none = none || shape->extents[axis] == 0;
        }
        empty = empty && shape->known && none;
    }
    return empty;
}

/* Did a kernel make the outputs? If not, a case that has passed so far fails, and one that has
 * failed already gets a warning; false in both cases. */
static bool judge_provenance(CaseReading *reading)
{
    const char *mode = mode_name(reading->context->mode);
    const char *cause = NULL;
    Str failure = provenance_failure(reading->arena, &reading->result.provenance, mode, &cause);
    if (failure.length > 0 && reading->case_result->verdict == VERDICT_PASS) {
        reading->case_result->cause = cause;
        fail_structural(reading, (Sentence){.en = failure});
    } else if (failure.length > 0) {
        case_warn(reading, failure);
    }
    Strs warnings = {0};
    provenance_warnings(reading->arena, &reading->result.provenance, mode, &warnings);
    for (uint32_t i = 0; i < warnings.count; i++) {
        case_warn(reading, warnings.items[i]);
    }
    return failure.length == 0;
}

/* The outputs are close; does anything show that they were computed without the kernel? */
static void suspect_fallback(CaseReading *reading)
{
    const CaseResult *case_result = reading->case_result;
    bool counted = case_result->launches > 0;
    const char *pattern = fallback_pattern(case_result->log);
    if (pattern != NULL && (!counted || is_too_exact(reading))) {
        fail_structural(reading, in_english(reading,
                                            "no kernel was launched successfully on %s: the log "
                                            "says \"%s\", yet the outputs are right, so "
                                            "something else computed them",
                                            mode_name(reading->context->mode), pattern));
    } else if (!counted && is_too_exact(reading)) {
        fail_structural(reading,
                        in_english(reading,
                                   "no kernel was launched as far as can be seen: on %s every "
                                   "output equals the reference bit for bit, although the "
                                   "reference calls a transcendental function",
                                   mode_name(reading->context->mode)));
    } else if (pattern != NULL) {
        case_warn(reading, str_format(reading->arena,
                                      "the log says \"%s\": look whether the wrapper falls back to "
                                      "another computation",
                                      pattern));
    } else if (reading->result.exact) {
        case_warn(reading,
                  STR("every output equals the reference bit for bit, although the reference "
                      "calls a transcendental function"));
    }
}

/* A wrong case that is wrong in another way the second time sends readers after different bugs. */
static void warn_of_flaky(CaseReading *reading)
{
    const Repeat *repeat = &reading->case_result->repeat;
    if (str_is(repeat->finding, "flaky") || str_is(repeat->why, "other bits")) {
        case_warn(reading, sentence_of_repeat(reading->arena, reading->context, repeat));
    }
}

static void judge_values(CaseReading *reading)
{
    CaseResult *case_result = reading->case_result;
    const Leaf *leaf = first_far(case_result);
    const InspectionStep *step = first_drift(case_result);
    if (leaf == NULL && step == NULL) {
        case_result->verdict = VERDICT_PASS;
        if (reading->context->kind != RESULT_OF_SELF_TEST && judge_provenance(reading)) {
            suspect_fallback(reading);
        }
        if (case_result->repeat.status == REPEAT_PASSED) {
            warn_of_flaky(reading);
        }
        if (case_result->verdict == VERDICT_PASS && case_result->repeat.status == REPEAT_FAILED) {
            Str again = sentence_of_repeat(reading->arena, reading->context, &case_result->repeat);
            case_fail(reading, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION,
                      (Sentence){.en = again});
        }
        return;
    }
    VerdictCategory route = reading->context->mode == MODE_NPU
                                ? verdict_category_of_values(case_result->log)
                                : ROUTE_PRECISION;
    Sentence summary = leaf != NULL ? sentence_of_values(reading->arena, reading->context, leaf)
                                    : sentence_of_drift(reading->arena, reading->context,
                                                        case_result->inspection.name, step);
    case_fail(reading, VERDICT_FAIL, CATEGORY_PRECISION, route, summary);
    warn_of_flaky(reading);
    if (reading->context->kind != RESULT_OF_SELF_TEST) {
        judge_provenance(reading);
    }
}

void case_judge_comparison(CaseReading *reading)
{
    CaseResult *case_result = reading->case_result;
    const CaseContext *context = reading->context;
    case_result->dispatched = true;
    take_leaves(reading);
    const Leaf *leaf = first_structural(case_result);
    if (context->kind != RESULT_OF_SELF_TEST && case_result->launches == 0 &&
        !is_empty(case_result)) {
        case_result->cause = "no_launch";
        fail_structural(reading, in_english(reading,
                                            "no kernel was launched: on %s the outputs were "
                                            "computed without one",
                                            mode_name(context->mode)));
    } else if (reading->result.imported_references.count > 0) {
        case_result->cause = "reference_imported";
        fail_structural(reading,
                        in_english(reading,
                                   "the implementation imports the reference %.*s: whatever it "
                                   "returns proves nothing",
                                   STR_ARG(reading->result.imported_references.items[0])));
    } else if (leaf != NULL) {
        fail_structural(reading, sentence_of_structure(reading->arena, context, leaf));
    } else if (!case_result->compared && context->kind != RESULT_OF_TESTS) {
        fail_structural(reading,
                        in_english(reading, "nothing was compared: the reference has no output"));
    } else {
        if (!case_result->compared) {
            case_warn(reading, STR("the test passed, but recorded no comparison"));
        }
        judge_values(reading);
    }
}

/* A test reports a mismatch by raising. */
void case_judge_assertion(CaseReading *reading)
{
    take_leaves(reading);
    reading->case_result->dispatched = true;
    const Leaf *leaf = first_structural(reading->case_result);
    if (leaf != NULL) {
        fail_structural(reading, sentence_of_structure(reading->arena, reading->context, leaf));
    } else if (first_far(reading->case_result) != NULL) {
        judge_values(reading);
    } else {
        Sentence sentence = sentence_of_raised(reading->arena, reading->context, &reading->result);
        case_fail(reading, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION, sentence);
    }
}
