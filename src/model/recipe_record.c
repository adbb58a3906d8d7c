/* Recording for recipes: one operation, and the small ones that others are made of. */
#include "model/recipe_call.h"

#include <string.h>

/* The name without the module. */
static const char *short_name(PtsOp op)
{
    const char *name = pts_op_name(op), *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

static bool check_operand(PtsCall *call, PtsOp op, const PtsValue *value)
{
    char text[64];
    const char *type = pts_value_type(value);
    switch (value->kind) {
    case PTS_VALUE_WIDE:
        return value->fits ||
               call_refuse(call, PTS_E_VALUE, "%s: %s does not fit 64 bits", short_name(op),
                           call_text(call, value, text, sizeof text));
    case PTS_VALUE_TEXT:
    case PTS_VALUE_LIST:
    case PTS_VALUE_TUPLE:
    case PTS_VALUE_DICT:
    case PTS_VALUE_SLICE:
    case PTS_VALUE_DOTS:
    case PTS_VALUE_MEMBER:
    case PTS_VALUE_OTHER:
        return type == NULL || call_refuse(call, PTS_E_TYPE, "%s takes tensors and numbers, not %s",
                                           short_name(op), type);
    default:
        return true;
    }
}

bool call_emit(PtsCall *call, PtsOp op, uint32_t count, const PtsValue *operands, PtsValue *result)
{
    call->op = op;
    for (uint32_t i = 0; i < count; i++) {
        if (!check_operand(call, op, &operands[i])) {
            return false;
        }
    }
    /* A product or a full tensor is known except for its data type. */
    bool typeless =
        call->attributes.unknown == PTS_UNKNOWN_DTYPE && (op == PTS_OP_MATMUL || op == PTS_OP_FULL);
    if (call->attributes.unknown != 0 && !typeless && call->recipe->kinds == NULL) {
        call->attributes.unknown = PTS_UNKNOWN_ALL;
    }
    PtsCook *cook = call->cook;
    return !cook->failed && cook->host->emit(cook, op, count, operands, &call->attributes, result);
}

bool call_unary(PtsCall *call, PtsOp op, PtsValue *value)
{
    PtsValue operand = *value;
    call->attributes = PTS_ATTRIBUTES;
    return call_emit(call, op, 1, &operand, value);
}

bool call_binary_op(PtsCall *call, PtsOp op, const PtsValue *left, const PtsValue *right,
                    PtsValue *result)
{
    const PtsValue operands[] = {*left, *right};
    call->attributes = PTS_ATTRIBUTES;
    return call_emit(call, op, 2, operands, result);
}

bool call_cast(PtsCall *call, PtsValue *value, int dtype, int mode)
{
    PtsSlotInfo info;
    PtsAttributes *attributes = &call->attributes;
    const PtsValue operand = *value;
    int saturation = attributes->saturation;
    *attributes = PTS_ATTRIBUTES;
    if (!call_info(call, value, &info)) {
        attributes->unknown = PTS_UNKNOWN_ALL;
        return call_emit(call, PTS_OP_CAST, 1, &operand, value);
    }
    bool same = (int)info.dtype == dtype;
    if (dtype < 0 || info.dtype == PTS_BOTTOM || (same && mode < 0)) {
        /* It may have nothing to do, and then takes no tile. */
        *value =
            call->cook->host->form(call->cook, &info, dtype < 0 ? PTS_BOTTOM : (PtsDtype)dtype);
        return true;
    }
    if (same && mode <= 1) {
        return true;
    }
    attributes->dtype = (PtsDtype)dtype;
    attributes->mode = mode < 0 ? 0 : mode;
    attributes->saturation = saturation;
    return call_emit(call, PTS_OP_CAST, 1, &operand, value);
}

bool call_move(PtsCall *call, const PtsValue *tensor, const PtsValue *source)
{
    PtsValue nothing;
    bool tensors = tensor->kind == PTS_VALUE_TENSOR && source->kind == PTS_VALUE_TENSOR;
    const char *type = pts_value_type(source);
    if (!tensors && type != NULL) {
        call->op = PTS_OP_MOVE;
        return call_refuse(call, PTS_E_TYPE, "only a tensor can be moved into a tensor, not %s",
                           type);
    }
    bool same_slot = tensor->slot == source->slot && tensor->slot != PTS_SLOT_NONE;
    bool same_object = tensor->origin == source->origin && tensor->origin != NULL;
    if (tensors && (same_slot || same_object)) {
        return true;
    }
    return call->cook->host->take_form(call->cook, tensor, source) &&
           call_binary_op(call, PTS_OP_MOVE, source, tensor, &nothing);
}
