/* Verification; see verify.h. */
#include "harness/verify.h"

#include "base/clock.h"
#include "base/path.h"
#include "harness/cluster.h"
#include "harness/python_home.h"
#include "harness/source_watch.h"
#include "harness/verify_job.h"

#include <stdlib.h>

typedef struct Running {
    Verification *verification;
    Arena *arena;
    const PoolOptions *options;
    Str scheduler;
    Redaction redaction;
    bool able[MODE_COUNT]; /* of the modes asked for */
    Unavailable why[MODE_COUNT];
    SourceWatch sources; /* before anything ran */
} Running;

/* --- the lint gate */

static void check_lint(Running *running, const VerifyOptions *asked)
{
    Verification *verification = running->verification;
    const VerifyPlan *plan = &verification->plan;
    LintFiles files = {.op_dir = plan->op_dir,
                       .impl = plan->impl,
                       .impl_as = plan->impl_as,
                       .inspects = plan->inspectable,
                       .lang = LANG_EN};
    Str others[] = {plan->inputs, plan->test_file};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].length > 0) {
            VEC_PUSH(running->arena, &files.others, others[i]);
        }
    }
    LintGate *gate = &verification->lint;
    lint_gate_check(gate, running->arena, &files);
    verification->linted = true;
    LintCount *counts = ARENA_ARRAY(running->arena, LintCount, gate->rules.count + 1);
    for (uint32_t i = 0; i < gate->rules.count; i++) {
        counts[i] =
            (LintCount){str_from(gate->rules.items[i].rule->id), gate->rules.items[i].count};
    }
    bool stops = gate->blocking > 0 || gate->error.length > 0;
    verification->facts.lint = (LintRecord){
        .ran = true,
        .gate = asked->no_lint_gate ? "bypassed"
                : stops             ? "blocked"
                                    : "passed",
        .blocking = gate->blocking,
        .warnings = gate->warnings,
        .rules = counts,
        .rule_count = gate->rules.count,
    };
}

static bool lint_stops(Running *running, const VerifyOptions *asked, RunError *error)
{
    const LintGate *gate = &running->verification->lint;
    if (asked->no_lint_gate || (gate->blocking == 0 && gate->error.length == 0)) {
        return false;
    }
    Str reason = redaction_message(running->arena, &running->redaction,
                                   gate->blocking > 0 ? gate->first : gate->error);
    *error = (RunError){.category = CATEGORY_STRUCTURAL,
                        .route = gate->only_tile ? ROUTE_TILE_SHAPE : ROUTE_LAYOUT};
    error->summary =
        gate->blocking > 0
            ? str_format(running->arena,
                         "the lint gate stopped the run, nothing was executed: %u blocking "
                         "finding(s), first %.*s",
                         gate->blocking, STR_ARG(reason))
            : str_format(running->arena,
                         "the lint gate could not check everything, nothing was executed: %.*s",
                         STR_ARG(reason));
    return true;
}

/* --- running */

static int run_jobs(Running *running, const PoolOptions *options, const WorkerJob *jobs,
                    size_t count, WorkerOutcome *outcomes)
{
    if (count == 0) {
        return 0;
    }
    if (running->scheduler.length > 0) {
        return cluster_run(running->arena, options, running->scheduler, jobs, count, outcomes,
                           &running->verification->error);
    }
    return pool_run(running->arena, options, jobs, count, outcomes);
}

static void deny(Running *running, Mode mode, const char *symptom, Str reason)
{
    running->able[mode] = false;
    running->why[mode] =
        (Unavailable){.reason = reason, .symptom = symptom == NULL ? NULL : symptom_by_id(symptom)};
}

/* False when the run was interrupted or is not possible. */
static bool probe_npu(Running *running)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    if (running->scheduler.length == 0 && (home == NULL || *home == '\0')) {
        deny(running, MODE_NPU, "no_cann", STR("ASCEND_HOME_PATH is not set"));
        return true;
    }
    WorkerJob job = verify_probe(running->arena, MODE_NPU);
    WorkerOutcome outcome = {0};
    PoolOptions options = *running->options;
    options.progress = NULL;
    options.timeout_ms =
        options.timeout_ms < PROBE_TIMEOUT_MS ? options.timeout_ms : PROBE_TIMEOUT_MS;
    running->verification->signal = run_jobs(running, &options, &job, 1, &outcome);
    if (running->verification->signal != 0) {
        return false;
    }
    running->able[MODE_NPU] =
        probe_read(running->arena, &outcome, MODE_NPU, &running->why[MODE_NPU]);
    return true;
}

static bool find_means(Running *running)
{
    const VerifyPlan *plan = &running->verification->plan;
    bool local = running->scheduler.length == 0;
    memcpy(running->able, plan->modes, sizeof running->able);
    if (local && running->options->python == NULL) {
        Str reason = STR("no Python interpreter was found (--python PATH, PYPTO_LINT_PYTHON)");
        deny(running, MODE_SIM, NULL, reason);
        deny(running, MODE_NPU, NULL, reason);
        return true;
    }
    Str home = python_home(running->arena, "sim");
    if (local && plan->modes[MODE_SIM] && !simulator_is_built(home)) {
        deny(running, MODE_SIM, NULL,
             STR("the simulator is not installed: it was built without Python's headers "
                 "(python3-dev)"));
    }
    return !plan->modes[MODE_NPU] || probe_npu(running);
}

static void read_result(Running *running, const SuiteCase *source, Mode mode,
                        const WorkerOutcome *outcome, CaseResult *case_result)
{
    const VerifyPlan *plan = &running->verification->plan;
    if (!plan->modes[mode]) {
        case_result_skip(case_result, NULL);
        return;
    }
    if (!running->able[mode]) {
        case_result_skip(case_result, &running->why[mode]);
        return;
    }
    CaseContext context = {.kind = plan->kind,
                           .mode = mode,
                           .source = source,
                           .redaction = &running->redaction,
                           .timeout_ms = running->options->timeout_ms,
                           .memory = running->options->memory,
                           .outputs = &plan->outputs};
    case_result_read(running->arena, &context, outcome, case_result);
    if (source->duplicate_of.length > 0 && case_result->verdict != VERDICT_SKIPPED) {
        VEC_PUSH(running->arena, &case_result->warnings,
                 str_format(running->arena,
                            "the case is the same as %.*s but for its name and tolerances: it "
                            "tests nothing more",
                            STR_ARG(source->duplicate_of)));
    }
}

/* Every case in every mode that can run, one case's modes next to each other. */
static bool run_cases(Running *running)
{
    Verification *verification = running->verification;
    size_t most = verification->count * MODE_COUNT;
    WorkerJob *jobs = ARENA_ARRAY(running->arena, WorkerJob, most);
    WorkerOutcome *outcomes = ARENA_ARRAY(running->arena, WorkerOutcome, most);
    size_t count = 0;
    for (size_t i = 0; i < verification->count; i++) {
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            if (running->able[mode]) {
                jobs[count++] = verify_job(running->arena, &verification->plan,
                                           verification->cases[i].source, mode);
            }
        }
    }
    verification->signal = run_jobs(running, running->options, jobs, count, outcomes);
    if (verification->signal != 0) {
        return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < verification->count; i++) {
        CaseModes *result = &verification->cases[i];
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            read_result(running, result->source, mode, &outcomes[next], &result->by_mode[mode]);
            next += running->able[mode] ? 1 : 0;
        }
    }
    return true;
}

SimFindings verification_findings(Arena *arena, const Verification *verification)
{
    SimFindings findings = {0};
    for (size_t i = 0; i < verification->count; i++) {
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            sim_findings_merge(arena, &findings, &verification->cases[i].by_mode[mode].findings);
        }
    }
    return findings;
}

/* If the files change between one case and the next, no verdict means anything. True when they
 * did. */
static bool sources_changed(Running *running, RunError *error)
{
    const VerifyPlan *plan = &running->verification->plan;
    SourceWatch now = source_watch(running->arena, plan);
    Str path = source_watch_changed(&running->sources, &now);
    if (path.length == 0) {
        return false;
    }
    Str relative;
    Str name = path_below(plan->op_dir, path, &relative) ? relative : path;
    name = redaction_message(running->arena, &running->redaction, name);
    *error = (RunError){.category = CATEGORY_STRUCTURAL, .route = ROUTE_STRUCTURE};
    error->summary = str_format(running->arena,
                                "%.*s changed while the cases ran, by an editor or by the kernel "
                                "itself: nothing is known of it, run it again",
                                STR_ARG(name));
    return true;
}

/* --- the whole */

static void begin(Running *running)
{
    Verification *verification = running->verification;
    const VerifyPlan *plan = &verification->plan;
    redaction_init(&running->redaction, running->arena);
    for (uint32_t i = 0; i < plan->hidden.count; i++) {
        redaction_hide(&running->redaction, plan->hidden.items[i]);
    }
    for (uint32_t i = 0; i < plan->known.count; i++) {
        redaction_allow(&running->redaction, plan->known.items[i]);
    }
    verification->count = plan->cases.count;
    verification->cases = ARENA_ARRAY(running->arena, CaseModes, plan->cases.count + 1);
    for (size_t i = 0; i < verification->count; i++) {
        verification->cases[i].source = &plan->cases.items[i];
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            case_result_skip(&verification->cases[i].by_mode[mode], NULL);
        }
    }
    verification->facts = (ReportFacts){.op_name = plan->op_name,
                                        .impl_file = plan->impl_file,
                                        .up_to_module = plan->module,
                                        .total_modules = plan->total_modules,
                                        .one_process = plan->kind == RESULT_OF_TESTS};
}

VerifyEnd verify_run(Verification *verification, Arena *arena, Planned planned,
                     const VerifyOptions *asked, const PoolOptions *options, Str scheduler)
{
    int64_t start = clock_ns();
    Running running = {
        .verification = verification, .arena = arena, .options = options, .scheduler = scheduler};
    begin(&running);
    running.sources = source_watch(arena, &verification->plan);
    RunError error = verification->plan.error;
    bool stopped = planned == PLANNED_ERROR;
    if (!stopped) {
        check_lint(&running, asked);
        stopped = lint_stops(&running, asked, &error);
    }
    if (!stopped && (!find_means(&running) || !run_cases(&running))) {
        return verification->error.length > 0 ? VERIFY_REFUSED : VERIFY_INTERRUPTED;
    }
    stopped = stopped || sources_changed(&running, &error);
    judge(arena, verification->cases, verification->count, stopped ? &error : NULL,
          &verification->judgement);
    verification->facts.seconds = (double)(clock_ns() - start) / 1e9;
    if (!evaluation_report(arena, &verification->facts, &verification->judgement,
                           &verification->report)) {
        arena_fail(arena);
    }
    return VERIFY_JUDGED;
}
