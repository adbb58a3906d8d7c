/* Evaluation report: the tree; see evaluation_report.h. The checks are in report_checks.c. */
#include "harness/report/evaluation_report.h"

#include "base/middle_cut.h"
#include "harness/judge/verify_advice.h"
#include "operator/text.h"

enum { SCHEMA_VERSION = 1 };

/* --- verdicts */

static json_t *modes_object(JsonTree *tree, const Verdict *verdicts)
{
    json_t *object = json_object();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        json_put(tree, object, mode_name((Mode)mode), json_string(verdict_name(verdicts[mode])));
    }
    return object;
}

static json_t *basis_array(JsonTree *tree, const bool *basis)
{
    json_t *array = json_array();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        if (basis[mode]) {
            json_append(tree, array, json_string(mode_name((Mode)mode)));
        }
    }
    return array;
}

/* Which output, where and how; what was raised at which line; what to do. */
static void put_pattern(JsonTree *tree, json_t *object, const FirstFailure *first)
{
    const Leaf *leaf = failing_leaf(first);
    if (first->result != NULL) {
        report_put_raised(tree, object, &first->result->by_mode[first->mode]);
    }
    if (leaf != NULL && leaf->output.length > 0) {
        json_put(tree, object, "output", json_text(leaf->output));
    }
    if (leaf != NULL && leaf->places != NULL) {
        const AdviceRow *likeness = leaf->places->likeness;
        json_put(tree, object, "place", json_string(leaf->places->place->name));
        json_put(tree, object, "likeness",
                 likeness == NULL ? json_null() : json_string(likeness->name));
    }
    json_put(tree, object, "advice", json_text(verify_advice(tree->arena, first, LANG_EN)));
}

static json_t *first_failure(JsonTree *tree, const Verification *verification)
{
    const FirstFailure *first = &verification->judgement.first;
    if (!first->present) {
        return json_null();
    }
    json_t *object = json_object();
    const CaseModes *result = first->result;
    json_put(tree, object, "case_id", result == NULL ? json_null() : json_text(result->source->id));
    json_put(tree, object, "failing_module_boundary", json_integer(verification->module));
    json_put(tree, object, "failure_category", json_string(category_name(first->category)));
    json_put(tree, object, "divergence_fingerprint",
             json_string(fingerprint_name(first->fingerprint)));
    json_put(tree, object, "summary", json_text(first->summary));
    if (first->has_drift_onset) {
        json_put(tree, object, "drift_onset_iter", json_integer(first->drift_onset_iter));
    }
    json_put(tree, object, "verdict_category", json_string(verdict_category_name(first->route)));
    json_put(tree, object, "fingerprint_basis", basis_array(tree, first->basis));
    json_put(tree, object, "cpu_reproducer_candidate",
             json_boolean(first->cpu_reproducer_candidate));
    if (first->symptom != NULL) {
        json_put(tree, object, "recipe", json_string(first->symptom->recipe.en));
    }
    put_pattern(tree, object, first);
    return object;
}

static json_t *lint_object(JsonTree *tree, const Verification *verification)
{
    const LintGate *gate = &verification->lint;
    const char *word = verification->asked.no_lint_gate ? "bypassed"
                       : lint_gate_stops(gate)          ? "blocked"
                                                        : "passed";
    json_t *object = json_object();
    json_t *rules = json_array();
    json_put(tree, object, "gate", json_string(word));
    json_put(tree, object, "blocking", json_integer(gate->blocking));
    json_put(tree, object, "warnings", json_integer(gate->warnings));
    for (uint32_t i = 0; i < gate->rules.count; i++) {
        json_t *rule = json_object();
        json_put(tree, rule, "id", json_string(gate->rules.items[i].rule->id));
        json_put(tree, rule, "count", json_integer(gate->rules.items[i].count));
        json_append(tree, rules, rule);
    }
    json_put(tree, object, "rules", rules);
    return object;
}

/* --- environment */

static void put_versions(JsonTree *tree, json_t *object, const CaseEnvironment *environment)
{
    const struct {
        const char *key;
        Str text;
    } versions[] = {
        {"python", environment->python},
        {"torch", environment->torch},
        {"pypto", environment->pypto},
        {"torch_npu", environment->torch_npu},
        {"backend", environment->backend},
        {"soc", environment->soc},
        {"numerics_profile", environment->profile},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        Str text = versions[i].text;
        json_put(tree, object, versions[i].key, text.length == 0 ? json_null() : json_text(text));
    }
}

/* The environment of the first worker in this mode that reported one; all workers of a mode have
 * the same. */
static const CaseEnvironment *environment_of(const Judgement *judgement, Mode mode)
{
    for (size_t i = 0; i < judgement->count; i++) {
        const CaseResult *case_result = &judgement->checks[i].result->by_mode[mode];
        if (case_result->environment.known && !case_result->blocked) {
            return &case_result->environment;
        }
    }
    return NULL;
}

static json_t *skipped_object(JsonTree *tree, const Judgement *judgement)
{
    json_t *object = json_object();
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const Unavailable *why = &judgement->unavailable[mode];
        if (why->reason.length > 0) {
            json_t *entry = json_object();
            json_put(tree, entry, "reason", json_text(why->reason));
            json_put(tree, entry, "recipe",
                     why->symptom == NULL ? json_null() : json_string(why->symptom->recipe.en));
            json_put(tree, object, mode_name((Mode)mode), entry);
        }
    }
    return object;
}

/* That of mode sim; when both modes ran, that of mode npu is an object of its own in it. */
static json_t *environment_object(JsonTree *tree, const Judgement *judgement)
{
    const CaseEnvironment *sim = environment_of(judgement, MODE_SIM);
    const CaseEnvironment *npu = environment_of(judgement, MODE_NPU);
    json_t *object = json_object();
    json_put(tree, object, "pypto_lint", json_string(PYPTO_LINT_VERSION));
    if (sim != NULL || npu != NULL) {
        put_versions(tree, object, sim != NULL ? sim : npu);
    }
    json_put(tree, object, "sim_values", json_boolean(sim != NULL && sim->sim_values));
    if (sim != NULL && npu != NULL) {
        json_t *other = json_object();
        put_versions(tree, other, npu);
        json_put(tree, object, "npu", other);
    }
    json_put(tree, object, "unavailable", skipped_object(tree, judgement));
    return object;
}

/* --- timing: the only part that differs from run to run */

static json_t *case_timing(JsonTree *tree, Str id, Mode mode, const CaseSeconds *seconds)
{
    json_t *object = json_object();
    json_put(tree, object, "case", json_text(id));
    json_put(tree, object, "mode", json_string(mode_name(mode)));
    json_put(tree, object, "seconds", json_real(seconds->total));
    report_put_metric(tree, object, "inputs", seconds->inputs);
    report_put_metric(tree, object, "golden", seconds->golden);
    report_put_metric(tree, object, "wrapper", seconds->wrapper);
    report_put_metric(tree, object, "compare", seconds->compare);
    return object;
}

static json_t *timing_object(JsonTree *tree, const Verification *verification)
{
    const Judgement *judgement = &verification->judgement;
    json_t *object = json_object();
    json_t *workers = json_array();
    json_put(tree, object, "seconds", json_real(verification->seconds));
    for (size_t i = 0; i < judgement->count; i++) {
        const CaseModes *result = judgement->checks[i].result;
        for (int mode = 0; mode < MODE_COUNT; mode++) {
            const CaseResult *case_result = &result->by_mode[mode];
            if (case_result->seconds.total > 0) {
                json_append(
                    tree, workers,
                    case_timing(tree, result->source->id, (Mode)mode, &case_result->seconds));
            }
        }
    }
    json_put(tree, object, "workers", workers);
    return object;
}

/* --- the log */

static void add_to_log(MiddleCut *cut, Str text)
{
    middle_cut_add(cut, text.at, text.length);
}

static bool ends_open(Str text)
{
    return text.length > 0 && text.at[text.length - 1] != '\n';
}

static Str withheld(Arena *arena, Str log)
{
    uint32_t count = text_count_lines(log) + ends_open(log);
    return count == 0
               ? STR("")
               : str_format(arena, "[… %u line(s) of the process are in the log file …]\n", count);
}

/* The headings, with the logs below them or without. */
static Str case_results_text(Arena *arena, const Judgement *judgement, bool whole, Str head)
{
    enum { HALF = (REPORT_LOG_LIMIT - 64) / 2 }; /* 64 bytes for the line about the cut */
    MiddleCut cut;
    middle_cut_init(&cut, arena, HALF, HALF);
    add_to_log(&cut, head);
    for (size_t i = 0; i < judgement->count; i++) {
        const CaseModes *result = judgement->checks[i].result;
        for (int mode = 0; mode < MODE_COUNT; mode++) {
            const CaseResult *case_result = &result->by_mode[mode];
            if (case_result->verdict == VERDICT_SKIPPED && case_result->log.length == 0) {
                continue;
            }
            add_to_log(&cut, str_format(arena, "=== case %.*s mode %s ===\n",
                                        STR_ARG(result->source->id), mode_name((Mode)mode)));
            if (!whole) {
                add_to_log(&cut, withheld(arena, case_result->log));
                continue;
            }
            add_to_log(&cut, case_result->log);
            add_to_log(&cut, ends_open(case_result->log) ? STR("\n") : STR(""));
        }
    }
    return middle_cut_text(&cut, arena);
}

Str report_log(Arena *arena, const Judgement *judgement)
{
    return case_results_text(
        arena, judgement, true,
        STR("What the process of the kernel wrote itself. It is unchecked and not "
            "part of the report:\nwhat looks like a heading or a verdict may have "
            "been written by the kernel as well.\n"));
}

/* The key `stdout`: the same headings, and how many lines the log file has below each. */
static Str headings(Arena *arena, const Judgement *judgement)
{
    return case_results_text(arena, judgement, false, STR(""));
}

static json_t *hashes_object(JsonTree *tree, const RunHashes *hashes)
{
    json_t *object = json_object();
    json_put(tree, object, "kernel", json_text_or_null(hashes->kernel));
    json_put(tree, object, "suite", json_text_or_null(hashes->suite));
    return object;
}

/* How far the verdict can be relied on. */
static json_t *limits_array(JsonTree *tree, const Verification *verification)
{
    json_t *array = json_array();
    if (verification->kind == RESULT_OF_TESTS) {
        json_append(tree, array,
                    json_string("the cases are functions of the operator's own test: test, "
                                "implementation and reference share one process, so that the "
                                "verdict is what that process claims"));
    }
    return array;
}

/* --- sanitising; the walk keeps its own stack, because a tree may be deeper than ours */

void sanitize(Arena *arena, json_t *root)
{
    static const char *const forbidden[] = {
        "golden_tensors", "golden_values", "golden_source", "raw_inputs",
        "input_tensors",  "truth",         "truth_tuple",
    };
    VEC(json_t *) open = {0};
    VEC_PUSH(arena, &open, root);
    while (open.count > 0) {
        json_t *tree = open.items[--open.count];
        for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
            json_object_del(tree, forbidden[i]);
        }
        const char *key;
        json_t *value;
        json_object_foreach(tree, key, value)
        {
            VEC_PUSH(arena, &open, value);
        }
        for (size_t i = 0; i < json_array_size(tree); i++) {
            VEC_PUSH(arena, &open, json_array_get(tree, i));
        }
    }
}

static json_t *patterns_array(JsonTree *tree, const CasePatterns *patterns)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < patterns->count; i++) {
        const CasePattern *pattern = &patterns->items[i];
        json_t *object = json_object();
        bool is_tail = pattern->kind == PATTERN_TAIL;
        Buf text = {.arena = tree->arena};
        case_pattern_add(&text, pattern, LANG_EN);
        json_put(tree, object, "kind", json_string(case_pattern_name(pattern->kind)));
        json_put(tree, object, "input", json_text(pattern->input));
        json_put(tree, object, "axis", is_tail ? json_integer(pattern->axis) : json_null());
        json_put(tree, object, "divisor", is_tail ? json_integer(pattern->divisor) : json_null());
        json_put(tree, object, "text", json_text(buf_str(&text)));
        json_append(tree, array, object);
    }
    return array;
}

/* --- the whole */

typedef struct Writing {
    JsonTree *tree;
    const Verification *verification;
    json_t *root;
} Writing;

static void build(void *argument)
{
    Writing *writing = argument;
    JsonTree *tree = writing->tree;
    const Verification *verification = writing->verification;
    const Judgement *judgement = &verification->judgement;
    json_t *root = writing->root;
    uint32_t total = verification->total_modules;
    json_put(tree, root, "op_name", json_text(verification->op_name));
    json_put(tree, root, "impl_file", json_text(verification->impl_file));
    json_put(tree, root, "up_to_module", json_integer(verification->module));
    json_put(tree, root, "total_modules", total == 0 ? json_null() : json_integer(total));
    json_put(tree, root, "status", json_string(verdict_name(judgement->status)));
    json_put(tree, root, "checks", report_checks(tree, judgement));
    json_put(tree, root, "cases_total", json_integer((json_int_t)judgement->count));
    json_put(tree, root, "cases_passed", json_integer((json_int_t)judgement->passed));
    json_put(tree, root, "per_mode_status", modes_object(tree, judgement->modes));
    json_put(tree, root, "first_failure", first_failure(tree, verification));
    json_put(tree, root, "stdout", json_text(headings(tree->arena, judgement)));
    json_put(tree, root, "schema_version", json_integer(SCHEMA_VERSION));
    json_put(tree, root, "environment", environment_object(tree, judgement));
    if (verification->linted) {
        json_put(tree, root, "lint", lint_object(tree, verification));
    }
    json_put(tree, root, "timing", timing_object(tree, verification));
    json_put(tree, root, "limits", limits_array(tree, verification));
    json_put(tree, root, "hashes", hashes_object(tree, &verification->hashes));
    json_put(tree, root, "patterns", patterns_array(tree, &judgement->patterns));
    if (verification->asked.baseline != NULL) {
        json_put(tree, root, "baseline", run_diff_json(tree, &verification->diff));
    }
    sanitize(tree->arena, root);
}

bool evaluation_report(const Verification *verification, Str *json)
{
    Arena *arena = verification->arena;
    JsonTree tree = {.arena = arena};
    Writing writing = {&tree, verification, json_object()};
    if (writing.root == NULL) {
        return false;
    }
    if (!arena_try(arena, build, &writing)) {
        json_decref(writing.root);
        arena_fail(arena);
    }
    Buf out = {.arena = arena};
    if (!json_add_built(&out, &tree, writing.root, JSON_INDENT(2))) {
        return false;
    }
    *json = buf_str(&out);
    return true;
}
