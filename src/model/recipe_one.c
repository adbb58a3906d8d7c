/* Recipes of one operation: each parameter is an operand or an attribute of it. */
#include "model/recipe_call.h"

#include <math.h>
#include <string.h>

/* Kinds of parameters, in the order in which they are checked:
 * p PrecisionType, not recorded
 * T tensor  ? tensor or None  E tensor, or the next one is  N what operations take  C N, but no int
 * I tensor or int  M "constant"  F number to fill with
 * d dim  f dim, or the last axis  n f, or None  e dim1  c count  m mode  A TopKAlgo
 * k keepdim  l largest  g descending  a a_trans  b b_trans  r real  y dtype
 * S fixed list  O offsets  V valid shape  D diagonal  Z one size */

static bool is_operand(char kind)
{
    return strchr("T?ENCIF", kind) != NULL;
}

static bool check_mode(PtsCall *call, const PtsValue *mode)
{
    char text[256];
    bool is_constant = mode->kind == PTS_VALUE_TEXT && strcmp(mode->text, "constant") == 0;
    return is_constant || pts_value_type(mode) == NULL ||
           call_refuse(call, PTS_E_VALUE, "%s(): the only mode is 'constant', not %s", call->name,
                       call_text(call, mode, text, sizeof text));
}

/* The number that pad fills with. */
static bool check_fill(PtsCall *call, const PtsValue *value)
{
    PtsValue plain = call_plain(call, *value);
    const char *type = pts_value_type(&plain);
    bool is_number = plain.kind == PTS_VALUE_INT || plain.kind == PTS_VALUE_WIDE ||
                     plain.kind == PTS_VALUE_FLOAT || plain.kind == PTS_VALUE_ELEMENT;
    return is_number || type == NULL ||
           call_refuse(call, PTS_E_TYPE, "%s(): 'value' must be a number, not %s", call->name,
                       type);
}

static bool is_int(const PtsValue *value)
{
    return value->kind == PTS_VALUE_INT || value->kind == PTS_VALUE_WIDE;
}

/* `next`: the parameter after it. */
static bool check_operand(PtsCall *call, const PtsValue *value, const PtsValue *next,
                          const char *parameter, char kind)
{
    switch (kind) {
    case 'T':
        return call_tensor(call, value, parameter);
    case '?':
        return value_is_absent(value) || call_tensor(call, value, parameter);
    case 'I':
        return is_int(value) || value->kind == PTS_VALUE_NUMBER ||
               call_tensor(call, value, parameter);
    case 'E':
        return next->kind == PTS_VALUE_TENSOR || pts_value_type(next) == NULL ||
               call_tensor(call, value, parameter);
    case 'C':
        if (is_int(value) || value->kind == PTS_VALUE_BOOL) {
            call->op = PTS_OP_COUNT;
            return call_refuse(call, PTS_E_TYPE,
                               "%s(): '%s' must be a tensor, a float or an Element, not int",
                               call->name, parameter);
        }
        return true;
    case 'F':
        return check_fill(call, value);
    default:
        return true;
    }
}

static bool take_sym(PtsCall *call, const PtsValue *value, const char *parameter, PtsSym *sym)
{
    PtsValue list = pts_value(PTS_VALUE_LIST);
    PtsSym items[PTS_MAX_RANK] = {PTS_SYM_NONE};
    unsigned before = call->attributes.unknown;
    int count;
    list.count = 1;
    list.items = value;
    bool good = call_list(call, &list, parameter, false, &count, items);
    *sym = items[0];
    call->attributes.unknown = before | (count == 0 ? PTS_UNKNOWN_COUNT : 0U);
    return good;
}

static bool take_number(PtsCall *call, const PtsValue *value, const char *parameter, char kind)
{
    PtsAttributes *attributes = &call->attributes;
    bool is_last = (value->kind == PTS_VALUE_MISSING && (kind == 'f' || kind == 'n')) ||
                   (value->kind == PTS_VALUE_NONE && kind == 'n');
    attributes->has_dim = attributes->has_dim || kind == 'd' || kind == 'f' || kind == 'n';
    switch (kind) {
    case 'e':
        return call_int(call, value, parameter, &attributes->dim1, PTS_UNKNOWN_DIM);
    case 'c':
        return call_int(call, value, parameter, &attributes->count, PTS_UNKNOWN_COUNT);
    case 'm':
        return value->kind == PTS_VALUE_MISSING ||
               call_int(call, value, parameter, &attributes->mode, PTS_UNKNOWN_COUNT);
    default:
        attributes->dim = is_last ? -1 : 0;
        return is_last || call_int(call, value, parameter, &attributes->dim, PTS_UNKNOWN_DIM);
    }
}

static bool take_attribute(PtsCall *call, const PtsValue *value, const char *parameter, char kind)
{
    PtsAttributes *attributes = &call->attributes;
    switch (kind) {
    case 'k':
        return call_flag(call, value, parameter, &attributes->keepdim);
    case 'l':
        return call_flag(call, value, parameter, &attributes->largest);
    case 'g':
        return call_flag(call, value, parameter, &attributes->descending);
    case 'a':
        return call_flag(call, value, parameter, &attributes->a_trans);
    case 'b':
        return call_flag(call, value, parameter, &attributes->b_trans);
    case 'r':
        attributes->real = 0.01; /* lrelu's */
        return call_real(call, value, parameter, &attributes->real);
    case 'y':
        return call_dtype(call, value, parameter);
    case 'A':
        return call_member(call, value, "TopKAlgo", parameter, &attributes->mode);
    case 'M':
        return check_mode(call, value);
    case 'S':
        return call_shape(call, value, parameter, true);
    case 'O':
        return call_offsets(call, value, parameter);
    case 'V':
        return call_valid(call, value);
    case 'D':
        return value->kind == PTS_VALUE_MISSING ||
               take_sym(call, value, parameter, &attributes->diagonal);
    case 'Z':
        attributes->shape_rank = 1;
        return take_sym(call, value, parameter, &attributes->shape[0]);
    default:
        return take_number(call, value, parameter, kind);
    }
}

/* The first name of the parameter at that place. */
static const char *name_of(const PtsRecipe *recipe, size_t place, char *name, size_t size)
{
    const char *at = recipe->parameters;
    for (; place > 0; place--) {
        at = strchr(at, ' ') + 1;
    }
    at += *at == '*';
    size_t length = strcspn(at, "| ");
    length = length < size ? length : size - 1;
    memcpy(name, at, length);
    name[length] = '\0';
    return name;
}

/* Checks the parameters of one of three sorts: PrecisionType, operands, attributes. */
static bool check_all(PtsCall *call, int sort)
{
    const char *kinds = call->recipe->kinds;
    char name[64];
    for (size_t i = 0; kinds[i] != '\0'; i++) {
        const PtsValue *value = &call->arg[i];
        int own_sort = kinds[i] == 'p' ? 0 : is_operand(kinds[i]) ? 1 : 2;
        unsigned unknown = call->attributes.unknown;
        int unused = 0;
        if (own_sort != sort) {
            continue;
        }
        name_of(call->recipe, i, name, sizeof name);
        if (sort == 0) {
            if (!call_member(call, value, "PrecisionType", name, &unused)) {
                return false;
            }
            call->attributes.unknown = unknown;
        } else if (sort == 1 ? !check_operand(call, value, &call->arg[i + 1], name, kinds[i])
                             : !take_attribute(call, value, name, kinds[i])) {
            return false;
        }
    }
    return true;
}

bool recipe_one(PtsCall *call, PtsValue *result)
{
    const char *kinds = call->recipe->kinds;
    PtsValue operands[8];
    uint32_t count = 0;
    PtsOp op = call->op;
    for (int sort = 0; sort < 3; sort++) {
        if (!check_all(call, sort)) {
            return false;
        }
    }
    for (size_t i = 0; kinds[i] != '\0'; i++) {
        if (is_operand(kinds[i])) {
            const PtsValue *value = &call->arg[i];
            bool missing = value->kind == PTS_VALUE_MISSING;
            PtsValue plain = kinds[i] == 'F' ? call_plain(call, *value) : *value;
            operands[count++] = !missing          ? plain
                                : kinds[i] == 'F' ? pts_value_int(0)
                                                  : pts_value(PTS_VALUE_NONE);
        }
    }
    return call_emit(call, op, count, operands, result);
}

/* --- with checks of their own */

bool recipe_fmod(PtsCall *call, PtsValue *result)
{
    PtsValue number = call->arg[1];
    char text[64];
    if (number.kind == PTS_VALUE_ELEMENT && number.is_real) {
        number = pts_value_real(number.real);
    }
    return check_all(call, 0) &&
           (number.kind != PTS_VALUE_FLOAT || isfinite(number.real) ||
            call_refuse_since_9_2(call, PTS_E_VALUE, "fmod: 'other' must be finite, not %s",
                                  call_text(call, &number, text, sizeof text))) &&
           recipe_one(call, result);
}

bool recipe_gcd(PtsCall *call, PtsValue *result)
{
    PtsValue number = call->arg[1];
    PtsSlotInfo info;
    char text[64];
    if (!call_tensor(call, &call->arg[0], "input")) {
        return false;
    }
    if (number.kind == PTS_VALUE_ELEMENT && !number.is_real) {
        number = pts_value_int(number.integer);
    }
    bool known = call_info(call, &call->arg[0], &info) && is_int(&number);
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (known && (info.dtype == PTS_INT8 || info.dtype == PTS_INT16 || info.dtype == PTS_INT32)) {
        high = (INT64_C(1) << (8 * pts_dtype_bytes(info.dtype) - 1)) - 1;
        low = -high - 1;
    } else if (known && info.dtype == PTS_UINT8) {
        low = 0;
        high = UINT8_MAX;
    }
    bool fits = number.kind == PTS_VALUE_WIDE ? number.fits && high == INT64_MAX
                                              : number.integer >= low && number.integer <= high;
    return (!known || fits ||
            call_refuse_since_9_2(call, PTS_E_PARAMETER, "gcd: %s is out of the range of %s",
                                  call_text(call, &number, text, sizeof text),
                                  pts_dtype_name(info.dtype))) &&
           recipe_one(call, result);
}

bool recipe_bits(PtsCall *call, PtsValue *result)
{
    for (int i = 0; i < 2; i++) {
        const PtsValue *value = &call->arg[i];
        const char *type = pts_value_type(value);
        if (type != NULL && value->kind != PTS_VALUE_TENSOR && !is_int(value)) {
            call->op = PTS_OP_COUNT;
            return call_refuse(call, PTS_E_TYPE, "%s() takes tensors and integers, not %s",
                               call->name, type);
        }
    }
    return recipe_one(call, result);
}

/* The data type that a value of where() has by itself; PTS_BOTTOM: none, or it is not known. */
static PtsDtype own_dtype(PtsCall *call, const PtsValue *value)
{
    PtsSlotInfo info;
    return value->kind == PTS_VALUE_FLOAT     ? PTS_FP32
           : value->kind == PTS_VALUE_ELEMENT ? value->dtype
           : call_info(call, value, &info)    ? info.dtype
                                              : PTS_BOTTOM;
}

bool recipe_where(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsSlotInfo info;
    if (!call_tensor(call, &a[0], "condition")) {
        return false;
    }
    if (call_info(call, &a[0], &info) && info.dtype != PTS_BOOL && info.dtype != PTS_BOTTOM) {
        return call_refuse(call, PTS_E_TYPE,
                           "where(): 'condition' must be a DT_BOOL tensor, not DataType.%s",
                           pts_dtype_name(info.dtype));
    }
    PtsDtype left = own_dtype(call, &a[1]), right = own_dtype(call, &a[2]);
    bool is_float = a[1].kind == PTS_VALUE_FLOAT || a[2].kind == PTS_VALUE_FLOAT;
    if (left != PTS_BOTTOM && right != PTS_BOTTOM && left != right &&
        !call_refuse_since_9_2(call, PTS_TYPE_ERROR, PTS_CODE_VALUE, "INVALID_VAL",
                               "where: the values have one data type, not %s and %s%s",
                               pts_dtype_name(left), pts_dtype_name(right),
                               is_float ? "; a float goes with DT_FP32 tensors only, use "
                                          "pypto.Element"
                                        : "")) {
        return false;
    }
    PtsDtype dtype = left != PTS_BOTTOM ? left : right;
    return (a[1].kind == PTS_VALUE_TENSOR || call_negative(call, &a[1], dtype)) &&
           (a[2].kind == PTS_VALUE_TENSOR || call_negative(call, &a[2], dtype)) &&
           recipe_one(call, result);
}
