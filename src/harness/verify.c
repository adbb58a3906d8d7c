/* Verification: from a plan to a verdict; see verify.h. */
#include "harness/verify.h"

#include "base/clock.h"
#include "base/path.h"
#include "harness/blame/blame_run.h"
#include "harness/pool/cluster.h"
#include "harness/pool/python_home.h"
#include "harness/report/evaluation_report.h"

#include <stdlib.h>

enum { PROBE_TIMEOUT_MS = 20 * 1000 };

static bool has_error(const Verification *verification)
{
    return verification->error.summary.length > 0;
}

/* --- the lint gate */

static void check_lint(Verification *verification)
{
    Arena *arena = verification->arena;
    LintGate *gate = &verification->lint;
    LintFiles files = {.op_dir = verification->op_dir,
                       .impl = verification->impl,
                       .impl_as = verification->impl_as,
                       .inspects = verification->inspectable,
                       .lang = LANG_EN};
    const Str others[] = {verification->inputs, verification->test_file};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].length > 0) {
            VEC_PUSH(arena, &files.others, others[i]);
        }
    }
    lint_gate_check(gate, arena, &files);
    verification->linted = true;
    if (!lint_gate_stops(gate) || verification->asked.no_lint_gate) {
        return;
    }
    Str reason = redaction_message(arena, &verification->redaction,
                                   gate->blocking > 0 ? gate->first : gate->error);
    verification->error = (RunError){.category = CATEGORY_STRUCTURAL,
                                     .route = gate->only_tile ? ROUTE_TILE_SHAPE : ROUTE_LAYOUT};
    verification->error.summary =
        gate->blocking > 0
            ? str_format(arena,
                         "the lint gate stopped the run, nothing was executed: %u blocking "
                         "finding(s), first %.*s",
                         gate->blocking, STR_ARG(reason))
            : str_format(arena,
                         "the lint gate could not check everything, nothing was executed: %.*s",
                         STR_ARG(reason));
}

/* --- running */

static bool is_local(const Verification *verification)
{
    return verification->asked.scheduler.length == 0;
}

/* False when the run was interrupted or is not possible. */
static bool run_jobs(Verification *verification, const PoolOptions *options, const WorkerJob *jobs,
                     size_t count, WorkerOutcome *outcomes)
{
    Arena *arena = verification->arena;
    if (count == 0) {
        return true;
    }
    verification->signal = is_local(verification)
                               ? pool_run(arena, options, jobs, count, outcomes)
                               : cluster_run(arena, options, verification->asked.scheduler, jobs,
                                             count, outcomes, &verification->refusal);
    return verification->signal == 0;
}

static void deny(Verification *verification, Mode mode, const char *symptom, Str reason)
{
    verification->able[mode] = false;
    verification->why[mode] =
        (Unavailable){.reason = reason, .symptom = symptom == NULL ? NULL : symptom_by_id(symptom)};
}

/* False when the run was interrupted or is not possible. */
static bool probe_npu(Verification *verification)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    if (is_local(verification) && (home == NULL || *home == '\0')) {
        deny(verification, MODE_NPU, "no_cann", STR("ASCEND_HOME_PATH is not set"));
        return true;
    }
    WorkerJob job = verify_probe(verification->arena);
    WorkerOutcome outcome = {0};
    PoolOptions options = verification->asked.pool;
    options.progress = NULL;
    options.timeout_ms =
        options.timeout_ms < PROBE_TIMEOUT_MS ? options.timeout_ms : PROBE_TIMEOUT_MS;
    if (!run_jobs(verification, &options, &job, 1, &outcome)) {
        return false;
    }
    verification->able[MODE_NPU] =
        probe_read(verification->arena, &outcome, MODE_NPU, &verification->why[MODE_NPU]);
    return true;
}

/* Settles which modes can run; false when the run was interrupted or is not possible. */
static bool find_means(Verification *verification)
{
    bool local = is_local(verification);
    memcpy(verification->able, verification->modes, sizeof verification->able);
    if (local && verification->asked.pool.python == NULL) {
        Str reason = STR("no Python interpreter was found (--python PATH, PYPTO_LINT_PYTHON)");
        deny(verification, MODE_SIM, NULL, reason);
        deny(verification, MODE_NPU, NULL, reason);
        return true;
    }
    Str home = python_home(verification->arena, "sim");
    if (local && verification->modes[MODE_SIM] && !simulator_is_built(home)) {
        deny(verification, MODE_SIM, NULL,
             STR("the simulator is not installed: it was built without Python's headers "
                 "(python3-dev)"));
    }
    return !verification->modes[MODE_NPU] || probe_npu(verification);
}

CaseContext verify_context(const Verification *verification, const SuiteCase *source, Mode mode)
{
    return (CaseContext){.kind = verification->kind,
                         .mode = mode,
                         .source = source,
                         .redaction = &verification->redaction,
                         .timeout_ms = verification->asked.pool.timeout_ms,
                         .memory = verification->asked.pool.memory,
                         .outputs = &verification->outputs};
}

static void read_result(Verification *verification, const SuiteCase *source, Mode mode,
                        const WorkerOutcome *outcome, CaseResult *case_result)
{
    Arena *arena = verification->arena;
    if (!verification->able[mode]) {
        case_result_skip(case_result, verification->modes[mode] ? &verification->why[mode] : NULL);
        return;
    }
    CaseContext context = verify_context(verification, source, mode);
    case_result_read(arena, &context, outcome, case_result);
    if (source->duplicate_of.length > 0 && case_result->verdict != VERDICT_SKIPPED) {
        VEC_PUSH(arena, &case_result->warnings,
                 str_format(arena,
                            "the case is the same as %.*s but for its name and tolerances: it "
                            "tests nothing more",
                            STR_ARG(source->duplicate_of)));
    }
}

/* Every case in every mode that can run, one case's modes next to each other. */
static bool run_cases(Verification *verification)
{
    const SuiteCases *cases = &verification->cases;
    size_t most = (size_t)cases->count * MODE_COUNT;
    WorkerJob *jobs = ARENA_ARRAY(verification->arena, WorkerJob, most);
    WorkerOutcome *outcomes = ARENA_ARRAY(verification->arena, WorkerOutcome, most);
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        Mode mode = (Mode)(i % MODE_COUNT);
        if (verification->able[mode]) {
            jobs[count++] = verify_job(verification, &cases->items[i / MODE_COUNT], mode, NULL);
        }
    }
    if (!run_jobs(verification, &verification->asked.pool, jobs, count, outcomes)) {
        return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < most; i++) {
        Mode mode = (Mode)(i % MODE_COUNT);
        CaseModes *result = &verification->results[i / MODE_COUNT];
        read_result(verification, result->source, mode, &outcomes[next], &result->by_mode[mode]);
        next += verification->able[mode] ? 1 : 0;
    }
    return true;
}

SimFindings verification_findings(Arena *arena, const Verification *verification)
{
    FindingSum sum = {0};
    for (size_t i = 0; i < verification->judgement.count; i++) {
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            uint32_t before = sum.findings.count;
            sim_findings_merge(arena, &sum, &verification->results[i].by_mode[mode].findings);
            for (uint32_t k = before; k < sum.findings.count; k++) {
                sum.findings.items[k].first = verification->results[i].source->id;
            }
        }
    }
    return sum.findings;
}

/* If the files change between one case and the next, no verdict means anything. */
static void check_sources(Verification *verification)
{
    Arena *arena = verification->arena;
    Strs files = verify_files(verification);
    SourceWatch now = source_watch(arena, verification->op_dir, &files);
    Str path = source_watch_changed(&verification->sources, &now);
    if (path.length == 0) {
        return;
    }
    Str relative;
    Str name = path_below(verification->op_dir, path, &relative) ? relative : path;
    name = redaction_message(arena, &verification->redaction, name);
    verification->error = (RunError){.category = CATEGORY_STRUCTURAL, .route = ROUTE_STRUCTURE};
    verification->error.summary =
        str_format(arena,
                   "%.*s changed while the cases ran, by an editor or by the kernel itself: "
                   "nothing is known of it, run it again",
                   STR_ARG(name));
}

/* --- the whole */

static void begin(Verification *verification)
{
    Arena *arena = verification->arena;
    const SuiteCases *cases = &verification->cases;
    Strs files = verify_files(verification);
    verification->sources = source_watch(arena, verification->op_dir, &files);
    verification->hashes = run_hashes(verification);
    verification->results = ARENA_ARRAY(arena, CaseModes, cases->count);
    for (uint32_t i = 0; i < cases->count; i++) {
        verification->results[i].source = &cases->items[i];
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            case_result_skip(&verification->results[i].by_mode[mode], NULL);
        }
    }
}

static void compare_with_baseline(Verification *verification)
{
    const VerifyRequest *asked = &verification->asked;
    if (asked->baseline != NULL) {
        RunRecord now = run_record_of(verification);
        bool partial = asked->case_id.length > 0 || asked->levels.length > 0;
        verification->diff = run_diff(verification->arena, asked->baseline, &now, partial);
    }
}

VerifyEnd verify_run(Verification *verification)
{
    int64_t start = clock_ns();
    begin(verification);
    if (!has_error(verification)) {
        check_lint(verification);
    }
    if (!has_error(verification)) {
        if (!find_means(verification) || !run_cases(verification)) {
            return verification->refusal.length > 0 ? VERIFY_REFUSED : VERIFY_INTERRUPTED;
        }
        check_sources(verification);
    }
    judge(verification->arena, verification->results, verification->cases.count,
          has_error(verification) ? &verification->error : NULL, &verification->judgement);
    if (!has_error(verification) && !blame_run(verification)) {
        return VERIFY_INTERRUPTED;
    }
    verification->seconds = (double)(clock_ns() - start) / 1e9;
    compare_with_baseline(verification);
    if (!evaluation_report(verification, &verification->report)) {
        arena_fail(verification->arena);
    }
    return VERIFY_JUDGED;
}
