/* Builtins of Python, and the methods of lists, dicts, tensors and symbols. */
#include "eval/drive.h"

static Value call_range(Eval *eval, const Arguments *arguments)
{
    int64_t bounds[3] = {0, 0, 1};
    for (uint32_t i = 0; i < arguments->positional && i < 3; i++) {
        if (!value_is_int(arguments->values[i])) {
            return value_unknown();
        }
        bounds[arguments->positional == 1 ? 1 : i] = arguments->values[i].as.integer;
    }
    if (arguments->positional == 0 || arguments->positional > 3 || bounds[2] == 0) {
        return value_unknown();
    }
    Value result = value_sequence(eval->arena, VALUE_TUPLE, 0);
    int64_t at = bounds[0];
    while (bounds[2] > 0 ? at < bounds[1] : at > bounds[1]) {
        if (result.as.sequence->count >= EVAL_ITEMS) {
            return value_unknown();
        }
        sequence_add(eval->arena, result.as.sequence, value_int(at));
        if (__builtin_add_overflow(at, bounds[2], &at)) {
            return value_unknown();
        }
    }
    result.flag = true; /* a range equals no tuple: its items are known, itself is not */
    return result;
}

static Value call_len(const Value *value)
{
    if (value_has_items(*value)) {
        return value_int(value->as.sequence->count);
    }
    if (value->kind == VALUE_DICT && !value->as.dict->lost) {
        return value_int(value->as.dict->count);
    }
    return value_number(); /* texts are bytes here, code points there */
}

/* An int that a double holds. */
static bool is_exact(Value value)
{
    const int64_t most = INT64_C(1) << 53;
    return value_is_int(value) && value.as.integer <= most && value.as.integer >= -most;
}

static Value call_conversion(Eval *eval, Str name, Value value)
{
    if (str_is(name, "int") && value_is_int(value)) {
        return value_int(value.as.integer);
    }
    if (str_is(name, "float") && (value.kind == VALUE_FLOAT || is_exact(value))) {
        return value.kind == VALUE_FLOAT ? value : value_float((double)value.as.integer);
    }
    if (str_is(name, "bool")) {
        Truth truth = value_truth(value);
        return truth == TRUTH_UNKNOWN ? value_number() : value_bool(truth == TRUTH_TRUE);
    }
    if (str_is(name, "abs") && value_is_int(value) && value.as.integer != INT64_MIN) {
        return value_int(value.as.integer < 0 ? -value.as.integer : value.as.integer);
    }
    if (str_is(name, "list") || str_is(name, "tuple") || str_is(name, "set")) {
        const Sequence *items = eval_items(eval, NO_NODE, value);
        if (items == NULL) {
            return value_unknown();
        }
        bool is_list = str_is(name, "list");
        Value result =
            value_sequence(eval->arena, is_list ? VALUE_LIST : VALUE_TUPLE, items->count);
        result.as.sequence->birth = eval->clock;
        for (uint32_t i = 0; i < items->count; i++) {
            sequence_add(eval->arena, result.as.sequence, items->items[i]);
        }
        /* Of a set the items are known, but neither their order nor their number. */
        result.flag = result.as.sequence->open = str_is(name, "set");
        return result;
    }
    if (str_is(name, "int") && value.kind == VALUE_NUMBER) {
        return value; /* with what is known of it */
    }
    return str_is(name, "int") || str_is(name, "float") ? value_number() : value_unknown();
}

/* min and max of known ints; in a kernel's own body one symbol of two arguments is allowed. */
static Value call_extreme(Eval *eval, const Arguments *arguments, Str name)
{
    bool is_min = str_is(name, "min");
    bool any_symbol = false;
    Value best = value_unknown();
    for (uint32_t i = 0; i < arguments->positional; i++) {
        bool number = arguments->values[i].kind == VALUE_NUMBER && arguments->values[i].handle > 0;
        any_symbol = any_symbol || arguments->values[i].kind == VALUE_SYMBOL || number;
    }
    bool plain = arguments->positional >= 2 && arguments->keywords == 0 && !arguments->open;
    if (any_symbol && eval->drive != NULL) {
        return plain && arguments->positional == 2
                   ? drive_symbol_operation(eval, is_min ? PTS_SYM_MIN : PTS_SYM_MAX,
                                            arguments->values[0], arguments->values[1])
                   : value_unknown();
    }
    if (any_symbol) {
        bool allowed = eval->frame->is_graph && arguments->positional == 2;
        for (uint32_t i = 0; plain && !allowed && i < arguments->positional; i++) {
            Where where = is_min ? (Where){"Python's min()", "Python 的 min()"}
                                 : (Where){"Python's max()", "Python 的 max()"};
            if (eval_needs_value(eval, arguments->nodes[i], arguments->values[i], where)) {
                break;
            }
        }
        Value result = {.kind = VALUE_SYMBOL};
        result.as.atoms = UINT64_MAX;
        return result;
    }
    for (uint32_t i = 0; plain && i < arguments->positional; i++) {
        Value value = arguments->values[i];
        if (value.kind != VALUE_INT) {
            return value_unknown();
        }
        bool better = i == 0 || (is_min ? value.as.integer < best.as.integer
                                        : value.as.integer > best.as.integer);
        best = better ? value : best;
    }
    return best;
}

static Value call_enumerate(Eval *eval, const Arguments *arguments)
{
    const Sequence *items = arguments->positional == 1 && arguments->keywords == 0
                                ? eval_items(eval, NO_NODE, arguments->values[0])
                                : NULL;
    if (items == NULL) {
        return value_unknown();
    }
    Value result = value_sequence(eval->arena, VALUE_TUPLE, items->count);
    for (uint32_t i = 0; i < items->count; i++) {
        Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
        sequence_add(eval->arena, pair.as.sequence, value_int(i));
        sequence_add(eval->arena, pair.as.sequence, items->items[i]);
        sequence_add(eval->arena, result.as.sequence, pair);
    }
    result.flag = true;
    result.atom = true; /* it can be walked once */
    return result;
}

Value call_builtin(Eval *eval, const Arguments *arguments, Str name)
{
    static const char *const converters[] = {"int", "float", "len", "range"};
    static const char *const harmless[] = {"print", "isinstance", "getattr",  "hasattr", "str",
                                           "repr",  "sum",        "any",      "all",     "round",
                                           "zip",   "sorted",     "reversed", "divmod",  "pow",
                                           "dict",  "set",        "slice",    "type",    "id"};
    for (uint32_t i = 0; i < arguments->positional; i++) {
        if (eval->drive != NULL) {
            arguments->values[i] = drive_plain(eval, arguments->values[i]);
        }
        Value value = arguments->values[i];
        bool of_symbol = value.kind == VALUE_SYMBOL && str_is(name, "bool");
        if ((STR_IS_ANY(name, converters) || of_symbol) &&
            eval_needs_value(eval, arguments->nodes[i], value,
                             (Where){str_format(eval->arena, "%.*s()", STR_ARG(name)).at,
                                     str_format(eval->arena, "%.*s() ", STR_ARG(name)).at})) {
            return value_unknown();
        }
    }
    if (arguments->open) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    if (str_is(name, "range")) {
        return call_range(eval, arguments);
    }
    if (str_is(name, "min") || str_is(name, "max")) {
        return call_extreme(eval, arguments, name);
    }
    if (str_is(name, "enumerate")) {
        return call_enumerate(eval, arguments);
    }
    static const char *const unary[] = {"int", "float", "bool", "abs", "list", "tuple", "set"};
    if (arguments->positional == 1 && arguments->keywords == 0) {
        if (str_is(name, "len")) {
            return call_len(&arguments->values[0]);
        }
        if (STR_IS_ANY(name, unary)) {
            return call_conversion(eval, name, arguments->values[0]);
        }
    }
    if (!STR_IS_ANY(name, harmless)) {
        lose_arguments(eval, arguments);
    } /* what these give back may hold the lists they got, but does not change them */
    return value_unknown();
}

/* --- methods */

bool list_extend(Eval *eval, Value list, Value more)
{
    const Sequence *items = eval_items(eval, NO_NODE, more);
    bool may = may_change(eval, list);
    uint32_t count = items == NULL || !may ? 0 : items->count;
    for (uint32_t i = 0; i < count; i++) {
        sequence_add(eval->arena, list.as.sequence, items->items[i]);
    }
    list.as.sequence->lost = items == NULL || !may || list.as.sequence->count > EVAL_ITEMS;
    return !list.as.sequence->lost;
}

static Value list_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    bool plain = arguments->positional == 1 && arguments->keywords == 0 && !arguments->open;
    if (str_is(name, "append") && plain && may_change(eval, self)) {
        sequence_add(eval->arena, self.as.sequence, arguments->values[0]);
        self.as.sequence->lost = self.as.sequence->count > EVAL_ITEMS;
        return value_none();
    }
    if (str_is(name, "extend") && plain && may_change(eval, self)) {
        list_extend(eval, self, arguments->values[0]);
        return value_none();
    }
    static const char *const readers[] = {"index", "count", "copy"};
    if (!STR_IS_ANY(name, readers)) {
        value_lose(eval, self);
    }
    return value_unknown();
}

static Value dict_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    static const char *const readers[] = {"get", "items", "keys", "values", "copy"};
    if (!STR_IS_ANY(name, readers)) {
        value_lose(eval, self);
        return value_unknown();
    }
    const Dict *dict = self.as.dict;
    bool plain = arguments->keywords == 0 && !arguments->open && !dict->lost;
    if (!plain || !str_is(name, "get") || arguments->positional == 0 || arguments->positional > 2) {
        return value_unknown();
    }
    for (uint32_t i = 0; i < dict->count; i++) {
        Truth truth = value_equal(dict->keys[i], arguments->values[0], 0);
        if (truth != TRUTH_FALSE) {
            return truth == TRUTH_TRUE ? dict->values[i] : value_unknown();
        }
    }
    Value key = arguments->values[0];
    if (key.kind != VALUE_INT && key.kind != VALUE_STR) {
        return value_unknown();
    }
    return arguments->positional == 2 ? arguments->values[1] : value_none();
}

Value call_method(Eval *eval, const Arguments *arguments, const Method *method)
{
    switch ((ValueKind)method->self->kind) {
    case VALUE_LIST:
        return list_method(eval, arguments, *method->self, method->name);
    case VALUE_DICT:
        return dict_method(eval, arguments, *method->self, method->name);
    case VALUE_TENSOR:
        if (eval->drive != NULL) {
            return drive_method(eval, arguments, *method->self, method->name);
        }
        lose_arguments(eval, arguments);
        return value_tensor();
    case VALUE_SYMBOL:
        lose_arguments(eval, arguments);
        return eval->drive == NULL
                   ? value_unknown()
                   : drive_symbol_method(eval, arguments, *method->self, method->name);
    case VALUE_HOST:
        return host_method(eval, arguments, *method->self, method->name);
    default:
        lose_arguments(eval, arguments);
        return value_unknown();
    }
}

/* --- the package */

Value call_api(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    Str name = str_from(fact->name);
    bool is_function = fact->kind == API_FACT_FUNCTION;
    Str shown = str_format(eval->arena, "pypto.%s", fact->name);
    bool fits = !is_function || check_signature(eval, arguments, shown, fact->parameters);
    if (eval->drive != NULL) {
        return fits ? drive_api(eval, arguments, fact) : (drive_end(eval), value_unknown());
    }
    lose_arguments(eval, arguments);
    if (!fits) {
        return value_unknown();
    }
    if (str_is(name, "loop") || str_is(name, "loop_unroll")) {
        return (Value){.kind = VALUE_LOOP, .flag = str_is(name, "loop_unroll")};
    }
    if (str_is(name, "cond") && arguments->positional == 1) {
        Value value = arguments->values[0];
        value.flag = false; /* in an `if` it is allowed everywhere */
        return value.kind == VALUE_SYMBOL ? value : value_unknown();
    }
    if (str_is(name, "is_loop_begin") || str_is(name, "is_loop_end")) {
        bool sure = arguments->positional == 1 && arguments->values[0].kind == VALUE_SYMBOL &&
                    arguments->values[0].atom;
        Value value = {.kind = VALUE_SYMBOL, .flag = sure};
        value.as.atoms = sure ? arguments->values[0].as.atoms : UINT64_MAX;
        return value;
    }
    return fact->gives_tensor ? value_tensor() : value_unknown();
}
