/* itertools: iterators over several known iterables. */
#include "eval/builtin.h"

enum { MOST_COLUMNS = 8 };

/* The items of each positional argument; false when some are not known. */
static bool read_columns(Eval *eval, const Arguments *arguments, const Sequence **columns)
{
    if (arguments->open || arguments->positional > MOST_COLUMNS) {
        return false;
    }
    for (uint32_t i = 0; i < arguments->positional; i++) {
        columns[i] = eval_items(eval, NO_NODE, arguments->values[i]);
        if (columns[i] == NULL) {
            return false;
        }
    }
    return true;
}

/* product(a, b, …[, repeat=n]): the last one varies fastest. */
static Value product(Eval *eval, const Arguments *arguments)
{
    const Sequence *columns[MOST_COLUMNS];
    uint32_t count = arguments->positional, rows = 1;
    bool repeated = arguments->keywords == 1 && str_is(arguments->names[0], "repeat");
    int64_t repeat = 1;
    if (!read_columns(eval, arguments, columns) || (arguments->keywords > 0 && !repeated)) {
        return value_unknown();
    }
    if (repeated) {
        Value times = arguments->values[count];
        repeat = times.kind == VALUE_INT ? times.as.integer : -1;
    }
    if (repeat < 0 || repeat > MOST_COLUMNS || count * (uint32_t)repeat > MOST_COLUMNS) {
        return value_unknown();
    }
    uint32_t once = count;
    for (count = 0; count < once * (uint32_t)repeat; count++) {
        columns[count] = columns[count % once];
        if (__builtin_mul_overflow(rows, columns[count]->count, &rows) || rows > EVAL_ITEMS) {
            return value_unknown();
        }
    }
    Value result = iterator_new(eval, rows);
    for (uint32_t row = 0; row < rows; row++) {
        Value tuple = value_sequence(eval->arena, VALUE_TUPLE, count);
        for (uint32_t i = 0, left = rows, at = row; i < count; i++) {
            left /= columns[i]->count;
            sequence_add(eval->arena, tuple.as.sequence, columns[i]->items[at / left]);
            at %= left;
        }
        sequence_add(eval->arena, result.as.sequence, tuple);
    }
    return result;
}

static Value chain(Eval *eval, const Sequence *const *columns, uint32_t count)
{
    Value result = iterator_new(eval, 0);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < columns[i]->count; k++) {
            if (result.as.sequence->count >= EVAL_ITEMS) {
                return value_unknown();
            }
            sequence_add(eval->arena, result.as.sequence, columns[i]->items[k]);
        }
    }
    return result;
}

/* chain.from_iterable(lists) */
static Value chain_of(Eval *eval, const Arguments *arguments)
{
    const Sequence *lists = arguments->positional == 1 && arguments->keywords == 0
                                ? eval_items(eval, NO_NODE, arguments->values[0])
                                : NULL;
    if (lists == NULL || lists->count > EVAL_UNROLLED) {
        return value_unknown();
    }
    const Sequence *columns[EVAL_UNROLLED];
    for (uint32_t i = 0; i < lists->count; i++) {
        columns[i] = eval_items(eval, NO_NODE, lists->items[i]);
        if (columns[i] == NULL) {
            return value_unknown();
        }
    }
    return chain(eval, columns, lists->count);
}

bool library_iterator(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    const Sequence *columns[MOST_COLUMNS];
    *result = value_unknown();
    if (str_is(name, "itertools.product")) {
        *result = product(eval, arguments);
    } else if (str_is(name, "itertools.chain") && arguments->keywords == 0) {
        *result = read_columns(eval, arguments, columns)
                      ? chain(eval, columns, arguments->positional)
                      : value_unknown();
    } else if (str_is(name, "itertools.chain.from_iterable")) {
        *result = chain_of(eval, arguments);
    }
    return result->kind != VALUE_UNKNOWN;
}
