/* Help for the inference routines. */
#include "model/infer.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- errors ---- */

bool emit_fail(PtsEmit *emit, PtsErrorKind kind, uint32_t code, const char *symbol,
               const char *format, ...)
{
    char message[640];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    pts_fail(emit->error, kind, code, symbol, "%s", message);
    pts_error_at(emit->error, emit->site);
    return false;
}

/* ---- results ---- */

PtsResult *emit_result(PtsEmit *emit, PtsDtype dtype, int rank)
{
    PtsResult *result = &emit->results[emit->result_count++];
    *result = (PtsResult){.slot = PTS_SLOT_NONE, .dtype = dtype, .format = PTS_ND, .rank = rank};
    return result;
}

PtsResult *emit_result_like(PtsEmit *emit, const PtsSlotState *tensor, PtsDtype dtype)
{
    PtsResult *result = emit_result(emit, dtype, tensor->rank);
    for (int i = 0; i < tensor->rank; i++) {
        result->shape[i] = tensor->shape[i];
        result->valid[i] = tensor->valid[i];
    }
    return result;
}

PtsDtype emit_result_dtype(const PtsEmit *emit, PtsDtype first)
{
    switch (emit->info->result) {
    case PTS_RESULT_BOOL:
        return PTS_BOOL;
    case PTS_RESULT_I32:
        return PTS_INT32;
    case PTS_RESULT_I64:
        return PTS_INT64;
    case PTS_RESULT_FLOAT:
        return pts_dtype_is_integer(first) ? PTS_FP32 : first;
    case PTS_RESULT_WIDE:
        return pts_dtype_is_integer(first) ? PTS_INT64 : first;
    case PTS_RESULT_DTYPE:
        return emit->attributes.dtype;
    default:
        return first;
    }
}

/* ---- symbols ---- */

/* A symbol that could not be made (memory ran out, or extents overflow) is unknown in a partial
 * program; any other recording ends through the program's guard. */
static PtsSym need_sym(PtsEmit *emit, PtsSym sym, const PtsError *error)
{
    if (sym == PTS_SYM_NONE && emit->is_partial) {
        sym = emit_nothing(emit);
    }
    if (sym == PTS_SYM_NONE) {
        *emit->error = *error;
        emit->program->recorder->keep_failure = true;
        arena_fail(&emit->program->arena);
    }
    return sym;
}

PtsSym emit_constant(PtsEmit *emit, int64_t value)
{
    PtsError error;
    return need_sym(emit, pts_sym_constant(emit->context, value, &error), &error);
}

PtsSym emit_sym(PtsEmit *emit, PtsSymOp op, PtsSym a, PtsSym b)
{
    PtsError error;
    return need_sym(emit, pts_sym_binary(emit->context, op, a, b, &error), &error);
}

int64_t emit_extent(const PtsEmit *emit, PtsSym extent)
{
    int64_t value;
    return pts_sym_value(emit->context, extent, &value) ? value : -1;
}

bool emit_is_one(const PtsEmit *emit, PtsSym extent)
{
    return emit_extent(emit, extent) == 1;
}

/* ---- operands ---- */

bool emit_need_tensor(PtsEmit *emit, int index)
{
    if (index < emit->operand_count && emit->tensor[index] != NULL) {
        return true;
    }
    return emit_fail(emit, PTS_E_TYPE, "%s: operand %d must be a tensor", emit->info->name,
                     index + 1);
}

bool emit_axis(PtsEmit *emit, int *axis, int rank)
{
    if (*axis < -rank || *axis >= rank) {
        return emit_fail(emit, PTS_E_VALUE, "%s: dim %d is out of range for a tensor of %d axes",
                         emit->info->name, *axis, rank);
    }
    *axis = *axis < 0 ? *axis + rank : *axis;
    return true;
}

/* Integers wrap to the width of their dtype. */
static int64_t wrap(PtsDtype dtype, int64_t value)
{
    switch (dtype) {
    case PTS_INT8:
        return (int8_t)(uint64_t)value;
    case PTS_INT16:
        return (int16_t)(uint64_t)value;
    case PTS_INT32:
        return (int32_t)(uint64_t)value;
    case PTS_UINT8:
        return (uint8_t)(uint64_t)value;
    case PTS_UINT16:
        return (uint16_t)(uint64_t)value;
    case PTS_UINT32:
        return (uint32_t)(uint64_t)value;
    case PTS_BOOL:
        return value != 0;
    default:
        return value;
    }
}

static int64_t truncate_real(double real)
{
    if (!(real > -9.2e18) || !(real < 9.2e18)) { /* NaN as well */
        return real > 0 ? INT64_MAX : real < 0 ? INT64_MIN : 0;
    }
    return (int64_t)real;
}

void emit_number(PtsEmit *emit, int index, PtsDtype dtype)
{
    PtsOperand *operand = &emit->operands[index];
    if (operand->kind == PTS_OPERAND_UNKNOWN) {
        return;
    }
    PtsElement value = operand->element;
    bool is_real = operand->kind == PTS_OPERAND_FLOAT ||
                   (operand->kind == PTS_OPERAND_ELEMENT && pts_dtype_is_float(value.dtype));
    double real = is_real ? value.real : (double)value.integer;
    int64_t integer = is_real ? truncate_real(value.real) : value.integer;
    PtsElement element = {.dtype = dtype};
    if (pts_dtype_is_float(dtype)) {
        element.real = dtype == PTS_FP32 ? (double)(float)real : real;
        element.integer = is_real ? 0 : integer;
    } else {
        element.integer = wrap(dtype, dtype == PTS_BOOL && is_real ? real != 0 : integer);
    }
    *operand = (PtsOperand){.kind = PTS_OPERAND_ELEMENT,
                            .slot = PTS_SLOT_NONE,
                            .element = element,
                            .sym = PTS_SYM_NONE};
}

bool emit_same_dtype(PtsEmit *emit, const PtsSlotState *a, const PtsSlotState *b)
{
    if (a->dtype == b->dtype || a->dtype == PTS_BOTTOM || b->dtype == PTS_BOTTOM) {
        return true;
    }
    return emit_fail(emit, PTS_E_DTYPE, "Tensor data type inconsistent, %s: %s and %s",
                     emit->opcode, pts_dtype_name(a->dtype), pts_dtype_name(b->dtype));
}

bool emit_need_syms(PtsEmit *emit, int count, const PtsSym *list, const char *what)
{
    for (int i = 0; i < count; i++) {
        if (!pts_sym_is_valid(emit->context, list[i])) {
            return emit_fail(emit, PTS_E_VALUE, "%s: %s[%d] is not a symbolic scalar",
                             emit->info->name, what, i);
        }
    }
    return true;
}

bool emit_need_ints(PtsEmit *emit, int count, const PtsSym *list, int64_t least, const char *what)
{
    if (!emit_need_syms(emit, count, list, what)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        int64_t value;
        if (emit_is_unknown(emit, list[i])) {
            continue;
        }
        if (!pts_sym_value(emit->context, list[i], &value)) {
            char text[128];
            pts_sym_text(emit->context, list[i], text, sizeof text);
            return emit_fail(emit, PTS_E_TYPE, "%s: %s[%d] must be an integer, not the symbolic %s",
                             emit->info->name, what, i, text);
        }
        if (value < least) {
            return emit_fail(emit, PTS_E_VALUE, "%s: %s[%d] is %lld, at least %lld is needed",
                             emit->info->name, what, i, (long long)value, (long long)least);
        }
    }
    return true;
}

bool emit_is_index(PtsEmit *emit, int index, const char *what)
{
    if (!emit_need_tensor(emit, index)) {
        return false;
    }
    PtsDtype dtype = emit->tensor[index]->dtype;
    if (emit_in(dtype, PTS_SET(INT32) | PTS_SET(INT64)) != PTS_NO ||
        (dtype == PTS_INT16 && emit->op == PTS_OP_SCATTER_UPDATE)) {
        return true;
    }
    return emit_fail(emit, PTS_E_DTYPE, "%s: %s must be DT_INT32 or DT_INT64, not %s", emit->opcode,
                     what, pts_dtype_name(dtype));
}

bool emit_check_valid(PtsEmit *emit, int rank, const PtsSym *limit)
{
    if (!emit_need_syms(emit, rank, emit->attributes.valid, "valid_shape")) {
        return false;
    }
    for (int i = 0; i < rank; i++) {
        int64_t valid, most;
        if (pts_sym_value(emit->context, emit->attributes.valid[i], &valid) &&
            pts_sym_value(emit->context, limit[i], &most) && valid > most) {
            return emit_fail(emit, PTS_E_INVALID,
                             "%s: valid_shape[%d] is %lld, the tensor has %lld there",
                             emit->info->name, i, (long long)valid, (long long)most);
        }
    }
    return true;
}

/* ---- broadcasting ---- */

/* An axis of an operand as the result sees it: an axis that it lacks has one element. */
typedef struct Axis {
    PtsSym extent, valid;
    PtsAnswer is_one;
} Axis;

static Axis axis_of(PtsEmit *emit, const PtsSlotState *tensor, int rank, int axis)
{
    int own = axis - (rank - tensor->rank);
    if (own < 0) {
        PtsSym one = emit_constant(emit, 1);
        return (Axis){one, one, PTS_YES};
    }
    return (Axis){tensor->shape[own], tensor->valid[own], emit_is(emit, tensor->shape[own], 1)};
}

/* Among the operands that are not broadcast: the first extent that is not constant, otherwise the
 * smallest. */
static PtsSym minimum_valid(PtsEmit *emit, PtsSym best, PtsSym next)
{
    int64_t a, b;
    if (!pts_sym_value(emit->context, best, &a)) {
        return best;
    }
    if (!pts_sym_value(emit->context, next, &b)) {
        return next;
    }
    return b < a ? next : best;
}

/* Joins `axis` into `whole` where extents may be unknown; PTS_NO: they do not broadcast. */
static PtsAnswer join_partial(PtsEmit *emit, Axis *whole, const Axis *axis)
{
    PtsAnswer same = emit_equal(emit, whole->extent, axis->extent);
    if (same == PTS_YES || axis->is_one == PTS_YES) {
        return PTS_YES;
    }
    if (whole->is_one == PTS_YES) {
        *whole = *axis;
        return PTS_YES;
    }
    if (same == PTS_NO && whole->is_one == PTS_NO && axis->is_one == PTS_NO) {
        return PTS_NO;
    }
    bool know_whole = !emit_is_unknown(emit, whole->extent);
    bool know_axis = !emit_is_unknown(emit, axis->extent);
    if (know_whole != know_axis) { /* the known one is not 1, so it is the result's */
        whole->extent = know_whole ? whole->extent : axis->extent;
        whole->is_one = PTS_NO;
    } else if (!know_whole) {
        whole->extent = emit_nothing(emit);
        whole->is_one = pts_both(whole->is_one, axis->is_one);
    }
    whole->valid = emit_nothing(emit);
    return PTS_MAYBE;
}

bool emit_broadcast(PtsEmit *emit, int count, const PtsSlotState *const *tensors, bool by_minimum,
                    PtsResult *result)
{
    int rank = result->rank;
    for (int i = 0; i < rank; i++) {
        Axis whole = axis_of(emit, tensors[0], rank, i);
        for (int j = 1; j < count; j++) {
            Axis axis = axis_of(emit, tensors[j], rank, i);
            bool one = axis.is_one == PTS_YES;
            PtsAnswer fits = PTS_YES;
            if (emit->is_partial) {
                fits = join_partial(emit, &whole, &axis);
            } else if (whole.is_one == PTS_YES && !one) {
                whole = axis;
            } else if (!one && axis.extent != whole.extent) {
                fits = PTS_NO;
            } else if (by_minimum && axis.is_one == whole.is_one) {
                whole.valid = minimum_valid(emit, whole.valid, axis.valid);
            }
            if (fits == PTS_NO) {
                return emit_fail(
                    emit, PTS_E_PARAMETER,
                    "Tensor shape must be consistent or broadcast compatible, %s: %s and %s",
                    emit->opcode,
                    pts_record_shape(emit->program, tensors[0]->rank, tensors[0]->shape),
                    pts_record_shape(emit->program, tensors[j]->rank, tensors[j]->shape));
            }
        }
        result->shape[i] = whole.extent;
        result->valid[i] = whole.valid;
    }
    return true;
}
