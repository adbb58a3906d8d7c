/* pypto functions that are called while a kernel is recorded: dispatches them to the files that
 * handle them. */
#include "eval/drive.h"

/* --- arguments */

static bool is_among(Str names, Str name)
{
    while (names.length > 0) {
        size_t end = str_find(names, STR("|"), 0);
        if (str_equal(str_slice(names, 0, end), name)) {
            return true;
        }
        names = end == SIZE_MAX ? STR("") : str_slice(names, end + 1, names.length);
    }
    return false;
}

static const Value *find_argument(const Arguments *arguments, Str names, uint32_t place)
{
    if (place < arguments->positional) {
        return &arguments->values[place];
    }
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (is_among(names, arguments->names[i])) {
            return &arguments->values[arguments->positional + i];
        }
    }
    return NULL;
}

const Value *drive_argument(const Arguments *arguments, const char *names, uint32_t place)
{
    return find_argument(arguments, str_from(names), place);
}

/* --- calls */

/* A callee that may do anything: it may write its arguments and set tiles. */
static Value anything(Eval *eval, const Arguments *arguments)
{
    Drive *drive = eval->drive;
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    drive->carried = true;
    drive_lose_tiles(eval);
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        drive_lose(eval, arguments->values[i]);
        if (value_is_sequence(arguments->values[i]) || arguments->values[i].kind == VALUE_DICT) {
            drive_end(eval); /* it may hold tensors */
        }
    }
    return value_unknown();
}

static Value call_symbolic(Eval *eval, const Arguments *arguments, Str name, bool *found)
{
    Value first = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    Value second = arguments->positional > 1 ? arguments->values[1] : value_unknown();
    *found = true;
    if ((str_is(name, "min") || str_is(name, "max")) && arguments->positional == 2) {
        Value tensor = first.kind == VALUE_TENSOR ? first : second;
        if (tensor.kind == VALUE_TENSOR) {
            drive_refuse(eval, EVAL_VALUE, PTS_TYPE_ERROR, 0xF00001,
                         "symbolic scalars go with integers and symbolic scalars, not Tensor");
            return value_unknown();
        }
        return drive_symbol_operation(eval, str_is(name, "min") ? PTS_SYM_MIN : PTS_SYM_MAX, first,
                                      second);
    }
    if (str_is(name, "cond") && first.kind == VALUE_TENSOR) {
        drive_refuse(eval, EVAL_VALUE, PTS_TYPE_ERROR, 0xF00001,
                     "cond() takes a symbolic scalar, not Tensor");
        return value_unknown();
    }
    if (str_is(name, "cond") && arguments->positional == 1) {
        return first.kind == VALUE_SYMBOL || first.kind == VALUE_BOOL ? first : value_unknown();
    }
    if (str_is(name, "is_loop_begin") || str_is(name, "is_loop_end")) {
        return arguments->positional == 1 ? drive_edge(eval, first, str_is(name, "is_loop_end"))
                                          : value_unknown();
    }
    if (str_is(name, "symbolic_scalar") || str_is(name, "SymbolicScalar")) {
        return arguments->positional == 1 && drive_is_integer(first) ? first : value_unknown();
    }
    *found = false;
    return value_unknown();
}

Value drive_api(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    Drive *drive = eval->drive;
    Str name = str_from(fact->name);
    Value result;
    bool found;
    drive->node = arguments->call;
    drive->moved = drive->moved || arguments->open || name.at[name.length - 1] == '_';
    if (arguments->open) {
        return anything(eval, arguments);
    }
    if (str_is(name, "loop") || str_is(name, "loop_unroll")) {
        Arguments *copy = ARENA_NEW(eval->arena, Arguments);
        *copy = *arguments;
        return (Value){.kind = VALUE_LOOP, .flag = str_is(name, "loop_unroll"), .as.loop = copy};
    }
    if (str_is(name, "conv")) {
        return drive_conv(eval, arguments);
    }
    result = call_symbolic(eval, arguments, name, &found);
    if (found || drive_setting(eval, arguments, name, &result) ||
        drive_cooked(eval, arguments, fact, &result)) {
        return result;
    }
    if (!drive_check_dtypes(eval, arguments, fact)) {
        return value_tensor();
    }
    if (drive_composed(eval, arguments, name, &result)) {
        return result;
    }
    anything(eval, arguments);
    return fact->gives_tensor ? value_tensor() : value_unknown();
}

/* Methods that neither record anything nor change a tensor. */
static bool is_passive(Str name)
{
    static const char *const names[] = {"set_cache_policy", "get_cache_policy", "is_empty", "base",
                                        "logical_tensor",   "data_ptr"};
    return STR_IS_ANY(name, names);
}

/* t.exp() is pypto.exp(t), except for assemble and move. */
Value drive_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    if (is_passive(name)) {
        return str_is(name, "set_cache_policy") ? value_none() : value_unknown();
    }
    Arguments with = *arguments;
    uint32_t count = arguments->positional + arguments->keywords + 1;
    with.values = ARENA_ARRAY(eval->arena, Value, count + 1);
    with.nodes = ARENA_ARRAY(eval->arena, NodeId, count + 1);
    with.values[0] = self;
    with.nodes[0] = arguments->call;
    memcpy(with.values + 1, arguments->values, (count - 1) * sizeof *with.values);
    memcpy(with.nodes + 1, arguments->nodes, (count - 1) * sizeof *with.nodes);
    with.positional++;
    eval->drive->node = arguments->call;
    eval->drive->moved = eval->drive->moved || name.at[name.length - 1] == '_';
    if (str_is(name, "move") && with.positional == 2 && !with.open) {
        return drive_cook(eval, "move", 2, with.values);
    }
    if (str_is(name, "assemble")) {
        const Value *source = drive_argument(arguments, "src", 0);
        const Value *offsets = drive_argument(arguments, "offsets", 1);
        Value given[3] = {source == NULL ? value_unknown() : *source,
                          offsets == NULL ? value_unknown() : *offsets, self};
        Arguments turned = {.call = arguments->call,
                            .values = given,
                            .positional = 3,
                            .nodes = with.nodes,
                            .names = arguments->names};
        return drive_api(eval, &turned, api_fact_find(name));
    }
    const ApiFact *fact = api_fact_find(name);
    if (fact != NULL) {
        return drive_api(eval, &with, fact);
    }
    const ApiFact method = {.name = str_dup(eval->arena, name), .gives_tensor = true};
    Value result; /* of a function that exists only as a method */
    return !with.open && drive_cooked(eval, &with, &method, &result) ? result
                                                                     : anything(eval, &with);
}
