/* Builtins over all items: enumerate, zip, reversed, sum, any, all, sorted. */
#include "eval/builtin.h"

/* --- iterators, which can be walked once */

static Value iterator(Eval *eval, uint32_t count)
{
    Value result = value_sequence(eval->arena, VALUE_TUPLE, count);
    result.flag = result.atom = true;
    return result;
}

Value builtin_enumerate(Eval *eval, const Arguments *arguments)
{
    Value start = arguments->positional == 2 ? arguments->values[1]
                  : arguments->keywords == 1 && str_is(arguments->names[0], "start")
                      ? arguments->values[1]
                      : value_int(0);
    const Sequence *items = arguments->positional >= 1 && arguments->positional <= 2
                                ? eval_items(eval, NO_NODE, arguments->values[0])
                                : NULL;
    if (items == NULL || !value_is_exact(start) ||
        arguments->positional + arguments->keywords > 2 ||
        (arguments->keywords == 1 && !str_is(arguments->names[0], "start"))) {
        return value_unknown();
    }
    Value result = iterator(eval, items->count);
    for (uint32_t i = 0; i < items->count; i++) {
        Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
        sequence_add(eval->arena, pair.as.sequence, value_int(start.as.integer + i));
        sequence_add(eval->arena, pair.as.sequence, items->items[i]);
        sequence_add(eval->arena, result.as.sequence, pair);
    }
    return result;
}

Value builtin_zip(Eval *eval, const Arguments *arguments)
{
    enum { MOST = 8 };
    const Sequence *columns[MOST];
    uint32_t count = arguments->positional, rows = UINT32_MAX;
    if (count == 0 || count > MOST || arguments->keywords > 0) {
        return value_unknown();
    }
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = eval_items(eval, NO_NODE, arguments->values[i]);
        if (columns[i] == NULL) {
            return value_unknown();
        }
        rows = columns[i]->count < rows ? columns[i]->count : rows;
    }
    Value result = iterator(eval, rows);
    for (uint32_t row = 0; row < rows; row++) {
        Value tuple = value_sequence(eval->arena, VALUE_TUPLE, count);
        for (uint32_t i = 0; i < count; i++) {
            sequence_add(eval->arena, tuple.as.sequence, columns[i]->items[row]);
        }
        sequence_add(eval->arena, result.as.sequence, tuple);
    }
    return result;
}

Value builtin_reversed(Eval *eval, Value value)
{
    const Sequence *items = value_is_sequence(value) ? eval_items(eval, NO_NODE, value) : NULL;
    if (items == NULL) {
        return value_unknown();
    }
    Value result = iterator(eval, items->count);
    for (uint32_t i = items->count; i > 0; i--) {
        sequence_add(eval->arena, result.as.sequence, items->items[i - 1]);
    }
    return result;
}

/* --- of all items */

Value builtin_sum(Eval *eval, const Arguments *arguments)
{
    const Sequence *items = eval_items(eval, NO_NODE, arguments->values[0]);
    Value total = arguments->positional == 2 ? arguments->values[1] : value_int(0);
    if (items == NULL || arguments->positional > 2 || arguments->keywords > 0 ||
        total.kind != VALUE_INT) {
        return value_unknown();
    }
    for (uint32_t i = 0; i < items->count; i++) {
        if (!value_is_int(items->items[i]) ||
            __builtin_add_overflow(total.as.integer, items->items[i].as.integer,
                                   &total.as.integer)) {
            return value_unknown(); /* Python's sum of floats depends on its version */
        }
    }
    return total;
}

Value builtin_quantifier(Eval *eval, Value value, bool all)
{
    const Sequence *items = eval_items(eval, NO_NODE, value);
    for (uint32_t i = 0; items != NULL && i < items->count; i++) {
        Truth truth = value_truth(items->items[i]);
        if (truth == TRUTH_UNKNOWN) {
            return value_unknown();
        }
        if ((truth == TRUTH_TRUE) != all) {
            return value_bool(!all);
        }
    }
    return items == NULL ? value_unknown() : value_bool(all);
}

/* sorted(ints or texts), reverse= known; by insertion, so equal ones keep their order. */
Value builtin_sorted(Eval *eval, const Arguments *arguments)
{
    enum { MOST = 512 };
    Value value = arguments->values[0];
    const Sequence *items = value.kind == VALUE_SET && !value.as.sequence->lost
                                ? value.as.sequence
                                : eval_items(eval, NO_NODE, value);
    bool reverse = false, known = items != NULL && items->count <= MOST;
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        Value option = arguments->values[arguments->positional + i];
        known = known && str_is(arguments->names[i], "reverse") && option.kind == VALUE_BOOL;
        reverse = known && option.as.integer != 0;
    }
    ValueKind kind = known && items->count > 0 ? (ValueKind)items->items[0].kind : VALUE_INT;
    for (uint32_t i = 0; known && i < items->count; i++) {
        known = items->items[i].kind == kind && (kind == VALUE_INT || kind == VALUE_STR);
    }
    if (!known) {
        return value_unknown();
    }
    Value result =
        builtin_copy(eval, STR("list"),
                     (Value){.kind = VALUE_LIST, .as.sequence = (Sequence *)(uintptr_t)items});
    Value *sorted = result.as.sequence->items;
    for (uint32_t i = 1; i < result.as.sequence->count; i++) {
        Value one = sorted[i];
        uint32_t at = i;
        for (; at > 0; at--) {
            Value *other = &sorted[at - 1];
            int order = kind == VALUE_INT ? (other->as.integer > one.as.integer) -
                                                (other->as.integer < one.as.integer)
                                          : str_compare(*other->as.text, *one.as.text);
            if (reverse ? order >= 0 : order <= 0) {
                break;
            }
            sorted[at] = *other;
        }
        sorted[at] = one;
    }
    return result;
}
