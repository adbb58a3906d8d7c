/* Functions of the package: scatter, index_put, clip and others with forms of their own. */
#include "eval/compose.h"

Value compose_axpy(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {compose_argument(arguments, "y", 0), compose_argument(arguments, "x", 1)};
    bool known = true;
    attributes.real = compose_real_of(compose_argument(arguments, "alpha", 2), 1.0, &known);
    Value made = drive_emit(eval, PTS_OP_AXPY_, 2, operands, known ? &attributes : NULL);
    drive_move(eval, operands[0], made);
    return operands[0];
}

Value compose_clip(Eval *eval, const Arguments *arguments)
{
    Value operands[] = {compose_argument(arguments, "input", 0),
                        compose_argument(arguments, "min", 1),
                        compose_argument(arguments, "max", 2)};
    if (operands[1].kind == VALUE_NONE && operands[2].kind == VALUE_NONE) {
        return operands[0];
    }
    return drive_emit(eval, PTS_OP_CLIP, 3, operands, &PTS_ATTRIBUTES);
}

Value compose_scatter(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {compose_argument(arguments, "input", 0),
                        compose_argument(arguments, "index", 2),
                        compose_argument(arguments, "src", 3)};
    Value dim = drive_plain(eval, compose_argument(arguments, "dim", 1));
    Value reduce = compose_argument(arguments, "reduce", UINT32_MAX);
    bool known = dim.kind == VALUE_INT && (reduce.kind == VALUE_NONE || reduce.kind == VALUE_STR);
    if (known) {
        attributes.dim = (int)dim.as.integer;
        attributes.has_dim = true;
        attributes.mode = reduce.kind == VALUE_NONE             ? 0
                          : str_is(*reduce.as.text, "add")      ? 1
                          : str_is(*reduce.as.text, "multiply") ? 2
                                                                : -1;
        known = attributes.mode >= 0;
    }
    return drive_emit(eval, PTS_OP_SCATTER, 3, operands, known ? &attributes : NULL);
}

Value compose_scatter_in_place(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0);
    drive_move(eval, tensor, compose_scatter(eval, arguments));
    return tensor;
}

Value compose_index_add(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {compose_argument(arguments, "input", 0),
                        compose_argument(arguments, "index", 2),
                        compose_argument(arguments, "source", 3)};
    Value dim = drive_plain(eval, compose_argument(arguments, "dim", 1));
    bool known = dim.kind == VALUE_INT;
    attributes.dim = known ? (int)dim.as.integer : 0;
    attributes.has_dim = true;
    attributes.real =
        compose_real_of(compose_argument(arguments, "alpha", UINT32_MAX), 1.0, &known);
    return drive_emit(eval, PTS_OP_INDEX_ADD_, 3, operands, known ? &attributes : NULL);
}

Value compose_index_add_in_place(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0);
    drive_move(eval, tensor, compose_index_add(eval, arguments));
    return tensor;
}

Value compose_index_put(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[PTS_MAX_OPERANDS] = {compose_argument(arguments, "input", 0),
                                        compose_argument(arguments, "values", 2)};
    Value accumulate = compose_argument(arguments, "accumulate", 3);
    uint32_t count = 0;
    bool known =
        compose_tensors_of(compose_argument(arguments, "indices", 1), operands + 2, 8, &count) &&
        (accumulate.kind == VALUE_NONE || accumulate.kind == VALUE_BOOL);
    attributes.accumulate = accumulate.kind == VALUE_BOOL && accumulate.as.integer != 0;
    Value made =
        drive_emit(eval, PTS_OP_INDEX_PUT_, count + 2, operands, known ? &attributes : NULL);
    drive_move(eval, operands[0], made);
    return value_none();
}

/* quant_mx: blocks of 32 elements share a power of two. */
Value compose_quant_mx(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = compose_argument(arguments, "input", 0);
    Value dtype = compose_argument(arguments, "quant_dtype", 1);
    Value mode = compose_argument(arguments, "mode", 2);
    Value axis = drive_plain(eval, compose_argument(arguments, "axis", 3));
    Value fast = compose_argument(arguments, "performance_mode", 4);
    int number = dtype.kind == VALUE_NONE ? PTS_FP8E4M3 : drive_dtype(dtype);
    bool known = number >= 0 && compose_member(mode, 1) >= 0 &&
                 (axis.kind == VALUE_NONE || axis.kind == VALUE_INT) &&
                 (fast.kind == VALUE_NONE || fast.kind == VALUE_BOOL);
    if (!compose_need_tensor(eval, "quant_mx", "input", tensor)) {
        return value_unknown();
    }
    attributes.dtype = number < 0 ? PTS_BOTTOM : (PtsDtype)number;
    attributes.mode = compose_member(mode, 1); /* ROUND_DOWN */
    attributes.dim = axis.kind == VALUE_INT ? (int)axis.as.integer : -1;
    attributes.has_dim = true;
    attributes.largest = fast.kind != VALUE_BOOL || fast.as.integer != 0;
    return drive_emit(eval, PTS_OP_QUANT_MX, 1, &tensor, known ? &attributes : NULL);
}
