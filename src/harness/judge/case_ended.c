/* Case results without a comparison: exceptions, missing names, and processes that died. */
#include "harness/judge/case_reading.h"
#include "harness/judge/case_sentences.h"

#include <signal.h>

/* --- what was raised */

/* For a failure before the case began. NULL: it was not caused by a limit. */
static const Symptom *symptom_of_setup(VerdictCategory route)
{
    return route == ROUTE_OOM       ? symptom_by_id("small_memory")
           : route == ROUTE_TIMEOUT ? symptom_by_id("late_start")
                                    : NULL;
}

/* Such exceptions are mistakes of a program, whatever the log says. */
static bool is_own_mistake(Str type)
{
    static const char *const types[] = {
        "AssertionError", "AttributeError", "IndentationError", "IndexError", "KeyError",
        "NameError",      "SyntaxError",    "TypeError",        "ValueError",
    };
    return STR_IS_ANY(type, types);
}

/* The symptom that the message shows, else, on a device, the log. NULL: none. */
static const Symptom *symptom_of(const CaseReading *reading, Str message)
{
    const WorkerResult *result = &reading->result;
    Mode mode = reading->context->mode;
    bool early = result->stage <= STAGE_IMPLEMENTATION;
    const Symptom *symptom = symptom_find(message, mode, early);
    if (symptom == NULL && mode == MODE_NPU && !is_own_mistake(result->type)) {
        symptom = symptom_find(reading->case_result->log, mode, early);
    }
    return symptom;
}

void case_judge_raised(CaseReading *reading)
{
    const WorkerResult *result = &reading->result;
    CaseResult *case_result = reading->case_result;
    Stage stage = result->stage;
    Str text =
        str_format(reading->arena, "%.*s: %.*s", STR_ARG(result->type), STR_ARG(result->message));
    Sentence sentence = sentence_of_raised(reading->arena, reading->context, result);
    VerdictCategory route = str_is(result->kind, "memory")
                                ? ROUTE_OOM
                                : verdict_category_of(result->code, text, case_result->log);
    bool on_device = route == ROUTE_AICORE || route == ROUTE_TILE_SHAPE;
    const Symptom *symptom = symptom_of(reading, text);
    if (stage == STAGE_SETUP && symptom == NULL) {
        symptom = symptom_of_setup(route);
    }
    if (stage == STAGE_SETUP || str_is(result->kind, "infra") ||
        (symptom != NULL && (symptom->decisive || !on_device))) {
        case_block(reading, symptom, sentence);
        return;
    }
    bool of_kernel = stage == STAGE_IMPLEMENTATION || stage == STAGE_WRAPPER ||
                     stage == STAGE_COMPARE || stage == STAGE_UNKNOWN || stage == STAGE_DONE;
    bool contract = str_is(result->kind, "naming") || str_is(result->kind, "shape");
    case_result->dispatched = of_kernel || stage == STAGE_INSPECT;
    Category category = !of_kernel ? CATEGORY_OTHER
                        : contract ? CATEGORY_STRUCTURAL
                                   : CATEGORY_RUNTIME;
    case_fail(reading, VERDICT_ERROR, category, route, sentence);
}

void case_judge_contract(CaseReading *reading)
{
    Sentence sentence = sentence_of_raised(reading->arena, reading->context, &reading->result);
    case_fail(reading, VERDICT_ERROR, CATEGORY_STRUCTURAL, ROUTE_STRUCTURE, sentence);
}

/* --- deaths */

static VerdictCategory route_of_death(const CaseReading *reading)
{
    const WorkerOutcome *outcome = reading->outcome;
    VerdictCategory route = verdict_category_of(STR(""), STR(""), reading->case_result->log);
    if (outcome->end == PROCESS_LATE) {
        return ROUTE_TIMEOUT;
    }
    if (outcome->end != PROCESS_KILLED || route == ROUTE_OOM || route == ROUTE_AICORE) {
        return route == ROUTE_TILE_SHAPE ? ROUTE_OTHER : route;
    }
    switch (outcome->value) {
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
    case SIGSYS:
        return ROUTE_HOST_CRASH;
    case SIGKILL: /* not ours (PROCESS_LATE, PROCESS_TOO_MANY): the system's, for memory */
        return ROUTE_OOM;
    case SIGXCPU:
        return ROUTE_TIMEOUT;
    default:
        return ROUTE_OTHER;
    }
}

void case_judge_death(CaseReading *reading)
{
    const WorkerOutcome *outcome = reading->outcome;
    Stage stage = reading->result.stage;
    CaseResult *case_result = reading->case_result;
    VerdictCategory route = route_of_death(reading);
    Sentence sentence =
        sentence_of_death(reading->arena, reading->context, outcome, &reading->result, route);
    if (outcome->end == PROCESS_NOT_STARTED) {
        case_block(reading, symptom_by_id("not_started"), sentence);
        return;
    }
    /* A worker reports its stage before it touches anything of the user. */
    bool early =
        stage <= STAGE_SETUP && reading->result.end == RESULT_NONE && !outcome->result_too_large;
    const Symptom *symptom = reading->context->mode == MODE_NPU || early
                                 ? symptom_find(case_result->log, reading->context->mode, early)
                                 : NULL;
    if (early) {
        case_block(reading, symptom == NULL ? symptom_of_setup(route) : symptom, sentence);
        return;
    }
    if (symptom != NULL &&
        (symptom->decisive || (route != ROUTE_AICORE && route != ROUTE_TIMEOUT))) {
        case_block(reading, symptom, sentence);
        return;
    }
    bool of_kernel = stage == STAGE_UNKNOWN || stage >= STAGE_IMPLEMENTATION;
    case_result->dispatched = of_kernel;
    case_fail(reading, VERDICT_ERROR, of_kernel ? CATEGORY_RUNTIME : CATEGORY_OTHER, route,
              sentence);
}
