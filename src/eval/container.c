/* Containers: dicts, sets, iterables; what remains known of them when something may have changed
 * them, or when one of two values may be meant. */
#include "eval/host.h"

/* --- what is known of both */

Value value_hidden(Eval *eval, Value value)
{
    value_lose(eval, value);
    return value_unknown();
}

Value value_join(Eval *eval, Value a, Value b)
{
    if (value_same(a, b)) {
        return a;
    }
    if (a.kind == VALUE_TENSOR && b.kind == VALUE_TENSOR) {
        /* While a kernel is recorded it is one of two slots: a write may change either. */
        return a.handle == 0 && b.handle == 0 ? value_tensor() : value_unknown();
    }
    if (value_is_host_number(a) && value_is_host_number(b)) {
        return value_number();
    }
    if (a.kind == VALUE_HOST && b.kind == VALUE_HOST) {
        return host_join(eval, a.as.host, b.as.host);
    }
    if (a.kind == VALUE_OUTSIDE && b.kind == VALUE_OUTSIDE && str_equal(*a.as.text, *b.as.text)) {
        a.dtype = 0; /* two devices: it is one, whichever */
        return a;
    }
    value_lose(eval, a);
    return value_hidden(eval, b);
}

/* --- what others may have changed */

static void lose(Eval *eval, Value value, int depth);

static void lose_items(Eval *eval, const Sequence *sequence, int depth)
{
    for (uint32_t i = 0; i < sequence->count && eval_step(eval); i++) {
        lose(eval, sequence->items[i], depth);
    }
}

/* Is the class frozen, and does no file get around that with object.__setattr__ or __dict__? */
static bool stays_frozen(const Eval *eval, const Class *class)
{
    bool stays = class->is_frozen;
    for (uint32_t i = 0; stays && class->form == CLASS_DATA && i < eval->units.count; i++) {
        stays = !unit_changes_frozen(eval->units.items[i]);
    }
    return stays;
}

static void lose_instance(Eval *eval, Instance *instance, int depth)
{
    if (instance->class->form == CLASS_ENUM || instance->lost) {
        return;
    }
    instance->lost = !stays_frozen(eval, instance->class);
    for (uint32_t i = 0; i < instance->names->bindings.count && eval_step(eval); i++) {
        Value value = instance->names->bindings.items[i].value;
        if (instance->class->is_module && value.kind == VALUE_HOST) {
            torch_module_lose_tensor(value.as.host);
        }
        lose(eval, value, depth);
    }
}

Value value_hidden_items(Eval *eval, Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_SET:
        lose_items(eval, value.as.sequence, 0);
        break;
    case VALUE_DICT:
        lose_items(eval, &(Sequence){.items = value.as.dict->values, .count = value.as.dict->count},
                   0);
        break;
    default:
        value_lose(eval, value);
        break;
    }
    return value_unknown();
}

static void lose_dict(Eval *eval, Dict *dict, int depth)
{
    if (!dict->lost) {
        dict->lost = true;
        lose_items(eval, &(Sequence){.items = dict->values, .count = dict->count}, depth);
    }
}

static void lose(Eval *eval, Value value, int depth)
{
    enum { DEEPEST = 8 };
    if (depth > DEEPEST) {
        return;
    }
    switch ((ValueKind)value.kind) {
    case VALUE_UNKNOWN:
        if (value_is_choice(value)) {
            lose_items(eval, value.as.sequence, depth + 1);
        }
        return;
    case VALUE_LIST:
    case VALUE_SET:
        if (!value.as.sequence->lost) {
            value.as.sequence->lost = true;
            lose_items(eval, value.as.sequence, depth + 1);
        }
        return;
    case VALUE_TUPLE:
        lose_items(eval, value.as.sequence, depth + 1);
        return;
    case VALUE_DICT:
        lose_dict(eval, value.as.dict, depth + 1);
        return;
    case VALUE_INSTANCE:
        lose_instance(eval, value.as.instance, depth + 1);
        return;
    case VALUE_TENSOR: /* a recording knows its shape */
        if (eval->drive == NULL && value.as.axes != NULL) {
            *value.as.axes = value_unknown();
        }
        return;
    case VALUE_METHOD: /* whoever has it may call it */
        lose(eval, *value.as.method->self, depth + 1);
        return;
    case VALUE_SUPER:
        lose_instance(eval, value.as.super->self, depth + 1);
        return;
    case VALUE_FUNCTION:
        eval_lose_function(eval, value.as.function, depth + 1);
        return;
    case VALUE_PARTIAL:
        lose(eval, value.as.partial->callee, depth + 1);
        for (uint32_t i = 0; i < value.as.partial->bound.positional; i++) {
            lose(eval, value.as.partial->bound.values[i], depth + 1);
        }
        for (uint32_t i = 0; i < value.as.partial->bound.keywords; i++) {
            const Arguments *bound = &value.as.partial->bound;
            lose(eval, bound->values[bound->positional + i], depth + 1);
        }
        return;
    default:
        return;
    }
}

void value_lose(Eval *eval, Value value)
{
    lose(eval, value, 0);
}

static uint32_t birth_of(Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_LIST:
    case VALUE_SET:
        return value.as.sequence->birth;
    case VALUE_DICT:
        return value.as.dict->birth;
    case VALUE_INSTANCE:
        return value.as.instance->birth;
    default:
        return 0;
    }
}

bool may_change(Eval *eval, Value value)
{
    bool loses = birth_of(value) < eval->region;
    bool lost = false;
    switch ((ValueKind)value.kind) {
    case VALUE_LIST:
    case VALUE_SET: /* the end of an open one is unknown */
        loses = loses || value.as.sequence->open || value.as.sequence->in_choice;
        lost = value.as.sequence->lost;
        break;
    case VALUE_DICT:
        loses = loses || value.as.dict->in_choice;
        lost = value.as.dict->lost;
        break;
    case VALUE_INSTANCE:
        loses = loses || value.as.instance->in_choice;
        lost = value.as.instance->lost;
        break;
    default:
        lost = true;
        break;
    }
    if (loses) {
        value_lose(eval, value);
    }
    return !loses && !lost;
}

/* --- dicts and sets */

/* Is it a key whose equality with other keys is always known? */
static bool is_key(Value key, int depth)
{
    enum { DEEPEST = 4 };
    if (key.kind == VALUE_TUPLE && value_has_items(key) && !key.flag && depth < DEEPEST) {
        for (uint32_t i = 0; i < key.as.sequence->count; i++) {
            if (!is_key(key.as.sequence->items[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    bool member = key.kind == VALUE_INSTANCE && key.as.instance->class->form == CLASS_ENUM &&
                  !key.as.instance->class->is_mixed;
    bool dtype = key.kind == VALUE_MEMBER && strncmp(key.as.fact->name, "DT_", 3) == 0;
    return value_is_int(key) || key.kind == VALUE_STR || key.kind == VALUE_NONE || member ||
           dtype || host_is_dtype(key);
}

Value dict_new(Eval *eval)
{
    Value result = {.kind = VALUE_DICT};
    result.as.dict = ARENA_NEW(eval->arena, Dict);
    result.as.dict->birth = eval->clock;
    return result;
}

void dict_set(Eval *eval, Value value, Value key, Value item)
{
    Dict *dict = value.as.dict;
    if (!is_key(key, 0) || dict->count >= EVAL_ITEMS || dict->lost) {
        value_lose(eval, value);
        value_lose(eval, item);
        return;
    }
    for (uint32_t i = 0; i < dict->count; i++) {
        Truth equal = value_equal(dict->keys[i], key, 0);
        if (equal == TRUTH_TRUE) {
            dict->values[i] = item;
            return;
        }
        if (equal == TRUTH_UNKNOWN) {
            value_lose(eval, value);
            value_lose(eval, item);
            return;
        }
    }
    if (dict->count == dict->capacity) {
        uint32_t capacity = dict->capacity == 0 ? 8 : dict->capacity * 2;
        size_t old = dict->capacity * sizeof(Value);
        dict->keys = arena_grow(eval->arena, dict->keys, old, capacity * sizeof(Value));
        dict->values = arena_grow(eval->arena, dict->values, old, capacity * sizeof(Value));
        dict->capacity = capacity;
    }
    dict->keys[dict->count] = key;
    dict->values[dict->count++] = item;
}

Value dict_get(const Dict *dict, Value key, bool *missing)
{
    *missing = false;
    if (dict->lost) {
        return value_unknown();
    }
    for (uint32_t i = 0; i < dict->count; i++) {
        Truth truth = value_equal(dict->keys[i], key, 0);
        if (truth != TRUTH_FALSE) {
            return truth == TRUTH_TRUE ? dict->values[i] : value_unknown();
        }
    }
    *missing = is_key(key, 0);
    return value_unknown();
}

Value set_of(Eval *eval, const Sequence *items)
{
    enum { MOST = 512 }; /* each is compared with each */
    Value set = value_sequence(eval->arena, VALUE_SET, 0);
    set.as.sequence->birth = eval->clock;
    for (uint32_t i = 0; i < items->count; i++) {
        bool same = false;
        for (uint32_t k = 0; k < set.as.sequence->count && !same; k++) {
            Truth equal = value_equal(set.as.sequence->items[k], items->items[i], 0);
            if (equal == TRUTH_UNKNOWN) {
                return value_unknown();
            }
            same = equal == TRUTH_TRUE;
        }
        if (!is_key(items->items[i], 0) || set.as.sequence->count >= MOST) {
            return value_unknown();
        }
        if (!same) {
            sequence_add(eval->arena, set.as.sequence, items->items[i]);
        }
    }
    return set;
}

/* --- iterables */

static const Sequence *letters(Eval *eval, Str text)
{
    Value list = value_sequence(eval->arena, VALUE_LIST, 0);
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)text.at[i] >= 0x80 || i >= EVAL_ITEMS) {
            return NULL;
        }
        sequence_add(eval->arena, list.as.sequence,
                     value_text(eval->arena, str_slice(text, i, i + 1)));
    }
    return list.as.sequence;
}

const Sequence *eval_items(Eval *eval, NodeId node, Value iterable)
{
    if (value_has_items(iterable)) {
        return iterable.as.sequence;
    }
    if (iterable.kind == VALUE_DICT && !iterable.as.dict->lost) {
        Value keys = value_sequence(eval->arena, VALUE_LIST, iterable.as.dict->count);
        for (uint32_t i = 0; i < iterable.as.dict->count; i++) {
            sequence_add(eval->arena, keys.as.sequence, iterable.as.dict->keys[i]);
        }
        return keys.as.sequence;
    }
    if (value_is_tuple_instance(iterable)) {
        return iterable.as.instance->items;
    }
    if (iterable.kind == VALUE_SET && !iterable.as.sequence->lost &&
        iterable.as.sequence->count <= 1) {
        return iterable.as.sequence; /* more have no order */
    }
    if (iterable.kind == VALUE_STR) {
        return letters(eval, *iterable.as.text);
    }
    if (iterable.kind == VALUE_CLASS && iterable.as.class->form == CLASS_ENUM) {
        return iterable.as.class->members;
    }
    if (node != NO_NODE) {
        eval_needs_value(eval, node, iterable, (Where){"iterating over it", "对其迭代", true});
    }
    return NULL;
}
