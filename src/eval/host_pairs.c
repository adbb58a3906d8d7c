/* Host code: torch functions that return values and their indices; padding. */
#include "eval/host.h"

static Value pair_of(Eval *eval, Value values, Value indices)
{
    Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
    sequence_add(eval->arena, pair.as.sequence, values);
    sequence_add(eval->arena, pair.as.sequence, indices);
    return pair;
}

bool host_is_pair(Value value)
{
    return value.kind == VALUE_TUPLE && value.as.sequence->count == 2 &&
           value.as.sequence->items[0].kind == VALUE_HOST &&
           value.as.sequence->items[1].kind == VALUE_HOST;
}

Value host_pair_attribute(Value pair, Str name)
{
    return str_is(name, "values")    ? pair.as.sequence->items[0]
           : str_is(name, "indices") ? pair.as.sequence->items[1]
                                     : value_unknown();
}

/* Values and indices that have the form of `from`, but `size` elements along the axis (-1: as many
 * as before). */
static Value pair_along(Eval *eval, const HostTensor *from, int axis, int64_t size)
{
    HostTensor made = *from;
    made.gaps = made.sparse = false;
    made.size[axis] = size < 0 ? made.size[axis] : size;
    Value values = host_value(eval, made);
    made.dtype = PTS_INT64;
    return pair_of(eval, values, host_value(eval, made));
}

/* x.max(-1), x.min(dim=0, keepdim=True); not x.max() and x.max(y). */
static bool extremes(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name,
                     Value *result)
{
    Value values, indices;
    bool largest = str_is(name, "max");
    if (host_argument(arguments, 0, "dim").kind != VALUE_INT) {
        return false;
    }
    host_reduce(eval, arguments, from, largest ? STR("amax") : STR("amin"), &values);
    host_reduce(eval, arguments, from, largest ? STR("argmax") : STR("argmin"), &indices);
    *result = pair_of(eval, values, indices);
    return true;
}

bool host_pairs(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name,
                Value *result)
{
    bool topk = str_is(name, "topk");
    if (arguments->open || from->rank < 1) {
        return false;
    }
    if (str_is(name, "max") || str_is(name, "min")) {
        return extremes(eval, arguments, from, name, result);
    }
    if (!topk && !str_is(name, "sort")) {
        return false;
    }
    int axis = from->rank - 1;
    bool given = host_argument(arguments, topk, "dim").kind != VALUE_NONE;
    Value count = topk ? host_argument(arguments, 0, "k") : value_int(-1);
    if ((given && !host_axis(arguments, topk, "dim", from->rank, &axis)) ||
        count.kind != VALUE_INT) {
        return false;
    }
    *result = pair_along(eval, from, axis, count.as.integer);
    return true;
}

bool host_pad(Eval *eval, const Arguments *arguments, Value *result)
{
    Value tensor = host_argument(arguments, 0, "input"), pad = host_argument(arguments, 1, "pad");
    Value mode = host_argument(arguments, 2, "mode");
    bool plain =
        mode.kind == VALUE_NONE || (mode.kind == VALUE_STR && str_is(*mode.as.text, "constant"));
    if (tensor.kind != VALUE_HOST || !value_has_items(pad) || !plain || arguments->open) {
        return false;
    }
    HostTensor made = *tensor.as.host;
    const Sequence *items = pad.as.sequence;
    if (items->count % 2 != 0 || made.rank < 0 || items->count / 2 > (uint32_t)made.rank) {
        return false;
    }
    made.gaps = made.sparse = false;
    for (uint32_t i = 0; i < items->count; i++) {
        int64_t *size = &made.size[made.rank - 1 - (int)(i / 2)];
        Value one = items->items[i];
        bool known = *size >= 0 && one.kind == VALUE_INT &&
                     !__builtin_add_overflow(*size, one.as.integer, size) && *size >= 0;
        *size = known ? *size : -1;
    }
    *result = host_value(eval, made);
    return true;
}
