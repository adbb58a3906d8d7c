/* Indexing: gather, scatter, paged caches, one-hot. */
#include "model/infer.h"

static bool same_rank(PtsEmit *emit, int a, int b)
{
    const PtsSlotState *x = emit->tensor[a], *y = emit->tensor[b];
    return x->rank == y->rank ||
           emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: %d and %d axes", emit->opcode,
                     x->rank, y->rank);
}

/* Tensor a's extents must not exceed tensor b's, except on axis `free` (−1: none). */
static bool fits_into(PtsEmit *emit, int a, int b, int free)
{
    for (int i = 0; i < emit->tensor[a]->rank; i++) {
        int64_t x = emit_extent(emit, emit->tensor[a]->shape[i]);
        int64_t y = emit_extent(emit, emit->tensor[b]->shape[i]);
        if (i != free &&
            emit_at_most(emit, emit->tensor[a]->shape[i], emit->tensor[b]->shape[i]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: on axis %d operand %d has %lld elements, operand "
                             "%d only %lld",
                             emit->opcode, i, a + 1, (long long)x, b + 1, (long long)y);
        }
    }
    return true;
}

bool infer_gather(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "index") || !same_rank(emit, 0, 1) ||
        !emit_axis(emit, &emit->attributes.dim, emit->first->rank) ||
        !fits_into(emit, 1, 0, emit->attributes.dim)) {
        return false;
    }
    emit_result_like(emit, emit->tensor[1], emit->first->dtype);
    return true;
}

bool infer_index_select(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "index") ||
        !emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    const PtsSlotState *input = emit->first, *index = emit->tensor[1];
    if (index->rank > 2 || input->rank - 1 + index->rank > PTS_MAX_RANK) {
        return emit_fail(emit, PTS_E_RANK, "%s: index must have one or two axes", emit->opcode);
    }
    PtsResult *result = emit_result(emit, input->dtype, 0);
    for (int i = 0; i < input->rank; i++) {
        const PtsSlotState *from = i == emit->attributes.dim ? index : input;
        int first = from == index ? 0 : i, last = from == index ? index->rank - 1 : i;
        for (int j = first; j <= last; j++) {
            result->shape[result->rank] = from->shape[j];
            result->valid[result->rank++] = from->valid[j];
        }
    }
    return true;
}

/* The tensor that the first operand is a view of; NULL when the present block does not make the
 * view. */
static const PtsSlotState *window_of(const PtsEmit *emit)
{
    PtsRecorder *recorder = emit->program->recorder;
    const PtsBlock *block = &emit->program->blocks[pts_record_top(recorder)->block];
    for (uint32_t i = block->count; i > 0; i--) {
        const PtsInstruction *made = block->instructions[i - 1];
        if (made->kind == PTS_INSTRUCTION_OP && made->op == PTS_OP_VIEW &&
            made->results[0].slot == emit->operands[0].slot) {
            return &recorder->states.items[made->operands[0].slot];
        }
    }
    return NULL;
}

static bool check_whole_axis(PtsEmit *emit, int axis)
{
    const PtsSlotState *source = window_of(emit);
    int64_t all = source == NULL ? -1 : emit_extent(emit, source->shape[axis]);
    int64_t taken = emit_extent(emit, emit->first->shape[axis]);
    return all < 0 || taken == all ||
           emit_version_fail(emit, PTS_CHECK_SPLIT,
                             "%s: the last axis must not be split by a view; it has %lld of %lld",
                             emit->opcode, (long long)taken, (long long)all);
}

bool infer_gathermask(PtsEmit *emit)
{
    int mode = emit->attributes.mode;
    if (mode < 1 || mode > 7) {
        return emit_fail(emit, PTS_E_VALUE, "gathermask: pattern_mode must be 1 to 7, got %d",
                         mode);
    }
    int64_t step = mode <= 2 ? 2 : mode <= 6 ? 4 : 1;
    const PtsSlotState *input = emit->first;
    int last = input->rank - 1;
    if (emit_divides(emit, step, input->shape[last]) == PTS_NO) {
        return emit_fail(emit, PTS_E_PARAMETER, "%s: the last axis must be a multiple of %lld",
                         emit->opcode, (long long)step);
    }
    if (!check_whole_axis(emit, last)) {
        return false;
    }
    PtsResult *result = emit_result_like(emit, input, input->dtype);
    PtsSym divisor = emit_constant(emit, step);
    result->shape[last] = emit_sym(emit, PTS_SYM_DIV, input->shape[last], divisor);
    result->valid[last] = emit_sym(emit, PTS_SYM_DIV, input->valid[last], divisor);
    return true;
}

/* Both operations give two results: of the shape of two tensors, or half as long as one tensor. */
bool infer_interleave(PtsEmit *emit)
{
    bool pair = emit->operand_count > 1 &&
                (emit->op == PTS_OP_INTERLEAVE || emit->operands[1].kind != PTS_OPERAND_NONE);
    if (!emit_need_tensor(emit, 0) || (pair && !emit_need_tensor(emit, 1))) {
        return false;
    }
    const PtsSlotState *input = emit->first;
    int last = input->rank - 1;
    int64_t extent = emit_extent(emit, input->shape[last]);
    if (pair && !emit_same_dtype(emit, input, emit->tensor[1])) {
        return false;
    }
    for (int i = 0; pair && i < input->rank; i++) {
        if (input->rank != emit->tensor[1]->rank ||
            emit_equal(emit, input->shape[i], emit->tensor[1]->shape[i]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: both tensors must have one shape",
                             emit->opcode);
        }
    }
    if (emit_divides(emit, 2, input->shape[last]) == PTS_NO) {
        return emit_fail(emit, PTS_E_PARAMETER, "%s: the last axis must be even, it has %lld",
                         emit->opcode, (long long)extent);
    }
    for (int i = 0; i < 2; i++) {
        PtsResult *result = emit_result_like(emit, input, input->dtype);
        if (!pair) {
            PtsSym two = emit_constant(emit, 2);
            result->shape[last] = emit_sym(emit, PTS_SYM_DIV, input->shape[last], two);
            result->valid[last] = emit_sym(emit, PTS_SYM_DIV, input->valid[last], two);
        }
    }
    return true;
}

enum { SCATTER_LAST_MODE = 2 };

bool infer_scatter(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "index") || !same_rank(emit, 0, 1) ||
        !emit_axis(emit, &emit->attributes.dim, emit->first->rank) ||
        !fits_into(emit, 1, 0, emit->attributes.dim)) {
        return false;
    }
    if (emit->attributes.mode < 0 || emit->attributes.mode > SCATTER_LAST_MODE) {
        return emit_fail(emit, PTS_E_VALUE, "scatter: reduce must be None, 'add' or 'multiply'");
    }
    if (emit->tensor[2] != NULL) {
        if (!emit_same_dtype(emit, emit->first, emit->tensor[2]) || !same_rank(emit, 0, 2) ||
            !fits_into(emit, 1, 2, -1)) {
            return false;
        }
        emit->opcode = emit->info->opcodes[1];
    } else if (emit->operands[2].kind == PTS_OPERAND_FLOAT ||
               emit->operands[2].kind == PTS_OPERAND_INT ||
               emit->operands[2].kind == PTS_OPERAND_UNKNOWN ||
               emit->operands[2].kind == PTS_OPERAND_ELEMENT) {
        emit_number(emit, 2, emit->first->dtype);
    } else {
        return emit_fail(emit, PTS_E_TYPE, "scatter: src must be a tensor, a float or an Element");
    }
    emit_result_like(emit, emit->first, emit->first->dtype);
    return true;
}

bool infer_scatter_update(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "index") ||
        !emit_need_tensor(emit, 2) || !emit_same_dtype(emit, emit->tensor[0], emit->tensor[2]) ||
        !same_rank(emit, 0, 2) || !emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    const PtsSlotState *input = emit->tensor[0], *index = emit->tensor[1], *src = emit->tensor[2];
    if (emit->attributes.dim != input->rank - 2) {
        return emit_fail(emit, PTS_E_VALUE, "scatter_update: dim must be -2");
    }
    if (index->rank != 2 || input->rank == 3) {
        return emit_fail(emit, PTS_E_RANK, "%s: index must have two axes, input two or four",
                         emit->opcode);
    }
    PtsSym b = index->shape[0], s = index->shape[1];
    PtsSym d = src->shape[src->rank - 1], cache_d = input->shape[input->rank - 1];
    PtsAnswer fits = emit_extent(emit, cache_d) < 0 ? PTS_YES : emit_equal(emit, d, cache_d);
    if (src->rank == 2) {
        PtsSym rows = emit_sym(emit, PTS_SYM_MUL, b, s);
        fits = pts_both(fits, emit_equal(emit, src->shape[0], rows));
    } else {
        fits = pts_both(fits, emit_equal(emit, src->shape[0], b));
        fits = pts_both(fits, emit_equal(emit, src->shape[1], s));
        fits = pts_both(fits, emit_is(emit, src->shape[2], 1));
        fits = pts_both(fits, emit_is(emit, input->shape[2], 1));
    }
    if (fits == PTS_NO) {
        return emit_fail(emit, PTS_E_PARAMETER, "%s: src %s does not fit index %s and input %s",
                         emit->opcode, pts_record_shape(emit->program, src->rank, src->shape),
                         pts_record_shape(emit->program, index->rank, index->shape),
                         pts_record_shape(emit->program, input->rank, input->shape));
    }
    emit_result_like(emit, input, input->dtype);
    emit->written = 0;
    emit->tile_rank = src->rank;
    return true;
}

bool infer_index_add(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "index") ||
        !emit_need_tensor(emit, 2) || !emit_same_dtype(emit, emit->tensor[0], emit->tensor[2]) ||
        !same_rank(emit, 0, 2) || !emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    const PtsSlotState *input = emit->tensor[0], *index = emit->tensor[1], *src = emit->tensor[2];
    int dim = emit->attributes.dim;
    if (index->rank != 1 || emit_equal(emit, src->shape[dim], index->shape[0]) == PTS_NO) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: index must have one axis, as long as axis %d of "
                         "source",
                         emit->opcode, dim);
    }
    for (int i = 0; i < input->rank; i++) {
        if (i != dim && emit_equal(emit, input->shape[i], src->shape[i]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: input and source differ on axis %d",
                             emit->opcode, i);
        }
    }
    emit_result_like(emit, input, input->dtype);
    emit->tile_rank = 1;
    emit->tile_is_free = true;
    return true;
}

bool infer_index_put(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1) ||
        !emit_same_dtype(emit, emit->tensor[0], emit->tensor[1])) {
        return false;
    }
    const PtsSlotState *input = emit->tensor[0], *values = emit->tensor[1];
    int count = emit->operand_count - 2;
    if (count < 1 || count > input->rank || input->rank + 1 != count + values->rank) {
        return emit_fail(emit, PTS_E_RANK,
                         "%s: %d index tensors and values of %d axes do not fit an "
                         "input of %d axes",
                         emit->opcode, count, values->rank, input->rank);
    }
    for (int i = 0; i < count; i++) {
        if (!emit_is_index(emit, i + 2, "indices")) {
            return false;
        }
        const PtsSlotState *index = emit->tensor[i + 2];
        if (index->rank != 1 || emit_equal(emit, index->shape[0], values->shape[0]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: every index must have one axis, as long as the "
                             "first one of values",
                             emit->opcode);
        }
    }
    for (int i = count; i < input->rank; i++) {
        if (emit_equal(emit, input->shape[i], values->shape[i - count + 1]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: values do not fit axis %d of the input",
                             emit->opcode, i);
        }
    }
    emit_result_like(emit, input, input->dtype);
    emit->tile_rank = 1; /* that of the last index tensor */
    emit->tile_is_free = true;
    return true;
}

bool infer_one_hot(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    if (emit->attributes.count < 1) {
        return emit_fail(emit, PTS_E_VALUE, "one_hot: num_classes must be positive");
    }
    PtsResult *result = emit_result_like(emit, input, PTS_INT64);
    result->shape[input->rank] = result->valid[input->rank] =
        emit_constant(emit, emit->attributes.count);
    result->rank = input->rank + 1;
    return true;
}

bool infer_gather_in(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_is_index(emit, 1, "indices") ||
        !emit_is_index(emit, 2, "block_table")) {
        return false;
    }
    PtsAttributes *attributes = &emit->attributes;
    const PtsSlotState *param = emit->tensor[0], *indices = emit->tensor[1];
    bool in_l1 = emit->op == PTS_OP_GATHER_IN_L1;
    if (indices->rank != 2 || emit->tensor[2]->rank != 2 || !emit_is_one(emit, indices->shape[0])) {
        return emit_fail(emit, PTS_E_RANK,
                         "%s: indices must be [1, k] and block_table have two axes", emit->opcode);
    }
    if (attributes->count < 1) {
        return emit_fail(emit, PTS_E_VALUE, "%s: block_size must be positive", emit->info->name);
    }
    if (!in_l1) {
        if (!emit_axis(emit, &attributes->dim, 2)) {
            return false;
        }
        if (attributes->dim != 0) {
            return emit_fail(emit, PTS_E_VALUE, "%s: axis must be -2", emit->info->name);
        }
    } else if (attributes->shape_rank != 1 ||
               !emit_need_ints(emit, 1, attributes->shape, 1, "size")) {
        return attributes->shape_rank != 1 ? emit_fail(emit, PTS_E_VALUE, "size is missing")
                                           : false;
    }
    PtsSym columns = in_l1 ? attributes->shape[0] : param->shape[1];
    int64_t wanted = emit_extent(emit, columns), have = emit_extent(emit, param->shape[1]);
    if (wanted < 0 || (have >= 0 && wanted > have)) {
        return emit_fail(emit, PTS_E_PARAMETER, "%s: %lld columns of a tensor %s", emit->opcode,
                         (long long)wanted,
                         pts_record_shape(emit->program, param->rank, param->shape));
    }
    PtsResult *result = emit_result(emit, param->dtype, 2);
    result->shape[0] = indices->shape[1];
    result->valid[0] = indices->valid[1];
    result->shape[1] = columns;
    result->valid[1] =
        in_l1 ? emit_sym(emit, PTS_SYM_MIN, param->valid[1], columns) : param->valid[1];
    return true;
}
