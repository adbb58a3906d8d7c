/* Matrix multiplication: shapes, dtypes, bias and scale. */
#include "model/infer.h"

static bool is_fp8(PtsDtype dtype)
{
    return dtype == PTS_FP8E4M3 || dtype == PTS_FP8E5M2;
}

static bool is_fp4(PtsDtype dtype)
{
    return dtype == PTS_FP4_E2M1X2 || dtype == PTS_FP4_E1M2X2;
}

/* Floats of 8 bits and less. */
static bool is_small_float(PtsDtype dtype)
{
    return is_fp8(dtype) || is_fp4(dtype) || dtype == PTS_HF8;
}

static bool fail_shape(PtsEmit *emit, const char *what)
{
    return emit_fail(
        emit, PTS_E_SHAPE, "matmul: %s, got %s and %s", what,
        pts_record_shape(emit->program, emit->tensor[0]->rank, emit->tensor[0]->shape),
        pts_record_shape(emit->program, emit->tensor[1]->rank, emit->tensor[1]->shape));
}

static bool has_scale(const PtsEmit *emit)
{
    return emit->attributes.has_scale || (emit->operand_count > 3 && emit->tensor[3] != NULL);
}

/* Does the documentation name this result? */
static bool is_documented(PtsDtype a, PtsDtype out, bool scaled)
{
    if (scaled) {
        return out == PTS_INT8 || (a == PTS_INT8 && out == PTS_FP16) ||
               (is_small_float(a) && pts_dtype_is_float(out));
    }
    if (a == PTS_INT8) {
        return out == PTS_INT32;
    }
    if (is_small_float(a)) {
        return out == PTS_FP16 || out == PTS_BF16 || out == PTS_FP32;
    }
    return out == a || out == PTS_FP32;
}

/* What the product itself refuses. */
static bool is_refused(PtsDtype a, PtsDtype out, bool scaled)
{
    bool is_float = out == PTS_FP32 || out == PTS_FP16 || out == PTS_BF16;
    if (!is_float && out != PTS_INT32 && out != PTS_INT8) {
        return true;
    }
    if (out == PTS_INT8 || (a == PTS_INT8 && out == PTS_FP16)) {
        return !scaled;
    }
    return out == PTS_INT32 && a != PTS_INT8;
}

/* Those checks of check_dtypes that are possible when a data type is not known. */
static bool check_open_dtypes(PtsEmit *emit, PtsDtype a, PtsDtype b, PtsDtype out)
{
    bool fits = a == b || a == PTS_BOTTOM || b == PTS_BOTTOM || (is_fp8(a) && is_fp8(b)) ||
                (is_fp4(a) && is_fp4(b));
    if (!fits) {
        return emit_fail(emit, PTS_E_VALUE,
                         "Non-FP8 inputs require identical dtypes, got %s and %s",
                         pts_dtype_name(a), pts_dtype_name(b));
    }
    PtsDtype input = a == PTS_BOTTOM ? b : a;
    if (out == PTS_BOTTOM || input == PTS_BOTTOM || !is_refused(input, out, has_scale(emit))) {
        return true;
    }
    return emit_fail(emit, PTS_E_VALUE, "matmul: %s inputs do not give %s", pts_dtype_name(input),
                     pts_dtype_name(out));
}

/* The inputs' dtypes, and what they may give. */
static bool check_dtypes(PtsEmit *emit)
{
    PtsDtype a = emit->tensor[0]->dtype, b = emit->tensor[1]->dtype;
    PtsDtype out = emit->attributes.dtype;
    bool scaled = has_scale(emit);
    bool open = a == PTS_BOTTOM || b == PTS_BOTTOM || out == PTS_BOTTOM;
    if (open) {
        return check_open_dtypes(emit, a, b, out);
    }
    if (a != b && !(is_fp8(a) && is_fp8(b)) && !(is_fp4(a) && is_fp4(b))) {
        return emit_fail(emit, PTS_E_VALUE,
                         "Non-FP8 inputs require identical dtypes, got %s and %s",
                         pts_dtype_name(a), pts_dtype_name(b));
    }
    if (is_refused(a, out, scaled)) {
        return emit_fail(emit, PTS_E_VALUE, "matmul: %s inputs do not give %s%s", pts_dtype_name(a),
                         pts_dtype_name(out),
                         scaled             ? " with a scale"
                         : out == PTS_INT32 ? ""
                                            : " without a scale");
    }
    return is_documented(a, out, scaled) ||
           pts_record_warn(emit->program, 0, "matmul-dtypes", emit->site,
                           "matmul: the documentation does not name %s inputs that give %s%s",
                           pts_dtype_name(a), pts_dtype_name(out), scaled ? " with a scale" : "");
}

static PtsDtype bias_dtype_other(const PtsEmit *emit, PtsDtype input)
{
    switch (input) {
    case PTS_FP16:
        return PTS_FP16; /* or F32 */
    case PTS_BF16:
        return emit->is_950 ? PTS_BF16 : PTS_FP32;
    case PTS_INT8:
        return PTS_INT32;
    default:
        return PTS_FP32;
    }
}

/* The bias of 8-bit floats may be any of the three. */
static bool is_bias(const PtsEmit *emit, PtsDtype input, PtsDtype bias)
{
    bool is_small = is_small_float(input);
    return bias == bias_dtype_other(emit, input) ||
           ((input == PTS_FP16 || is_small) && bias == PTS_FP32) ||
           (is_small && (bias == PTS_FP16 || bias == PTS_BF16));
}

static bool fail_row(PtsEmit *emit, int index, const char *what)
{
    const PtsSlotState *row = emit->tensor[index];
    return emit_fail(emit, PTS_E_SHAPE,
                     "matmul: %s must have shape [1, N], or the axes of the result with 1 before "
                     "the last, got %s for a result of %d axes",
                     what, pts_record_shape(emit->program, row->rank, row->shape),
                     emit->results[0].rank);
}

/* [1, N] for every rank, or the rank of the product with leading axes that broadcast. */
static bool check_row(PtsEmit *emit, int index, const char *what)
{
    const PtsSlotState *row = emit->tensor[index];
    const PtsResult *result = &emit->results[0];
    bool fits = row->format == PTS_ND && (row->rank == 2 || row->rank == result->rank);
    fits = fits && (row->rank < 4 || index == 3); /* a bias of four axes does not exist */
    fits = fits &&
           emit_equal(emit, row->shape[row->rank - 1], result->shape[result->rank - 1]) != PTS_NO &&
           emit_is(emit, row->shape[row->rank - 2], 1) != PTS_NO;
    for (int i = 0; i < row->rank - 2 && fits; i++) {
        fits = pts_either(emit_is(emit, row->shape[i], 1),
                          emit_equal(emit, row->shape[i], result->shape[i])) != PTS_NO;
    }
    return fits || fail_row(emit, index, what);
}

static bool check_scale_row(PtsEmit *emit)
{
    if (emit->operand_count <= 3 || emit->operands[3].kind == PTS_OPERAND_NONE) {
        return true;
    }
    if (!emit_need_tensor(emit, 3) || !check_row(emit, 3, "scale_tensor")) {
        return false;
    }
    PtsDtype dtype = emit->tensor[3]->dtype;
    return emit_in(dtype, PTS_SET(UINT64) | PTS_SET(INT64)) != PTS_NO ||
           emit_fail(emit, PTS_E_VALUE,
                     "matmul: scale_tensor must be DT_UINT64 or DT_INT64, not %s",
                     pts_dtype_name(dtype));
}

/* Bias and scale tensor, operands 2 and 3. */
static bool check_extras(PtsEmit *emit)
{
    if (emit->operand_count > 2 && emit->operands[2].kind != PTS_OPERAND_NONE) {
        if (!emit_need_tensor(emit, 2) || !check_row(emit, 2, "bias_tensor")) {
            return false;
        }
        PtsDtype dtype = emit->tensor[2]->dtype, input = emit->tensor[0]->dtype;
        if (dtype == PTS_BOTTOM || input == PTS_BOTTOM) {
            return check_scale_row(emit);
        }
        if ((input == PTS_INT8) != (dtype == PTS_INT32)) {
            return emit_fail(emit, PTS_E_VALUE, "matmul: %s cannot be the bias of %s inputs",
                             pts_dtype_name(dtype), pts_dtype_name(input));
        }
        if (!is_bias(emit, input, dtype) &&
            !pts_record_warn(emit->program, 0, "matmul-dtypes", emit->site,
                             "matmul: the documentation does not name a bias of %s for %s inputs",
                             pts_dtype_name(dtype), pts_dtype_name(input))) {
            return false;
        }
    }
    return check_scale_row(emit);
}

static bool check_split_k(PtsEmit *emit)
{
    bool extras = has_scale(emit) || emit->attributes.relu != 0 ||
                  (emit->operand_count > 2 && emit->tensor[2] != NULL);
    PtsDtype out = emit->attributes.dtype;
    bool sums = emit_in(out, PTS_SET(FP32) | PTS_SET(INT32)) != PTS_NO;
    if (emit->scope->cube_tile.split_k && (extras || !sums)) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xF00007, "INVALID_OPERATION",
                         "matmul: enable_split_k gives DT_FP32 or DT_INT32 only, without bias, "
                         "scale and relu");
    }
    return true;
}

/* The leading axes: equal, or one side has one element. */
static bool join_batches(PtsEmit *emit, PtsResult *result)
{
    const PtsSlotState *a = emit->tensor[0], *b = emit->tensor[1];
    for (int i = 0; i < a->rank - 2; i++) {
        bool use_b = emit_is_one(emit, a->shape[i]);
        PtsAnswer same = emit_equal(emit, a->shape[i], b->shape[i]);
        PtsAnswer one = pts_either(emit_is(emit, a->shape[i], 1), emit_is(emit, b->shape[i], 1));
        if (same == PTS_NO && one == PTS_NO) {
            return fail_shape(emit, "leading axes must be equal, or 1 on one side");
        }
        result->shape[i] = use_b ? b->shape[i] : a->shape[i];
        result->valid[i] = use_b ? b->valid[i] : a->valid[i];
        if (same != PTS_YES && one == PTS_MAYBE) {
            result->shape[i] = result->valid[i] = emit_nothing(emit);
        }
    }
    return true;
}

bool infer_matmul(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    const PtsSlotState *a = emit->tensor[0], *b = emit->tensor[1];
    const PtsAttributes *attributes = &emit->attributes;
    if (a->rank != b->rank) {
        return emit_fail(emit, PTS_E_RUNTIME,
                         "Tensor dimension mismatch: matmul of tensors of %d and %d axes", a->rank,
                         b->rank);
    }
    if (attributes->c_matrix_nz) {
        return emit_fail(emit, PTS_E_VALUE, "matmul: c_matrix_nz=True is not supported");
    }
    if (!check_dtypes(emit)) {
        return false;
    }
    int row = a->rank - 2, column = a->rank - 1;
    int m = attributes->a_trans ? column : row, ak = attributes->a_trans ? row : column;
    int n = attributes->b_trans ? row : column, bk = attributes->b_trans ? column : row;
    if (emit_equal(emit, a->shape[ak], b->shape[bk]) == PTS_NO) {
        return fail_shape(emit, "the K sizes differ");
    }
    PtsResult *result = emit_result(emit, attributes->dtype, a->rank);
    result->shape[row] = a->shape[m];
    result->shape[column] = b->shape[n];
    if (!join_batches(emit, result) || !check_extras(emit) || !check_split_k(emit)) {
        return false;
    }
    result->valid[row] = a->valid[m];
    result->valid[column] = b->valid[n];
    int64_t valid_k;
    if (!pts_sym_value(emit->context, a->valid[ak], &valid_k) || valid_k <= 0) {
        PtsSym any = emit_sym(emit, PTS_SYM_LT, emit_constant(emit, 0), a->valid[ak]);
        result->valid[row] = emit_sym(emit, PTS_SYM_MUL, result->valid[row], any);
    }
    return pts_check_cube(emit, emit_extent(emit, a->shape[m]), emit_extent(emit, a->shape[ak]),
                          emit_extent(emit, b->shape[n]));
}

/* a [M, B, K] and b [B, K, N] give [M, B, N]. */
bool infer_batch_matmul(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1) || !check_dtypes(emit)) {
        return false;
    }
    const PtsSlotState *a = emit->tensor[0], *b = emit->tensor[1];
    if (a->rank != 3 || b->rank != 3) {
        return emit_fail(emit, PTS_E_RANK, "%s: tensors of 3 axes are wanted, not of %d and %d",
                         emit->info->name, a->rank, b->rank);
    }
    if (emit_equal(emit, a->shape[1], b->shape[0]) == PTS_NO ||
        emit_equal(emit, a->shape[2], b->shape[1]) == PTS_NO) {
        return fail_shape(emit, "[M, B, K] and [B, K, N] do not fit");
    }
    PtsResult *result = emit_result(emit, emit->attributes.dtype, 3);
    const PtsSym shape[3] = {a->shape[0], a->shape[1], b->shape[2]};
    const PtsSym valid[3] = {a->valid[0], a->valid[1], b->valid[2]};
    for (int i = 0; i < 3; i++) {
        result->shape[i] = shape[i];
        result->valid[i] = valid[i];
    }
    return pts_check_cube(emit, emit_extent(emit, a->shape[0]), emit_extent(emit, a->shape[2]),
                          emit_extent(emit, b->shape[2]));
}

enum { SCALE_A = 4, SCALE_B = 5, MX_PAIR = 64 };

/* [other, K / 64, 2], or [K / 64, other, 2] when `k_first`, behind the operand's leading axes. */
static bool check_block_scale(PtsEmit *emit, int index, bool k_first, PtsSym other, int64_t k)
{
    const char *name = index == SCALE_A ? "scale_a" : "scale_b";
    const PtsSlotState *scale = emit->tensor[index], *values = emit->tensor[index - SCALE_A];
    if (emit_in(scale->dtype, PTS_SET(FP8E8M0)) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "scaled_mm: %s must be DT_FP8E8M0, not %s", name,
                         pts_dtype_name(scale->dtype));
    }
    int lead = values->rank - 2;
    bool fits =
        scale->rank == lead + 3 && emit_is(emit, scale->shape[lead + 2], 2) != PTS_NO &&
        emit_equal(emit, scale->shape[lead + (k_first ? 1 : 0)], other) != PTS_NO &&
        ((emit->is_partial && k < 0) || emit_is(emit, scale->shape[lead + (k_first ? 0 : 1)],
                                                (k + MX_PAIR - 1) / MX_PAIR) != PTS_NO);
    for (int i = 0; i < lead && fits; i++) {
        fits = emit_equal(emit, scale->shape[i], values->shape[i]) != PTS_NO;
    }
    return fits ||
           emit_fail(emit, PTS_E_SHAPE,
                     "scaled_mm: %s must be %s%s with K / 64 rounded up, for K = %lld; it is %s",
                     name, k_first ? "[K / 64, other axis, 2]" : "[other axis, K / 64, 2]",
                     lead > 0 ? " behind the leading axes of its matrix" : "", (long long)k,
                     pts_record_shape(emit->program, scale->rank, scale->shape));
}

/* A matrix product whose operands have a power of two for every 32 elements along K. */
bool infer_scaled_mm(PtsEmit *emit)
{
    const PtsAttributes *attributes = &emit->attributes;
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1) ||
        !emit_need_tensor(emit, SCALE_A) || !emit_need_tensor(emit, SCALE_B)) {
        return false;
    }
    PtsDtype out = attributes->dtype;
    if (emit_in(out, PTS_SET(FP32) | PTS_SET(FP16) | PTS_SET(BF16)) == PTS_NO) {
        return emit_fail(emit, PTS_E_VALUE,
                         "scaled_mm: out_dtype must be DT_FP32, DT_FP16 or DT_BF16, "
                         "not %s",
                         pts_dtype_name(out));
    }
    const PtsSlotState *a = emit->tensor[0], *b = emit->tensor[1];
    bool known = a->dtype != PTS_BOTTOM && b->dtype != PTS_BOTTOM;
    if (b->rank != a->rank ||
        (known && (is_fp8(a->dtype) != is_fp8(b->dtype) || is_fp4(a->dtype) != is_fp4(b->dtype)))) {
        return emit_fail(emit, PTS_E_VALUE,
                         "scaled_mm: mat_b must have as many axes as mat_a, and 8-bit or 4-bit "
                         "floats as mat_a has");
    }
    int lead = a->rank - 2;
    int64_t k = emit_extent(emit, a->shape[lead + (attributes->a_trans ? 0 : 1)]);
    if (!check_block_scale(emit, SCALE_A, attributes->scale_a_trans,
                           a->shape[lead + (attributes->a_trans ? 1 : 0)], k) ||
        !check_block_scale(emit, SCALE_B, !attributes->scale_b_trans,
                           b->shape[lead + (attributes->b_trans ? 0 : 1)], k)) {
        return false;
    }
    int64_t step = emit->scope->cube_tile.k[0];
    if (step != PTS_TILE_UNKNOWN && step % MX_PAIR != 0 &&
        !emit_limit(emit, "cube-tile", PTS_CODE_TILE, "INVALID_TILE",
                    "scaled_mm: kL0(%lld) must be aligned to 64 elements", (long long)step)) {
        return false;
    }
    return infer_matmul(emit);
}
