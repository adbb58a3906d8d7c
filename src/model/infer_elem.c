/* Element-wise operations: dtypes of numbers, broadcasting. */
#include "model/infer.h"

#include <math.h>

static bool is_number(const PtsOperand *operand)
{
    return operand->kind == PTS_OPERAND_INT || operand->kind == PTS_OPERAND_FLOAT ||
           operand->kind == PTS_OPERAND_ELEMENT || operand->kind == PTS_OPERAND_UNKNOWN;
}

/* Operand `index` is a tensor or a number. */
static bool need_value(PtsEmit *emit, int index)
{
    if (emit->tensor[index] != NULL || is_number(&emit->operands[index])) {
        return true;
    }
    return emit_fail(emit, PTS_E_TYPE, "%s: operand %d must be a tensor or a number",
                     emit->info->name, index + 1);
}

/* Is it a number of a floating-point type: a float, or an Element of one? */
static bool is_real_number(const PtsOperand *operand)
{
    return operand->kind == PTS_OPERAND_FLOAT ||
           (operand->kind == PTS_OPERAND_ELEMENT && pts_dtype_is_float(operand->element.dtype));
}

/* The result over all tensors among the operands first … last. */
static bool broadcast_all(PtsEmit *emit, int first, int last, PtsDtype dtype, bool by_minimum)
{
    const PtsSlotState *tensors[4];
    int count = 0, rank = 1;
    for (int i = first; i <= last; i++) {
        if (emit->tensor[i] != NULL) {
            tensors[count++] = emit->tensor[i];
            rank = emit->tensor[i]->rank > rank ? emit->tensor[i]->rank : rank;
        }
    }
    PtsResult *result = emit_result(emit, dtype, rank);
    if (count == 0) {
        result->shape[0] = result->valid[0] = emit_constant(emit, 1);
        return true;
    }
    return emit_broadcast(emit, count, tensors, by_minimum, result);
}

bool infer_unary(PtsEmit *emit)
{
    if (emit->op == PTS_OP_LRELU &&
        !(emit->attributes.real >= 0 && isfinite(emit->attributes.real)) &&
        !emit_version_fail(emit, PTS_CHECK_SLOPE,
                           "lrelu: negative_slope must be finite and not negative")) {
        return false;
    }
    if (emit->op == PTS_OP_TRIL || emit->op == PTS_OP_TRIU) {
        if (emit->attributes.diagonal != PTS_SYM_NONE &&
            !emit_need_syms(emit, 1, &emit->attributes.diagonal, "diagonal")) {
            return false;
        }
    }
    emit_result_like(emit, emit->first, emit_result_dtype(emit, emit->first->dtype));
    return true;
}

/* A number beside an integer tensor must be an integer. */
static bool number_fits(PtsEmit *emit, int index, PtsDtype dtype)
{
    if (emit->operands[index].kind == PTS_OPERAND_FLOAT && pts_dtype_is_integer(dtype)) {
        return emit_fail(emit, PTS_E_TYPE, "float scalar incompatible with integer tensor dtype");
    }
    return true;
}

/* The dtype of the operands, as soon as one is known. */
static PtsDtype common_dtype(const PtsEmit *emit)
{
    PtsDtype dtype = emit->first->dtype;
    for (int i = 1; i < emit->operand_count && dtype == PTS_BOTTOM; i++) {
        dtype = emit->tensor[i] != NULL ? emit->tensor[i]->dtype : dtype;
    }
    return dtype;
}

/* Converts a number to the dtype of the tensor beside it; two tensors must have the same dtype. */
static bool settle_pair(PtsEmit *emit)
{
    if (!need_value(emit, 0) || !need_value(emit, 1)) {
        return false;
    }
    if (emit->first == NULL) {
        return emit_fail(emit, PTS_E_TYPE, "%s: one operand must be a tensor", emit->info->name);
    }
    int number = emit->tensor[0] == NULL ? 0 : 1;
    if (emit->tensor[number] != NULL) {
        return emit_same_dtype(emit, emit->tensor[0], emit->tensor[1]);
    }
    if (!number_fits(emit, number, emit->first->dtype)) {
        return false;
    }
    emit_number(emit, number, emit->first->dtype);
    return true;
}

bool infer_binary(PtsEmit *emit)
{
    bool by_minimum = emit->op == PTS_OP_MAXIMUM || emit->op == PTS_OP_MINIMUM;
    return settle_pair(emit) &&
           broadcast_all(emit, 0, 1, emit_result_dtype(emit, common_dtype(emit)), by_minimum);
}

/* 9.2 refuses an axis of length 0. */
static bool is_not_empty(PtsEmit *emit)
{
    for (int i = 0; i < emit->operand_count; i++) {
        const PtsSlotState *tensor = emit->tensor[i];
        for (int axis = 0; tensor != NULL && axis < tensor->rank; axis++) {
            int64_t size;
            if (pts_sym_value(emit->context, tensor->shape[axis], &size) && size == 0) {
                return emit_version_fail(emit, PTS_CHECK_EMPTY,
                                         "Empty tensor is not supported for op %s", emit->opcode);
            }
        }
    }
    return true;
}

bool infer_compare(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !is_not_empty(emit)) {
        return false;
    }
    if (emit->operands[1].kind == PTS_OPERAND_INT) {
        return emit_fail(emit, PTS_E_TYPE,
                         "%s: other must be a Tensor, a float or an Element, not an int",
                         emit->info->name);
    }
    if (emit->tensor[1] == NULL && is_number(&emit->operands[1])) {
        emit_number(emit, 1, emit->first->dtype);
    }
    return settle_pair(emit) && broadcast_all(emit, 0, 1, PTS_BOOL, false);
}

bool infer_logical(PtsEmit *emit)
{
    return emit_need_tensor(emit, 0) && emit_need_tensor(emit, 1) &&
           broadcast_all(emit, 0, 1, PTS_BOOL, false);
}

/* ---- power ---- */

/* Larger of F32 > F16 > BF16 > I32; F16 with BF16 gives F32. */
static PtsDtype power_dtype(PtsDtype a, PtsDtype b)
{
    static const PtsDtype order[] = {PTS_FP32, PTS_FP16, PTS_BF16, PTS_INT32};
    if (a == b) {
        return a;
    }
    if ((a == PTS_BOTTOM || b == PTS_BOTTOM) && a != PTS_FP32 && b != PTS_FP32) {
        return PTS_BOTTOM;
    }
    if ((a == PTS_FP16 && b == PTS_BF16) || (a == PTS_BF16 && b == PTS_FP16)) {
        return PTS_FP32;
    }
    for (int i = 0; i < 4; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return a;
}

static bool is_narrow_integer(PtsDtype dtype)
{
    return dtype == PTS_INT8 || dtype == PTS_UINT8 || dtype == PTS_INT16;
}

bool infer_pow(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !need_value(emit, 1)) {
        return false;
    }
    const PtsSlotState *base = emit->tensor[0], *power = emit->tensor[1];
    if (power == NULL) {
        bool widen = base->dtype == PTS_INT32 && is_real_number(&emit->operands[1]);
        PtsDtype dtype = widen ? PTS_FP32 : base->dtype;
        if (emit->operands[1].kind == PTS_OPERAND_UNKNOWN && dtype == PTS_INT32) {
            dtype = PTS_BOTTOM; /* a float widens it */
        }
        if (emit->operands[1].kind == PTS_OPERAND_FLOAT) { /* stays a double */
            emit->operands[1].kind = PTS_OPERAND_ELEMENT;
            emit->operands[1].element.dtype = PTS_DOUBLE;
        } else if (emit->operands[1].kind == PTS_OPERAND_INT) {
            emit->operands[1].kind = PTS_OPERAND_ELEMENT;
            emit->operands[1].element.dtype = PTS_INT32;
            emit->operands[1].element.real = (double)emit->operands[1].element.integer;
        }
        return broadcast_all(emit, 0, 0, dtype, false);
    }
    if (base->rank != power->rank) {
        return emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: %d and %d axes",
                         emit->opcode, base->rank, power->rank);
    }
    if ((is_narrow_integer(base->dtype) || is_narrow_integer(power->dtype)) &&
        !emit_same_dtype(emit, base, power)) {
        return false;
    }
    return broadcast_all(emit, 0, 1, power_dtype(base->dtype, power->dtype), false);
}

/* ---- where, clip, prelu, axpy ---- */

static bool same_ranks(PtsEmit *emit, int first, int last)
{
    for (int i = first; i <= last; i++) {
        if (emit->tensor[i] != NULL && emit->tensor[i]->rank != emit->first->rank) {
            return emit_fail(emit, PTS_E_RANK, "Tensor dim inconsistent, %s: %d and %d axes",
                             emit->opcode, emit->first->rank, emit->tensor[i]->rank);
        }
    }
    return true;
}

/* A value of where: real numbers are F32 and go with F32 tensors only. */
static bool settle_where_number(PtsEmit *emit, int index, PtsDtype dtype)
{
    const PtsOperand *operand = &emit->operands[index];
    if (operand->kind == PTS_OPERAND_FLOAT && emit_in(dtype, PTS_SET(FP32)) == PTS_NO) {
        return emit_fail(emit, PTS_TYPE_ERROR, PTS_CODE_VALUE, "INVALID_VAL",
                         "where: a float goes with DT_FP32 tensors only, not with %s; use "
                         "pypto.Element",
                         pts_dtype_name(dtype));
    }
    if (operand->kind == PTS_OPERAND_ELEMENT && operand->element.dtype != dtype &&
        dtype != PTS_BOTTOM) {
        return emit_fail(emit, PTS_E_DTYPE, "Tensor data type inconsistent, %s: %s and %s",
                         emit->opcode, pts_dtype_name(dtype),
                         pts_dtype_name(operand->element.dtype));
    }
    emit_number(emit, index, dtype);
    return true;
}

/* Two numbers: that of the first constant with a dtype of its own, F32 without one. */
static PtsDtype where_numbers_dtype(const PtsEmit *emit)
{
    for (int i = 1; i <= 2; i++) {
        if (emit->operands[i].kind == PTS_OPERAND_ELEMENT) {
            return emit->operands[i].element.dtype;
        }
    }
    return PTS_FP32;
}

bool infer_where(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !need_value(emit, 1) || !need_value(emit, 2)) {
        return false;
    }
    const PtsSlotState *a = emit->tensor[1], *b = emit->tensor[2];
    static const char *const opcodes[2][2] = {{"WHERE_TT", "WHERE_TS"}, {"WHERE_ST", "WHERE_SS"}};
    emit->opcode = opcodes[a == NULL][b == NULL];
    if (emit_in(emit->tensor[0]->dtype, PTS_SET(BOOL)) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "%s: condition must be DT_BOOL, not %s", emit->opcode,
                         pts_dtype_name(emit->tensor[0]->dtype));
    }
    if (a != NULL && b != NULL && !emit_same_dtype(emit, a, b)) {
        return false;
    }
    PtsDtype dtype = a != NULL ? a->dtype : b != NULL ? b->dtype : where_numbers_dtype(emit);
    dtype = dtype == PTS_BOTTOM && b != NULL ? b->dtype : dtype;
    for (int i = 1; i <= 2; i++) {
        if (emit->tensor[i] == NULL && !settle_where_number(emit, i, dtype)) {
            return false;
        }
    }
    uint32_t allowed = emit_dtypes(emit);
    if (emit_in(dtype, allowed) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s", emit->opcode,
                         pts_dtype_name(dtype));
    }
    return same_ranks(emit, 0, 2) && broadcast_all(emit, 0, 2, dtype, true);
}

bool infer_clip(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    bool any_tensor = false, any_number = false;
    PtsDtype dtype = common_dtype(emit);
    for (int i = 1; i < emit->operand_count; i++) {
        if (emit->tensor[i] != NULL) {
            any_tensor = true;
            if (!emit_same_dtype(emit, emit->first, emit->tensor[i])) {
                return false;
            }
        } else if (emit->operands[i].kind != PTS_OPERAND_NONE) {
            any_number = true;
            if (!need_value(emit, i)) {
                return false;
            }
            bool other = emit->operands[i].kind == PTS_OPERAND_ELEMENT &&
                         emit->operands[i].element.dtype != dtype && dtype != PTS_BOTTOM;
            if (other) {
                return emit_fail(emit, PTS_E_DTYPE, "Tensor data type inconsistent, %s: %s and %s",
                                 emit->opcode, pts_dtype_name(dtype),
                                 pts_dtype_name(emit->operands[i].element.dtype));
            }
            if (!number_fits(emit, i, dtype)) {
                return false;
            }
            emit_number(emit, i, dtype);
        }
    }
    if (any_tensor && any_number) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: min and max must both be tensors or both numbers", emit->opcode);
    }
    if (!broadcast_all(emit, 0, emit->operand_count - 1, dtype, true)) {
        return false;
    }
    bool same = emit->results[0].rank == emit->first->rank;
    for (int i = 0; i < emit->first->rank && same; i++) {
        same = emit_equal(emit, emit->results[0].shape[i], emit->first->shape[i]) != PTS_NO;
    }
    return same || emit_fail(emit, PTS_E_PARAMETER, "%s: the bounds do not broadcast to the input",
                             emit->opcode);
}

bool infer_prelu(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1) ||
        !emit_same_dtype(emit, emit->tensor[0], emit->tensor[1])) {
        return false;
    }
    const PtsSlotState *input = emit->tensor[0], *weight = emit->tensor[1];
    if (weight->rank != 1) {
        return emit_fail(emit, PTS_E_RANK, "%s: weight must have one axis, not %d", emit->opcode,
                         weight->rank);
    }
    int64_t count = emit_extent(emit, weight->shape[0]);
    if (emit_is(emit, weight->shape[0], 1) == PTS_NO &&
        (input->rank < 2 || emit_equal(emit, input->shape[1], weight->shape[0]) == PTS_NO)) {
        return emit_fail(emit, PTS_E_PARAMETER,
                         "%s: weight has %lld elements, the input's second axis "
                         "another number",
                         emit->opcode, (long long)count);
    }
    emit_result_like(emit, input, input->dtype);
    return true;
}

bool infer_axpy(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    const PtsSlotState *y = emit->tensor[0], *x = emit->tensor[1];
    bool mixed = y->dtype == PTS_FP32 && x->dtype == PTS_FP16;
    if (!mixed && !emit_same_dtype(emit, y, x)) {
        return false;
    }
    if (!broadcast_all(emit, 0, 1, y->dtype, false)) {
        return false;
    }
    bool same = emit->results[0].rank == y->rank;
    for (int i = 0; i < y->rank && same; i++) {
        same = emit_equal(emit, emit->results[0].shape[i], y->shape[i]) != PTS_NO;
    }
    return same || emit_fail(emit, PTS_E_PARAMETER, "%s: y may not be broadcast", emit->opcode);
}
