/* Recipes: scatter, index_put and others that write in place, clip, quantisation, var. */
#include "model/recipe_call.h"

#include <string.h>

bool recipe_axpy(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsValue made;
    call->attributes.real = 1.0;
    *result = a[0];
    return call_tensor(call, &a[0], "y") && call_tensor(call, &a[1], "x") &&
           call_real(call, &a[2], "alpha", &call->attributes.real) &&
           call_emit(call, PTS_OP_AXPY_, 2, a, &made) && call_move(call, &a[0], &made);
}

bool recipe_clip(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    *result = a[0];
    return call_tensor(call, &a[0], "input") &&
           ((value_is_absent(&a[1]) && value_is_absent(&a[2])) ||
            call_emit(call, PTS_OP_CLIP, 3, a, result));
}

/* The number of scatter's `reduce`. */
static bool take_reduce(PtsCall *call, const PtsValue *reduce)
{
    char text[256];
    bool is_text = reduce->kind == PTS_VALUE_TEXT;
    if (value_is_absent(reduce)) {
        call->attributes.mode = 0;
    } else if (is_text && strcmp(reduce->text, "add") == 0) {
        call->attributes.mode = 1;
    } else if (is_text && strcmp(reduce->text, "multiply") == 0) {
        call->attributes.mode = 2;
    } else if (pts_value_type(reduce) != NULL) {
        return call_refuse(call, PTS_E_VALUE,
                           "%s(): 'reduce' must be None, 'add' or 'multiply', not %s", call->name,
                           call_text(call, reduce, text, sizeof text));
    } else {
        call->attributes.unknown |= PTS_UNKNOWN_COUNT;
    }
    return true;
}

bool recipe_scatter(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    const PtsValue operands[] = {a[0], a[2], a[3]};
    call->name = "scatter";
    call->attributes.has_dim = true;
    return call_tensor(call, &a[0], "input") && call_tensor(call, &a[2], "index") &&
           take_reduce(call, &a[4]) &&
           call_int(call, &a[1], "dim", &call->attributes.dim, PTS_UNKNOWN_DIM) &&
           call_emit(call, PTS_OP_SCATTER, 3, operands, result);
}

bool recipe_scatter_in_place(PtsCall *call, PtsValue *result)
{
    PtsValue made;
    *result = call->arg[0];
    return recipe_scatter(call, &made) && call_move(call, &call->arg[0], &made);
}

bool recipe_index_add(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    const PtsValue operands[] = {a[0], a[2], a[3]};
    call->name = "index_add_";
    call->attributes.has_dim = true;
    call->attributes.real = 1.0;
    return call_tensor(call, &a[0], "input") && call_tensor(call, &a[2], "index") &&
           call_tensor(call, &a[3], "source") &&
           call_int(call, &a[1], "dim", &call->attributes.dim, PTS_UNKNOWN_DIM) &&
           call_real(call, &a[4], "alpha", &call->attributes.real) &&
           call_emit(call, PTS_OP_INDEX_ADD_, 3, operands, result);
}

bool recipe_index_add_in_place(PtsCall *call, PtsValue *result)
{
    PtsValue made;
    *result = call->arg[0];
    return recipe_index_add(call, &made) && call_move(call, &call->arg[0], &made);
}

bool recipe_index_put(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    const PtsValue *indices = &a[1];
    PtsValue operands[PTS_MAX_OPERANDS] = {a[0], a[2]}, made;
    uint32_t count = 2;
    const char *type = pts_value_type(indices);
    (void)result;
    if (!call_tensor(call, &a[0], "input") || !call_tensor(call, &a[2], "values")) {
        return false;
    }
    if (!value_is_list(indices) && type != NULL) {
        return call_refuse(call, PTS_E_TYPE,
                           "index_put_(): 'indices' must be a tuple of tensors, not %s", type);
    }
    bool known =
        value_is_list(indices) && !indices->is_open && indices->count <= PTS_MAX_OPERANDS - 2;
    for (uint32_t i = 0; known && i < indices->count; i++) {
        if (!call_tensor(call, &indices->items[i], "indices")) {
            return false;
        }
        operands[count++] = indices->items[i];
    }
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return call_flag(call, &a[3], "accumulate", &call->attributes.accumulate) &&
           call_emit(call, PTS_OP_INDEX_PUT_, count, operands, &made) &&
           call_move(call, &a[0], &made);
}

/* Blocks of 32 elements share a power of two. */
bool recipe_quant_mx(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    attributes->mode = 1; /* ROUND_DOWN */
    attributes->dim = -1;
    attributes->has_dim = true;
    attributes->dtype = PTS_FP8E4M3;
    return call_tensor(call, &a[0], "input") &&
           (a[1].kind == PTS_VALUE_MISSING || call_dtype(call, &a[1], "quant_dtype")) &&
           call_member(call, &a[2], "DequantScaleRoundingMode", "mode", &attributes->mode) &&
           (a[3].kind == PTS_VALUE_MISSING ||
            call_int(call, &a[3], "axis", &attributes->dim, PTS_UNKNOWN_DIM)) &&
           call_flag(call, &a[4], "performance_mode", &attributes->largest) &&
           call_emit(call, PTS_OP_QUANT_MX, 1, a, result);
}

/* The axes of var(), counted from 0. */
static bool take_axes(PtsCall *call, const PtsValue *dim, int rank)
{
    PtsAttributes *attributes = &call->attributes;
    bool list = value_is_list(dim);
    bool all = value_is_absent(dim) || (list && !dim->is_open && dim->count == 0);
    if (dim->kind == PTS_VALUE_UNKNOWN || (list && dim->is_open)) {
        attributes->unknown |= PTS_UNKNOWN_LISTS;
        return true;
    }
    uint32_t count = all ? (uint32_t)rank : list ? dim->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        int axis = (int)i;
        const PtsValue *one = list ? &dim->items[i] : dim;
        if (!all && !call_int(call, one, "dim", &axis, PTS_UNKNOWN_LISTS)) {
            return false;
        }
        attributes->shape[i < PTS_MAX_RANK ? i : 0] =
            call_constant(call, axis < 0 ? axis + (int64_t)rank : axis);
    }
    if (count > PTS_MAX_RANK) {
        return call_refuse(call, PTS_E_VALUE,
                           "var(): 'dim' has %u entries; at most %d are possible", count,
                           PTS_MAX_RANK);
    }
    attributes->shape_rank = (int)count;
    return true;
}

bool recipe_var(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsSlotInfo info;
    call->attributes.real = 1.0;
    if (!call_tensor(call, &a[0], "input")) {
        return false;
    }
    bool known = call_info(call, &a[0], &info);
    if (!known) {
        call->attributes.unknown = PTS_UNKNOWN_ALL;
    }
    return (!known || take_axes(call, &a[1], info.rank)) &&
           call_real(call, &a[2], "correction", &call->attributes.real) &&
           call_flag(call, &a[3], "keepdim", &call->attributes.keepdim) &&
           call_emit(call, PTS_OP_VAR, 1, a, result);
}
