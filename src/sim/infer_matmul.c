/* Matrix multiplication: shapes, dtypes, bias and scale. */
#include "sim/infer.h"

static bool is_fp8(PtsDtype dtype)
{
    return dtype == PTS_FP8E4M3 || dtype == PTS_FP8E5M2;
}

static bool fail_shape(PtsEmit *emit, const char *what)
{
    return emit_fail(
        emit, PTS_CORE_ERROR, PTS_CODE_SHAPE, "INVALID_SHAPE", "matmul: %s, got %s and %s", what,
        pts_record_shape(emit->program, emit->tensor[0]->rank, emit->tensor[0]->shape),
        pts_record_shape(emit->program, emit->tensor[1]->rank, emit->tensor[1]->shape));
}

static bool has_scale(const PtsEmit *emit)
{
    return emit->attributes.has_scale || (emit->operand_count > 3 && emit->tensor[3] != NULL);
}

/* The inputs' dtypes, and what they may give. */
static bool check_dtypes(PtsEmit *emit)
{
    PtsDtype a = emit->tensor[0]->dtype, b = emit->tensor[1]->dtype;
    PtsDtype out = emit->attributes.dtype;
    bool scaled = has_scale(emit);
    if (a != b && !(is_fp8(a) && is_fp8(b))) {
        return emit_fail_value(emit, "Non-FP8 inputs require identical dtypes, got %s and %s",
                               pts_dtype_name(a), pts_dtype_name(b));
    }
    bool fits;
    if (scaled) {
        fits = out == PTS_INT8 || (a == PTS_INT8 && out == PTS_FP16) ||
               ((is_fp8(a) || a == PTS_HF8) && emit_is_float(out));
    } else if (a == PTS_INT8) {
        fits = out == PTS_INT32;
    } else if (is_fp8(a) || a == PTS_HF8) {
        fits = out == PTS_FP16 || out == PTS_BF16 || out == PTS_FP32;
    } else {
        fits = out == a || out == PTS_FP32;
    }
    if (!fits) {
        return emit_fail_value(emit, "matmul: %s inputs do not give %s%s", pts_dtype_name(a),
                               pts_dtype_name(out), scaled ? " with a scale" : "");
    }
    return true;
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

static bool check_row(PtsEmit *emit, int index, PtsSym n, const char *what)
{
    const PtsSlotState *row = emit->tensor[index];
    if (row->rank != 2 || !emit_is_one(emit, row->shape[0]) || row->shape[1] != n) {
        return emit_fail(emit, PTS_CORE_ERROR, PTS_CODE_SHAPE, "INVALID_SHAPE",
                         "matmul: %s must have shape [1, N], got %s", what,
                         pts_record_shape(emit->program, row->rank, row->shape));
    }
    return true;
}

/* Bias and scale tensor, operands 2 and 3. */
static bool check_extras(PtsEmit *emit, PtsSym n)
{
    if (emit->operand_count > 2 && emit->operands[2].kind != PTS_OPERAND_NONE) {
        if (!emit_need_tensor(emit, 2) || !check_row(emit, 2, n, "bias_tensor")) {
            return false;
        }
        PtsDtype dtype = emit->tensor[2]->dtype, input = emit->tensor[0]->dtype;
        bool fits =
            dtype == bias_dtype_other(emit, input) || (input == PTS_FP16 && dtype == PTS_FP32);
        if (!fits) {
            return emit_fail_value(emit, "matmul: %s is no bias for %s inputs",
                                   pts_dtype_name(dtype), pts_dtype_name(input));
        }
    }
    if (emit->operand_count > 3 && emit->operands[3].kind != PTS_OPERAND_NONE) {
        if (!emit_need_tensor(emit, 3) || !check_row(emit, 3, n, "scale_tensor")) {
            return false;
        }
        PtsDtype dtype = emit->tensor[3]->dtype;
        if (dtype != PTS_UINT64 && dtype != PTS_INT64) {
            return emit_fail_value(emit,
                                   "matmul: scale_tensor must be DT_UINT64 or DT_INT64, not "
                                   "%s",
                                   pts_dtype_name(dtype));
        }
    }
    return true;
}

static bool check_split_k(PtsEmit *emit)
{
    bool extras = has_scale(emit) || emit->attributes.relu != 0 ||
                  (emit->operand_count > 2 && emit->tensor[2] != NULL);
    PtsDtype out = emit->attributes.dtype;
    if (emit->scope->cube_tile.split_k && (extras || (out != PTS_FP32 && out != PTS_INT32))) {
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
        if (!use_b && !emit_is_one(emit, b->shape[i]) && a->shape[i] != b->shape[i]) {
            return fail_shape(emit, "leading axes must be equal, or 1 on one side");
        }
        result->shape[i] = use_b ? b->shape[i] : a->shape[i];
        result->valid[i] = use_b ? b->valid[i] : a->valid[i];
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
        return emit_fail(emit, PTS_RUNTIME_ERROR, PTS_CODE_RUNTIME, "RUNTIME_ERROR",
                         "Tensor dimension mismatch: matmul of tensors of %d and %d axes", a->rank,
                         b->rank);
    }
    if (attributes->c_matrix_nz) {
        return emit_fail_value(emit, "matmul: c_matrix_nz=True is not supported");
    }
    if (!check_dtypes(emit)) {
        return false;
    }
    int row = a->rank - 2, column = a->rank - 1;
    int m = attributes->a_trans ? column : row, ak = attributes->a_trans ? row : column;
    int n = attributes->b_trans ? row : column, bk = attributes->b_trans ? column : row;
    if (a->shape[ak] != b->shape[bk]) {
        return fail_shape(emit, "the K sizes differ");
    }
    PtsResult *result = emit_result(emit, attributes->dtype, a->rank);
    if (!join_batches(emit, result) || !check_extras(emit, b->shape[n]) || !check_split_k(emit)) {
        return false;
    }
    result->shape[row] = a->shape[m];
    result->shape[column] = b->shape[n];
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
