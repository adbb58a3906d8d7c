/* Functions of the package: matrix products. */
#include "eval/compose.h"

Value compose_var(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    PtsError error;
    Value tensor = compose_argument(arguments, "input", 0);
    Value dim = drive_plain(eval, compose_argument(arguments, "dim", 1));
    Value keepdim = compose_argument(arguments, "keepdim", UINT32_MAX);
    bool known = drive_info(eval, tensor, &info) &&
                 (keepdim.kind == VALUE_NONE || keepdim.kind == VALUE_BOOL);
    attributes.keepdim = keepdim.kind == VALUE_BOOL && keepdim.as.integer != 0;
    attributes.real = compose_real_of(compose_argument(arguments, "correction", 2), 1.0, &known);
    bool all = dim.kind == VALUE_NONE || (value_has_items(dim) && dim.as.sequence->count == 0);
    uint32_t count = all ? 0 : value_has_items(dim) ? dim.as.sequence->count : 1;
    known = known && count <= PTS_MAX_RANK;
    if (!known) {
        return drive_emit(eval, PTS_OP_VAR, 1, &tensor, NULL);
    }
    attributes.shape_rank = all ? info.rank : (int)count;
    for (int i = 0; i < attributes.shape_rank; i++) {
        Value one = all                    ? value_int(i)
                    : value_has_items(dim) ? drive_plain(eval, dim.as.sequence->items[i])
                                           : dim;
        known = known && one.kind == VALUE_INT;
        int64_t axis = known ? one.as.integer + (one.as.integer < 0 ? info.rank : 0) : 0;
        attributes.shape[i] = pts_sym_constant(eval->drive->context, axis, &error);
    }
    return drive_emit(eval, PTS_OP_VAR, 1, &tensor, known ? &attributes : NULL);
}

bool compose_take_extended(Eval *eval, Value params, PtsAttributes *attributes, Value *operands)
{
    bool known = params.kind == VALUE_DICT && !params.as.dict->lost;
    for (uint32_t i = 0; known && i < params.as.dict->count; i++) {
        Value key = params.as.dict->keys[i], value = params.as.dict->values[i];
        Str name = key.kind == VALUE_STR ? *key.as.text : STR("");
        if (value.kind == VALUE_NONE) {
            continue;
        }
        if (str_is(name, "bias_tensor") || str_is(name, "scale_tensor")) {
            operands[str_is(name, "bias_tensor") ? 2 : 3] = value;
            known = value.kind == VALUE_TENSOR;
        } else if (str_is(name, "scale")) {
            attributes->has_scale = true;
            value = drive_plain(eval, value);
            attributes->scale =
                value.kind == VALUE_FLOAT ? value.as.number : (double)value.as.integer;
            known = value.kind == VALUE_FLOAT || value.kind == VALUE_INT;
        } else if (str_is(name, "relu_type") || str_is(name, "trans_mode")) {
            bool relu = str_is(name, "relu_type");
            *(relu ? &attributes->relu : &attributes->trans_mode) = compose_member(value, 0);
            known = compose_member(value, 0) >= 0;
        } else {
            known = false;
        }
    }
    return known;
}

Value drive_matmul(Eval *eval, Value a, Value b, Value dtype, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[4] = {a, b, value_none(), value_none()};
    int number = drive_dtype(dtype);
    bool known = true;
    attributes.dtype = number >= 0 ? (PtsDtype)number : PTS_BOTTOM;
    attributes.unknown = number >= 0 ? 0 : PTS_UNKNOWN_DTYPE;
    if (arguments != NULL) {
        Value extended = compose_argument(arguments, "extend_params", UINT32_MAX);
        attributes.a_trans = compose_flag_of(arguments, "a_trans", &known);
        attributes.b_trans = compose_flag_of(arguments, "b_trans", &known);
        attributes.c_matrix_nz = compose_flag_of(arguments, "c_matrix_nz", &known);
        known = known && (extended.kind == VALUE_NONE ||
                          compose_take_extended(eval, extended, &attributes, operands));
    }
    return drive_emit(eval, PTS_OP_MATMUL, 4, operands, known ? &attributes : NULL);
}

Value compose_matmul(Eval *eval, const Arguments *arguments)
{
    Value a = compose_argument(arguments, "input", 0), b = compose_argument(arguments, "mat2", 1);
    Value dtype = compose_argument(arguments, "out_dtype", 2);
    if (!compose_need_tensor(eval, "matmul", "input", a) ||
        !compose_need_tensor(eval, "matmul", "mat2", b)) {
        return value_tensor();
    }
    return drive_matmul(eval, a, b, dtype, arguments);
}

Value compose_scaled_mm(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[6] = {compose_argument(arguments, "mat_a", 0),
                         compose_argument(arguments, "mat_b", 1),
                         value_none(),
                         value_none(),
                         compose_argument(arguments, "scale_a", 3),
                         compose_argument(arguments, "scale_b", 4)};
    Value extended = compose_argument(arguments, "extend_params", UINT32_MAX);
    int number = drive_dtype(compose_argument(arguments, "out_dtype", 2));
    bool known = number >= 0;
    static const char *const names[] = {"mat_a", "mat_b", NULL, NULL, "scale_a", "scale_b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] != NULL && !compose_need_tensor(eval, "scaled_mm", names[i], operands[i])) {
            return value_tensor();
        }
    }
    attributes.dtype = known ? (PtsDtype)number : PTS_BOTTOM;
    attributes.a_trans = compose_flag_of(arguments, "a_trans", &known);
    attributes.b_trans = compose_flag_of(arguments, "b_trans", &known);
    attributes.scale_a_trans = compose_flag_of(arguments, "scale_a_trans", &known);
    attributes.scale_b_trans = compose_flag_of(arguments, "scale_b_trans", &known);
    attributes.c_matrix_nz = compose_flag_of(arguments, "c_matrix_nz", &known);
    known = known && (extended.kind == VALUE_NONE ||
                      compose_take_extended(eval, extended, &attributes, operands));
    return drive_emit(eval, PTS_OP_SCALED_MM, 6, operands, known ? &attributes : NULL);
}
