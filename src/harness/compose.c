/* Composition; see compose.h. The jobs are of kind `compose` (docs/internals/harness.md). */
#include "harness/compose.h"

#include "base/file.h"
#include "document/json.h"
#include "harness/pool/python_home.h"
#include "harness/report/texts.h"

enum { MOST_CHECKS = 10000 };

typedef struct Composing {
    Arena *arena;
    Str op_dir; /* absolute */
    Composition *out;
    const ComposeCheck *check; /* of the current job */
    json_t *root;
    JsonTree tree;
} Composing;

/* --- jobs */

static void put(Composing *composing, json_t *object, const char *key, json_t *value)
{
    json_put(&composing->tree, object, key, value);
}

static void put_golden(Composing *composing, const char *key, Str folder, Str stem)
{
    Arena *arena = composing->arena;
    Str path = str_format(arena, "%.*s%.*s/%.*s.py", STR_ARG(composing->op_dir), STR_ARG(folder),
                          STR_ARG(stem));
    put(composing, composing->root, key, json_text(path));
    Str function = str_format(arena, "%s_function", key);
    put(composing, composing->root, function.at, json_text(stem));
}

/* Why a dimension has no extent; empty if it has one. */
static Str extent_of(Arena *arena, Str expression, const Variables *sizes, int64_t *extent)
{
    Strs names = {0};
    if (dimension_value(expression, sizes, extent)) {
        return *extent < 0 ? STR("has a negative extent") : STR("");
    }
    dimension_names(arena, expression, &names);
    for (uint32_t i = 0; i < names.count; i++) {
        if (variable_find(sizes, names.items[i]) == NULL) {
            return str_format(arena, "needs a number for %.*s", STR_ARG(names.items[i]));
        }
    }
    return STR("divides by zero, or an extent does not fit 64 bits");
}

/* Puts the extents as numbers. If one has none, the worker reports the problem when it needs the
 * tensor. */
static void put_shape(Composing *composing, json_t *entry, const Strs *shape)
{
    Arena *arena = composing->arena;
    json_t *extents = json_array();
    Str problem = STR("");
    for (uint32_t i = 0; i < shape->count; i++) {
        int64_t extent = 0;
        Str reason = extent_of(arena, shape->items[i], composing->check->shape, &extent);
        problem = problem.length == 0 ? reason : problem;
        json_append(&composing->tree, extents, json_integer(extent));
    }
    put(composing, entry, "shape", extents);
    if (problem.length > 0) {
        Str text = strs_in_brackets(arena, shape);
        put(composing, entry, "problem",
            json_text(str_format(arena, "the shape %.*s %.*s", STR_ARG(text), STR_ARG(problem))));
    }
}

static void put_inputs(Composing *composing)
{
    json_t *list = json_array();
    const ContractTensors *inputs = &composing->out->contract.inputs;
    for (uint32_t i = 0; i < inputs->count; i++) {
        const ContractTensor *input = &inputs->items[i];
        json_t *entry = json_object();
        put(composing, entry, "name", json_text(input->name));
        put_shape(composing, entry, &input->shape);
        put(composing, entry, "dtype", json_text(input->dtype));
        json_append(&composing->tree, list, entry);
    }
    put(composing, composing->root, "primary_inputs", list);
    json_t *shape = json_object();
    for (uint32_t i = 0; i < composing->check->shape->count; i++) {
        const Variable *size = &composing->check->shape->items[i];
        put(composing, shape, str_dup(composing->arena, size->name), json_integer(size->value));
    }
    put(composing, composing->root, "shape", shape);
}

static Str composed_name(const Composing *composing)
{
    const Composition *out = composing->out;
    Str suffix = phase_suffix(composing->arena, (int)out->contract.modules);
    return artifact_name(composing->arena, KIND_GOLDEN,
                         artifact_base(composing->arena, out->op_name, suffix));
}

static Str golden_name(const Composing *composing)
{
    return artifact_name(composing->arena, KIND_GOLDEN, composing->out->op_name);
}

/* An operator of one module needs no module files. Its golden is also the composed one then. */
static bool is_whole(const Composing *composing)
{
    Str name = composed_name(composing);
    Str path = str_format(composing->arena, "%.*s/modules/%.*s.py", STR_ARG(composing->op_dir),
                          STR_ARG(name));
    return composing->out->contract.modules == 1 && !file_exists(path.at);
}

static void fill_job(void *argument)
{
    Composing *composing = argument;
    const Contract *contract = &composing->out->contract;
    json_t *root = composing->root;
    put(composing, root, "kind", json_string("compose"));
    put(composing, root, "mode", json_string(mode_name(MODE_SIM)));
    put(composing, root, "op_dir", json_text(composing->op_dir));
    put(composing, root, "op_name", json_text(composing->out->op_name));
    put(composing, root, "suffix",
        json_text(phase_suffix(composing->arena, (int)contract->modules)));
    put(composing, root, "module", json_integer(contract->modules));
    bool whole = is_whole(composing);
    put_golden(composing, "golden", whole ? STR("") : STR("/modules"),
               whole ? golden_name(composing) : composed_name(composing));
    put_golden(composing, "reference", STR(""), golden_name(composing));
    put(composing, root, "atol", json_real(contract->atol));
    put(composing, root, "rtol", json_real(contract->rtol));
    put(composing, root, "seed", json_integer(composing->check->seed));
    put_inputs(composing);
}

static WorkerJob make_job(Composing *composing, const ComposeCheck *check)
{
    composing->check = check;
    composing->root = json_object();
    composing->tree = (JsonTree){.arena = composing->arena};
    if (!arena_try(composing->arena, fill_job, composing)) {
        composing->tree.failed = true;
    }
    Str json = str_trim(json_line(&composing->tree, composing->root));
    Str label = str_format(composing->arena, "seed %lld", (long long)check->seed);
    return (WorkerJob){.json = json, .mode = MODE_SIM, .label = label};
}

/* --- preparation */

static bool refuse(const Composing *composing, Str *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(const Composing *composing, Str *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *error = str_vformat(composing->arena, format, args);
    va_end(args);
    return false;
}

static bool has_golden(const Composing *composing, const char *folder, Str stem, Str *error)
{
    Str path = str_format(composing->arena, "%.*s%s/%.*s.py", STR_ARG(composing->op_dir), folder,
                          STR_ARG(stem));
    return file_is_regular(path.at) ||
           refuse(composing, error, "%s%s%.*s.py is missing", *folder == '/' ? folder + 1 : "",
                  *folder == '/' ? "/" : "", STR_ARG(stem));
}

static bool prepare(Composing *composing, const PoolOptions *options, Str *error)
{
    Contract *contract = &composing->out->contract;
    if (!contract_load(composing->arena, composing->op_dir, contract, error) ||
        (!is_whole(composing) &&
         !has_golden(composing, "/modules", composed_name(composing), error)) ||
        !has_golden(composing, "", golden_name(composing), error)) {
        return false;
    }
    if (contract->shapes.count == 0) {
        return refuse(composing, error,
                      INTERFACES_PATH ": composition_verification gives no shapes");
    }
    if ((uint64_t)contract->shapes.count * contract->seeds.count > MOST_CHECKS) {
        return refuse(composing, error,
                      INTERFACES_PATH ": composition_verification asks for more than %d runs",
                      MOST_CHECKS);
    }
    Str sim = python_home(composing->arena, "sim");
    if (!simulator_is_built(sim)) {
        return refuse(composing, error, "no simulator in %.*s", STR_ARG(sim));
    }
    return options->python != NULL || refuse(composing, error, "no Python interpreter was found");
}

/* --- running */

static void read_checks(Composing *composing, const WorkerOutcome *outcomes, unsigned timeout_ms)
{
    Composition *out = composing->out;
    SuiteCase source = {.id = STR(""),
                        .level = STR(""),
                        .precision = true,
                        .atol = out->contract.atol,
                        .rtol = out->contract.rtol,
                        .json = STR("{}")};
    CaseContext context = {
        .kind = RESULT_OF_SELF_TEST, .mode = MODE_SIM, .source = &source, .timeout_ms = timeout_ms};
    out->verdict = VERDICT_PASS;
    for (size_t i = 0; i < out->count; i++) {
        CaseResult *case_result = &out->checks[i].case_result;
        case_result_read(composing->arena, &context, &outcomes[i], case_result);
        Verdict verdict =
            case_result->verdict == VERDICT_SKIPPED ? VERDICT_ERROR : case_result->verdict;
        out->verdict = verdict > out->verdict ? verdict : out->verdict;
    }
}

ComposeEnd compose_run(Arena *arena, Str op_dir, Str op_name, const PoolOptions *options,
                       Composition *out, Str *error, int *signal)
{
    *out = (Composition){.op_name = op_name};
    *signal = 0;
    Composing composing = {.arena = arena, .out = out, .op_dir = path_real(arena, op_dir)};
    if (!prepare(&composing, options, error)) {
        return COMPOSE_REFUSED;
    }
    const Contract *contract = &out->contract;
    out->count = (size_t)contract->shapes.count * contract->seeds.count;
    out->checks = ARENA_ARRAY(arena, ComposeCheck, out->count);
    WorkerJob *jobs = ARENA_ARRAY(arena, WorkerJob, out->count);
    WorkerOutcome *outcomes = ARENA_ARRAY(arena, WorkerOutcome, out->count);
    for (size_t i = 0; i < out->count; i++) {
        out->checks[i].shape = &contract->shapes.items[i / contract->seeds.count];
        out->checks[i].seed = contract->seeds.items[i % contract->seeds.count];
        jobs[i] = make_job(&composing, &out->checks[i]);
    }
    *signal = pool_run(arena, options, jobs, out->count, outcomes);
    if (*signal != 0) {
        return COMPOSE_INTERRUPTED;
    }
    read_checks(&composing, outcomes, options->timeout_ms);
    return COMPOSE_DONE;
}
