/* Summaries of case results; see case_sentences.h. The report is in English, also when the output
 * is in Chinese. */
#include "harness/judge/case_sentences.h"

#include "harness/judge/kernel_text.h"
#include "operator/text.h"

#include <inttypes.h>
#include <signal.h>

static void add_metric(Buf *out, const char *name, Metric metric)
{
    if (metric.known) {
        buf_addf(out, ", %s %g", name, metric.value);
    }
}

Str leaf_title(Arena *arena, const Leaf *leaf)
{
    return leaf->output.length == 0 || str_equal(leaf->output, leaf->name)
               ? leaf->name
               : str_format(arena, "%.*s (%.*s)", STR_ARG(leaf->output), STR_ARG(leaf->name));
}

Str sentence_of_values(Arena *arena, const CaseContext *context, const Leaf *leaf)
{
    Buf out = {.arena = arena};
    Str title = leaf_title(arena, leaf);
    buf_addf(&out, "%.*s differs on %s", STR_ARG(title), mode_name(context->mode));
    if (leaf->never.length > 0) {
        buf_addf(&out, ": %.*s", STR_ARG(leaf->never));
    }
    if (leaf->elements > 0) {
        buf_addf(&out, "%s %" PRIu64 " of %" PRIu64 " elements are out of tolerance",
                 leaf->never.length > 0 ? ";" : ":", leaf->out_of_tolerance, leaf->elements);
    }
    if (context->source != NULL && context->kind != RESULT_OF_TESTS) { /* tests have their own */
        buf_addf(&out, " (atol %g, rtol %g)", context->source->atol, context->source->rtol);
    }
    add_metric(&out, "max_abs_diff", leaf->max_abs_diff);
    add_metric(&out, "max_rel_diff", leaf->max_rel_diff);
    if (leaf->nonfinite > 0) {
        buf_addf(&out, ", %" PRIu64 " are not finite", leaf->nonfinite);
    }
    if (leaf->places != NULL) {
        buf_add(&out, STR("; "));
        leaf_places_add_where(&out, leaf->places, LANG_EN);
        if (leaf->places->likeness != NULL) {
            buf_add(&out, STR("; "));
            leaf_places_add_likeness(&out, leaf->places, leaf->equals, LANG_EN);
        }
    }
    return buf_str(&out);
}

static Str shape_text(Arena *arena, const LeafShape *shape)
{
    Buf out = {.arena = arena};
    buf_add_char(&out, '[');
    for (uint32_t i = 0; i < shape->rank; i++) {
        buf_addf(&out, "%s%" PRId64, i > 0 ? ", " : "", shape->extents[i]);
    }
    buf_add_char(&out, ']');
    return buf_str(&out);
}

Str sentence_of_structure(Arena *arena, const CaseContext *context, const Leaf *leaf)
{
    const char *mode = mode_name(context->mode);
    Str title = leaf_title(arena, leaf);
    if (str_is(leaf->structure, "missing")) {
        return str_format(arena,
                          "the output %.*s is missing on %s: fewer outputs than the "
                          "reference has",
                          STR_ARG(title), mode);
    }
    if (str_is(leaf->structure, "extra")) {
        return str_format(arena, "the output %.*s on %s is one that the reference does not have",
                          STR_ARG(title), mode);
    }
    if (str_is(leaf->structure, "shape") && leaf->shape.known && leaf->expected_shape.known) {
        Str is = shape_text(arena, &leaf->shape);
        Str should = shape_text(arena, &leaf->expected_shape);
        return str_format(arena, "%.*s has shape %.*s on %s, the reference has %.*s",
                          STR_ARG(title), STR_ARG(is), mode, STR_ARG(should));
    }
    if (str_is(leaf->structure, "dtype")) {
        return str_format(arena, "%.*s has dtype %.*s on %s, the reference has %.*s",
                          STR_ARG(title), STR_ARG(leaf->dtype), mode,
                          STR_ARG(leaf->expected_dtype));
    }
    Str structure = redaction_message(arena, context->redaction, leaf->structure);
    return str_format(arena, "%.*s on %s differs in structure: %.*s", STR_ARG(title), mode,
                      STR_ARG(structure));
}

Str sentence_of_drift(Arena *arena, const CaseContext *context, Str name,
                      const InspectionStep *step)
{
    Buf out = {.arena = arena};
    Str shown = redaction_message(arena, context->redaction, name);
    buf_addf(&out, "the inspection buffer %.*s drifts from iteration %" PRId64 " on, on %s",
             STR_ARG(shown), step->iter, mode_name(context->mode));
    add_metric(&out, "max_abs_diff", step->max_abs_diff);
    add_metric(&out, "max_rel_diff", step->max_rel_diff);
    return buf_str(&out);
}

/* --- exceptions */

static const char *const raisers[] = {
    [STAGE_UNKNOWN] = "the worker raised",
    [STAGE_SETUP] = "setting up the worker raised",
    [STAGE_INPUTS] = "making the inputs raised",
    [STAGE_GOLDEN] = "the reference raised",
    [STAGE_IMPLEMENTATION] = "importing the implementation raised",
    [STAGE_WRAPPER] = "the wrapper raised",
    [STAGE_COMPARE] = "comparing the outputs raised",
    [STAGE_INSPECT] = "the reference's inspection raised",
    [STAGE_DONE] = "the worker raised",
};

/* Is the message one of the kernel's process, or of a test? */
static bool is_foreign(const CaseContext *context, const WorkerResult *result)
{
    bool test = context->kind == RESULT_OF_TESTS && result->stage != STAGE_SETUP;
    bool kernel = context->kind == RESULT_OF_CASE &&
                  (result->stage == STAGE_IMPLEMENTATION || result->stage == STAGE_WRAPPER);
    return !result->own && (test || kernel);
}

/* The message as far as it may be shown. */
static Str shown_message(Arena *arena, const CaseContext *context, const WorkerResult *result)
{
    Str message = redaction_message(arena, context->redaction, result->message);
    return is_foreign(context, result) ? kernel_text_reduce(arena, message) : message;
}

Str sentence_of_raised(Arena *arena, const CaseContext *context, const WorkerResult *result)
{
    const char *mode = mode_name(context->mode);
    Str type = redaction_message(arena, context->redaction, result->type);
    Str message = shown_message(arena, context, result);
    if (result->end != RESULT_RAISED) {
        return message.length > 0 ? message : str_format(arena, "mode %s cannot run", mode);
    }
    Buf out = {.arena = arena};
    const char *raiser = raisers[result->stage];
    if (context->kind == RESULT_OF_TESTS && result->stage != STAGE_SETUP) {
        raiser = "the test raised";
    }
    buf_addf(&out, "%s %.*s on %s", raiser, STR_ARG(type.length > 0 ? type : STR("an exception")),
             mode);
    Str place = source_place_text(arena, result->raised_at);
    const AdviceRow *code = advice_row(ADVICE_CODE, result->code);
    if (place.length > 0) {
        buf_addf(&out, " at %.*s", STR_ARG(place));
    }
    if (code != NULL) {
        buf_addf(&out, ", %s: %s", code->name, code->words.en);
    }
    if (message.length > 0) {
        buf_addf(&out, ": %.*s", STR_ARG(message));
    }
    if (result->code.length > 0 && !str_contains(message, result->code)) {
        buf_addf(&out, " (%.*s)", STR_ARG(result->code));
    }
    if (str_is(result->kind, "memory") && context->mode == MODE_SIM) {
        buf_add(&out, STR("; an allocation failed"));
        if (context->memory > 0) {
            buf_addf(&out, " under the memory limit of %" PRIu64 " MiB", context->memory >> 20);
        }
        buf_add(&out, STR(": raise --mem-limit, or make the case smaller"));
    }
    return buf_str(&out);
}

/* --- deaths */

static void add_place(Buf *out, const CaseContext *context, Stage stage)
{
    static const char *const places[] = {
        [STAGE_UNKNOWN] = " before the case began",
        [STAGE_SETUP] = " before the case began",
        [STAGE_INPUTS] = " while the inputs were made",
        [STAGE_GOLDEN] = " in the reference",
        [STAGE_IMPLEMENTATION] = " while the implementation was imported",
        [STAGE_WRAPPER] = " in the wrapper",
        [STAGE_COMPARE] = " while the outputs were compared",
        [STAGE_INSPECT] = " in the reference's inspection",
        [STAGE_DONE] = " at its end",
    };
    const char *place = places[stage];
    buf_addf(out, "%s on %s",
             context->kind == RESULT_OF_TESTS && stage >= STAGE_IMPLEMENTATION ? " in the test"
                                                                               : place,
             mode_name(context->mode));
}

static void add_signal(Buf *out, int number)
{
    const char *name = sigabbrev_np(number);
    if (name != NULL) {
        buf_addf(out, "SIG%s", name);
    } else {
        buf_addf(out, "signal %d", number);
    }
}

static void add_end(Buf *out, const CaseContext *context, const WorkerOutcome *outcome)
{
    switch (outcome->end) {
    case PROCESS_EXITED:
        buf_addf(out, "the process ended with status %d without a result", outcome->value);
        break;
    case PROCESS_KILLED:
        buf_add(out, STR("the process was ended by "));
        add_signal(out, outcome->value);
        break;
    case PROCESS_LATE:
        buf_add(out, STR("the process did not end"));
        if (context->timeout_ms > 0) {
            buf_addf(out, " within the time limit of %g s", context->timeout_ms / 1000.0);
        }
        break;
    case PROCESS_TOO_MANY:
        buf_add(out, STR("the process started more processes than allowed"));
        break;
    case PROCESS_NOT_STARTED:
        buf_addf(out, "starting the process failed: %s", strerror(outcome->value));
        break;
    default: /* cancelled */
        buf_add(out, STR("the run was interrupted"));
    }
}

/* What to change. There are four different limits of memory and time. */
static void add_remedy(Buf *out, const CaseContext *context, const WorkerOutcome *outcome,
                       VerdictCategory route)
{
    bool killed = outcome->end == PROCESS_KILLED;
    if (outcome->end == PROCESS_LATE) {
        buf_add(out, STR("; raise --timeout, or make the case smaller"));
    } else if (killed && outcome->value == SIGXCPU) {
        buf_add(out, STR("; it used more processor time than the time limit allows on all "
                         "processors: raise --timeout, or start fewer threads"));
    } else if (killed && outcome->value == SIGKILL) {
        buf_add(out, STR("; nobody here sent that: the system does when the machine, or its "
                         "container, runs out of memory. Run fewer workers (--jobs 1), or make the "
                         "case smaller; --mem-limit does not help"));
    } else if (route == ROUTE_OOM && context->memory > 0) {
        buf_addf(out, "; the memory limit is %" PRIu64 " MiB: raise --mem-limit",
                 context->memory >> 20);
    } else if (route == ROUTE_OOM) {
        buf_add(out, STR("; an allocation failed: raise --mem-limit"));
    }
}

Str sentence_of_death(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                      const WorkerResult *result, VerdictCategory route)
{
    Buf out = {.arena = arena};
    add_end(&out, context, outcome);
    if (outcome->end != PROCESS_NOT_STARTED) {
        add_place(&out, context, result->stage);
    }
    if (outcome->result_too_large) {
        buf_add(&out, STR("; its result was too large"));
    } else if (result->end == RESULT_BROKEN && outcome->end == PROCESS_EXITED) {
        buf_add(&out, STR("; what it sent is not a valid result"));
    }
    add_remedy(&out, context, outcome, route);
    return buf_str(&out);
}

Str sentence_of_late_death(Arena *arena, const WorkerOutcome *outcome)
{
    Buf out = {.arena = arena};
    if (outcome->end == PROCESS_KILLED) {
        buf_add(&out, STR("after the comparison the process was ended by "));
        add_signal(&out, outcome->value);
    } else {
        buf_addf(&out, "after the comparison the process ended with status %d", outcome->value);
    }
    return buf_str(&out);
}

const char *fallback_pattern(Str log)
{
    static const struct {
        const char *folded, *shown;
    } patterns[] = {
        {"jit execution failed", "JIT execution failed"},
        {"errcode:", "ErrCode:"},
        {"traceback (most recent call last)", "Traceback (most recent call last)"},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (text_contains_folded(log, str_from(patterns[i].folded))) {
            return patterns[i].shown;
        }
    }
    return NULL;
}
