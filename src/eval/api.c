/* Calls of pypto functions while no kernel is recorded. */
#include "eval/drive.h"
#include "eval/made_kernel.h"

/* Tiles that host code sets apply in the kernels that it launches. */
static void note_tiles(Eval *eval, const Arguments *arguments, Str name)
{
    static const char *const setters[] = {"set_vec_tile_shapes", "set_cube_tile_shapes",
                                          "set_options", "set_global_config"};
    static const char *const given[] = {"vec_tile_shapes", "cube_tile_shapes"};
    if (eval->reporting) {
        return; /* in a kernel */
    }
    eval->tiles_set = eval->tiles_set || STR_IS_ANY(name, setters);
    bool tiles = arguments->open || arguments->positional > 1;
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        tiles = tiles || STR_IS_ANY(arguments->names[i], given);
    }
    eval->tiles_outside = eval->tiles_outside || (str_is(name, "options") && tiles);
}

/* Plain functions of Python that the package has besides its operations. They neither record nor
 * set anything. */
static bool call_plain(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    if (str_is(name, "bytes_of")) {
        const Value *type = drive_argument(arguments, "dtype", 0);
        int dtype = type == NULL ? -1 : drive_dtype(*type);
        *result = dtype < 0 ? value_number() : value_int((int64_t)pts_dtype_bytes((PtsDtype)dtype));
        return true;
    }
    const Value *a = drive_argument(arguments, "a", 0), *b = drive_argument(arguments, "b", 1);
    if (!str_is(name, "ceildiv") || arguments->open || a == NULL || b == NULL) {
        return false;
    }
    NodeId call = arguments->call;
    Value sum = eval_operator(eval, call, OPERATOR_ADD, *a, *b);
    Value most = eval_operator(eval, call, OPERATOR_SUB, sum, value_int(1));
    *result = eval_operator(eval, call, OPERATOR_FLOOR_DIV, most, *b);
    return true;
}

Value call_api(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    Str name = str_from(fact->name);
    bool is_function = fact->kind == API_FACT_FUNCTION;
    Buf shown = {.arena = eval->arena}; /* for every call of a kernel: a format costs too much */
    buf_add(&shown, STR("pypto."));
    buf_add(&shown, name);
    bool fits = !is_function || check_signature(eval, arguments, buf_str(&shown), fact->parameters);
    Value plain;
    if (is_function && fits && call_plain(eval, arguments, name, &plain)) {
        return plain;
    }
    if (eval->drive != NULL) {
        return fits ? drive_api(eval, arguments, fact) : (drive_end(eval), value_unknown());
    }
    if (!is_function) {
        lose_arguments(eval, arguments); /* otherwise it does not change the lists it gets */
    }
    if (!fits) {
        return value_unknown();
    }
    if (str_is(name, "jit")) {
        return made_kernel(eval, arguments, (Value){.kind = VALUE_API, .as.fact = fact});
    }
    note_tiles(eval, arguments, name);
    if (str_is(name, "loop") || str_is(name, "loop_unroll")) {
        Arguments *copy = ARENA_NEW(eval->arena, Arguments);
        *copy = *arguments;
        return (Value){.kind = VALUE_LOOP, .flag = str_is(name, "loop_unroll"), .as.loop = copy};
    }
    if (str_is(name, "cond") && arguments->positional == 1) {
        Value value = arguments->values[0];
        value.flag = false; /* in an `if` it is allowed everywhere */
        return value.kind == VALUE_SYMBOL ? value : value_unknown();
    }
    if (str_is(name, "is_loop_begin") || str_is(name, "is_loop_end")) {
        bool sure = arguments->positional == 1 && arguments->values[0].kind == VALUE_SYMBOL &&
                    arguments->values[0].atom;
        Value value = {.kind = VALUE_SYMBOL, .flag = sure};
        value.as.atoms = sure ? arguments->values[0].as.atoms : UINT64_MAX;
        return value;
    }
    return fact->gives_tensor ? value_tensor() : value_unknown();
}
