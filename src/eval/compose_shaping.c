/* Functions of the package: views, shapes, creation, writing in place. */
#include "eval/compose.h"

/* --- data movement */

Value compose_cast(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0);
    Value dtype = compose_argument(arguments, "dtype", 1);
    if (!compose_need_tensor(eval, "cast", "input", tensor)) {
        return value_tensor();
    }
    return drive_cast(eval, tensor, drive_dtype(dtype),
                      compose_member(compose_argument(arguments, "mode", 2), 0),
                      compose_member(compose_argument(arguments, "satmode", 3), 1));
}

Value compose_view(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = compose_argument(arguments, "input", 0);
    Value shape = compose_argument(arguments, "shape", 1);
    Value offsets = compose_argument(arguments, "offsets", 2);
    Value dtype = compose_argument(arguments, "dtype", UINT32_MAX);
    if (!compose_need_tensor(eval, "view", "input", tensor)) {
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
    bool known =
        extents.fixed && compose_take(extents, &attributes.shape_rank, attributes.shape) &&
        compose_take(drive_list(eval, offsets, true), &attributes.offset_rank, attributes.offsets);
    known = known && compose_take_valid(
                         eval, compose_argument(arguments, "valid_shape", UINT32_MAX), &attributes);
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
    if (!compose_need_tensor(eval, "assemble", "src", source) ||
        !compose_need_tensor(eval, "assemble", "dst", destination)) {
        drive_lose(eval, destination);
        return value_none();
    }
    const Value operands[] = {source, destination};
    bool known =
        compose_take(drive_list(eval, offsets, true), &attributes.offset_rank, attributes.offsets);
    drive_emit(eval, PTS_OP_ASSEMBLE, 2, operands, known ? &attributes : NULL);
    return value_none();
}

Value compose_assemble(Eval *eval, const Arguments *arguments)
{
    Value source = compose_argument(arguments, "src", 0);
    Value offsets = compose_argument(arguments, "offsets", 1);
    Value destination = compose_argument(arguments, "dst", 2);
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

Value compose_reshape(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = compose_argument(arguments, "input", 0);
    Value inplace = compose_argument(arguments, "inplace", UINT32_MAX);
    if (!compose_need_tensor(eval, "reshape", "input", tensor)) {
        return value_tensor();
    }
    attributes.inplace = inplace.kind == VALUE_BOOL && inplace.as.integer != 0;
    SymList shape = drive_list(eval, compose_argument(arguments, "shape", 1), false);
    bool known = (inplace.kind == VALUE_NONE || inplace.kind == VALUE_BOOL) &&
                 (attributes.inplace || shape.fixed) &&
                 compose_take(shape, &attributes.shape_rank, attributes.shape) &&
                 compose_take_valid(eval, compose_argument(arguments, "valid_shape", UINT32_MAX),
                                    &attributes);
    return drive_emit(eval, PTS_OP_RESHAPE, 1, &tensor, known ? &attributes : NULL);
}

Value compose_concat(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[PTS_MAX_OPERANDS];
    uint32_t count = 0;
    Value list = compose_argument(arguments, "tensors", 0);
    const Value *given = drive_argument(arguments, "dim", 1);
    Value dim = given == NULL ? value_int(0) : drive_plain(eval, *given);
    if (value_has_items(list) && list.as.sequence->count < 2) {
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xFC0003,
                     "concat() takes 2 to 128 tensors, not %u", list.as.sequence->count);
        return value_tensor();
    }
    if (!compose_tensors_of(list, operands, PTS_MAX_OPERANDS, &count) || dim.kind != VALUE_INT) {
        return drive_emit(eval, PTS_OP_CONCAT, 0, operands, NULL);
    }
    attributes.dim = (int)dim.as.integer;
    attributes.has_dim = true;
    return drive_emit(eval, PTS_OP_CONCAT, count, operands, &attributes);
}

Value compose_nop(Eval *eval, const Arguments *arguments)
{
    Value operands[PTS_MAX_OPERANDS];
    uint32_t count = 0;
    bool known = compose_tensors_of(compose_argument(arguments, "in_tensors", 0), operands,
                                    PTS_MAX_OPERANDS, &count);
    return drive_emit(eval, PTS_OP_NOP, count, operands, known ? &PTS_ATTRIBUTES : NULL);
}

/* --- creation */

Value compose_full(Eval *eval, const Arguments *arguments)
{
    return drive_full(eval, compose_argument(arguments, "size", 0),
                      compose_argument(arguments, "fill_value", 1),
                      drive_dtype(compose_argument(arguments, "dtype", 2)),
                      compose_argument(arguments, "valid_shape", UINT32_MAX));
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
    Value dtype = compose_argument(arguments, "dtype", UINT32_MAX);
    return drive_full(eval, size, value_int(number),
                      dtype.kind == VALUE_NONE ? PTS_FP32 : drive_dtype(dtype), value_none());
}

Value compose_zeros(Eval *eval, const Arguments *arguments)
{
    return filled(eval, arguments, 0);
}

Value compose_ones(Eval *eval, const Arguments *arguments)
{
    return filled(eval, arguments, 1);
}

Value compose_arange(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value numbers[3] = {compose_argument(arguments, "start", 0),
                        compose_argument(arguments, "end", 1),
                        compose_argument(arguments, "step", 2)};
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

Value compose_fill(Eval *eval, const Arguments *arguments)
{
    Value tensor = compose_argument(arguments, "input", 0);
    PtsSlotInfo info;
    int dtype = drive_info(eval, tensor, &info) ? (int)info.dtype : -1;
    Value made = drive_full(eval, drive_shape(eval, tensor, false),
                            compose_argument(arguments, "value", 1), dtype, value_none());
    drive_move(eval, tensor, made);
    return tensor;
}

static Value triangle(Eval *eval, const Arguments *arguments, PtsOp op)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value tensor = compose_argument(arguments, "input", 0);
    Value diagonal = compose_argument(arguments, "diagonal", 1);
    diagonal = diagonal.kind == VALUE_NONE ? value_int(0) : diagonal;
    attributes.diagonal = drive_sym(eval, diagonal);
    Value made =
        drive_emit(eval, op, 1, &tensor, attributes.diagonal == PTS_SYM_NONE ? NULL : &attributes);
    drive_move(eval, tensor, made);
    return tensor;
}

Value compose_tril(Eval *eval, const Arguments *arguments)
{
    return triangle(eval, arguments, PTS_OP_TRIL);
}

Value compose_triu(Eval *eval, const Arguments *arguments)
{
    return triangle(eval, arguments, PTS_OP_TRIU);
}

/* --- bytes */

static bool is_bytes(PtsDtype dtype)
{
    static const PtsDtype dtypes[] = {PTS_INT8,  PTS_UINT8,  PTS_INT16, PTS_UINT16,
                                      PTS_INT32, PTS_UINT32, PTS_INT64, PTS_UINT64,
                                      PTS_FP16,  PTS_BF16,   PTS_FP32};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (dtypes[i] == dtype) {
            return true;
        }
    }
    return false;
}

/* All elements row by row as one axis, then the bytes of them. */
Value compose_pack(Eval *eval, const Arguments *arguments)
{
    PtsAttributes flat = PTS_ATTRIBUTES, bytes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    PtsError error;
    Value tensor = compose_argument(arguments, "input", 0);
    if (!compose_need_tensor(eval, "pack", "input", tensor)) {
        return value_tensor();
    }
    bool known = drive_info(eval, tensor, &info) && info.rank >= 1 && info.rank <= 4 &&
                 info.format != PTS_NZ && is_bytes(info.dtype);
    bytes.dtype = PTS_UINT8;
    if (!known) {
        return drive_emit(eval, PTS_OP_VIEW_TYPE, 1, &tensor, NULL);
    }
    PtsSym length = info.shape[0];
    for (int i = 1; i < info.rank; i++) {
        length = pts_sym_binary(eval->drive->context, PTS_SYM_MUL, length, info.shape[i], &error);
    }
    flat.shape_rank = 1;
    flat.shape[0] = length;
    tensor = info.rank == 1 ? tensor : drive_emit(eval, PTS_OP_RESHAPE, 1, &tensor, &flat);
    return eval->stopped ? tensor : drive_emit(eval, PTS_OP_VIEW_TYPE, 1, &tensor, &bytes);
}

Value compose_unpack(Eval *eval, const Arguments *arguments)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    Value tensor = compose_argument(arguments, "input", 0);
    int number = drive_dtype(compose_argument(arguments, "dtype", 1));
    if (!compose_need_tensor(eval, "unpack", "input", tensor)) {
        return value_tensor();
    }
    int64_t extent;
    bool known = number >= 0 && is_bytes((PtsDtype)number) && drive_info(eval, tensor, &info) &&
                 info.rank == 1 && info.dtype == PTS_UINT8 && info.format != PTS_NZ &&
                 pts_sym_value(eval->drive->context, info.shape[0], &extent) &&
                 extent % (int64_t)pts_dtype_bytes((PtsDtype)number) == 0;
    attributes.dtype = known ? (PtsDtype)number : PTS_BOTTOM;
    return drive_emit(eval, PTS_OP_VIEW_TYPE, 1, &tensor, known ? &attributes : NULL);
}

/* --- random numbers */

/* The entry of a list of `count` numbers; false when it is not known. */
static bool take_number(Eval *eval, Value list, uint32_t count, uint32_t place, Value *number)
{
    bool fits = value_has_items(list) && list.as.sequence->count == count;
    *number = fits ? drive_plain(eval, list.as.sequence->items[place]) : value_unknown();
    return fits && drive_is_integer(*number);
}

static Value random_numbers(Eval *eval, const Arguments *arguments, PtsOp op)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    Value operands[3], mode;
    SymList shape = drive_list(eval, compose_argument(arguments, "shape", 0), false);
    Value key = compose_argument(arguments, "key", 1);
    Value counter = compose_argument(arguments, "counter", 2);
    int number = drive_dtype(compose_argument(arguments, "dtype", 4));
    bool known = take_number(eval, key, 1, 0, &operands[0]) &&
                 take_number(eval, counter, 2, 0, &operands[1]) &&
                 take_number(eval, counter, 2, 1, &operands[2]) &&
                 take_number(eval, compose_argument(arguments, "alg", 3), 1, 0, &mode) &&
                 mode.kind == VALUE_INT && (mode.as.integer == 1 || mode.as.integer == 3) &&
                 number >= 0 && shape.fixed &&
                 compose_take(shape, &attributes.shape_rank, attributes.shape);
    attributes.dtype = known ? (PtsDtype)number : PTS_BOTTOM;
    attributes.mode = known ? (int)mode.as.integer : 0;
    return drive_emit(eval, op, known ? 3 : 0, operands, known ? &attributes : NULL);
}

Value compose_uniform(Eval *eval, const Arguments *arguments)
{
    return random_numbers(eval, arguments, PTS_OP_UNIFORM);
}

Value compose_normal(Eval *eval, const Arguments *arguments)
{
    return random_numbers(eval, arguments, PTS_OP_NORMAL);
}
