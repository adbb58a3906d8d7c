/* Operations that see an axis as blocks: microscaling, sorting in groups, and random numbers, which
 * come in groups of four. */
#include "model/infer.h"

enum { MX_PAIR = 64, REPEAT_BYTES = 256, GROUP_OF_FOUR = 4 };

/* ---- quant_mx ---- */

static int64_t tile_along(const PtsEmit *emit, int axis)
{
    return axis < emit->scope->vector_tile_count ? emit->scope->vector_tile[axis] : -1;
}

static bool fail_mx(PtsEmit *emit, const char *what)
{
    return emit_fail(emit, PTS_E_PARAMETER, "%s: %s; the input is %s", emit->opcode, what,
                     pts_record_shape(emit->program, emit->first->rank, emit->first->shape));
}

static bool check_mx_last(PtsEmit *emit, bool performance)
{
    const PtsSlotState *input = emit->first;
    int last = input->rank - 1;
    int64_t extent = emit_extent(emit, input->shape[last]);
    bool open = emit->is_partial && extent < 0;
    if (!performance) {
        return open || extent % MX_PAIR == 0 ||
               fail_mx(emit, "the last axis must be a multiple of 64");
    }
    open = open || input->dtype == PTS_BOTTOM;
    if (!open && extent * (int64_t)pts_dtype_bytes(input->dtype) % REPEAT_BYTES != 0) {
        return fail_mx(emit, "the last axis must be a multiple of 256 bytes; others need "
                             "performance_mode=False");
    }
    if (emit_equal(emit, input->valid[last], input->shape[last]) == PTS_NO) {
        return fail_mx(emit, "the last axis must be valid to its end");
    }
    int64_t tile = tile_along(emit, last);
    return tile < 0 || (emit->is_partial && extent < 0) || tile == extent ||
           fail_mx(emit, "the last tile axis must be the whole axis");
}

/* A multiple of 64, as far as it is known? */
static bool is_in_pairs(const PtsEmit *emit, PtsSym extent)
{
    return (emit->is_partial && emit_is_unknown(emit, extent)) ||
           emit_extent(emit, extent) % MX_PAIR == 0;
}

static bool check_mx_rows(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    if (input->rank < 2) {
        return fail_mx(emit, "axis -2 needs two axes");
    }
    int axis = input->rank - 2;
    int64_t tile = tile_along(emit, axis), valid = MX_PAIR;
    pts_sym_value(emit->context, input->valid[axis], &valid);
    bool fits = is_in_pairs(emit, input->shape[axis]) && valid % MX_PAIR == 0 &&
                (tile < 0 || tile % MX_PAIR == 0);
    if (!fits) {
        return fail_mx(emit, "the last axis but one, its valid extent and its tile must be "
                             "multiples of 64");
    }
    int64_t last_tile = tile_along(emit, axis + 1);
    bool packs =
        is_in_pairs(emit, input->shape[axis + 1]) && (last_tile < 0 || last_tile % MX_PAIR == 0);
    return emit->attributes.dtype != PTS_FP4_E2M1X2 || packs ||
           fail_mx(emit, "for DT_FP4_E2M1X2 the last axis and its tile must be multiples of 64");
}

static PtsSym pairs_of(PtsEmit *emit, PtsSym extent)
{
    PtsSym more = emit_sym(emit, PTS_SYM_ADD, extent, emit_constant(emit, MX_PAIR - 1));
    return emit_sym(emit, PTS_SYM_DIV, more, emit_constant(emit, MX_PAIR));
}

bool infer_quant_mx(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsAttributes *attributes = &emit->attributes;
    if (!emit_axis(emit, &attributes->dim, input->rank)) {
        return false;
    }
    if (emit_in(attributes->dtype, PTS_SET(FP8E4M3) | PTS_SET(FP4_E2M1X2)) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "%s gives DT_FP8E4M3 or DT_FP4_E2M1X2, not %s",
                         emit->opcode, pts_dtype_name(attributes->dtype));
    }
    bool is_last = attributes->dim == input->rank - 1;
    if (!is_last && attributes->dim != input->rank - 2) {
        return fail_mx(emit, "axis must be -1 or -2");
    }
    if (is_last ? !check_mx_last(emit, attributes->largest) : !check_mx_rows(emit)) {
        return false;
    }
    emit_result_like(emit, input, attributes->dtype);
    PtsResult *scale = emit_result_like(emit, input, PTS_FP8E8M0);
    scale->shape[attributes->dim] = pairs_of(emit, input->shape[attributes->dim]);
    scale->valid[attributes->dim] = pairs_of(emit, input->valid[attributes->dim]);
    scale->shape[scale->rank] = scale->valid[scale->rank] = emit_constant(emit, 2);
    scale->rank++;
    return true;
}

/* ---- sort32, mrgsort ---- */

/* A line of n numbers becomes one of n pairs: the number, and the bits of its index. */
bool infer_sort32(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    int last = input->rank - 1;
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    if (emit->operand_count > 1 && emit->operands[1].kind != PTS_OPERAND_NONE) {
        if (!emit_need_tensor(emit, 1)) {
            return false;
        }
        const PtsSlotState *index = emit->tensor[1];
        bool fits = index->rank == input->rank;
        for (int i = 0; i < input->rank && fits; i++) {
            fits = emit_equal(emit, index->shape[i], input->shape[i]) != PTS_NO;
        }
        if (emit_in(index->dtype, PTS_SET(INT32) | PTS_SET(UINT32)) == PTS_NO) {
            return emit_fail(emit, PTS_E_DTYPE, "%s: index must be DT_INT32 or DT_UINT32, not %s",
                             emit->opcode, pts_dtype_name(index->dtype));
        }
        if (!fits) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: index %s must have the shape of the input %s", emit->opcode,
                             pts_record_shape(emit->program, index->rank, index->shape),
                             pts_record_shape(emit->program, input->rank, input->shape));
        }
    }
    PtsResult *result = emit_result_like(emit, input, input->dtype);
    PtsSym two = emit_constant(emit, 2);
    result->shape[last] = emit_sym(emit, PTS_SYM_MUL, input->shape[last], two);
    result->valid[last] = emit_sym(emit, PTS_SYM_MUL, input->valid[last], two);
    return true;
}

bool infer_mrgsort(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsSym line = input->shape[input->rank - 1];
    if (!(emit->is_partial && emit_is_unknown(emit, line)) && emit_extent(emit, line) % 2 != 0) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: the last axis holds pairs of a number and an index; "
                         "it must be even",
                         emit->opcode);
    }
    if (emit->attributes.count < 1) {
        return emit_fail(emit, PTS_E_VALUE, "mrgsort: mergesize must be at least 1, it is %d",
                         emit->attributes.count);
    }
    emit_result_like(emit, input, input->dtype);
    return true;
}

/* ---- uniform, normal ---- */

bool infer_random(PtsEmit *emit)
{
    PtsAttributes *attributes = &emit->attributes;
    int rank = attributes->shape_rank;
    bool open = emit->is_partial && attributes->dtype == PTS_BOTTOM;
    if (!open && ((unsigned)attributes->dtype >= PTS_DTYPE_COUNT ||
                  (emit->info->dtypes >> attributes->dtype & 1) == 0)) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s", emit->opcode,
                         pts_dtype_name(attributes->dtype));
    }
    if (rank < 1 || rank > 4) {
        return emit_fail(emit, PTS_E_RANK, "The dims of tensor is out of range [1, 4], %s: %d",
                         emit->opcode, rank);
    }
    for (int i = 0; i < emit->operand_count; i++) {
        PtsOperandKind kind = emit->operands[i].kind;
        if (kind != PTS_OPERAND_INT && !(emit->is_partial && kind == PTS_OPERAND_UNKNOWN)) {
            return emit_fail(emit, PTS_E_TYPE, "%s: key and counter must be integers",
                             emit->info->name);
        }
    }
    if (!emit_need_ints(emit, rank, attributes->shape, 0, "shape")) {
        return false;
    }
    for (int i = 0; emit->op == PTS_OP_NORMAL && i < rank; i++) {
        int64_t extent = emit_extent(emit, attributes->shape[i]);
        if (tile_along(emit, i) >= 0 && !(emit->is_partial && extent < 0) &&
            tile_along(emit, i) != extent) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: the tile must be the shape; axis %d has %lld "
                             "elements, its tile %lld",
                             emit->opcode, i, (long long)extent, (long long)tile_along(emit, i));
        }
    }
    if (emit->op == PTS_OP_UNIFORM && tile_along(emit, rank - 1) > 0 &&
        tile_along(emit, rank - 1) % GROUP_OF_FOUR != 0) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: the last tile axis must be a multiple of 4, it is "
                         "%lld",
                         emit->opcode, (long long)tile_along(emit, rank - 1));
    }
    PtsResult *result = emit_result(emit, attributes->dtype, rank);
    for (int i = 0; i < rank; i++) {
        result->shape[i] = result->valid[i] = attributes->shape[i];
    }
    return true;
}
