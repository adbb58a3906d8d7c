/* Calls of a pypto.frontend.function in a kernel, against its annotations: as launches are judged
 * (judge.c), with tensors of the recording. */
#include "eval/nested.h"

#include "eval/drive.h"
#include "eval/launch.h"

typedef struct Nested {
    Eval *eval;
    const char *function, *parameter;
    uint32_t index; /* of the argument */
} Nested;

static const char *ordinal(Eval *eval, uint32_t index)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    uint32_t number = index + 1;
    bool teens = number % 100 >= 11 && number % 100 <= 13;
    const char *ending = number % 10 < 4 && !teens ? endings[number % 10] : "th";
    return str_format(eval->arena, "%u%s", number, ending).at;
}

static bool differs(const Nested *nested, const char *what, const char *given, const char *declared)
{
    drive_refuse(nested->eval, EVAL_LAUNCH, PTS_VALUE_ERROR, 0xF00002,
                 "In nested function '%s': The %s of %s parameter '%s' %s does not match the %s of "
                 "parameter definition %s.",
                 nested->function, what, ordinal(nested->eval, nested->index), nested->parameter,
                 given, what, declared);
    return false;
}

static const char *declared_text(Eval *eval, const ParameterSpec *spec)
{
    Buf text = {.arena = eval->arena};
    for (uint32_t i = 0; i < spec->count; i++) {
        Value axis = spec->axes[i];
        const char *name = axis.kind == VALUE_NAMED ? str_dup(eval->arena, *axis.as.text)
                           : axis.kind == VALUE_MEMBER || axis.kind == VALUE_API
                               ? axis.as.fact->name
                               : "?";
        buf_addf(&text, "%s", i == 0 ? "[" : ", ");
        if (axis.kind == VALUE_INT) {
            buf_addf(&text, "%lld", (long long)axis.as.integer);
        } else {
            buf_addf(&text, "%s", name);
        }
    }
    buf_addf(&text, "%s]", spec->lower_bound ? ", ..." : "");
    return str_dup(eval->arena, buf_str(&text));
}

/* The rank is a lower bound, whatever the list has. */
static bool check_form(const Nested *nested, const ParameterSpec *spec, Value value)
{
    Eval *eval = nested->eval;
    PtsSlotInfo info;
    if (!spec->has_shape || !drive_info(eval, value, &info)) {
        return true;
    }
    bool fewer = (uint32_t)info.rank < spec->count, same = true;
    for (int i = 0; !fewer && (uint32_t)i < spec->count; i++) {
        int64_t size;
        bool known = spec->axes[i].kind == VALUE_INT && spec->axes[i].as.integer != -1 &&
                     pts_sym_value(eval->drive->context, info.shape[i], &size);
        same = same && (!known || size == spec->axes[i].as.integer);
    }
    if (!fewer && same) {
        return true;
    }
    Buf shape = {.arena = eval->arena};
    bool shown = value_repr(&shape, drive_shape(eval, value, false), 0);
    const char *given = shown ? str_dup(eval->arena, buf_str(&shape)) : "[?]";
    return differs(nested, fewer ? "number of dimensions" : "shape", given,
                   declared_text(eval, spec));
}

static bool check_tensor(const Nested *nested, const ParameterSpec *spec, Value value)
{
    Eval *eval = nested->eval;
    bool plain = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    if (plain && value_type(value) != NULL) {
        drive_refuse(eval, EVAL_LAUNCH, PTS_TYPE_ERROR, 0xF00001,
                     "In nested function '%s': '%s' must be a tensor, not %s", nested->function,
                     nested->parameter, value_type(value));
        return false;
    }
    if (value.kind != VALUE_TENSOR || !(spec->is_known || spec->is_open)) {
        return true;
    }
    PtsSlotInfo info;
    bool known = drive_info(eval, value, &info);
    int dtype = known && info.dtype != PTS_BOTTOM ? (int)info.dtype
                : known                           ? -1
                                                  : value_tensor_dtype(value);
    if (dtype >= 0 && spec->dtype >= 0 && dtype != spec->dtype) {
        const char *given =
            str_format(eval->arena, "DataType.%s", pts_dtype_name((PtsDtype)dtype)).at;
        return differs(
            nested, "dtype", given,
            str_format(eval->arena, "DataType.%s", pts_dtype_name((PtsDtype)spec->dtype)).at);
    }
    return check_form(nested, spec, value);
}

/* A parameter annotated `int` or `bool`. A bool is an int, and so may a symbolic scalar stand. */
static bool check_number(const Nested *nested, const char *wanted, Value value)
{
    bool is_bool = wanted[0] == 'b', plain = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    bool fits = value.kind == VALUE_BOOL || (value.kind == VALUE_INT && !is_bool);
    const char *type = value.kind == VALUE_TENSOR ? "Tensor" : plain ? value_type(value) : NULL;
    if (fits || type == NULL) {
        return true;
    }
    drive_refuse(nested->eval, EVAL_LAUNCH, PTS_TYPE_ERROR, 0xF00001,
                 "'%s': '%s' must be %s, not %s", nested->function, nested->parameter, wanted,
                 type);
    return false;
}

/* What the parameter at `arg` wants, read where the function stands. */
typedef struct Wanted {
    ParameterSpec spec;
    const char *number; /* "int", "bool" or NULL */
    const char *name;
} Wanted;

static Wanted wanted_at(Eval *eval, NodeId arg)
{
    NodeId annotation = parameter_annotation(eval->module, arg);
    Wanted wanted = {.spec = parameter_spec(eval, arg)};
    bool is_int = node_is_name(eval->module, annotation, STR("int"));
    bool is_bool = node_is_name(eval->module, annotation, STR("bool"));
    wanted.number = is_int ? "int" : is_bool ? "bool" : NULL;
    wanted.name = str_dup(eval->arena, node_name(eval->module, arg));
    return wanted;
}

bool nested_fits(Eval *eval, const Arguments *arguments, const Function *function)
{
    uint32_t home = unit_switch(eval, function->unit);
    Frame *outer = eval->frame, frame = {.scope = function->scope};
    NodeId list = function_arguments(eval->module, function->node);
    uint32_t count = node_count(eval->module, list, ROLE_PARAM), at = 0;
    Wanted *wanted = ARENA_ARRAY(eval->arena, Wanted, count + 1);
    eval->frame = &frame;
    for (NodeId arg = node_child(eval->module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(eval->module, arg)) {
        wanted[at++] = wanted_at(eval, arg);
    }
    Nested nested = {eval, str_dup(eval->arena, node_name(eval->module, function->node)), NULL, 0};
    eval->frame = outer;
    unit_switch(eval, home);
    eval->drive->node = arguments->call;
    if (arguments->keywords > 0) {
        drive_refuse(eval, EVAL_CALL, PTS_TYPE_ERROR, 0xF00001,
                     "'%s' takes positional arguments only", nested.function);
        return false;
    }
    bool fits = true;
    for (at = 0; fits && at < count && at < arguments->positional; at++) {
        Value value = drive_plain(eval, arguments->values[at]);
        eval->drive->node = arguments->nodes[at];
        nested.parameter = wanted[at].name;
        nested.index = at;
        fits = wanted[at].spec.is_tensor   ? check_tensor(&nested, &wanted[at].spec, value)
               : wanted[at].number != NULL ? check_number(&nested, wanted[at].number, value)
                                           : true;
    }
    eval->drive->node = arguments->call;
    return fits;
}
