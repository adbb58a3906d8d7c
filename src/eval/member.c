/* Attributes and subscripts. */
#include "eval/drive.h"
#include "eval/fault.h"

/* --- attributes */

/* Does the file set an attribute of this name on any object? Then any owner may have it. */
static bool is_set_somewhere(Eval *eval, Str name)
{
    NodeList list = module_nodes(eval->module, NODE_ATTRIBUTE);
    for (uint32_t i = 0; i < list.count && !eval->has_set_names; i++) {
        Str set = node_name(eval->module, list.ids[i]);
        if (eval_node(eval, list.ids[i])->role == ROLE_TARGET &&
            map_find(&eval->set_names, set) == MAP_NONE) {
            map_add(&eval->set_names, eval->arena, set);
        }
    }
    eval->has_set_names = true;
    return map_find(&eval->set_names, name) != MAP_NONE;
}

bool eval_sets_attribute(Eval *eval, Str name)
{
    uint32_t here = eval->unit;
    bool sets = false;
    for (uint32_t i = 0; i < eval->units.count && !sets; i++) {
        unit_switch(eval, i);
        sets = is_set_somewhere(eval, name);
    }
    unit_switch(eval, here);
    return sets;
}

static Strs words(Arena *arena, const char *list)
{
    Strs names = {0};
    Str rest = str_from(list);
    while (rest.length > 0) {
        size_t end = str_find(rest, STR(" "), 0);
        Str word = str_slice(rest, 0, end);
        if (word.length > 0) {
            VEC_PUSH(arena, &names, word);
        }
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
    }
    return names;
}

static Value missing_member(Eval *eval, NodeId node, Str name, const char *en, const char *zh,
                            const char *list)
{
    bool private = name.length > 0 && name.at[0] == '_';
    if (private || is_set_somewhere(eval, name)) {
        return value_unknown();
    }
    EvalFinding *finding =
        eval_report(eval, EVAL_NAME, node, "%s has no attribute '%.*s' (AttributeError F0FFFF)",
                    "%s没有属性 '%.*s'（AttributeError F0FFFF）", en, STR_ARG(name));
    if (finding != NULL) {
        finding->zh = str_format(eval->result, "%s没有属性 '%.*s'（AttributeError F0FFFF）", zh,
                                 STR_ARG(name));
        finding->start = eval_node(eval, node)->extra;
        finding->end = eval_node(eval, node)->end;
        finding->name = name;
        finding->near = words(eval->result, list);
    }
    return value_unknown();
}

Value eval_method_value(Eval *eval, Value owner, Str name)
{
    Value *self = ARENA_NEW(eval->arena, Value);
    *self = owner;
    Method *method = ARENA_NEW(eval->arena, Method);
    *method = (Method){self, name};
    return (Value){.kind = VALUE_METHOD, .as.method = method};
}

static Value tensor_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    Value known;
    if (eval->drive != NULL && drive_attribute(eval, owner, name, &known)) {
        return known;
    }
    if (str_is(name, "shape")) {
        return owner.as.axes == NULL ? value_unknown() : *owner.as.axes;
    }
    if (str_is(name, "move") || str_ends(name, STR("_"))) {
        value_lose(eval, owner); /* it may have another shape then */
    }
    if (!api_words_have(api_tensor_members, name)) {
        return missing_member(eval, node, name, "a tensor", "tensor ", api_tensor_members);
    }
    const ApiFact *fact = api_fact_find(name);
    bool is_method = (fact != NULL && fact->gives_tensor) || eval->drive != NULL;
    return is_method ? eval_method_value(eval, owner, name) : value_unknown();
}

static Value api_value(const ApiFact *fact)
{
    ValueKind kind = fact->kind == API_FACT_CONSTANT ? VALUE_MEMBER : VALUE_API;
    return (Value){.kind = (uint8_t)kind, .as.fact = fact};
}

static Value package_attribute(Eval *eval, NodeId node, Str name)
{
    const ApiFact *fact = api_fact_find(name);
    if (fact != NULL) {
        return api_value(fact);
    }
    bool private = name.length > 0 && name.at[0] == '_';
    if (private || is_set_somewhere(eval, name)) {
        return value_unknown();
    }
    EvalFinding *finding =
        eval_report(eval, EVAL_NAME, node, "pypto.%.*s does not exist (AttributeError F0FFFF)",
                    "pypto.%.*s 不存在（AttributeError F0FFFF）", STR_ARG(name));
    if (finding != NULL) {
        finding->start = eval_node(eval, node)->extra;
        finding->end = eval_node(eval, node)->end;
        finding->name = name;
        for (size_t i = 0; i < api_fact_count; i++) {
            Str other = str_from(api_facts[i].name);
            if (!str_contains(other, STR("."))) {
                VEC_PUSH(eval->result, &finding->near, other);
            }
        }
    }
    return value_unknown();
}

/* pypto.DataType.DT_FP32 is pypto.DT_FP32. */
static Value of_data_type(const ApiFact *fact, Str name)
{
    const ApiFact *dtype =
        strcmp(fact->name, "DataType") == 0 || strcmp(fact->name, "StatusType") == 0
            ? api_fact_find(name)
            : NULL;
    return dtype == NULL ? value_unknown() : api_value(dtype);
}

/* A member of an enum with its position, which is its number. */
static Value enum_member(const ApiFact *fact, Str name)
{
    Str rest = str_from(fact->parameters);
    Value member = {.kind = VALUE_MEMBER, .as.fact = fact};
    static const char *const ordered[] = {
        "CastMode",     "SaturationMode", "TopKAlgo",      "ReLuType", "TransMode",
        "TileOpFormat", "ScatterMode",    "PrecisionType", "RunMode",  "DequantScaleRoundingMode"};
    if (!STR_IS_ANY(str_from(fact->name), ordered)) {
        return value_unknown();
    }
    for (uint32_t place = 1; rest.length > 0; place++) {
        size_t end = str_find(rest, STR(" "), 0);
        if (str_equal(str_slice(rest, 0, end), name)) {
            member.handle = place;
            return member;
        }
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
    }
    return value_unknown();
}

static Value fact_attribute(Eval *eval, NodeId node, const ApiFact *fact, Str name)
{
    bool frontend = fact->kind == API_FACT_MODULE && strcmp(fact->name, "frontend") == 0;
    bool jit = frontend && str_is(name, "jit");
    if (jit || (frontend && str_is(name, "dynamic"))) {
        Value outside = value_text(eval->arena,
                                   jit ? STR("pypto.frontend.jit") : STR("pypto.frontend.dynamic"));
        outside.kind = VALUE_OUTSIDE;
        return outside;
    }
    if (fact->kind == API_FACT_MODULE) {
        char path[80];
        if (strlen(fact->name) + name.length + 2 > sizeof path) {
            return value_unknown();
        }
        Str full = str_format(eval->arena, "%s.%.*s", fact->name, STR_ARG(name));
        /* pypto.operation.exp, pypto.op.math.exp: the same as pypto.exp */
        static const char *const same[] = {"op",       "operation", "math",    "comparison",
                                           "creation", "indexing",  "joining", "other",
                                           "mutating", "reduction", "random",  "quantization"};
        bool outer = STR_IS_ANY(str_from(fact->name), same);
        const ApiFact *inner = api_fact_find(full);
        inner = inner == NULL && outer ? api_fact_find(name) : inner;
        return inner == NULL ? value_unknown() : api_value(inner);
    }
    Value dtype = of_data_type(fact, name);
    if (dtype.kind == VALUE_MEMBER) {
        return dtype;
    }
    static const char *const of_every_enum[] = {"name", "value", "mro", "values", "names"};
    if (fact->kind != API_FACT_ENUM || fact->parameters == NULL ||
        api_words_have(fact->parameters, name) || STR_IS_ANY(name, of_every_enum)) {
        bool is_enum = fact->kind == API_FACT_ENUM && fact->parameters != NULL;
        return is_enum ? enum_member(fact, name) : value_unknown();
    }
    const char *en = str_format(eval->result, "pypto.%s", fact->name).at;
    const char *zh = str_format(eval->result, "pypto.%s ", fact->name).at;
    return missing_member(eval, node, name, en, zh, fact->parameters);
}

/* Reports a name that Python's own type lacks. Views and iterators, which are tuples here, are left
 * out. */
static void check_member(Eval *eval, NodeId node, Value owner, Str name)
{
    static const struct {
        ValueKind kind;
        const char *names;
    } table[] = {
        {VALUE_NONE, ""},
        {VALUE_LIST, "append clear copy count extend index insert pop remove reverse sort"},
        {VALUE_TUPLE, "count index numel"},
        {VALUE_DICT, "clear copy fromkeys get items keys pop popitem setdefault update values"},
        {VALUE_INT, "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag "
                    "is_integer numerator real to_bytes"},
        {VALUE_FLOAT, "as_integer_ratio conjugate fromhex hex imag is_integer real"},
    };
    bool plain = !value_is_sequence(owner) || (!owner.flag && !owner.atom);
    for (size_t i = 0; plain && i < sizeof table / sizeof *table; i++) {
        if (table[i].kind == (ValueKind)owner.kind && !api_words_have(table[i].names, name)) {
            fault_attribute(eval, node, owner, name);
        }
    }
}

Value eval_attribute(Eval *eval, NodeId node, Value owner)
{
    Str name = node_name(eval->module, node);
    switch ((ValueKind)owner.kind) {
    case VALUE_PACKAGE:
        return package_attribute(eval, node, name);
    case VALUE_API:
        return fact_attribute(eval, node, owner.as.fact, name);
    case VALUE_TENSOR:
        return tensor_attribute(eval, node, owner, name);
    case VALUE_SYMBOL:
        if (!api_words_have(api_symbol_members, name)) {
            return missing_member(eval, node, name, "a symbolic scalar", "符号标量",
                                  api_symbol_members);
        }
        return eval_method_value(eval, owner, name);
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_STR:
        if (host_is_pair(owner)) {
            return host_pair_attribute(owner, name);
        }
        check_member(eval, node, owner, name);
        return eval_method_value(eval, owner, name);
    case VALUE_MEMBER: {
        bool chip = strcmp(owner.as.fact->name, "platform") == 0 && str_is(name, "npuarch");
        return chip && !is_set_somewhere(eval, name) ? chip_architecture(eval) : value_unknown();
    }
    case VALUE_INSTANCE:
        return instance_attribute(eval, node, owner, name);
    case VALUE_NONE:
    case VALUE_INT:
    case VALUE_FLOAT:
        check_member(eval, node, owner, name);
        return value_unknown();
    case VALUE_CLASS:
        return class_attribute(eval, node, owner, name);
    case VALUE_SUPER:
        return super_attribute(eval, node, owner, name);
    case VALUE_MODULE:
        return module_attribute(eval, node, owner, name);
    case VALUE_UNKNOWN:
        return value_part(eval, owner, name);
    case VALUE_ARRAY:
        return host_array_attribute(eval, owner, name);
    case VALUE_OUTSIDE:
    case VALUE_HOST:
        return host_attribute(eval, node, owner, name);
    case VALUE_BUILTIN:
        return str_is(*owner.as.text, "object") && str_is(name, "__setattr__")
                   ? host_attribute(eval, node, owner, name)
                   : value_unknown();
    default:
        return value_unknown();
    }
}

/* --- subscripts */

/* The number of subscripts that are slices; -1 when one is starred. */
static int slices_in(const Module *module, NodeId index, uint32_t *count)
{
    *count = 1;
    if (!node_is(module, index, NODE_TUPLE)) {
        return node_is(module, index, NODE_SLICE) ||
               (node_is(module, index, NODE_CONSTANT) &&
                node_at(module, index)->op == CONSTANT_ELLIPSIS);
    }
    int slices = 0;
    *count = 0;
    for (NodeId item = node_first(module, index); item != NO_NODE;
         item = node_sibling(module, item)) {
        if (node_is(module, item, NODE_STARRED)) {
            return -1;
        }
        slices +=
            node_is(module, item, NODE_SLICE) || (node_is(module, item, NODE_CONSTANT) &&
                                                  node_at(module, item)->op == CONSTANT_ELLIPSIS);
        (*count)++;
    }
    return slices;
}

/* A window or an element; an index of unknown kind may give either. */
static Value tensor_item(Eval *eval, NodeId node, Value owner)
{
    const Module *module = eval->module;
    NodeId index = node_child(module, node, ROLE_SLICE);
    if (eval->drive != NULL) {
        return drive_item(eval, node, owner);
    }
    eval_expression(eval, index);
    uint32_t count;
    int slices = slices_in(module, index, &count);
    if (slices > 0) {
        return value_tensor();
    }
    (void)owner;
    return value_unknown();
}

/* The bounds of a slice of `count` items, computed as Python does; false when they are not
 * known. */
static bool slice_bounds(Eval *eval, NodeId slice, int64_t count, int64_t bounds[3])
{
    static const Role roles[] = {ROLE_LOWER, ROLE_UPPER, ROLE_STEP};
    bool known = true, given[3] = {false};
    for (int i = 0; i < 3; i++) {
        NodeId bound = node_child(eval->module, slice, roles[i]);
        Value value = bound == NO_NODE ? value_none() : eval_expression(eval, bound);
        value = eval->drive != NULL ? drive_plain(eval, value) : value;
        if (bound != NO_NODE) {
            eval_needs_value(eval, bound, value, (Where){"a slice of a list", "列表切片", true});
        }
        given[i] = value.kind != VALUE_NONE;
        known = known && (!given[i] || value_is_int(value));
        bounds[i] = known && given[i] ? value.as.integer : i == 2;
    }
    if (!known || bounds[2] == 0 || bounds[2] == INT64_MIN) {
        return false;
    }
    bool back = bounds[2] < 0;
    for (int i = 0; i < 2; i++) {
        int64_t least = back ? -1 : 0, most = back ? count - 1 : count;
        int64_t at = bounds[i] < 0 ? bounds[i] + count : bounds[i];
        at = at < least ? least : at > most ? most : at;
        bounds[i] = given[i] ? at : (i == 0) == back ? (back ? count - 1 : count) : (back ? -1 : 0);
    }
    return true;
}

static Value sequence_item(Eval *eval, NodeId node, Value owner);

static Value sequence_slice(Eval *eval, NodeId slice, Value owner)
{
    int64_t bounds[3];
    bool known = slice_bounds(eval, slice, owner.as.sequence->count, bounds);
    if (!known || !value_has_items(owner)) {
        return value_hidden_items(eval, owner);
    }
    Value result = value_sequence(eval->arena, (ValueKind)owner.kind, 0);
    result.as.sequence->birth = eval->clock;
    result.flag = owner.flag;
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
        sequence_add(eval->arena, result.as.sequence, owner.as.sequence->items[i]);
        if (__builtin_add_overflow(i, bounds[2], &i)) {
            break;
        }
    }
    return result;
}

/* An item or slice of a string, as if it were a list of letters. */
static Value text_item(Eval *eval, NodeId node, Value owner)
{
    const Sequence *letters = eval_items(eval, NO_NODE, owner);
    NodeId index = node_child(eval->module, node, ROLE_SLICE);
    Value list = {.kind = VALUE_LIST, .as.sequence = (Sequence *)(uintptr_t)letters};
    if (letters == NULL) {
        eval_expression(eval, index);
        return value_unknown();
    }
    if (!node_is(eval->module, index, NODE_SLICE)) {
        return sequence_item(eval, node, list);
    }
    Value part = sequence_slice(eval, index, list);
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    for (uint32_t i = 0; part.kind == VALUE_LIST && i < part.as.sequence->count; i++) {
        buf_add(&buf, *part.as.sequence->items[i].as.text);
    }
    return part.kind == VALUE_LIST ? value_text(eval->arena, buf_str(&buf)) : value_unknown();
}

static Value sequence_item(Eval *eval, NodeId node, Value owner)
{
    NodeId index = node_child(eval->module, node, ROLE_SLICE);
    if (node_is(eval->module, index, NODE_SLICE)) {
        return sequence_slice(eval, index, owner);
    }
    Value at = eval_expression(eval, index);
    at = eval->drive != NULL ? drive_plain(eval, at) : at;
    bool symbolic =
        eval_needs_value(eval, index, at, (Where){"an index of a list", "列表下标", true});
    if (symbolic || !value_is_int(at) || owner.as.sequence->lost) {
        fault_key_of_list(eval, node, owner, at);
        return value_choice(eval, owner);
    }
    const Sequence *sequence = owner.as.sequence;
    int64_t place = at.as.integer;
    if (place < 0 && !sequence->open) {
        place += sequence->count;
    }
    bool inside = place >= 0 && place < sequence->count;
    if (!inside && !sequence->open) {
        fault_index(eval, node, owner);
    }
    return inside ? sequence->items[place] : value_unknown();
}

static Value dict_item(Eval *eval, NodeId node, Value owner)
{
    NodeId index = node_child(eval->module, node, ROLE_SLICE);
    Value key = eval_expression(eval, index);
    if (eval_needs_value(eval, index, key, (Where){"a dict key", "字典的键", true}) ||
        owner.as.dict->lost) {
        return value_unknown();
    }
    bool missing;
    Value found = dict_get(owner.as.dict, key, &missing);
    if (missing) {
        fault_key(eval, node, key);
    }
    return found.kind == VALUE_UNKNOWN && !missing ? value_choice(eval, owner) : found;
}

/* cfg["tile"] and cfg[0] of something unknown. */
static Value unknown_item(Eval *eval, NodeId node, Value owner)
{
    Value key = eval_expression(eval, node_child(eval->module, node, ROLE_SLICE));
    if (value_is_choice(owner)) {
        return value_unknown(); /* of plain data */
    }
    if (key.kind == VALUE_INT) {
        return value_part(eval, owner,
                          str_format(eval->arena, "[%lld]", (long long)key.as.integer));
    }
    return key.kind == VALUE_STR
               ? value_part(eval, owner, str_format(eval->arena, "['%.*s']", STR_ARG(*key.as.text)))
               : value_unknown();
}

/* Mode["A"] */
static Value enum_item(Eval *eval, NodeId node, Value owner)
{
    Value key = eval_expression(eval, node_child(eval->module, node, ROLE_SLICE));
    const Class *class = owner.as.class;
    const Value *member =
        class->form == CLASS_ENUM && key.kind == VALUE_STR ? class_find(class, *key.as.text) : NULL;
    return member != NULL && member->kind == VALUE_INSTANCE ? *member : value_unknown();
}

Value eval_subscript(Eval *eval, NodeId node, Value owner)
{
    switch ((ValueKind)owner.kind) {
    case VALUE_TENSOR:
        return tensor_item(eval, node, owner);
    case VALUE_LIST:
    case VALUE_TUPLE:
        return sequence_item(eval, node, owner);
    case VALUE_DICT:
        return dict_item(eval, node, owner);
    case VALUE_STR:
        return text_item(eval, node, owner);
    case VALUE_CLASS:
        return enum_item(eval, node, owner);
    case VALUE_INSTANCE:
        if (value_is_tuple_instance(owner)) {
            Value items = {.kind = VALUE_TUPLE, .as.sequence = owner.as.instance->items};
            return sequence_item(eval, node, items);
        }
        eval_expression(eval, node_child(eval->module, node, ROLE_SLICE));
        return value_unknown();
    case VALUE_UNKNOWN:
        return unknown_item(eval, node, owner);
    case VALUE_HOST:
        return host_item(eval, node, owner);
    default:
        eval_expression(eval, node_child(eval->module, node, ROLE_SLICE));
        fault_subscript(eval, node, owner);
        return value_unknown();
    }
}
