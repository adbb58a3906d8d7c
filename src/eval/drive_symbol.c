/* Symbolic scalars of a kernel that is being recorded. */
#include "eval/drive.h"

#include <stdio.h>

bool drive_is_integer(Value value)
{
    return value.kind == VALUE_INT || value.kind == VALUE_SYMBOL || value.kind == VALUE_NUMBER ||
           value.kind == VALUE_NAMED;
}

PtsSym drive_sym(Eval *eval, Value value)
{
    PtsError error;
    char name[96];
    switch ((ValueKind)value.kind) {
    case VALUE_INT:
    case VALUE_BOOL:
        return pts_sym_constant(eval->drive->context, value.as.integer, &error);
    case VALUE_NUMBER:
    case VALUE_SYMBOL:
        return value.handle == 0 ? PTS_SYM_NONE : value.handle - 1;
    case VALUE_NAMED:
        snprintf(name, sizeof name, "%.*s", STR_ARG(*value.as.text));
        return pts_sym_symbol(eval->drive->context, name, &error);
    default:
        return PTS_SYM_NONE;
    }
}

PtsSym drive_unknown(Eval *eval)
{
    PtsError error;
    if (!drive_may_record(eval)) {
        return PTS_SYM_NONE;
    }
    eval->drive->operations--; /* it is not an operation */
    PtsSym sym = pts_unknown(eval->drive->program, drive_site(eval, eval->drive->node), INT64_MIN,
                             INT64_MAX, &error);
    if (sym == PTS_SYM_NONE) {
        drive_end(eval);
    }
    return sym;
}

PtsSym drive_sym_or_new(Eval *eval, Value value)
{
    PtsSym sym = drive_sym(eval, value);
    if (sym != PTS_SYM_NONE) {
        return sym;
    }
    bool number = value.kind == VALUE_NUMBER || value.kind == VALUE_SYMBOL;
    return number ? drive_unknown(eval) : PTS_SYM_NONE;
}

/* A number that may be an int or a symbolic scalar. */
static Value number_value(Eval *eval, PtsSym sym)
{
    Value value = value_number();
    value.handle = pts_sym_is_nothing(eval->drive->context, sym) ? 0 : sym + 1;
    return value;
}

Value drive_symbol_value(Eval *eval, PtsSym sym)
{
    Value value = {.kind = VALUE_SYMBOL, .handle = sym == PTS_SYM_NONE ? 0 : sym + 1};
    value.as.atoms = UINT64_MAX;
    return sym != PTS_SYM_NONE && pts_sym_is_unknown(eval->drive->context, sym)
               ? number_value(eval, sym)
               : value;
}

Value drive_plain(Eval *eval, Value value)
{
    int64_t known;
    if ((value.kind == VALUE_SYMBOL || value.kind == VALUE_NUMBER) && value.handle > 0 &&
        pts_sym_value(eval->drive->context, value.handle - 1, &known)) {
        return value_int(known);
    }
    return value;
}

Value drive_symbol_operation(Eval *eval, PtsSymOp op, Value left, Value right)
{
    PtsError error;
    PtsSym a = drive_sym(eval, left), b = drive_sym(eval, right);
    if (a == PTS_SYM_NONE || b == PTS_SYM_NONE) {
        bool numbers = drive_is_integer(left) && drive_is_integer(right);
        bool plain = left.kind == VALUE_NUMBER || right.kind == VALUE_NUMBER;
        bool symbols = left.kind == VALUE_SYMBOL || right.kind == VALUE_SYMBOL;
        return !numbers            ? value_unknown()
               : plain && !symbols ? value_number()
                                   : drive_symbol_value(eval, PTS_SYM_NONE);
    }
    PtsSym result = pts_sym_binary(eval->drive->context, op, a, b, &error);
    Value value = drive_symbol_value(eval, result);
    bool symbolic = left.kind == VALUE_SYMBOL || left.kind == VALUE_NAMED ||
                    right.kind == VALUE_SYMBOL || right.kind == VALUE_NAMED;
    if (value.kind == VALUE_NUMBER && symbolic) {
        value.kind = VALUE_SYMBOL; /* a symbol with an unknown part is still a symbol */
        value.as.atoms = UINT64_MAX;
    }
    return value;
}

Value drive_symbol_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    bool is_min = str_is(name, "min");
    if ((is_min || str_is(name, "max")) && arguments->positional == 1 && !arguments->open) {
        return drive_symbol_operation(eval, is_min ? PTS_SYM_MIN : PTS_SYM_MAX, self,
                                      arguments->values[0]);
    }
    static const char *const same[] = {"simplify", "as_variable", "base", "as_expr"};
    if (STR_IS_ANY(name, same)) {
        return self;
    }
    if (str_is(name, "concrete")) {
        return drive_plain(eval, self);
    }
    if (str_is(name, "is_concrete")) {
        return self.handle == 0 || pts_sym_is_unknown(eval->drive->context, self.handle - 1)
                   ? value_unknown()
                   : value_bool(drive_plain(eval, self).kind == VALUE_INT);
    }
    return value_unknown();
}

SymList drive_list(Eval *eval, Value value)
{
    SymList list = {.known = true};
    drive_check_list(eval, value);
    if (!value_has_items(value)) {
        return list;
    }
    const Sequence *items = value.as.sequence;
    list.fits = items->count <= PTS_MAX_RANK;
    list.count = (int)items->count;
    for (uint32_t i = 0; list.fits && i < items->count; i++) {
        Value item = drive_plain(eval, items->items[i]);
        list.items[i] = drive_sym_or_new(eval, item.kind == VALUE_UNKNOWN ? value_number() : item);
        list.known = list.known && list.items[i] != PTS_SYM_NONE;
    }
    return list;
}
