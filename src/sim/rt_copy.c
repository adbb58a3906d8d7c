/* Moving elements between run-time tensors without computing: windows, reshaping by value, and the
 * pattern that marks memory without data. */
#include "sim/rt.h"

#include <string.h>

/* The product of extents; it only overflows beside an extent of 0, where strides do not matter. */
static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

void rt_dense_strides(int rank, const int64_t *shape, int64_t *stride)
{
    int64_t step = 1;
    for (int i = rank - 1; i >= 0; i--) {
        stride[i] = step;
        step = times(step, shape[i] > 0 ? shape[i] : 1);
    }
}

bool rt_is_dense(const PtsTensor *tensor)
{
    int64_t step = 1;
    for (int i = tensor->rank - 1; i >= 0; i--) {
        if (tensor->shape[i] != 1 && tensor->stride[i] != step) {
            return false;
        }
        step = times(step, tensor->shape[i]);
    }
    return true;
}

bool rt_element_count(int rank, const int64_t *extent, int64_t *count)
{
    *count = 1;
    for (int i = 0; i < rank; i++) {
        if (extent[i] <= 0) {
            *count = 0;
            return true;
        }
    }
    for (int i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(*count, extent[i], count)) {
            return false;
        }
    }
    return true;
}

bool rt_is_fully_valid(const PtsTensor *tensor)
{
    for (int i = 0; i < tensor->rank; i++) {
        if (tensor->valid[i] != tensor->shape[i]) {
            return false;
        }
    }
    return true;
}

/* Steps an index through an extent, last of `rank` axes first; false after the last. */
static bool step_index(int rank, const int64_t *extent, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < extent[i]) {
            return true;
        }
        index[i] = 0;
    }
    return false;
}

static char *element_at(const PtsTensor *tensor, const int64_t *index, int axes, size_t size)
{
    int64_t offset = 0;
    for (int i = 0; i < axes; i++) {
        offset += index[i] * tensor->stride[i];
    }
    return (char *)tensor->data + offset * (int64_t)size;
}

static void copy_row(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                     int64_t count, size_t size)
{
    if (to_stride == 1 && from_stride == 1) {
        memmove(to, from, (size_t)count * size);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(to + i * to_stride * (int64_t)size, from + i * from_stride * (int64_t)size, size);
    }
}

void rt_copy_region(const PtsTensor *from, const PtsTensor *to, const int64_t *extent)
{
    int rank = from->rank;
    int64_t count;
    if (rank == 0 || !rt_element_count(rank, extent, &count) || count == 0) {
        return;
    }
    size_t size = pts_dtype_bytes(from->dtype);
    int last = rank - 1;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        copy_row(element_at(to, index, last, size), to->stride[last],
                 element_at(from, index, last, size), from->stride[last], extent[last], size);
    } while (step_index(last, extent, index));
}

void rt_copy_flat(const PtsTensor *from, const int64_t *from_extent, const PtsTensor *to,
                  const int64_t *to_extent, int64_t count)
{
    size_t size = pts_dtype_bytes(from->dtype);
    int64_t from_index[PTS_MAX_RANK] = {0};
    int64_t to_index[PTS_MAX_RANK] = {0};
    int from_last = from->rank - 1;
    int to_last = to->rank - 1;
    while (count > 0) {
        /* As many elements as both rows still have. */
        int64_t run = from_extent[from_last] - from_index[from_last];
        int64_t room = to_extent[to_last] - to_index[to_last];
        run = run < room ? run : room;
        run = run < count ? run : count;
        copy_row(element_at(to, to_index, to->rank, size), to->stride[to_last],
                 element_at(from, from_index, from->rank, size), from->stride[from_last], run,
                 size);
        count -= run;
        from_index[from_last] += run - 1;
        to_index[to_last] += run - 1;
        step_index(from->rank, from_extent, from_index);
        step_index(to->rank, to_extent, to_index);
    }
}

/* A quiet NaN with a payload that no computation gives by itself, per dtype; the rest is 0xA5. */
enum { POISON_BLOCK = 4096 };
static const uint16_t POISON_FP16 = 0x7E5A;
static const uint16_t POISON_BF16 = 0x7FDA;
static const uint32_t POISON_FP32 = 0x7FDA5A5A;
static const uint64_t POISON_DOUBLE = 0x7FFBDA5A5A5A5A5A;
static const uint64_t POISON_INTEGER = 0xA5A5A5A5A5A5A5A5;

/* The pattern of a dtype, or NULL where every pattern is plausible data. */
static const void *poison_of(PtsDtype dtype)
{
    switch (dtype) {
    case PTS_FP16:
        return &POISON_FP16;
    case PTS_BF16:
        return &POISON_BF16;
    case PTS_FP32:
        return &POISON_FP32;
    case PTS_DOUBLE:
        return &POISON_DOUBLE;
    case PTS_INT32:
    case PTS_UINT32:
    case PTS_INT64:
    case PTS_UINT64:
        return &POISON_INTEGER;
    default:
        return NULL;
    }
}

void rt_poison(void *data, PtsDtype dtype, int64_t bytes)
{
    const void *pattern = poison_of(dtype);
    size_t size = pts_dtype_bytes(dtype);
    if (pattern == NULL || dtype == PTS_INT32 || dtype == PTS_UINT32 || dtype == PTS_INT64 ||
        dtype == PTS_UINT64) {
        memset(data, dtype == PTS_BOOL ? 0 : 0xA5, (size_t)bytes);
        return;
    }
    size_t whole = (size_t)bytes - (size_t)bytes % size;
    size_t filled = whole < size ? whole : size;
    memcpy(data, pattern, filled);
    while (filled < whole) { /* what is filled is copied behind itself */
        size_t more = filled < POISON_BLOCK ? filled : POISON_BLOCK;
        more = more < whole - filled ? more : whole - filled;
        memcpy((char *)data + filled, data, more);
        filled += more;
    }
}

/* Elements of any type, looked at as bits. */
typedef uint16_t __attribute__((may_alias)) Any16;
typedef uint32_t __attribute__((may_alias)) Any32;
typedef uint64_t __attribute__((may_alias)) Any64;

#define FIND_PATTERN(type)                                                                         \
    for (int64_t i = 0; i < count; i++) {                                                          \
        found |= ((const type *)(const void *)row)[i * stride] == *(const type *)pattern;          \
    }

static bool row_has_pattern(const char *row, int64_t stride, int64_t count, size_t size,
                            const void *pattern)
{
    bool found = false;
    if (size == 2) {
        FIND_PATTERN(Any16)
    } else if (size == 4) {
        FIND_PATTERN(Any32)
    } else {
        FIND_PATTERN(Any64)
    }
    return found;
}

bool rt_has_poison(const PtsTensor *tensor, const int64_t *extent)
{
    const void *pattern = poison_of(tensor->dtype);
    int64_t count;
    if (pattern == NULL || tensor->rank == 0 || !rt_element_count(tensor->rank, extent, &count) ||
        count == 0) {
        return false;
    }
    size_t size = pts_dtype_bytes(tensor->dtype);
    int last = tensor->rank - 1;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        const char *row = element_at(tensor, index, last, size);
        if (row_has_pattern(row, tensor->stride[last], extent[last], size, pattern)) {
            return true;
        }
    } while (step_index(last, extent, index));
    return false;
}
