/* Recipe: convolutions. */
#include "model/recipe_call.h"

#include <limits.h>
#include <string.h>

enum { STEP_UNIT = 1024, MOST_AXES = 3 }; /* two numbers of an axis travel as one */

/* `count` integers from 0 to 1023; the recorder knows the real limits. `*known`: whether all of
 * them are known. */
static bool small_numbers(PtsCall *call, const PtsValue *list, const char *what, int count,
                          int *numbers, bool *known)
{
    char text[256];
    bool open = value_is_open(list) || (value_is_list(list) && list->is_open);
    *known = !open;
    if (open) {
        return true;
    }
    if (!value_is_list(list) || list->count != (uint32_t)count) {
        return call_refuse(call, PTS_E_VALUE, "conv(): '%s' must be a list of %d, not %s", what,
                           count, call_text(call, list, text, sizeof text));
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = INT_MIN; /* stays when it is not known */
        if (!call_int(call, &list->items[i], what, &numbers[i], 0)) {
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        *known = *known && numbers[i] != INT_MIN;
        if (numbers[i] != INT_MIN && (numbers[i] < 0 || numbers[i] >= STEP_UNIT)) {
            return call_refuse(call, PTS_E_VALUE, "conv(): '%s' is out of range: %d", what,
                               numbers[i]);
        }
    }
    return true;
}

/* Paddings: two for each axis, or one that stands for both. */
static bool take_paddings(PtsCall *call, const PtsValue *list, int axes, int *sides, bool *known)
{
    bool once = value_is_list(list) && !list->is_open && list->count == (uint32_t)axes;
    int both[MOST_AXES];
    if (!once) {
        return small_numbers(call, list, "paddings", 2 * axes, sides, known);
    }
    if (!small_numbers(call, list, "paddings", axes, both, known)) {
        return false;
    }
    for (int i = 0; *known && i < axes; i++) {
        sides[2 * i] = sides[2 * i + 1] = both[i];
    }
    return true;
}

/* Strides, dilations and paddings as the recorder takes them. */
static bool take_steps(PtsCall *call, int axes, bool *known)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    int strides[MOST_AXES], dilations[MOST_AXES], sides[2 * MOST_AXES];
    bool all[3];
    if (!small_numbers(call, &a[3], "strides", axes, strides, &all[0]) ||
        !small_numbers(call, &a[5], "dilations", axes, dilations, &all[1]) ||
        !take_paddings(call, &a[4], axes, sides, &all[2])) {
        return false;
    }
    *known = all[0] && all[1] && all[2];
    attributes->shape_rank = attributes->offset_rank = *known ? axes : 0;
    for (int i = 0; *known && i < axes; i++) {
        attributes->shape[i] = call_constant(call, (int64_t)strides[i] * STEP_UNIT + dilations[i]);
        attributes->offsets[i] =
            call_constant(call, (int64_t)sides[2 * i] * STEP_UNIT + sides[2 * i + 1]);
    }
    return true;
}

/* Refuses transposed ones. `*known`: it is certainly not one. */
static bool check_transposed(PtsCall *call, bool *known)
{
    const PtsValue *flag = &call->arg[7], *outer = &call->arg[8];
    bool transposed = false;
    if (!call_flag(call, flag, "transposed", &transposed)) {
        return false;
    }
    bool has_outer = value_is_list(outer) && !outer->is_open && outer->count > 0;
    *known = flag->kind != PTS_VALUE_UNKNOWN && outer->kind != PTS_VALUE_UNKNOWN &&
             flag->kind != PTS_VALUE_NUMBER && !outer->is_open;
    return (!transposed && !has_outer) ||
           call_refuse(call, PTS_E_VALUE, "conv(): transposed convolutions are not supported");
}

/* The tiles, as the caller's settings have them: None, or four numbers that stand for twelve. */
static bool take_tiles(PtsCall *call)
{
    const PtsValue *tiles = &call->arg[10];
    PtsAttributes *attributes = &call->attributes;
    unsigned unknown = attributes->unknown;
    bool taken = value_is_open(tiles) ||
                 call_list(call, tiles, "tiles", true, &attributes->valid_rank, attributes->valid);
    attributes->unknown = unknown; /* whether there are some is all that is asked */
    return taken;
}

bool recipe_conv(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    PtsValue operands[4] = {a[0], a[1], pts_value(PTS_VALUE_NONE), pts_value(PTS_VALUE_NONE)};
    PtsSlotInfo info;
    bool plain = false, steps = false;
    if (!call_tensor(call, &a[0], "input_conv") || !call_tensor(call, &a[1], "weight") ||
        !check_transposed(call, &plain)) {
        return false;
    }
    if (a[10].kind == PTS_VALUE_NONE) {
        return call_refuse(call, PTS_E_RUNTIME,
                           "op [CONV]tile shape not set: call set_conv_tile_shapes first");
    }
    bool ranked = call_info(call, &a[0], &info) && info.rank >= 3 && info.rank <= MOST_AXES + 2;
    if (call->cook->failed || (ranked && !take_steps(call, info.rank - 2, &steps))) {
        return false;
    }
    attributes->count = 1;
    if (!call_dtype(call, &a[2], "out_dtype") ||
        !call_int(call, &a[6], "groups", &attributes->count, PTS_UNKNOWN_COUNT) ||
        !take_tiles(call) || !call_extended(call, &a[9], &operands[2], &operands[3])) {
        return false;
    }
    bool known = plain && steps && attributes->unknown != PTS_UNKNOWN_ALL;
    attributes->unknown |= known ? 0U : PTS_UNKNOWN_ALL;
    return call_emit(call, PTS_OP_CONV, known ? 4 : 2, operands, result);
}
