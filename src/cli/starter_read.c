/* Parameters and shapes; see starter_read.h. */
#include "cli/starter_read.h"

#include "harness/plan/contract.h"

enum { USUAL_ROWS = 64, USUAL_COLUMNS = 256, MOST_UNWRAP = 8, MOST_LAUNCHES = 64 };

/* --- parameters */

static Str scalar_of(const Module *module, NodeId annotation, NodeId value)
{
    static const char *const words[] = {"int", "float", "bool"};
    Str name = node_is(module, annotation, NODE_NAME) ? node_name(module, annotation) : STR("");
    if (STR_IS_ANY(name, words)) {
        return name;
    }
    if (!node_is(module, value, NODE_CONSTANT)) {
        return STR("");
    }
    uint8_t kind = node_at(module, value)->op;
    return kind == CONSTANT_INT                              ? STR("int")
           : kind == CONSTANT_FLOAT                          ? STR("float")
           : kind == CONSTANT_TRUE || kind == CONSTANT_FALSE ? STR("bool")
                                                             : STR("");
}

/* False, so that callers can return it. */
static bool refuse_parameter(Str function, Str parameter)
{
    print_error("%.*s: --from cannot use the parameter %.*s; rename it", STR_ARG(function),
                STR_ARG(parameter));
    return false;
}

bool starter_read_parameters(Reading *reading)
{
    const Module *module = reading->module;
    NodeId arguments = function_arguments(module, reading->function);
    uint32_t count = node_count(module, arguments, ROLE_PARAM);
    uint32_t defaults = node_count(module, arguments, ROLE_DEFAULT);
    bool plain = node_count(module, arguments, ROLE_POSONLYARG) == 0 &&
                 node_count(module, arguments, ROLE_KWONLYARG) == 0 &&
                 node_count(module, arguments, ROLE_VARARG) == 0 &&
                 node_count(module, arguments, ROLE_KWARG) == 0;
    Str name = node_name(module, reading->function);
    if (!plain || count == 0 || count > MOST_PARAMETERS) {
        print_error("%.*s: --from needs a function of 1 to %d plain parameters", STR_ARG(name),
                    MOST_PARAMETERS);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        NodeId node = node_nth(module, arguments, ROLE_PARAM, i);
        NodeId value = i + defaults < count
                           ? NO_NODE
                           : node_nth(module, arguments, ROLE_DEFAULT, i + defaults - count);
        NodeId annotation = parameter_annotation(module, node);
        Parameter *one = &reading->parameters[reading->count++];
        *one = (Parameter){.name = node_name(module, node),
                           .scalar = scalar_of(module, annotation, value),
                           .dtype = STR("float32")};
        Str type = one->scalar.length > 0 ? one->scalar : STR("torch.Tensor");
        one->text = str_format(reading->arena, "%.*s: %.*s%s%.*s", STR_ARG(one->name),
                               STR_ARG(type), value == NO_NODE ? "" : " = ",
                               STR_ARG(value == NO_NODE ? STR("") : node_text(module, value)));
        if (!is_python_name(one->name)) {
            return refuse_parameter(name, one->name);
        }
    }
    return true;
}

/* --- results */

/* What the last `return` of the body gives, the last one with a tuple where there is one; or
 * NO_NODE. */
static NodeId returned_value(const Module *module, NodeId function)
{
    NodeId last = NO_NODE;
    NodeId id = node_child(module, function, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        NodeId value =
            node_is(module, id, NODE_RETURN) ? node_child(module, id, ROLE_VALUE) : NO_NODE;
        if (value != NO_NODE &&
            (node_is(module, value, NODE_TUPLE) || !node_is(module, last, NODE_TUPLE))) {
            last = value;
        }
    }
    return last;
}

static bool is_parameter(const Reading *reading, Str name)
{
    bool found = false;
    for (uint32_t i = 0; i < reading->count; i++) {
        found = found || str_equal(reading->parameters[i].name, name);
    }
    return found;
}

/* The names that the function itself returns, where each part is one of its own. */
static bool own_names(Reading *reading, NodeId value, uint32_t count)
{
    const Module *module = reading->module;
    bool tuple = node_is(module, value, NODE_TUPLE);
    for (uint32_t i = 0; i < count; i++) {
        NodeId part = tuple ? node_nth(module, value, ROLE_ELT, i) : value;
        Str name = node_is(module, part, NODE_NAME) ? node_name(module, part) : STR("");
        if (!is_python_name(name) || is_parameter(reading, name) ||
            strs_have(&reading->outputs, name) || str_is(name, "torch") || str_is(name, "pypto")) {
            reading->outputs.count = 0;
            return false;
        }
        VEC_PUSH(reading->arena, &reading->outputs, name);
    }
    return true;
}

bool starter_read_outputs(Reading *reading)
{
    Str name = node_name(reading->module, reading->function);
    NodeId value = returned_value(reading->module, reading->function);
    bool tuple = node_is(reading->module, value, NODE_TUPLE);
    uint32_t count = tuple ? node_count(reading->module, value, ROLE_ELT) : 1;
    if (count == 0 || count > MOST_OUTPUTS) {
        print_error("%.*s: --from needs a function with 1 to %d results", STR_ARG(name),
                    MOST_OUTPUTS);
        return false;
    }
    if (own_names(reading, value, count)) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        Str output = count == 1 ? STR("y") : str_format(reading->arena, "y%u", i);
        VEC_PUSH(reading->arena, &reading->outputs, output);
    }
    for (uint32_t i = 0; i < reading->count; i++) {
        if (strs_have(&reading->outputs, reading->parameters[i].name)) {
            return refuse_parameter(name, reading->parameters[i].name);
        }
    }
    return true;
}

/* --- shapes */

/* The value of an int literal, or of a name that is assigned one; false unless it is above 0. */
static bool int_value(const Module *module, NodeId node, int64_t *value)
{
    if (!node_is(module, node, NODE_NAME)) {
        return node_int(module, node, true, value) && *value > 0;
    }
    NodeList assigned = module_nodes(module, NODE_ASSIGN);
    for (uint32_t i = 0; i < assigned.count; i++) {
        NodeId target = node_child(module, assigned.ids[i], ROLE_TARGET);
        if (node_is_name(module, target, node_name(module, node))) {
            NodeId made = node_child(module, assigned.ids[i], ROLE_VALUE);
            return node_int(module, made, true, value) && *value > 0;
        }
    }
    return false;
}

static bool is_sequence(const Module *module, NodeId node)
{
    return node_is(module, node, NODE_LIST) || node_is(module, node, NODE_TUPLE);
}

static void take_dtype(const Module *module, NodeId node, Parameter *one)
{
    static const char *const words[] = {"float32", "float16", "bfloat16", "int8",
                                        "int16",   "int32",   "int64",    "bool"};
    Str name = node_is(module, node, NODE_ATTRIBUTE) ? node_name(module, node) : STR("");
    if (STR_IS_ANY(name, words)) {
        one->dtype = name;
    }
}

/* What `torch.randn(64, 256)` gives. */
static bool take_maker(const Module *module, NodeId call, Parameter *one)
{
    static const char *const makers[] = {"randn", "rand", "zeros",  "ones",
                                         "empty", "full", "randint"};
    Str name = call_attribute(module, call);
    if (!node_is(module, call, NODE_CALL) || !STR_IS_ANY(name, makers)) {
        return false;
    }
    NodeId sizes = NO_NODE, argument = node_child(module, call, ROLE_ARG);
    for (NodeId id = argument; id != NO_NODE && sizes == NO_NODE; id = node_next(module, id)) {
        sizes = is_sequence(module, id) ? id : NO_NODE;
    }
    NodeId keyword = call_keyword_value(module, call, "size");
    sizes = sizes == NO_NODE && is_sequence(module, keyword) ? keyword : sizes;
    NodeId item = sizes == NO_NODE ? argument : node_child(module, sizes, ROLE_ELT);
    int rank = 0;
    for (; item != NO_NODE && rank < MOST_RANK; item = node_next(module, item)) {
        if (!int_value(module, item, &one->shape[rank++])) {
            return false;
        }
    }
    one->rank = rank;
    one->known = rank > 0 && item == NO_NODE;
    one->dtype = str_is(name, "randint") ? STR("int64") : STR("float32");
    NodeId dtype = call_keyword_value(module, call, "dtype");
    if (dtype != NO_NODE) {
        take_dtype(module, dtype, one);
    }
    return one->known;
}

/* The same with methods and factors behind it: `torch.randn(8, 8).to(torch.float16) * 0.1`. */
static bool take_tensor(const Module *module, NodeId node, Parameter *one)
{
    Parameter after = {.dtype = STR("")};
    for (int depth = 0; depth < MOST_UNWRAP && node != NO_NODE; depth++) {
        if (take_maker(module, node, one)) {
            one->dtype = after.dtype.length > 0 ? after.dtype : one->dtype;
            return true;
        }
        if (node_is(module, node, NODE_BIN_OP)) {
            node = node_child(module, node, ROLE_LEFT);
            continue;
        }
        if (!node_is(module, node, NODE_CALL) ||
            !node_is(module, call_func(module, node), NODE_ATTRIBUTE)) {
            return false;
        }
        Str method = call_attribute(module, node);
        if (after.dtype.length == 0) {
            after.dtype = str_is(method, "half")       ? STR("float16")
                          : str_is(method, "bfloat16") ? STR("bfloat16")
                                                       : STR("");
        }
        NodeId first = call_arg(module, node, 0);
        if (str_is(method, "to") && first != NO_NODE && after.dtype.length == 0) {
            take_dtype(module, first, &after);
        }
        node = attribute_value(module, call_func(module, node));
    }
    return false;
}

/* The value that a name is assigned, also as one of several: `a, b = …, …`. */
static NodeId assigned_value(const Module *module, Str name)
{
    NodeList assigned = module_nodes(module, NODE_ASSIGN);
    for (uint32_t i = 0; i < assigned.count; i++) {
        NodeId target = node_child(module, assigned.ids[i], ROLE_TARGET);
        NodeId value = node_child(module, assigned.ids[i], ROLE_VALUE);
        if (node_is_name(module, target, name)) {
            return value;
        }
        bool several = node_is(module, target, NODE_TUPLE) && node_is(module, value, NODE_TUPLE);
        uint32_t count = several ? node_count(module, target, ROLE_ELT) : 0;
        for (uint32_t k = 0; k < count; k++) {
            if (node_is_name(module, node_nth(module, target, ROLE_ELT, k), name)) {
                return node_nth(module, value, ROLE_ELT, k);
            }
        }
    }
    return NO_NODE;
}

static void read_value(Reading *reading, NodeId node, Parameter *one)
{
    const Module *module = reading->module;
    if (node_is(module, node, NODE_NAME)) {
        node = assigned_value(module, node_name(module, node));
    }
    if (node != NO_NODE && !one->known) {
        take_tensor(module, node, one);
    }
}

void starter_read_shapes(Reading *reading)
{
    const Module *module = reading->module;
    NodeList calls = module_nodes(module, NODE_CALL);
    Str name = node_name(module, reading->function);
    uint32_t launches = 0;
    for (uint32_t i = 0; i < calls.count && launches < MOST_LAUNCHES; i++) {
        if (!str_equal(call_name(module, calls.ids[i]), name)) {
            continue;
        }
        launches++;
        for (uint32_t k = 0; k < reading->count; k++) {
            Parameter *one = &reading->parameters[k];
            NodeId given = call_arg(module, calls.ids[i], k);
            Str word = str_from(str_dup(reading->arena, one->name));
            given = given != NO_NODE ? given : call_keyword_value(module, calls.ids[i], word.at);
            read_value(reading, given, one);
        }
    }
    for (uint32_t k = 0; k < reading->count; k++) {
        Parameter *one = &reading->parameters[k];
        if (!one->known && one->scalar.length == 0) {
            read_value(reading, assigned_value(module, one->name), one);
        }
        if (!one->known && one->scalar.length == 0) {
            one->rank = 2;
            one->shape[0] = USUAL_ROWS;
            one->shape[1] = USUAL_COLUMNS;
            print_note(
                "%.*s: nothing in the file says its shape, so [%d, %d] float32 is taken; to say "
                "it, put a line like `%.*s = torch.randn(%d, %d)` into the file",
                STR_ARG(one->name), USUAL_ROWS, USUAL_COLUMNS, STR_ARG(one->name), USUAL_ROWS,
                USUAL_COLUMNS);
        }
    }
}
