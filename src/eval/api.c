/* Calls of pypto functions while no kernel is recorded. */
#include "eval/drive.h"

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

Value call_api(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    Str name = str_from(fact->name);
    bool is_function = fact->kind == API_FACT_FUNCTION;
    Buf shown = {.arena = eval->arena}; /* for every call of a kernel: a format costs too much */
    buf_add(&shown, STR("pypto."));
    buf_add(&shown, name);
    bool fits = !is_function || check_signature(eval, arguments, buf_str(&shown), fact->parameters);
    if (eval->drive != NULL) {
        return fits ? drive_api(eval, arguments, fact) : (drive_end(eval), value_unknown());
    }
    if (!is_function) {
        lose_arguments(eval, arguments); /* otherwise it does not change the lists it gets */
    }
    if (!fits) {
        return value_unknown();
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
