/* `compose`: compares the composed golden of an operator with its golden
 * (docs/kernel-authors/scaffolding.md). */
#include "cli/cli.h"
#include "cli/launch_options.h"
#include "cli/operator_place.h"
#include "harness/compose.h"
#include "harness/plan/shape_cases.h"
#include "harness/pool/python_home.h"
#include "harness/report/texts.h"
#include "process/process.h"

typedef struct ComposeOptions {
    Str op, op_dir, timeout, python;
    uint32_t jobs;
    unsigned json; /* text or json */
} ComposeOptions;

static const Option rows[] = {
    TEXT_ROW(ComposeOptions, op, "--op", "OP",
             "the operator: a name below ./custom, or its directory",
             "算子：./custom 下的名称，或其目录"),
    TEXT_ROW(ComposeOptions, op_dir, "--op-dir", "DIR",
             "its directory; without both the one around the working directory",
             "算子目录；两者都不给时为当前目录所在的算子目录"),
    CHOICE_ROW(ComposeOptions, json, "--format", "text|json", "format of the result", "结果的格式"),
    TEXT_ROW(ComposeOptions, timeout, "--timeout", "SECONDS", "wall time of one run (300)",
             "每次运行的时限（缺省 300）"),
    NUMBER_ROW(ComposeOptions, jobs, "-j", "N", "workers at a time (the processors)",
               "同时运行的工作进程数（缺省为处理器数）"),
    TEXT_ROW(ComposeOptions, python, "--python", "PATH", "the interpreter of the workers",
             "工作进程的解释器"),
};

const OptionTable compose_options = OPTION_TABLE(rows, .most_words = 0);

/* --- text */

static void add_metric(Buf *out, const char *name, Metric metric)
{
    if (metric.known) {
        buf_addf(out, " %s %.6g", name, metric.value);
    } else {
        buf_addf(out, " %s -", name);
    }
}

static void add_leaf(Buf *out, const Leaf *leaf)
{
    buf_addf(out, "  %.*s: %s", STR_ARG(leaf->name), leaf->all_close ? "close" : "differs");
    if (leaf->structure.length > 0) {
        buf_addf(out, " in %.*s", STR_ARG(leaf->structure));
    }
    add_metric(out, "max_abs_diff", leaf->max_abs_diff);
    add_metric(out, "max_rel_diff", leaf->max_rel_diff);
    buf_addf(out, ", %llu of %llu out of tolerance\n", (unsigned long long)leaf->out_of_tolerance,
             (unsigned long long)leaf->elements);
}

/* The warnings of all runs, each sentence once. */
static void add_warnings(Buf *out, const Composition *composition)
{
    Strs printed = {0};
    for (size_t i = 0; i < composition->count; i++) {
        const Strs *warnings = &composition->checks[i].case_result.warnings;
        for (uint32_t k = 0; k < warnings->count; k++) {
            if (strs_add(out->arena, &printed, warnings->items[k])) {
                buf_addf(out, "warning: %.*s\n", STR_ARG(warnings->items[k]));
            }
        }
    }
}

static bool print_text(Arena *arena, const Composition *composition)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    size_t passed = 0;
    for (size_t i = 0; i < composition->count; i++) {
        const ComposeCheck *check = &composition->checks[i];
        const CaseResult *case_result = &check->case_result;
        Str shape = variables_text(arena, check->shape, "");
        passed += case_result->verdict == VERDICT_PASS;
        buf_addf(&out, "%-5s seed %lld {%.*s}", verdict_name(case_result->verdict),
                 (long long)check->seed, STR_ARG(shape));
        add_metric(&out, "max_abs_diff", case_result->max_abs_diff);
        add_metric(&out, "max_rel_diff", case_result->max_rel_diff);
        buf_add(&out, STR("\n"));
        if (case_result->verdict == VERDICT_PASS) {
            continue;
        }
        buf_addf(&out, "  %.*s\n", STR_ARG(case_result->summary));
        for (uint32_t k = 0; k < case_result->leaves.count; k++) {
            add_leaf(&out, &case_result->leaves.items[k]);
        }
    }
    add_warnings(&out, composition);
    buf_addf(&out, "status=%s runs=%zu/%zu atol=%g rtol=%g\n", verdict_name(composition->verdict),
             passed, composition->count, composition->contract.atol, composition->contract.rtol);
    return print_all(buf_str(&out));
}

/* --- JSON */

static json_t *metric_value(Metric metric)
{
    return metric.known ? json_real(metric.value) : json_null();
}

static void put_metrics(JsonTree *tree, json_t *object, Metric absolute, Metric relative)
{
    json_put(tree, object, "max_abs_diff", metric_value(absolute));
    json_put(tree, object, "max_rel_diff", metric_value(relative));
}

static json_t *check_value(JsonTree *tree, Arena *arena, const ComposeCheck *check)
{
    const CaseResult *case_result = &check->case_result;
    json_t *object = json_object(), *shape = json_object(), *leaves = json_array();
    json_put(tree, object, "seed", json_integer(check->seed));
    for (uint32_t i = 0; i < check->shape->count; i++) {
        const Variable *size = &check->shape->items[i];
        json_put(tree, shape, str_dup(arena, size->name), json_integer(size->value));
    }
    json_put(tree, object, "shape", shape);
    json_put(tree, object, "status", json_string(verdict_name(case_result->verdict)));
    json_put(tree, object, "summary", json_text_or_null(case_result->summary));
    put_metrics(tree, object, case_result->max_abs_diff, case_result->max_rel_diff);
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        const Leaf *leaf = &case_result->leaves.items[i];
        json_t *entry = json_object();
        json_put(tree, entry, "name", json_text(leaf->name));
        json_put(tree, entry, "structure", json_text_or_null(leaf->structure));
        json_put(tree, entry, "all_close", json_boolean(leaf->all_close));
        put_metrics(tree, entry, leaf->max_abs_diff, leaf->max_rel_diff);
        json_append(tree, leaves, entry);
    }
    json_put(tree, object, "per_tensor", leaves);
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < case_result->warnings.count; i++) {
        json_append(tree, warnings, json_text(case_result->warnings.items[i]));
    }
    json_put(tree, object, "warnings", warnings);
    return object;
}

static bool print_json(Arena *arena, const Composition *composition)
{
    JsonTree tree = {0};
    json_t *root = json_object(), *checks = json_array();
    json_put(&tree, root, "status", json_string(verdict_name(composition->verdict)));
    json_put(&tree, root, "op_name", json_text(composition->op_name));
    json_put(&tree, root, "modules", json_integer(composition->contract.modules));
    json_put(&tree, root, "atol", json_real(composition->contract.atol));
    json_put(&tree, root, "rtol", json_real(composition->contract.rtol));
    for (size_t i = 0; i < composition->count; i++) {
        json_append(&tree, checks, check_value(&tree, arena, &composition->checks[i]));
    }
    json_put(&tree, root, "checks", checks);
    return json_print(arena, &tree, root);
}

/* --- the command */

static int run(Arena *arena, const ComposeOptions *options, bool json)
{
    OperatorPlace place;
    PoolOptions pool = {.jobs = options->jobs, .timeout_ms = WORKER_TIMEOUT_MS};
    pool.python = python_interpreter(arena, options->python);
    pool.soc = pool.profile = STR("");
    if ((options->timeout.length > 0 &&
         !read_time_limit("--timeout", options->timeout, &pool.timeout_ms)) ||
        !operator_place(arena, options->op, options->op_dir, &place)) {
        return EXIT_ERROR;
    }
    Composition composition;
    Str error;
    int number;
    switch (compose_run(arena, place.dir, place.name, &pool, &composition, &error, &number)) {
    case COMPOSE_REFUSED:
        return print_error("%.*s", STR_ARG(error));
    case COMPOSE_INTERRUPTED:
        return process_end_by(number);
    case COMPOSE_DONE:
        break;
    }
    bool printed = json ? print_json(arena, &composition) : print_text(arena, &composition);
    return !printed || composition.verdict == VERDICT_ERROR ? EXIT_ERROR
           : composition.verdict == VERDICT_FAIL            ? EXIT_FINDINGS
                                                            : EXIT_CLEAN;
}

int command_compose(const Command *self, Arena *arena, int argc, char **argv)
{
    ComposeOptions options = {.op = STR("")};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    return run(arena, &options, options.json != 0);
}
