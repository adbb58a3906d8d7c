/* Convolutions. Of their tiles only whether there are some is followed. */
#include "eval/compose.h"

enum { STEP_UNIT = 1024, MOST_AXES = 3 }; /* two numbers of an axis travel as one */

/* The integers of a list of `count`; false when they are not known. What the layer above the
 * recorder refuses is refused here. */
static bool small_numbers(Eval *eval, Value list, const char *name, int count, int64_t *numbers)
{
    bool known = value_has_items(list);
    int given = known ? (int)list.as.sequence->count : -1;
    if (known && given != count) {
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002,
                     "conv(): '%s' must be a list of %d, not of %d", name, count, given);
        return false;
    }
    for (int i = 0; known && i < count; i++) {
        Value item = drive_plain(eval, list.as.sequence->items[i]);
        known = item.kind == VALUE_INT;
        numbers[i] = known ? item.as.integer : 0;
        if (known && (numbers[i] < 0 || numbers[i] >= STEP_UNIT)) {
            drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002,
                         "conv(): '%s' is out of range: %lld", name, (long long)numbers[i]);
            return false;
        }
    }
    return known;
}

/* Paddings: two for each axis, or one that stands for both. */
static bool paddings_of(Eval *eval, Value list, int axes, int64_t *numbers)
{
    bool once = value_has_items(list) && (int)list.as.sequence->count == axes;
    if (!once) {
        return small_numbers(eval, list, "paddings", 2 * axes, numbers);
    }
    int64_t sides[MOST_AXES];
    bool known = small_numbers(eval, list, "paddings", axes, sides);
    for (int i = 0; known && i < axes; i++) {
        numbers[2 * i] = numbers[2 * i + 1] = sides[i];
    }
    return known;
}

/* Strides, dilations and paddings as the recorder takes them. */
static bool take_steps(Eval *eval, const Arguments *arguments, int axes, PtsAttributes *attributes)
{
    int64_t strides[MOST_AXES], dilations[MOST_AXES], sides[2 * MOST_AXES];
    PtsError error;
    bool known =
        small_numbers(eval, compose_argument(arguments, "strides", 3), "strides", axes, strides);
    known = small_numbers(eval, compose_argument(arguments, "dilations", 5), "dilations", axes,
                          dilations) &&
            known;
    known = paddings_of(eval, compose_argument(arguments, "paddings", 4), axes, sides) && known;
    attributes->shape_rank = attributes->offset_rank = known ? axes : 0;
    for (int i = 0; known && i < axes; i++) {
        PtsContext *context = eval->drive->context;
        attributes->shape[i] =
            pts_sym_constant(context, strides[i] * STEP_UNIT + dilations[i], &error);
        attributes->offsets[i] =
            pts_sym_constant(context, sides[2 * i] * STEP_UNIT + sides[2 * i + 1], &error);
    }
    return known;
}

/* What extend_params says; false when not all of it is known. */
static bool take_extended(Eval *eval, Value params, PtsAttributes *attributes, Value *operands)
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

/* Transposed ones are refused, whatever else is known. */
static bool is_transposed(Eval *eval, const Arguments *arguments)
{
    Value transposed = compose_argument(arguments, "transposed", UINT32_MAX);
    Value outer = compose_argument(arguments, "output_paddings", UINT32_MAX);
    bool surely = (transposed.kind == VALUE_BOOL && transposed.as.integer != 0) ||
                  (value_has_items(outer) && outer.as.sequence->count > 0);
    if (surely) {
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002,
                     "conv(): transposed convolutions are not supported");
    }
    return surely || transposed.kind == VALUE_UNKNOWN || outer.kind == VALUE_UNKNOWN;
}

Value compose_conv(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    Value operands[4] = {compose_argument(arguments, "input_conv", 0),
                         compose_argument(arguments, "weight", 1), value_none(), value_none()};
    if (!compose_need_tensor(eval, "conv", "input_conv", operands[0]) ||
        !compose_need_tensor(eval, "conv", "weight", operands[1])) {
        return value_tensor();
    }
    if (!eval->drive->has_conv_tiles) {
        drive_refuse(eval, EVAL_CUBE_TILE, PTS_RUNTIME_ERROR, 0xF00003,
                     "op [CONV]tile shape not set: call set_conv_tile_shapes first");
        return value_tensor();
    }
    Value groups = compose_argument(arguments, "groups", UINT32_MAX);
    Value extended = compose_argument(arguments, "extend_params", UINT32_MAX);
    int number = drive_dtype(compose_argument(arguments, "out_dtype", 2));
    groups = groups.kind == VALUE_NONE ? value_int(1) : drive_plain(eval, groups);
    attributes.dtype = number < 0 ? PTS_BOTTOM : (PtsDtype)number;
    attributes.unknown = number < 0 ? PTS_UNKNOWN_DTYPE : 0U;
    attributes.count = groups.kind == VALUE_INT ? (int)groups.as.integer : 1;
    attributes.unknown |= groups.kind == VALUE_INT ? 0U : PTS_UNKNOWN_COUNT;
    bool known = !is_transposed(eval, arguments) && drive_info(eval, operands[0], &info) &&
                 info.rank >= 3 && info.rank <= MOST_AXES + 2;
    known = known && take_steps(eval, arguments, info.rank - 2, &attributes);
    known = known &&
            (extended.kind == VALUE_NONE || take_extended(eval, extended, &attributes, operands));
    return drive_emit(eval, PTS_OP_CONV, known ? 4 : 2, operands, known ? &attributes : NULL);
}
