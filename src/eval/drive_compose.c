/* Functions of the package that take forms of their own, or record more than one operation. */
#include "eval/drive.h"

#include <stdio.h>

typedef Value Compose(Eval *eval, const Arguments *arguments);

/* The argument, or None. */
static Value argument(const Arguments *arguments, const char *names, uint32_t place)
{
    const Value *value = drive_argument(arguments, names, place);
    return value == NULL ? value_none() : *value;
}

static bool need_tensor(Eval *eval, const char *what, const char *name, Value value)
{
    if (value.kind == VALUE_TENSOR) {
        return true;
    }
    bool sure = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    if (sure) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001, "%s(): '%s' must be a tensor",
                     what, name);
    }
    return false;
}

static int member(Value value, int none)
{
    return value.kind == VALUE_NONE                         ? none
           : value.kind == VALUE_MEMBER && value.handle > 0 ? (int)value.handle - 1
                                                            : -1;
}

/* Puts a list into attributes; false when it is not wholly known. */
static bool take(SymList list, int *rank, PtsSym *items)
{
    if (!list.fits || !list.known) {
        return false;
    }
    *rank = list.count;
    memcpy(items, list.items, sizeof list.items);
    return true;
}

static bool take_valid(Eval *eval, Value valid, PtsAttributes *attributes)
{
    return valid.kind == VALUE_NONE ||
           take(drive_list(eval, valid, false), &attributes->valid_rank, attributes->valid);
}

/* --- data movement */

static Value compose_cast(Eval *eval, const Arguments *arguments)
{
    Value tensor = argument(arguments, "input", 0);
    Value dtype = argument(arguments, "dtype", 1);
    if (!need_tensor(eval, "cast", "input", tensor)) {
        return value_tensor();
    }
    return drive_cast(eval, tensor, drive_dtype(dtype), member(argument(arguments, "mode", 2), 0),
                      member(argument(arguments, "satmode", 3), 1));
}

static Value compose_view(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = argument(arguments, "input", 0);
    Value shape = argument(arguments, "shape", 1);
    Value offsets = argument(arguments, "offsets", 2);
    Value dtype = argument(arguments, "dtype", UINT32_MAX);
    if (!need_tensor(eval, "view", "input", tensor)) {
        return value_tensor();
    }
    if (dtype.kind != VALUE_NONE) {
        int number = drive_dtype(dtype);
        attributes.dtype = number < 0 ? PTS_BOTTOM : (PtsDtype)number;
        return drive_emit(eval, PTS_OP_VIEW_TYPE, 1, &tensor, number < 0 ? NULL : &attributes);
    }
    if (shape.kind == VALUE_NONE || offsets.kind == VALUE_NONE) {
        drive_refuse(eval, EVAL_WINDOW, PTS_VALUE_ERROR, 0xF00002,
                     "view(): 'shape' and 'offsets' are needed");
        return value_tensor();
    }
    SymList extents = drive_list(eval, shape, false);
    bool known = extents.fixed && take(extents, &attributes.shape_rank, attributes.shape) &&
                 take(drive_list(eval, offsets, true), &attributes.offset_rank, attributes.offsets);
    known = known && take_valid(eval, argument(arguments, "valid_shape", UINT32_MAX), &attributes);
    if (extents.fits && extents.known && !extents.fixed) {
        drive_refuse(eval, EVAL_WINDOW, PTS_TYPE_ERROR, 0xF00001,
                     "view(): 'shape' takes integers, not symbolic scalars; a view has a fixed "
                     "shape, and valid_shape says how much of it holds data");
    }
    return drive_emit(eval, PTS_OP_VIEW, 1, &tensor, known ? &attributes : NULL);
}

static Value assemble_one(Eval *eval, Value source, Value offsets, Value destination)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    if (!need_tensor(eval, "assemble", "src", source) ||
        !need_tensor(eval, "assemble", "dst", destination)) {
        drive_lose(eval, destination);
        return value_none();
    }
    const Value operands[] = {source, destination};
    bool known = take(drive_list(eval, offsets, true), &attributes.offset_rank, attributes.offsets);
    drive_emit(eval, PTS_OP_ASSEMBLE, 2, operands, known ? &attributes : NULL);
    return value_none();
}

static Value compose_assemble(Eval *eval, const Arguments *arguments)
{
    Value source = argument(arguments, "src", 0);
    Value offsets = argument(arguments, "offsets", 1);
    Value destination = argument(arguments, "dst", 2);
    if (!value_is_sequence(source)) {
        return assemble_one(eval, source, offsets, destination);
    }
    destination = destination.kind == VALUE_NONE ? offsets : destination;
    bool known = value_has_items(source);
    for (uint32_t i = 0; known && i < source.as.sequence->count && !eval->stopped; i++) {
        Value pair = source.as.sequence->items[i];
        if (!value_has_items(pair) || pair.as.sequence->count != 2) {
            known = false;
            break;
        }
        assemble_one(eval, pair.as.sequence->items[0], pair.as.sequence->items[1], destination);
    }
    if (!known) {
        drive_lose(eval, destination);
    }
    return value_none();
}

static Value compose_reshape(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = argument(arguments, "input", 0);
    Value inplace = argument(arguments, "inplace", UINT32_MAX);
    if (!need_tensor(eval, "reshape", "input", tensor)) {
        return value_tensor();
    }
    attributes.inplace = inplace.kind == VALUE_BOOL && inplace.as.integer != 0;
    SymList shape = drive_list(eval, argument(arguments, "shape", 1), false);
    bool known = (inplace.kind == VALUE_NONE || inplace.kind == VALUE_BOOL) &&
                 (attributes.inplace || shape.fixed) &&
                 take(shape, &attributes.shape_rank, attributes.shape) &&
                 take_valid(eval, argument(arguments, "valid_shape", UINT32_MAX), &attributes);
    return drive_emit(eval, PTS_OP_RESHAPE, 1, &tensor, known ? &attributes : NULL);
}

/* The tensors of a list as operands; false when they are not all known. */
static bool tensors_of(Value list, Value *operands, uint32_t most, uint32_t *count)
{
    if (!value_has_items(list) || list.as.sequence->count > most) {
        return false;
    }
    *count = list.as.sequence->count;
    for (uint32_t i = 0; i < *count; i++) {
        operands[i] = list.as.sequence->items[i];
        if (operands[i].kind != VALUE_TENSOR) {
            return false;
        }
    }
    return true;
}

static Value compose_concat(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[PTS_MAX_OPERANDS];
    uint32_t count = 0;
    Value list = argument(arguments, "tensors", 0);
    const Value *given = drive_argument(arguments, "dim", 1);
    Value dim = given == NULL ? value_int(0) : drive_plain(eval, *given);
    if (value_has_items(list) && list.as.sequence->count < 2) {
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xFC0003,
                     "concat() takes 2 to 128 tensors, not %u", list.as.sequence->count);
        return value_tensor();
    }
    if (!tensors_of(list, operands, PTS_MAX_OPERANDS, &count) || dim.kind != VALUE_INT) {
        return drive_emit(eval, PTS_OP_CONCAT, 0, operands, NULL);
    }
    attributes.dim = (int)dim.as.integer;
    attributes.has_dim = true;
    return drive_emit(eval, PTS_OP_CONCAT, count, operands, &attributes);
}

static Value compose_nop(Eval *eval, const Arguments *arguments)
{
    Value operands[PTS_MAX_OPERANDS];
    uint32_t count = 0;
    bool known =
        tensors_of(argument(arguments, "in_tensors", 0), operands, PTS_MAX_OPERANDS, &count);
    return drive_emit(eval, PTS_OP_NOP, count, operands, known ? &PTS_ATTRIBUTES : NULL);
}

/* --- creation */

static Value compose_full(Eval *eval, const Arguments *arguments)
{
    return drive_full(eval, argument(arguments, "size", 0), argument(arguments, "fill_value", 1),
                      drive_dtype(argument(arguments, "dtype", 2)),
                      argument(arguments, "valid_shape", UINT32_MAX));
}

/* zeros and ones: the size as a list, or as arguments. */
static Value filled(Eval *eval, const Arguments *arguments, int64_t number)
{
    Value size = arguments->positional == 1 ? arguments->values[0] : value_unknown();
    if (!value_is_sequence(size)) {
        size = value_sequence(eval->arena, VALUE_LIST, arguments->positional);
        for (uint32_t i = 0; i < arguments->positional; i++) {
            sequence_add(eval->arena, size.as.sequence, arguments->values[i]);
        }
    }
    Value dtype = argument(arguments, "dtype", UINT32_MAX);
    return drive_full(eval, size, value_int(number),
                      dtype.kind == VALUE_NONE ? PTS_FP32 : drive_dtype(dtype), value_none());
}

static Value compose_zeros(Eval *eval, const Arguments *arguments)
{
    return filled(eval, arguments, 0);
}

static Value compose_ones(Eval *eval, const Arguments *arguments)
{
    return filled(eval, arguments, 1);
}

static Value compose_arange(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value numbers[3] = {argument(arguments, "start", 0), argument(arguments, "end", 1),
                        argument(arguments, "step", 2)};
    if (numbers[1].kind == VALUE_NONE) {
        numbers[1] = numbers[0];
        numbers[0] = value_int(0);
    }
    numbers[2] = numbers[2].kind == VALUE_NONE ? value_int(1) : numbers[2];
    bool known = true, any_float = false;
    for (int i = 0; i < 3; i++) {
        numbers[i] = drive_plain(eval, numbers[i]);
        any_float = any_float || numbers[i].kind == VALUE_FLOAT;
        known = known && (numbers[i].kind == VALUE_INT || numbers[i].kind == VALUE_FLOAT);
    }
    for (int i = 0; i < 3 && any_float; i++) {
        numbers[i] =
            numbers[i].kind == VALUE_INT ? value_float((double)numbers[i].as.integer) : numbers[i];
    }
    attributes.dtype = any_float ? PTS_FP32 : PTS_INT32;
    return drive_emit(eval, PTS_OP_ARANGE, 3, numbers, known ? &attributes : NULL);
}

/* --- in place */

static Value compose_fill(Eval *eval, const Arguments *arguments)
{
    Value tensor = argument(arguments, "input", 0);
    PtsSlotInfo info;
    int dtype = drive_info(eval, tensor, &info) ? (int)info.dtype : -1;
    Value made = drive_full(eval, drive_shape(eval, tensor, false), argument(arguments, "value", 1),
                            dtype, value_none());
    drive_move(eval, tensor, made);
    return tensor;
}

static Value triangle(Eval *eval, const Arguments *arguments, PtsOp op)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = argument(arguments, "input", 0);
    Value diagonal = argument(arguments, "diagonal", 1);
    diagonal = diagonal.kind == VALUE_NONE ? value_int(0) : diagonal;
    attributes.diagonal = drive_sym(eval, diagonal);
    Value made =
        drive_emit(eval, op, 1, &tensor, attributes.diagonal == PTS_SYM_NONE ? NULL : &attributes);
    drive_move(eval, tensor, made);
    return tensor;
}

static Value compose_tril(Eval *eval, const Arguments *arguments)
{
    return triangle(eval, arguments, PTS_OP_TRIL);
}

static Value compose_triu(Eval *eval, const Arguments *arguments)
{
    return triangle(eval, arguments, PTS_OP_TRIU);
}

static double real_of(Value value, double none, bool *known)
{
    if (value.kind == VALUE_INT) {
        return (double)value.as.integer;
    }
    *known = *known && (value.kind == VALUE_FLOAT || value.kind == VALUE_NONE);
    return value.kind == VALUE_FLOAT ? value.as.number : none;
}

static Value compose_axpy(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {argument(arguments, "y", 0), argument(arguments, "x", 1)};
    bool known = true;
    attributes.real = real_of(argument(arguments, "alpha", 2), 1.0, &known);
    Value made = drive_emit(eval, PTS_OP_AXPY_, 2, operands, known ? &attributes : NULL);
    drive_move(eval, operands[0], made);
    return operands[0];
}

static Value compose_clip(Eval *eval, const Arguments *arguments)
{
    Value operands[] = {argument(arguments, "input", 0), argument(arguments, "min", 1),
                        argument(arguments, "max", 2)};
    if (operands[1].kind == VALUE_NONE && operands[2].kind == VALUE_NONE) {
        return operands[0];
    }
    return drive_emit(eval, PTS_OP_CLIP, 3, operands, &PTS_ATTRIBUTES);
}

static Value scatter(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {argument(arguments, "input", 0), argument(arguments, "index", 2),
                        argument(arguments, "src", 3)};
    Value dim = drive_plain(eval, argument(arguments, "dim", 1));
    Value reduce = argument(arguments, "reduce", UINT32_MAX);
    bool known = dim.kind == VALUE_INT && (reduce.kind == VALUE_NONE || reduce.kind == VALUE_STR);
    if (known) {
        attributes.dim = (int)dim.as.integer;
        attributes.has_dim = true;
        attributes.mode = reduce.kind == VALUE_NONE             ? 0
                          : str_is(*reduce.as.text, "add")      ? 1
                          : str_is(*reduce.as.text, "multiply") ? 2
                                                                : -1;
        known = attributes.mode >= 0;
    }
    return drive_emit(eval, PTS_OP_SCATTER, 3, operands, known ? &attributes : NULL);
}

static Value scatter_in_place(Eval *eval, const Arguments *arguments)
{
    Value tensor = argument(arguments, "input", 0);
    drive_move(eval, tensor, scatter(eval, arguments));
    return tensor;
}

static Value index_add(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[] = {argument(arguments, "input", 0), argument(arguments, "index", 2),
                        argument(arguments, "source", 3)};
    Value dim = drive_plain(eval, argument(arguments, "dim", 1));
    bool known = dim.kind == VALUE_INT;
    attributes.dim = known ? (int)dim.as.integer : 0;
    attributes.has_dim = true;
    attributes.real = real_of(argument(arguments, "alpha", UINT32_MAX), 1.0, &known);
    return drive_emit(eval, PTS_OP_INDEX_ADD_, 3, operands, known ? &attributes : NULL);
}

static Value index_add_in_place(Eval *eval, const Arguments *arguments)
{
    Value tensor = argument(arguments, "input", 0);
    drive_move(eval, tensor, index_add(eval, arguments));
    return tensor;
}

static Value index_put(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[PTS_MAX_OPERANDS] = {argument(arguments, "input", 0),
                                        argument(arguments, "values", 2)};
    Value accumulate = argument(arguments, "accumulate", 3);
    uint32_t count = 0;
    bool known = tensors_of(argument(arguments, "indices", 1), operands + 2, 8, &count) &&
                 (accumulate.kind == VALUE_NONE || accumulate.kind == VALUE_BOOL);
    attributes.accumulate = accumulate.kind == VALUE_BOOL && accumulate.as.integer != 0;
    Value made =
        drive_emit(eval, PTS_OP_INDEX_PUT_, count + 2, operands, known ? &attributes : NULL);
    drive_move(eval, operands[0], made);
    return value_none();
}

/* --- sums and products */

static Value compose_var(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    PtsError error;
    Value tensor = argument(arguments, "input", 0);
    Value dim = drive_plain(eval, argument(arguments, "dim", 1));
    Value keepdim = argument(arguments, "keepdim", UINT32_MAX);
    bool known = drive_info(eval, tensor, &info) &&
                 (keepdim.kind == VALUE_NONE || keepdim.kind == VALUE_BOOL);
    attributes.keepdim = keepdim.kind == VALUE_BOOL && keepdim.as.integer != 0;
    attributes.real = real_of(argument(arguments, "correction", 2), 1.0, &known);
    bool all = dim.kind == VALUE_NONE || (value_has_items(dim) && dim.as.sequence->count == 0);
    uint32_t count = all ? 0 : value_has_items(dim) ? dim.as.sequence->count : 1;
    known = known && count <= PTS_MAX_RANK;
    if (!known) {
        return drive_emit(eval, PTS_OP_VAR, 1, &tensor, NULL);
    }
    attributes.shape_rank = all ? info.rank : (int)count;
    for (int i = 0; i < attributes.shape_rank; i++) {
        Value one = all                    ? value_int(i)
                    : value_has_items(dim) ? drive_plain(eval, dim.as.sequence->items[i])
                                           : dim;
        known = known && one.kind == VALUE_INT;
        int64_t axis = known ? one.as.integer + (one.as.integer < 0 ? info.rank : 0) : 0;
        attributes.shape[i] = pts_sym_constant(eval->drive->context, axis, &error);
    }
    return drive_emit(eval, PTS_OP_VAR, 1, &tensor, known ? &attributes : NULL);
}

static bool flag_of(const Arguments *arguments, const char *name, bool *known)
{
    Value value = argument(arguments, name, UINT32_MAX);
    *known = *known && (value.kind == VALUE_NONE || value.kind == VALUE_BOOL);
    return value.kind == VALUE_BOOL && value.as.integer != 0;
}

/* What extend_params says; false when not all of it is known. */
static bool take_extended(Eval *eval, Value params, PtsAttributes *attributes, Value *operands)
{
    bool known = params.kind == VALUE_DICT && !params.as.dict->lost;
    for (uint32_t i = 0; known && i < params.as.dict->count; i++) {
        Value key = params.as.dict->keys[i], value = params.as.dict->values[i];
        Str name = key.kind == VALUE_STR ? *key.as.text : STR("");
        if (value.kind == VALUE_NONE) {
            continue;
        }
        if (str_is(name, "bias_tensor") || str_is(name, "scale_tensor")) {
            operands[str_is(name, "bias_tensor") ? 2 : 3] = value;
            known = value.kind == VALUE_TENSOR;
        } else if (str_is(name, "scale")) {
            attributes->has_scale = true;
            value = drive_plain(eval, value);
            attributes->scale =
                value.kind == VALUE_FLOAT ? value.as.number : (double)value.as.integer;
            known = value.kind == VALUE_FLOAT || value.kind == VALUE_INT;
        } else if (str_is(name, "relu_type") || str_is(name, "trans_mode")) {
            bool relu = str_is(name, "relu_type");
            *(relu ? &attributes->relu : &attributes->trans_mode) = member(value, 0);
            known = member(value, 0) >= 0;
        } else {
            known = false;
        }
    }
    return known;
}

Value drive_matmul(Eval *eval, Value a, Value b, Value dtype, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[4] = {a, b, value_none(), value_none()};
    int number = drive_dtype(dtype);
    bool known = true;
    attributes.dtype = number >= 0 ? (PtsDtype)number : PTS_BOTTOM;
    attributes.unknown = number >= 0 ? 0 : PTS_UNKNOWN_DTYPE;
    if (arguments != NULL) {
        Value extended = argument(arguments, "extend_params", UINT32_MAX);
        attributes.a_trans = flag_of(arguments, "a_trans", &known);
        attributes.b_trans = flag_of(arguments, "b_trans", &known);
        attributes.c_matrix_nz = flag_of(arguments, "c_matrix_nz", &known);
        known = known && (extended.kind == VALUE_NONE ||
                          take_extended(eval, extended, &attributes, operands));
    }
    return drive_emit(eval, PTS_OP_MATMUL, 4, operands, known ? &attributes : NULL);
}

static Value compose_matmul(Eval *eval, const Arguments *arguments)
{
    Value a = argument(arguments, "input", 0), b = argument(arguments, "mat2", 1);
    Value dtype = argument(arguments, "out_dtype", 2);
    if (!need_tensor(eval, "matmul", "input", a) || !need_tensor(eval, "matmul", "mat2", b)) {
        return value_tensor();
    }
    return drive_matmul(eval, a, b, dtype, arguments);
}

static int dtype_of(Eval *eval, Value tensor)
{
    PtsSlotInfo info;
    return drive_info(eval, tensor, &info) ? (int)info.dtype : -1;
}

static Value compose_sigmoid(Eval *eval, const Arguments *arguments)
{
    Value tensor = argument(arguments, "input", 0);
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
    Value tensor = argument(arguments, "input", 0), dim = argument(arguments, "dim", 1);
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
    Value tensor = argument(arguments, "input", 0), gamma = argument(arguments, "gamma", 1);
    bool known = drive_info(eval, tensor, &info);
    double epsilon = real_of(argument(arguments, "epsilon", 2), 1e-6, &known);
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
    Value dtype = argument(arguments, "dtype", 1), name = argument(arguments, "name", 2);
    Value format = argument(arguments, "format", 3);
    SymList shape = drive_list(eval, argument(arguments, "shape", 0), false);
    int number = drive_dtype(dtype);
    bool known = (number >= 0 || dtype.kind == VALUE_UNKNOWN) && shape.fits && shape.known &&
                 shape.count > 0 &&
                 (format.kind == VALUE_NONE || member(format, 0) >= 0);
    if (!drive_may_record(eval) || !known) {
        eval->drive->carried = true;
        return value_tensor();
    }
    char text[96] = "";
    if (name.kind == VALUE_STR) {
        snprintf(text, sizeof text, "%.*s", STR_ARG(*name.as.text));
    }
    PtsSite site = {eval->drive->file, (int)node_line(eval->module, arguments->call)};
    PtsSlot slot = pts_declare(eval->drive->program, number < 0 ? PTS_BOTTOM : (PtsDtype)number, shape.count, shape.items,
                               member(format, 0) == 1 ? PTS_NZ : PTS_ND, text, site, &error);
    if (slot == PTS_SLOT_NONE) {
        drive_refused(eval, EVAL_SHAPE, &error);
    }
    return drive_tensor(slot);
}

static Value compose_element(Eval *eval, const Arguments *arguments)
{
    int dtype = drive_dtype(argument(arguments, "dtype", 0));
    Value data = argument(arguments, "data|value", 1);
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
        {"scatter", scatter},
        {"scatter_", scatter_in_place},
        {"index_add", index_add},
        {"index_add_ub", index_add},
        {"index_add_", index_add_in_place},
        {"index_add__ub", index_add_in_place},
        {"index_put_", index_put},
        {"var", compose_var},
        {"matmul", compose_matmul},
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
