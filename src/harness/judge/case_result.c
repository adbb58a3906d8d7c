/* Case results: from a worker's result and end to a verdict; see case_result.h. */
#include "harness/judge/case_result.h"

#include "base/middle_cut.h"
#include "base/utf8.h"
#include "harness/judge/case_reading.h"
#include "harness/judge/case_sentences.h"

void case_fail(CaseReading *reading, Verdict verdict, Category category, VerdictCategory route,
               Sentence summary)
{
    CaseResult *case_result = reading->case_result;
    case_result->verdict = verdict;
    case_result->category = category;
    case_result->route = route;
    case_result->summary = summary.en;
    case_result->summary_zh = summary.zh;
}

void case_warn(CaseReading *reading, Str sentence)
{
    VEC_PUSH(reading->arena, &reading->case_result->warnings, sentence);
}

void case_block(CaseReading *reading, const Symptom *symptom, Sentence detail)
{
    CaseResult *case_result = reading->case_result;
    Sentence reason = detail;
    if (symptom != NULL && detail.en.length > 0) {
        Str zh = detail.zh.length > 0 ? detail.zh : detail.en;
        reason.en = str_format(reading->arena, "%s (%.*s)", symptom->cause.en, STR_ARG(detail.en));
        reason.zh = str_format(reading->arena, "%s（%.*s）", symptom->cause.zh, STR_ARG(zh));
    } else if (symptom != NULL) {
        reason = (Sentence){str_from(symptom->cause.en), str_from(symptom->cause.zh)};
    }
    case_fail(reading, VERDICT_SKIPPED, CATEGORY_INFRA, ROUTE_OTHER, reason);
    case_result->blocked = true;
    case_result->claimed = reading->result.stage >= STAGE_IMPLEMENTATION;
    case_result->dispatched = false;
    case_result->unavailable = (Unavailable){reason.en, symptom};
}

/* --- the log */

static Str valid_utf8(Arena *arena, Str text)
{
    if (utf8_first_error(text) == SIZE_MAX) {
        return text;
    }
    Buf out = {.arena = arena};
    for (size_t at = 0; at < text.length;) {
        utf8_add(&out, utf8_next(text, &at));
    }
    return buf_str(&out);
}

static Str kept_log(Arena *arena, const Redaction *redaction, Str log)
{
    enum { MARKER = 64 }; /* the line about the cut is not part of the limit */
    Str text = redaction_filter(arena, redaction, valid_utf8(arena, log));
    if (text.length <= WORKER_LOG_LIMIT + MARKER) {
        return text;
    }
    MiddleCut cut;
    middle_cut_init(&cut, arena, WORKER_LOG_LIMIT / 2, WORKER_LOG_LIMIT / 2);
    middle_cut_add(&cut, text.at, text.length);
    return valid_utf8(arena, middle_cut_text(&cut, arena));
}

/* --- warnings */

static void add_warnings(CaseReading *reading)
{
    const WorkerResult *result = &reading->result;
    const WorkerOutcome *outcome = reading->outcome;
    for (uint32_t i = 0; i < result->modified_inputs.count; i++) {
        case_warn(reading, str_format(reading->arena, "the wrapper changed the input %.*s",
                                      STR_ARG(result->modified_inputs.items[i])));
    }
    if (result->golden_differs) {
        case_warn(reading,
                  STR("the reference is not deterministic: a second run gave other values"));
    }
    for (uint32_t i = 0; i < result->warnings.count; i++) {
        Str warning = redaction_message(reading->arena, reading->context->redaction,
                                        result->warnings.items[i]);
        if (warning.length > 0) {
            case_warn(reading, warning);
        }
    }
    if (outcome->end == PROCESS_KILLED || (outcome->end == PROCESS_EXITED && outcome->value != 0)) {
        case_warn(reading, sentence_of_late_death(reading->arena, outcome));
    }
}

/* --- the whole */

static void judge_result(CaseReading *reading)
{
    switch (reading->result.end) {
    case RESULT_COMPARED:
        case_judge_comparison(reading);
        add_warnings(reading);
        break;
    case RESULT_RAISED:
        if (reading->context->kind == RESULT_OF_TESTS &&
            str_is(reading->result.type, "AssertionError")) {
            case_judge_assertion(reading);
        } else {
            case_judge_raised(reading);
        }
        break;
    case RESULT_CONTRACT:
        case_judge_contract(reading);
        break;
    case RESULT_UNAVAILABLE:
        case_block(reading, symptom_find(reading->result.message, reading->context->mode, true),
                   sentence_of_raised(reading->arena, reading->context, &reading->result));
        break;
    case RESULT_NONE:
    case RESULT_BROKEN:
        case_judge_death(reading);
        break;
    }
}

void case_result_skip(CaseResult *case_result, const Unavailable *why)
{
    *case_result =
        (CaseResult){.category = CATEGORY_NONE, .route = ROUTE_OTHER, .launches = -1, .ops = -1};
    if (why != NULL) {
        case_result->category = CATEGORY_INFRA;
        case_result->blocked = true;
        case_result->unavailable = *why;
        case_result->summary = why->reason;
    }
}

void case_result_read(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                      CaseResult *case_result)
{
    CaseReading reading = {arena, context, outcome, {0}, case_result};
    case_result_skip(case_result, NULL);
    if (outcome->end == PROCESS_CANCELLED) {
        return;
    }
    worker_result_read(arena, outcome->result, &reading.result);
    case_result->own_tolerance = context->kind == RESULT_OF_TESTS;
    case_result->launches = reading.result.launches;
    case_result->ops = reading.result.ops;
    case_result->environment = reading.result.environment;
    case_result->findings = reading.result.findings;
    case_result->code = reading.result.code;
    case_result->raised_at = reading.result.raised_at;
    case_result->seconds = reading.result.seconds;
    case_result->repeat = reading.result.repeat;
    case_result->inputs = reading.result.inputs;
    case_result->seconds.total = outcome->seconds;
    case_result->log = kept_log(arena, context->redaction, outcome->log);
    /* Beyond a limit it is an error, whatever it reported before. */
    if (outcome->end == PROCESS_LATE || outcome->end == PROCESS_TOO_MANY) {
        case_judge_death(&reading);
    } else {
        judge_result(&reading);
    }
}

bool probe_read(Arena *arena, const WorkerOutcome *outcome, Mode mode, Unavailable *why)
{
    const CaseContext context = {.kind = RESULT_OF_SELF_TEST, .mode = mode};
    WorkerResult result;
    worker_result_read(arena, outcome->result, &result);
    if (result.end == RESULT_COMPARED && outcome->end == PROCESS_EXITED) {
        return true;
    }
    CaseResult case_result;
    case_result_read(arena, &context, outcome, &case_result);
    *why = case_result.unavailable;
    if (!case_result.blocked) { /* it died or raised; no kernel ran, so it is the environment */
        *why = (Unavailable){case_result.summary, symptom_find(case_result.log, mode, true)};
    }
    return false;
}
