/* Host code: torch methods that change the shape of a tensor. */
#include "eval/host.h"

Value host_shape(Eval *eval, const HostTensor *tensor)
{
    if (tensor->rank < 0) {
        return value_unknown();
    }
    Value shape = value_sequence(eval->arena, VALUE_TUPLE, (uint32_t)tensor->rank);
    for (int i = 0; i < tensor->rank; i++) {
        Value size = tensor->size[i] < 0 ? value_number() : value_int(tensor->size[i]);
        sequence_add(eval->arena, shape.as.sequence, size);
    }
    return shape;
}

bool host_axis(const Arguments *arguments, uint32_t place, const char *name, int rank, int *axis)
{
    Value value = host_argument(arguments, place, name);
    if (value.kind != VALUE_INT || rank < 0) {
        return false;
    }
    int64_t at = value.as.integer < 0 ? value.as.integer + rank : value.as.integer;
    *axis = (int)at;
    return at >= 0 && at < rank;
}

/* Does the order of axes change, leaving out axes of one element? */
static bool moves_axes(const HostTensor *tensor, const int *order)
{
    int before = -1;
    for (int i = 0; i < tensor->rank; i++) {
        int64_t size = tensor->size[order[i]];
        if (size < 0) {
            return false;
        }
        if (size > 1 && order[i] < before) {
            return true;
        }
        before = size > 1 ? order[i] : before;
    }
    return false;
}

static Value reorder(Eval *eval, const HostTensor *from, const int *order)
{
    HostTensor tensor = *from;
    for (int i = 0; i < from->rank; i++) {
        tensor.size[i] = from->size[order[i]];
        if (tensor.size[i] == 0) {
            return host_value(eval, host_unknown());
        }
    }
    tensor.gaps = !from->gaps && moves_axes(from, order);
    tensor.sparse = false;
    return host_value(eval, tensor);
}

static Value transpose(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    int a, b, order[HOST_RANK];
    HostTensor unknown = host_unknown();
    unknown.dtype = from->dtype;
    unknown.rank = from->rank;
    if (!host_axis(arguments, 0, "dim0", from->rank, &a) ||
        !host_axis(arguments, 1, "dim1", from->rank, &b)) {
        return host_value(eval, unknown);
    }
    for (int i = 0; i < from->rank; i++) {
        order[i] = i == a ? b : i == b ? a : i;
    }
    return reorder(eval, from, order);
}

static Value permute(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    int order[HOST_RANK];
    HostTensor sizes = host_unknown();
    HostTensor unknown = host_unknown();
    unknown.dtype = from->dtype;
    unknown.rank = from->rank;
    bool seen[HOST_RANK] = {false};
    host_sizes(arguments, 0, &sizes);
    if (sizes.rank != from->rank || from->rank < 0) {
        return host_value(eval, unknown);
    }
    for (int i = 0; i < from->rank; i++) {
        bool given =
            arguments->positional > 0; /* -1 in `sizes` is "not known", so no negative axes */
        if (!given || sizes.size[i] < 0 || sizes.size[i] >= from->rank || seen[sizes.size[i]]) {
            return host_value(eval, unknown);
        }
        order[i] = (int)sizes.size[i];
        seen[order[i]] = true;
    }
    return reorder(eval, from, order);
}

/* view and reshape: one entry may be -1. */
static Value reshape(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = host_unknown();
    host_sizes(arguments, 0, &tensor);
    if (tensor.rank < 0) {
        return host_value(eval, tensor); /* view also accepts a data type */
    }
    tensor.dtype = from->dtype;
    int64_t total = from->rank < 0 ? -1 : 1, rest = 1;
    int open = -1, unknown = 0;
    for (int i = 0; i < from->rank; i++) {
        bool too_many =
            total < 0 || from->size[i] < 0 || __builtin_mul_overflow(total, from->size[i], &total);
        total = too_many ? -1 : total;
    }
    for (int i = 0; i < tensor.rank; i++) {
        if (tensor.size[i] < 0) {
            open = i;
            unknown++;
        } else if (__builtin_mul_overflow(rest, tensor.size[i], &rest)) {
            return host_value(eval, host_unknown());
        }
    }
    if (unknown == 1 && total >= 0 && rest > 0 && total % rest == 0) {
        tensor.size[open] = total / rest; /* -1, or not known: the same */
    }
    return host_value(eval, tensor);
}

static Value unsqueeze(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = *from;
    int axis;
    if (from->rank < 0 || from->rank >= HOST_RANK ||
        !host_axis(arguments, 0, "dim", from->rank + 1, &axis)) {
        tensor = host_unknown();
        tensor.dtype = from->dtype;
        return host_value(eval, tensor);
    }
    for (int i = from->rank; i > axis; i--) {
        tensor.size[i] = tensor.size[i - 1];
    }
    tensor.size[axis] = 1;
    tensor.rank++;
    return host_value(eval, tensor);
}

static Value flatten(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = host_unknown();
    int first = 0, last = from->rank - 1;
    bool given = arguments->positional > 0 || arguments->keywords > 0;
    tensor.dtype = from->dtype;
    if (given &&
        (!host_axis(arguments, 0, "start_dim", from->rank, &first) ||
         (arguments->positional > 1 && !host_axis(arguments, 1, "end_dim", from->rank, &last)) ||
         arguments->keywords > 0 || first > last)) {
        return host_value(eval, tensor);
    }
    tensor.rank = 0;
    int64_t product = 1;
    for (int i = 0; i < from->rank; i++) {
        if (i < first || i > last) {
            tensor.size[tensor.rank++] = from->size[i];
            continue;
        }
        bool open = product < 0 || from->size[i] < 0 ||
                    __builtin_mul_overflow(product, from->size[i], &product);
        product = open ? -1 : product;
        if (i == last) {
            tensor.size[tensor.rank++] = product;
        }
    }
    return host_value(eval, tensor);
}

/* expand(sizes): -1 keeps a size; an axis that is expanded from one element has gaps. */
static Value expand(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor sizes = host_unknown(), made = host_unknown();
    made.dtype = from->dtype;
    host_sizes(arguments, 0, &sizes);
    if (sizes.rank < 0 || from->rank < 0 || sizes.rank < from->rank) {
        return host_value(eval, made);
    }
    made.rank = sizes.rank;
    for (int i = 0; i < made.rank; i++) {
        int at = i - (made.rank - from->rank);
        int64_t old = at >= 0 ? from->size[at] : 1;
        made.size[i] = sizes.size[i] >= 0 ? sizes.size[i] : old > 1 ? old : -1; /* -1: either */
        made.gaps = made.gaps || (old == 1 && sizes.size[i] > 1);
    }
    made.sparse = made.gaps;
    made.device = from->device;
    return host_value(eval, made);
}

static Value squeeze(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor made = host_unknown();
    int only = -1;
    bool all = arguments->positional + arguments->keywords == 0;
    made.dtype = from->dtype;
    if (from->rank < 0 || (!all && !host_axis(arguments, 0, "dim", from->rank, &only))) {
        return host_value(eval, made);
    }
    int rank = 0;
    for (int i = 0; i < from->rank; i++) {
        bool asked = all || i == only;
        if (asked && from->size[i] < 0) {
            HostTensor open = host_unknown();
            open.dtype = from->dtype;
            return host_value(eval, open);
        }
        if (!asked || from->size[i] != 1) {
            made.size[rank++] = from->size[i];
        }
    }
    made.rank = rank;
    made.gaps = from->gaps;
    made.sparse = from->sparse;
    made.device = from->device;
    return host_value(eval, made);
}

/* repeat(counts): a size is known if the old one and its count are. */
static Value repeat(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor counts = host_unknown(), made = host_unknown();
    made.dtype = from->dtype;
    host_sizes(arguments, 0, &counts);
    if (counts.rank < 0 || from->rank < 0 || counts.rank < from->rank) {
        return host_value(eval, made);
    }
    made.rank = counts.rank;
    for (int i = 0; i < made.rank; i++) {
        int at = i - (made.rank - from->rank);
        int64_t old = at >= 0 ? from->size[at] : 1;
        bool known = old >= 0 && counts.size[i] >= 0 &&
                     !__builtin_mul_overflow(old, counts.size[i], &made.size[i]);
        made.size[i] = known ? made.size[i] : -1;
    }
    return host_value(eval, made);
}

typedef Value Reform(Eval *eval, const Arguments *arguments, const HostTensor *from);

bool host_reform(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name,
                 Value *result)
{
    static const struct {
        const char *name;
        Reform *reform;
    } table[] = {{"reshape", reshape},     {"view", reshape},    {"transpose", transpose},
                 {"swapaxes", transpose},  {"flatten", flatten}, {"permute", permute},
                 {"unsqueeze", unsqueeze}, {"squeeze", squeeze}, {"expand", expand},
                 {"repeat", repeat}};
    if (str_is(name, "flatten") && tensor->rank <= 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            *result = table[i].reform(eval, arguments, tensor);
            return true;
        }
    }
    if (str_is(name, "t") && tensor->rank == 2) {
        static const int order[] = {1, 0};
        *result = reorder(eval, tensor, order);
        return true;
    }
    return false;
}
