/* Jobs of a verification as JSON (docs/internals/harness.md, "Job"); see verify.h. */
#include "harness/verify.h"

#include "document/json.h"

typedef struct Making {
    const Verification *plan; /* NULL: a probe */
    const SuiteCase *source;
    bool blame;
    json_t *root;
    JsonTree tree;
} Making;

static void put(Making *making, const char *key, json_t *value)
{
    json_put(&making->tree, making->root, key, value);
}

static void put_text(Making *making, const char *key, Str text)
{
    put(making, key, json_text(text));
}

static void put_case(Making *making)
{
    const Verification *plan = making->plan;
    put_text(making, "suffix", plan->suffix);
    put(making, "module", json_integer(plan->module));
    put_text(making, "golden", plan->golden);
    put_text(making, "golden_function", plan->golden_function);
    put_text(making, "inputs", plan->inputs);
    put(making, "case", json_read(plan->arena, making->source->json, 0, NULL));
    put(making, "atol", json_real(making->source->atol));
    put(making, "rtol", json_real(making->source->rtol));
    if (plan->kind == RESULT_OF_SELF_TEST) {
        put_text(making, "reference", plan->reference);
        put_text(making, "reference_function", plan->reference_function);
        return;
    }
    put_text(making, "wrapper_function", plan->wrapper);
    put(making, "precision", json_boolean(making->source->precision));
    if (plan->asked.inspect.length > 0) {
        put_text(making, "inspect", plan->asked.inspect);
    }
}

static void make(void *argument)
{
    Making *making = argument;
    const Verification *plan = making->plan;
    if (plan == NULL) {
        return;
    }
    put_text(making, "op_dir", plan->op_dir);
    put_text(making, "op_name", plan->op_name);
    if (plan->kind != RESULT_OF_SELF_TEST) {
        put_text(making, "impl", plan->impl);
    }
    if (making->blame) {
        put(making, "blame", json_true());
    }
    if (plan->kind == RESULT_OF_TESTS) {
        put_text(making, "test_file", plan->test_file);
        put_text(making, "test_function", making->source->id);
    } else {
        put_case(making);
    }
}

static WorkerJob finish(Making *making, Arena *arena, const char *kind, Mode mode, Str label)
{
    making->root = json_object();
    making->tree = (JsonTree){.arena = arena};
    put_text(making, "kind", str_from(kind));
    put_text(making, "mode", str_from(mode_name(mode)));
    if (!arena_try(arena, make, making)) {
        making->tree.failed = true;
    }
    Str json = str_trim(json_line(&making->tree, making->root));
    return (WorkerJob){.json = json, .mode = mode, .label = label};
}

/* The kind of a case's job. */
static const char *kind_of(const Verification *verification)
{
    static const char *const kinds[] = {[RESULT_OF_CASE] = "case",
                                        [RESULT_OF_TESTS] = "tests",
                                        [RESULT_OF_SELF_TEST] = "self_test"};
    return kinds[verification->kind];
}

WorkerJob verify_job(const Verification *verification, const SuiteCase *source, Mode mode,
                     const char *kind)
{
    Making making = {.plan = verification, .source = source};
    return finish(&making, verification->arena, kind == NULL ? kind_of(verification) : kind, mode,
                  source->id);
}

WorkerJob verify_blame_job(const Verification *verification, const SuiteCase *source)
{
    Making making = {.plan = verification, .source = source, .blame = true};
    return finish(&making, verification->arena, kind_of(verification), MODE_SIM, source->id);
}

WorkerJob verify_probe(Arena *arena)
{
    return finish(&(Making){0}, arena, "probe", MODE_NPU, STR("probe"));
}
