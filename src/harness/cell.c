/* Cells: from a worker's result and end to a verdict; see cell.h. */
#include "harness/cell.h"

#include "base/utf8.h"
#include "harness/cell_reading.h"
#include "harness/cell_sentences.h"
#include "harness/middle_cut.h"

void cell_fail(CellReading *reading, Verdict verdict, Category category, VerdictCategory route,
               Str summary)
{
    Cell *cell = reading->cell;
    cell->verdict = verdict;
    cell->category = category;
    cell->route = route;
    cell->summary = summary;
}

void cell_warn(CellReading *reading, Str sentence)
{
    VEC_PUSH(reading->arena, &reading->cell->warnings, sentence);
}

void cell_block(CellReading *reading, const Symptom *symptom, Str told)
{
    Cell *cell = reading->cell;
    Str reason = symptom == NULL ? told : str_from(symptom->cause.en);
    if (symptom != NULL && told.length > 0) {
        reason = str_format(reading->arena, "%s (%.*s)", symptom->cause.en, STR_ARG(told));
    }
    cell_fail(reading, VERDICT_SKIPPED, CATEGORY_INFRA, ROUTE_OTHER, reason);
    cell->blocked = true;
    cell->claimed = reading->result.stage >= STAGE_IMPLEMENTATION;
    cell->dispatched = false;
    cell->unavailable = (Unavailable){reason, symptom};
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

static Str kept_log(Arena *arena, const Barrier *barrier, Str log)
{
    enum { MARKER = 64 }; /* of a cut, on top of the limit */
    Str text = barrier_filter(arena, barrier, valid_utf8(arena, log));
    if (text.length <= WORKER_LOG_LIMIT + MARKER) {
        return text;
    }
    MiddleCut cut;
    middle_cut_init(&cut, arena, WORKER_LOG_LIMIT);
    middle_cut_add(&cut, text.at, text.length);
    return valid_utf8(arena, middle_cut_text(&cut, arena));
}

/* --- warnings */

static void add_warnings(CellReading *reading)
{
    const WorkerResult *result = &reading->result;
    const WorkerOutcome *outcome = reading->outcome;
    for (uint32_t i = 0; i < result->modified_inputs.count; i++) {
        cell_warn(reading, str_format(reading->arena, "the wrapper changed the input %.*s",
                                      STR_ARG(result->modified_inputs.items[i])));
    }
    if (result->golden_differs) {
        cell_warn(reading,
                  STR("the reference is not deterministic: a second run gave other values"));
    }
    for (uint32_t i = 0; i < result->warnings.count; i++) {
        Str told =
            barrier_message(reading->arena, reading->context->barrier, result->warnings.items[i]);
        if (told.length > 0) {
            cell_warn(reading, told);
        }
    }
    if (outcome->end == PROCESS_KILLED || (outcome->end == PROCESS_EXITED && outcome->value != 0)) {
        cell_warn(reading, sentence_of_late_death(reading->arena, outcome));
    }
}

/* --- the whole */

static void judge_result(CellReading *reading)
{
    switch (reading->result.end) {
    case RESULT_COMPARED:
        cell_judge_comparison(reading);
        add_warnings(reading);
        break;
    case RESULT_RAISED:
        if (reading->context->kind == CELL_TESTS &&
            str_is(reading->result.type, "AssertionError")) {
            cell_judge_assertion(reading);
        } else {
            cell_judge_raised(reading);
        }
        break;
    case RESULT_CONTRACT:
        cell_judge_contract(reading);
        break;
    case RESULT_UNAVAILABLE:
        cell_block(reading, symptom_find(reading->result.message, reading->context->mode, true),
                   sentence_of_raised(reading->arena, reading->context, &reading->result));
        break;
    case RESULT_NONE:
    case RESULT_BROKEN:
        cell_judge_death(reading);
        break;
    }
}

void cell_skip(Cell *cell, const Unavailable *why)
{
    *cell = (Cell){.category = CATEGORY_NONE, .route = ROUTE_OTHER, .launches = -1, .ops = -1};
    if (why != NULL) {
        cell->category = CATEGORY_INFRA;
        cell->blocked = true;
        cell->unavailable = *why;
        cell->summary = why->reason;
    }
}

void cell_read(Arena *arena, const CellContext *context, const WorkerOutcome *outcome, Cell *cell)
{
    CellReading reading = {arena, context, outcome, {0}, cell};
    cell_skip(cell, NULL);
    if (outcome->end == PROCESS_CANCELLED) {
        return;
    }
    worker_result_read(arena, outcome->result, &reading.result);
    cell->own_tolerance = context->kind == CELL_TESTS;
    cell->launches = reading.result.launches;
    cell->ops = reading.result.ops;
    cell->environment = reading.result.environment;
    cell->findings = reading.result.findings;
    cell->code = reading.result.code;
    cell->raised_at = reading.result.raised_at;
    cell->seconds = reading.result.seconds;
    cell->repeat = reading.result.repeat;
    cell->seconds.total = outcome->seconds;
    cell->log = kept_log(arena, context->barrier, outcome->log);
    /* Beyond a limit it is an error, whatever it told before. */
    if (outcome->end == PROCESS_LATE || outcome->end == PROCESS_TOO_MANY) {
        cell_judge_death(&reading);
    } else {
        judge_result(&reading);
    }
}

bool probe_read(Arena *arena, const WorkerOutcome *outcome, Mode mode, Unavailable *why)
{
    const CellContext context = {.kind = CELL_SELF_TEST, .mode = mode};
    WorkerResult result;
    worker_result_read(arena, outcome->result, &result);
    if (result.end == RESULT_COMPARED && outcome->end == PROCESS_EXITED) {
        return true;
    }
    Cell cell;
    cell_read(arena, &context, outcome, &cell);
    *why = cell.unavailable;
    if (!cell.blocked) { /* it died or raised: as no kernel ran, it is the environment */
        *why = (Unavailable){cell.summary, symptom_find(cell.log, mode, true)};
    }
    return false;
}
