/* Functions of the package with forms of their own: declarations, constants, convolutions. */
#include "eval/compose.h"

#include <stdio.h>

typedef Value Compose(Eval *eval, const Arguments *arguments);

/* --- values of the package */

static Value declare(Eval *eval, const Arguments *arguments)
{
    PtsError error;
    Value dtype = compose_argument(arguments, "dtype", 1),
          name = compose_argument(arguments, "name", 2);
    Value format = compose_argument(arguments, "format", 3);
    SymList shape = drive_list(eval, compose_argument(arguments, "shape", 0));
    int number = drive_dtype(dtype);
    drive_check_dtype(eval, "Tensor", "dtype", dtype);
    bool known = (number >= 0 || dtype.kind == VALUE_UNKNOWN) && shape.fits && shape.known &&
                 shape.count > 0 && (format.kind == VALUE_NONE || compose_member(format, 0) >= 0);
    if (!drive_may_record(eval) || !known) {
        eval->drive->carried = true;
        return value_tensor();
    }
    char text[96] = "";
    if (name.kind == VALUE_STR) {
        snprintf(text, sizeof text, "%.*s", STR_ARG(*name.as.text));
    }
    PtsSite site = {eval->drive->file, (int)node_line(eval->module, arguments->call)};
    PtsSlot slot = pts_declare(
        eval->drive->program, number < 0 ? PTS_BOTTOM : (PtsDtype)number, shape.count, shape.items,
        compose_member(format, 0) == 1 ? PTS_NZ : PTS_ND, text, site, &error);
    if (slot == PTS_SLOT_NONE) {
        drive_refused(eval, EVAL_SHAPE, &error);
    }
    return drive_tensor(slot);
}

static Value compose_element(Eval *eval, const Arguments *arguments)
{
    int dtype = drive_dtype(compose_argument(arguments, "dtype", 0));
    Value data = compose_argument(arguments, "data|value", 1);
    (void)eval;
    if (dtype < 0 || (data.kind != VALUE_INT && data.kind != VALUE_FLOAT)) {
        return value_unknown();
    }
    Value element = {
        .kind = VALUE_ELEMENT, .flag = data.kind == VALUE_FLOAT, .handle = (uint32_t)dtype + 1};
    element.as = data.as;
    return element;
}

bool drive_composed(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const struct {
        const char *name;
        Compose *compose;
    } table[] = {
        {"conv", compose_conv},       {"tensor", declare},          {"Tensor", declare},
        {"Element", compose_element}, {"element", compose_element},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            *result = table[i].compose(eval, arguments);
            return true;
        }
    }
    return false;
}
