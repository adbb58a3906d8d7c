/* Builtins over all items: enumerate, zip, reversed, sum, any, all, sorted. */
#include "eval/builtin.h"

/* --- iterators, which can be walked once */

Value iterator_new(Eval *eval, uint32_t room)
{
    Value result = value_sequence(eval->arena, VALUE_TUPLE, room);
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
    Value result = iterator_new(eval, items->count);
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
    Value result = iterator_new(eval, rows);
    for (uint32_t row = 0; row < rows; row++) {
        Value tuple = value_sequence(eval->arena, VALUE_TUPLE, count);
        for (uint32_t i = 0; i < count; i++) {
            sequence_add(eval->arena, tuple.as.sequence, columns[i]->items[row]);
        }
        sequence_add(eval->arena, result.as.sequence, tuple);
    }
    return result;
}

static Value call_with_items(Eval *eval, NodeId call, Value callee, const Value *items,
                             uint32_t count)
{
    enum { MOST = 8 };
    Value values[MOST + 1];
    NodeId nodes[MOST + 1];
    Str names[1];
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        values[i] = items[i];
        nodes[i] = call;
    }
    Arguments arguments = {
        .call = call, .values = values, .nodes = nodes, .names = names, .positional = count};
    return eval_call_with(eval, callee, &arguments);
}

/* map() calls its function when somebody takes the next item. Where that happens at once, or makes
 * no difference, the calls are made here. */
Value builtin_map(Eval *eval, const Arguments *arguments)
{
    enum { MOST = 4 };
    uint32_t columns = arguments->positional - 1, rows = UINT32_MAX;
    Value callee = arguments->values[0];
    bool fits = arguments->positional >= 2 && columns <= MOST && arguments->keywords == 0;
    bool pure = callee.kind == VALUE_BUILTIN;
    if (!fits || (!pure && !eval_runs_at_once(eval, arguments->call))) {
        return value_unknown();
    }
    const Sequence *given[MOST];
    for (uint32_t i = 0; i < columns; i++) {
        given[i] = eval_items(eval, NO_NODE, arguments->values[i + 1]);
        if (given[i] == NULL) {
            return value_unknown();
        }
        rows = given[i]->count < rows ? given[i]->count : rows;
    }
    Value result = iterator_new(eval, rows);
    for (uint32_t row = 0; row < rows && eval_step(eval); row++) {
        Value items[MOST];
        for (uint32_t i = 0; i < columns; i++) {
            items[i] = row < given[i]->count ? given[i]->items[row] : value_unknown();
        }
        Value made = call_with_items(eval, arguments->call, callee, items, columns);
        sequence_add(eval->arena, result.as.sequence, eval_kept(eval, made));
    }
    return result.as.sequence->count == rows ? result : value_unknown();
}

Value builtin_reversed(Eval *eval, Value value)
{
    const Sequence *items = value_is_sequence(value) ? eval_items(eval, NO_NODE, value) : NULL;
    if (items == NULL) {
        return value_unknown();
    }
    Value result = iterator_new(eval, items->count);
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

/* The values by which key(item) sorts the items; NULL without a key, or when they are not known. */
static const Value *sort_keys(Eval *eval, const Arguments *arguments, const Sequence *items)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        Value key = arguments->values[arguments->positional + i];
        if (!str_is(arguments->names[i], "key") || key.kind == VALUE_NONE) {
            continue;
        }
        if (key.kind != VALUE_FUNCTION && key.kind != VALUE_BUILTIN) {
            return NULL;
        }
        Value *keys = ARENA_ARRAY(eval->arena, Value, items->count + 1);
        uint32_t count = items->count;
        for (uint32_t k = 0; k < count && k < items->count; k++) {
            keys[k] = call_with_items(eval, arguments->call, key, &items->items[k], 1);
        }
        return items->count == count ? keys : NULL;
    }
    return items->items;
}

static int key_order(Value a, Value b)
{
    return a.kind == VALUE_INT ? (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer)
                               : str_compare(*a.as.text, *b.as.text);
}

/* sorted(…) by ints or texts, reverse= known; by insertion, so equal ones keep their order. */
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
        bool turn = str_is(arguments->names[i], "reverse") && option.kind == VALUE_BOOL;
        known = known && (turn || str_is(arguments->names[i], "key"));
        reverse = turn ? option.as.integer != 0 : reverse;
    }
    const Value *given = known ? sort_keys(eval, arguments, items) : NULL;
    ValueKind kind = given != NULL && items->count > 0 ? (ValueKind)given[0].kind : VALUE_INT;
    known = given != NULL && (kind == VALUE_INT || kind == VALUE_STR);
    for (uint32_t i = 0; known && i < items->count; i++) {
        known = given[i].kind == kind;
    }
    if (!known) {
        return value_unknown();
    }
    Value result =
        builtin_copy(eval, STR("list"),
                     (Value){.kind = VALUE_LIST, .as.sequence = (Sequence *)(uintptr_t)items});
    Value *sorted = result.as.sequence->items;
    uint32_t count = result.as.sequence->count;
    Value *keys = ARENA_ARRAY(eval->arena, Value, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        Value one = sorted[i], key = given[i];
        uint32_t at = i;
        for (; at > 0; at--) {
            int order = key_order(keys[at - 1], key);
            if (reverse ? order >= 0 : order <= 0) {
                break;
            }
            sorted[at] = sorted[at - 1];
            keys[at] = keys[at - 1];
        }
        sorted[at] = one;
        keys[at] = key;
    }
    return result;
}
