/* Operations that choose elements or rows by index tensors. */
#include "sim/kernels/common.h"

#include <string.h>

bool pts_fail_index(PtsError *error, const char *op, int64_t index, int64_t limit)
{
    return pts_fail(error, PTS_E_ADDRESS,
                    "%s: index %lld is out of range, the axis has %lld elements", op,
                    (long long)index, (long long)limit);
}

static bool check_index(PtsError *error, const char *op, int64_t index, int64_t limit)
{
    return (index >= 0 && index < limit) || pts_fail_index(error, op, index, limit);
}

static int64_t read_index(const PtsTensor *tensor, const int64_t *at)
{
    return pts_load_integer(pts_at(tensor, at, tensor->rank), tensor->dtype);
}

/* Copies one element of at most eight bytes. */
static void copy_element(char *to, const char *from, size_t size)
{
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, 8);
    }
}

/* The valid extents that a tensor has in common with another's shape, all but `except` (−1 =
 * none). */
static bool common_extent(const PtsTensor *tensor, const PtsTensor *other, int except,
                          int64_t *extent)
{
    for (int i = 0; i < tensor->rank; i++) {
        extent[i] = pts_extent(tensor, i);
        if (i != except && other->shape[i] < extent[i]) {
            extent[i] = other->shape[i];
        }
    }
    return pts_product(tensor->rank, extent) > 0;
}

/* result[i, j, …] = input[…, index[i, j, …], …]: the index replaces the subscript of `dim`. */
bool pts_run_gather(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *index = call->operands[1].tensor;
    int dim = call->attributes->dim;
    int last = result->rank - 1;
    size_t size = pts_dtype_bytes(result->dtype);
    int64_t extent[PTS_MAX_RANK];
    PtsTensor base = *input; /* without the subscript of dim */
    base.stride[dim] = 0;
    for (int i = 0; i < result->rank; i++) {
        extent[i] = pts_extent(result, i);
        extent[i] = extent[i] < index->shape[i] ? extent[i] : index->shape[i];
        if (i != dim && input->shape[i] < extent[i]) {
            extent[i] = input->shape[i];
        }
    }
    if (pts_product(result->rank, extent) == 0) {
        return true;
    }
    int64_t at[PTS_MAX_RANK] = {0};
    int64_t index_step = index->stride[last] * (int64_t)pts_dtype_bytes(index->dtype);
    int64_t dim_step = input->stride[dim] * (int64_t)size;
    do {
        char *to = pts_at(result, at, last);
        const char *from = pts_at(&base, at, last);
        const char *chooser = pts_at(index, at, last);
        for (int64_t j = 0; j < extent[last]; j++) {
            int64_t chosen = pts_load_integer(chooser, index->dtype);
            if (!check_index(error, "gather", chosen, input->shape[dim])) {
                return false;
            }
            copy_element(to, from + chosen * dim_step, size);
            to += result->stride[last] * (int64_t)size;
            from += base.stride[last] * (int64_t)size;
            chooser += index_step;
        }
    } while (pts_next_index(last, extent, at));
    return true;
}

/* Takes axes first ≤ i < first + count off a tensor whose subscripts there are `at`. */
static PtsTensor fix_axes(const PtsTensor *tensor, int first, int count, const int64_t *at)
{
    PtsTensor part = *tensor;
    int64_t offset = 0;
    for (int i = 0; i < count; i++) {
        offset += at[i] * tensor->stride[first + i];
    }
    part.data = (char *)tensor->data + offset * (int64_t)pts_dtype_bytes(tensor->dtype);
    part.rank -= count;
    for (int i = first; i < part.rank; i++) {
        part.shape[i] = tensor->shape[i + count];
        part.stride[i] = tensor->stride[i + count];
        part.valid[i] = tensor->valid[i + count];
    }
    return part;
}

static void copy_tensor(const PtsTensor *to, const PtsTensor *from)
{
    Walk walk;
    if (pts_walk_init(&walk, 2, (const PtsTensor *const[]){to, from})) {
        pts_copy_walk(&walk, pts_dtype_bytes(to->dtype), 1);
    }
}

bool pts_run_index_select(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *index = call->operands[1].tensor;
    int dim = call->attributes->dim;
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < index->rank; i++) {
        int64_t most = pts_extent(result, dim + i);
        extent[i] = index->shape[i] < most ? index->shape[i] : most;
    }
    if (pts_product(index->rank, extent) == 0) {
        return true;
    }
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        int64_t chosen = read_index(index, at);
        if (!check_index(error, "index_select", chosen, input->shape[dim])) {
            return false;
        }
        PtsTensor to = fix_axes(result, dim, index->rank, at);
        PtsTensor from = fix_axes(input, dim, 1, &chosen);
        copy_tensor(&to, &from);
    } while (pts_next_index(index->rank, extent, at));
    return true;
}

/* ---- scatter ---- */

typedef enum Combine { COMBINE_SET, COMBINE_ADD, COMBINE_MULTIPLY } Combine;

/* The whole part of a factor for integers; NaN is 0, what is beyond int64_t the nearest there. */
static int64_t integer_factor(double factor)
{
    const double limit = 0x1p63;
    if (factor >= -limit && factor < limit) {
        return (int64_t)factor;
    }
    return factor > 0 ? INT64_MAX : factor < 0 ? INT64_MIN : 0;
}

/* to = to ∘ factor · value, rounded once; integers wrap. */
static void combine(char *to, PtsDtype dtype, Combine how, const char *value, double factor)
{
    if (how == COMBINE_SET) {
        copy_element(to, value, pts_dtype_bytes(dtype));
    } else if (pts_dtype_is_float(dtype)) {
        double old = pts_load_real(to, dtype);
        double other = pts_load_real(value, dtype) * factor;
        pts_store_real(to, dtype, how == COMBINE_ADD ? old + other : old * other);
    } else {
        uint64_t old = (uint64_t)pts_load_integer(to, dtype);
        uint64_t other =
            (uint64_t)pts_load_integer(value, dtype) * (uint64_t)integer_factor(factor);
        pts_store_integer(to, dtype, (int64_t)(how == COMBINE_ADD ? old + other : old * other));
    }
}

bool pts_run_scatter(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *index = call->operands[1].tensor;
    const PtsKernelOperand *source = &call->operands[2];
    int dim = call->attributes->dim;
    uint64_t constant = 0;
    copy_tensor(result, call->operands[0].tensor);
    if (source->tensor == NULL) {
        pts_store_element(&constant, result->dtype, &source->element);
    }
    int64_t extent[PTS_MAX_RANK];
    if (!common_extent(index, result, dim, extent)) {
        return true;
    }
    for (int i = 0; i < index->rank && source->tensor != NULL; i++) {
        extent[i] = source->tensor->shape[i] < extent[i] ? source->tensor->shape[i] : extent[i];
    }
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        int64_t target[PTS_MAX_RANK];
        memcpy(target, at, sizeof target);
        target[dim] = read_index(index, at);
        if (!check_index(error, "scatter", target[dim], result->shape[dim])) {
            return false;
        }
        const char *value = source->tensor != NULL
                                ? pts_at(source->tensor, at, source->tensor->rank)
                                : (const char *)&constant;
        combine(pts_at(result, target, result->rank), result->dtype,
                (Combine)call->attributes->mode, value, 1);
    } while (pts_next_index(index->rank, extent, at));
    return true;
}

bool pts_run_index_add(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *index = call->operands[1].tensor;
    const PtsTensor *source = call->operands[2].tensor;
    int dim = call->attributes->dim;
    copy_tensor(result, call->operands[0].tensor);
    int64_t extent[PTS_MAX_RANK];
    if (!common_extent(source, result, dim, extent)) {
        return true;
    }
    extent[dim] = extent[dim] < index->shape[0] ? extent[dim] : index->shape[0];
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        int64_t target[PTS_MAX_RANK];
        memcpy(target, at, sizeof target);
        target[dim] = read_index(index, &at[dim]);
        if (!check_index(error, "index_add", target[dim], result->shape[dim])) {
            return false;
        }
        combine(pts_at(result, target, result->rank), result->dtype, COMBINE_ADD,
                pts_at(source, at, source->rank), call->attributes->real);
    } while (pts_next_index(source->rank, extent, at));
    return true;
}

/* input[i0[p], i1[p], …] = or += values[p] for every position p; operands: input, values, i0 … */
bool pts_run_index_put(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *values = call->operands[1].tensor;
    int count = call->operand_count - 2;
    copy_tensor(result, call->operands[0].tensor);
    int64_t positions = pts_extent(call->operands[2].tensor, 0);
    for (int64_t p = 0; p < positions; p++) {
        int64_t target[PTS_MAX_RANK] = {0};
        for (int i = 0; i < count; i++) {
            target[i] = read_index(call->operands[i + 2].tensor, &p);
            if (!check_index(error, "index_put_", target[i], result->shape[i])) {
                return false;
            }
        }
        PtsTensor to = fix_axes(result, 0, count, target);
        int64_t row = values->shape[0] == 1 ? 0 : p;
        PtsTensor from = fix_axes(values, 0, 1, &row);
        if (!call->attributes->accumulate) {
            copy_tensor(&to, &from);
            continue;
        }
        int64_t at[PTS_MAX_RANK] = {0};
        int64_t extent[PTS_MAX_RANK];
        bool any = common_extent(&from, &to, -1, extent);
        do {
            if (any) {
                combine(pts_at(&to, at, to.rank), to.dtype, COMBINE_ADD,
                        pts_at(&from, at, from.rank), 1);
            }
        } while (pts_next_index(to.rank, extent, at));
    }
    return true;
}

bool pts_run_one_hot(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *input = call->operands[0].tensor;
    (void)error;
    int last = result->rank - 1;
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < result->rank; i++) {
        extent[i] = pts_extent(result, i);
    }
    if (pts_product(result->rank, extent) == 0) {
        return true;
    }
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        pts_store_integer(pts_at(result, at, result->rank), result->dtype,
                          read_index(input, at) == at[last]);
    } while (pts_next_index(result->rank, extent, at));
    return true;
}

/* ---- rows of paged caches: these address the memory behind a view ---- */

/* The address of row `row`: of a matrix, or of [blocks, rows per block, 1, columns]. NULL when
 * `count` elements there do not lie in the storage of the tensor. */
static char *row_address(const PtsTensor *tensor, int64_t row, int64_t count)
{
    int64_t bytes = (int64_t)pts_dtype_bytes(tensor->dtype);
    char *start = tensor->storage != NULL ? tensor->storage : tensor->data;
    const int64_t *stride = tensor->storage != NULL ? tensor->storage_stride : tensor->stride;
    int64_t elements = tensor->storage != NULL
                           ? tensor->storage_elements
                           : tensor->shape[0] * (tensor->rank > 0 ? stride[0] : 1);
    if (row < 0 || row >= elements || (tensor->rank == 4 && tensor->shape[1] < 1)) {
        return NULL;
    }
    int64_t offset = row * stride[0];
    if (tensor->rank == 4) {
        int64_t rows = tensor->shape[1];
        offset = row / rows * stride[0] + row % rows * stride[1];
    }
    return offset <= elements - count ? start + offset * bytes : NULL;
}

static void mark_line(const PtsKernelCall *call, char *at, int64_t columns)
{
    const PtsTensor *target = call->results[0];
    const PtsTensor line = {.data = at,
                            .dtype = target->dtype,
                            .rank = 1,
                            .shape = {columns},
                            .valid = {columns},
                            .stride = {target->stride[target->rank - 1]}};
    pts_mark_written(call->written, target->data, &line);
    if (call->touched != NULL) {
        call->touched(call->context, &line);
    }
}

bool pts_run_scatter_update(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *index = call->operands[1].tensor;
    const PtsTensor *source = call->operands[2].tensor;
    int last = input->rank - 1;
    int64_t columns = pts_extent(source, source->rank - 1);
    columns = columns < input->shape[last] ? columns : input->shape[last];
    int64_t bytes = (int64_t)pts_dtype_bytes(input->dtype);
    int64_t rows = index->rank > 1 ? pts_extent(index, 1) : pts_extent(index, 0);
    int64_t batches = index->rank > 1 ? pts_extent(index, 0) : 1;
    for (int64_t i = 0; i < batches && columns > 0; i++) {
        for (int64_t j = 0; j < rows; j++) {
            int64_t at[2] = {index->rank > 1 ? i : j, j};
            int64_t row = read_index(index, at);
            char *to = row_address(input, row, columns);
            if (to == NULL) {
                return pts_fail_index(error, "scatter_update", row,
                                      input->rank == 4 ? input->shape[0] * input->shape[1]
                                                       : input->shape[0]);
            }
            int64_t line[2] = {i, j};
            int64_t flat = i * (index->rank > 1 ? index->shape[1] : 0) + j;
            const char *from =
                source->rank == 4 ? pts_at(source, line, 2) : pts_at(source, &flat, 1);
            pts_copy_strided(to, input->stride[last] * bytes, from,
                             source->stride[source->rank - 1] * bytes, columns, (size_t)bytes);
            mark_line(call, to, columns);
        }
    }
    return true;
}

/* gather_in_ub and gather_in_l1: row i of the result is the row of the cache that entry
 * indices[0, i] of the sequence has by the block table. */
bool pts_run_paged_gather(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *cache = call->operands[0].tensor;
    const PtsTensor *indices = call->operands[1].tensor;
    const PtsTensor *table = call->operands[2].tensor;
    int64_t block = call->attributes->count > 0 ? call->attributes->count : 1;
    int64_t bytes = (int64_t)pts_dtype_bytes(cache->dtype);
    int64_t table_length = table->shape[table->rank - 1];
    int64_t rows = pts_extent(result, 0);
    int64_t length = indices->shape[indices->rank - 1];
    rows = rows < length ? rows : length;
    int64_t columns = pts_extent(result, 1);
    columns = columns < cache->shape[1] ? columns : cache->shape[1];
    for (int64_t i = 0; i < rows && columns > 0; i++) {
        int64_t at[2] = {indices->rank > 1 ? 0 : i, i};
        int64_t entry = read_index(indices, at);
        int64_t page = entry / block;
        if (entry < 0 || page >= table_length) {
            return pts_fail_index(error, "gather_in", entry, table_length * block);
        }
        int64_t place[2] = {table->rank > 1 ? 0 : page, page};
        int64_t row;
        if (__builtin_mul_overflow(read_index(table, place), block, &row) ||
            __builtin_add_overflow(row, entry % block, &row)) {
            row = -1; /* further than any memory reaches */
        }
        const char *from = row_address(cache, row, columns);
        if (from == NULL) {
            return pts_fail_index(error, "gather_in", row, cache->shape[0]);
        }
        int64_t line[1] = {i};
        pts_copy_strided(pts_at(result, line, 1), result->stride[1] * bytes, from,
                         cache->stride[1] * bytes, columns, (size_t)bytes);
    }
    return true;
}
