/* Conversions of runs, the cast op and pts_convert. */
#include "sim/kernels/common.h"
#include "sim/kernels/number.h"

#include <fenv.h>
#include <string.h>

static PtsConvertRun *to_float_run(PtsDtype from)
{
    const PtsLoops *loops = pts_loops();
    int lane = pts_storage_lane(from);
    return from == PTS_FP16   ? loops->half_to_float
           : from == PTS_BF16 ? loops->bfloat_to_float
           : lane >= 0        ? loops->to_float[lane]
                              : NULL;
}

Conversion pts_conversion(PtsDtype from, PtsDtype to)
{
    Conversion conversion = {.from = from, .to = to, .is_same = from == to};
    const PtsLoops *loops = pts_loops();
    int lane = pts_storage_lane(from);
    if (to == PTS_FP32) {
        conversion.run = to_float_run(from);
    } else if (to == PTS_DOUBLE && lane >= 0) {
        conversion.run = loops->to_double[lane];
    } else if (from == PTS_FP32 && to == PTS_FP16) {
        conversion.run = loops->float_to_half;
    } else if (from == PTS_FP32 && to == PTS_BF16) {
        conversion.run = loops->float_to_bfloat;
    }
    return conversion;
}

static void convert_slowly(size_t count, char *to, PtsDtype to_dtype, const char *from,
                           PtsDtype from_dtype, Mode mode, bool clamp)
{
    size_t to_bytes = pts_dtype_bytes(to_dtype);
    size_t from_bytes = pts_dtype_bytes(from_dtype);
    for (size_t i = 0; i < count; i++) {
        Number number = number_load(from + i * from_bytes, from_dtype);
        number_store(to + i * to_bytes, to_dtype, number, mode, clamp);
    }
}

void pts_convert_run(const Conversion *conversion, size_t count, void *to, const void *from)
{
    if (conversion->is_same) {
        memcpy(to, from, count * pts_dtype_bytes(conversion->to));
    } else if (conversion->run != NULL) {
        conversion->run(count, to, from);
    } else {
        convert_slowly(count, to, conversion->to, from, conversion->from, MODE_NONE, false);
    }
}

/* ---- cast ---- */

/* A cast goes through up to three steps of block loops, or element by element. */
typedef struct Cast {
    PtsDtype from, to;
    Mode mode;
    bool clamp;
    bool is_slow;
    Conversion direct;     /* of the first step, or of the whole */
    PtsToInteger *integer; /* F32 → I32 */
    PtsConvertRun *narrow; /* I32 → smaller, or F32 → 16 bits */
} Cast;

/* Does the value survive in F32? Then F32 may be the first step of a cast. */
static bool fits_float(PtsDtype dtype)
{
    return dtype == PTS_FP16 || dtype == PTS_BF16 || dtype == PTS_FP32 || dtype == PTS_INT8 ||
           dtype == PTS_UINT8 || dtype == PTS_INT16 || dtype == PTS_UINT16;
}

static bool is_half(PtsDtype dtype)
{
    return dtype == PTS_FP16 || dtype == PTS_BF16;
}

static Cast plan_to_float(Cast cast)
{
    bool is_nearest = cast.mode == MODE_NONE || cast.mode == MODE_NEAREST;
    /* Integers of 32 and 64 bits become F32 first, whatever the mode (dequantisation path). */
    bool is_wide = pts_dtype_is_integer(cast.from) && !fits_float(cast.from);
    if (cast.to == PTS_FP32) {
        cast.direct = pts_conversion(cast.from, PTS_FP32);
        cast.is_slow = cast.direct.run == NULL || (!fits_float(cast.from) && !is_nearest);
    } else if (is_half(cast.to) && ((fits_float(cast.from) && is_nearest) || is_wide)) {
        cast.direct = pts_conversion(cast.from, PTS_FP32);
        cast.narrow = pts_conversion(PTS_FP32, cast.to).run;
    } else {
        cast.is_slow = true;
    }
    return cast;
}

static Cast plan_cast(PtsDtype from, PtsDtype to, int mode, int saturation)
{
    const PtsLoops *loops = pts_loops();
    Cast cast = {.from = from, .to = to, .clamp = saturation == 0};
    cast.mode = mode > MODE_NONE && mode < MODE_COUNT ? (Mode)mode : MODE_NONE;
    if (cast.mode == MODE_ODD && (from != PTS_FP32 || to != PTS_FP16)) {
        cast.mode = MODE_NONE;
    }
    int lane = pts_storage_lane(to);
    bool is_small = to == PTS_INT8 || to == PTS_UINT8 || to == PTS_INT16 || to == PTS_UINT16;
    bool from_float = from == PTS_FP32 || is_half(from);
    cast.direct = pts_conversion(from, to);
    if (from == to) {
        return cast; /* a value of the dtype is its own rounding */
    }
    if (to == PTS_FP32 || is_half(to)) {
        return plan_to_float(cast);
    }
    if (from_float && (is_small || to == PTS_INT32)) {
        cast.direct = pts_conversion(from, PTS_FP32);
        cast.integer = loops->to_integer[cast.mode == MODE_NONE ? MODE_TRUNC : cast.mode];
        cast.narrow = to == PTS_INT32 ? NULL : (cast.clamp ? loops->clamp : loops->wrap)[lane];
        return cast;
    }
    if (from == PTS_INT32 && is_small) {
        cast.direct = pts_conversion(from, from);
        cast.narrow = (cast.clamp ? loops->clamp : loops->wrap)[lane];
        return cast;
    }
    cast.is_slow = true;
    return cast;
}

/* Casts at most BLOCK elements. */
static void cast_block(const Cast *cast, size_t count, void *to, const void *from)
{
    if (cast->is_slow) {
        convert_slowly(count, to, cast->to, from, cast->from, cast->mode, cast->clamp);
        return;
    }
    float real[BLOCK];
    int32_t integer[BLOCK];
    const void *at = from;
    if (cast->integer == NULL && cast->narrow == NULL) {
        pts_convert_run(&cast->direct, count, to, from);
        return;
    }
    if (!cast->direct.is_same) {
        pts_convert_run(&cast->direct, count, real, at);
        at = real;
    }
    if (cast->integer != NULL) {
        cast->integer(count, cast->narrow != NULL ? integer : to, at);
        at = integer;
    }
    if (cast->narrow != NULL) {
        cast->narrow(count, to, at);
    }
}

typedef struct CastJob {
    const Cast *cast;
    const Walk *walk;
    size_t to_bytes, from_bytes;
} CastJob;

static void cast_run(const CastJob *job, char *to, const char *from, int64_t count)
{
    int last = job->walk->rank - 1;
    int64_t to_stride = job->walk->stride[0][last];
    int64_t from_stride = job->walk->stride[1][last];
    uint64_t to_room[BLOCK];
    uint64_t from_room[BLOCK];
    bool to_dense = to_stride == (int64_t)job->to_bytes;
    bool from_dense = from_stride == (int64_t)job->from_bytes;
    for (int64_t done = 0; done < count; done += BLOCK) {
        int64_t part = count - done < BLOCK ? count - done : BLOCK;
        char *target = to + done * to_stride;
        const char *source = from + done * from_stride;
        if (!from_dense) {
            pts_copy_strided((char *)from_room, (int64_t)job->from_bytes, source, from_stride, part,
                             job->from_bytes);
        }
        cast_block(job->cast, (size_t)part, to_dense ? (void *)target : to_room,
                   from_dense ? (const void *)source : from_room);
        if (!to_dense) {
            pts_copy_strided(target, to_stride, (const char *)to_room, (int64_t)job->to_bytes, part,
                             job->to_bytes);
        }
    }
}

static void cast_row(void *context, char *const *at, int64_t row)
{
    const CastJob *job = context;
    (void)row;
    cast_run(job, at[0], at[1], job->walk->extent[job->walk->rank - 1]);
}

static void cast_share(void *context, int64_t from, int64_t to, int worker)
{
    const CastJob *job = context;
    const Walk *walk = job->walk;
    (void)worker;
    if (walk->rank > 1) {
        pts_walk_rows_do(walk, from, to, cast_row, context);
    } else {
        cast_run(job, walk->base[0] + from * walk->stride[0][0],
                 walk->base[1] + from * walk->stride[1][0], to - from);
    }
}

static bool check_castable(PtsDtype from, PtsDtype to, PtsError *error)
{
    if (pts_dtype_is_supported(from) && pts_dtype_is_supported(to)) {
        return true;
    }
    return pts_fail(error, PTS_E_PLANNED, "conversion from %s to %s is not simulated yet",
                    pts_dtype_name(from), pts_dtype_name(to));
}

static void cast_walk(const Cast *cast, const Walk *walk, int threads)
{
    CastJob job = {cast, walk, pts_dtype_bytes(cast->to), pts_dtype_bytes(cast->from)};
    int64_t items = walk->rank == 1 ? walk->extent[0] : pts_walk_rows(walk);
    bool is_small = pts_product(walk->rank, walk->extent) < THREAD_ELEMENTS;
    pts_parallel(is_small ? 1 : threads, items, cast_share, &job);
}

bool pts_run_cast(const PtsKernelCall *call, PtsError *error)
{
    PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    if (!check_castable(operand->dtype, result->dtype, error)) {
        return false;
    }
    Walk walk;
    if (pts_walk_init(&walk, 2, (const PtsTensor *const[]){result, operand})) {
        Cast cast = plan_cast(operand->dtype, result->dtype, call->attributes->mode,
                              call->attributes->saturation);
        cast_walk(&cast, &walk, call->threads);
    }
    return true;
}

bool pts_convert(const void *from, PtsDtype from_dtype, void *to, PtsDtype to_dtype, size_t count,
                 int mode, int saturation, PtsError *error)
{
    if (!check_castable(from_dtype, to_dtype, error)) {
        return false;
    }
    Cast cast = plan_cast(from_dtype, to_dtype, mode, saturation);
    size_t from_bytes = pts_dtype_bytes(from_dtype);
    size_t to_bytes = pts_dtype_bytes(to_dtype);
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV); /* not the caller's rounding or flushing of subnormal numbers */
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t part = count - done < BLOCK ? count - done : BLOCK;
        cast_block(&cast, part, (char *)to + done * to_bytes,
                   (const char *)from + done * from_bytes);
    }
    fesetenv(&environment);
    return true;
}
