/* Recipes of several operations: sigmoid, softmax, rms_norm, and operators of tensors that have no
 * operation of their own. */
#include "model/recipe_call.h"

/* Checks that the input is a tensor and gives its form; rank and dtype are -1 when not known. */
static bool check_input(PtsCall *call, PtsSlotInfo *info, int *dtype)
{
    if (!call_info(call, &call->arg[0], info)) {
        *info = (PtsSlotInfo){.dtype = PTS_BOTTOM, .rank = -1};
    }
    *dtype = info->dtype == PTS_BOTTOM ? -1 : (int)info->dtype;
    return call_tensor(call, &call->arg[0], "input");
}

/* An F32 tensor of ones with the shape and the valid shape of `like`. */
static bool ones_like(PtsCall *call, const PtsValue *like, PtsValue *result)
{
    PtsAttributes *attributes = &call->attributes;
    const PtsValue one = pts_value_real(1.0);
    PtsSlotInfo info;
    *attributes = PTS_ATTRIBUTES;
    attributes->dtype = PTS_FP32;
    if (!call_info(call, like, &info)) {
        attributes->unknown = PTS_UNKNOWN_ALL;
        return call_emit(call, PTS_OP_FULL, 1, &one, result);
    }
    PtsValue size[PTS_MAX_RANK], list = pts_value(PTS_VALUE_LIST);
    list.count = (uint32_t)info.rank;
    list.items = size;
    for (int i = 0; i < info.rank; i++) {
        size[i] = pts_value_sym(info.shape[i]);
        attributes->valid[i] = info.valid[i];
    }
    attributes->valid_rank = info.rank;
    call->name = "full";
    call->op = PTS_OP_FULL;
    return call_shape(call, &list, "size", true) && call_emit(call, PTS_OP_FULL, 1, &one, result);
}

bool recipe_sigmoid(PtsCall *call, PtsValue *result)
{
    const PtsValue minus = pts_value_real(-1.0), one = pts_value_real(1.0);
    PtsSlotInfo info;
    PtsValue x = call->arg[0], ones;
    int dtype;
    return check_input(call, &info, &dtype) && call_cast(call, &x, PTS_FP32, 0) &&
           call_binary_op(call, PTS_OP_MUL, &x, &minus, &x) && call_unary(call, PTS_OP_EXP, &x) &&
           call_binary_op(call, PTS_OP_ADD, &x, &one, &x) && ones_like(call, &x, &ones) &&
           call_binary_op(call, PTS_OP_DIV, &ones, &x, &x) && call_cast(call, &x, dtype, 0) &&
           (*result = x, true);
}

static bool reduce(PtsCall *call, PtsOp op, const PtsValue *tensor, const PtsValue *dim,
                   PtsValue *result)
{
    call->attributes = PTS_ATTRIBUTES;
    call->attributes.has_dim = true;
    call->attributes.keepdim = true;
    call->name = pts_op_name(op);
    call->op = op;
    return call_int(call, dim, "dim", &call->attributes.dim, PTS_UNKNOWN_DIM) &&
           call_emit(call, op, 1, tensor, result);
}

bool recipe_softmax(PtsCall *call, PtsValue *result)
{
    const PtsValue *dim = &call->arg[1];
    PtsSlotInfo info;
    PtsValue x = call->arg[0], other;
    int dtype;
    return check_input(call, &info, &dtype) && call_cast(call, &x, PTS_FP32, 0) &&
           reduce(call, PTS_OP_AMAX, &x, dim, &other) &&
           call_binary_op(call, PTS_OP_SUB, &x, &other, &x) && call_unary(call, PTS_OP_EXP, &x) &&
           reduce(call, PTS_OP_SUM, &x, dim, &other) &&
           call_binary_op(call, PTS_OP_DIV, &x, &other, &x) && call_cast(call, &x, dtype, 0) &&
           (*result = x, true);
}

static bool is_float(PtsDtype dtype)
{
    switch (dtype) {
    case PTS_INT4:
    case PTS_INT8:
    case PTS_INT16:
    case PTS_INT32:
    case PTS_INT64:
    case PTS_UINT8:
    case PTS_UINT16:
    case PTS_UINT32:
    case PTS_UINT64:
    case PTS_BOOL:
        return false;
    default:
        return true; /* or not known */
    }
}

/* The weight with as many axes as the tensor. */
static bool take_weight(PtsCall *call, PtsValue *gamma, int rank)
{
    PtsAttributes *attributes = &call->attributes;
    PtsSlotInfo info;
    const PtsValue operand = *gamma;
    if (!call_info(call, gamma, &info) || info.rank >= rank) {
        return true;
    }
    *attributes = PTS_ATTRIBUTES;
    call->name = "reshape";
    call->op = PTS_OP_RESHAPE;
    PtsValue items[PTS_MAX_RANK], list = pts_value(PTS_VALUE_LIST);
    list.count = (uint32_t)rank;
    list.items = items;
    for (int i = 0; i < rank; i++) {
        int from = i - (rank - info.rank);
        items[i] = from < 0 ? pts_value_int(1) : pts_value_sym(info.shape[from]);
    }
    return call_shape(call, &list, "shape", true) &&
           call_emit(call, PTS_OP_RESHAPE, 1, &operand, gamma);
}

/* Multiplies by the weight, if there is one. */
static bool weighted(PtsCall *call, PtsValue *x, int rank)
{
    PtsValue gamma = call->arg[1];
    call->name = "rms_norm";
    return value_is_absent(&gamma) ||
           (call_tensor(call, &gamma, "gamma") && take_weight(call, &gamma, rank) &&
            call_cast(call, &gamma, PTS_FP32, 0) && call_binary_op(call, PTS_OP_MUL, x, &gamma, x));
}

/* The result when the last axis, the weight or epsilon is not known: an unknown tensor. */
static bool open_norm(PtsCall *call, PtsValue *result)
{
    call->attributes = PTS_ATTRIBUTES;
    call->attributes.unknown = PTS_UNKNOWN_ALL;
    return call_emit(call, PTS_OP_MUL, 0, NULL, result);
}

bool recipe_rms_norm(PtsCall *call, PtsValue *result)
{
    const PtsValue last = pts_value_int(-1);
    PtsSlotInfo info;
    PtsValue x = call->arg[0], mean;
    double epsilon = 1e-6;
    int64_t width;
    int dtype;
    if (!check_input(call, &info, &dtype)) {
        return false;
    }
    if (dtype >= 0 && !is_float((PtsDtype)dtype)) {
        return call_refuse(call, PTS_E_TYPE, "rms_norm() takes a float tensor, not DataType.%s",
                           pts_dtype_name((PtsDtype)dtype));
    }
    if (!call_real(call, &call->arg[2], "epsilon", &epsilon)) {
        return false;
    }
    bool known =
        info.rank > 0 && call->attributes.unknown == 0 && call->arg[1].kind != PTS_VALUE_UNKNOWN;
    if (!known || info.shape[info.rank - 1] == PTS_SYM_NONE ||
        !pts_sym_value(call->cook->context, info.shape[info.rank - 1], &width)) {
        return open_norm(call, result);
    }
    const PtsValue count = pts_value_real((double)width), added = pts_value_real(epsilon);
    return call_cast(call, &x, PTS_FP32, 0) && call_binary_op(call, PTS_OP_MUL, &x, &x, &mean) &&
           reduce(call, PTS_OP_SUM, &mean, &last, &mean) &&
           call_binary_op(call, PTS_OP_DIV, &mean, &count, &mean) &&
           call_binary_op(call, PTS_OP_ADD, &mean, &added, &mean) &&
           call_unary(call, PTS_OP_SQRT, &mean) &&
           call_binary_op(call, PTS_OP_DIV, &x, &mean, &x) && weighted(call, &x, info.rank) &&
           call_cast(call, &x, dtype, 0) && (*result = x, true);
}

/* --- operators */

bool recipe_floor_div(PtsCall *call, PtsValue *result)
{
    return call_binary_op(call, PTS_OP_DIV, &call->arg[0], &call->arg[1], result) &&
           call_unary(call, PTS_OP_FLOOR, result);
}

bool recipe_reverse_sub(PtsCall *call, PtsValue *result)
{
    return call_binary_op(call, PTS_OP_SUB, &call->arg[1], &call->arg[0], result) &&
           call_unary(call, PTS_OP_NEG, result);
}

bool recipe_reverse_div(PtsCall *call, PtsValue *result)
{
    PtsValue inverse = call->arg[1];
    return call_unary(call, PTS_OP_RECIPROCAL, &inverse) &&
           call_binary_op(call, PTS_OP_MUL, &inverse, &call->arg[0], result);
}

bool recipe_reverse_floor_div(PtsCall *call, PtsValue *result)
{
    return recipe_reverse_div(call, result) && call_unary(call, PTS_OP_FLOOR, result);
}
