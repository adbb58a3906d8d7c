/* Classes: plain ones, dataclasses, named tuples, enums. A class is unknown as a whole if it has
 * something that changes the meaning of attributes, or an unknown base. */
#include "eval/state.h"

/* --- bases and decorators */

typedef enum BaseKind {
    BASE_OTHER,
    BASE_PLAIN,
    BASE_TUPLE,
    BASE_ENUM,
    BASE_MIXED,
    BASE_MODULE
} BaseKind;

static BaseKind base_kind(Value base)
{
    static const struct {
        const char *name;
        BaseKind kind;
    } table[] = {
        {"object", BASE_PLAIN},
        {"abc.ABC", BASE_PLAIN},
        {"unittest.TestCase", BASE_PLAIN},
        {"typing.NamedTuple", BASE_TUPLE},
        {"enum.Enum", BASE_ENUM},
        {"enum.IntEnum", BASE_MIXED},
        {"enum.StrEnum", BASE_MIXED},
        {"torch.nn.Module", BASE_MODULE},
    };
    bool named = base.kind == VALUE_OUTSIDE || base.kind == VALUE_BUILTIN;
    for (size_t i = 0; named && i < sizeof table / sizeof *table; i++) {
        if (str_is(*base.as.text, table[i].name)) {
            return table[i].kind;
        }
    }
    return BASE_OTHER;
}

/* False if what the class inherits is not known. */
static bool take_base(Class *class, Value base)
{
    bool mixin = base.kind == VALUE_BUILTIN &&
                 (str_is(*base.as.text, "int") || str_is(*base.as.text, "str"));
    if (mixin) {
        class->is_mixed = true;
        return true;
    }
    if (base.kind == VALUE_CLASS) {
        Class *from = base.as.class;
        bool first = class->base == NULL && class->form == CLASS_PLAIN;
        class->base = from;
        class->form = from->form;
        class->is_mixed = class->is_mixed || from->is_mixed;
        class->is_module = from->is_module;
        class->has_others = from->has_others;
        class->has_equal = from->has_equal;
        class->has_truth = from->has_truth;
        class->is_frozen = from->is_frozen;
        return first && from->form != CLASS_TUPLE && from->form != CLASS_NAMESPACE;
    }
    BaseKind kind = base_kind(base);
    class->is_mixed = class->is_mixed || kind == BASE_MIXED;
    class->is_module = class->is_module || kind == BASE_MODULE;
    class->has_others = class->has_others || kind == BASE_MODULE ||
                        (base.kind == VALUE_OUTSIDE && str_is(*base.as.text, "unittest.TestCase"));
    if (kind == BASE_TUPLE || kind == BASE_ENUM || kind == BASE_MIXED) {
        bool first = class->form == CLASS_PLAIN && class->base == NULL;
        class->form = kind == BASE_TUPLE ? CLASS_TUPLE : CLASS_ENUM;
        class->is_frozen = true;
        return first;
    }
    return kind != BASE_OTHER;
}

/* @dataclass, @dataclass(frozen=True, …): false for options that are not understood. */
static bool take_dataclass(Eval *eval, NodeId decorator, Class *class)
{
    const Module *module = eval->module;
    class->form = CLASS_DATA;
    class->is_frozen = false;
    if (!node_is(module, decorator, NODE_CALL)) {
        return true;
    }
    for (NodeId option = node_child(module, decorator, ROLE_KEYWORD); option != NO_NODE;
         option = node_next(module, option)) {
        Str name = node_name(module, option);
        Value value = eval_expression(eval, option + 1);
        static const char *const harmless[] = {"repr", "order", "slots", "unsafe_hash"};
        if (str_is(name, "frozen") && value.kind == VALUE_BOOL) {
            class->is_frozen = value.as.integer != 0;
        } else if (str_is(name, "kw_only") && value.kind == VALUE_BOOL) {
            class->by_keyword = value.as.integer != 0;
        } else if (str_is(name, "eq") && value.kind == VALUE_BOOL && value.as.integer != 0) {
            continue; /* the default */
        } else if (!STR_IS_ANY(name, harmless)) {
            return false; /* init, … */
        }
    }
    return node_count(module, decorator, ROLE_ARG) == 0;
}

static bool take_decorators(Eval *eval, NodeId node, Class *class, bool *decorated)
{
    const Module *module = eval->module;
    static const char *const harmless[] = {"enum.unique", "typing.final"};
    for (NodeId decorator = node_child(module, node, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        bool call = node_is(module, decorator, NODE_CALL);
        Value value = eval_expression(eval, call ? call_func(module, decorator) : decorator);
        Str name = value.kind == VALUE_OUTSIDE ? *value.as.text : STR("");
        if (str_is(name, "dataclasses.dataclass") && class->form != CLASS_ENUM) {
            *decorated = true;
            if (!take_dataclass(eval, decorator, class)) {
                return false;
            }
        } else if (!STR_IS_ANY(name, harmless) && !str_starts(name, STR("pytest.mark"))) {
            return false;
        }
    }
    return true;
}

/* --- what the body says */

const Value *class_find(const Class *class, Str name)
{
    enum { MOST_BASES = 16 };
    for (int i = 0; class != NULL && i < MOST_BASES; i++, class = class->base) {
        const Value *found = scope_get(class->scope, name);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Does the class avoid the special names that change attributes or creation? */
static bool is_understood(const Class *class)
{
    static const char *const own[] = {
        "__getattr__", "__getattribute__",  "__setattr__", "__delattr__",
        "__new__",     "__init_subclass__", "_missing_",   "_generate_next_value_"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (class_find(class, str_from(own[i])) != NULL) {
            return false;
        }
    }
    return class->form != CLASS_ENUM || (class_find(class, STR("__init__")) == NULL &&
                                         class_find(class, STR("_ignore_")) == NULL);
}

static void add_field(Eval *eval, Class *class, Field field)
{
    for (uint32_t i = 0; i < class->fields.count; i++) {
        if (str_equal(class->fields.items[i].name, field.name)) {
            class->fields.items[i] = field;
            return;
        }
    }
    VEC_PUSH(eval->arena, &class->fields, field);
}

/* field(default=…, default_factory=…, init=…): false for what is not understood. */
static bool read_field_call(Eval *eval, NodeId call, Field *field)
{
    const Module *module = eval->module;
    for (NodeId option = node_child(module, call, ROLE_KEYWORD); option != NO_NODE;
         option = node_next(module, option)) {
        Str name = node_name(module, option);
        Value value = nodes_in(module, option, NODE_CALL).count == 0
                          ? eval_kept(eval, eval_expression(eval, option + 1))
                          : value_unknown();
        static const char *const harmless[] = {"repr", "hash", "compare", "metadata"};
        if (str_is(name, "default") || str_is(name, "default_factory")) {
            field->has_default = true;
            field->is_made = str_is(name, "default_factory");
            field->value = value;
        } else if ((str_is(name, "init") || str_is(name, "kw_only")) && value.kind == VALUE_BOOL) {
            bool *flag = str_is(name, "init") ? &field->is_no_argument : &field->is_keyword_only;
            *flag = str_is(name, "init") ? value.as.integer == 0 : value.as.integer != 0;
        } else if (!STR_IS_ANY(name, harmless)) {
            return false;
        }
    }
    return node_count(module, call, ROLE_ARG) == 0;
}

static bool read_field(Eval *eval, NodeId statement, Class *class)
{
    const Module *module = eval->module;
    NodeId target = node_child(module, statement, ROLE_TARGET);
    NodeId value = node_child(module, statement, ROLE_VALUE);
    Str annotation = node_text(module, node_child(module, statement, ROLE_ANNOTATION));
    if (!node_is(module, target, NODE_NAME) || str_contains(annotation, STR("InitVar")) ||
        str_contains(annotation, STR("KW_ONLY"))) {
        return false;
    }
    if (str_contains(annotation, STR("ClassVar"))) {
        return true;
    }
    Field field = {.name = node_name(module, target),
                   .has_default = value != NO_NODE,
                   .is_keyword_only = class->by_keyword};
    const Value *bound = scope_get(class->scope, field.name);
    field.value = value == NO_NODE || bound == NULL ? value_unknown() : *bound;
    if (node_is(module, value, NODE_CALL)) {
        Value callee = eval_expression(eval, call_func(module, value));
        if (callee.kind == VALUE_OUTSIDE && str_is(*callee.as.text, "dataclasses.field")) {
            field.has_default = false;
            if (!read_field_call(eval, value, &field)) {
                return false;
            }
        }
    }
    add_field(eval, class, field);
    return true;
}

static bool read_fields(Eval *eval, NodeId node, Class *class, bool decorated)
{
    const Module *module = eval->module;
    for (uint32_t i = 0; class->base != NULL && i < class->base->fields.count; i++) {
        add_field(eval, class, class->base->fields.items[i]);
    }
    if (class->form == CLASS_DATA && !decorated) {
        return true; /* annotations of a class derived from a dataclass are not fields */
    }
    NodeList all = nodes_in(module, node, NODE_ANN_ASSIGN);
    for (uint32_t i = 0; i < all.count; i++) {
        NodeId parent = node_at(module, all.ids[i])->parent;
        if (parent == node && !read_field(eval, all.ids[i], class)) {
            return false;
        }
        if (parent != node && node_function(module, all.ids[i]) == node_function(module, node)) {
            return false; /* a field on a condition, or one of a class in the class */
        }
    }
    return true;
}

/* --- enums */

static Value make_member(Eval *eval, Class *class, Str name, Value value)
{
    for (uint32_t i = 0; i < class->members->count; i++) {
        const Instance *other = class->members->items[i].as.instance;
        if (value_equal(*scope_get(other->names, STR("value")), value, 0) == TRUTH_TRUE) {
            return class->members->items[i]; /* another name of the same member */
        }
    }
    Value member = instance_new(eval, class);
    scope_set(eval, member.as.instance->names, STR("name"), value_text(eval->arena, name));
    scope_set(eval, member.as.instance->names, STR("value"), value);
    sequence_add(eval->arena, class->members, member);
    return member;
}

/* Reads the members in order; auto() counts on from the last number. */
static bool read_members(Eval *eval, NodeId node, Class *class)
{
    const Module *module = eval->module;
    int64_t last = 0;
    class->members = value_sequence(eval->arena, VALUE_LIST, 0).as.sequence;
    if (class->base != NULL && class->base->members != NULL && class->base->members->count > 0) {
        return false;
    }
    for (NodeId statement = node_child(module, node, ROLE_BODY); statement != NO_NODE;
         statement = node_next(module, statement)) {
        NodeId target = node_child(module, statement, ROLE_TARGET);
        bool plain = node_is(module, statement, NODE_EXPR) || node_is(module, statement, NODE_PASS);
        if (plain || node_is(module, statement, NODE_FUNCTION_DEF)) {
            continue;
        }
        if (!node_is(module, statement, NODE_ASSIGN) || !node_is(module, target, NODE_NAME) ||
            node_next(module, target) != NO_NODE) {
            return false;
        }
        Str name = node_name(module, target);
        const Value *bound = scope_get(class->scope, name);
        Value value = bound == NULL ? value_unknown() : *bound;
        if (value.kind == VALUE_OUTSIDE && str_is(*value.as.text, "enum.auto")) {
            value = value_int(last + 1);
        }
        bool known = value.kind == VALUE_INT || value.kind == VALUE_STR;
        if (!known || class->members->count >= EVAL_UNROLLED || str_starts(name, STR("_")) ||
            (class->is_mixed && value.kind == VALUE_INT &&
             (value.as.integer == INT64_MAX || value.as.integer < 0))) {
            return false; /* members with equal values are one, so each value must be known */
        }
        last = value.kind == VALUE_INT ? value.as.integer : last;
        scope_set(eval, class->scope, name, make_member(eval, class, name, value));
    }
    return true;
}

/* --- definition */

/* Tells methods their class, for super(). */
static void own_methods(Eval *eval, Class *class)
{
    for (uint32_t i = 0; i < class->scope->bindings.count; i++) {
        Value *value = &class->scope->bindings.items[i].value;
        if (value->kind == VALUE_FUNCTION && value->as.function->owner == NULL) {
            Function *own = ARENA_NEW(eval->arena, Function);
            *own = *value->as.function;
            own->owner = class;
            value->as.function = own;
        }
    }
}

static bool read_class(Eval *eval, NodeId node, Class *class, bool *decorated)
{
    const Module *module = eval->module;
    bool known = true;
    for (NodeId base = node_child(module, node, ROLE_BASE); base != NO_NODE;
         base = node_next(module, base)) {
        known = take_base(class, eval_expression(eval, base)) && known;
    }
    for (NodeId option = node_child(module, node, ROLE_KEYWORD); option != NO_NODE;
         option = node_next(module, option)) {
        Value value = eval_expression(eval, option + 1);
        known = known && value.kind == VALUE_OUTSIDE && str_is(*value.as.text, "abc.ABCMeta");
    }
    known = known && (!class->is_mixed || class->form == CLASS_ENUM);
    return take_decorators(eval, node, class, decorated) && known;
}

static Flow unknown_class(Eval *eval, NodeId node)
{
    eval_lose_named(eval, node, 0);
    eval_bind(eval, node_name(eval->module, node), value_unknown());
    return FLOW_NEXT;
}

Flow eval_class_def(Eval *eval, NodeId node)
{
    Frame *outer = eval->frame;
    Class *class = ARENA_NEW(eval->arena, Class);
    *class = (Class){.name = node_name(eval->module, node), .birth = eval->clock};
    bool decorated = false;
    if (eval->drive != NULL || outer->is_graph || !read_class(eval, node, class, &decorated)) {
        return unknown_class(eval, node);
    }
    Scope *around = outer->scope; /* a class in a class does not see its names */
    while (around->is_class && around->parent != NULL) {
        around = around->parent;
    }
    class->scope = scope_new(eval, around, node);
    class->scope->is_class = true;
    Frame frame = {.scope = class->scope};
    eval->frame = &frame;
    Flow flow = eval_body(eval, node, ROLE_BODY);
    bool known = flow == FLOW_NEXT && !eval->stopped && is_understood(class);
    known = known && (class->form != CLASS_ENUM || read_members(eval, node, class));
    known = known && (class->form == CLASS_ENUM || class->form == CLASS_PLAIN ||
                      read_fields(eval, node, class, decorated));
    eval->frame = outer;
    if (!known) {
        return flow == FLOW_NEXT ? unknown_class(eval, node) : flow;
    }
    class->has_equal = class->has_equal || class_find(class, STR("__eq__")) != NULL;
    class->has_truth = class->has_truth || class_find(class, STR("__bool__")) != NULL ||
                       class_find(class, STR("__len__")) != NULL;
    own_methods(eval, class);
    if (decorated && scope_get(class->scope, STR("__init__")) == NULL) {
        scope_set(eval, class->scope, STR("__init__"), value_none()); /* a generated one */
    }
    eval_bind(eval, class->name, (Value){.kind = VALUE_CLASS, .as.class = class});
    return FLOW_NEXT;
}

/* --- classes made by a call */

/* The names of namedtuple("P", "x y") or (…, ["x", "y"]); false when they are not known. */
static bool tuple_fields(Eval *eval, Value names, Class *class)
{
    if (names.kind == VALUE_STR) {
        Str rest = *names.as.text;
        while (rest.length > 0) {
            size_t end = 0;
            while (end < rest.length && rest.at[end] != ' ' && rest.at[end] != ',') {
                end++;
            }
            if (end > 0) {
                add_field(eval, class, (Field){.name = str_slice(rest, 0, end)});
            }
            rest = str_slice(rest, end + 1, rest.length);
        }
        return class->fields.count > 0;
    }
    const Sequence *items = eval_items(eval, NO_NODE, names);
    for (uint32_t i = 0; items != NULL && i < items->count; i++) {
        if (items->items[i].kind != VALUE_STR) {
            return false;
        }
        add_field(eval, class, (Field){.name = *items->items[i].as.text});
    }
    return items != NULL && items->count > 0;
}

/* Gives the last fields these values; an unknown list (NULL) gives all of them an unknown one.
 * False if there are more values than fields. */
static bool set_defaults(Eval *eval, Class *class, const Sequence *defaults)
{
    uint32_t count = class->fields.count;
    uint32_t given = defaults == NULL ? count : defaults->count;
    if (given > count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        Field *field = &class->fields.items[i];
        field->has_default = i >= count - given;
        field->value = defaults == NULL || !field->has_default
                           ? value_unknown()
                           : eval_kept(eval, defaults->items[i - (count - given)]);
    }
    return true;
}

void class_set_defaults(Eval *eval, Class *class, Value defaults)
{
    bool known = class->birth >= eval->region;
    const Sequence *items = known ? eval_items(eval, NO_NODE, defaults) : NULL;
    if (!set_defaults(eval, class, items)) {
        set_defaults(eval, class, NULL);
    }
}

Value class_named_tuple(Eval *eval, const Arguments *arguments)
{
    Class *class = ARENA_NEW(eval->arena, Class);
    *class = (Class){.form = CLASS_TUPLE, .is_frozen = true, .birth = eval->clock};
    bool plain = arguments->positional == 2 && arguments->keywords <= 1 && !arguments->open &&
                 arguments->values[0].kind == VALUE_STR;
    if (!plain || !tuple_fields(eval, arguments->values[1], class)) {
        return value_unknown();
    }
    class->name = *arguments->values[0].as.text;
    class->scope = scope_new(eval, NULL, NO_NODE);
    if (arguments->keywords == 1) {
        const Sequence *defaults = eval_items(eval, NO_NODE, arguments->values[2]);
        if (!str_is(arguments->names[0], "defaults") || defaults == NULL ||
            !set_defaults(eval, class, defaults)) {
            return value_unknown();
        }
    }
    return (Value){.kind = VALUE_CLASS, .as.class = class};
}
