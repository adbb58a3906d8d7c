/* Functions of the package that record several operations, and which function does what. */
#include "eval/compose.h"

#include <stdio.h>

typedef Value Compose(Eval *eval, const Arguments *arguments);

static int dtype_of(Eval *eval, Value tensor)
{
    PtsSlotInfo info;
    return drive_info(eval, tensor, &info) ? (int)info.dtype : -1;
}

static Value compose_sigmoid(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0);
    int dtype = dtype_of(eval, tensor);
    Value x = drive_cast(eval, tensor, PTS_FP32, 0, 1);
    x = drive_unary(eval, PTS_OP_EXP, drive_binary(eval, PTS_OP_MUL, x, value_float(-1.0)));
    x = drive_binary(eval, PTS_OP_ADD, x, value_float(1.0));
    Value one = drive_full(eval, drive_shape(eval, x, false), value_float(1.0), PTS_FP32,
                           drive_shape(eval, x, true));
    return drive_cast(eval, drive_binary(eval, PTS_OP_DIV, one, x), dtype, 0, 1);
}

static Value reduced(Eval *eval, PtsOp op, Value tensor, Value dim)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    dim = drive_plain(eval, dim);
    attributes.dim = dim.kind == VALUE_INT ? (int)dim.as.integer : 0;
    attributes.has_dim = true;
    attributes.keepdim = true;
    return drive_emit(eval, op, 1, &tensor, dim.kind == VALUE_INT ? &attributes : NULL);
}

static Value compose_softmax(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0),
          dim = compose_argument(arguments, "dim", 1);
    int dtype = dtype_of(eval, tensor);
    Value x = drive_cast(eval, tensor, PTS_FP32, 0, 1);
    Value most = reduced(eval, PTS_OP_AMAX, x, dim);
    x = drive_unary(eval, PTS_OP_EXP, drive_binary(eval, PTS_OP_SUB, x, most));
    Value total = reduced(eval, PTS_OP_SUM, x, dim);
    return drive_cast(eval, drive_binary(eval, PTS_OP_DIV, x, total), dtype, 0, 1);
}

static Value weight_of(Eval *eval, Value gamma, int rank)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    PtsError error;
    if (!drive_info(eval, gamma, &info) || info.rank >= rank) {
        return gamma;
    }
    attributes.shape_rank = rank;
    for (int i = 0; i < rank; i++) {
        int from = i - (rank - info.rank);
        attributes.shape[i] =
            from < 0 ? pts_sym_constant(eval->drive->context, 1, &error) : info.shape[from];
    }
    return drive_emit(eval, PTS_OP_RESHAPE, 1, &gamma, &attributes);
}

static Value compose_rms_norm(Eval *eval, const Arguments *arguments)
{
    PtsSlotInfo info;
    Value tensor = compose_argument(arguments, "input", 0),
          gamma = compose_argument(arguments, "gamma", 1);
    bool known = drive_info(eval, tensor, &info);
    double epsilon = compose_real_of(compose_argument(arguments, "epsilon", 2), 1e-6, &known);
    int64_t width = 0;
    known = known && pts_sym_value(eval->drive->context, info.shape[info.rank - 1], &width) &&
            (gamma.kind == VALUE_NONE || drive_has_slot(eval, gamma));
    if (!known) {
        return drive_emit(eval, PTS_OP_MUL, 0, NULL, NULL);
    }
    Value x = drive_cast(eval, tensor, PTS_FP32, 0, 1);
    Value total = reduced(eval, PTS_OP_SUM, drive_binary(eval, PTS_OP_MUL, x, x), value_int(-1));
    Value mean = drive_binary(eval, PTS_OP_DIV, total, value_float((double)width));
    mean = drive_binary(eval, PTS_OP_ADD, mean, value_float(epsilon));
    x = drive_binary(eval, PTS_OP_DIV, x, drive_unary(eval, PTS_OP_SQRT, mean));
    if (gamma.kind != VALUE_NONE) {
        Value weight = drive_cast(eval, weight_of(eval, gamma, info.rank), PTS_FP32, 0, 1);
        x = drive_binary(eval, PTS_OP_MUL, x, weight);
    }
    return drive_cast(eval, x, (int)info.dtype, 0, 1);
}

/* --- values of the package */

static Value declare(Eval *eval, const Arguments *arguments)
{
    PtsError error;
    Value dtype = compose_argument(arguments, "dtype", 1),
          name = compose_argument(arguments, "name", 2);
    Value format = compose_argument(arguments, "format", 3);
    SymList shape = drive_list(eval, compose_argument(arguments, "shape", 0), false);
    int number = drive_dtype(dtype);
    bool known = (number >= 0 || dtype.kind == VALUE_UNKNOWN) && shape.fits && shape.known &&
                 shape.count > 0 && (format.kind == VALUE_NONE || compose_member(format, 0) >= 0);
    if (!drive_may_record(eval) || !known) {
        eval->drive->carried = true;
        return value_tensor();
    }
    char text[96] = "";
    if (name.kind == VALUE_STR) {
        snprintf(text, sizeof text, "%.*s", STR_ARG(*name.as.text));
    }
    PtsSite site = {eval->drive->file, (int)node_line(eval->module, arguments->call)};
    PtsSlot slot = pts_declare(
        eval->drive->program, number < 0 ? PTS_BOTTOM : (PtsDtype)number, shape.count, shape.items,
        compose_member(format, 0) == 1 ? PTS_NZ : PTS_ND, text, site, &error);
    if (slot == PTS_SLOT_NONE) {
        drive_refused(eval, EVAL_SHAPE, &error);
    }
    return drive_tensor(slot);
}

static Value compose_element(Eval *eval, const Arguments *arguments)
{
    int dtype = drive_dtype(compose_argument(arguments, "dtype", 0));
    Value data = compose_argument(arguments, "data|value", 1);
    (void)eval;
    if (dtype < 0 || (data.kind != VALUE_INT && data.kind != VALUE_FLOAT)) {
        return value_unknown();
    }
    Value element = {
        .kind = VALUE_ELEMENT, .flag = data.kind == VALUE_FLOAT, .handle = (uint32_t)dtype + 1};
    element.as = data.as;
    return element;
}

bool drive_composed(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const struct {
        const char *name;
        Compose *compose;
    } table[] = {
        {"cast", compose_cast},
        {"view", compose_view},
        {"assemble", compose_assemble},
        {"reshape", compose_reshape},
        {"concat", compose_concat},
        {"experimental.nop", compose_nop},
        {"full", compose_full},
        {"zeros", compose_zeros},
        {"ones", compose_ones},
        {"arange", compose_arange},
        {"fill_", compose_fill},
        {"tril_", compose_tril},
        {"triu_", compose_triu},
        {"axpy_", compose_axpy},
        {"clip", compose_clip},
        {"scatter", compose_scatter},
        {"scatter_", compose_scatter_in_place},
        {"index_add", compose_index_add},
        {"index_add_ub", compose_index_add},
        {"index_add_", compose_index_add_in_place},
        {"index_add__ub", compose_index_add_in_place},
        {"index_put_", compose_index_put},
        {"var", compose_var},
        {"matmul", compose_matmul},
        {"scaled_mm", compose_scaled_mm},
        {"conv", compose_conv},
        {"quant_mx", compose_quant_mx},
        {"pack", compose_pack},
        {"unpack", compose_unpack},
        {"uniform", compose_uniform},
        {"normal", compose_normal},
        {"sigmoid", compose_sigmoid},
        {"softmax", compose_softmax},
        {"rms_norm", compose_rms_norm},
        {"tensor", declare},
        {"Tensor", declare},
        {"Element", compose_element},
        {"element", compose_element},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            *result = table[i].compose(eval, arguments);
            return true;
        }
    }
    return false;
}
