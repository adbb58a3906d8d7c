/* Scaffold: eval/test_inputs.py, eval/adversarial_suite.json, eval/adversarial_runner.py. */
#include "harness/scaffold_parts.h"

#define CANCELLATION_GAP "1e-05"

/* --- what the golden says */

/* The contract's inputs must be the golden's parameters. */
static bool check_order(const ScaffoldFacts *facts, const GoldenSource *golden, Str *error)
{
    const ContractTensors *inputs = &facts->contract.inputs;
    const GoldenParameters *parameters = &golden->parameters;
    bool same = inputs->count == parameters->count;
    for (uint32_t i = 0; i < inputs->count && same; i++) {
        same = str_equal(inputs->items[i].name, parameters->items[i].name);
    }
    if (!same && !golden->variadic) {
        *error = str_format(facts->arena,
                            INTERFACES_PATH ": primary_inputs are not the parameters of %.*s in "
                                            "their order",
                            STR_ARG(golden->function));
    }
    return same || golden->variadic;
}

static bool read_golden(ScaffoldFacts *facts, GoldenSource *golden, Scaffold *out, Str *error)
{
    Str path = scaffold_path(
        facts, str_format(facts->arena, "%.*s_golden.py", STR_ARG(facts->request->op_name)));
    Str reason;
    if (golden_source_read(facts->arena, path, golden, &reason)) {
        scaffold_take_defaults(facts, golden);
        return check_order(facts, golden, error);
    }
    scaffold_note(facts->arena, out, "subtractions are not looked for: %.*s", STR_ARG(reason));
    return true;
}

/* Pairs of the golden, then those of SPEC.md that it does not have. */
static GoldenPairs all_pairs(const ScaffoldFacts *facts, const GoldenSource *golden)
{
    GoldenPairs pairs = golden->pairs;
    for (uint32_t i = 0; i < facts->spec.pairs.count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < pairs.count && !known; k++) {
            known = str_equal(pairs.items[k].expression, facts->spec.pairs.items[i]);
        }
        if (!known && pairs.count < GOLDEN_MAX_PAIRS) {
            GoldenPair pair = {facts->spec.pairs.items[i], STR(""), 0};
            VEC_PUSH(facts->arena, &pairs, pair);
        }
    }
    return pairs;
}

/* --- the suite */

typedef struct SuiteText {
    const ScaffoldFacts *facts;
    Buf out;
} SuiteText;

/* A case up to its tolerances; the caller adds what is special and closes the brace. */
static void open_case(SuiteText *suite, const char *id, const char *level, const Variables *sizes,
                      Str dtype)
{
    const ScaffoldFacts *facts = suite->facts;
    buf_addf(&suite->out, "%s    {\"id\": \"%s\", \"level\": \"%s\", ",
             suite->out.length == 0 ? "" : ",\n", id, level);
    buf_addf(&suite->out, "\"shape\": {%.*s}, \"dtype\": \"%.*s\", ",
             STR_ARG(variables_text(facts->arena, sizes, "\"")), STR_ARG(dtype));
    if (strcmp(level, "L1") == 0) {
        buf_add(&suite->out, STR("\"precision\": false, "));
        return;
    }
    buf_addf(&suite->out, "\"atol\": %.*s, \"rtol\": %.*s, ",
             STR_ARG(number_text(facts->arena, facts->atol)),
             STR_ARG(number_text(facts->arena, facts->rtol)));
}

static void add_case(SuiteText *suite, const char *id, const char *level, const Variables *sizes,
                     const char *rest)
{
    open_case(suite, id, level, sizes, suite->facts->dtypes.items[0]);
    buf_addf(&suite->out, "%s}", rest);
}

static void add_plain_cases(SuiteText *suite, const Variables *first)
{
    static const struct {
        const char *id, *level;
        ShapeVariation variation;
    } varied[] = {
        {"L3_halved", "L3", SHAPE_HALVED},
        {"L3_odd", "L3", SHAPE_ODD},
        {"L4_large", "L4", SHAPE_LARGE},
        {"L4_large_tail", "L4", SHAPE_LARGE_TAIL},
    };
    const ScaffoldFacts *facts = suite->facts;
    Arena *arena = facts->arena;
    add_case(suite, "L1_canonical", "L1", first, "\"seed\": 42");
    add_case(suite, "L1_canonical_b", "L1", first, "\"seed\": 43");
    add_case(suite, "L2_canonical", "L2", first, "\"seed\": 42");
    Variables other = facts->cases.count > 1 ? facts->cases.items[1].sizes
                                             : shape_varied(arena, &facts->contract, &facts->spec,
                                                            first, SHAPE_DOUBLED);
    add_case(suite, "L2_other_size", "L2", &other, "\"seed\": 42");
    for (uint32_t i = 1; i < facts->dtypes.count; i++) {
        Str id = str_format(arena, "L2_canonical_%.*s", STR_ARG(facts->dtypes.items[i]));
        open_case(suite, id.at, "L2", first, facts->dtypes.items[i]);
        buf_add(&suite->out, STR("\"seed\": 42}"));
    }
    for (size_t i = 0; i < sizeof varied / sizeof *varied; i++) {
        Variables sizes =
            shape_varied(arena, &facts->contract, &facts->spec, first, varied[i].variation);
        add_case(suite, varied[i].id, varied[i].level, &sizes, "\"seed\": 42");
    }
    add_case(suite, "L5_large_values", "L5", first, "\"value_scale\": 8.0, \"seed\": 42");
    add_case(suite, "L5_small_values", "L5", first, "\"value_scale\": 0.001, \"seed\": 42");
}

/* The output that a difference goes to by its name, else the first. */
static Str target_of(const ScaffoldFacts *facts, const GoldenPair *pair)
{
    ContractTensors outputs =
        contract_phase_outputs(facts->arena, &facts->contract, facts->contract.modules);
    for (uint32_t i = 0; i < outputs.count; i++) {
        if (str_equal(outputs.items[i].name, pair->target)) {
            return pair->target;
        }
    }
    bool usable = outputs.count > 0 && is_python_name(outputs.items[0].name);
    return usable ? outputs.items[0].name : STR("out0");
}

/* Expressions hold no quotes, backslashes or control characters (golden_pairs.c, spec_facts.c). */
static void add_cancellations(SuiteText *suite, const GoldenPairs *pairs, const Variables *first)
{
    Arena *arena = suite->facts->arena;
    Variables small = shape_capped(arena, first);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const GoldenPair *pair = &pairs->items[i];
        Str id = pairs->count == 1 ? STR("L5_cancellation")
                                   : str_format(arena, "L5_cancellation_%u", i + 1);
        open_case(suite, id.at, "L5", &small, suite->facts->dtypes.items[0]);
        buf_addf(&suite->out,
                 "\"seed\": 42, \"cancellation_stress\": {\"target\": \"%.*s\", \"expression\": "
                 "\"%.*s\", \"relative_gap\": " CANCELLATION_GAP ", \"seed\": 42}}",
                 STR_ARG(target_of(suite->facts, pair)), STR_ARG(pair->expression));
    }
}

static Str suite_text(const ScaffoldFacts *facts, const GoldenPairs *pairs)
{
    SuiteText suite = {.facts = facts, .out = {.arena = facts->arena}};
    const Variables *first = &facts->cases.items[0].sizes;
    add_plain_cases(&suite, first);
    add_cancellations(&suite, pairs, first);
    return str_format(facts->arena,
                      "{\n  \"op_name\": \"%.*s\",\n  \"total_modules\": %u,\n"
                      "  \"test_cases\": [\n%.*s\n  ]\n}\n",
                      STR_ARG(facts->request->op_name), facts->contract.modules,
                      STR_ARG(buf_str(&suite.out)));
}

/* --- all three */

static void add_file(const ScaffoldFacts *facts, Scaffold *out, const char *path, Str text)
{
    ScaffoldFile file = {.path = scaffold_path(facts, str_from(path)), .text = text};
    VEC_PUSH(facts->arena, &out->files, file);
}

bool scaffold_eval(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error)
{
    ScaffoldFacts facts;
    GoldenSource golden = {.function = STR("")};
    if (!scaffold_facts_read(arena, request, &facts, out, error) ||
        !read_golden(&facts, &golden, out, error)) {
        return false;
    }
    GoldenPairs pairs = all_pairs(&facts, &golden);
    TemplateValue values[] = {{"op", request->op_name},
                              {"constants", input_constants(&facts)},
                              {"functions", input_functions(&facts)},
                              {NULL, STR("")}};
    add_file(&facts, out, "eval/test_inputs.py", template_fill(arena, "test_inputs.py", values));
    add_file(&facts, out, "eval/adversarial_suite.json", suite_text(&facts, &pairs));
    add_file(&facts, out, "eval/adversarial_runner.py",
             template_fill(arena, "adversarial_runner.py", values));
    return true;
}
