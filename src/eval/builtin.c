/* Builtin functions of Python. */
#include "eval/builtin.h"
#include "eval/drive.h"

/* --- range, len, min, max */

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

static bool is_ascii(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)text.at[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

static Value call_len(Value value)
{
    if (value_has_items(value)) {
        return value.atom ? value_unknown() : value_int(value.as.sequence->count);
    }
    if (value.kind == VALUE_SET && !value.as.sequence->lost) {
        return value_int(value.as.sequence->count);
    }
    if (value.kind == VALUE_DICT && !value.as.dict->lost) {
        return value_int(value.as.dict->count);
    }
    if (value.kind == VALUE_STR && is_ascii(*value.as.text)) {
        return value_int((int64_t)value.as.text->length); /* bytes here, code points there */
    }
    if (value_is_tuple_instance(value)) {
        return value_int(value.as.instance->items->count);
    }
    return value.kind == VALUE_HOST ? host_length(value) : value_number();
}

/* The smallest or largest of known ints. */
static Value extreme_of(const Value *values, uint32_t count, bool is_min)
{
    Value best = value_unknown();
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].kind != VALUE_INT) {
            return value_unknown();
        }
        bool better = i == 0 || (is_min ? values[i].as.integer < best.as.integer
                                        : values[i].as.integer > best.as.integer);
        best = better ? values[i] : best;
    }
    return best;
}

/* min and max of known ints. Of two arguments either may be a symbol: in a kernel's own body, and
 * in 9.2 in its helpers, too. */
static Value call_extreme(Eval *eval, const Arguments *arguments, Str name)
{
    bool is_min = str_is(name, "min");
    bool any_symbol = false;
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
        Newer newer = eval_newer(eval); /* the front end of 9.2 walks helpers like kernels */
        bool allowed = (eval->frame->is_graph || newer == NEWER_FINE) && arguments->positional == 2;
        bool doubtful = newer == NEWER_DOUBTFUL && arguments->positional == 2;
        eval->assumed += doubtful;
        for (uint32_t i = 0; plain && !allowed && i < arguments->positional; i++) {
            const char *callee = is_min ? "min()" : "max()";
            bool of_two = arguments->positional == 2; /* which only the older front end refuses */
            const char *en = of_two ? "before PyPTO 9.2 Python's" : "Python's";
            const char *zh = of_two ? "PyPTO 9.2 之前，Python 的" : "Python 的";
            Where where = {str_format(eval->arena, "%s %s", en, callee).at,
                           str_format(eval->arena, "%s %s ", zh, callee).at, false};
            if (eval_needs_value(eval, arguments->nodes[i], arguments->values[i], where)) {
                break;
            }
        }
        eval->assumed -= doubtful;
        Value result = {.kind = VALUE_SYMBOL};
        result.as.atoms = UINT64_MAX;
        return result;
    }
    if (arguments->positional == 1 && arguments->keywords == 0) {
        const Sequence *items = eval_items(eval, NO_NODE, arguments->values[0]);
        return items == NULL ? value_unknown() : extreme_of(items->items, items->count, is_min);
    }
    return plain ? extreme_of(arguments->values, arguments->positional, is_min) : value_unknown();
}

/* --- kinds of values */

/* isinstance(value, type), for one type. */
static Truth is_instance(Value value, Value type)
{
    static const struct {
        const char *name;
        ValueKind kind;
    } table[] = {{"bool", VALUE_BOOL},  {"float", VALUE_FLOAT}, {"str", VALUE_STR},
                 {"list", VALUE_LIST},  {"dict", VALUE_DICT},   {"int", VALUE_INT},
                 {"tuple", VALUE_TUPLE}};
    bool plain = (value.kind >= VALUE_NONE && value.kind <= VALUE_DICT && !value.flag) ||
                 value.kind == VALUE_INSTANCE || value.kind == VALUE_HOST;
    if (value.kind == VALUE_HOST && type.kind == VALUE_OUTSIDE &&
        str_is(*type.as.text, "torch.Tensor")) {
        return TRUTH_TRUE;
    }
    if (value.kind == VALUE_TENSOR && type.kind == VALUE_API) {
        return strcmp(type.as.fact->name, "Tensor") == 0 ? TRUTH_TRUE : TRUTH_UNKNOWN;
    }
    if (value.kind == VALUE_INSTANCE && type.kind == VALUE_CLASS) {
        const Class *class = value.as.instance->class;
        while (class != NULL && class != type.as.class) {
            class = class->base;
        }
        return class != NULL ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (plain && value.kind != VALUE_INSTANCE && type.kind == VALUE_CLASS) {
        return TRUTH_FALSE;
    }
    for (size_t i = 0; plain && type.kind == VALUE_BUILTIN && i < sizeof table / sizeof *table;
         i++) {
        if (!str_is(*type.as.text, table[i].name)) {
            continue;
        }
        if (value.kind == VALUE_INSTANCE) {
            bool mixed = value.as.instance->class->is_mixed;
            bool tuple = value_is_tuple_instance(value) && table[i].kind == VALUE_TUPLE;
            return mixed ? TRUTH_UNKNOWN : tuple ? TRUTH_TRUE : TRUTH_FALSE;
        }
        bool is_int = table[i].kind == VALUE_INT && value.kind == VALUE_BOOL;
        return (ValueKind)value.kind == table[i].kind || is_int ? TRUTH_TRUE : TRUTH_FALSE;
    }
    return TRUTH_UNKNOWN;
}

static Value call_isinstance(Value value, Value type)
{
    Truth any = type.kind == VALUE_TUPLE && value_has_items(type) && !type.flag
                    ? TRUTH_FALSE
                    : is_instance(value, type);
    for (uint32_t i = 0;
         type.kind == VALUE_TUPLE && value_has_items(type) && i < type.as.sequence->count; i++) {
        Truth one = is_instance(value, type.as.sequence->items[i]);
        any = any == TRUTH_TRUE || one == TRUTH_TRUE ? TRUTH_TRUE
              : one == TRUTH_UNKNOWN                 ? one
                                                     : any;
    }
    return any == TRUTH_UNKNOWN ? value_unknown() : value_bool(any == TRUTH_TRUE);
}

/* getattr(x, "name"[, default]) and hasattr, for instances whose names are all known. */
static Value call_getattr(Eval *eval, const Arguments *arguments, bool ask)
{
    Value owner = arguments->values[0], name = arguments->values[1];
    if (name.kind != VALUE_STR || owner.kind != VALUE_INSTANCE || owner.as.instance->lost) {
        bool part = name.kind == VALUE_STR && owner.kind == VALUE_UNKNOWN && !ask;
        return part && arguments->positional == 2 ? value_part(eval, owner, *name.as.text)
                                                  : value_unknown();
    }
    const Instance *instance = owner.as.instance;
    bool has = scope_get(instance->names, *name.as.text) != NULL ||
               class_find(instance->class, *name.as.text) != NULL;
    bool special = str_starts(*name.as.text, STR("_")) || instance->class->is_module ||
                   instance->class->form == CLASS_ENUM;
    if (!has && special) {
        return value_unknown();
    }
    if (ask) {
        return value_bool(has);
    }
    if (has) {
        return instance_attribute(eval, arguments->call, owner, *name.as.text);
    }
    return arguments->positional == 3 ? arguments->values[2] : value_unknown();
}

/* --- all of them */

static Value of_numbers(Eval *eval, NodeId node, Str name, Value a, Value b)
{
    bool ints = value_is_int(a) && value_is_int(b);
    if (str_is(name, "pow")) {
        return ints ? eval_operator(eval, node, OPERATOR_POW, a, b) : value_unknown();
    }
    if (!ints || b.as.integer == 0) {
        return value_unknown();
    }
    Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
    sequence_add(eval->arena, pair.as.sequence,
                 eval_operator(eval, node, OPERATOR_FLOOR_DIV, a, b));
    sequence_add(eval->arena, pair.as.sequence, eval_operator(eval, node, OPERATOR_MOD, a, b));
    return pair;
}

/* super(), or super(Class, self) with the same meaning. */
static bool is_plain_super(const Eval *eval, const Arguments *arguments)
{
    const Value *values = arguments->values;
    uint32_t count = arguments->positional;
    return arguments->keywords == 0 &&
           (count == 0 ||
            (count == 2 && values[0].kind == VALUE_CLASS &&
             values[0].as.class == eval->frame->owner && values[1].kind == VALUE_INSTANCE));
}

/* True when the result is settled (it may be unknown); false for another number of arguments. */
static bool call_known(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const char *const unary[] = {"int", "float", "bool",  "abs", "round",
                                        "str", "list",  "tuple", "set", "frozenset"};
    static const char *const empty[] = {"list", "tuple", "set"};
    uint32_t count = arguments->positional, all = count + arguments->keywords;
    const Value *values = arguments->values;
    if (str_is(name, "range")) {
        *result = call_range(eval, arguments);
    } else if (str_is(name, "min") || str_is(name, "max")) {
        *result = call_extreme(eval, arguments, name);
    } else if (str_is(name, "enumerate")) {
        *result = builtin_enumerate(eval, arguments);
    } else if (str_is(name, "zip")) {
        *result = builtin_zip(eval, arguments);
    } else if (str_is(name, "map") && count >= 1) {
        *result = builtin_map(eval, arguments);
    } else if (str_is(name, "dict") && count <= 1) {
        *result = builtin_dict(eval, arguments);
    } else if (str_is(name, "sorted") && count == 1) {
        *result = builtin_sorted(eval, arguments);
    } else if (str_is(name, "sum") && count >= 1) {
        *result = builtin_sum(eval, arguments);
    } else if (str_is(name, "super") && is_plain_super(eval, arguments)) {
        *result = super_value(eval);
    } else if (all == 0 && STR_IS_ANY(name, empty)) {
        Sequence none = {.count = 0};
        *result = builtin_copy(eval, name, (Value){.kind = VALUE_LIST, .as.sequence = &none});
    } else if (all == 1 && str_is(name, "len")) {
        *result = call_len(values[0]);
    } else if (all == 1 && count == 1 && STR_IS_ANY(name, unary)) {
        *result = builtin_convert(eval, name, values[0]);
    } else if (all == 1 && str_is(name, "reversed")) {
        *result = builtin_reversed(eval, values[0]);
    } else if (all == 1 && (str_is(name, "any") || str_is(name, "all"))) {
        *result = builtin_quantifier(eval, values[0], str_is(name, "all"));
    } else if (all == 2 && count == 2 && str_is(name, "isinstance")) {
        *result = call_isinstance(values[0], values[1]);
    } else if (count >= 2 && all == count && (str_is(name, "getattr") || str_is(name, "hasattr"))) {
        *result = call_getattr(eval, arguments, str_is(name, "hasattr"));
    } else if (all == 3 && count == 3 && str_is(name, "setattr") &&
               values[0].kind == VALUE_INSTANCE && values[1].kind == VALUE_STR) {
        instance_set(eval, values[0], *values[1].as.text, values[2]);
        *result = value_none();
    } else if (all == 3 && count == 3 && str_is(name, "setattr") && values[0].kind == VALUE_CLASS &&
               values[1].kind == VALUE_STR) {
        class_set(eval, values[0], *values[1].as.text, values[2]);
        *result = value_none();
    } else if (all == 2 && count == 2 && (str_is(name, "divmod") || str_is(name, "pow"))) {
        *result = of_numbers(eval, arguments->call, name, values[0], values[1]);
    } else {
        return false;
    }
    return true;
}

/* min, max and sorted of one list have to compare its items. */
static bool compares_symbols(Eval *eval, const Arguments *arguments, Str name)
{
    static const char *const comparing[] = {"min", "max", "sorted"};
    Value list = arguments->positional == 1 ? arguments->values[0] : value_unknown();
    if (!STR_IS_ANY(name, comparing) || !value_has_items(list) || list.as.sequence->count < 2) {
        return false;
    }
    Where where = {.en = str_format(eval->arena, "%.*s() of a list", STR_ARG(name)).at,
                   .zh = str_format(eval->arena, "列表的 %.*s() ", STR_ARG(name)).at};
    for (uint32_t i = 0; i < list.as.sequence->count; i++) {
        if (eval_needs_value(eval, arguments->nodes[0], list.as.sequence->items[i], where)) {
            return true;
        }
    }
    return false;
}

Value call_builtin(Eval *eval, const Arguments *arguments, Str name)
{
    static const char *const converters[] = {"int", "float", "bool"};
    static const char *const refusing[] = {"len", "range",  "list",      "tuple",
                                           "set", "sorted", "enumerate", "reversed",
                                           "sum", "any",    "all",       "round"};
    static const char *const harmless[] = {
        "print",      "repr",    "slice", "type", "id",     "round", "hash", "chr",
        "callable",   "len",     "int",   "str",  "float",  "bool",  "abs",  "range",
        "isinstance", "hasattr", "any",   "all",  "divmod", "pow"};
    for (uint32_t i = 0; i < arguments->positional; i++) {
        if (eval->drive != NULL) {
            arguments->values[i] = drive_plain(eval, arguments->values[i]);
        }
        Value value = arguments->values[i];
        Where where = {.is_type = !STR_IS_ANY(name, converters)};
        bool of_tensors = str_is(name, "min") || str_is(name, "max");
        bool scalar_only = str_is(name, "abs");
        bool refuses = (scalar_only && value.kind == VALUE_SYMBOL) ||
                       ((of_tensors || scalar_only) && value.kind == VALUE_TENSOR);
        if (!where.is_type || refuses || STR_IS_ANY(name, refusing)) {
            where.en = str_format(eval->arena, "%.*s()", STR_ARG(name)).at;
            where.zh = str_format(eval->arena, "%.*s() ", STR_ARG(name)).at;
            if (eval_needs_value(eval, arguments->nodes[i], value, where)) {
                return value_unknown();
            }
        }
        if (eval->drive != NULL && value.kind == VALUE_FLOAT && str_is(name, "range")) {
            eval->drive->node = arguments->call;
            drive_check_integer(eval, value, "range() takes integers");
        }
    }
    Value result;
    if (arguments->open || compares_symbols(eval, arguments, name)) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    bool known = call_known(eval, arguments, name, &result);
    if (known && result.kind != VALUE_UNKNOWN) {
        return result;
    }
    if (!STR_IS_ANY(name, harmless)) {
        lose_arguments(eval, arguments); /* the result may be, or contain, one of the arguments */
    }
    return value_unknown();
}
