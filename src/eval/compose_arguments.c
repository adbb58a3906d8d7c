/* Arguments of functions of the package, for those that are not recorded as they are written. */
#include "eval/compose.h"

/* The argument, or None. */
Value compose_argument(const Arguments *arguments, const char *names, uint32_t place)
{
    const Value *value = drive_argument(arguments, names, place);
    return value == NULL ? value_none() : *value;
}

bool compose_need_tensor(Eval *eval, const char *what, const char *name, Value value)
{
    if (value.kind == VALUE_TENSOR) {
        return true;
    }
    bool sure = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    if (sure) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001, "%s(): '%s' must be a tensor",
                     what, name);
    }
    return false;
}

int compose_member(Value value, int none)
{
    return value.kind == VALUE_NONE                         ? none
           : value.kind == VALUE_MEMBER && value.handle > 0 ? (int)value.handle - 1
                                                            : -1;
}
