/* pypto functions that are handled individually: declarations, constants, convolutions. */
#include "eval/drive.h"

#include <stdio.h>

typedef Value Compose(Eval *eval, const Arguments *arguments);

/* The argument, or None. */
static Value argument_of(const Arguments *arguments, const char *names, uint32_t place)
{
    const Value *value = drive_argument(arguments, names, place);
    return value == NULL ? value_none() : *value;
}

/* The number of a member of an enum, `none` for None; -1: not known. */
static int member_number(Value value, int none)
{
    return value.kind == VALUE_NONE                         ? none
           : value.kind == VALUE_MEMBER && value.handle > 0 ? (int)value.handle - 1
                                                            : -1;
}

/* --- values of the package */

static Value declare(Eval *eval, const Arguments *arguments)
{
    PtsError error;
    Value dtype = argument_of(arguments, "dtype", 1), name = argument_of(arguments, "name", 2);
    Value format = argument_of(arguments, "format", 3);
    SymList shape = drive_list(eval, argument_of(arguments, "shape", 0));
    int number = drive_dtype(dtype);
    drive_check_dtype(eval, "Tensor", "dtype", dtype);
    bool known = (number >= 0 || dtype.kind == VALUE_UNKNOWN) && shape.fits && shape.known &&
                 shape.count > 0 && (format.kind == VALUE_NONE || member_number(format, 0) >= 0);
    if (!drive_may_record(eval) || !known) {
        eval->drive->carried = true;
        return value_tensor();
    }
    char text[96] = "";
    if (name.kind == VALUE_STR) {
        snprintf(text, sizeof text, "%.*s", STR_ARG(*name.as.text));
    }
    PtsSite site = {eval->drive->file, (int)node_line(eval->module, arguments->call)};
    PtsSlot slot = pts_declare(eval->drive->program, number < 0 ? PTS_BOTTOM : (PtsDtype)number,
                               shape.count, shape.items,
                               member_number(format, 0) == 1 ? PTS_NZ : PTS_ND, text, site, &error);
    if (slot == PTS_SLOT_NONE) {
        drive_refused(eval, EVAL_SHAPE, &error);
    }
    return drive_tensor(slot);
}

static Value compose_element(Eval *eval, const Arguments *arguments)
{
    int dtype = drive_dtype(argument_of(arguments, "dtype", 0));
    Value data = argument_of(arguments, "data|value", 1);
    (void)eval;
    if (dtype < 0 || (data.kind != VALUE_INT && data.kind != VALUE_FLOAT)) {
        return value_unknown();
    }
    Value element = {
        .kind = VALUE_ELEMENT, .flag = data.kind == VALUE_FLOAT, .handle = (uint32_t)dtype + 1};
    element.as = data.as;
    return element;
}

/* A convolution is a recipe; about its tiles only their presence is tracked. */
Value drive_conv(Eval *eval, const Arguments *arguments)
{
    static const char *const names[] = {
        "input_conv", "weight", "out_dtype",  "strides",         "paddings",
        "dilations",  "groups", "transposed", "output_paddings", "extend_params"};
    enum { PLACES = 6, COUNT = sizeof names / sizeof *names };
    Value values[COUNT + 1];
    for (uint32_t i = 0; i < COUNT; i++) {
        const Value *given = drive_argument(arguments, names[i], i < PLACES ? i : UINT32_MAX);
        values[i] = given != NULL ? *given : i < PLACES ? value_unknown() : value_none();
    }
    values[6] = values[6].kind == VALUE_NONE ? value_int(1) : values[6];
    values[7] = values[7].kind == VALUE_NONE ? value_bool(false) : values[7];
    values[COUNT] = eval->drive->has_conv_tiles ? value_unknown() : value_none();
    Value made = drive_cook(eval, "conv", COUNT + 1, values);
    return made.kind == VALUE_UNKNOWN ? value_tensor() : made;
}

bool drive_composed(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const struct {
        const char *name;
        Compose *compose;
    } table[] = {
        {"tensor", declare},
        {"Tensor", declare},
        {"Element", compose_element},
        {"element", compose_element},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            *result = table[i].compose(eval, arguments);
            return true;
        }
    }
    return false;
}
