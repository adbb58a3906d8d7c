/* Walking over tensors: broadcasting, joining axes, copying and filling. */
#include "sim/kernels/common.h"

#include <string.h>

int64_t pts_extent(const PtsTensor *tensor, int axis)
{
    int64_t shape = tensor->shape[axis];
    int64_t valid = tensor->valid[axis];
    int64_t extent = valid < shape ? valid : shape;
    return extent > 0 ? extent : 0;
}

int64_t pts_product(int count, const int64_t *extent)
{
    int64_t product = 1;
    for (int i = 0; i < count; i++) {
        product *= extent[i] > 0 ? extent[i] : 0;
    }
    return product;
}

bool pts_next_index(int rank, const int64_t *extent, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < extent[i]) {
            return true;
        }
        index[i] = 0;
    }
    return false;
}

char *pts_at(const PtsTensor *tensor, const int64_t *index, int axes)
{
    int64_t offset = 0;
    for (int i = 0; i < axes; i++) {
        offset += index[i] * tensor->stride[i];
    }
    return (char *)tensor->data + offset * (int64_t)pts_dtype_bytes(tensor->dtype);
}

/* Adds tensor number `t`, aligned to the right; axes of length 1 repeat, others limit the
 * extents. */
static void add_tensor(Walk *walk, int t, const PtsTensor *tensor)
{
    memset(walk->stride[t], 0, sizeof walk->stride[t]);
    walk->base[t] = tensor != NULL ? tensor->data : NULL;
    if (tensor == NULL) {
        return;
    }
    int64_t bytes = (int64_t)pts_dtype_bytes(tensor->dtype);
    int shift = walk->rank - tensor->rank;
    for (int axis = 0; axis < tensor->rank; axis++) {
        int at = axis + shift;
        int64_t length = tensor->shape[axis];
        if (at < 0 || (length == 1 && t > 0)) {
            continue;
        }
        walk->stride[t][at] = tensor->stride[axis] * bytes;
        if (tensor->stride[axis] != 0 && length < walk->extent[at]) {
            walk->extent[at] = length;
        }
    }
}

/* Can axis `a` and the one after it be walked as one? */
static bool is_joinable(const Walk *walk, int a)
{
    for (int t = 0; t < walk->count; t++) {
        if (walk->stride[t][a] != walk->stride[t][a + 1] * walk->extent[a + 1]) {
            return false;
        }
    }
    return true;
}

static void remove_axis(Walk *walk, int axis)
{
    for (int i = axis; i + 1 < walk->rank; i++) {
        walk->extent[i] = walk->extent[i + 1];
        for (int t = 0; t < walk->count; t++) {
            walk->stride[t][i] = walk->stride[t][i + 1];
        }
    }
    walk->rank--;
}

static void join_axes(Walk *walk)
{
    for (int i = walk->rank - 1; i >= 0 && walk->rank > 1; i--) {
        if (walk->extent[i] == 1) {
            remove_axis(walk, i);
        }
    }
    for (int i = walk->rank - 2; i >= 0; i--) {
        if (is_joinable(walk, i)) {
            walk->extent[i + 1] *= walk->extent[i];
            remove_axis(walk, i);
        }
    }
}

bool pts_walk_over(Walk *walk, int count, const PtsTensor *const *tensors, const int64_t *extent)
{
    walk->rank = tensors[0]->rank;
    walk->count = count;
    for (int t = count; t < WALK_MAX_TENSORS; t++) {
        walk->base[t] = NULL;
    }
    if (walk->rank == 0) {
        walk->rank = 1;
        walk->extent[0] = 1;
    }
    for (int i = 0; i < tensors[0]->rank; i++) {
        walk->extent[i] = extent[i];
    }
    for (int t = 0; t < count; t++) {
        add_tensor(walk, t, tensors[t]);
    }
    for (int i = 0; i < walk->rank; i++) {
        if (walk->extent[i] <= 0) {
            return false;
        }
    }
    join_axes(walk);
    return true;
}

bool pts_walk_init(Walk *walk, int count, const PtsTensor *const *tensors)
{
    return pts_walk_over(walk, count, tensors, tensors[0]->valid);
}

int64_t pts_walk_rows(const Walk *walk)
{
    return pts_product(walk->rank - 1, walk->extent);
}

void pts_walk_rows_do(const Walk *walk, int64_t from, int64_t to, PtsWalkRow *row, void *context)
{
    int64_t index[PTS_MAX_RANK] = {0};
    char *at[WALK_MAX_TENSORS];
    int last = walk->rank - 1;
    int64_t rest = from;
    for (int i = last - 1; i >= 0; i--) {
        index[i] = rest % walk->extent[i];
        rest /= walk->extent[i];
    }
    for (int t = 0; t < WALK_MAX_TENSORS; t++) {
        at[t] = walk->base[t];
        for (int i = 0; i < last && at[t] != NULL; i++) {
            at[t] += index[i] * walk->stride[t][i];
        }
    }
    for (int64_t number = from; number < to; number++) {
        row(context, at, number);
        for (int i = last - 1; i >= 0; i--) {
            bool carries = ++index[i] == walk->extent[i];
            int64_t steps = carries ? 1 - walk->extent[i] : 1;
            index[i] = carries ? 0 : index[i];
            for (int t = 0; t < walk->count; t++) {
                at[t] = at[t] != NULL ? at[t] + steps * walk->stride[t][i] : NULL;
            }
            if (!carries) {
                break;
            }
        }
    }
}

#define COPY_AS(type)                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
        *(type *)(to + i * to_stride) = *(const type *)(from + i * from_stride);                   \
    }

void pts_copy_strided(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                      int64_t count, size_t size)
{
    if (to_stride == (int64_t)size && from_stride == (int64_t)size) {
        memmove(to, from, (size_t)count * size);
    } else if (size == 1) {
        COPY_AS(uint8_t)
    } else if (size == 2) {
        COPY_AS(uint16_t)
    } else if (size == 4) {
        COPY_AS(uint32_t)
    } else {
        COPY_AS(uint64_t)
    }
}

typedef struct CopyJob {
    const Walk *walk;
    size_t size;
} CopyJob;

static void copy_row(void *context, char *const *at, int64_t row)
{
    const CopyJob *job = context;
    const Walk *walk = job->walk;
    int last = walk->rank - 1;
    (void)row;
    pts_copy_strided(at[0], walk->stride[0][last], at[1], walk->stride[1][last], walk->extent[last],
                     job->size);
}

/* Axes of a plane in which source and target run along different axes. */
enum { PLANE_BLOCK = 32 };

static void copy_plane(void *context, char *const *at, int64_t row)
{
    const CopyJob *job = context;
    const Walk *walk = job->walk;
    int last = walk->rank - 1;
    int64_t rows = walk->extent[last - 1];
    int64_t columns = walk->extent[last];
    const int64_t *to = walk->stride[0];
    const int64_t *from = walk->stride[1];
    (void)row;
    for (int64_t i = 0; i < rows; i += PLANE_BLOCK) {
        int64_t i_end = i + PLANE_BLOCK < rows ? i + PLANE_BLOCK : rows;
        for (int64_t j = 0; j < columns; j += PLANE_BLOCK) {
            int64_t count = columns - j < PLANE_BLOCK ? columns - j : PLANE_BLOCK;
            for (int64_t k = i; k < i_end; k++) {
                pts_copy_strided(at[0] + k * to[last - 1] + j * to[last], to[last],
                                 at[1] + k * from[last - 1] + j * from[last], from[last], count,
                                 job->size);
            }
        }
    }
}

/* Brings the axis along which the source is dense to the last place but one, when it is not the
 * last; false when there is nothing to gain. */
static bool make_planes(Walk *walk, size_t size)
{
    int last = walk->rank - 1;
    if (last < 1 || walk->stride[1][last] == (int64_t)size) {
        return false;
    }
    for (int i = 0; i < last; i++) {
        if (walk->stride[1][i] != (int64_t)size) {
            continue;
        }
        int64_t extent = walk->extent[i];
        walk->extent[i] = walk->extent[last - 1];
        walk->extent[last - 1] = extent;
        for (int t = 0; t < 2; t++) {
            int64_t stride = walk->stride[t][i];
            walk->stride[t][i] = walk->stride[t][last - 1];
            walk->stride[t][last - 1] = stride;
        }
        return true;
    }
    return false;
}

static void copy_planes(const Walk *walk, size_t size)
{
    CopyJob job = {walk, size};
    Walk outer = *walk;
    outer.rank--; /* rows of this walk are planes of the other */
    pts_walk_rows_do(&outer, 0, pts_walk_rows(&outer), copy_plane, &job);
}

static void copy_share(void *context, int64_t from, int64_t to, int worker)
{
    const CopyJob *job = context;
    const Walk *walk = job->walk;
    (void)worker;
    if (walk->rank > 1) {
        pts_walk_rows_do(walk, from, to, copy_row, context);
        return;
    }
    pts_copy_strided(walk->base[0] + from * walk->stride[0][0], walk->stride[0][0],
                     walk->base[1] + from * walk->stride[1][0], walk->stride[1][0], to - from,
                     job->size);
}

void pts_copy_walk(const Walk *walk, size_t size, int threads)
{
    Walk planes = *walk;
    if (make_planes(&planes, size)) {
        copy_planes(&planes, size);
        return;
    }
    CopyJob job = {walk, size};
    int64_t rows = walk->rank == 1 ? walk->extent[0] : pts_walk_rows(walk);
    bool is_small = pts_product(walk->rank, walk->extent) < 4 * THREAD_ELEMENTS;
    pts_parallel(is_small ? 1 : threads, rows, copy_share, &job);
}

typedef struct FillJob {
    const Walk *walk;
    size_t size;
    const void *value;
} FillJob;

static void fill_row(void *context, char *const *at, int64_t row)
{
    const FillJob *job = context;
    int last = job->walk->rank - 1;
    (void)row;
    pts_copy_strided(at[0], job->walk->stride[0][last], job->value, 0, job->walk->extent[last],
                     job->size);
}

void pts_fill_walk(const Walk *walk, size_t size, const void *value)
{
    FillJob job = {walk, size, value};
    pts_walk_rows_do(walk, 0, pts_walk_rows(walk), fill_row, &job);
}
