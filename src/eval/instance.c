/* Instances of the program's classes: creation, attributes, methods. */
#include "eval/fault.h"
#include "eval/host.h"

/* --- making */

Value instance_new(Eval *eval, Class *class)
{
    Instance *instance = ARENA_NEW(eval->arena, Instance);
    instance->class = class;
    instance->names = scope_new(eval, NULL, NO_NODE);
    instance->birth = eval->clock;
    return (Value){.kind = VALUE_INSTANCE, .as.instance = instance};
}

/* The fields as parameters, for check_signature. */
static const char *field_parameters(Eval *eval, const Class *class)
{
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    bool star = false;
    for (int keyword_only = 0; keyword_only < 2; keyword_only++) {
        for (uint32_t i = 0; i < class->fields.count; i++) {
            const Field *field = &class->fields.items[i];
            if (field->is_no_argument || field->is_keyword_only != (keyword_only == 1)) {
                continue;
            }
            if (field->is_keyword_only && !star) {
                buf_addf(&buf, "%s*", buf.length > 0 ? " " : "");
                star = true;
            }
            buf_addf(&buf, "%s%.*s%s", buf.length > 0 ? " " : "", STR_ARG(field->name),
                     field->has_default ? "?" : "");
        }
    }
    return buf_str(&buf).at;
}

static Value default_of(Eval *eval, const Arguments *arguments, const Field *field)
{
    if (!field->is_made) {
        return field->value;
    }
    Arguments none = {.call = arguments->call,
                      .values = arguments->values,
                      .nodes = arguments->nodes,
                      .names = arguments->names};
    switch ((ValueKind)field->value.kind) {
    case VALUE_FUNCTION:
        return function_call(eval, &none, field->value.as.function);
    case VALUE_CLASS:
        return class_call(eval, &none, field->value.as.class);
    case VALUE_BUILTIN:
        return call_builtin(eval, &none, *field->value.as.text);
    default:
        return value_unknown();
    }
}

/* The value that a field gets: given by place or name, or its default. */
static Value field_value(Eval *eval, const Arguments *arguments, const Field *field, uint32_t place)
{
    bool by_place = !field->is_keyword_only && !field->is_no_argument;
    if (by_place && place < arguments->positional) {
        return eval_kept(eval, arguments->values[place]);
    }
    for (uint32_t i = 0; i < arguments->keywords && !field->is_no_argument; i++) {
        if (str_equal(arguments->names[i], field->name)) {
            return eval_kept(eval, arguments->values[arguments->positional + i]);
        }
    }
    return field->has_default ? eval_kept(eval, default_of(eval, arguments, field))
                              : value_unknown();
}

static void fill_fields(Eval *eval, const Arguments *arguments, Instance *instance,
                        const Class *class)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < class->fields.count; i++) {
        const Field *field = &class->fields.items[i];
        if (field->is_no_argument && !field->has_default) {
            continue; /* __post_init__ sets it */
        }
        Value value =
            arguments->open ? value_unknown() : field_value(eval, arguments, field, place);
        place += !field->is_no_argument && !field->is_keyword_only;
        scope_set(eval, instance->names, field->name, value);
        if (class->form == CLASS_TUPLE) {
            instance->items = instance->items != NULL
                                  ? instance->items
                                  : value_sequence(eval->arena, VALUE_TUPLE, 4).as.sequence;
            sequence_add(eval->arena, instance->items, value);
        }
    }
}

/* Calls a method by name; false when the class does not have it. */
static bool call_own(Eval *eval, const Arguments *arguments, Value self, const char *name,
                     Value *result)
{
    const Value *found = class_find(self.as.instance->class, str_from(name));
    if (found == NULL || found->kind == VALUE_NONE) {
        return false;
    }
    if (found->kind == VALUE_FUNCTION && found->as.function->method == METHOD_PLAIN) {
        Arguments with = arguments_with(eval, arguments, self);
        *result = function_call(eval, &with, found->as.function);
    } else {
        lose_arguments(eval, arguments);
        value_lose(eval, self);
        *result = value_unknown();
    }
    return true;
}

/* Mode(1), the member of that value. */
static Value member_of(const Class *class, const Arguments *arguments)
{
    bool plain = arguments->positional == 1 && arguments->keywords == 0 && !arguments->open;
    for (uint32_t i = 0; plain && i < class->members->count; i++) {
        Value member = class->members->items[i];
        const Value *value = scope_get(member.as.instance->names, STR("value"));
        if (value_same(member, arguments->values[0]) ||
            value_equal(*value, arguments->values[0], 0) == TRUTH_TRUE) {
            return member;
        }
    }
    return value_unknown();
}

static Value make_namespace(Eval *eval, const Arguments *arguments, Value made)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        scope_set(eval, made.as.instance->names, arguments->names[i],
                  eval_kept(eval, arguments->values[arguments->positional + i]));
    }
    made.as.instance->lost = arguments->open || arguments->positional > 0;
    return made;
}

/* The __init__ that a dataclass or named tuple gets; false when the arguments do not match. */
static bool generated_init(Eval *eval, const Arguments *arguments, Value self, const Class *class)
{
    Value result;
    if (!arguments->open &&
        !check_signature(eval, arguments, class->name, field_parameters(eval, class))) {
        return false;
    }
    fill_fields(eval, arguments, self.as.instance, class);
    if (class->form == CLASS_DATA) {
        Arguments none = {.call = arguments->call};
        call_own(eval, &none, self, "__post_init__", &result);
    }
    return true;
}

Value class_call(Eval *eval, const Arguments *arguments, Class *class)
{
    Value result;
    if (class->form == CLASS_ENUM) {
        return member_of(class, arguments);
    }
    Value made = instance_new(eval, class);
    if (class->form == CLASS_NAMESPACE) {
        return make_namespace(eval, arguments, made);
    }
    if (call_own(eval, arguments, made, "__init__", &result)) {
        return made;
    }
    if (class->form == CLASS_PLAIN) {
        bool fits = class->is_module || arguments->open ||
                    check_signature(eval, arguments, class->name, "");
        return fits ? made : value_unknown();
    }
    return generated_init(eval, arguments, made, class) ? made : value_unknown();
}

/* --- attributes */

/* What a class provides for a name, to an instance or, if `self` is the class, to itself. */
static Value from_class(Eval *eval, NodeId node, Value self, const Class *class, Str name)
{
    const Value *found = class_find(class, name);
    for (const Class *one = class; one != NULL; one = one->base) {
        found = one->lost ? NULL : found;
    }
    if (found == NULL) {
        return value_unknown();
    }
    if (found->kind != VALUE_FUNCTION) {
        return *found;
    }
    bool is_instance = self.kind == VALUE_INSTANCE;
    switch (found->as.function->method) {
    case METHOD_STATIC:
        return *found;
    case METHOD_PROPERTY: {
        Arguments none = {.call = node};
        Arguments with = arguments_with(eval, &none, self);
        return is_instance ? function_call(eval, &with, found->as.function) : value_unknown();
    }
    case METHOD_CLASS:
        return eval_method_value(eval, self, name);
    default:
        return is_instance ? eval_method_value(eval, self, name) : *found;
    }
}

/* Are the names of the instance all known? Enums and modules of torch have some of their own. */
static bool has_known_names(const Class *class)
{
    bool known = class->form != CLASS_ENUM && !class->has_others && !class->is_mixed;
    for (; class != NULL; class = class->base) {
        known = known && !class->lost;
    }
    return known;
}

/* A name that an instance does not have. Through __dict__ anything may be set. */
static Value missing_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    if (str_is(name, "__dict__")) {
        value_lose(eval, owner);
    } else if (owner.as.instance->class->is_module) {
        torch_module_other(eval, owner, name);
    } else if (has_known_names(owner.as.instance->class) && !eval_sets_attribute(eval, name)) {
        /* else code that is not walked may have set it: a fixture, a decorator */
        fault_attribute(eval, node, owner, name);
    }
    return value_unknown();
}

Value instance_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    const Instance *instance = owner.as.instance;
    if (instance->lost) {
        return value_unknown();
    }
    const Value *own = scope_get(instance->names, name);
    const Value *shared = own == NULL ? class_find(instance->class, name) : NULL;
    if (own != NULL) {
        return *own;
    }
    if (shared != NULL) {
        return from_class(eval, node, owner, instance->class, name);
    }
    if (instance->class->is_module && torch_module_has(name)) {
        return eval_method_value(eval, owner, name);
    }
    bool of_tuple = instance->class->form == CLASS_TUPLE;
    if (of_tuple && (str_is(name, "count") || str_is(name, "index"))) {
        return value_unknown();
    }
    return of_tuple && (str_is(name, "_replace") || str_is(name, "_asdict"))
               ? eval_method_value(eval, owner, name)
               : missing_attribute(eval, node, owner, name);
}

Value class_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    const Class *class = owner.as.class;
    if (str_is(name, "__name__")) {
        return value_text(eval->arena, class->name);
    }
    const Value *found = class_find(class, name);
    return found == NULL ? value_unknown() : from_class(eval, node, owner, class, name);
}

/* super().name: the search begins after the class of the method. */
Value super_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    const Super *super = owner.as.super;
    const Value *found = super->class == NULL ? NULL : class_find(super->class, name);
    bool generated = found != NULL && found->kind == VALUE_NONE && str_is(name, "__init__");
    if (generated || (found != NULL && found->kind == VALUE_FUNCTION &&
                      found->as.function->method == METHOD_PLAIN)) {
        return eval_method_value(eval, owner, name);
    }
    if (found == NULL && str_is(name, "__init__")) {
        Value builtin = value_text(eval->arena, STR("object.__init__"));
        builtin.kind = VALUE_OUTSIDE; /* of object, or of torch.nn.Module: sets nothing of ours */
        return builtin;
    }
    Value whole = {.kind = VALUE_INSTANCE, .as.instance = super->self};
    if (found == NULL && super->self->class->is_module) {
        torch_module_other(eval, whole, name);
    }
    if (str_is(name, "__setattr__")) {
        value_lose(eval, whole);
    }
    (void)node;
    return value_unknown();
}

void instance_write(Eval *eval, Value owner, Str name, Value value)
{
    if (may_change(eval, owner)) {
        scope_set(eval, owner.as.instance->names, name, eval_kept(eval, value));
    } else {
        value_lose(eval, value);
    }
}

void instance_set(Eval *eval, Value owner, Str name, Value value)
{
    Instance *instance = owner.as.instance;
    if (instance->class->is_frozen) {
        value_lose(eval, value);
        return;
    }
    const Value *shared = class_find(instance->class, name);
    if (shared != NULL && shared->kind == VALUE_FUNCTION &&
        shared->as.function->method == METHOD_PROPERTY) {
        value_lose(eval, owner); /* a setter */
        value_lose(eval, value);
        return;
    }
    instance_write(eval, owner, name, value);
}

void class_set(Eval *eval, Value owner, Str name, Value value)
{
    Class *class = owner.as.class;
    class->lost = class->lost || class->form == CLASS_ENUM;
    if (class->lost || class->birth < eval->region) {
        value = value_hidden(eval, value); /* only this name may still have its previous value */
    }
    scope_set(eval, class->scope, name, eval_kept(eval, value));
}

/* --- methods */

/* replace(x, a=…), x._replace(a=…): a new one with some fields changed. */
Value instance_replace(Eval *eval, const Arguments *arguments, Value from)
{
    const Instance *instance = from.as.instance;
    Class *class = instance->class;
    const Value *init = class_find(class, STR("__init__")); /* None: a generated one */
    bool known = !instance->lost && !arguments->open &&
                 (init == NULL || init->kind == VALUE_NONE) &&
                 (class->form == CLASS_DATA || class->form == CLASS_TUPLE);
    Arguments fields = {.call = arguments->call,
                        .values = ARENA_ARRAY(eval->arena, Value, class->fields.count + 1),
                        .nodes = ARENA_ARRAY(eval->arena, NodeId, class->fields.count + 1),
                        .names = ARENA_ARRAY(eval->arena, Str, class->fields.count + 1)};
    for (uint32_t i = 0; known && i < class->fields.count; i++) {
        const Field *field = &class->fields.items[i];
        const Value *value = scope_get(instance->names, field->name);
        known = value != NULL && !field->is_no_argument;
        for (uint32_t k = 0; known && k < arguments->keywords; k++) {
            bool named = str_equal(arguments->names[k], field->name);
            value = named ? &arguments->values[arguments->positional + k] : value;
        }
        if (known) {
            fields.names[fields.keywords] = field->name;
            fields.nodes[fields.keywords] = arguments->call;
            fields.values[fields.keywords++] = *value;
        }
    }
    if (!known) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    for (uint32_t k = 0; k < arguments->keywords; k++) {
        bool named = false;
        for (uint32_t i = 0; i < fields.keywords; i++) {
            named = named || str_equal(arguments->names[k], fields.names[i]);
        }
        if (!named) {
            return value_unknown();
        }
    }
    return class_call(eval, &fields, class);
}

/* asdict(x) of plain fields; Python copies containers deeply, so these are unknown. */
Value instance_dict(Eval *eval, Value from)
{
    const Instance *instance = from.as.instance;
    Value dict = dict_new(eval);
    for (uint32_t i = 0; i < instance->class->fields.count; i++) {
        Str name = instance->class->fields.items[i].name;
        const Value *value = scope_get(instance->names, name);
        bool plain = value != NULL && !instance->lost && value->kind >= VALUE_NUMBER &&
                     value->kind <= VALUE_STR;
        dict_set(eval, dict, value_text(eval->arena, name), plain ? *value : value_unknown());
    }
    return dict;
}

Value instance_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    Class *class = self.kind == VALUE_CLASS   ? self.as.class
                   : self.kind == VALUE_SUPER ? self.as.super->class
                                              : self.as.instance->class;
    const Value *found = class_find(class, name);
    if (found == NULL && str_is(name, "_replace")) {
        return instance_replace(eval, arguments, self);
    }
    if (found == NULL && str_is(name, "_asdict")) {
        return instance_dict(eval, self);
    }
    if (self.kind == VALUE_SUPER && found != NULL && found->kind == VALUE_NONE) {
        Value whole = {.kind = VALUE_INSTANCE, .as.instance = self.as.super->self};
        generated_init(eval, arguments, whole, class);
        return value_none();
    }
    Value result;
    if (found == NULL && torch_module_method(eval, arguments, self, name, &result)) {
        return result;
    }
    if (found == NULL || found->kind != VALUE_FUNCTION) {
        lose_arguments(eval, arguments);
        if (found == NULL && self.kind == VALUE_INSTANCE) {
            value_lose(eval, self); /* a method of a base that is not ours */
        }
        return value_unknown();
    }
    Value first = self;
    if (self.kind == VALUE_SUPER) {
        first.kind = VALUE_INSTANCE;
        first.as.instance = self.as.super->self;
    }
    if (found->as.function->method == METHOD_CLASS) {
        first = (Value){.kind = VALUE_CLASS, .as.class = class};
    }
    Arguments with = arguments_with(eval, arguments, first);
    return function_call(eval, &with, found->as.function);
}

/* x(…): __call__, or forward of a torch module. */
Value instance_call(Eval *eval, const Arguments *arguments, Value self)
{
    Value result;
    bool module = self.as.instance->class->is_module;
    if (!self.as.instance->lost &&
        (call_own(eval, arguments, self, "__call__", &result) ||
         (module && call_own(eval, arguments, self, "forward", &result)))) {
        return result;
    }
    lose_arguments(eval, arguments);
    value_lose(eval, self);
    return value_unknown();
}

/* super() in a method: of its first parameter. */
Value super_value(Eval *eval)
{
    const Frame *frame = eval->frame;
    Class *owner = frame->owner;
    if (owner == NULL || frame->function == NO_NODE) {
        return value_unknown();
    }
    NodeId list = function_arguments(eval->module, frame->function);
    NodeId first = node_child(eval->module, list, ROLE_PARAM);
    const Value *self =
        first == NO_NODE ? NULL : scope_get(frame->scope, node_name(eval->module, first));
    if (self == NULL || self->kind != VALUE_INSTANCE || self->as.instance->lost) {
        return value_unknown();
    }
    Super *super = ARENA_NEW(eval->arena, Super);
    *super = (Super){self->as.instance, owner->base};
    return (Value){.kind = VALUE_SUPER, .as.super = super};
}
