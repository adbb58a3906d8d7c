/* Value: making trees of values, and removing repeated keys. Reading them: value_read.c. */
#include "operator/value.h"

#include "base/ascii.h"

#include <stdlib.h>

Value *value_new(Arena *arena, ValueKind kind, uint32_t line)
{
    Value *value = ARENA_NEW(arena, Value);
    value->kind = kind;
    value->line = line;
    value->expanded = 1;
    return value;
}

Value *value_string(Arena *arena, Str text, uint32_t line)
{
    Value *value = value_new(arena, VALUE_STRING, line);
    value->text = text;
    return value;
}

Value *value_bool(Arena *arena, bool truth, uint32_t line)
{
    Value *value = value_new(arena, VALUE_BOOL, line);
    value->boolean = truth;
    return value;
}

Value *value_real(Arena *arena, Str text, double number, uint32_t line)
{
    Value *value = value_new(arena, VALUE_REAL, line);
    value->text = text;
    value->real = number;
    return value;
}

Value *value_int(Arena *arena, Str text, Str digits, unsigned base, bool negative, uint32_t line)
{
    Value *value = value_new(arena, VALUE_INT, line);
    value->text = text;
    int64_t number = 0;
    for (size_t i = 0; i < digits.length; i++) {
        unsigned digit = (unsigned)hex_digit(digits.at[i]);
        if (digit >= base) {
            continue; /* an underscore or a space */
        }
        value->real = value->real * base + digit;
        value->is_big = value->is_big || number > (INT64_MAX - (int64_t)digit) / (int64_t)base;
        number = value->is_big ? INT64_MAX : number * (int64_t)base + (int64_t)digit;
    }
    value->integer = negative ? -number : number;
    value->real = negative ? -value->real : value->real;
    return value;
}

void value_begin(ValueBuilder *builder, Arena *arena, ValueKind kind, uint32_t line)
{
    *builder = (ValueBuilder){arena, value_new(arena, kind, line), 0};
}

/* Room for one more. */
static void grow(ValueBuilder *builder)
{
    Value *value = builder->value;
    if (value->count < builder->capacity) {
        return;
    }
    if (value->kind == VALUE_MAPPING) {
        value->entries =
            vec_grow(builder->arena, value->entries, &builder->capacity, sizeof *value->entries);
    } else {
        /* The array of pointers is plain memory to vec_grow. */
        value->items = vec_grow(builder->arena, (void *)value->items, &builder->capacity,
                                sizeof *value->items);
    }
}

void value_add(ValueBuilder *builder, const Value *item)
{
    grow(builder);
    builder->value->items[builder->value->count++] = item;
}

void value_add_entry(ValueBuilder *builder, const Value *key, const Value *value)
{
    grow(builder);
    builder->value->entries[builder->value->count++] = (ValueEntry){key, value};
}

/* --- order and equality */

static bool is_number(const Value *value)
{
    return value->kind == VALUE_BOOL || value->kind == VALUE_INT || value->kind == VALUE_REAL;
}

static double number_of(const Value *value)
{
    if (value->kind == VALUE_BOOL) {
        return value->boolean ? 1 : 0;
    }
    if (value->kind == VALUE_REAL || value->is_big) {
        return value->real;
    }
    return (double)value->integer;
}

static int compare_numbers(const Value *a, const Value *b)
{
    bool exact = a->kind == VALUE_INT && b->kind == VALUE_INT && !a->is_big && !b->is_big;
    if (exact) {
        return (a->integer > b->integer) - (a->integer < b->integer);
    }
    double x = number_of(a), y = number_of(b);
    bool x_is_nan = x != x, y_is_nan = y != y;
    if (x_is_nan || y_is_nan) {
        return (int)x_is_nan - (int)y_is_nan;
    }
    return (x > y) - (x < y);
}

/* An order of values that may be keys. Tuples nest at most VALUE_MAX_DEPTH deep. */
static int compare(const Value *a, const Value *b)
{
    if (is_number(a) && is_number(b)) {
        return compare_numbers(a, b);
    }
    if (a->kind != b->kind) {
        return is_number(a) ? -1 : is_number(b) ? 1 : (int)a->kind - (int)b->kind;
    }
    if (a->kind == VALUE_STRING) {
        return str_compare(a->text, b->text);
    }
    for (uint32_t i = 0; a->kind == VALUE_LIST && i < a->count && i < b->count; i++) {
        int order = compare(a->items[i], b->items[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a->count > b->count) - (a->count < b->count);
}

bool value_equals(const Value *a, const Value *b)
{
    if (a == NULL || b == NULL || a->kind != b->kind || a->count != b->count) {
        return a == b;
    }
    bool same = true;
    switch (a->kind) {
    case VALUE_NULL:
        break;
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_REAL:
        same = a->is_big || b->is_big ? str_equal(a->text, b->text) : compare_numbers(a, b) == 0;
        break;
    case VALUE_STRING:
        same = str_equal(a->text, b->text);
        break;
    case VALUE_LIST:
    case VALUE_SET:
        for (uint32_t i = 0; i < a->count && same; i++) {
            same = value_equals(a->items[i], b->items[i]);
        }
        break;
    case VALUE_MAPPING:
        for (uint32_t i = 0; i < a->count && same; i++) {
            same = value_equals(a->entries[i].key, b->entries[i].key) &&
                   value_equals(a->entries[i].value, b->entries[i].value);
        }
        break;
    }
    return same;
}

bool value_is_key(const Value *value)
{
    if (value->kind == VALUE_LIST && value->is_tuple) {
        for (uint32_t i = 0; i < value->count; i++) {
            if (!value_is_key(value->items[i])) {
                return false;
            }
        }
        return true;
    }
    return value->kind < VALUE_LIST;
}

/* --- repeated keys */

typedef struct Slot {
    const Value *key;
    uint32_t index;
} Slot;

static int slot_compare(const void *left, const void *right)
{
    const Slot *a = left, *b = right;
    int order = compare(a->key, b->key);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static const Value *key_at(const Value *value, uint32_t index)
{
    return value->kind == VALUE_MAPPING ? value->entries[index].key : value->items[index];
}

/* Keeps one of equal keys: in a mapping the last entry, in the place of the first; in a set the
 * first element. Sorting, not hashing: no input makes it slow. */
static void remove_repeated(Arena *arena, Value *value)
{
    Slot *slots = ARENA_ARRAY(arena, Slot, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        slots[i] = (Slot){key_at(value, i), i};
    }
    qsort(slots, value->count, sizeof *slots, slot_compare);
    bool *drop = ARENA_ARRAY(arena, bool, value->count);
    for (uint32_t i = 0, first = 0; i < value->count; i++) {
        if (i == first || compare(slots[first].key, slots[i].key) != 0) {
            first = i;
            continue;
        }
        drop[slots[i].index] = true;
        if (value->kind == VALUE_MAPPING) {
            /* The key that remains is where the value that counts stands. */
            value->entries[slots[first].index] = value->entries[slots[i].index];
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < value->count; i++) {
        if (drop[i]) {
            continue;
        }
        if (value->kind == VALUE_MAPPING) {
            value->entries[kept++] = value->entries[i];
        } else {
            value->items[kept++] = value->items[i];
        }
    }
    value->count = kept;
}

static void measure(Value *value, const Value *part)
{
    value->expanded = part->expanded > UINT32_MAX - value->expanded
                          ? UINT32_MAX
                          : value->expanded + part->expanded;
    if (value->height <= part->height) {
        value->height = part->height + 1;
    }
}

Value *value_finish(ValueBuilder *builder)
{
    Value *value = builder->value;
    if (value->kind != VALUE_LIST && value->count > 1) {
        remove_repeated(builder->arena, value);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        if (value->kind == VALUE_MAPPING) {
            measure(value, value->entries[i].key);
            measure(value, value->entries[i].value);
        } else {
            measure(value, value->items[i]);
        }
    }
    return value;
}
