/* Operations that move data or make it: transpose, expand, concat, pad, constants. */
#include "model/infer.h"

#include <math.h>

/* ---- transpose, permute ---- */

static bool check_no_op_tile(PtsEmit *emit)
{
    int count = emit->scope->vector_tile_count;
    int64_t bytes = (int64_t)pts_dtype_bytes(emit->first->dtype);
    int used = emit->first->rank < count ? emit->first->rank : count;
    if (count > 0 && emit->scope->vector_tile[used - 1] % 32 * bytes % 32 != 0) {
        return emit_limit(emit, "tile-aligned", 0xFC1001, "CONFIG_ALIGNMENT",
                          "%s: the last tile axis must be a multiple of 32 bytes", emit->opcode);
    }
    return true;
}

/* The pairs that tensors of four and five axes may swap. */
static bool is_pair(int rank, int a, int b)
{
    static const int pairs[][3] = {{4, 0, 2}, {4, 1, 2}, {4, 1, 3}, {4, 2, 3}, {5, 3, 4}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i][0] == rank && pairs[i][1] == a && pairs[i][2] == b) {
            return true;
        }
    }
    return rank < 4;
}

bool infer_transpose(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsAttributes *attributes = &emit->attributes;
    if (!emit_axis(emit, &attributes->dim, input->rank) ||
        !emit_axis(emit, &attributes->dim1, input->rank)) {
        return false;
    }
    if (emit->scope->vector_tile_count != input->rank && emit->scope->vector_tile_count >= 0 &&
        !emit_limit(emit, "tile-rank", 0xFC0000, "PARAM_INVALID",
                    "%s: the tile must have as many entries as the input has axes: %d, not %d",
                    emit->opcode, input->rank, emit->scope->vector_tile_count)) {
        return false;
    }
    int a = attributes->dim < attributes->dim1 ? attributes->dim : attributes->dim1;
    int b = attributes->dim < attributes->dim1 ? attributes->dim1 : attributes->dim;
    PtsAnswer ones = pts_both(emit_is(emit, input->shape[a], 1), emit_is(emit, input->shape[b], 1));
    if (a == b || ones == PTS_YES) {
        if (!check_no_op_tile(emit)) {
            return false;
        }
    } else if (ones == PTS_NO && !is_pair(input->rank, a, b)) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: axes %d and %d of a tensor of %d axes cannot be "
                         "swapped",
                         emit->opcode, a, b, input->rank);
    }
    PtsResult *result = emit_result_like(emit, input, input->dtype);
    result->shape[a] = input->shape[b];
    result->shape[b] = input->shape[a];
    result->valid[a] = input->valid[b];
    result->valid[b] = input->valid[a];
    return true;
}

bool infer_permute(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsAttributes *attributes = &emit->attributes;
    if (attributes->shape_rank != input->rank) {
        return emit_fail(emit, PTS_E_VALUE, "permute: %d dims for a tensor of %d axes",
                         attributes->shape_rank, input->rank);
    }
    if (!emit_need_ints(emit, input->rank, attributes->shape, -input->rank, "dims")) {
        return false;
    }
    PtsResult *result = emit_result_like(emit, input, input->dtype);
    unsigned seen = 0;
    bool identity = true;
    for (int i = 0; i < input->rank; i++) {
        int64_t value = 0;
        pts_sym_value(emit->context, attributes->shape[i], &value);
        int axis = value > input->rank ? input->rank : (int)value;
        if (!emit_axis(emit, &axis, input->rank)) {
            return false;
        }
        if ((seen >> axis & 1) != 0) {
            return emit_fail(emit, PTS_E_VALUE, "permute: axis %d is named twice", axis);
        }
        seen |= 1u << axis;
        identity = identity && axis == i;
        attributes->shape[i] = emit_constant(emit, axis);
        result->shape[i] = input->shape[axis];
        result->valid[i] = input->valid[axis];
    }
    return !identity || check_no_op_tile(emit);
}

/* ---- expand, concat, pad ---- */

bool infer_expand(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    PtsAttributes *attributes = &emit->attributes;
    if (attributes->shape_rank != input->rank ||
        (attributes->valid_rank != 0 && attributes->valid_rank != input->rank)) {
        return emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: %d and %d axes",
                         emit->opcode, input->rank, attributes->shape_rank);
    }
    if (!emit_need_ints(emit, input->rank, attributes->shape, 0, "shape") ||
        (attributes->valid_rank != 0 && !emit_check_valid(emit, input->rank, attributes->shape))) {
        return false;
    }
    PtsResult *result = emit_result_like(emit, input, input->dtype);
    for (int i = 0; i < input->rank; i++) {
        bool grows = emit_is_one(emit, input->shape[i]) && !emit_is_one(emit, attributes->shape[i]);
        if (!grows && emit_is(emit, input->shape[i], 1) != PTS_MAYBE &&
            emit_equal(emit, input->shape[i], attributes->shape[i]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: axis %d of %s cannot become that of %s",
                             emit->opcode, i,
                             pts_record_shape(emit->program, input->rank, input->shape),
                             pts_record_shape(emit->program, input->rank, attributes->shape));
        }
        result->shape[i] = attributes->shape[i];
        if (attributes->valid_rank != 0) {
            result->valid[i] = attributes->valid[i];
        } else if (grows) {
            result->valid[i] = attributes->shape[i];
        } else if (input->shape[i] != attributes->shape[i]) {
            result->valid[i] = emit_nothing(emit); /* partial programs only */
        }
    }
    return true;
}

/* One more tensor against the first one; its extent along the axis is added to `*total`. */
static bool check_joined(PtsEmit *emit, int index, int axis, PtsSym *total)
{
    if (!emit_need_tensor(emit, index) ||
        !emit_same_dtype(emit, emit->first, emit->tensor[index])) {
        return false;
    }
    const PtsSlotState *tensor = emit->tensor[index];
    if (tensor->rank != emit->first->rank) {
        return emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: %d and %d axes",
                         emit->opcode, emit->first->rank, tensor->rank);
    }
    for (int i = 0; i < tensor->rank; i++) {
        if (i != axis && emit_equal(emit, tensor->valid[i], tensor->shape[i]) == PTS_NO &&
            !pts_record_warn(emit->program, 0, "concat-valid", emit->site,
                             "concat: tensor %d is valid for %s of %s only, the result counts as "
                             "wholly valid; take a view with valid_shape of it",
                             index + 1,
                             pts_record_shape(emit->program, tensor->rank, tensor->valid),
                             pts_record_shape(emit->program, tensor->rank, tensor->shape))) {
            return false;
        }
        if (i != axis && emit_equal(emit, tensor->shape[i], emit->first->shape[i]) == PTS_NO) {
            return emit_fail(emit, PTS_E_PARAMETER, "%s: tensors differ on axis %d: %s and %s",
                             emit->opcode, i,
                             pts_record_shape(emit->program, emit->first->rank, emit->first->shape),
                             pts_record_shape(emit->program, tensor->rank, tensor->shape));
        }
    }
    int64_t valid, extent;
    if (pts_sym_value(emit->context, tensor->valid[axis], &valid) &&
        pts_sym_value(emit->context, tensor->shape[axis], &extent) && valid != extent) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: the valid extent of tensor %d along axis %d is %lld, its "
                         "shape %lld; they must be equal",
                         emit->opcode, index + 1, axis, (long long)valid, (long long)extent);
    }
    *total = emit_sym(emit, PTS_SYM_ADD, *total, tensor->shape[axis]);
    return true;
}

bool infer_concat(PtsEmit *emit)
{
    if (emit->operand_count < 2) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xFC0003, "PARAM_COUNT_INVALID",
                         "%s: 2 to 128 tensors are needed, got %d", emit->opcode,
                         emit->operand_count);
    }
    if (!emit_need_tensor(emit, 0) || !emit_axis(emit, &emit->attributes.dim, emit->first->rank)) {
        return false;
    }
    int axis = emit->attributes.dim;
    PtsSym total = emit_constant(emit, 0);
    for (int i = 0; i < emit->operand_count; i++) {
        if (!check_joined(emit, i, axis, &total)) {
            return false;
        }
    }
    PtsResult *result = emit_result_like(emit, emit->first, emit->first->dtype);
    for (int i = 0; emit->is_partial && i < emit->operand_count; i++) {
        const PtsSlotState *tensor = emit->tensor[i];
        result->dtype = result->dtype == PTS_BOTTOM ? tensor->dtype : result->dtype;
        for (int k = 0; k < result->rank; k++) {
            result->shape[k] = emit_known_of(emit, result->shape[k], tensor->shape[k]);
        }
    }
    result->shape[axis] = total;
    for (int i = 0; i < result->rank; i++) {
        result->valid[i] = result->shape[i];
    }
    return true;
}

/* The value of pad and fillpad takes the tensor's dtype; integers accept no real value. */
static bool settle_fill(PtsEmit *emit)
{
    if (emit->operand_count < 2 || emit->tensor[1] != NULL ||
        (emit->operands[1].kind != PTS_OPERAND_INT && emit->operands[1].kind != PTS_OPERAND_FLOAT &&
         emit->operands[1].kind != PTS_OPERAND_ELEMENT &&
         emit->operands[1].kind != PTS_OPERAND_UNKNOWN)) {
        return emit_fail(emit, PTS_E_TYPE, "%s: value must be a number", emit->info->name);
    }
    bool is_real = emit->operands[1].kind == PTS_OPERAND_FLOAT;
    if (is_real && pts_dtype_is_integer(emit->first->dtype)) {
        return emit_fail(emit, PTS_E_VALUE, "%s: a float value for a tensor of %s",
                         emit->info->name, pts_dtype_name(emit->first->dtype));
    }
    emit_number(emit, 1, emit->first->dtype);
    return true;
}

bool infer_pad(PtsEmit *emit)
{
    PtsAttributes *attributes = &emit->attributes;
    int count = attributes->shape_rank;
    if ((count != 2 && count != 4) || count / 2 > emit->first->rank) {
        return emit_fail(emit, PTS_E_VALUE, "pad: padding must have 2 or 4 entries, got %d", count);
    }
    if (!emit_need_ints(emit, count, attributes->shape, 0, "padding") || !settle_fill(emit)) {
        return false;
    }
    PtsResult *result = emit_result_like(emit, emit->first, emit->first->dtype);
    for (int i = 0; i < count; i += 2) {
        int axis = emit->first->rank - 1 - i / 2;
        if (emit_is(emit, attributes->shape[i], 0) == PTS_NO) {
            return emit_fail(emit, PTS_E_VALUE, "pad: left and top amounts must be 0");
        }
        PtsSym more = attributes->shape[i + 1];
        result->shape[axis] = emit_sym(emit, PTS_SYM_ADD, result->shape[axis], more);
        result->valid[axis] = emit_sym(emit, PTS_SYM_ADD, result->valid[axis], more);
    }
    return true;
}

bool infer_fillpad(PtsEmit *emit)
{
    if (!settle_fill(emit)) {
        return false;
    }
    PtsResult *result = emit_result_like(emit, emit->first, emit->first->dtype);
    for (int i = 0; i < result->rank; i++) {
        result->valid[i] = result->shape[i];
    }
    return true;
}

/* ---- constants ---- */

bool infer_full(PtsEmit *emit)
{
    PtsAttributes *attributes = &emit->attributes;
    PtsOperandKind kind = emit->operands[0].kind;
    if (kind == PTS_OPERAND_SLOT || kind == PTS_OPERAND_NONE) {
        return emit_fail(emit, PTS_E_TYPE,
                         "full: fill_value must be a number or a symbolic scalar");
    }
    uint32_t allowed = emit_dtypes(emit);
    if ((unsigned)attributes->dtype >= PTS_DTYPE_COUNT || (allowed >> attributes->dtype & 1) == 0) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s", emit->opcode,
                         pts_dtype_name(attributes->dtype));
    }
    if (attributes->shape_rank < 1 || attributes->shape_rank > 4) {
        return emit_fail(emit, PTS_E_RANK, "The dims of tensor is out of range [1, 4], %s: %d",
                         emit->opcode, attributes->shape_rank);
    }
    if (attributes->valid_rank != 0 && attributes->valid_rank != attributes->shape_rank) {
        return emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: size and valid_shape",
                         emit->opcode);
    }
    if (!emit_need_ints(emit, attributes->shape_rank, attributes->shape, 0, "size") ||
        (attributes->valid_rank != 0 &&
         !emit_check_valid(emit, attributes->shape_rank, attributes->shape))) {
        return false;
    }
    PtsResult *result = emit_result(emit, attributes->dtype, attributes->shape_rank);
    for (int i = 0; i < result->rank; i++) {
        result->shape[i] = attributes->shape[i];
        result->valid[i] =
            attributes->valid_rank != 0 ? attributes->valid[i] : attributes->shape[i];
    }
    if (kind != PTS_OPERAND_SYM) {
        emit_number(emit, 0, attributes->dtype);
    } else if (!pts_sym_is_valid(emit->context, emit->operands[0].sym)) {
        return emit_fail(emit, PTS_E_VALUE, "full: fill_value is not a symbolic scalar");
    }
    return true;
}

static double number_of(const PtsOperand *operand)
{
    bool is_real =
        operand->kind == PTS_OPERAND_FLOAT ||
        (operand->kind == PTS_OPERAND_ELEMENT && pts_dtype_is_float(operand->element.dtype));
    return is_real ? operand->element.real : (double)operand->element.integer;
}

bool infer_arange(PtsEmit *emit)
{
    bool any_real = false;
    for (int i = 0; i < 3; i++) {
        PtsOperandKind kind = emit->operands[i].kind;
        if (kind != PTS_OPERAND_INT && kind != PTS_OPERAND_FLOAT && kind != PTS_OPERAND_ELEMENT) {
            return emit_fail(emit, PTS_E_TYPE, "arange: start, end and step must be numbers");
        }
        any_real =
            any_real || kind == PTS_OPERAND_FLOAT ||
            (kind == PTS_OPERAND_ELEMENT && pts_dtype_is_float(emit->operands[i].element.dtype));
    }
    double start = number_of(&emit->operands[0]), end = number_of(&emit->operands[1]);
    double step = number_of(&emit->operands[2]);
    double count = step == 0 ? 0 : ceil((end - start) / step);
    if (step == 0 || !(count > 0)) {
        return emit_fail(emit, PTS_E_VALUE,
                         "arange: step must not be 0 and must lead from start to end");
    }
    if (!(count <= 2147483647.0)) {
        return emit_fail(emit, PTS_E_PARAMETER, "%s: more than 2^31 - 1 elements", emit->opcode);
    }
    PtsDtype dtype = emit->attributes.dtype;
    if ((unsigned)dtype >= PTS_DTYPE_COUNT) {
        dtype = any_real ? PTS_FP32 : PTS_INT32;
    }
    if (dtype != PTS_FP32 && dtype != PTS_INT32 && dtype != PTS_INT64) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s", emit->opcode,
                         pts_dtype_name(dtype));
    }
    emit->attributes.dtype = dtype;
    PtsResult *result = emit_result(emit, dtype, 1);
    result->shape[0] = result->valid[0] = emit_constant(emit, (int64_t)count);
    for (int i = 0; i < 3; i++) {
        emit_number(emit, i, dtype);
    }
    return true;
}

bool infer_nop(PtsEmit *emit)
{
    for (int i = 0; i < emit->operand_count || i == 0; i++) {
        if (!emit_need_tensor(emit, i)) {
            return false;
        }
    }
    emit_result_like(emit, emit->first, emit->first->dtype);
    return true;
}
