/* Host code: products, sums, several tensors into one. */
#include "eval/host.h"

/* --- matrix products */

Value host_matmul(Eval *eval, const HostTensor *a, const HostTensor *b)
{
    HostTensor made = host_unknown();
    made.dtype = a->dtype == b->dtype ? a->dtype : -1;
    if (a->rank < 2 || b->rank < 2) {
        return host_value(eval, made);
    }
    HostTensor batch_a = *a, batch_b = *b;
    batch_a.rank -= 2;
    batch_b.rank -= 2;
    int dtype = made.dtype;
    made = host_broadcast(&batch_a, &batch_b);
    made.dtype = dtype;
    made.size[made.rank++] = a->size[a->rank - 2];
    made.size[made.rank++] = b->size[b->rank - 1];
    return host_value(eval, made);
}

/* --- reductions */

/* The argument at `place`, or by torch's name or numpy's. */
static Value either(const Arguments *arguments, uint32_t place, const char *name,
                    const char *numpy_name)
{
    Value value = host_argument(arguments, place, name);
    return value.kind != VALUE_NONE ? value : host_keyword(arguments, numpy_name);
}

/* The axes that `dim` names; false when they are not known. None: all. */
static bool reduced_axes(const Arguments *arguments, int rank, bool *axes)
{
    Value dim = either(arguments, 0, "dim", "axis");
    bool list = value_has_items(dim);
    uint32_t count = list ? dim.as.sequence->count : 1;
    for (int i = 0; i < rank; i++) {
        axes[i] = dim.kind == VALUE_NONE;
    }
    for (uint32_t i = 0; dim.kind != VALUE_NONE && i < count; i++) {
        Value one = list ? dim.as.sequence->items[i] : dim;
        int64_t at = one.kind == VALUE_INT ? one.as.integer + (one.as.integer < 0 ? rank : 0) : -1;
        if (at < 0 || at >= rank) {
            return false;
        }
        axes[at] = true;
    }
    return true;
}

static int reduced_dtype(const HostTensor *from, Str name)
{
    if (str_is(name, "argmax") || str_is(name, "argmin")) {
        return PTS_INT64;
    }
    bool keeps = host_is_float(from->dtype) || str_is(name, "amax") || str_is(name, "amin");
    bool counted = str_is(name, "sum") && from->dtype >= 0;
    return keeps ? from->dtype : counted ? PTS_INT64 : -1;
}

bool host_reduce(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name,
                 Value *result)
{
    static const char *const names[] = {"sum", "mean", "amax", "amin", "argmax", "argmin"};
    HostTensor made = host_unknown();
    bool axes[HOST_RANK];
    Value keep = either(arguments, 1, "keepdim", "keepdims");
    if (!STR_IS_ANY(name, names)) {
        return false;
    }
    made.dtype = host_dtype_argument(arguments, reduced_dtype(from, name));
    *result = host_value(eval, made);
    bool plain = (keep.kind == VALUE_BOOL || keep.kind == VALUE_NONE) && from->rank >= 0 &&
                 arguments->positional <= 2 && !arguments->open;
    if (!plain || !reduced_axes(arguments, from->rank, axes)) {
        return true;
    }
    bool keeps = keep.kind == VALUE_BOOL && keep.as.integer != 0;
    made.rank = 0;
    for (int i = 0; i < from->rank; i++) {
        if (!axes[i] || keeps) {
            made.size[made.rank++] = axes[i] ? 1 : from->size[i];
        }
    }
    *result = host_value(eval, made);
    return true;
}

/* --- several into one */

/* The first tensor, with the sizes of all along `axis` added up; false when they are not all
 * known. */
static bool add_sizes(const Sequence *items, int axis, HostTensor *made)
{
    int64_t total = 0;
    *made = *items->items[0].as.host;
    made->gaps = made->sparse = false;
    for (uint32_t i = 0; i < items->count; i++) {
        const HostTensor *one = items->items[i].kind == VALUE_HOST ? items->items[i].as.host : NULL;
        if (one == NULL || one->rank != made->rank || one->dtype != made->dtype ||
            one->size[axis] < 0 || __builtin_add_overflow(total, one->size[axis], &total)) {
            return false;
        }
        for (int k = 0; k < made->rank; k++) {
            made->size[k] = made->size[k] < 0 ? one->size[k] : made->size[k];
        }
    }
    made->size[axis] = total;
    return true;
}

Value host_concat(Eval *eval, const Arguments *arguments, bool stack)
{
    HostTensor made = host_unknown();
    Value list = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    bool known = value_has_items(list) && list.as.sequence->count > 0 &&
                 list.as.sequence->items[0].kind == VALUE_HOST && !arguments->open;
    const HostTensor *first = known ? list.as.sequence->items[0].as.host : NULL;
    int axis = 0, rank = known && first->rank >= 0 ? first->rank + stack : -1;
    bool given = arguments->positional > 1 || arguments->keywords > 0;
    if (rank < 1 || rank > HOST_RANK || (given && !host_axis(arguments, 1, "dim", rank, &axis))) {
        return host_value(eval, made);
    }
    HostTensor parts;
    if (!stack) {
        known = add_sizes(list.as.sequence, axis, &parts);
        return host_value(eval, known ? parts : made);
    }
    for (uint32_t i = 0; i < list.as.sequence->count; i++) {
        Value one = list.as.sequence->items[i];
        if (one.kind != VALUE_HOST || one.as.host->rank != first->rank ||
            one.as.host->dtype != first->dtype) {
            return host_value(eval, made);
        }
    }
    made.dtype = first->dtype;
    made.rank = rank;
    for (int i = 0, from = 0; i < rank; i++) {
        made.size[i] = i == axis ? list.as.sequence->count : first->size[from];
        from += i != axis;
    }
    return host_value(eval, made);
}

/* --- einsum */

/* The letters of the operands and of the result, as in "ik,kj->ij"; false for other forms. */
static bool read_equation(Str text, Str *operands, uint32_t most, uint32_t *count, Str *result)
{
    size_t arrow = str_find(text, STR("->"), 0);
    if (arrow == SIZE_MAX || str_contains(text, STR(".")) || str_contains(text, STR(" "))) {
        return false;
    }
    Str left = str_slice(text, 0, arrow);
    *result = str_slice(text, arrow + 2, text.length);
    for (*count = 0; *count < most; ++*count) {
        size_t comma = str_find(left, STR(","), 0);
        operands[*count] = str_slice(left, 0, comma == SIZE_MAX ? left.length : comma);
        if (comma == SIZE_MAX) {
            ++*count;
            return true;
        }
        left = str_slice(left, comma + 1, left.length);
    }
    return false;
}

/* The length of the axis with this letter; -1 when it is not sure: an operand of length 1 takes
 * the length that the others have. */
static int64_t letter_length(const Arguments *arguments, const Str *operands, char letter)
{
    int64_t length = -1;
    for (uint32_t i = 1; i < arguments->positional; i++) {
        const HostTensor *tensor = arguments->values[i].as.host;
        for (size_t k = 0; k < operands[i - 1].length; k++) {
            if (operands[i - 1].at[k] == letter && tensor->size[k] < 0) {
                return -1;
            }
            if (operands[i - 1].at[k] == letter && (length < 0 || length == 1)) {
                length = tensor->size[k];
            }
        }
    }
    return length;
}

Value host_einsum(Eval *eval, const Arguments *arguments)
{
    enum { MOST = 4 };
    Str operands[MOST], result;
    uint32_t count = 0, given = arguments->positional;
    bool fits = given >= 2 && arguments->keywords == 0 && !arguments->open &&
                arguments->values[0].kind == VALUE_STR &&
                read_equation(*arguments->values[0].as.text, operands, MOST, &count, &result) &&
                count == given - 1 && result.length <= HOST_RANK;
    HostTensor made = host_unknown();
    for (uint32_t i = 1; fits && i < given; i++) {
        Value value = arguments->values[i];
        fits = value.kind == VALUE_HOST && value.as.host->rank == (int)operands[i - 1].length &&
               value.as.host->dtype == arguments->values[1].as.host->dtype;
    }
    if (!fits) {
        return host_value(eval, made);
    }
    made.dtype = arguments->values[1].as.host->dtype;
    made.device = arguments->values[1].as.host->device;
    made.rank = (int)result.length;
    for (int i = 0; i < made.rank; i++) {
        made.size[i] = letter_length(arguments, operands, result.at[i]);
    }
    return host_value(eval, made);
}
