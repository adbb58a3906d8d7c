/* Recipes: matrix products. */
#include "model/recipe_call.h"

#include <stdio.h>
#include <string.h>

/* One entry of extend_params. */
static bool take_extra(PtsCall *call, const char *key, const PtsValue *value, PtsValue *bias,
                       PtsValue *scale)
{
    PtsAttributes *attributes = &call->attributes;
    bool is_bias = strcmp(key, "bias_tensor") == 0;
    if (value->kind == PTS_VALUE_NONE) {
        return true;
    }
    if (is_bias || strcmp(key, "scale_tensor") == 0) {
        *(is_bias ? bias : scale) = *value;
        return true; /* checked last */
    }
    if (strcmp(key, "scale") == 0) {
        attributes->has_scale = true;
        return call_real(call, value, "scale", &attributes->scale);
    }
    if (strcmp(key, "relu_type") == 0) {
        bool conv = value->kind == PTS_VALUE_MEMBER && value->type != NULL &&
                    strcmp(value->type, "ConvReLuType") == 0;
        return call_member(call, value, conv ? "ConvReLuType" : "ReLuType", "relu_type",
                           &attributes->relu);
    }
    return strcmp(key, "trans_mode") != 0 ||
           call_member(call, value, "TransMode", "trans_mode", &attributes->trans_mode);
}

bool call_extended(PtsCall *call, const PtsValue *params, PtsValue *bias, PtsValue *scale)
{
    static const char *const keys[] = {"scale", "relu_type", "trans_mode", "bias_tensor",
                                       "scale_tensor"};
    const char *type = pts_value_type(params);
    *bias = *scale = pts_value(PTS_VALUE_NONE);
    if (value_is_absent(params)) {
        return true;
    }
    if (params->kind != PTS_VALUE_DICT || params->is_open) {
        call->attributes.unknown |= PTS_UNKNOWN_ALL;
        return params->kind == PTS_VALUE_DICT || type == NULL ||
               call_refuse(call, PTS_E_TYPE, "%s(): 'extend_params' must be a dict, not %s",
                           call->name, type);
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        for (uint32_t i = 0; i < params->count; i++) {
            const PtsValue *key = &params->items[(size_t)2 * i];
            bool found = key->kind == PTS_VALUE_TEXT && strcmp(key->text, keys[k]) == 0;
            if (found && !take_extra(call, keys[k], key + 1, bias, scale)) {
                return false;
            }
        }
    }
    bool known = true;
    for (uint32_t i = 0; i < params->count; i++) {
        known = known && params->items[(size_t)2 * i].kind == PTS_VALUE_TEXT;
    }
    call->attributes.unknown |= known ? 0 : PTS_UNKNOWN_ALL;
    return (bias->kind == PTS_VALUE_NONE || call_tensor(call, bias, "bias_tensor")) &&
           (scale->kind == PTS_VALUE_NONE || call_tensor(call, scale, "scale_tensor"));
}

bool recipe_matmul(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    PtsValue operands[4] = {a[0], a[1]};
    return call_tensor(call, &a[0], "input") && call_tensor(call, &a[1], "mat2") &&
           call_dtype(call, &a[2], "out_dtype") &&
           call_flag(call, &a[3], "a_trans", &attributes->a_trans) &&
           call_flag(call, &a[4], "b_trans", &attributes->b_trans) &&
           call_flag(call, &a[5], "c_matrix_nz", &attributes->c_matrix_nz) &&
           call_extended(call, &a[6], &operands[2], &operands[3]) &&
           call_emit(call, PTS_OP_MATMUL, 4, operands, result);
}

/* a @ b: the result has the right operand's dtype, sums of int8 are int32. */
bool recipe_matmul_operator(PtsCall *call, PtsValue *result)
{
    PtsSlotInfo info;
    const PtsValue operands[4] = {call->arg[0], call->arg[1], pts_value(PTS_VALUE_NONE),
                                  pts_value(PTS_VALUE_NONE)};
    call->name = "matmul";
    if (!call_tensor(call, &operands[0], "input") || !call_tensor(call, &operands[1], "mat2")) {
        return false;
    }
    bool known = call_info(call, &operands[1], &info) && info.dtype != PTS_BOTTOM;
    call->attributes.dtype = !known ? PTS_BOTTOM : info.dtype == PTS_INT8 ? PTS_INT32 : info.dtype;
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_DTYPE;
    return call_emit(call, PTS_OP_MATMUL, 4, operands, result);
}

bool recipe_scaled_mm(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    PtsValue operands[6] = {[0] = a[0], [1] = a[1], [4] = a[3], [5] = a[4]};
    return call_tensor(call, &a[0], "mat_a") && call_tensor(call, &a[1], "mat_b") &&
           call_tensor(call, &a[3], "scale_a") && call_tensor(call, &a[4], "scale_b") &&
           call_dtype(call, &a[2], "out_dtype") &&
           call_flag(call, &a[5], "a_trans", &attributes->a_trans) &&
           call_flag(call, &a[6], "b_trans", &attributes->b_trans) &&
           call_flag(call, &a[7], "scale_a_trans", &attributes->scale_a_trans) &&
           call_flag(call, &a[8], "scale_b_trans", &attributes->scale_b_trans) &&
           call_flag(call, &a[9], "c_matrix_nz", &attributes->c_matrix_nz) &&
           call_extended(call, &a[10], &operands[2], &operands[3]) &&
           call_emit(call, PTS_OP_SCALED_MM, 6, operands, result);
}
