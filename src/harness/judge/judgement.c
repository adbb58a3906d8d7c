/* Judgement: from case results to checks, modes and the whole; see judgement.h. */
#include "harness/judge/judgement.h"

const char *fingerprint_name(Divergence fingerprint)
{
    static const char *const names[] = {
        [DIVERGENCE_NPU_ONLY] = "kernel_ok_npu_only",
        [DIVERGENCE_IR] = "ir_divergence",
        [DIVERGENCE_ALL_FAIL] = "all_fail",
    };
    return names[fingerprint];
}

/* Did it run, with whatever result? */
static bool is_executed(const CaseResult *case_result)
{
    return case_result->verdict != VERDICT_SKIPPED && !case_result->blocked;
}

/* Did it fail for another reason than the environment? */
static bool is_failure(const CaseResult *case_result)
{
    return is_executed(case_result) && case_result->verdict != VERDICT_PASS;
}

static bool has_executed(const CaseModes *cases, size_t count)
{
    for (size_t i = 0; i < count * MODE_COUNT; i++) {
        if (is_executed(&cases[i / MODE_COUNT].by_mode[i % MODE_COUNT])) {
            return true;
        }
    }
    return false;
}

/* A mode that cannot run is skipped. But if a mode ran other cases, a case that it could not run is
 * an error; otherwise the run would pass without it. If any case ran in any mode, it is also an
 * error when only the kernel's process claims that a mode, which was set up, cannot run. */
static void resolve_blocked(CaseModes *cases, size_t count)
{
    bool any = has_executed(cases, count);
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        bool ran = false;
        for (size_t i = 0; i < count; i++) {
            ran = ran || is_executed(&cases[i].by_mode[mode]);
        }
        for (size_t i = 0; ran && i < count; i++) {
            CaseResult *case_result = &cases[i].by_mode[mode];
            case_result->verdict = case_result->blocked ? VERDICT_ERROR : case_result->verdict;
        }
        for (size_t i = 0; any && i < count; i++) {
            CaseResult *case_result = &cases[i].by_mode[mode];
            case_result->verdict =
                case_result->blocked && case_result->claimed ? VERDICT_ERROR : case_result->verdict;
        }
    }
}

/* --- one case */

static Check check_case(const CaseModes *result)
{
    Check check = {.result = result};
    Largest absolute = {0};
    Largest relative = {0};
    bool executed = false;
    bool failed = false;
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const CaseResult *case_result = &result->by_mode[mode];
        check.verdicts[mode] = case_result->verdict;
        executed = executed || is_executed(case_result);
        failed = failed || case_result->verdict > VERDICT_PASS;
        largest_add(&absolute, case_result->max_abs_diff, case_result->nonfinite);
        largest_add(&relative, case_result->max_rel_diff, case_result->nonfinite);
        check.nonfinite += case_result->nonfinite;
    }
    check.max_abs_diff = absolute.metric;
    check.max_rel_diff = relative.metric;
    check.passed = executed && !failed;
    check.all_close = check.passed;
    return check;
}

/* The case result with the most severe category, or NULL. Failures of the environment count only
 * with `infra`. */
static const CaseResult *worst_result(const CaseModes *result, bool infra)
{
    const CaseResult *worst = NULL;
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const CaseResult *case_result = &result->by_mode[mode];
        bool counts = is_failure(case_result) || (infra && case_result->verdict == VERDICT_ERROR);
        if (counts && (worst == NULL || case_result->category < worst->category)) {
            worst = case_result;
        }
    }
    return worst;
}

/* --- the first failure */

static void set_fingerprint(FirstFailure *first)
{
    const CaseResult *sim = &first->result->by_mode[MODE_SIM];
    const CaseResult *npu = &first->result->by_mode[MODE_NPU];
    first->basis[MODE_SIM] = is_executed(sim);
    first->basis[MODE_NPU] = is_executed(npu);
    first->fingerprint = DIVERGENCE_ALL_FAIL;
    if (is_executed(sim) && is_executed(npu) && is_failure(sim) != is_failure(npu)) {
        first->fingerprint = is_failure(npu) ? DIVERGENCE_NPU_ONLY : DIVERGENCE_IR;
    }
}

static void set_drift(FirstFailure *first)
{
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Inspection *inspection = &first->result->by_mode[mode].inspection;
        for (uint32_t i = 0; i < inspection->steps.count && !first->has_drift_onset; i++) {
            first->has_drift_onset = !inspection->steps.items[i].all_close;
            first->drift_onset_iter = inspection->steps.items[i].iter;
        }
    }
}

static void set_first(Judgement *judgement, const Check *check, const CaseResult *case_result)
{
    enum { FAR_BELOW = 100 }; /* times below rtol: then the suite may be wrong */
    FirstFailure *first = &judgement->first;
    *first = (FirstFailure){
        .present = true,
        .result = check->result,
        .category = case_result->category,
        .route = case_result->route,
        .mode = (Mode)(case_result - check->result->by_mode),
        .summary = case_result->summary,
        .symptom = case_result->blocked ? case_result->unavailable.symptom : NULL,
    };
    set_fingerprint(first);
    set_drift(first);
    first->cpu_reproducer_candidate =
        case_result->category == CATEGORY_PRECISION && !case_result->own_tolerance &&
        check->nonfinite == 0 && check->max_rel_diff.known &&
        check->max_rel_diff.value <= check->result->source->rtol / (double)FAR_BELOW;
    /* `structure` means a run that could not begin, and nothing else. */
    if (judgement->status == VERDICT_ERROR && case_result->category != CATEGORY_INFRA) {
        first->route = ROUTE_STRUCTURE;
    } else if (first->route == ROUTE_STRUCTURE) {
        first->route = ROUTE_OTHER;
    }
}

static void find_first(Judgement *judgement, bool infra)
{
    for (size_t i = 0; i < judgement->count && !judgement->first.present; i++) {
        const CaseResult *case_result = worst_result(judgement->checks[i].result, infra);
        if (case_result != NULL) {
            set_first(judgement, &judgement->checks[i], case_result);
        }
    }
}

/* A failure that belongs to no case. */
static void set_error(Judgement *judgement, const RunError *error)
{
    judgement->status = VERDICT_ERROR;
    judgement->first = (FirstFailure){
        .present = true,
        .category = error->category,
        .route = error->route,
        .fingerprint = DIVERGENCE_ALL_FAIL,
        .summary = error->summary,
        .symptom = error->symptom,
    };
}

/* --- the whole */

static void set_modes(Judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++) {
        for (int mode = 0; mode < MODE_COUNT; mode++) {
            const CaseResult *case_result = &judgement->checks[i].result->by_mode[mode];
            if (case_result->verdict > judgement->modes[mode]) {
                judgement->modes[mode] = case_result->verdict;
            }
            if (case_result->blocked && judgement->unavailable[mode].reason.length == 0) {
                judgement->unavailable[mode] = case_result->unavailable;
            }
        }
    }
}

static void set_nothing_ran(Arena *arena, Judgement *judgement)
{
    Buf out = {.arena = arena};
    RunError error = {CATEGORY_INFRA, ROUTE_OTHER, STR(""), NULL};
    buf_add(&out, STR("no requested mode could run"));
    const char *separator = ": ";
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Unavailable *why = &judgement->unavailable[mode];
        if (why->reason.length > 0) {
            buf_addf(&out, "%s%s: %.*s", separator, mode_name((Mode)mode), STR_ARG(why->reason));
            separator = "; ";
            error.symptom = error.symptom == NULL ? why->symptom : error.symptom;
        }
    }
    error.summary = buf_str(&out);
    set_error(judgement, &error);
}

/* Which kinds of case results there are. */
typedef struct Tally {
    bool executed, failed, dispatched, blocked;
} Tally;

static Tally tally_of(const CaseModes *cases, size_t count)
{
    Tally tally = {0};
    for (size_t i = 0; i < count * MODE_COUNT; i++) {
        const CaseResult *case_result = &cases[i / MODE_COUNT].by_mode[i % MODE_COUNT];
        tally.executed = tally.executed || is_executed(case_result);
        tally.failed = tally.failed || is_failure(case_result);
        tally.dispatched =
            tally.dispatched || (is_executed(case_result) && case_result->dispatched);
        tally.blocked =
            tally.blocked || (case_result->blocked && case_result->verdict == VERDICT_ERROR);
    }
    return tally;
}

static void set_status(Arena *arena, Judgement *judgement, Tally tally)
{
    const RunError no_case = {CATEGORY_STRUCTURAL, ROUTE_STRUCTURE, STR("no case selected"), NULL};
    if (judgement->count == 0) {
        set_error(judgement, &no_case);
    } else if (tally.failed) {
        judgement->status = tally.dispatched ? VERDICT_FAIL : VERDICT_ERROR;
        find_first(judgement, false);
    } else if (tally.blocked) {
        judgement->status = VERDICT_ERROR;
        find_first(judgement, true);
    } else if (!tally.executed) {
        set_nothing_ran(arena, judgement);
    } else {
        judgement->status = VERDICT_PASS;
    }
}

/* Does an input have no elements? Then the case shows nothing. */
static bool is_empty(const InputFacts *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        const LeafShape *shape = &inputs->items[i].shape;
        for (uint32_t axis = 0; axis < shape->rank; axis++) {
            if (shape->extents[axis] == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Patterns over the cases whose values were compared: right in all modes that ran, or wrong in
 * one. */
static void find_patterns(Arena *arena, Judgement *judgement)
{
    PatternCase *compared = ARENA_ARRAY(arena, PatternCase, judgement->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < judgement->count; i++) {
        const Check *check = &judgement->checks[i];
        const CaseResult *worst = worst_result(check->result, false);
        const CaseResult *sim = &check->result->by_mode[MODE_SIM];
        const CaseResult *npu = &check->result->by_mode[MODE_NPU];
        bool is_wrong = worst != NULL && worst->category == CATEGORY_PRECISION;
        const InputFacts *inputs = sim->inputs.count > 0 ? &sim->inputs : &npu->inputs;
        bool is_right = check->passed && check->result->source->precision && !is_empty(inputs);
        if (is_wrong || is_right) {
            compared[count++] = (PatternCase){inputs, is_wrong ? &worst->leaves : NULL, is_wrong};
        }
    }
    judgement->patterns = case_patterns_find(arena, compared, count);
}

void judge(Arena *arena, CaseModes *cases, size_t count, const RunError *error,
           Judgement *judgement)
{
    *judgement = (Judgement){.checks = ARENA_ARRAY(arena, Check, count + 1), .count = count};
    resolve_blocked(cases, count);
    for (size_t i = 0; i < count; i++) {
        judgement->checks[i] = check_case(&cases[i]);
        judgement->passed += judgement->checks[i].passed;
    }
    set_modes(judgement);
    if (error != NULL) {
        set_error(judgement, error);
    } else {
        set_status(arena, judgement, tally_of(cases, count));
        find_patterns(arena, judgement);
    }
}

int judgement_exit_status(const Judgement *judgement)
{
    return judgement->status == VERDICT_PASS ? 0 : judgement->status == VERDICT_FAIL ? 1 : 2;
}

Str judgement_summary_line(Arena *arena, const Judgement *judgement, Str report)
{
    Buf out = {.arena = arena};
    buf_addf(&out, "status=%s cases=%zu/%zu modes=", verdict_name(judgement->status),
             judgement->passed, judgement->count);
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        buf_addf(&out, "%s%s:%s", mode > 0 ? "," : "", mode_name((Mode)mode),
                 verdict_name(judgement->modes[mode]));
    }
    buf_addf(&out, " report=%.*s", STR_ARG(report));
    return buf_str(&out);
}
