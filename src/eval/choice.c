/* Choices: `CONFIGS[name]` for an unknown name is one of the items. As long as nothing changes an
 * item through the choice, what is known about all of them remains. */
#include "eval/state.h"

/* A search through a table for items that may change. Tables may be long, and every choice from one
 * searches it again. */
typedef struct Search {
    Eval *eval;
    uint32_t values;
    const Class *plain; /* the last class found plain; most items have the same class */
} Search;

/* Takes a step of the evaluation for every VALUES values. False if no steps are left. */
static bool goes_on(Search *search)
{
    enum { VALUES = 16 };
    return ++search->values % VALUES != 0 || eval_step(search->eval);
}

static bool is_constant(Search *search, Value value, int depth);

static bool are_constant(Search *search, const Value *items, uint32_t count, int depth)
{
    enum { DEEPEST = 4 };
    bool constant = depth < DEEPEST;
    for (uint32_t i = 0; constant && i < count; i++) {
        constant = goes_on(search) && is_constant(search, items[i], depth + 1);
    }
    return constant;
}

static bool is_constant(Search *search, Value value, int depth)
{
    switch ((ValueKind)value.kind) {
    case VALUE_NUMBER:
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_STR:
    case VALUE_API:
    case VALUE_MEMBER:
    case VALUE_OUTSIDE:
        return true;
    case VALUE_TUPLE:
        return !value.flag && !value.atom &&
               are_constant(search, value.as.sequence->items, value.as.sequence->count, depth);
    case VALUE_INSTANCE:
        return value.as.instance->class->form == CLASS_ENUM;
    default:
        return false;
    }
}

/* Do instances of the class change only where an attribute is assigned or a method is called? */
static bool is_plain(Search *search, const Class *class)
{
    static const char *const harmless[] = {"__init__", "__post_init__", "__repr__", "__str__",
                                           "__hash__"};
    bool plain = (class->form == CLASS_DATA || class->form == CLASS_PLAIN) && !class->is_module &&
                 !class->has_others && !class->has_equal && !class->has_truth && !class->lost;
    const Bindings *names = &class->scope->bindings;
    for (uint32_t i = 0; plain && i < names->count && goes_on(search); i++) {
        bool special = names->items[i].value.kind == VALUE_FUNCTION &&
                       str_starts(names->items[i].name, STR("__"));
        plain = !special || STR_IS_ANY(names->items[i].name, harmless);
    }
    return plain && (class->base == NULL || is_plain(search, class->base));
}

static bool instance_is_plain(Search *search, const Instance *instance)
{
    const Class *class = instance->class;
    bool plain = !instance->lost && (class == search->plain || is_plain(search, class));
    search->plain = plain ? class : search->plain;
    const Bindings *names = &instance->names->bindings;
    for (uint32_t i = 0; plain && i < names->count; i++) {
        plain = goes_on(search) && is_constant(search, names->items[i].value, 0);
    }
    return plain;
}

/* Is everything inside the value constant? */
static bool is_flat(Search *search, Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_LIST:
    case VALUE_SET:
        return !value.as.sequence->lost &&
               are_constant(search, value.as.sequence->items, value.as.sequence->count, 0);
    case VALUE_DICT:
        return !value.as.dict->lost &&
               are_constant(search, value.as.dict->values, value.as.dict->count, 0);
    case VALUE_INSTANCE:
        return is_constant(search, value, 0) || instance_is_plain(search, value.as.instance);
    default:
        return is_constant(search, value, 0);
    }
}

static bool are_flat(Eval *eval, const Sequence *items)
{
    Search search = {.eval = eval};
    bool flat = items->count > 0 && !items->open && !items->lost;
    for (uint32_t i = 0; flat && i < items->count; i++) {
        flat = goes_on(&search) && is_flat(&search, items->items[i]);
    }
    return flat && !eval->stopped;
}

/* From now on any change loses the item (may_change): it might add something that the choice can
 * change. */
static void keep_flat(Value item)
{
    if (item.kind == VALUE_LIST || item.kind == VALUE_SET) {
        item.as.sequence->in_choice = true;
    } else if (item.kind == VALUE_DICT) {
        item.as.dict->in_choice = true;
    } else if (item.kind == VALUE_INSTANCE) {
        item.as.instance->in_choice = true;
    }
}

Value value_choice(Eval *eval, Value owner)
{
    Sequence items = {0};
    if (owner.kind == VALUE_DICT) {
        items = (Sequence){.items = owner.as.dict->values, .count = owner.as.dict->count};
    } else if (value_is_sequence(owner)) {
        items = *owner.as.sequence;
    }
    if (!eval_step(eval) || !are_flat(eval, &items)) {
        return value_hidden_items(eval, owner);
    }
    Value choice = value_sequence(eval->arena, VALUE_TUPLE, items.count);
    for (uint32_t i = 0; i < items.count; i++) {
        keep_flat(items.items[i]);
        sequence_add(eval->arena, choice.as.sequence, items.items[i]);
    }
    choice.kind = VALUE_UNKNOWN;
    choice.flag = true;
    return choice;
}

bool value_is_choice(Value value)
{
    return value.kind == VALUE_UNKNOWN && value.flag && !value.atom;
}

/* The item's own attribute of that name, or NULL. */
static const Value *own_attribute(Value item, Str name)
{
    return item.kind == VALUE_INSTANCE && !item.as.instance->lost
               ? scope_get(item.as.instance->names, name)
               : NULL;
}

Value value_choice_attribute(Eval *eval, Value choice, Str name)
{
    const Sequence *items = choice.as.sequence;
    const Value *first = own_attribute(items->items[0], name);
    bool same = first != NULL, own = true;
    Search search = {.eval = eval};
    for (uint32_t i = 0; i < items->count && goes_on(&search); i++) {
        const Value *value = own_attribute(items->items[i], name);
        own = own && value != NULL;
        same = same && own && value_same(*first, *value);
    }
    if (!own || eval->stopped) {
        value_lose(eval, choice);
        same = false;
    }
    return same ? *first : value_unknown();
}
