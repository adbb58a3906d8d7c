/* Scaffold: eval/test_inputs.py, eval/adversarial_suite.json, eval/adversarial_runner.py. */
#include "harness/scaffold/scaffold_parts.h"

#include "harness/report/texts.h"
#include "operator/text.h"

#include <stdlib.h>

#define CANCELLATION_GAP "1e-05"

/* --- the golden */

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
    Str path =
        scaffold_path(facts, artifact_file(facts->arena, KIND_GOLDEN, facts->request->op_name));
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
    Strs inputs; /* of each case so far: everything on which its inputs depend */
} SuiteText;

/* Notes the inputs of a case; false when an earlier one has the same. Cases of L1 compare only the
 * structure, so they count separately. */
static bool is_new(SuiteText *suite, const char *level, const Variables *sizes, Str dtype,
                   const char *rest)
{
    Arena *arena = suite->facts->arena;
    Str inputs = str_format(arena, "%d|%.*s|%.*s|%s", strcmp(level, "L1") == 0,
                            STR_ARG(variables_text(arena, sizes, "")), STR_ARG(dtype), rest);
    return strs_add(arena, &suite->inputs, inputs);
}

/* Writes a case up to its tolerances; the caller adds the rest and closes the brace. */
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
    DtypeTolerance tolerance = tolerance_of(facts, dtype);
    buf_addf(&suite->out, "\"atol\": %.*s, \"rtol\": %.*s, ",
             STR_ARG(number_text(facts->arena, tolerance.atol)),
             STR_ARG(number_text(facts->arena, tolerance.rtol)));
}

static void add_case_of(SuiteText *suite, const char *id, const char *level, const Variables *sizes,
                        Str dtype, const char *rest)
{
    if (is_new(suite, level, sizes, dtype, rest)) {
        open_case(suite, id, level, sizes, dtype);
        buf_addf(&suite->out, "%s}", rest);
    }
}

/* In the main dtype. */
static void add_case(SuiteText *suite, const char *id, const char *level, const Variables *sizes,
                     const char *rest)
{
    add_case_of(suite, id, level, sizes, suite->facts->dtypes.items[0], rest);
}

/* The size of a page: the dimension of that name, else a tile. */
static int64_t page_size(const Variables *sizes)
{
    for (uint32_t i = 0; i < sizes->count; i++) {
        Str name = sizes->items[i].name;
        if (text_contains_folded(name, STR("block")) || text_contains_folded(name, STR("page"))) {
            return sizes->items[i].value;
        }
    }
    return SHAPE_TILE;
}

static int64_t largest_size(const Variables *sizes)
{
    int64_t largest = 0;
    for (uint32_t i = 0; i < sizes->count; i++) {
        largest = sizes->items[i].value > largest ? sizes->items[i].value : largest;
    }
    return largest;
}

/* Adds cases with lengths and positions at the edge of a page: k·page − 1, k·page, k·page + 1.
 * Other integers may be indices of anything. */
static void add_page_cases(SuiteText *suite, const Variables *sizes)
{
    static const char *const edges[] = {"before", "at", "after"};
    const ScaffoldFacts *facts = suite->facts;
    Arena *arena = facts->arena;
    int64_t page = page_size(sizes);
    int64_t most = largest_size(sizes) - 1;
    int64_t pages = page > 0 && most / page > 1 ? 2 : 1;
    for (uint32_t i = 0; i < facts->contract.inputs.count; i++) {
        const ContractTensor *input = &facts->contract.inputs.items[i];
        bool is_length = text_contains_folded(input->name, STR("len")) ||
                         text_contains_folded(input->name, STR("pos"));
        bool is_integer = str_contains(input->dtype, STR("int")) && !is_scalar_input(input);
        for (int k = 0; k < 3 && is_length && is_integer && pages * page + 1 <= most; k++) {
            long long value = (long long)(pages * page + k - 1);
            Str id = str_format(arena, "L3_%.*s_%s_page", STR_ARG(input->name), edges[k]);
            Str rest = str_format(arena, "\"integers\": {\"%.*s\": [%lld, %lld]}, \"seed\": 42",
                                  STR_ARG(input->name), value, value + 1);
            add_case(suite, id.at, "L3", sizes, rest.at);
        }
    }
}

/* Adds a case with all floating scalars at twice their usual value, because a kernel may treat them
 * as constants. */
static void add_scalar_case(SuiteText *suite, const Variables *sizes)
{
    const ScaffoldFacts *facts = suite->facts;
    Buf rest = {.arena = facts->arena};
    for (uint32_t i = 0; i < facts->contract.inputs.count; i++) {
        const ContractTensor *input = &facts->contract.inputs.items[i];
        if (str_is(input->dtype, "float")) {
            double usual = input->value.length > 0 ? strtod(input->value.at, NULL) : 1.0;
            Str number = number_text(facts->arena, usual == 0.0 ? 0.5 : usual * 2);
            buf_addf(&rest, "\"%.*s\": %.*s, ", STR_ARG(input->name), STR_ARG(number));
        }
    }
    if (rest.length > 0) {
        buf_add(&rest, STR("\"seed\": 42"));
        add_case(suite, "L3_other_scalars", "L3", sizes, buf_str(&rest).at);
    }
}

/* Adds every P0 shape in every dtype: a kernel may be right for one size and not for the next. */
static void add_p0_cases(SuiteText *suite)
{
    const ScaffoldFacts *facts = suite->facts;
    Arena *arena = facts->arena;
    for (uint32_t i = 0; i < facts->cases.count; i++) {
        const Variables *sizes = &facts->cases.items[i].sizes;
        Str id = i == 0   ? STR("L2_canonical")
                 : i == 1 ? STR("L2_other_size")
                          : str_format(arena, "L2_shape_%u", i + 1);
        add_case(suite, id.at, "L2", sizes, "\"seed\": 42");
        for (uint32_t k = 1; k < facts->dtypes.count; k++) {
            Str dtype = facts->dtypes.items[k];
            Str other = str_format(arena, "%.*s_%.*s", STR_ARG(id), STR_ARG(dtype));
            add_case_of(suite, other.at, "L2", sizes, dtype, "\"seed\": 42");
        }
    }
}

static void add_plain_cases(SuiteText *suite, const Variables *first, const Variables *largest)
{
    static const struct {
        const char *id, *level;
        ShapeVariation variation;
    } varied[] = {
        {"L3_halved", "L3", SHAPE_HALVED},      {"L3_odd", "L3", SHAPE_ODD},
        {"L3_zero_rows", "L3", SHAPE_ZERO},     {"L3_single", "L3", SHAPE_SINGLE},
        {"L3_before_tile", "L3", SHAPE_BEFORE}, {"L3_after_tile", "L3", SHAPE_AFTER},
        {"L4_large", "L4", SHAPE_LARGE},        {"L4_large_tail", "L4", SHAPE_LARGE_TAIL},
    };
    const ScaffoldFacts *facts = suite->facts;
    Arena *arena = facts->arena;
    add_case(suite, "L1_canonical", "L1", first, "\"seed\": 42");
    add_case(suite, "L1_canonical_b", "L1", first, "\"seed\": 43");
    add_p0_cases(suite);
    if (facts->cases.count == 1) {
        Variables other = shape_varied(arena, &facts->contract, &facts->spec, first, SHAPE_DOUBLED);
        add_case(suite, "L2_other_size", "L2", &other, "\"seed\": 42");
    }
    for (size_t i = 0; i < sizeof varied / sizeof *varied; i++) {
        Variables sizes =
            shape_varied(arena, &facts->contract, &facts->spec, largest, varied[i].variation);
        add_case(suite, varied[i].id, varied[i].level, &sizes, "\"seed\": 42");
    }
    add_page_cases(suite, largest);
    add_scalar_case(suite, largest);
    add_case(suite, "L5_shifted_mean", "L5", first, "\"value_shift\": 4.0, \"seed\": 42");
    add_case(suite, "L5_large_values", "L5", first, "\"value_scale\": 8.0, \"seed\": 42");
    add_case(suite, "L5_small_values", "L5", first, "\"value_scale\": 0.001, \"seed\": 42");
}

/* The output with the name to which a difference is assigned, else the first output. */
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

/* Expressions have no quotes, backslashes or control characters (golden_pairs.c, spec_facts.c). */
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
    add_plain_cases(&suite, first, shape_largest(&facts->contract, &facts->cases));
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
