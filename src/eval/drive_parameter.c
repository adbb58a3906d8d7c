/* The parameters of a kernel, from its annotations and a launch; see drive.h. */
#include "eval/drive.h"

#include <stdio.h>

/* The size of an axis of an NZ tensor in the kernel, which has whole blocks. */
static int64_t whole_blocks(int64_t size, int rank, int axis, int dtype)
{
    size_t bytes = pts_dtype_bytes((PtsDtype)dtype);
    int64_t unit = axis == rank - 1   ? (int64_t)(32 / (bytes == 0 ? 1 : bytes))
                   : axis == rank - 2 ? 16
                                      : 1;
    return (size + unit - 1) / unit * unit;
}

/* The dimension of an axis that the annotation leaves open, with the host tensor's size if
 * known. */
static PtsSym parameter_dim(Eval *eval, int index, int axis, const char *name,
                            const HostTensor *host)
{
    PtsError error;
    PtsSym dim = pts_parameter_dim(eval->drive->program, index, axis, name, &error);
    if (dim != PTS_SYM_NONE && host != NULL && host->size[axis] >= 0) {
        pts_dim_is(eval->drive->program, dim, host->size[axis], &error);
    }
    return dim;
}

/* The dimension of an axis from annotation and argument; it may be an unknown one. */
static PtsSym parameter_axis(Eval *eval, const ParameterSpec *spec, const HostTensor *host,
                             int index, int axis, int dtype)
{
    Drive *drive = eval->drive;
    PtsError error;
    bool stated = spec->has_shape && (uint32_t)axis < spec->count;
    Value entry = stated ? spec->axes[axis] : value_unknown();
    bool open = !stated ? spec->is_known && (!spec->has_shape || spec->lower_bound)
                        : axis_is(entry, "STATIC");
    if (stated && entry.kind == VALUE_NAMED) {
        char name[96];
        snprintf(name, sizeof name, "%.*s", STR_ARG(*entry.as.text));
        return parameter_dim(eval, index, axis, name, host);
    }
    if (stated && (axis_is(entry, "DYNAMIC") || axis_is(entry, "DYN") ||
                   (entry.kind == VALUE_INT && entry.as.integer == -1))) {
        return parameter_dim(eval, index, axis, NULL, host);
    }
    int64_t size = entry.kind == VALUE_INT ? entry.as.integer : -1;
    if (open && host != NULL) {
        size = host->size[axis];
    }
    if (size < 0 || (spec->is_nz && dtype == PTS_BOTTOM)) {
        return pts_unknown(drive->program, (PtsSite){0}, 0, INT64_MAX, &error);
    }
    int rank = host != NULL ? host->rank : (int)spec->count;
    size = spec->is_nz ? whole_blocks(size, rank, axis, dtype) : size;
    return pts_sym_constant(drive->context, size, &error);
}

static int parameter_rank(const ParameterSpec *spec, const HostTensor *host)
{
    if (host != NULL && host->rank >= 0) {
        return host->rank;
    }
    return spec->is_known && spec->has_shape && !spec->lower_bound ? (int)spec->count : -1;
}

/* Does the annotation state every extent? */
static bool is_stated(const ParameterSpec *spec)
{
    bool stated = spec->has_shape && !spec->lower_bound;
    for (uint32_t i = 0; i < spec->count; i++) {
        stated = stated && spec->axes[i].kind != VALUE_MEMBER;
    }
    return stated;
}

/* Does a byte hold two elements of the dtype (FP4)? The kernel sees the last axis twice as long. */
static bool is_fp4(int dtype)
{
    return dtype >= 0 && strncmp(pts_dtype_name((PtsDtype)dtype), "DT_FP4", 6) == 0;
}

/* A parameter whose rank is not known: the annotation lists the axes at its front. */
static Value listed_parameter(Eval *eval, const ParameterSpec *spec, int index)
{
    bool typed = (spec->is_known || spec->is_open) && spec->dtype >= 0 && !spec->is_nz;
    bool sizes = spec->is_known ? spec->lower_bound : typed; /* [rows, 64], and rows is not known */
    bool plain = sizes && spec->has_shape && !spec->is_nz;
    Value tensor = typed ? value_tensor_of(spec->dtype) : value_tensor();
    if (!plain || is_fp4(spec->dtype) || spec->count > PTS_MAX_RANK) {
        return tensor;
    }
    Value *axes = ARENA_NEW(eval->arena, Value);
    *axes = value_sequence(eval->arena, VALUE_LIST, spec->count);
    for (uint32_t i = 0; i < spec->count; i++) {
        PtsSym extent = parameter_axis(eval, spec, NULL, index, (int)i, spec->dtype);
        sequence_add(eval->arena, axes->as.sequence,
                     extent == PTS_SYM_NONE ? value_unknown()
                                            : drive_plain(eval, drive_symbol_value(eval, extent)));
    }
    tensor.as.axes = axes;
    return tensor;
}

/* A parameter of the recorder, or a tensor without slot when its rank is not known. */
static Value declare_parameter(Eval *eval, NodeId arg, const ParameterSpec *spec,
                               const HostTensor *host, int *index)
{
    Drive *drive = eval->drive;
    PtsSym shape[PTS_MAX_RANK];
    PtsError error;
    int rank = parameter_rank(spec, host);
    int dtype = spec->dtype >= 0 ? spec->dtype : spec->is_known && host != NULL ? host->dtype : -1;
    dtype = dtype < 0 ? PTS_BOTTOM : dtype;
    host = host != NULL && host->rank == rank ? host : NULL;
    if (!(spec->is_known || spec->is_open) || rank < 1 || rank > PTS_MAX_RANK || is_fp4(dtype)) {
        return listed_parameter(eval, spec, (*index)++);
    }
    for (int axis = 0; axis < rank; axis++) {
        shape[axis] = parameter_axis(eval, spec, host, *index, axis, dtype);
        if (shape[axis] == PTS_SYM_NONE) {
            return value_tensor();
        }
    }
    char name[96];
    snprintf(name, sizeof name, "%.*s", STR_ARG(node_name(eval->module, arg)));
    PtsSlot slot =
        pts_parameter(drive->program, (PtsDtype)dtype, rank, shape, spec->is_nz ? PTS_NZ : PTS_ND,
                      name, drive_site(eval, arg), &error);
    if (slot == PTS_SLOT_NONE) {
        return value_tensor();
    }
    (*index)++;
    repair_parameter(eval, slot, arg, host != NULL && (spec->dtype < 0 || !is_stated(spec)));
    return drive_tensor(slot);
}

/* The value of a parameter that does not hold a tensor. If it is unknown, all its uses share one
 * unknown; annotated `int` it is a number, unless its default (`None`) says otherwise. */
static Value plain_parameter(Eval *eval, NodeId arg, uint32_t at, bool optional, Value given)
{
    const Module *module = eval->module;
    bool open = given.kind == VALUE_UNKNOWN || (given.kind == VALUE_NUMBER && given.handle == 0);
    bool is_int = !optional && node_is_name(module, parameter_annotation(module, arg), STR("int"));
    if (open && is_int) {
        PtsError error;
        PtsSym sym =
            pts_unknown(eval->drive->program, drive_site(eval, arg), INT64_MIN, INT64_MAX, &error);
        given = value_number();
        given.handle = sym == PTS_SYM_NONE ? 0 : sym + 1;
    } else if (given.kind == VALUE_UNKNOWN) {
        given.handle = at + 1;
    }
    return given;
}

Value *drive_parameters(Eval *eval, const KernelSite *site, const Launch *launch)
{
    Drive *drive = eval->drive;
    const Module *module = eval->module;
    NodeId list = function_arguments(module, site->node);
    uint32_t count = node_count(module, list, ROLE_PARAM);
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT);
    Value *values = ARENA_ARRAY(eval->arena, Value, count + 1);
    uint32_t at = 0;
    int index = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        ParameterSpec spec = parameter_spec(eval, arg);
        Value given = launch != NULL && at < launch->count ? launch->values[at] : value_unknown();
        if (!spec.is_tensor) {
            values[at] = plain_parameter(eval, arg, at, at + defaults >= count, given);
            bool any = given.kind == VALUE_UNKNOWN || given.kind == VALUE_HOST;
            drive->outputs_open = drive->outputs_open || any;
            continue;
        }
        const HostTensor *host = given.kind == VALUE_HOST ? given.as.host : NULL;
        values[at] = declare_parameter(eval, arg, &spec, host, &index);
        drive->outputs_open = drive->outputs_open || values[at].handle == 0;
    }
    return values;
}
