/* Inferring a contract: names and order come from the golden, dtypes, shapes and tolerances from
 * SPEC.md.
 *
 * Axes with the same sizes in all P0 shapes are the same axis and get the same name. Axes whose
 * size differs between P0 shapes get the names of dynamic_axes, if there are as many. */
#include "harness/plan/suite.h"
#include "harness/scaffold/scaffold_parts.h"

enum { MOST_P0_SHAPES = 64, MOST_AXES = 16 };

typedef struct Axis {
    const int64_t *sizes; /* one for each P0 shape, 0 = not declared */
    bool varies;
    Str name;
} Axis;

typedef struct Inference {
    Arena *arena;
    const SpecFacts *spec;
    Contract *contract;
    uint32_t shapes; /* P0 shapes in use */
    VEC(Axis) axes;
} Inference;

static const Value *p0_item(const Inference *inference, uint32_t i)
{
    return inference->spec->p0_shapes->items[i];
}

/* The number of this axis among all axes. */
static uint32_t find_axis(Inference *inference, Str input, uint32_t number, uint32_t axis,
                          uint32_t rank)
{
    int64_t *sizes = ARENA_ARRAY(inference->arena, int64_t, inference->shapes + 1);
    bool varies = false;
    int64_t first = 0;
    for (uint32_t i = 0; i < inference->shapes; i++) {
        const Value *list = p0_input_shape(p0_item(inference, i), input, number);
        if (list != NULL && list->count == rank && value_to_int(list->items[axis], &sizes[i])) {
            first = first == 0 ? sizes[i] : first;
            varies = varies || sizes[i] != first;
        }
    }
    for (uint32_t i = 0; i < inference->axes.count; i++) {
        if (memcmp(inference->axes.items[i].sizes, sizes, inference->shapes * sizeof *sizes) == 0) {
            return i;
        }
    }
    Axis made = {sizes, varies, STR("")};
    VEC_PUSH(inference->arena, &inference->axes, made);
    return inference->axes.count - 1;
}

/* The number of axes of an input in the first P0 shape that declares it; false when none does. */
static bool find_rank(const Inference *inference, Str input, uint32_t number, uint32_t *rank)
{
    for (uint32_t i = 0; i < inference->shapes; i++) {
        const Value *list = p0_input_shape(p0_item(inference, i), input, number);
        if (list != NULL && list->count <= MOST_AXES) {
            *rank = list->count;
            return true;
        }
    }
    return false;
}

static bool is_taken(const Inference *inference, Str name)
{
    for (uint32_t i = 0; i < inference->axes.count; i++) {
        if (str_equal(inference->axes.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

static void name_axes(Inference *inference)
{
    const Strs *dynamic = &inference->spec->dynamic_axes;
    uint32_t varying = 0, next = 0, number = 0;
    for (uint32_t i = 0; i < inference->axes.count; i++) {
        varying += inference->axes.items[i].varies;
    }
    for (uint32_t i = 0; i < inference->axes.count && varying == dynamic->count; i++) {
        Axis *axis = &inference->axes.items[i];
        axis->name = axis->varies ? dynamic->items[next++] : axis->name;
    }
    for (uint32_t i = 0; i < inference->axes.count; i++) {
        Axis *axis = &inference->axes.items[i];
        while (axis->name.length == 0) {
            Str name = str_format(inference->arena, "D%u", number++);
            axis->name = is_taken(inference, name) ? axis->name : name;
        }
    }
}

/* --- dimensions by name */

static bool is_list_of_sizes(const Value *item)
{
    int64_t size;
    return value_is(item, VALUE_MAPPING) && item->count > 0 &&
           value_to_int(item->entries[0].value, &size);
}

/* P0 shapes may give sizes by names of dimensions: then these are the dimensions. */
static void take_named_sizes(Inference *inference)
{
    Contract *contract = inference->contract;
    for (uint32_t i = 0; i < inference->shapes; i++) {
        const Value *item = p0_item(inference, i);
        Variables sizes = {0};
        for (uint32_t k = 0; is_list_of_sizes(item) && k < item->count; k++) {
            const ValueEntry *entry = &item->entries[k];
            int64_t size;
            if (entry->key->kind == VALUE_STRING && is_python_name(entry->key->text) &&
                value_to_int(entry->value, &size)) {
                VEC_PUSH(inference->arena, &sizes, ((Variable){entry->key->text, size}));
                dimension_names(inference->arena, entry->key->text, &contract->dimensions);
            }
        }
        if (sizes.count > 0) {
            VEC_PUSH(inference->arena, &contract->shapes, sizes);
        }
    }
}

static void take_axes(Inference *inference)
{
    Contract *contract = inference->contract;
    for (uint32_t i = 0; i < inference->axes.count; i++) {
        dimension_names(inference->arena, inference->axes.items[i].name, &contract->dimensions);
    }
    for (uint32_t i = 0; i < inference->shapes; i++) {
        Variables sizes = {0};
        for (uint32_t k = 0; k < inference->axes.count; k++) {
            const Axis *axis = &inference->axes.items[k];
            int64_t size = axis->sizes[i];
            VEC_PUSH(inference->arena, &sizes,
                     ((Variable){axis->name, size > 0 ? size : SHAPE_UNKNOWN}));
        }
        VEC_PUSH(inference->arena, &contract->shapes, sizes);
    }
}

/* --- inputs */

/* Axes get names when all are known; until then a dimension is the number of its axis. */
typedef struct Draft {
    bool known;
    uint32_t rank, axes[MOST_AXES];
} Draft;

static Str input_dtype(const Inference *inference, const GoldenParameter *parameter)
{
    if (parameter->scalar.length > 0) {
        return parameter->scalar;
    }
    return inference->spec->dtypes.count > 0 ? inference->spec->dtypes.items[0] : STR("float32");
}

static void add_inputs(Inference *inference, const GoldenSource *golden, const Draft *drafts,
                       Strs *notes)
{
    Contract *contract = inference->contract;
    Arena *arena = inference->arena;
    for (uint32_t i = 0; i < golden->parameters.count; i++) {
        const GoldenParameter *parameter = &golden->parameters.items[i];
        ContractTensor input = {
            parameter->name, {0}, input_dtype(inference, parameter), parameter->value};
        for (uint32_t k = 0; drafts[i].known && k < drafts[i].rank; k++) {
            VEC_PUSH(arena, &input.shape, inference->axes.items[drafts[i].axes[k]].name);
        }
        if (parameter->scalar.length == 0 && !drafts[i].known) {
            Str guess = contract->dimensions.count > 0 ? contract->dimensions.items[0] : STR("N");
            VEC_PUSH(arena, &input.shape, guess);
            VEC_PUSH(arena, notes,
                     str_format(arena, "no P0 shape declares the shape of %.*s: [%.*s] is a guess",
                                STR_ARG(parameter->name), STR_ARG(guess)));
        }
        for (uint32_t k = 0; k < input.shape.count; k++) {
            dimension_names(arena, input.shape.items[k], &contract->dimensions);
        }
        VEC_PUSH(arena, &contract->inputs, input);
    }
}

void contract_infer(Arena *arena, Str op_name, const GoldenSource *golden, const SpecFacts *spec,
                    Contract *contract, Strs *notes)
{
    *contract = (Contract){
        .op = op_name,
        .modules = 1,
        .has_tolerance = spec->has_atol && spec->has_rtol,
        .atol = spec->has_atol ? spec->atol : SUITE_DEFAULT_TOLERANCE,
        .rtol = spec->has_rtol ? spec->rtol : SUITE_DEFAULT_TOLERANCE,
    };
    Inference inference = {.arena = arena, .spec = spec, .contract = contract};
    uint32_t declared = value_is(spec->p0_shapes, VALUE_LIST) ? spec->p0_shapes->count : 0;
    inference.shapes = declared < MOST_P0_SHAPES ? declared : MOST_P0_SHAPES;
    Draft *drafts = ARENA_ARRAY(arena, Draft, golden->parameters.count + 1);
    for (uint32_t i = 0; i < golden->parameters.count; i++) {
        const GoldenParameter *parameter = &golden->parameters.items[i];
        drafts[i].known = parameter->scalar.length == 0 &&
                          find_rank(&inference, parameter->name, i, &drafts[i].rank);
        for (uint32_t k = 0; drafts[i].known && k < drafts[i].rank; k++) {
            drafts[i].axes[k] = find_axis(&inference, parameter->name, i, k, drafts[i].rank);
        }
    }
    name_axes(&inference);
    if (inference.axes.count > 0) {
        take_axes(&inference);
    } else {
        take_named_sizes(&inference);
    }
    add_inputs(&inference, golden, drafts, notes);
}
