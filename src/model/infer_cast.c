/* Conversions: cast, quantize and dequantize. */
#include "model/infer.h"

#define SET(name) (UINT32_C(1) << PTS_##name)

/* What each dtype may be cast to. */
static const uint32_t casts_2201[PTS_DTYPE_COUNT] = {
    [PTS_FP32] = SET(BF16) | SET(FP16) | SET(INT16) | SET(INT32) | SET(INT64),
    [PTS_FP16] = SET(FP32) | SET(INT32) | SET(INT16) | SET(INT8) | SET(UINT8) | SET(INT4),
    [PTS_BF16] = SET(FP32) | SET(INT32),
    [PTS_INT32] = SET(FP32) | SET(INT16) | SET(INT64) | SET(FP16),
    [PTS_INT16] = SET(FP32) | SET(FP16),
    [PTS_INT8] = SET(FP16),
    [PTS_UINT8] = SET(FP16),
    [PTS_INT64] = SET(FP32) | SET(INT32),
    [PTS_INT4] = SET(FP16),
};

static const uint32_t casts_3510[PTS_DTYPE_COUNT] = {
    [PTS_FP32] = SET(FP16) | SET(BF16) | SET(INT16) | SET(INT32) | SET(INT64) | SET(FP8E4M3) |
                 SET(FP8E5M2) | SET(HF8),
    [PTS_FP16] = SET(FP32) | SET(INT32) | SET(INT16) | SET(INT8) | SET(UINT8) | SET(HF8),
    [PTS_BF16] = SET(FP32) | SET(INT32) | SET(FP16) | SET(FP4_E1M2X2) | SET(FP4_E2M1X2),
    [PTS_INT32] = SET(FP32) | SET(INT16) | SET(UINT16) | SET(INT64) | SET(UINT8) | SET(FP16),
    [PTS_INT16] = SET(UINT8) | SET(FP16) | SET(FP32) | SET(UINT32) | SET(INT32),
    [PTS_INT8] = SET(FP16) | SET(INT16) | SET(INT32),
    [PTS_UINT8] = SET(FP16) | SET(UINT16),
    [PTS_INT64] = SET(FP32) | SET(INT32),
    [PTS_UINT32] = SET(UINT8) | SET(UINT16) | SET(INT16),
    [PTS_FP8E4M3] = SET(FP32),
    [PTS_FP8E5M2] = SET(FP32),
    [PTS_HF8] = SET(FP32),
    [PTS_FP4_E2M1X2] = SET(BF16),
    [PTS_FP4_E1M2X2] = SET(BF16),
};

enum { CAST_NONE = 0, CAST_RINT = 1, CAST_LAST_MODE = 6 };

bool infer_cast(PtsEmit *emit)
{
    PtsDtype from = emit->first->dtype, to = emit->attributes.dtype;
    int mode = emit->attributes.mode;
    if ((unsigned)to >= PTS_DTYPE_COUNT) {
        return emit_fail(emit, PTS_E_VALUE, "cast: the data type is missing");
    }
    if (mode < CAST_NONE || mode > CAST_LAST_MODE || emit->attributes.saturation < 0 ||
        emit->attributes.saturation > 1) {
        return emit_fail(emit, PTS_E_VALUE, "cast: unknown mode");
    }
    if (from == PTS_BOTTOM) {
        emit_result_like(emit, emit->first, to);
        return true;
    }
    bool returns_input = from == to && (mode == CAST_NONE || mode == CAST_RINT);
    const uint32_t *table = emit->is_950 ? casts_3510 : casts_2201;
    if (!returns_input && (table[from] >> to & 1) == 0) {
        return emit_fail(emit, PTS_E_DTYPE,
                         "%s architecture does not support cast from %s to %s in CAST",
                         emit->is_950 ? "A5" : "A2A3", pts_dtype_name(from), pts_dtype_name(to));
    }
    emit_result_like(emit, emit->first, to);
    return true;
}

/* ---- quantize, dequantize ---- */

/* The scale has the input's axes without the one that it is constant along. */
static bool check_scale(PtsEmit *emit, int index, int axis)
{
    const PtsSlotState *input = emit->first, *scale = emit->tensor[index];
    if (scale->rank != (input->rank > 1 ? input->rank - 1 : 1)) {
        return emit_fail(emit, PTS_E_RANK, "%s: scale must have one axis less than the input",
                         emit->opcode);
    }
    for (int i = 0, j = 0; i < input->rank && input->rank > 1; i++) {
        if (i == axis) {
            continue;
        }
        if (emit_equal(emit, scale->shape[j], input->shape[i]) == PTS_NO &&
            emit_is(emit, scale->shape[j], 1) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: scale %s does not fit the input %s",
                             emit->opcode,
                             pts_record_shape(emit->program, scale->rank, scale->shape),
                             pts_record_shape(emit->program, input->rank, input->shape));
        }
        j++;
    }
    return true;
}

bool infer_quantize(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    int axis = emit->attributes.dim, rank = emit->first->rank;
    if (!emit_axis(emit, &emit->attributes.dim, rank)) {
        return false;
    }
    axis = emit->attributes.dim;
    if (axis < rank - 2 || (rank == 1 && axis != 0)) {
        return emit_fail(emit, PTS_E_VALUE, "%s: axis must be -1 or -2", emit->info->name);
    }
    bool has_zero = emit->operand_count > 2 && emit->operands[2].kind != PTS_OPERAND_NONE;
    PtsDtype to = emit->attributes.dtype;
    bool known =
        emit->op == PTS_OP_QUANTIZE ? to == (has_zero ? PTS_UINT8 : PTS_INT8) : to == PTS_FP32;
    if (!known) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not give %s%s", emit->opcode,
                         pts_dtype_name(to), has_zero ? " with zero_points" : "");
    }
    /* axis −1: one scale per row (constant along the last axis); −2: one per column. */
    if (!check_scale(emit, 1, axis) ||
        (has_zero && (!emit_need_tensor(emit, 2) || !check_scale(emit, 2, axis)))) {
        return false;
    }
    emit_result_like(emit, emit->first, to);
    return true;
}
