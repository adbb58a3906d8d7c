/* Lowering of functions, classes, decorators and parameters. */
#include "python/lower.h"

/* --- parameters */

typedef enum ParameterShape {
    SHAPE_PLAIN,
    SHAPE_VARARG,
    SHAPE_KWARG,
    SHAPE_STAR,  /* a bare `*` */
    SHAPE_SLASH, /* `/` */
    SHAPE_WRONG,
} ParameterShape;

typedef struct Parameter {
    ParameterShape shape;
    uint32_t start, end; /* of the `arg` node: name and annotation */
    Child name, annotation, value;
} Parameter;

/* Reads one entry of a parameter list. */
static Parameter read_parameter(Lower *lower, Child child)
{
    Parameter result = {.start = child.start, .end = child.end};
    result.name = (Child){.symbol = SYMBOL_OTHER};
    result.annotation = result.value = result.name;
    if (child.symbol == SYMBOL_KEYWORD_SEPARATOR || child.symbol == SYMBOL_POSITIONAL_SEPARATOR) {
        result.shape = child.symbol == SYMBOL_KEYWORD_SEPARATOR ? SHAPE_STAR : SHAPE_SLASH;
        return result;
    }
    Child name = child;
    Children parts = lower_children(lower, child.node);
    if (child.symbol == SYMBOL_TYPED_PARAMETER) {
        name = lower_child(lower, parts, 0);
        result.annotation = lower_field(lower, parts, FIELD_TYPE);
    } else if (child.symbol == SYMBOL_DEFAULT_PARAMETER ||
               child.symbol == SYMBOL_TYPED_DEFAULT_PARAMETER) {
        name = lower_field(lower, parts, FIELD_NAME);
        result.annotation = lower_field(lower, parts, FIELD_TYPE);
        result.value = lower_field(lower, parts, FIELD_VALUE);
        result.end = child_exists(result.annotation) ? result.annotation.end : name.end;
    }
    lower_release(lower, parts);
    result.shape = SHAPE_PLAIN;
    if (name.symbol == SYMBOL_LIST_SPLAT_PATTERN ||
        name.symbol == SYMBOL_DICTIONARY_SPLAT_PATTERN) {
        result.shape = name.symbol == SYMBOL_LIST_SPLAT_PATTERN ? SHAPE_VARARG : SHAPE_KWARG;
        Children inner = lower_children(lower, name.node);
        name = lower_child(lower, inner, 1);
        lower_release(lower, inner);
        result.start = name.start;
    }
    result.name = name;
    if (name.symbol != SYMBOL_IDENTIFIER) {
        result.shape = SHAPE_WRONG;
    } else {
        lower_check_name(lower, name);
    }
    return result;
}

static void lower_parameter(Lower *lower, const Parameter *parameter, Role role)
{
    NodeId id = lower_open(lower, NODE_ARG, role, parameter->start, parameter->end);
    lower_set_name(lower, id, parameter->name.start, parameter->name.end);
    if (child_exists(parameter->annotation)) {
        lower_expression(lower, parameter->annotation, ROLE_ANNOTATION,
                         role == ROLE_VARARG ? ALLOW_STAR : 0);
    }
    lower_close(lower, id);
}

typedef VEC(Parameter) ParameterList;

/* Order of the entries as the grammar wants it. `/` and `*` at most once, defaults at the end of
 * the positional part, nothing after `**`. */
static void check_parameters(Lower *lower, const ParameterList *list)
{
    bool slash = false;
    bool star = false;
    bool kwarg = false;
    bool defaults = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const Parameter *p = &list->items[i];
        bool wrong = p->shape == SHAPE_WRONG || kwarg;
        switch (p->shape) {
        case SHAPE_SLASH:
            wrong = wrong || slash || star || i == 0;
            slash = true;
            break;
        case SHAPE_STAR:
            wrong =
                wrong || star || i + 1 == list->count || list->items[i + 1].shape != SHAPE_PLAIN;
            star = true;
            break;
        case SHAPE_VARARG:
            wrong = wrong || star || child_exists(p->value);
            star = true;
            break;
        case SHAPE_KWARG:
            wrong = wrong || child_exists(p->value);
            kwarg = true;
            break;
        default:
            break;
        }
        if (wrong) {
            lower_error(lower, p->start, p->end, "invalid syntax", "语法错误");
            continue;
        }
        if (p->shape == SHAPE_PLAIN && !star) {
            if (defaults && !child_exists(p->value)) {
                lower_error(lower, p->start, p->end,
                            "parameter without a default follows parameter with a default",
                            "无缺省值的参数位于有缺省值的参数之后");
            }
            defaults = defaults || child_exists(p->value);
        }
    }
}

static uint32_t count_before_slash(const ParameterList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].shape == SHAPE_SLASH) {
            return i;
        }
    }
    return 0;
}

/* Parameters in the field order of `ast`: positional-only, ordinary, *args, keyword-only, their
 * defaults, **kwargs, defaults. */
static void emit_parameters(Lower *lower, const ParameterList *list)
{
    uint32_t slash = count_before_slash(list);
    uint32_t star = list->count;
    for (uint32_t i = 0; i < list->count && star == list->count; i++) {
        ParameterShape shape = list->items[i].shape;
        if (shape == SHAPE_STAR || shape == SHAPE_VARARG || shape == SHAPE_KWARG) {
            star = i;
        }
    }
    for (uint32_t i = 0; i < star; i++) {
        if (list->items[i].shape == SHAPE_PLAIN) {
            lower_parameter(lower, &list->items[i], i < slash ? ROLE_POSONLYARG : ROLE_PARAM);
        }
    }
    if (star < list->count && list->items[star].shape == SHAPE_VARARG) {
        lower_parameter(lower, &list->items[star], ROLE_VARARG);
    }
    for (uint32_t i = star; i < list->count; i++) {
        if (list->items[i].shape == SHAPE_PLAIN) {
            lower_parameter(lower, &list->items[i], ROLE_KWONLYARG);
        }
    }
    for (uint32_t i = star; i < list->count; i++) {
        if (list->items[i].shape == SHAPE_PLAIN && child_exists(list->items[i].value)) {
            lower_expression(lower, list->items[i].value, ROLE_KW_DEFAULT, 0);
        }
    }
    for (uint32_t i = star; i < list->count; i++) {
        if (list->items[i].shape == SHAPE_KWARG) {
            lower_parameter(lower, &list->items[i], ROLE_KWARG);
        }
    }
    for (uint32_t i = 0; i < star; i++) {
        if (child_exists(list->items[i].value)) {
            lower_expression(lower, list->items[i].value, ROLE_DEFAULT, 0);
        }
    }
}

void lower_parameters(Lower *lower, Child parameters, Role role, uint32_t at)
{
    bool exists = child_exists(parameters);
    NodeId id = lower_open(lower, NODE_ARGUMENTS, role, exists ? parameters.start : at,
                           exists ? parameters.end : at);
    if (exists) {
        Children children = lower_children(lower, parameters.node);
        ParameterList list = {0};
        for (uint32_t i = 0; i < children.count; i++) {
            Child child = lower_child(lower, children, i);
            if (child.symbol != SYMBOL_ANONYMOUS) {
                Parameter parameter = read_parameter(lower, child);
                VEC_PUSH(lower->arena, &list, parameter);
            }
        }
        lower_release(lower, children);
        check_parameters(lower, &list);
        emit_parameters(lower, &list);
    }
    lower_close(lower, id);
}

/* --- type parameters: `[T: int, *Ts, **P]` */

static void lower_type_parameter(Lower *lower, Child type)
{
    Children outer = lower_children(lower, type.node);
    Child inner = lower_child(lower, outer, 0);
    NodeKind kind = NODE_TYPE_VAR;
    Child name = inner;
    Child bound = {.symbol = SYMBOL_OTHER};
    Children parts = {lower->stack.count, 0};
    if (inner.symbol == SYMBOL_SPLAT_TYPE || inner.symbol == SYMBOL_LIST_SPLAT) {
        parts = lower_children(lower, inner.node);
        kind = child_is_token(lower, lower_child(lower, parts, 0), "**") ? NODE_PARAM_SPEC
                                                                         : NODE_TYPE_VAR_TUPLE;
        name = lower_child(lower, parts, 1);
    } else if (inner.symbol == SYMBOL_CONSTRAINED_TYPE) {
        parts = lower_children(lower, inner.node);
        Child first = lower_child(lower, parts, 0);
        Children first_inner = lower_children(lower, first.node);
        name = first_inner.count > 0 ? lower_child(lower, first_inner, 0) : first;
        lower_release(lower, first_inner);
        bound = lower_child(lower, parts, 2);
    }
    NodeId id = lower_open(lower, kind, ROLE_TYPE_PARAM, type.start, type.end);
    if (name.symbol != SYMBOL_IDENTIFIER) {
        lower_error(lower, name.start, name.end, "invalid syntax", "语法错误");
    } else {
        lower_check_name(lower, name);
        lower_set_name(lower, id, name.start, name.end);
    }
    if (child_exists(bound)) {
        lower_expression(lower, bound, ROLE_BOUND, 0);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
    lower_release(lower, outer);
}

void lower_type_parameters(Lower *lower, Child parameters)
{
    Children children = lower_children(lower, parameters.node);
    for (uint32_t i = 0; i < children.count; i++) {
        Child child = lower_child(lower, children, i);
        if (child.symbol != SYMBOL_ANONYMOUS) {
            lower_type_parameter(lower, child);
        }
    }
    lower_release(lower, children);
}

/* --- functions and classes */

static void lower_decorators(Lower *lower, Children decorators)
{
    for (uint32_t i = 0; i < decorators.count; i++) {
        Child child = lower_child(lower, decorators, i);
        if (child.symbol == SYMBOL_DECORATOR) {
            Children parts = lower_children(lower, child.node);
            lower_expression(lower, lower_child(lower, parts, 1), ROLE_DECORATOR, ALLOW_NAMED);
            lower_release(lower, parts);
        }
    }
}

static void lower_function(Lower *lower, Child child, Children decorators, Role role)
{
    Children children = lower_children(lower, child.node);
    bool async = child_is_token(lower, lower_child(lower, children, 0), "async");
    NodeId id = lower_open(lower, async ? NODE_ASYNC_FUNCTION_DEF : NODE_FUNCTION_DEF, role,
                           child.start, child.end);
    Child name = lower_field(lower, children, FIELD_NAME);
    lower_check_name(lower, name);
    lower_set_name(lower, id, name.start, name.end);
    lower->nodes.items[id].extra = name.start;
    lower_parameters(lower, lower_field(lower, children, FIELD_PARAMETERS), ROLE_ARGUMENTS,
                     name.end);
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_decorators(lower, decorators);
    Child returns = lower_field(lower, children, FIELD_RETURN_TYPE);
    if (child_exists(returns)) {
        lower_expression(lower, returns, ROLE_RETURNS, 0);
    }
    Child types = lower_field(lower, children, FIELD_TYPE_PARAMETERS);
    if (child_exists(types)) {
        lower_type_parameters(lower, types);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_class(Lower *lower, Child child, Children decorators, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_CLASS_DEF, role, child.start, child.end);
    Child name = lower_field(lower, children, FIELD_NAME);
    lower_check_name(lower, name);
    lower_set_name(lower, id, name.start, name.end);
    lower->nodes.items[id].extra = name.start;
    Child bases = lower_field(lower, children, FIELD_SUPERCLASSES);
    if (child_exists(bases)) {
        lower_call_arguments(lower, bases, ROLE_BASE);
    }
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_decorators(lower, decorators);
    Child types = lower_field(lower, children, FIELD_TYPE_PARAMETERS);
    if (child_exists(types)) {
        lower_type_parameters(lower, types);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

void lower_definition(Lower *lower, Child child, Role role)
{
    Children decorators = {lower->stack.count, 0};
    Child definition = child;
    if (child.symbol == SYMBOL_DECORATED_DEFINITION) {
        decorators = lower_children(lower, child.node);
        definition = lower_field(lower, decorators, FIELD_DEFINITION);
    }
    if (definition.symbol == SYMBOL_FUNCTION_DEFINITION) {
        lower_function(lower, definition, decorators, role);
    } else if (definition.symbol == SYMBOL_CLASS_DEFINITION) {
        lower_class(lower, definition, decorators, role);
    } else {
        lower_error(lower, child.start, child.end, "invalid syntax", "语法错误");
    }
    lower_release(lower, decorators);
}
