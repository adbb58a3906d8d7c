/* One step of a softmax over blocks, and the joining of two such steps. */
#include "model/infer.h"

/* Columns are queries, rows are the keys of one block. */
bool infer_online_softmax(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    const PtsSlotState *scores = emit->first;
    const PtsScope *scope = emit->scope;
    int64_t rows = emit_extent(emit, scores->shape[0]);
    if (scope->vector_tile_count > 0 && rows > scope->vector_tile[0]) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: the %lld rows of scores must lie in one tile, whose first "
                         "axis has %lld",
                         emit->opcode, (long long)rows, (long long)scope->vector_tile[0]);
    }
    emit_result_like(emit, scores, PTS_BF16);
    for (int i = 0; i < 2; i++) { /* maxima and sums */
        PtsResult *result = emit_result_like(emit, scores, PTS_FP32);
        result->shape[0] = result->valid[0] = emit_constant(emit, 1);
    }
    return true;
}

static bool same_shape(const PtsSlotState *a, const PtsSlotState *b)
{
    bool same = a->rank == b->rank && a->dtype == b->dtype;
    for (int i = 0; i < a->rank && same; i++) {
        same = a->shape[i] == b->shape[i];
    }
    return same;
}

enum { STATE_MAX, STATE_SUM, STATE_OUT, STATE_PARTS };

/* prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out */
bool infer_online_update(PtsEmit *emit)
{
    static const char *const names[STATE_PARTS] = {"max", "sum", "out"};
    for (int i = 0; i < 2 * STATE_PARTS; i++) {
        if (!emit_need_tensor(emit, i)) {
            return false;
        }
    }
    const PtsSlotState *first = emit->tensor[STATE_MAX];
    for (int i = 0; i < STATE_PARTS; i++) {
        const PtsSlotState *before = emit->tensor[i], *now = emit->tensor[i + STATE_PARTS];
        if (before->dtype != PTS_FP32 || now->dtype != PTS_FP32) {
            return emit_fail(emit, PTS_E_DTYPE, "%s: prev_%s and cur_%s must be DT_FP32",
                             emit->opcode, names[i], names[i]);
        }
        if (!same_shape(before, now)) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: prev_%s %s and cur_%s %s must have one shape", emit->opcode,
                             names[i], pts_record_shape(emit->program, before->rank, before->shape),
                             names[i], pts_record_shape(emit->program, now->rank, now->shape));
        }
    }
    const PtsSlotState *out = emit->tensor[STATE_OUT];
    if (!same_shape(first, emit->tensor[STATE_SUM]) || out->rank != 2 ||
        !emit_is_one(emit, first->shape[0]) || out->shape[1] != first->shape[1]) {
        return emit_fail(
            emit, PTS_E_PARAMETER,
            "%s: max and sum must be [1, q] and out [n, q], with a column for each query; they are "
            "%s, %s and %s",
            emit->opcode, pts_record_shape(emit->program, first->rank, first->shape),
            pts_record_shape(emit->program, emit->tensor[STATE_SUM]->rank,
                             emit->tensor[STATE_SUM]->shape),
            pts_record_shape(emit->program, out->rank, out->shape));
    }
    for (int i = 0; i < STATE_PARTS; i++) {
        emit_result_like(emit, emit->tensor[i], PTS_FP32);
    }
    return true;
}
