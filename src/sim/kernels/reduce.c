/* Reductions along one axis. Floating-point sums and products accumulate in F64 in index order (in
 * F32 when the run asks for device sums) and round once; integers wrap in their own type; extremes
 * do not depend on the order. */
#include "sim/kernels/common.h"

#include <string.h>

enum { LINES = 4 }; /* ordered sums that are computed side by side */

typedef struct Reduction {
    Walk walk;           /* results, and the operand without the axis */
    int64_t count, step; /* of the axis; step in bytes */
    PtsStrip *strip;
    bool is_ordered;
    bool is_product;
    PtsDtype computed;
    size_t bytes, computed_bytes, result_bytes;
    Conversion load, store;
    bool narrows; /* F64 to 16 bits: by way of F32 */
    Conversion narrow;
} Reduction;

/* A tensor without one of its axes. */
static PtsTensor without_axis(const PtsTensor *tensor, int axis)
{
    PtsTensor rest = *tensor;
    rest.rank--;
    for (int i = axis; i < rest.rank; i++) {
        rest.shape[i] = tensor->shape[i + 1];
        rest.stride[i] = tensor->stride[i + 1];
        rest.valid[i] = tensor->valid[i + 1];
    }
    return rest;
}

/* The walk over results and the operand's first elements along the axis; false = nothing to do. */
static bool walk_reduced(Walk *walk, const PtsTensor *result, const PtsTensor *operand, int axis)
{
    PtsTensor seen = without_axis(operand, axis);
    PtsTensor target = result->rank == operand->rank ? without_axis(result, axis) : *result;
    for (int i = 0; i < target.rank && seen.rank > 0; i++) {
        int64_t most = pts_extent(&seen, i);
        target.valid[i] = target.valid[i] < most ? target.valid[i] : most;
    }
    if (seen.rank == 0) {
        target.rank = 0; /* a single number, kept with one axis */
    }
    return pts_extent(operand, axis) > 0 &&
           pts_walk_init(walk, 2, (const PtsTensor *const[]){&target, &seen});
}

/* Brings `count` elements, `stride` bytes apart, into a block of the computed type. */
static const void *load_run(const Reduction *r, const char *from, int64_t stride, size_t count,
                            void *room, void *gathered)
{
    const void *at = from;
    if (stride != (int64_t)r->bytes) {
        void *target = r->load.is_same ? room : gathered;
        pts_copy_strided(target, (int64_t)r->bytes, from, stride, (int64_t)count, r->bytes);
        at = target;
    }
    if (!r->load.is_same) {
        pts_convert_run(&r->load, count, room, at);
        at = room;
    }
    return at;
}

/* ---- ordered sums and products along a dense axis ---- */

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types */
#define ORDERED(name, type, accumulator, operation)                                                \
    static void name(size_t count, const void *const *lines, void *sums)                           \
    {                                                                                              \
        const type *a = lines[0];                                                                  \
        const type *b = lines[1];                                                                  \
        const type *c = lines[2];                                                                  \
        const type *d = lines[3];                                                                  \
        accumulator *sum = sums;                                                                   \
        accumulator s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];                            \
        for (size_t i = 0; i < count; i++) {                                                       \
            s0 operation(accumulator) a[i];                                                        \
            s1 operation(accumulator) b[i];                                                        \
            s2 operation(accumulator) c[i];                                                        \
            s3 operation(accumulator) d[i];                                                        \
        }                                                                                          \
        sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;                                        \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

ORDERED(sum_f32, float, double, +=)
ORDERED(sum_f64, double, double, +=)
ORDERED(sum_device, float, float, +=)
ORDERED(product_f32, float, double, *=)
ORDERED(product_f64, double, double, *=)
ORDERED(product_device, float, float, *=)

typedef void OrderedLoop(size_t count, const void *const *lines, void *sums);

/* Elements are brought to F32 (F64 stays) and added to accumulators of the computed type. */
static OrderedLoop *ordered_loop(const Reduction *r, bool from_double)
{
    if (r->computed == PTS_FP32) {
        return r->is_product ? product_device : sum_device;
    }
    if (from_double) {
        return r->is_product ? product_f64 : sum_f64;
    }
    return r->is_product ? product_f32 : sum_f32;
}

/* `lines` ≤ LINES neighbouring results; their first elements are `stride` bytes apart. */
static void reduce_lines(const Reduction *r, const char *from, int64_t stride, int lines,
                         void *sums)
{
    bool from_double = r->load.from == PTS_DOUBLE;
    Conversion to_float = pts_conversion(r->load.from, PTS_FP32);
    OrderedLoop *loop = ordered_loop(r, from_double);
    bool is_direct = from_double || to_float.is_same;
    float room[LINES][BLOCK];
    for (int64_t done = 0; done < r->count; done += BLOCK) {
        size_t part = (size_t)(r->count - done < BLOCK ? r->count - done : BLOCK);
        const void *at[LINES];
        for (int i = 0; i < LINES; i++) {
            /* Lines beyond the last are the first again; their sums are not used. */
            const char *line = from + (i < lines ? i : 0) * stride + done * (int64_t)r->bytes;
            at[i] = line;
            if (!is_direct) {
                pts_convert_run(&to_float, part, room[i], line);
                at[i] = room[i];
            }
        }
        loop(part, at, sums);
    }
}

static void reduce_dense_ordered(const Reduction *r, const char *from, int64_t stride, int64_t n,
                                 char *sums)
{
    for (int64_t i = 0; i < n; i += LINES) {
        int lines = (int)(n - i < LINES ? n - i : LINES);
        double real[LINES];
        float device[LINES];
        double start = r->is_product ? 1 : 0;
        for (int j = 0; j < LINES; j++) {
            real[j] = start;
            device[j] = (float)start;
        }
        void *target = r->computed == PTS_FP32 ? (void *)device : real;
        reduce_lines(r, from + i * stride, stride, lines, target);
        memcpy(sums + i * (int64_t)r->computed_bytes, target, (size_t)lines * r->computed_bytes);
    }
}

/* ---- any order along a dense axis ---- */

/* Folds a run onto its first element by halves. */
static void fold(const Reduction *r, size_t count, char *run)
{
    while (count > 1) {
        size_t half = (count + 1) / 2;
        const void *in[2] = {run, run + half * r->computed_bytes};
        r->strip(count - half, run, in, 0);
        count = half;
    }
}

static void reduce_dense_unordered(const Reduction *r, const char *from, int64_t stride, int64_t n,
                                   char *results)
{
    uint64_t room[BLOCK];
    for (int64_t i = 0; i < n; i++) {
        char *result = results + i * (int64_t)r->computed_bytes;
        for (int64_t done = 0; done < r->count; done += BLOCK) {
            size_t part = (size_t)(r->count - done < BLOCK ? r->count - done : BLOCK);
            const char *at = from + i * stride + done * (int64_t)r->bytes;
            pts_convert_run(&r->load, part, room, at);
            fold(r, part, (char *)room);
            if (done == 0) {
                memcpy(result, room, r->computed_bytes);
            } else {
                r->strip(1, result, (const void *const[]){result, room}, 0);
            }
        }
    }
}

/* ---- along any other axis: whole rows at a time ---- */

static void reduce_rows(const Reduction *r, const char *from, int64_t stride, int64_t n,
                        char *results)
{
    uint64_t room[BLOCK];
    uint64_t gathered[BLOCK];
    for (int64_t k = 0; k < r->count; k++) {
        const void *row = load_run(r, from + k * r->step, stride, (size_t)n, room, gathered);
        if (k == 0) {
            memcpy(results, row, (size_t)n * r->computed_bytes);
        } else {
            r->strip((size_t)n, results, (const void *const[]){results, row}, 0);
        }
    }
}

static void reduce_run(const Reduction *r, char *to, const char *from, int64_t count)
{
    int last = r->walk.rank - 1;
    int64_t to_stride = r->walk.stride[0][last];
    int64_t from_stride = r->walk.stride[1][last];
    bool is_dense = r->step == (int64_t)r->bytes || r->count == 1;
    uint64_t results[BLOCK];
    uint64_t stored[BLOCK];
    for (int64_t done = 0; done < count; done += BLOCK) {
        int64_t part = count - done < BLOCK ? count - done : BLOCK;
        const char *at = from + done * from_stride;
        if (!is_dense) {
            reduce_rows(r, at, from_stride, part, (char *)results);
        } else if (r->is_ordered) {
            reduce_dense_ordered(r, at, from_stride, part, (char *)results);
        } else {
            reduce_dense_unordered(r, at, from_stride, part, (char *)results);
        }
        if (r->narrows) { /* first to F32, as a step of its own */
            pts_convert_run(&r->narrow, (size_t)part, stored, results);
            memcpy(results, stored, (size_t)part * sizeof(float));
        }
        pts_convert_run(&r->store, (size_t)part, stored, results);
        pts_copy_strided(to + done * to_stride, to_stride, (const char *)stored,
                         (int64_t)r->result_bytes, part, r->result_bytes);
    }
}

static void reduce_row(void *context, char *const *at, int64_t row)
{
    const Reduction *r = context;
    (void)row;
    reduce_run(r, at[0], at[1], r->walk.extent[r->walk.rank - 1]);
}

static void reduce_share(void *context, int64_t from, int64_t to, int worker)
{
    const Reduction *r = context;
    (void)worker;
    if (r->walk.rank > 1) {
        pts_walk_rows_do(&r->walk, from, to, reduce_row, context);
    } else {
        reduce_run(r, r->walk.base[0] + from * r->walk.stride[0][0],
                   r->walk.base[1] + from * r->walk.stride[1][0], to - from);
    }
}

static bool reduce(const PtsKernelCall *call, StripId strip, PtsDtype computed, bool is_ordered,
                   PtsError *error)
{
    PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    Reduction r = {.is_ordered = is_ordered, .is_product = strip == STRIP_MUL};
    r.computed = computed;
    r.bytes = pts_dtype_bytes(operand->dtype);
    r.computed_bytes = pts_dtype_bytes(computed);
    r.result_bytes = pts_dtype_bytes(result->dtype);
    int lane = pts_storage_lane(computed);
    r.strip = lane >= 0 ? pts_loops()->strips[strip][lane] : NULL;
    if (r.strip == NULL || !pts_dtype_is_supported(result->dtype)) {
        return pts_fail(error, PTS_E_PLANNED, "reductions of %s are not simulated",
                        pts_dtype_name(operand->dtype));
    }
    r.load = pts_conversion(operand->dtype, computed);
    r.store = pts_conversion(computed, result->dtype);
    r.narrows = computed == PTS_DOUBLE && r.result_bytes == 2;
    if (r.narrows) {
        r.narrow = pts_conversion(PTS_DOUBLE, PTS_FP32);
        r.store = pts_conversion(PTS_FP32, result->dtype);
    }
    if (operand->dtype == PTS_BOOL) {
        r.load.is_same = true;
    }
    if (!walk_reduced(&r.walk, result, operand, call->attributes->dim)) {
        return true;
    }
    r.count = pts_extent(operand, call->attributes->dim);
    r.step = operand->stride[call->attributes->dim] * (int64_t)r.bytes;
    int64_t results = pts_product(r.walk.rank, r.walk.extent);
    int64_t items = r.walk.rank == 1 ? results : pts_walk_rows(&r.walk);
    pts_parallel(results * r.count < THREAD_ELEMENTS ? 1 : call->threads, items, reduce_share, &r);
    return true;
}

/* sum and prod. */
bool pts_run_sum(const PtsKernelCall *call, PtsError *error)
{
    PtsDtype dtype = call->operands[0].tensor->dtype;
    StripId strip = call->op == PTS_OP_PROD ? STRIP_MUL : STRIP_ADD;
    if (!pts_dtype_is_float(dtype)) {
        return reduce(call, strip, dtype, false, error);
    }
    bool in_float = call->device_sums && dtype != PTS_DOUBLE;
    return reduce(call, strip, in_float ? PTS_FP32 : PTS_DOUBLE, true, error);
}

/* amax and amin. */
bool pts_run_extreme(const PtsKernelCall *call, PtsError *error)
{
    PtsDtype dtype = call->operands[0].tensor->dtype;
    StripId strip = call->op == PTS_OP_AMIN ? STRIP_MINIMUM : STRIP_MAXIMUM;
    dtype = dtype == PTS_BOOL ? PTS_UINT8 : pts_storage_lane(dtype) < 0 ? PTS_FP32 : dtype;
    return reduce(call, strip, dtype, false, error);
}

/* ---- position of the extreme ---- */

typedef struct ArgReduction {
    Reduction base;
    bool is_min;
    PtsDtype result;
} ArgReduction;

/* The first NaN, or else the first extreme value. */
static int64_t arg_extreme(const ArgReduction *a, const char *from)
{
    const Reduction *r = &a->base;
    float room[BLOCK];
    uint64_t gathered[BLOCK];
    int64_t best = 0;
    float extreme = 0;
    for (int64_t done = 0; done < r->count; done += BLOCK) {
        size_t part = (size_t)(r->count - done < BLOCK ? r->count - done : BLOCK);
        const float *run = load_run(r, from + done * r->step, r->step, part, room, gathered);
        for (size_t i = 0; i < part; i++) {
            bool is_nan = run[i] != run[i];
            bool is_better = a->is_min ? run[i] < extreme : run[i] > extreme;
            if (is_nan || is_better || (done == 0 && i == 0)) {
                best = done + (int64_t)i;
                extreme = run[i];
            }
            if (is_nan) {
                return best;
            }
        }
    }
    return best;
}

static void arg_row(void *context, char *const *at, int64_t row)
{
    const ArgReduction *a = context;
    const Walk *walk = &a->base.walk;
    int last = walk->rank - 1;
    (void)row;
    for (int64_t i = 0; i < walk->extent[last]; i++) {
        pts_store_integer(at[0] + i * walk->stride[0][last], a->result,
                          arg_extreme(a, at[1] + i * walk->stride[1][last]));
    }
}

bool pts_run_arg_extreme(const PtsKernelCall *call, PtsError *error)
{
    PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    ArgReduction a = {.is_min = call->op == PTS_OP_ARGMIN, .result = result->dtype};
    (void)error;
    a.base.bytes = pts_dtype_bytes(operand->dtype);
    a.base.load = pts_conversion(operand->dtype, PTS_FP32);
    a.base.count = pts_extent(operand, call->attributes->dim);
    a.base.step = operand->stride[call->attributes->dim] * (int64_t)a.base.bytes;
    if (walk_reduced(&a.base.walk, result, operand, call->attributes->dim)) {
        pts_walk_rows_do(&a.base.walk, 0, pts_walk_rows(&a.base.walk), arg_row, &a);
    }
    return true;
}
