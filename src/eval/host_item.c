/* Host code: subscripts of tensors. */
#include "eval/host.h"

/* A bound of a slice, clamped to 0 … `size`; -1: not known. */
static int64_t bound_of(Eval *eval, NodeId bound, int64_t size, int64_t none)
{
    if (bound == NO_NODE) {
        return none;
    }
    Value value = eval_expression(eval, bound);
    if (value.kind == VALUE_NONE) {
        return none;
    }
    if (value.kind != VALUE_INT || size < 0) {
        return -1;
    }
    int64_t at = value.as.integer < 0 ? value.as.integer + size : value.as.integer;
    return at < 0 ? 0 : at > size ? size : at;
}

/* The number of elements that a slice takes; -1: not known. */
static int64_t sliced(Eval *eval, NodeId slice, int64_t size, int64_t *step)
{
    const Module *module = eval->module;
    NodeId lower = node_child(module, slice, ROLE_LOWER);
    NodeId upper = node_child(module, slice, ROLE_UPPER);
    NodeId stride = node_child(module, slice, ROLE_STEP);
    Value by = stride == NO_NODE ? value_int(1) : eval_expression(eval, stride);
    int64_t start = bound_of(eval, lower, size, 0), stop = bound_of(eval, upper, size, size);
    *step = by.kind == VALUE_INT && by.as.integer > 0 ? by.as.integer : -1;
    if (start < 0 || stop < 0 || *step < 0) {
        return -1;
    }
    return stop > start ? (stop - start - 1) / *step + 1 : 0;
}

typedef struct Subscript {
    const HostTensor *from;
    HostTensor made;
    int axis; /* the next one of `from` */
    bool known;
    bool several; /* an earlier axis keeps more than one element */
    bool gaps;    /* and a later one is not whole */
    bool empty;
} Subscript;

/* Notes that `count` of the `size` elements of an axis remain. */
static void keep(Subscript *subscript, int64_t count, int64_t size, int64_t step)
{
    bool sure = count >= 0 && size >= 0;
    bool cut = sure && count < size;
    subscript->gaps = subscript->gaps || (cut && (subscript->several || (count > 1 && step > 1)));
    subscript->several = subscript->several || (sure && count > 1);
    subscript->empty = subscript->empty || count <= 0; /* or not known */
}

static void take_entry(Eval *eval, Subscript *subscript, NodeId entry)
{
    const Module *module = eval->module;
    bool slice = node_is(module, entry, NODE_SLICE);
    Value value = slice ? value_none() : eval_expression(eval, entry);
    if (!slice && value.kind == VALUE_NONE && node_is(module, entry, NODE_CONSTANT) &&
        subscript->made.rank < HOST_RANK) {
        subscript->made.size[subscript->made.rank++] = 1;
        return;
    }
    if (subscript->axis >= subscript->from->rank || subscript->made.rank >= HOST_RANK ||
        (!slice && value.kind != VALUE_INT)) {
        subscript->known = false;
        return;
    }
    int64_t size = subscript->from->size[subscript->axis++], step = 1;
    int64_t count = slice ? sliced(eval, entry, size, &step) : 1;
    keep(subscript, count, size, step);
    if (slice) {
        subscript->made.size[subscript->made.rank++] = count;
    }
}

/* Takes the whole of an axis for which there is no entry. */
static void take_whole(Subscript *subscript)
{
    int64_t size = subscript->from->size[subscript->axis++];
    keep(subscript, size, size, 1);
    subscript->made.size[subscript->made.rank++] = size;
}

static bool is_dots(Eval *eval, NodeId node)
{
    return node_is(eval->module, node, NODE_CONSTANT) &&
           eval_node(eval, node)->op == CONSTANT_ELLIPSIS;
}

/* x[0], x[:, 2:4], x[..., None]; any other form gives an unknown shape. */
Value host_item(Eval *eval, NodeId node, Value owner)
{
    const Module *module = eval->module;
    NodeId index = node_child(module, node, ROLE_SLICE);
    bool tuple = node_is(module, index, NODE_TUPLE);
    Subscript subscript = {.from = owner.as.host, .made = host_unknown(), .known = true};
    subscript.known = subscript.from->rank >= 0;
    subscript.made.rank = 0;
    subscript.made.dtype = subscript.from->dtype;
    int entries = 0;
    for (NodeId item = tuple ? node_first(module, index) : index; item != NO_NODE;
         item = tuple ? node_sibling(module, item) : NO_NODE) {
        bool none =
            node_is(module, item, NODE_CONSTANT) && eval_node(eval, item)->op == CONSTANT_NONE;
        entries += !none && !is_dots(eval, item);
    }
    for (NodeId item = tuple ? node_first(module, index) : index; item != NO_NODE;
         item = tuple ? node_sibling(module, item) : NO_NODE) {
        if (!is_dots(eval, item)) {
            take_entry(eval, &subscript, item);
            continue;
        }
        int missing = subscript.from->rank - entries;
        for (int i = 0; i < missing && subscript.made.rank < HOST_RANK && subscript.known; i++) {
            take_whole(&subscript);
        }
    }
    while (subscript.known && subscript.axis < subscript.from->rank &&
           subscript.made.rank < HOST_RANK) {
        take_whole(&subscript);
    }
    HostTensor unknown = host_unknown();
    unknown.dtype = subscript.from->dtype;
    unknown.device = subscript.from->device;
    subscript.made.device = subscript.from->device;
    subscript.made.gaps = subscript.gaps && !subscript.empty && !subscript.from->gaps;
    subscript.made.sparse = subscript.made.gaps;
    return host_value(eval, subscript.known ? subscript.made : unknown);
}
