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

/* Puts a list into attributes; false when it is not wholly known. */
bool compose_take(SymList list, int *rank, PtsSym *items)
{
    if (!list.fits || !list.known) {
        return false;
    }
    *rank = list.count;
    memcpy(items, list.items, sizeof list.items);
    return true;
}

bool compose_take_valid(Eval *eval, Value valid, PtsAttributes *attributes)
{
    return valid.kind == VALUE_NONE ||
           compose_take(drive_list(eval, valid, false), &attributes->valid_rank, attributes->valid);
}

/* The tensors of a list as operands; false when they are not all known. */
bool compose_tensors_of(Value list, Value *operands, uint32_t most, uint32_t *count)
{
    if (!value_has_items(list) || list.as.sequence->count > most) {
        return false;
    }
    *count = list.as.sequence->count;
    for (uint32_t i = 0; i < *count; i++) {
        operands[i] = list.as.sequence->items[i];
        if (operands[i].kind != VALUE_TENSOR) {
            return false;
        }
    }
    return true;
}

double compose_real_of(Value value, double none, bool *known)
{
    if (value.kind == VALUE_INT) {
        return (double)value.as.integer;
    }
    *known = *known && (value.kind == VALUE_FLOAT || value.kind == VALUE_NONE);
    return value.kind == VALUE_FLOAT ? value.as.number : none;
}

bool compose_flag_of(const Arguments *arguments, const char *name, bool *known)
{
    Value value = compose_argument(arguments, name, UINT32_MAX);
    *known = *known && (value.kind == VALUE_NONE || value.kind == VALUE_BOOL);
    return value.kind == VALUE_BOOL && value.as.integer != 0;
}
