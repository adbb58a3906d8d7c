/* Host code: a tensor cut into several along an axis. */
#include "eval/host.h"

enum { MOST_PARTS = 64 };

/* Adds a part with `size` elements along the axis. */
static void add_part(Eval *eval, Value parts, const HostTensor *from, int axis, int64_t size)
{
    HostTensor part = *from;
    part.size[axis] = size;
    part.gaps = part.sparse = false; /* it may have gaps, but not surely */
    sequence_add(eval->arena, parts.as.sequence, host_value(eval, part));
}

/* Parts of `each` elements, the last one perhaps shorter; false if there are none or too many. */
static bool cut_evenly(Eval *eval, Value parts, const HostTensor *from, int axis, int64_t each)
{
    int64_t rest = from->size[axis];
    bool few = rest > 0 && each > 0 && (rest - 1) / each < MOST_PARTS;
    for (; few && rest > 0; rest -= each) {
        add_part(eval, parts, from, axis, rest < each ? rest : each);
    }
    return few;
}

static bool cut_by_list(Eval *eval, Value parts, const HostTensor *from, int axis, Value list)
{
    const Sequence *items = list.as.sequence;
    for (uint32_t i = 0; i < items->count; i++) {
        Value size = items->items[i];
        if (size.kind != VALUE_INT || size.as.integer < 0 || items->count > MOST_PARTS) {
            return false;
        }
        add_part(eval, parts, from, axis, size.as.integer);
    }
    return true;
}

/* x.chunk(3, -1), x.split(8, 1), x.split([2, 6], dim=-1). */
bool host_parts(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name,
                Value *result)
{
    bool chunk = str_is(name, "chunk");
    if (!chunk && !str_is(name, "split")) {
        return false;
    }
    int axis = 0;
    Value by = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    bool given = arguments->positional > 1 || host_keyword(arguments, "dim").kind != VALUE_NONE;
    bool known = !arguments->open && from->rank > 0 &&
                 (!given || host_axis(arguments, 1, "dim", from->rank, &axis)) &&
                 from->size[axis] >= 0;
    *result = value_sequence(eval->arena, VALUE_TUPLE, 0);
    if (known && by.kind == VALUE_INT && by.as.integer > 0) {
        int64_t count = by.as.integer, size = from->size[axis];
        int64_t each = chunk ? size / count + (size % count != 0) : count;
        known = cut_evenly(eval, *result, from, axis, each);
    } else {
        known =
            known && !chunk && value_has_items(by) && cut_by_list(eval, *result, from, axis, by);
    }
    *result = known ? *result : value_unknown();
    return true;
}

Value host_outer(Eval *eval, const HostTensor *a, const HostTensor *b)
{
    HostTensor made = host_unknown();
    made.rank = 2;
    made.size[0] = a->rank == 1 ? a->size[0] : -1;
    made.size[1] = b->rank == 1 ? b->size[0] : -1;
    made.dtype = a->dtype == b->dtype ? a->dtype : -1;
    made.device = a->device == b->device ? a->device : DEVICE_UNKNOWN;
    return host_value(eval, made);
}
