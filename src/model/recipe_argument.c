/* Arguments of recipes into attributes, with the checks and words of the product's Python layer. */
#include "model/recipe_call.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool refuse_with(PtsCall *call, PtsOp op, PtsErrorKind kind, uint32_t code,
                        const char *symbol, const char *message)
{
    PtsError error;
    if (!call->cook->failed) {
        pts_fail(&error, kind, code, symbol, "%s", message);
        call->cook->host->refuse(call->cook, op, &error);
    }
    return false;
}

bool call_refuse(PtsCall *call, PtsErrorKind kind, uint32_t code, const char *symbol,
                 const char *format, ...)
{
    char message[768];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return refuse_with(call, call->op, kind, code, symbol, message);
}

bool call_refuse_since_9_2(PtsCall *call, PtsErrorKind kind, uint32_t code, const char *symbol,
                           const char *format, ...)
{
    char message[640], later[704];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (!call->cook->is_9_1) {
        return refuse_with(call, call->op, kind, code, symbol, message);
    }
    snprintf(later, sizeof later, "%s (an error since PyPTO 9.2)", message);
    return call->cook->host->warn(call->cook, later);
}

/* Refuses an argument because of its type; one of unknown type passes. */
static bool refuse_type(PtsCall *call, const PtsValue *value, const char *parameter,
                        const char *wanted)
{
    const char *type = pts_value_type(value);
    char message[512];
    if (type == NULL) {
        return true;
    }
    snprintf(message, sizeof message, "%s(): '%s' must be %s, not %s", call->name, parameter,
             wanted, type);
    return refuse_with(call, PTS_OP_COUNT, PTS_E_TYPE, message);
}

bool call_tensor(PtsCall *call, const PtsValue *value, const char *parameter)
{
    return value->kind == PTS_VALUE_TENSOR || value_is_open(value) ||
           refuse_type(call, value, parameter, "a tensor");
}

bool call_int(PtsCall *call, const PtsValue *value, const char *parameter, int *field,
              unsigned unknown)
{
    PtsValue plain = call_plain(call, *value);
    char text[64];
    if (plain.kind == PTS_VALUE_INT && plain.integer >= INT32_MIN && plain.integer <= INT32_MAX) {
        *field = (int)plain.integer;
        return true;
    }
    if (plain.kind == PTS_VALUE_INT || plain.kind == PTS_VALUE_WIDE) {
        return call_refuse(call, PTS_E_VALUE, "%s(): '%s' is out of range: %s", call->name,
                           parameter, call_text(call, &plain, text, sizeof text));
    }
    bool is_open =
        value_is_open(value) || plain.kind == PTS_VALUE_NUMBER ||
        (plain.kind == PTS_VALUE_SYM &&
         (plain.sym == PTS_SYM_NONE || pts_sym_is_unknown(call->cook->context, plain.sym)));
    call->attributes.unknown |= unknown;
    return is_open || refuse_type(call, value, parameter, "an integer");
}

bool call_flag(PtsCall *call, const PtsValue *value, const char *parameter, bool *field)
{
    PtsValue plain = call_plain(call, *value);
    if (value->kind == PTS_VALUE_MISSING) {
        return true; /* its default stands */
    }
    if (plain.kind == PTS_VALUE_BOOL || plain.kind == PTS_VALUE_INT ||
        plain.kind == PTS_VALUE_WIDE) {
        *field = plain.integer != 0 || plain.kind == PTS_VALUE_WIDE;
        return true;
    }
    call->attributes.unknown |= PTS_UNKNOWN_KEEPDIM;
    bool is_open = plain.kind == PTS_VALUE_UNKNOWN || plain.kind == PTS_VALUE_NUMBER;
    return is_open || refuse_type(call, value, parameter, "a bool");
}

bool call_real(PtsCall *call, const PtsValue *value, const char *parameter, double *field)
{
    PtsValue plain = call_plain(call, *value);
    if (plain.kind == PTS_VALUE_MISSING) {
        return true;
    }
    bool is_real =
        plain.kind == PTS_VALUE_FLOAT || (plain.kind == PTS_VALUE_ELEMENT && plain.is_real);
    if (is_real || plain.kind == PTS_VALUE_WIDE) {
        *field = plain.real;
        return isfinite(plain.real) || plain.kind != PTS_VALUE_WIDE ||
               call_refuse(call, PTS_E_VALUE, "%s(): '%s' is out of range", call->name, parameter);
    }
    if (plain.kind == PTS_VALUE_INT || plain.kind == PTS_VALUE_ELEMENT) {
        *field = (double)plain.integer;
        return true;
    }
    call->attributes.unknown |= PTS_UNKNOWN_COUNT;
    bool is_open = plain.kind == PTS_VALUE_UNKNOWN || plain.kind == PTS_VALUE_NUMBER;
    return is_open || refuse_type(call, value, parameter, "a number");
}

static bool is_member(const PtsValue *value, const char *family)
{
    return value->kind == PTS_VALUE_MEMBER && value->type != NULL &&
           strcmp(value->type, family) == 0;
}

bool call_dtype(PtsCall *call, const PtsValue *value, const char *parameter)
{
    if (is_member(value, "DataType")) {
        call->attributes.dtype = (PtsDtype)value->integer;
        return true;
    }
    call->attributes.dtype = PTS_BOTTOM;
    call->attributes.unknown |= PTS_UNKNOWN_DTYPE;
    return value_is_open(value) || refuse_type(call, value, parameter, "a data type (pypto.DT_…)");
}

bool call_member(PtsCall *call, const PtsValue *value, const char *family, const char *parameter,
                 int *field)
{
    char wanted[64];
    if (value->kind == PTS_VALUE_MISSING) {
        return true;
    }
    if (is_member(value, family)) {
        *field = (int)value->integer;
        return true;
    }
    call->attributes.unknown |= PTS_UNKNOWN_COUNT;
    snprintf(wanted, sizeof wanted, "a %s", family);
    return value_is_open(value) || refuse_type(call, value, parameter, wanted);
}

/* --- lists */

/* Is it surely a symbol, whose value only a run knows? */
static bool is_symbolic(PtsCall *call, const PtsValue *value)
{
    return value->kind == PTS_VALUE_SYM && value->sym != PTS_SYM_NONE &&
           !pts_sym_is_unknown(call->cook->context, value->sym);
}

/* One entry; PTS_SYM_NONE and true: not known. */
static bool take_entry(PtsCall *call, const PtsValue *value, const char *parameter, bool fixed,
                       PtsSym *sym)
{
    PtsValue plain = call_plain(call, *value);
    char text[256];
    if (plain.kind == PTS_VALUE_WIDE) {
        return call_refuse(call, PTS_E_VALUE, "%s does not fit 64 bits",
                           call_text(call, value, text, sizeof text));
    }
    if (fixed && is_symbolic(call, &plain)) {
        return call_refuse(call, PTS_E_TYPE,
                           "%s(): '%s' takes integers, not the symbolic scalar %s", call->name,
                           parameter, call_text(call, value, text, sizeof text));
    }
    if (plain.kind == PTS_VALUE_UNKNOWN) {
        *sym = call->cook->host->unknown(call->cook);
        return true;
    }
    if (plain.kind != PTS_VALUE_INT && plain.kind != PTS_VALUE_SYM &&
        plain.kind != PTS_VALUE_NUMBER) {
        const char *type = pts_value_type(value);
        *sym = PTS_SYM_NONE;
        return type == NULL ||
               call_refuse(call, PTS_E_TYPE, "%s(): '%s' takes integers%s, not %s", call->name,
                           parameter, fixed ? "" : " and symbolic scalars", type);
    }
    *sym = call_sym(call, &plain);
    return true;
}

bool call_list(PtsCall *call, const PtsValue *value, const char *parameter, bool fixed, int *rank,
               PtsSym *items)
{
    bool known = value_is_list(value) && !value->is_open;
    if (!value_is_list(value) && !value_is_open(value)) {
        call->attributes.unknown |= PTS_UNKNOWN_LISTS;
        return refuse_type(call, value, parameter, "a list");
    }
    for (uint32_t i = 0; known && i < value->count; i++) {
        PtsSym sym = PTS_SYM_NONE;
        if (!take_entry(call, &value->items[i], parameter, fixed, &sym)) {
            return false;
        }
        known = sym != PTS_SYM_NONE;
        items[i < PTS_MAX_RANK ? i : 0] = sym;
    }
    if (known && value->count > PTS_MAX_RANK) {
        return call_refuse(call, PTS_E_VALUE, "%s(): '%s' has %u entries; at most %d are possible",
                           call->name, parameter, value->count, PTS_MAX_RANK);
    }
    *rank = known ? (int)value->count : 0;
    call->attributes.unknown |= known ? 0U : PTS_UNKNOWN_LISTS;
    return !call->cook->failed;
}

bool call_shape(PtsCall *call, const PtsValue *value, const char *parameter, bool fixed)
{
    return call_list(call, value, parameter, fixed, &call->attributes.shape_rank,
                     call->attributes.shape);
}

bool call_offsets(PtsCall *call, const PtsValue *value, const char *parameter)
{
    return call_list(call, value, parameter, false, &call->attributes.offset_rank,
                     call->attributes.offsets);
}

bool call_valid(PtsCall *call, const PtsValue *value)
{
    return value_is_absent(value) ||
           call_list(call, value, "valid_shape", false, &call->attributes.valid_rank,
                     call->attributes.valid);
}

/* --- numbers */

static bool is_unsigned(PtsDtype dtype)
{
    return dtype == PTS_UINT8 || dtype == PTS_UINT16 || dtype == PTS_UINT32 || dtype == PTS_UINT64;
}

bool call_negative(PtsCall *call, const PtsValue *value, PtsDtype dtype)
{
    char text[64];
    PtsValue number = *value;
    if (number.kind == PTS_VALUE_ELEMENT) {
        number = number.is_real ? pts_value_real(number.real) : pts_value_int(number.integer);
    }
    bool is_real = number.kind == PTS_VALUE_FLOAT;
    bool is_int = number.kind == PTS_VALUE_INT;
    bool negative = (is_real && number.real < 0) || (is_int && number.integer < 0);
    return !negative || !is_unsigned(dtype) ||
           call_refuse_since_9_2(call, PTS_E_VALUE, "%s(): %s is negative, and %s is unsigned",
                                 call->name, call_text(call, value, text, sizeof text),
                                 pts_dtype_name(dtype));
}
