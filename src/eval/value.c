/* Operations on values; see value.h. */
#include "eval/value.h"

#include <math.h>

enum { MAX_NESTING = 16 };

/* --- names of kinds */

static const struct KindNames {
    const char *type, *word; /* NULL: none */
} kind_names[] = {
    [VALUE_UNKNOWN] = {NULL, NULL},
    [VALUE_NUMBER] = {NULL, "number"},
    [VALUE_NONE] = {"NoneType", "None"},
    [VALUE_BOOL] = {"bool", "bool"},
    [VALUE_INT] = {"int", "int"},
    [VALUE_FLOAT] = {"float", "float"},
    [VALUE_STR] = {"str", "str"},
    [VALUE_LIST] = {"list", "list"},
    [VALUE_TUPLE] = {"tuple", "tuple"},
    [VALUE_DICT] = {"dict", "dict"},
    [VALUE_SYMBOL] = {"SymbolicScalar", "symbol"},
    [VALUE_TENSOR] = {"Tensor", "tensor"},
    [VALUE_LOOP] = {NULL, "loop"},
    [VALUE_API] = {"function", "function"},
    [VALUE_MEMBER] = {"DataType", "constant"},
    [VALUE_FUNCTION] = {"function", "function"},
    [VALUE_BUILTIN] = {NULL, "function"},
    [VALUE_METHOD] = {NULL, "function"},
    [VALUE_ELEMENT] = {"Element", NULL},
    [VALUE_NAMED] = {NULL, "symbol"},
    [VALUE_SET] = {"set", NULL},
    [VALUE_PARTIAL] = {NULL, "function"}, /* the last: all kinds have a row */
};

static const struct KindNames *names_of(Value value)
{
    static const struct KindNames none = {NULL, NULL};
    return value.kind < sizeof kind_names / sizeof *kind_names ? &kind_names[value.kind] : &none;
}

const char *value_type(Value value)
{
    bool view = value.kind == VALUE_TUPLE && (value.flag || value.atom); /* a range, an iterator */
    bool other = value.kind == VALUE_API && value.as.fact->kind != API_FACT_FUNCTION;
    return view || other ? NULL : names_of(value)->type;
}

const char *value_word(Value value)
{
    const char *word = names_of(value)->word;
    return word == NULL ? "unknown" : word;
}

Value value_text(Arena *arena, Str text)
{
    Str *copy = ARENA_NEW(arena, Str);
    *copy = text;
    return (Value){.kind = VALUE_STR, .as.text = copy};
}

Value value_sequence(Arena *arena, ValueKind kind, uint32_t capacity)
{
    Sequence *sequence = ARENA_NEW(arena, Sequence);
    sequence->items = capacity == 0 ? NULL : ARENA_ARRAY(arena, Value, capacity);
    sequence->capacity = capacity;
    return (Value){.kind = (uint8_t)kind, .as.sequence = sequence};
}

void sequence_add(Arena *arena, Sequence *sequence, Value item)
{
    VEC_PUSH(arena, sequence, item);
}

static Truth instance_truth(const Instance *instance)
{
    if (instance->items != NULL) {
        return instance->items->count > 0 ? TRUTH_TRUE : TRUTH_FALSE;
    }
    bool sure =
        !instance->class->has_truth && !instance->class->is_mixed && !instance->class->is_module;
    return sure ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

Truth value_truth(Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_NONE:
        return TRUTH_FALSE;
    case VALUE_BOOL:
    case VALUE_INT:
        return value.as.integer != 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_FLOAT:
        return value.as.number != 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_STR:
        return value.as.text->length > 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_LIST:
    case VALUE_TUPLE:
        if (!value_has_items(value)) {
            return TRUTH_UNKNOWN;
        }
        return value.as.sequence->count > 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_DICT:
        if (value.as.dict->lost) {
            return TRUTH_UNKNOWN;
        }
        return value.as.dict->count > 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_SET:
        if (value.as.sequence->lost) {
            return TRUTH_UNKNOWN;
        }
        return value.as.sequence->count > 0 ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_INSTANCE:
        return instance_truth(value.as.instance);
    case VALUE_FUNCTION:
    case VALUE_CLASS:
    case VALUE_MODULE:
    case VALUE_KERNEL:
    case VALUE_BUILTIN:
    case VALUE_METHOD:
    case VALUE_PARTIAL:
        return TRUTH_TRUE;
    default:
        return TRUTH_UNKNOWN;
    }
}

static bool is_plain(Value value)
{
    return value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
}

static bool is_number(Value value)
{
    return value_is_int(value) || value.kind == VALUE_FLOAT;
}

static Truth sequences_equal(Value a, Value b, int depth)
{
    if (!value_has_items(a) || !value_has_items(b) || a.flag || b.flag) {
        return TRUTH_UNKNOWN;
    }
    if (a.as.sequence->count != b.as.sequence->count) {
        return TRUTH_FALSE;
    }
    Truth all = TRUTH_TRUE;
    for (uint32_t i = 0; i < a.as.sequence->count && all != TRUTH_FALSE; i++) {
        Truth one = value_equal(a.as.sequence->items[i], b.as.sequence->items[i], depth + 1);
        all = one == TRUTH_TRUE ? all : one;
        if (one == TRUTH_UNKNOWN) {
            return TRUTH_UNKNOWN;
        }
    }
    return all;
}

static Truth instances_equal(const Instance *a, const Instance *b, int depth)
{
    if (a->items != NULL && b->items != NULL) {
        Value left = {.kind = VALUE_TUPLE, .as.sequence = a->items};
        Value right = {.kind = VALUE_TUPLE, .as.sequence = b->items};
        return sequences_equal(left, right, depth);
    }
    if (a->class->has_equal || b->class->has_equal || a->items != b->items || a->class->is_mixed ||
        b->class->is_mixed) {
        return a == b && a->class->form == CLASS_ENUM ? TRUTH_TRUE : TRUTH_UNKNOWN;
    }
    if (a == b) {
        return TRUTH_TRUE;
    }
    bool data = a->class->form == CLASS_DATA || a->class->form == CLASS_NAMESPACE ||
                b->class->form == CLASS_DATA || b->class->form == CLASS_NAMESPACE;
    return data ? TRUTH_UNKNOWN : TRUTH_FALSE; /* dataclasses compare fields */
}

/* Equality of members of enums, dtypes and names of other packages. */
static Truth members_equal(Value a, Value b, int depth)
{
    bool none = a.kind == VALUE_NONE || b.kind == VALUE_NONE;
    if (a.kind == VALUE_INSTANCE && b.kind == VALUE_INSTANCE) {
        return instances_equal(a.as.instance, b.as.instance, depth);
    }
    if (none && (a.kind == VALUE_INSTANCE || b.kind == VALUE_INSTANCE)) {
        const Instance *one = a.kind == VALUE_INSTANCE ? a.as.instance : b.as.instance;
        return one->class->has_equal ? TRUTH_UNKNOWN : TRUTH_FALSE;
    }
    if (a.kind == VALUE_OUTSIDE && b.kind == VALUE_OUTSIDE) {
        bool dtypes = host_is_dtype(a) && host_is_dtype(b);
        return str_equal(*a.as.text, *b.as.text) ? TRUTH_TRUE
               : dtypes                          ? TRUTH_FALSE
                                                 : TRUTH_UNKNOWN;
    }
    if (a.kind == VALUE_KERNEL && b.kind == VALUE_KERNEL) {
        return a.as.integer == b.as.integer ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind != VALUE_MEMBER || b.kind != VALUE_MEMBER) {
        return TRUTH_UNKNOWN;
    }
    bool same = a.as.fact == b.as.fact && a.handle == b.handle;
    bool dtypes =
        strncmp(a.as.fact->name, "DT_", 3) == 0 && strncmp(b.as.fact->name, "DT_", 3) == 0;
    bool known = a.as.fact->kind == API_FACT_CONSTANT || a.handle > 0;
    return same && known ? TRUTH_TRUE : !same && dtypes ? TRUTH_FALSE : TRUTH_UNKNOWN;
}

Truth value_equal(Value a, Value b, int depth)
{
    if (depth > MAX_NESTING || !is_plain(a) || !is_plain(b)) {
        return depth > MAX_NESTING ? TRUTH_UNKNOWN : members_equal(a, b, depth);
    }
    if (value_is_int(a) && value_is_int(b)) {
        return a.as.integer == b.as.integer ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (is_number(a) && is_number(b)) {
        if (a.kind != b.kind) {
            return TRUTH_UNKNOWN; /* int and float: Python compares exactly, this would round */
        }
        return a.as.number == b.as.number ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind != b.kind) {
        return TRUTH_FALSE;
    }
    switch ((ValueKind)a.kind) {
    case VALUE_NONE:
        return TRUTH_TRUE;
    case VALUE_STR:
        return str_equal(*a.as.text, *b.as.text) ? TRUTH_TRUE : TRUTH_FALSE;
    case VALUE_LIST:
    case VALUE_TUPLE:
        return sequences_equal(a, b, depth);
    default:
        return TRUTH_UNKNOWN;
    }
}

bool value_same(Value a, Value b)
{
    if (a.kind != b.kind || a.flag != b.flag || a.atom != b.atom || a.dtype != b.dtype ||
        a.handle != b.handle) {
        return false;
    }
    switch ((ValueKind)a.kind) {
    case VALUE_UNKNOWN:
    case VALUE_NUMBER:
    case VALUE_NONE:
    case VALUE_PACKAGE:
        return true;
    case VALUE_STR:
    case VALUE_BUILTIN:
    case VALUE_NAMED:
    case VALUE_OUTSIDE:
        return str_equal(*a.as.text, *b.as.text);
    case VALUE_FLOAT:
        return a.as.number == b.as.number && signbit(a.as.number) == signbit(b.as.number);
    default:
        return a.as.integer == b.as.integer; /* the same number, or the same object */
    }
}

static bool repr_text(Buf *buf, Str text)
{
    buf_add_char(buf, '\'');
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (c < ' ' || c > '~' || c == '\'' || c == '\\') {
            return false;
        }
        buf_add_char(buf, c);
    }
    buf_add_char(buf, '\'');
    return true;
}

static bool repr_items(Buf *buf, Value value, int depth)
{
    const Sequence *sequence = value.as.sequence;
    if (!value_has_items(value) || value.flag) {
        return false;
    }
    bool is_list = value.kind == VALUE_LIST;
    buf_add_char(buf, is_list ? '[' : '(');
    for (uint32_t i = 0; i < sequence->count; i++) {
        buf_add(buf, i == 0 ? STR("") : STR(", "));
        if (!value_repr(buf, sequence->items[i], depth + 1)) {
            return false;
        }
    }
    buf_add(buf, is_list ? STR("]") : sequence->count == 1 ? STR(",)") : STR(")"));
    return true;
}

static bool repr_dict(Buf *buf, const Dict *dict, int depth)
{
    if (dict->lost) {
        return false;
    }
    buf_add_char(buf, '{');
    for (uint32_t i = 0; i < dict->count; i++) {
        buf_add(buf, i == 0 ? STR("") : STR(", "));
        if (!value_repr(buf, dict->keys[i], depth + 1)) {
            return false;
        }
        buf_add(buf, STR(": "));
        if (!value_repr(buf, dict->values[i], depth + 1)) {
            return false;
        }
    }
    buf_add_char(buf, '}');
    return true;
}

bool value_repr(Buf *buf, Value value, int depth)
{
    if (depth > MAX_NESTING) {
        return false;
    }
    switch ((ValueKind)value.kind) {
    case VALUE_NONE:
        buf_add(buf, STR("None"));
        return true;
    case VALUE_BOOL:
        buf_add(buf, value.as.integer != 0 ? STR("True") : STR("False"));
        return true;
    case VALUE_INT:
        buf_addf(buf, "%lld", (long long)value.as.integer);
        return true;
    case VALUE_FLOAT: /* written as bits: printf cannot make Python's shortest repr */
        buf_addf(buf, "float.fromhex('%a')", value.as.number);
        return true;
    case VALUE_STR:
        return repr_text(buf, *value.as.text);
    case VALUE_LIST:
    case VALUE_TUPLE:
        return repr_items(buf, value, depth);
    case VALUE_DICT:
        return repr_dict(buf, value.as.dict, depth);
    default:
        return false;
    }
}
