/* `tolerance`: whether a kernel beyond the tolerance of a case is to blame
 * (docs/kernel-authors/tolerance.md). A worker runs the reference again in other orders of
 * summation; this prints what came of it. */
#include "harness/tolerance.h"

#include "base/process.h"
#include "cli/cli.h"
#include "cli/json_value.h"
#include "cli/launch_options.h"
#include "cli/limit_options.h"
#include "harness/python_home.h"
#include "harness/verify_job.h"

#include <stdlib.h>

typedef struct ToleranceOptions {
    Str impl, module, suite, op_dir, modes, timeout, memory, soc, profile, python;
    unsigned json; /* text or json */
    Lang lang;
} ToleranceOptions;

typedef struct Asked {
    VerifyOptions plan;
    PoolOptions pool;
    bool json;
    Lang lang;
} Asked;

static const Option rows[] = {
    TEXT_ROW(ToleranceOptions, impl, "--impl", "PATH", "implementation file of the phase",
             "该阶段的实现文件"),
    TEXT_ROW(ToleranceOptions, module, "--up-to-module", "K",
             "the phase: modules 1 to K composed (1)", "阶段：模块 1 到 K 的组合（缺省 1）"),
    TEXT_ROW(ToleranceOptions, suite, "--suite", "PATH", "the cases (./adversarial_suite.json)",
             "测试用例（./adversarial_suite.json）"),
    TEXT_ROW(ToleranceOptions, op_dir, "--op-dir", "DIR",
             "the operator directory; otherwise from the suite",
             "算子目录；缺省由用例文件的位置决定"),
    TEXT_ROW(ToleranceOptions, modes, "--modes", "LIST", "sim, npu or both (sim)",
             "sim、npu 或两者（缺省 sim）"),
    TEXT_ROW(ToleranceOptions, timeout, "--timeout", "SECONDS", "wall time of one mode (300)",
             "每种模式的时限（缺省 300）"),
    TEXT_ROW(ToleranceOptions, memory, "--mem-limit", "SIZE",
             "address space of the worker, K, M or G behind it (80 % of the memory)",
             "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"),
    CHOICE_ROW(ToleranceOptions, json, "--format", "text|json", "form of the result", "结果的格式"),
    LANG_ROW(ToleranceOptions, lang),
    TEXT_ROW(ToleranceOptions, soc, "--soc", "NAME", "the simulated hardware (910B1)",
             "模拟的硬件（缺省 910B1）"),
    WORD_ROW(ToleranceOptions, profile, "--profile", "device|strict", "see run", "见 run"),
    TEXT_ROW(ToleranceOptions, python, "--python", "PATH", "the interpreter of the worker",
             "工作进程的解释器"),
};

const OptionTable tolerance_options = OPTION_TABLE(rows, .most_words = 1);

/* --- options */

static bool read_options(Arena *arena, const ToleranceOptions *given, Str id, Asked *asked)
{
    *asked = (Asked){
        .plan = {.impl = given->impl,
                 .suite = given->suite,
                 .op_dir = given->op_dir,
                 .case_id = id,
                 .modes = given->modes.length > 0 ? given->modes : STR("sim"),
                 .has_module = given->module.length > 0,
                 .working_dir = working_directory(arena)},
        .pool = {.jobs = 1,
                 .timeout_ms = WORKER_TIMEOUT_MS,
                 .soc = given->soc,
                 .profile = given->profile,
                 .python = python_interpreter(arena, given->python)},
    };
    if (asked->plan.has_module && !phase_read(given->module, &asked->plan.module)) {
        print_error("--up-to-module takes a number from 1 to %d, not '%.*s'", PHASE_MOST_MODULES,
                    STR_ARG(given->module));
        return false;
    }
    if (!soc_option_check(arena, python_home(arena, "sim"), given->soc)) {
        return false;
    }
    asked->json = given->json != 0;
    asked->lang = asked->plan.lang = given->lang;
    return (given->timeout.length == 0 ||
            read_time_limit("--timeout", given->timeout, &asked->pool.timeout_ms)) &&
           read_size_limit("--mem-limit", given->memory, &asked->pool.memory);
}

/* --- running */

/* False after a message: the mode cannot run here. */
static bool has_means(Arena *arena, const PoolOptions *pool, Mode mode)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    if (pool->python == NULL) {
        print_error("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
        return false;
    }
    if (mode == MODE_NPU && (home == NULL || *home == '\0')) {
        print_error("mode npu cannot run here: ASCEND_HOME_PATH is not set (source the toolkit's "
                    "set_env.sh)");
        return false;
    }
    if (mode == MODE_SIM && !simulator_is_built(python_home(arena, "sim"))) {
        print_error("the simulator is not installed: it was built without Python's headers "
                    "(python3-dev)");
        return false;
    }
    return true;
}

/* Why there are no numbers; the sentence of the case result, as `verify` would write it. */
static int tell_failure(Arena *arena, const Asked *asked, const VerifyPlan *plan, Mode mode,
                        const WorkerOutcome *outcome)
{
    Redaction redaction;
    CaseResult case_result;
    CaseContext context = {.kind = RESULT_OF_CASE,
                           .mode = mode,
                           .source = &plan->cases.items[0],
                           .redaction = &redaction,
                           .timeout_ms = asked->pool.timeout_ms,
                           .memory = asked->pool.memory};
    redaction_init(&redaction, arena);
    for (uint32_t i = 0; i < plan->hidden.count; i++) {
        redaction_hide(&redaction, plan->hidden.items[i]);
    }
    for (uint32_t i = 0; i < plan->known.count; i++) {
        redaction_allow(&redaction, plan->known.items[i]);
    }
    case_result_read(arena, &context, outcome, &case_result);
    Str why = case_result.verdict == VERDICT_SKIPPED ? case_result.unavailable.reason
                                                     : case_result.summary;
    return print_error("%s: %.*s", mode_name(mode),
                       STR_ARG(why.length > 0 ? why : STR("the worker reported no numbers")));
}

/* --- JSON */

static json_t *metric(Metric value)
{
    return value.known ? json_real(value.value) : json_null();
}

static void put_difference(JsonTree *tree, json_t *object, const ToleranceDifference *difference)
{
    json_put(tree, object, "max_abs_diff", metric(difference->max_abs));
    json_put(tree, object, "max_rel_diff", metric(difference->max_rel));
    json_put(tree, object, "out_of_tolerance",
             json_integer((json_int_t)difference->out_of_tolerance));
    json_put(tree, object, "nonfinite", json_integer((json_int_t)difference->nonfinite));
    json_put(tree, object, "worst", metric(difference->worst));
}

static json_t *leaf_value(JsonTree *tree, const ToleranceLeaf *leaf)
{
    json_t *object = json_object();
    json_put(tree, object, "name", json_text(leaf->name));
    json_put(tree, object, "verdict", json_string(tolerance_verdict_name(leaf->verdict)));
    json_put(tree, object, "reason", json_string(tolerance_reason_name(leaf->reason)));
    json_put(tree, object, "elements", json_integer((json_int_t)leaf->elements));
    put_difference(tree, object, &leaf->kernel);
    json_put(tree, object, "orders_worst", metric(leaf->orders_worst));
    json_put(tree, object, "unexplained", json_integer((json_int_t)leaf->unexplained));
    json_put(tree, object, "unexplained_worst", metric(leaf->unexplained_worst));
    json_put(tree, object, "orders_unexplained",
             json_integer((json_int_t)leaf->orders_unexplained));
    json_put(tree, object, "orders_unexplained_worst", metric(leaf->orders_unexplained_worst));
    return object;
}

static json_t *order_value(JsonTree *tree, const ToleranceOrder *order, const Tolerance *tolerance)
{
    json_t *object = json_object();
    json_t *leaves = json_array();
    json_put(tree, object, "name", json_text(order->name));
    for (uint32_t i = 0; i < order->leaves.count && i < tolerance->leaves.count; i++) {
        json_t *leaf = json_object();
        json_put(tree, leaf, "name", json_text(tolerance->leaves.items[i].name));
        put_difference(tree, leaf, &order->leaves.items[i]);
        json_append(tree, leaves, leaf);
    }
    json_put(tree, object, "leaves", leaves);
    return object;
}

static json_t *tolerance_value(JsonTree *tree, Arena *arena, const Tolerance *tolerance, Mode mode)
{
    json_t *object = json_object(), *leaves = json_array(), *orders = json_array();
    json_t *reductions = json_object(), *kept = json_array();
    for (uint32_t i = 0; i < tolerance->leaves.count; i++) {
        json_append(tree, leaves, leaf_value(tree, &tolerance->leaves.items[i]));
    }
    for (uint32_t i = 0; i < tolerance->orders.count; i++) {
        json_append(tree, orders, order_value(tree, &tolerance->orders.items[i], tolerance));
    }
    for (uint32_t i = 0; i < tolerance->reductions.count; i++) {
        const ToleranceCount *count = &tolerance->reductions.items[i];
        json_put(tree, reductions, str_dup(arena, count->name),
                 json_integer((json_int_t)count->count));
    }
    for (uint32_t i = 0; i < tolerance->not_reordered.count; i++) {
        json_append(tree, kept, json_text(tolerance->not_reordered.items[i]));
    }
    json_put(tree, object, "mode", json_string(mode_name(mode)));
    json_put(tree, object, "verdict", json_string(tolerance_verdict_name(tolerance->verdict)));
    json_put(tree, object, "leaves", leaves);
    json_put(tree, object, "orders", orders);
    json_put(tree, object, "reductions", reductions);
    json_put(tree, object, "not_reordered", kept);
    return object;
}

static bool print_json(Arena *arena, const VerifyPlan *plan, const Tolerance *found,
                       const bool *ran, ToleranceVerdict verdict)
{
    const SuiteCase *source = &plan->cases.items[0];
    JsonTree tree = {0};
    json_t *root = json_object(), *modes = json_array();
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "op_name", json_text(plan->op_name));
    json_put(&tree, root, "case", json_text(source->id));
    json_put(&tree, root, "up_to_module", json_integer(plan->module));
    json_put(&tree, root, "atol", json_real(source->atol));
    json_put(&tree, root, "rtol", json_real(source->rtol));
    json_put(&tree, root, "verdict", json_string(tolerance_verdict_name(verdict)));
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (ran[mode]) {
            json_append(&tree, modes, tolerance_value(&tree, arena, &found[mode], mode));
        }
    }
    json_put(&tree, root, "modes", modes);
    return json_print(arena, &tree, root);
}

/* --- the command */

static bool print_text(Arena *arena, const Asked *asked, const VerifyPlan *plan,
                       const Tolerance *found, ToleranceVerdict verdict)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (plan->modes[mode]) {
            tolerance_text(&out, &found[mode], &plan->cases.items[0], mode_name(mode), asked->lang);
        }
    }
    buf_addf(&out, "verdict=%s\n", tolerance_verdict_name(verdict));
    return print_all(buf_str(&out));
}

/* All modes, then what came of them; the worst verdict counts. */
static int run(Arena *arena, const Asked *asked, const VerifyPlan *plan)
{
    Tolerance found[MODE_COUNT] = {0};
    ToleranceVerdict verdict = TOLERANCE_NONE;
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (!plan->modes[mode]) {
            continue;
        }
        WorkerOutcome outcome;
        WorkerJob job = verify_tolerance(arena, plan, &plan->cases.items[0], mode);
        if (!has_means(arena, &asked->pool, mode)) {
            return EXIT_ERROR;
        }
        int number = pool_run(arena, &asked->pool, &job, 1, &outcome);
        if (number != 0) {
            return process_end_by(number);
        }
        WorkerResult told;
        worker_result_read(arena, outcome.result, &told);
        if (told.launches == 0 || !tolerance_read(arena, outcome.result, &found[mode])) {
            return tell_failure(arena, asked, plan, mode, &outcome);
        }
        verdict = found[mode].verdict > verdict ? found[mode].verdict : verdict;
    }
    bool printed = asked->json ? print_json(arena, plan, found, plan->modes, verdict)
                               : print_text(arena, asked, plan, found, verdict);
    return !printed || verdict == TOLERANCE_NONE ? EXIT_ERROR
           : verdict == TOLERANCE_INNOCENT       ? EXIT_CLEAN
                                                 : EXIT_FINDINGS;
}

int command_tolerance(const Command *self, Arena *arena, int argc, char **argv)
{
    ToleranceOptions given = {.lang = default_lang()};
    Words words;
    Asked asked;
    int status = command_read(self, arena, &given, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("tolerance needs the id of a case (see pypto-lint help tolerance)");
    }
    if (!read_options(arena, &given, str_from(words.items[0]), &asked)) {
        return EXIT_ERROR;
    }
    VerifyPlan *plan = ARENA_NEW(arena, VerifyPlan);
    switch (verify_plan_make(plan, arena, &asked.plan)) {
    case PLANNED_REFUSED:
        return print_error("%.*s", STR_ARG(plan->refusal));
    case PLANNED_ERROR:
        return print_error("%.*s", STR_ARG(plan->error.summary));
    default:
        break;
    }
    if (plan->kind != RESULT_OF_CASE || plan->cases.count == 0) {
        return print_error("tolerance needs a suite with that case and eval/test_inputs.py");
    }
    return run(arena, &asked, plan);
}
