/* Reads the annotations of tensor parameters. */
#include "eval/launch.h"

#include "model/ptosim_model.h"

bool axis_is(Value axis, const char *name)
{
    bool fact = axis.kind == VALUE_MEMBER || axis.kind == VALUE_API;
    return fact && strcmp(axis.as.fact->name, name) == 0;
}

static int dtype_of_member(Value value)
{
    for (int i = 0; value.kind == VALUE_MEMBER && i < PTS_DTYPE_COUNT; i++) {
        if (strcmp(pts_dtype_name((PtsDtype)i), value.as.fact->name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A list of only STATIC, DYNAMIC, `...` and integers, if not of integers alone, is a lower
 * bound. */
static void read_axes(Eval *eval, NodeId list, Value shape, ParameterSpec *spec)
{
    const Module *module = eval->module;
    bool all_int = true, plain = true;
    uint32_t count = shape.as.sequence->count;
    if (count > sizeof spec->axes / sizeof *spec->axes) {
        spec->is_known = spec->is_open = false;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool display = node_is(module, list, NODE_LIST) || node_is(module, list, NODE_TUPLE);
        NodeId entry = display ? node_nth(module, list, ROLE_ELT, i) : NO_NODE;
        if (node_is(module, entry, NODE_CONSTANT) &&
            eval_node(eval, entry)->op == CONSTANT_ELLIPSIS) {
            spec->lower_bound = true;
            spec->count = i;
            spec->has_shape = true;
            return;
        }
        Value axis = shape.as.sequence->items[i];
        bool status = axis_is(axis, "STATIC") || axis_is(axis, "DYNAMIC") || axis_is(axis, "DYN");
        bool known = axis.kind == VALUE_INT || axis.kind == VALUE_NAMED || status;
        spec->is_known = spec->is_known && known;
        all_int = all_int && axis.kind == VALUE_INT;
        plain = plain && (axis.kind == VALUE_INT || status);
        spec->axes[i] = axis;
    }
    spec->count = count;
    spec->has_shape = count > 0;
    spec->lower_bound = count > 0 && !all_int && plain;
}

static void read_shape(Eval *eval, NodeId shape, Value value, ParameterSpec *spec)
{
    if (value_has_items(value)) {
        read_axes(eval, shape, value, spec);
    } else {
        spec->is_known = spec->is_known && value.kind == VALUE_NONE;
    }
}

static void read_format(Value value, ParameterSpec *spec)
{
    spec->is_nz = value.kind == VALUE_MEMBER && value.handle == 2;
    spec->is_open = spec->is_open && value.kind == VALUE_MEMBER && value.handle > 0;
    spec->is_known = spec->is_known && spec->is_open;
}

/* pypto.Tensor[…]: the type of each entry decides what it means; entries of other types are
 * ignored. */
static void read_bracket(Eval *eval, NodeId whole, ParameterSpec *spec)
{
    const Module *module = eval->module;
    NodeId slice = node_child(module, whole, ROLE_SLICE);
    bool several = node_is(module, slice, NODE_TUPLE);
    NodeId entry = several ? node_child(module, slice, ROLE_ELT) : slice;
    for (; entry != NO_NODE; entry = several ? node_next(module, entry) : NO_NODE) {
        bool dots = node_is(module, entry, NODE_CONSTANT) &&
                    node_at(module, entry)->op == CONSTANT_ELLIPSIS;
        Value value = dots ? value_none() : eval_expression(eval, entry);
        int dtype = dtype_of_member(value);
        if (value_is_sequence(value)) {
            read_shape(eval, entry, value, spec);
        } else if (dtype >= 0) {
            spec->dtype = dtype;
        } else if (value.kind == VALUE_MEMBER && value.handle > 0) {
            read_format(value, spec);
        } else if (value.kind != VALUE_NONE && value.kind != VALUE_STR) {
            spec->is_known = spec->is_open = false;
        }
    }
}

ParameterSpec parameter_spec(Eval *eval, NodeId arg)
{
    const Module *module = eval->module;
    TensorAnnotation annotation = annotation_read(eval->file, arg);
    ParameterSpec spec = {.dtype = -1, .is_known = true, .is_open = true};
    spec.is_tensor = annotation_is_tensor(annotation);
    if (!spec.is_tensor) {
        return spec;
    }
    NodeId whole = parameter_annotation(module, arg);
    bool call = annotation.form == ANNOTATION_CALL;
    NodeId shape = annotation.shape, dtype = annotation.dtype, format = NO_NODE;
    if (annotation.form == ANNOTATION_BRACKET) {
        read_bracket(eval, whole, &spec);
        return spec;
    }
    if (annotation.count > 3) {
        spec.is_known = spec.is_open = false;
        return spec;
    }
    if (call) {
        shape = shape == NO_NODE ? call_keyword_value(module, whole, "shape") : shape;
        dtype = dtype == NO_NODE ? call_keyword_value(module, whole, "dtype") : dtype;
        format = call_keyword_value(module, whole, "format");
    }
    if (shape != NO_NODE) {
        read_shape(eval, shape, eval_expression(eval, shape), &spec);
    }
    if (dtype != NO_NODE) {
        spec.dtype = dtype_of_member(eval_expression(eval, dtype));
        spec.is_known = spec.is_known && spec.dtype >= 0;
    }
    if (format != NO_NODE) {
        read_format(eval_expression(eval, format), &spec);
    }
    return spec;
}
