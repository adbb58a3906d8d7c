/* Methods of lists, dicts and sets, and the dispatch of methods by type. */
#include "eval/drive.h"

/* --- lists */

bool list_extend(Eval *eval, Value list, Value more)
{
    const Sequence *items = eval_items(eval, NO_NODE, more);
    bool may = may_change(eval, list);
    uint32_t count = items == NULL || !may ? 0 : items->count;
    for (uint32_t i = 0; i < count; i++) {
        sequence_add(eval->arena, list.as.sequence, items->items[i]);
    }
    if (items == NULL || !may || list.as.sequence->count > EVAL_ITEMS) {
        value_lose(eval, list);
        value_hidden_items(eval, more);
    }
    return !list.as.sequence->lost;
}

/* insert(at, item): positions outside the list mean its ends. */
static void list_insert(Eval *eval, Sequence *sequence, int64_t at, Value item)
{
    int64_t count = sequence->count;
    at = at < 0 ? at + count : at;
    at = at < 0 ? 0 : at > count ? count : at;
    sequence_add(eval->arena, sequence, item);
    memmove(sequence->items + at + 1, sequence->items + at,
            (size_t)(count - at) * sizeof *sequence->items);
    sequence->items[at] = item;
    if (sequence->count > EVAL_ITEMS) {
        value_lose(eval, (Value){.kind = VALUE_LIST, .as.sequence = sequence});
    }
}

static Value list_pop(Eval *eval, Value self, int64_t at)
{
    Sequence *sequence = self.as.sequence;
    at = at < 0 ? at + sequence->count : at;
    if (at < 0 || at >= sequence->count) {
        value_lose(eval, self);
        return value_unknown();
    }
    Value item = sequence->items[at];
    sequence->count--;
    memmove(sequence->items + at, sequence->items + at + 1,
            (sequence->count - (size_t)at) * sizeof *sequence->items);
    return item;
}

/* index(x): the first position; count(x): the number of occurrences. */
static Value list_find(Value self, Str name, Value item)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < self.as.sequence->count; i++) {
        Truth truth = value_equal(self.as.sequence->items[i], item, 0);
        if (truth == TRUTH_UNKNOWN) {
            return value_number();
        }
        if (truth == TRUTH_TRUE && str_is(name, "index")) {
            return value_int(i);
        }
        count += truth == TRUTH_TRUE;
    }
    return str_is(name, "count") ? value_int(count) : value_number();
}

static Value list_copy(Eval *eval, Value self)
{
    Value copy = value_sequence(eval->arena, VALUE_LIST, self.as.sequence->count);
    copy.as.sequence->birth = eval->clock;
    for (uint32_t i = 0; i < self.as.sequence->count; i++) {
        sequence_add(eval->arena, copy.as.sequence, self.as.sequence->items[i]);
    }
    return copy;
}

static void list_reverse(Sequence *sequence)
{
    for (uint32_t i = 0; i < sequence->count / 2; i++) {
        Value item = sequence->items[i];
        sequence->items[i] = sequence->items[sequence->count - 1 - i];
        sequence->items[sequence->count - 1 - i] = item;
    }
}

/* Methods that change the list; false when the call is not followed. */
static bool list_change(Eval *eval, const Arguments *arguments, Value self, Str name, Value *result)
{
    uint32_t count = arguments->positional;
    const Value *values = arguments->values;
    if (arguments->keywords > 0 || arguments->open || !may_change(eval, self)) {
        return false;
    }
    *result = value_none();
    if (str_is(name, "append") && count == 1) {
        sequence_add(eval->arena, self.as.sequence, eval_kept(eval, values[0]));
        if (self.as.sequence->count > EVAL_ITEMS) {
            value_lose(eval, self);
        }
    } else if (str_is(name, "extend") && count == 1) {
        list_extend(eval, self, values[0]);
    } else if (str_is(name, "insert") && count == 2 && value_is_int(values[0])) {
        list_insert(eval, self.as.sequence, values[0].as.integer, eval_kept(eval, values[1]));
    } else if (str_is(name, "pop") && (count == 0 || (count == 1 && value_is_int(values[0])))) {
        *result = list_pop(eval, self, count == 0 ? -1 : values[0].as.integer);
    } else if (str_is(name, "clear") && count == 0) {
        self.as.sequence->count = 0;
    } else if (str_is(name, "reverse") && count == 0) {
        list_reverse(self.as.sequence);
    } else {
        return false;
    }
    return true;
}

static Value list_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    static const char *const readers[] = {"index", "count", "copy"};
    Value result;
    if (!STR_IS_ANY(name, readers)) {
        if (list_change(eval, arguments, self, name, &result)) {
            return result;
        }
        value_lose(eval, self);
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    bool known =
        value_has_items(self) && !self.flag && arguments->keywords == 0 && !arguments->open;
    if (known && arguments->positional == 1) {
        return list_find(self, name, arguments->values[0]);
    }
    return known && arguments->positional == 0 && str_is(name, "copy") ? list_copy(eval, self)
                                                                       : value_unknown();
}

/* --- dicts */

/* keys(), values(), items(): a snapshot, valid for an immediate walk. */
static Value dict_view(Eval *eval, const Dict *dict, Str name)
{
    Value result = value_sequence(eval->arena, VALUE_TUPLE, dict->count);
    for (uint32_t i = 0; i < dict->count; i++) {
        Value item = str_is(name, "keys") ? dict->keys[i] : dict->values[i];
        if (str_is(name, "items")) {
            Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
            sequence_add(eval->arena, pair.as.sequence, dict->keys[i]);
            sequence_add(eval->arena, pair.as.sequence, dict->values[i]);
            item = pair;
        }
        sequence_add(eval->arena, result.as.sequence, item);
    }
    result.flag = result.atom = true;
    return result;
}

static void dict_remove(Dict *dict, Value key)
{
    for (uint32_t i = 0; i < dict->count; i++) {
        if (value_equal(dict->keys[i], key, 0) == TRUTH_TRUE) {
            size_t after = dict->count - i - 1;
            memmove(dict->keys + i, dict->keys + i + 1, after * sizeof *dict->keys);
            memmove(dict->values + i, dict->values + i + 1, after * sizeof *dict->values);
            dict->count--;
            return;
        }
    }
}

static void dict_update(Eval *eval, Value self, const Arguments *arguments)
{
    Dict *dict = self.as.dict;
    const Value *from = arguments->positional > 0 ? &arguments->values[0] : NULL;
    bool known = from == NULL || (from->kind == VALUE_DICT && !from->as.dict->lost);
    for (uint32_t i = 0; from != NULL && known && i < from->as.dict->count; i++) {
        dict_set(eval, self, from->as.dict->keys[i], from->as.dict->values[i]);
    }
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        dict_set(eval, self, value_text(eval->arena, arguments->names[i]),
                 eval_kept(eval, arguments->values[arguments->positional + i]));
    }
    if (!known || arguments->positional > 1) {
        value_lose(eval, self);
    }
    (void)dict;
}

/* setdefault, pop, update; false when the call is not followed. */
static bool dict_change(Eval *eval, const Arguments *arguments, Value self, Str name, Value *result)
{
    uint32_t count = arguments->positional;
    const Value *values = arguments->values;
    bool missing = false;
    if (arguments->open || !may_change(eval, self)) {
        return false;
    }
    *result = value_none();
    if (str_is(name, "update")) {
        dict_update(eval, self, arguments);
        return true;
    }
    if (arguments->keywords > 0 || count < 1 || count > 2 ||
        (!str_is(name, "pop") && !str_is(name, "setdefault"))) {
        return false;
    }
    Value found = dict_get(self.as.dict, values[0], &missing);
    if (missing) {
        bool given = count == 2;
        *result = given ? eval_kept(eval, values[1]) : value_none();
        if (str_is(name, "setdefault")) {
            dict_set(eval, self, values[0], *result);
        }
        return given || str_is(name, "setdefault");
    }
    if (found.kind == VALUE_UNKNOWN) {
        return false;
    }
    if (str_is(name, "pop")) {
        dict_remove(self.as.dict, values[0]);
    }
    *result = found;
    return true;
}

static Value dict_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    static const char *const readers[] = {"get", "items", "keys", "values", "copy"};
    const Dict *dict = self.as.dict;
    Value result;
    if (!STR_IS_ANY(name, readers)) {
        if (dict_change(eval, arguments, self, name, &result)) {
            return result;
        }
        value_lose(eval, self);
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    if (arguments->keywords > 0 || arguments->open || dict->lost) {
        lose_arguments(eval, arguments);
        return value_hidden_items(eval, self);
    }
    if (str_is(name, "get") && (arguments->positional == 1 || arguments->positional == 2)) {
        bool missing;
        result = dict_get(dict, arguments->values[0], &missing);
        if (!missing && result.kind == VALUE_UNKNOWN) {
            lose_arguments(eval, arguments);
            return value_hidden_items(eval, self);
        }
        return !missing ? result : arguments->positional == 2 ? arguments->values[1] : value_none();
    }
    if (arguments->positional > 0 || str_is(name, "get")) {
        return value_unknown();
    }
    if (str_is(name, "copy")) {
        Value copy = dict_new(eval);
        for (uint32_t i = 0; i < dict->count; i++) {
            dict_set(eval, copy, dict->keys[i], dict->values[i]);
        }
        return copy;
    }
    return dict_view(eval, dict, name);
}

/* --- sets */

static Value set_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    static const char *const readers[] = {"union",    "intersection", "difference",
                                          "issubset", "issuperset",   "copy"};
    if (!STR_IS_ANY(name, readers)) {
        value_lose(eval, self);
        lose_arguments(eval, arguments);
    }
    return value_unknown();
}

/* --- all of them */

/* Do the arguments fit? A method of a tensor is the function of that name with the tensor as its
 * first argument, with two exceptions. */
static bool fits_function(Eval *eval, const Arguments *arguments, Str name)
{
    static const char *const others[] = {"assemble", "permute"};
    const ApiFact *fact = STR_IS_ANY(name, others) ? NULL : api_fact_find(name);
    const char *rest = fact == NULL || fact->kind != API_FACT_FUNCTION || fact->parameters == NULL
                           ? NULL
                           : strchr(fact->parameters, ' ');
    bool plain = rest != NULL && fact->parameters[0] != '*' && rest[-1] != '?';
    return !plain || check_signature(eval, arguments, name, rest + 1);
}

static Value tensor_method(Eval *eval, const Arguments *arguments, const Method *method)
{
    bool fits = fits_function(eval, arguments, method->name);
    if (eval->drive != NULL && fits) {
        return drive_method(eval, arguments, *method->self, method->name);
    }
    if (eval->drive != NULL) {
        drive_end(eval);
    }
    lose_arguments(eval, arguments);
    return value_tensor();
}

Value call_method(Eval *eval, const Arguments *arguments, const Method *method)
{
    switch ((ValueKind)method->self->kind) {
    case VALUE_LIST:
    case VALUE_TUPLE:
        return list_method(eval, arguments, *method->self, method->name);
    case VALUE_DICT:
        return dict_method(eval, arguments, *method->self, method->name);
    case VALUE_SET:
        return set_method(eval, arguments, *method->self, method->name);
    case VALUE_STR:
        return text_method(eval, arguments, *method->self, method->name);
    case VALUE_INSTANCE:
    case VALUE_CLASS:
    case VALUE_SUPER:
        return instance_method(eval, arguments, *method->self, method->name);
    case VALUE_TENSOR:
        return tensor_method(eval, arguments, method);
    case VALUE_SYMBOL:
        lose_arguments(eval, arguments);
        return eval->drive == NULL
                   ? value_unknown()
                   : drive_symbol_method(eval, arguments, *method->self, method->name);
    case VALUE_ARRAY:
        return host_array_method(eval, arguments, *method->self, method->name);
    case VALUE_HOST:
        return host_method(eval, arguments, *method->self, method->name);
    default:
        lose_arguments(eval, arguments);
        return value_unknown();
    }
}
