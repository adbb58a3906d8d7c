/* Values of recipes: their types, symbols and texts. */
#include "model/recipe_call.h"

#include "model/sym.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PtsValue pts_value(PtsValueKind kind)
{
    return (PtsValue){
        .kind = kind, .dtype = PTS_BOTTOM, .slot = PTS_SLOT_NONE, .sym = PTS_SYM_NONE};
}

PtsValue pts_value_int(int64_t integer)
{
    PtsValue value = pts_value(PTS_VALUE_INT);
    value.integer = integer;
    return value;
}

PtsValue pts_value_real(double real)
{
    PtsValue value = pts_value(PTS_VALUE_FLOAT);
    value.real = real;
    return value;
}

PtsValue pts_value_tensor(PtsSlot slot)
{
    PtsValue value = pts_value(PTS_VALUE_TENSOR);
    value.slot = slot;
    return value;
}

PtsValue pts_value_sym(PtsSym sym)
{
    PtsValue value = pts_value(PTS_VALUE_SYM);
    value.sym = sym;
    return value;
}

const char *pts_value_type(const PtsValue *value)
{
    static const char *const types[] = {
        [PTS_VALUE_NONE] = "NoneType",   [PTS_VALUE_BOOL] = "bool",
        [PTS_VALUE_INT] = "int",         [PTS_VALUE_WIDE] = "int",
        [PTS_VALUE_FLOAT] = "float",     [PTS_VALUE_TEXT] = "str",
        [PTS_VALUE_LIST] = "list",       [PTS_VALUE_TUPLE] = "tuple",
        [PTS_VALUE_DICT] = "dict",       [PTS_VALUE_SLICE] = "slice",
        [PTS_VALUE_DOTS] = "ellipsis",   [PTS_VALUE_SYM] = "SymbolicScalar",
        [PTS_VALUE_ELEMENT] = "Element", [PTS_VALUE_TENSOR] = "Tensor",
        [PTS_VALUE_OTHER] = NULL,
    };
    return value->type != NULL ? value->type : types[value->kind];
}

bool call_is_integer(PtsCall *call, const PtsValue *value)
{
    PtsValue whole = *value;
    switch (value->kind) {
    case PTS_VALUE_INT:
    case PTS_VALUE_WIDE:
    case PTS_VALUE_SYM:
    case PTS_VALUE_NUMBER:
        return true;
    case PTS_VALUE_OTHER:
        return call->cook->host->whole(call->cook, &whole);
    default:
        return false;
    }
}

PtsValue call_plain(PtsCall *call, PtsValue value)
{
    int64_t known;
    bool is_symbol = value.kind == PTS_VALUE_SYM || value.kind == PTS_VALUE_NUMBER;
    if (is_symbol && value.sym != PTS_SYM_NONE &&
        pts_sym_value(call->cook->context, value.sym, &known)) {
        return pts_value_int(known);
    }
    if (value.kind == PTS_VALUE_OTHER) {
        call->cook->host->whole(call->cook, &value);
    }
    return value;
}

PtsSym call_constant(PtsCall *call, int64_t value)
{
    return pts_sym_constant(call->cook->context, value, NULL);
}

PtsSym call_binary(PtsCall *call, PtsSymOp op, PtsSym a, PtsSym b)
{
    return a == PTS_SYM_NONE || b == PTS_SYM_NONE
               ? PTS_SYM_NONE
               : pts_sym_binary(call->cook->context, op, a, b, NULL);
}

PtsSym call_sym(PtsCall *call, const PtsValue *value)
{
    PtsValue plain = call_plain(call, *value);
    switch (plain.kind) {
    case PTS_VALUE_INT:
        return call_constant(call, plain.integer);
    case PTS_VALUE_SYM:
    case PTS_VALUE_NUMBER:
        return plain.sym != PTS_SYM_NONE ? plain.sym : call->cook->host->unknown(call->cook);
    default:
        return PTS_SYM_NONE;
    }
}

/* As Python prints it: the shortest text that reads back as the number. */
static void print_real(double real, char *text, size_t size)
{
    int digits = 1, exponent = 0;
    char shown[40];
    if (!isfinite(real)) {
        snprintf(text, size, "%s", isnan(real) ? "nan" : real > 0 ? "inf" : "-inf");
        return;
    }
    do {
        snprintf(shown, sizeof shown, "%.*e", digits - 1, real);
    } while (strtod(shown, NULL) != real && ++digits <= 17);
    /* Not atoi: with the headers of glibc 2.38 it needs a symbol that older ones do not have. */
    exponent = (int)strtod(strchr(shown, 'e') + 1, NULL);
    if (exponent >= -4 && exponent < 16) {
        int decimals = digits - 1 - exponent;
        snprintf(shown, sizeof shown, "%.*f", decimals < 1 ? 1 : decimals, real);
    }
    snprintf(text, size, "%s", shown);
}

static void print_element(const PtsValue *value, char *text, size_t size)
{
    char number[40];
    if (value->is_real) {
        print_real(value->real, number, sizeof number);
    } else {
        snprintf(number, sizeof number, "%lld", (long long)value->integer);
    }
    snprintf(text, size, "Element(DataType.%s, %s)", pts_dtype_name(value->dtype), number);
}

const char *call_text(PtsCall *call, const PtsValue *value, char *text, size_t size)
{
    text[0] = '\0';
    if (value->kind == PTS_VALUE_FLOAT && value->type == NULL) {
        print_real(value->real, text, size);
    } else if (value->kind == PTS_VALUE_ELEMENT) {
        print_element(value, text, size);
    } else if (value->origin != NULL) {
        call->cook->host->write(call->cook, value, text, size);
    } else if (value->sym != PTS_SYM_NONE) {
        pts_sym_text(call->cook->context, value->sym, text, size);
    } else {
        snprintf(text, size, "%lld", (long long)value->integer);
    }
    return text;
}

bool call_info(PtsCall *call, const PtsValue *tensor, PtsSlotInfo *info)
{
    return tensor->kind == PTS_VALUE_TENSOR && call->cook->host->info(call->cook, tensor, info);
}
