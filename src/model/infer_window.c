/* Windows: views, writes into windows and elements, reshape. */
#include "model/infer.h"

static bool fail_view(PtsEmit *emit, const char *what)
{
    return emit_fail(emit, PTS_E_INVALID, "%s: %s", emit->info->name, what);
}

bool infer_view(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    const PtsSlotState *input = emit->first;
    const PtsAttributes *attributes = &emit->attributes;
    int rank = input->rank;
    if (attributes->shape_rank != rank || attributes->offset_rank != rank ||
        (attributes->valid_rank != 0 && attributes->valid_rank != rank)) {
        return emit_fail(emit, PTS_E_INVALID,
                         "view: %d entries in shape and %d in offsets, the tensor has %d axes",
                         attributes->shape_rank, attributes->offset_rank, rank);
    }
    if (!emit_need_ints(emit, rank, attributes->shape, 1, "shape") ||
        !emit_need_syms(emit, rank, attributes->offsets, "offsets") ||
        !emit_need_syms(emit, attributes->valid_rank, attributes->valid, "valid_shape")) {
        return false;
    }
    PtsResult *result = emit_result(emit, input->dtype, rank);
    result->format = input->format;
    PtsSym zero = emit_constant(emit, 0);
    for (int i = 0; i < rank; i++) {
        int64_t offset;
        if (pts_sym_value(emit->context, attributes->offsets[i], &offset) && offset < 0) {
            return fail_view(emit, "offsets must not be negative");
        }
        result->shape[i] = attributes->shape[i];
        if (attributes->valid_rank != 0) {
            int64_t valid; /* beyond the window it is clipped, at the latest when it is used */
            if (emit_is_unknown(emit, result->shape[i])) {
                result->valid[i] =
                    emit_sym(emit, PTS_SYM_MIN, result->shape[i], attributes->valid[i]);
                continue;
            }
            bool beyond = pts_sym_value(emit->context, attributes->valid[i], &valid) &&
                          valid > emit_extent(emit, result->shape[i]);
            result->valid[i] = beyond ? result->shape[i] : attributes->valid[i];
            continue;
        }
        PtsSym rest = emit_sym(emit, PTS_SYM_SUB, input->valid[i], attributes->offsets[i]);
        rest = emit_sym(emit, PTS_SYM_MAX, rest, zero);
        result->valid[i] = emit_sym(emit, PTS_SYM_MIN, result->shape[i], rest);
    }
    emit->is_vague = emit->is_vague && attributes->valid_rank == 0;
    return pts_check_viewed(emit);
}

static bool is_half_byte(PtsDtype dtype)
{
    return dtype == PTS_INT4 || dtype == PTS_HF4 ||
           (dtype >= PTS_FP4_E2M1X2 && dtype <= PTS_FP4_E1M2);
}

bool infer_view_type(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    const PtsSlotState *input = emit->first;
    PtsDtype to = emit->attributes.dtype;
    int64_t from_bytes = (int64_t)pts_dtype_bytes(input->dtype);
    int64_t to_bytes = (int64_t)pts_dtype_bytes(to);
    if (to_bytes == 0) {
        return emit_fail(emit, PTS_E_VALUE, "view: the data type is missing");
    }
    if (is_half_byte(input->dtype) || is_half_byte(to)) {
        return emit_fail(emit, PTS_E_PLANNED,
                         "pypto.view from %s to %s is not simulated: elements of 4 bits have a "
                         "byte each here",
                         pts_dtype_name(input->dtype), pts_dtype_name(to));
    }
    int last = input->rank - 1;
    PtsSym bytes = from_bytes == 0 ? emit_nothing(emit)
                                   : emit_sym(emit, PTS_SYM_MUL, input->shape[last],
                                              emit_constant(emit, from_bytes));
    if (emit_divides(emit, to_bytes, bytes) == PTS_NO) {
        return fail_view(
            emit, "the last axis does not hold a whole number of elements of the other type");
    }
    PtsResult *result = emit_result_like(emit, input, to);
    PtsSym factor = emit_constant(emit, from_bytes), divisor = emit_constant(emit, to_bytes);
    result->shape[last] = emit_sym(emit, PTS_SYM_DIV, bytes, divisor);
    result->valid[last] =
        from_bytes == 0
            ? bytes
            : emit_sym(emit, PTS_SYM_DIV, emit_sym(emit, PTS_SYM_MUL, input->valid[last], factor),
                       divisor);
    return true;
}

bool infer_assemble(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    const PtsSlotState *src = emit->tensor[0], *dst = emit->tensor[1];
    bool same = src->dtype == dst->dtype || src->dtype == PTS_BOTTOM || dst->dtype == PTS_BOTTOM;
    const char *what = !same                        ? "data type"
                       : src->rank != dst->rank     ? "dimension"
                       : src->format != dst->format ? "format"
                                                    : NULL;
    if (what != NULL) {
        return emit_fail(
            emit, PTS_E_LIMIT, "Assemble: src and dest requires same %s, got %s %s and %s %s", what,
            pts_dtype_name(src->dtype), pts_record_shape(emit->program, src->rank, src->shape),
            pts_dtype_name(dst->dtype), pts_record_shape(emit->program, dst->rank, dst->shape));
    }
    if (emit->attributes.offset_rank != dst->rank) {
        return emit_fail(emit, PTS_E_LIMIT, "Assemble: %d offsets for a tensor of %d axes",
                         emit->attributes.offset_rank, dst->rank);
    }
    if (!emit_need_syms(emit, dst->rank, emit->attributes.offsets, "offsets")) {
        return false;
    }
    for (int i = 0; i < dst->rank; i++) {
        int64_t offset, extent, valid;
        if (!pts_sym_value(emit->context, emit->attributes.offsets[i], &offset)) {
            continue;
        }
        bool outside = offset < 0;
        if (pts_sym_value(emit->context, dst->shape[i], &extent) &&
            pts_sym_value(emit->context, src->valid[i], &valid)) {
            outside = outside || (valid > 0 && offset > extent - valid);
        }
        if (outside) {
            return emit_fail(emit, PTS_E_ADDRESS,
                             "assemble: offset %lld on axis %d writes outside the destination %s",
                             (long long)offset, i,
                             pts_record_shape(emit->program, dst->rank, dst->shape));
        }
    }
    emit->written = 1;
    return pts_check_assembled(emit);
}

bool infer_move(PtsEmit *emit)
{
    emit->written = 1;
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    PtsSlot to = emit->operands[1].slot;
    return !emit->tensor[0]->is_relabelled || emit->program->slots[to].parameter < 0 ||
           pts_record_warn(emit->program, 0, "reshape-output", emit->site,
                           "the result of a reshape in place is written to parameter %s: the "
                           "device does not take it as an output",
                           pts_slot_name(emit->program, to));
}

bool infer_element_write(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 1)) {
        return false;
    }
    const PtsSlotState *dst = emit->tensor[1];
    PtsOperandKind kind = emit->operands[0].kind;
    if (kind != PTS_OPERAND_INT && kind != PTS_OPERAND_SYM && kind != PTS_OPERAND_ELEMENT &&
        kind != PTS_OPERAND_UNKNOWN) {
        return emit_fail(emit, PTS_E_TYPE,
                         "an element can be set to an int or a symbolic scalar only");
    }
    if (emit_in(dst->dtype, PTS_SET(INT32)) == PTS_NO) {
        return emit_fail(emit, PTS_E_TYPE,
                         "single elements can be written in DT_INT32 tensors only, not in %s",
                         pts_dtype_name(dst->dtype));
    }
    if (emit->attributes.offset_rank != dst->rank || dst->rank > PTS_MAX_INDEX_RANK) {
        return emit_fail(emit, PTS_E_VALUE, "%d subscripts for a tensor of %d axes",
                         emit->attributes.offset_rank, dst->rank);
    }
    if (kind != PTS_OPERAND_SYM) {
        emit_number(emit, 0, PTS_INT32);
    }
    emit->written = 1;
    return emit_need_syms(emit, dst->rank, emit->attributes.offsets, "index");
}

/* A tensor, a condition, and values for the file's name. */
bool infer_save(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    for (int i = 1; i < emit->operand_count; i++) {
        PtsOperandKind kind = emit->operands[i].kind;
        if (kind != PTS_OPERAND_INT && kind != PTS_OPERAND_SYM && kind != PTS_OPERAND_UNKNOWN) {
            return emit_fail(
                emit, PTS_E_TYPE,
                "pass_verify_save: the condition and the values of the file's name are "
                "integers and symbolic scalars");
        }
    }
    return true;
}

/* ---- reshape ---- */

/* Product of extents; PTS_SYM_NONE does not occur (emit_sym). */
static PtsSym element_count(PtsEmit *emit, int rank, const PtsSym *extents)
{
    PtsSym count = emit_constant(emit, 1);
    for (int i = 0; i < rank; i++) {
        count = emit_sym(emit, PTS_SYM_MUL, count, extents[i]);
    }
    return count;
}

/* Replaces the one extent of −1. */
static bool resolve_extent(PtsEmit *emit)
{
    PtsAttributes *attributes = &emit->attributes;
    int64_t known = 1, total;
    int open = -1;
    for (int i = 0; i < attributes->shape_rank; i++) {
        int64_t extent = -2;
        pts_sym_value(emit->context, attributes->shape[i], &extent);
        if (extent == -1 && open < 0) {
            open = i;
        } else if (extent == -1) {
            return emit_fail(emit, PTS_E_VALUE, "reshape: only one extent may be -1");
        } else if (extent < 0 &&
                   pts_sym_kind(emit->context, attributes->shape[i]) == PTS_SYM_CONSTANT) {
            return emit_fail(emit, PTS_E_VALUE, "reshape: shape[%d] is negative", i);
        } else if (__builtin_mul_overflow(known, extent, &known)) {
            known = 0;
        }
    }
    if (open < 0) {
        return true;
    }
    if (attributes->valid_rank != 0) {
        return emit_fail(emit, PTS_E_VALUE, "reshape: no -1 together with valid_shape");
    }
    PtsSym count = element_count(emit, emit->first->rank, emit->first->shape);
    if (emit_any_unknown(emit, attributes->shape_rank, attributes->shape)) {
        attributes->shape[open] = emit_nothing(emit);
        return true;
    }
    if (emit_is_unknown(emit, count) && known > 0) {
        attributes->shape[open] = emit_sym(emit, PTS_SYM_DIV, count, emit_constant(emit, known));
        return true;
    }
    if (!pts_sym_value(emit->context, count, &total) || known <= 0 || total % known != 0) {
        return emit_fail(emit, PTS_E_VALUE, "reshape: the extent -1 cannot be derived from %s",
                         pts_record_shape(emit->program, emit->first->rank, emit->first->shape));
    }
    attributes->shape[open] = emit_constant(emit, total / known);
    return true;
}

/* A partly valid tensor whose result is said to be wholly valid keeps garbage in its gaps. An axis
 * of one element leaves none: it is all there or nothing is. */
static bool warn_gaps(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    for (int i = 0; i < input->rank; i++) {
        int64_t length = 0;
        pts_sym_value(emit->context, input->shape[i], &length);
        if (emit_equal(emit, input->valid[i], input->shape[i]) == PTS_NO && length != 1 &&
            emit_is(emit, input->shape[i], 1) == PTS_NO) {
            return pts_record_warn(emit->program, 0, "reshape-gaps", emit->site,
                                   "reshape of a partly valid tensor %s without valid_shape: "
                                   "what lies outside the valid part becomes part of the result",
                                   pts_record_shape(emit->program, input->rank, input->valid));
        }
    }
    return true;
}

bool infer_reshape(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0)) {
        return false;
    }
    PtsAttributes *attributes = &emit->attributes;
    const PtsSlotState *input = emit->first;
    if (attributes->shape_rank < 1 || attributes->shape_rank > PTS_MAX_RANK) {
        return emit_fail(emit, PTS_E_VALUE, "reshape: 1 to %d axes are possible", PTS_MAX_RANK);
    }
    if (attributes->valid_rank != 0 && attributes->valid_rank != attributes->shape_rank) {
        return emit_fail(emit, PTS_E_VALUE, "reshape: valid_shape and shape differ in length");
    }
    if (attributes->inplace && input->producer == PTS_OP_VIEW) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xF21001, "INVALID_OPERATION",
                         "reshape: a view cannot be reshaped in place");
    }
    bool ok = attributes->inplace
                  ? emit_need_syms(emit, attributes->shape_rank, attributes->shape, "shape")
                  : emit_need_ints(emit, attributes->shape_rank, attributes->shape, -1, "shape");
    if (!ok || !resolve_extent(emit) ||
        (attributes->valid_rank != 0 &&
         !emit_check_valid(emit, attributes->shape_rank, attributes->shape))) {
        return false;
    }
    PtsSym before = element_count(emit, input->rank, input->shape);
    PtsSym after = element_count(emit, attributes->shape_rank, attributes->shape);
    if (emit_any_unknown(emit, 1, &before) || emit_any_unknown(emit, 1, &after)) {
        if (emit_equal(emit, before, after) == PTS_NO) {
            return emit_fail(
                emit, PTS_E_INVALID, "reshape: %s never has as many elements as %s",
                pts_record_shape(emit->program, input->rank, input->shape),
                pts_record_shape(emit->program, attributes->shape_rank, attributes->shape));
        }
    }
    int64_t a, b;
    if (pts_sym_value(emit->context, before, &a) && pts_sym_value(emit->context, after, &b) &&
        a != b) {
        return emit_fail(emit, PTS_E_INVALID, "reshape: %s has %lld elements, %s has %lld",
                         pts_record_shape(emit->program, input->rank, input->shape), (long long)a,
                         pts_record_shape(emit->program, attributes->shape_rank, attributes->shape),
                         (long long)b);
    }
    PtsResult *result = emit_result(emit, input->dtype, attributes->shape_rank);
    for (int i = 0; i < attributes->shape_rank; i++) {
        result->shape[i] = attributes->shape[i];
        result->valid[i] =
            attributes->valid_rank != 0 ? attributes->valid[i] : attributes->shape[i];
    }
    return attributes->valid_rank != 0 || warn_gaps(emit);
}

bool infer_unsqueeze(PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    int rank = input->rank + 1, dim = emit->attributes.dim;
    if (rank > PTS_MAX_RANK || !emit_axis(emit, &emit->attributes.dim, rank)) {
        return rank > PTS_MAX_RANK ? emit_fail(emit, PTS_E_VALUE, "unsqueeze: too many axes")
                                   : false;
    }
    dim = emit->attributes.dim;
    PtsResult *result = emit_result(emit, input->dtype, rank);
    PtsSym one = emit_constant(emit, 1);
    for (int i = 0; i < rank; i++) {
        result->shape[i] = i == dim ? one : input->shape[i - (i > dim)];
        result->valid[i] = i == dim ? one : input->valid[i - (i > dim)];
    }
    return true;
}
