/* Conversions of builtin types: int(x), list(x), dict(…), round(x). */
#include "eval/builtin.h"

#include <math.h>

/* An int that a double represents exactly. */
bool value_is_exact(Value value)
{
    const int64_t most = INT64_C(1) << 53;
    return value_is_int(value) && value.as.integer <= most && value.as.integer >= -most;
}

/* int("12"): digits, perhaps after a minus, and nothing around them; other texts give an unknown
 * number. */
static Value int_of_text(Str text)
{
    int64_t number = 0;
    size_t at = text.length > 1 && text.at[0] == '-' ? 1 : 0;
    bool negative = at == 1;
    for (; at < text.length; at++) {
        if (text.at[at] < '0' || text.at[at] > '9' || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, text.at[at] - '0', &number)) {
            return value_number();
        }
    }
    return text.length == 0 ? value_number() : value_int(negative ? -number : number);
}

static Value to_int(Value value)
{
    const double most = 9007199254740992.0; /* 2^53 */
    if (value_is_int(value)) {
        return value_int(value.as.integer);
    }
    if (value.kind == VALUE_FLOAT && fabs(value.as.number) < most) {
        return value_int((int64_t)value.as.number);
    }
    if (value.kind == VALUE_NUMBER) {
        return value; /* with what is known of it */
    }
    return value.kind == VALUE_STR ? int_of_text(*value.as.text) : value_number();
}

Value builtin_copy(Eval *eval, Str name, Value value)
{
    const Sequence *items = eval_items(eval, NO_NODE, value);
    if (value.kind == VALUE_SET && (str_is(name, "set") || str_is(name, "frozenset")) &&
        !value.as.sequence->lost) {
        items = value.as.sequence;
    }
    if (items == NULL) {
        return value_unknown();
    }
    if (str_is(name, "set") || str_is(name, "frozenset")) {
        return set_of(eval, items);
    }
    ValueKind kind = str_is(name, "list") ? VALUE_LIST : VALUE_TUPLE;
    Value result = value_sequence(eval->arena, kind, items->count);
    result.as.sequence->birth = eval->clock;
    for (uint32_t i = 0; i < items->count; i++) {
        sequence_add(eval->arena, result.as.sequence, items->items[i]);
    }
    return result;
}

static Value absolute(Value value)
{
    if (value_is_int(value) && value.as.integer != INT64_MIN) {
        return value_int(value.as.integer < 0 ? -value.as.integer : value.as.integer);
    }
    return value.kind == VALUE_FLOAT ? value_float(fabs(value.as.number)) : value_unknown();
}

/* round(x): halves go to the even neighbour. */
static Value rounded(Value value)
{
    if (value_is_int(value)) {
        return value_int(value.as.integer);
    }
    bool fits = value.kind == VALUE_FLOAT && fabs(value.as.number) < 1e15;
    if (!fits) {
        return value_number();
    }
    double below = floor(value.as.number), part = value.as.number - below;
    bool odd = fmod(below, 2) != 0;
    return value_int((int64_t)below + (part > 0.5 || (part == 0.5 && odd)));
}

Value builtin_convert(Eval *eval, Str name, Value value)
{
    if (str_is(name, "int")) {
        return to_int(value);
    }
    if (str_is(name, "float")) {
        return value.kind == VALUE_FLOAT ? value
               : value_is_exact(value)   ? value_float((double)value.as.integer)
                                         : value_number();
    }
    if (str_is(name, "bool")) {
        Truth truth = value_truth(value);
        return truth == TRUTH_UNKNOWN ? value_number() : value_bool(truth == TRUTH_TRUE);
    }
    if (str_is(name, "abs")) {
        return absolute(value);
    }
    if (str_is(name, "round")) {
        return rounded(value);
    }
    if (str_is(name, "str")) {
        return text_of(eval, value);
    }
    return builtin_copy(eval, name, value);
}

Value builtin_dict(Eval *eval, const Arguments *arguments)
{
    Value result = dict_new(eval);
    if (arguments->positional == 1 && arguments->values[0].kind == VALUE_DICT) {
        const Dict *from = arguments->values[0].as.dict;
        result.as.dict->lost = from->lost;
        for (uint32_t i = 0; i < from->count; i++) {
            dict_set(eval, result, from->keys[i], from->values[i]);
        }
    } else if (arguments->positional == 1) {
        const Sequence *pairs = eval_items(eval, NO_NODE, arguments->values[0]);
        result.as.dict->lost = pairs == NULL;
        for (uint32_t i = 0; pairs != NULL && i < pairs->count; i++) {
            const Sequence *pair = eval_items(eval, NO_NODE, pairs->items[i]);
            bool two = pair != NULL && pair->count == 2;
            dict_set(eval, result, two ? pair->items[0] : value_unknown(),
                     two ? pair->items[1] : value_unknown());
        }
    }
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        dict_set(eval, result, value_text(eval->arena, arguments->names[i]),
                 eval_kept(eval, arguments->values[arguments->positional + i]));
    }
    return result;
}
