/* Reductions, scans and sorting along one axis. */
#include "model/infer.h"

/* A result without axis `dim`, or with one element there. A tensor of one axis keeps it. */
static PtsResult *reduced(PtsEmit *emit, PtsDtype dtype, int dim, bool keepdim)
{
    const PtsSlotState *input = emit->first;
    bool keep = keepdim || input->rank == 1;
    PtsResult *result = emit_result(emit, dtype, keep ? input->rank : input->rank - 1);
    PtsSym one = emit_constant(emit, 1);
    int at = 0;
    for (int i = 0; i < input->rank; i++) {
        if (i == dim && !keep) {
            continue;
        }
        result->shape[at] = i == dim ? one : input->shape[i];
        result->valid[at++] = i == dim ? one : input->valid[i];
    }
    emit->tile_rank = input->rank;
    return result;
}

static bool check_last_axis(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    if (emit->scope->vector_tile_count < input->rank) {
        return true; /* reported later */
    }
    int64_t last = emit->scope->vector_tile[input->rank - 1];
    if (last % 32 * (int64_t)pts_dtype_bytes(input->dtype) % 32 != 0) {
        return emit_limit(emit, "tile-aligned", 0xFC1001, "CONFIG_ALIGNMENT",
                          "%s: the last tile axis, %lld elements, must be a multiple of 32 bytes",
                          emit->opcode, (long long)last);
    }
    return true;
}

bool infer_reduce(PtsEmit *emit)
{
    if (!emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    bool is_position = emit->op == PTS_OP_ARGMAX || emit->op == PTS_OP_ARGMIN;
    if (is_position && !check_last_axis(emit)) {
        return false;
    }
    reduced(emit, emit_result_dtype(emit, emit->first->dtype), emit->attributes.dim,
            emit->attributes.keepdim);
    return true;
}

bool infer_var(PtsEmit *emit)
{
    PtsAttributes *attributes = &emit->attributes;
    const PtsSlotState *input = emit->first;
    unsigned axes = 0;
    if (!emit_need_ints(emit, attributes->shape_rank, attributes->shape, -input->rank, "dim")) {
        return false;
    }
    for (int i = 0; i < attributes->shape_rank; i++) {
        int64_t value = 0;
        pts_sym_value(emit->context, attributes->shape[i], &value);
        int axis = value > input->rank ? input->rank : (int)value;
        if (!emit_axis(emit, &axis, input->rank)) {
            return false;
        }
        if ((axes >> axis & 1) != 0) {
            return emit_fail(emit, PTS_E_VALUE, "var: axis %d is named twice", axis);
        }
        axes |= 1u << axis;
        attributes->shape[i] = emit_constant(emit, axis);
    }
    if (attributes->shape_rank == 0) { /* all axes */
        attributes->shape_rank = input->rank;
        for (int i = 0; i < input->rank; i++) {
            attributes->shape[i] = emit_constant(emit, i);
        }
        axes = (1u << input->rank) - 1;
    }
    bool all = axes == (1u << input->rank) - 1 && !attributes->keepdim;
    PtsResult *result = emit_result(emit, input->dtype, 0);
    PtsSym one = emit_constant(emit, 1);
    for (int i = 0; i < input->rank; i++) {
        bool gone = (axes >> i & 1) != 0;
        if (gone && !attributes->keepdim && !(all && i == 0)) {
            continue;
        }
        result->shape[result->rank] = gone ? one : input->shape[i];
        result->valid[result->rank++] = gone ? one : input->valid[i];
    }
    emit->tile_rank = input->rank;
    return true;
}

bool infer_scan(PtsEmit *emit)
{
    if (!emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    emit_result_like(emit, emit->first, emit_result_dtype(emit, emit->first->dtype));
    return true;
}

/* ---- topk, argsort ---- */

enum { TOPK_MERGE_SORT = 0, TOPK_RADIX_SELECT = 1, TOPK_DOCUMENTED = 22 * 1024 / 4 };

static bool check_topk_tile(PtsEmit *emit, int64_t k, int64_t extent)
{
    const PtsSlotState *input = emit->first;
    int count = emit->scope->vector_tile_count;
    if (count < input->rank) {
        return true; /* reported later */
    }
    int64_t tile = emit_tile(emit, input->rank - 1);
    if (tile < 0) {
        return true; /* not known */
    }
    if (emit->attributes.mode == TOPK_RADIX_SELECT) {
        if (tile < extent) {
            return emit_limit(emit, "topk-tile", 0xFC1000, "CONFIG_TILE",
                              "%s: RADIX_SELECT needs the last axis in one tile", emit->opcode);
        }
        return true;
    }
    if (k > tile) {
        return emit_limit(emit, "topk-tile", 0xFC0000, "PARAM_INVALID",
                          "%s: The k should less than or equal to the last tile axis; k is %lld, "
                          "the tile %lld",
                          emit->opcode, (long long)k, (long long)tile);
    }
    if (tile >= TOPK_DOCUMENTED && extent >= TOPK_DOCUMENTED &&
        !pts_record_warn(emit->program, 0xFC1000, "topk-columns", emit->site,
                         "%s: the documentation wants a last tile axis below 22 KiB / 4, it has "
                         "%lld elements",
                         emit->opcode, (long long)tile)) {
        return false;
    }
    if (tile % 32 * (int64_t)pts_dtype_bytes(input->dtype) % 32 != 0) {
        return pts_record_warn(emit->program, 0xFC1001, "alignment", emit->site,
                               "%s: the last tile axis should be a multiple of 32 bytes",
                               emit->opcode);
    }
    return true;
}

bool infer_topk(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsAttributes *attributes = &emit->attributes;
    int last = input->rank - 1;
    if (!emit_axis(emit, &attributes->dim, input->rank)) {
        return false;
    }
    if (attributes->dim != last) {
        return emit_fail(emit, PTS_E_VALUE, "topk: dim must be the last axis");
    }
    bool merge = attributes->mode == TOPK_MERGE_SORT;
    if ((!merge && attributes->mode != TOPK_RADIX_SELECT) || (!merge && !emit->is_950)) {
        return emit_fail(emit, PTS_E_VALUE, "topk: this algorithm does not exist on %s",
                         pts_context_soc(emit->context)->name);
    }
    if (merge && emit_in(input->dtype, PTS_SET(FP32)) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s", emit->opcode,
                         pts_dtype_name(input->dtype));
    }
    int64_t k = attributes->count, extent = emit_extent(emit, input->shape[last]);
    if (k < 1 || emit_at_most(emit, emit_constant(emit, k), input->shape[last]) == PTS_NO) {
        return emit_fail(
            emit, PTS_CORE_ERROR, 0xFC0000, "PARAM_INVALID",
            "%s: The k should less than or equal to the last axis and at least 1; k is "
            "%lld, the axis %lld",
            emit->opcode, (long long)k, (long long)extent);
    }
    if (!check_topk_tile(emit, k, extent)) {
        return false;
    }
    PtsSym count = emit_constant(emit, k);
    PtsSym valid = emit_sym(emit, PTS_SYM_MIN, input->valid[last], count);
    for (int i = 0; i < 2; i++) {
        PtsResult *result = emit_result_like(emit, input, i == 0 ? input->dtype : PTS_INT32);
        result->shape[last] = count;
        result->valid[last] = valid;
    }
    return true;
}

bool infer_argsort(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    if (!emit_axis(emit, &emit->attributes.dim, input->rank)) {
        return false;
    }
    int dim = emit->attributes.dim;
    if (input->rank == 4 && dim == 0) {
        return emit_fail(emit, PTS_E_VALUE,
                         "argsort: axis 0 of a tensor of four axes cannot be sorted");
    }
    if (emit->scope->vector_tile_count > dim && emit->scope->vector_tile[dim] % 32 != 0) {
        if (!pts_record_warn(emit->program, 0xFC1001, "alignment", emit->site,
                             "%s: the tile of the sorted axis should be a multiple of 32",
                             emit->opcode)) {
            return false;
        }
    }
    emit_result_like(emit, input, PTS_INT32);
    return true;
}
