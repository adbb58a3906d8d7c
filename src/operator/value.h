/* Value: what a header, a module contract or a literal says, as a tree in an arena, with lines.
 *
 * Collections hold pointers, and an alias points to the value of its anchor: a value may have
 * several parents, but there are no cycles. Readers limit the size that a tree has when it is
 * written out (VALUE_MAX_EXPANDED), so walking it is safe. */
#ifndef PYPTO_LINT_OPERATOR_VALUE_H
#define PYPTO_LINT_OPERATOR_VALUE_H

#include "base/str.h"
#include "base/vec.h"

enum {
    VALUE_MAX_DEPTH = 64,
    VALUE_MAX_EXPANDED = 1000000, /* nodes, an alias counted with all that it stands for */
};

typedef enum ValueKind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_REAL,
    VALUE_STRING,
    VALUE_LIST,
    VALUE_MAPPING,
    VALUE_SET, /* only from a Python literal or a set tag; neither a list nor a mapping */
} ValueKind;

typedef struct Value Value;
typedef struct ValueEntry ValueEntry;

struct Value {
    ValueKind kind;
    uint32_t line;     /* in the document, from 1; of an alias's value: the line of its anchor */
    uint32_t expanded; /* nodes of the tree written out, itself included */
    uint32_t height;   /* levels of collections below it; 0 for a scalar or an empty one */
    bool boolean;
    bool is_tuple; /* VALUE_LIST: a Python tuple */
    bool is_plain; /* VALUE_STRING of settings: without quotes */
    bool is_big; /* VALUE_INT: beyond 63 bits; `integer` is the nearest, `text` the exact digits */
    int64_t integer;
    double real; /* VALUE_REAL */
    Str text;    /* VALUE_STRING: the string (dates too); VALUE_INT, VALUE_REAL: as written */
    const Value **items; /* VALUE_LIST, VALUE_SET */
    ValueEntry *entries; /* VALUE_MAPPING: every key once, in the order of first appearance; of a
                            repeated key both parts are those of the last one */
    uint32_t count;      /* of items or entries */
};

struct ValueEntry {
    const Value *key; /* `key->line` is the key's line */
    const Value *value;
};

/* Makers; everything in the arena. */
Value *value_new(Arena *arena, ValueKind kind, uint32_t line);
Value *value_string(Arena *arena, Str text, uint32_t line); /* `text` is not copied */
Value *value_bool(Arena *arena, bool truth, uint32_t line);
/* From digits in `base` without sign or prefix (underscores and spaces are passed over). */
Value *value_int(Arena *arena, Str text, Str digits, unsigned base, bool negative, uint32_t line);
Value *value_real(Arena *arena, Str text, double number, uint32_t line);

/* A collection that grows. Adding drops nothing: call value_finish, which removes repeated keys
 * (the last entry takes the place of the first) and elements of sets, and fills in `count`,
 * `expanded` and `height`. */
typedef struct ValueBuilder {
    Arena *arena;
    Value *value;
    uint32_t capacity;
} ValueBuilder;
void value_begin(ValueBuilder *builder, Arena *arena, ValueKind kind, uint32_t line);
void value_add(ValueBuilder *builder, const Value *item);
void value_add_entry(ValueBuilder *builder, const Value *key, const Value *value);
Value *value_finish(ValueBuilder *builder);

/* May it be a key? Not a list (a tuple may if its items may), mapping or set. */
bool value_is_key(const Value *value);

/* --- reading (all accept NULL) */

/* The entry or the value under a string key; NULL without one, or if `mapping` is not one. */
const ValueEntry *value_entry(const Value *mapping, const char *key);
const Value *value_get(const Value *mapping, const char *key);
static inline bool value_is(const Value *value, ValueKind kind)
{
    return value != NULL && value->kind == kind;
}
/* False for NULL, null, false, 0, "", and empty collections. */
bool value_truthy(const Value *value);
/* As an integer: integers, reals (truncated), booleans (0/1), strings of decimal digits. False
 * otherwise. */
bool value_to_int(const Value *value, int64_t *number);
/* As a number: the same with reals kept; strings as `1e-3`, `.5`, `inf`. False otherwise. */
bool value_to_real(const Value *value, double *number);
/* Are the trees the same: kinds, values, and items and entries in their order? */
bool value_equals(const Value *a, const Value *b);
/* Short text for messages, YAML flow form, one line, cut with "…" after about `limit` bytes; in the
 * arena. */
Str value_show(Arena *arena, const Value *value, size_t limit);
/* "list", "mapping", "string" …; the same in Chinese. */
const char *value_kind_name(const Value *value);
const char *value_kind_name_zh(const Value *value);

/* Number in a text as float() of Python reads it (surrounding white space, `_` between digits, inf,
 * nan). */
bool text_to_real(Str text, double *number);
/* As int() of Python with base 10 reads it; saturates at 63 bits. */
bool text_to_int(Str text, int64_t *number);

#endif
