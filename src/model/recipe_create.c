/* Recipes: tensors that are made of numbers, and filled in place. */
#include "model/recipe_call.h"

#include <math.h>

/* full(): the size, the number, the data type and the valid extents. */
static bool full(PtsCall *call, const PtsValue *size, PtsValue fill, const PtsValue *dtype,
                 const PtsValue *valid, PtsValue *result)
{
    call->op = PTS_OP_FULL;
    call->attributes = PTS_ATTRIBUTES;
    if (fill.kind == PTS_VALUE_BOOL) {
        fill = pts_value_int(fill.integer);
    }
    bool is_number = fill.kind == PTS_VALUE_INT || fill.kind == PTS_VALUE_WIDE ||
                     fill.kind == PTS_VALUE_FLOAT || fill.kind == PTS_VALUE_ELEMENT ||
                     fill.kind == PTS_VALUE_SYM;
    const char *type = pts_value_type(&fill);
    if (!is_number && type != NULL) {
        return call_refuse(call, PTS_E_TYPE,
                           "full(): 'fill_value' must be a number, an Element or a symbolic "
                           "scalar, not %s",
                           type);
    }
    bool typed = dtype->kind == PTS_VALUE_MEMBER && dtype->integer < PTS_DTYPE_COUNT;
    return (!typed || call_negative(call, &fill, (PtsDtype)dtype->integer)) &&
           call_dtype(call, dtype, "dtype") && call_shape(call, size, "size", true) &&
           call_valid(call, valid) && call_emit(call, PTS_OP_FULL, 1, &fill, result);
}

bool recipe_full(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    return full(call, &a[0], a[1], &a[2], &a[3], result);
}

static PtsValue dtype_value(PtsDtype dtype)
{
    PtsValue value = pts_value(PTS_VALUE_MEMBER);
    value.type = "DataType";
    value.integer = dtype;
    if (dtype >= PTS_BOTTOM) {
        value = pts_value(PTS_VALUE_UNKNOWN);
    }
    return value;
}

/* zeros and ones: the size as a list, or as arguments. */
static bool filled(PtsCall *call, int64_t number, PtsValue *result)
{
    const PtsValue *size = &call->arg[0];
    PtsValue missing = pts_value(PTS_VALUE_MISSING);
    PtsValue dtype = value_is_absent(&call->arg[1]) ? dtype_value(PTS_FP32) : call->arg[1];
    if (size->count == 1 && !size->is_open && value_is_list(&size->items[0])) {
        size = &size->items[0];
    } else if (size->count == 1 && size->items[0].kind == PTS_VALUE_UNKNOWN) {
        size = &size->items[0]; /* an extent, or a list of them */
    }
    if (value_is_list(size) && size->count == 0 && !size->is_open) {
        return call_refuse(call, PTS_E_VALUE, "%s() needs a size", call->name);
    }
    call->name = "full";
    return full(call, size, pts_value_int(number), &dtype, &missing, result);
}

bool recipe_zeros(PtsCall *call, PtsValue *result)
{
    return filled(call, 0, result);
}

bool recipe_ones(PtsCall *call, PtsValue *result)
{
    return filled(call, 1, result);
}

bool recipe_fill(PtsCall *call, PtsValue *result)
{
    const PtsValue *tensor = &call->arg[0];
    PtsValue size[PTS_MAX_RANK], list = pts_value(PTS_VALUE_LIST), made;
    PtsValue missing = pts_value(PTS_VALUE_MISSING);
    PtsSlotInfo info;
    if (!call_tensor(call, tensor, "input")) {
        return false;
    }
    bool known = call_info(call, tensor, &info);
    PtsValue dtype = dtype_value(known ? info.dtype : PTS_BOTTOM);
    list.count = known ? (uint32_t)info.rank : 0;
    list.is_open = !known;
    for (uint32_t i = 0; i < list.count; i++) {
        size[i] = pts_value_sym(info.shape[i]);
    }
    list.items = size;
    *result = *tensor;
    call->name = "full";
    return full(call, &list, call->arg[1], &dtype, &missing, &made) &&
           call_move(call, tensor, &made);
}

/* --- in place */

static bool triangle(PtsCall *call, PtsOp op, const char *name, PtsValue *result)
{
    PtsValue list = pts_value(PTS_VALUE_LIST), zero = pts_value_int(0), made;
    PtsSym diagonal[PTS_MAX_RANK] = {PTS_SYM_NONE};
    int count;
    bool missing = call->arg[1].kind == PTS_VALUE_MISSING;
    list.count = 1;
    list.items = missing ? &zero : &call->arg[1];
    call->name = name;
    if (!call_tensor(call, &call->arg[0], "input") ||
        !call_list(call, &list, "diagonal", false, &count, diagonal)) {
        return false;
    }
    call->attributes.diagonal = diagonal[0];
    *result = call->arg[0];
    return call_emit(call, op, 1, call->arg, &made) && call_move(call, &call->arg[0], &made);
}

bool recipe_tril(PtsCall *call, PtsValue *result)
{
    return triangle(call, PTS_OP_TRIL, "tril", result);
}

bool recipe_triu(PtsCall *call, PtsValue *result)
{
    return triangle(call, PTS_OP_TRIU, "triu", result);
}

/* --- ranges and random numbers */

/* Checks a number of arange(); clears `*known` when its value is not known. */
static bool check_number(PtsCall *call, PtsValue *value, bool *known)
{
    char text[64];
    PtsValue plain = call_plain(call, *value);
    const char *type = pts_value_type(value);
    bool is_number = plain.kind == PTS_VALUE_INT || plain.kind == PTS_VALUE_WIDE ||
                     plain.kind == PTS_VALUE_FLOAT;
    bool is_open =
        plain.kind == PTS_VALUE_UNKNOWN || plain.kind == PTS_VALUE_NUMBER ||
        (plain.kind == PTS_VALUE_SYM &&
         (plain.sym == PTS_SYM_NONE || pts_sym_is_unknown(call->cook->context, plain.sym)));
    *known = *known && is_number;
    if (!is_number && !is_open && type != NULL) {
        return call_refuse(call, PTS_E_TYPE, "arange() takes numbers, not %s", type);
    }
    if (plain.kind == PTS_VALUE_FLOAT && !isfinite(plain.real)) {
        return call_refuse(call, PTS_E_VALUE, "arange() takes finite numbers, not %s",
                           call_text(call, value, text, sizeof text));
    }
    *value = plain;
    return true;
}

bool recipe_arange(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    bool one = value_is_absent(&a[1]), known = true, any_float = false;
    PtsValue numbers[3] = {one ? pts_value_int(0) : a[0], one ? a[0] : a[1],
                           value_is_absent(&a[2]) ? pts_value_int(1) : a[2]};
    for (int i = 0; i < 3; i++) {
        if (!check_number(call, &numbers[i], &known)) {
            return false;
        }
        any_float = any_float || numbers[i].kind == PTS_VALUE_FLOAT;
    }
    for (int i = 0; i < 3 && any_float; i++) {
        double real = 0;
        if (!call_real(call, &numbers[i], "step", &real)) {
            return false;
        }
        numbers[i] = known ? pts_value_real(real) : numbers[i];
    }
    call->attributes = PTS_ATTRIBUTES;
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_ALL;
    call->attributes.dtype = any_float ? PTS_FP32 : PTS_INT32;
    return call_emit(call, PTS_OP_ARANGE, 3, numbers, result);
}

/* Checks that it is a list of `count` items, not the items; clears `*known` when the list is
 * unknown. */
static bool check_numbers(PtsCall *call, const PtsValue *list, uint32_t count, const char *what,
                          bool *known)
{
    if (value_is_open(list) || (value_is_list(list) && list->is_open)) {
        *known = false;
        return true;
    }
    if (!value_is_list(list) || list->count != count) {
        return call_refuse(call, PTS_E_VALUE, "%s(): '%s' must be a list of %u", call->name, what,
                           count);
    }
    return true;
}

static bool random_numbers(PtsCall *call, PtsOp op, PtsValue *result)
{
    const PtsValue *a = call->arg;
    bool known = true;
    if (!check_numbers(call, &a[1], 1, "key", &known) ||
        !check_numbers(call, &a[2], 2, "counter", &known) ||
        !check_numbers(call, &a[3], 1, "alg", &known)) {
        return false;
    }
    PtsValue mode = known ? call_plain(call, a[3].items[0]) : pts_value(PTS_VALUE_UNKNOWN);
    bool is_number = mode.kind == PTS_VALUE_INT || mode.kind == PTS_VALUE_BOOL;
    if (pts_value_type(&mode) != NULL && (!is_number || (mode.integer != 1 && mode.integer != 3))) {
        return call_refuse(call, PTS_E_VALUE, "%s(): 'alg' must be [1] or [3]", call->name);
    }
    known = known && is_number;
    PtsValue operands[3];
    if (known) {
        operands[0] = a[1].items[0];
        operands[1] = a[2].items[0];
        operands[2] = a[2].items[1];
    }
    call->attributes.mode = known ? (int)mode.integer : 0;
    call->attributes.unknown |= known ? 0U : PTS_UNKNOWN_ALL;
    return call_dtype(call, &a[4], "dtype") && call_shape(call, &a[0], "shape", true) &&
           call_emit(call, op, known ? 3 : 0, operands, result);
}

bool recipe_uniform(PtsCall *call, PtsValue *result)
{
    return random_numbers(call, PTS_OP_UNIFORM, result);
}

bool recipe_normal(PtsCall *call, PtsValue *result)
{
    return random_numbers(call, PTS_OP_NORMAL, result);
}
