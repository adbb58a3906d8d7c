/* topk and argsort. Both are stable: equal keys keep the order of their positions; −0 equals +0,
 * NaN is greater than every number. */
#include "sim/kernels/common.h"

#include <string.h>

/* A key whose integer order is the wanted order, and where it was. */
typedef struct Item {
    int64_t key;
    int64_t position;
} Item;

/* Up to so many of a longer line are kept in a sorted list, without sorting the line. */
enum { SMALL_K = 64 };

static bool is_selected(int64_t count, int64_t k)
{
    return k <= SMALL_K && k < count;
}

/* The first elements that topk gives of lines of `count`. */
static int64_t kept(const PtsKernelCall *call, int64_t count)
{
    const PtsTensor *values = call->results[0];
    int64_t k = pts_extent(values, values->rank - 1);
    return k < count ? k : count;
}

static int64_t key_of(const char *at, PtsDtype dtype, bool descending)
{
    int64_t key;
    if (pts_dtype_is_float(dtype)) {
        double value = pts_load_real(at, dtype) + 0.0; /* −0 becomes +0 */
        memcpy(&key, &value, sizeof key);
        key = key < 0 ? (int64_t)((uint64_t)key ^ (uint64_t)INT64_MAX) : key;
        key = value != value ? INT64_MAX : key;
    } else {
        key = pts_load_integer(at, dtype);
    }
    return descending ? ~key : key;
}

/* Bottom-up merge sort; `other` is room for as many items. Gives where the result lies. */
static Item *sort_items(Item *items, Item *other, int64_t count)
{
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t start = 0; start < count; start += 2 * width) {
            int64_t middle = start + width < count ? start + width : count;
            int64_t end = start + 2 * width < count ? start + 2 * width : count;
            int64_t a = start;
            int64_t b = middle;
            for (int64_t to = start; to < end; to++) {
                bool take_a = b >= end || (a < middle && items[a].key <= items[b].key);
                other[to] = take_a ? items[a++] : items[b++];
            }
        }
        Item *swap = items;
        items = other;
        other = swap;
    }
    return items;
}

/* Keeps the best `k` in a sorted list: few of the elements get beyond its last place. */
static void select_items(const char *from, int64_t step, PtsDtype dtype, bool descending,
                         int64_t count, int64_t k, Item *best)
{
    int64_t held = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t key = key_of(from + i * step, dtype, descending);
        if (held == k && key >= best[held - 1].key) {
            continue;
        }
        int64_t at = held < k ? held++ : held - 1;
        while (at > 0 && best[at - 1].key > key) {
            best[at] = best[at - 1];
            at--;
        }
        best[at] = (Item){key, i};
    }
}

size_t pts_sort_scratch(const PtsKernelCall *call)
{
    const PtsTensor *operand = call->operands[0].tensor;
    bool is_topk = call->op == PTS_OP_TOPK;
    int64_t count = pts_extent(operand, is_topk ? operand->rank - 1 : call->attributes->dim);
    int64_t k = is_topk ? kept(call, count) : count;
    return sizeof(Item) * (size_t)(is_selected(count, k) ? k : 2 * count);
}

/* Sorts one line into the scratch memory. */
static const Item *sort_line(const PtsKernelCall *call, const char *from, int64_t step,
                             int64_t count, int64_t k, bool descending)
{
    PtsDtype dtype = call->operands[0].tensor->dtype;
    Item *items = call->scratch;
    if (is_selected(count, k)) {
        select_items(from, step, dtype, descending, count, k, items);
        return items;
    }
    for (int64_t i = 0; i < count; i++) {
        items[i] = (Item){key_of(from + i * step, dtype, descending), i};
    }
    return sort_items(items, items + count, count);
}

/* Extents of the lines: those of the first result with one element along `axis`. */
static bool line_extent(const PtsTensor *result, const PtsTensor *operand, int axis,
                        int64_t *extent)
{
    for (int i = 0; i < result->rank; i++) {
        int64_t most = pts_extent(operand, i);
        extent[i] = pts_extent(result, i);
        extent[i] = extent[i] < most ? extent[i] : most;
    }
    bool any = pts_product(result->rank, extent) > 0;
    extent[axis] = 1;
    return any;
}

bool pts_run_topk(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *values = call->results[0];
    const PtsTensor *positions = call->results[1];
    const PtsTensor *operand = call->operands[0].tensor;
    int axis = operand->rank - 1;
    size_t size = pts_dtype_bytes(operand->dtype);
    int64_t extent[PTS_MAX_RANK];
    (void)error;
    if (!line_extent(values, operand, axis, extent)) {
        return true;
    }
    int64_t count = pts_extent(operand, axis);
    int64_t k = kept(call, count);
    int64_t step = operand->stride[axis] * (int64_t)size;
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        const char *from = pts_at(operand, at, operand->rank);
        const Item *items = sort_line(call, from, step, count, k, call->attributes->largest);
        char *value = pts_at(values, at, values->rank);
        char *position = pts_at(positions, at, positions->rank);
        for (int64_t i = 0; i < k; i++) {
            memcpy(value + i * values->stride[axis] * (int64_t)size,
                   from + items[i].position * step, size);
            pts_store_integer(position + i * positions->stride[axis] *
                                             (int64_t)pts_dtype_bytes(positions->dtype),
                              positions->dtype, items[i].position);
        }
    } while (pts_next_index(operand->rank, extent, at));
    return true;
}

bool pts_run_argsort(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    int axis = call->attributes->dim;
    int64_t extent[PTS_MAX_RANK];
    (void)error;
    if (!line_extent(result, operand, axis, extent)) {
        return true;
    }
    int64_t count = pts_extent(operand, axis);
    int64_t most = pts_extent(result, axis);
    int64_t step = operand->stride[axis] * (int64_t)pts_dtype_bytes(operand->dtype);
    int64_t to_step = result->stride[axis] * (int64_t)pts_dtype_bytes(result->dtype);
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        const Item *items = sort_line(call, pts_at(operand, at, operand->rank), step, count, count,
                                      call->attributes->descending);
        char *to = pts_at(result, at, result->rank);
        for (int64_t i = 0; i < count && i < most; i++) {
            pts_store_integer(to + i * to_step, result->dtype, items[i].position);
        }
    } while (pts_next_index(operand->rank, extent, at));
    return true;
}
