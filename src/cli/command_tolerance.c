/* `tolerance`: whether a kernel beyond the tolerance of a case is to blame
 * (docs/kernel-authors/tolerance.md). A worker runs the reference again in other orders of
 * summation; this prints its numbers. */
#include "harness/judge/tolerance.h"

#include "cli/cli.h"
#include "cli/command_verify_options.h"
#include "cli/launch_options.h"
#include "cli/progress.h"
#include "process/process.h"

static const Option rows[] = {
    VERIFY_PLACE_ROWS,
    TEXT_ROW(VerifyCommand, asked.modes, "--modes", "LIST", "sim, npu or both (sim)",
             "sim、npu 或两者（缺省 sim）"),
    TEXT_ROW(VerifyCommand, timeout, "--timeout", "SECONDS", "wall time of one mode (300)",
             "每种模式的时限（缺省 300）"),
    TEXT_ROW(VerifyCommand, memory, "--mem-limit", "SIZE",
             "address space of the worker, in bytes or with K, M or G (80 % of the memory)",
             "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"),
    CHOICE_ROW(VerifyCommand, format, "--format", "text|json", "format of the result",
               "结果的格式"),
    LANG_ROW(VerifyCommand, asked.lang),
    VERIFY_SIMULATOR_ROWS,
    TEXT_ROW(VerifyCommand, python, "--python", "PATH", "the interpreter of the worker",
             "工作进程的解释器"),
};

const OptionTable tolerance_options = OPTION_TABLE(rows, .most_words = 1);

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

static bool print_json(const Verification *plan, const Tolerance *found, ToleranceVerdict verdict)
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
        if (plan->modes[mode]) {
            json_append(&tree, modes, tolerance_value(&tree, plan->arena, &found[mode], mode));
        }
    }
    json_put(&tree, root, "modes", modes);
    return json_print(plan->arena, &tree, root);
}

/* --- the command */

static bool print_text(const Verification *plan, const Tolerance *found, ToleranceVerdict verdict)
{
    Buf out = {.arena = plan->arena};
    buf_add(&out, STR(""));
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (plan->modes[mode]) {
            tolerance_text(&out, &found[mode], &plan->cases.items[0], mode_name(mode),
                           plan->asked.lang);
        }
    }
    buf_addf(&out, "verdict=%s\n", tolerance_verdict_name(verdict));
    return print_all(buf_str(&out));
}

/* Runs all modes, then prints; the worst verdict counts. */
static int run(const Verification *plan, bool json)
{
    PoolOptions pool = plan->asked.pool;
    Progress progress;
    progress_of_pool(&progress, &pool);
    Tolerance found[MODE_COUNT] = {0};
    ToleranceVerdict verdict = TOLERANCE_NONE;
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (!plan->modes[mode]) {
            continue;
        }
        WorkerOutcome outcome;
        WorkerJob job = verify_job(plan, &plan->cases.items[0], mode, "tolerance");
        if (!verify_mode_check(plan->arena, &pool, mode)) {
            return EXIT_ERROR;
        }
        int number = pool_run(plan->arena, &pool, &job, 1, &outcome);
        progress_end(&progress);
        if (number != 0) {
            return process_end_by(number);
        }
        WorkerResult result;
        worker_result_read(plan->arena, outcome.result, &result);
        if (result.launches == 0 || !tolerance_read(plan->arena, outcome.result, &found[mode])) {
            return verify_print_failure(plan, &plan->cases.items[0], mode, &outcome);
        }
        verdict = found[mode].verdict > verdict ? found[mode].verdict : verdict;
    }
    bool printed = json ? print_json(plan, found, verdict) : print_text(plan, found, verdict);
    return !printed || verdict == TOLERANCE_NONE ? EXIT_ERROR
           : verdict == TOLERANCE_INNOCENT       ? EXIT_CLEAN
                                                 : EXIT_FINDINGS;
}

int command_tolerance(const Command *self, Arena *arena, int argc, char **argv)
{
    VerifyCommand command = {.asked = {.lang = default_lang()}};
    Words words;
    int status = command_read(self, arena, &command, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("tolerance needs the id of a case (see pypto-lint help tolerance)");
    }
    if (!verify_request_complete(&command, arena)) {
        return EXIT_ERROR;
    }
    VerifyRequest *asked = &command.asked;
    asked->case_id = str_from(words.items[0]);
    asked->modes = asked->modes.length > 0 ? asked->modes : STR("sim");
    asked->pool.jobs = 1;
    Verification *plan = ARENA_NEW(arena, Verification);
    if (!verify_plan_cases(plan, arena, asked)) {
        return EXIT_ERROR;
    }
    return run(plan, command.format == VERIFY_JSON);
}
