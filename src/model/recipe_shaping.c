/* Recipes: views, shapes, bytes, casts. */
#include "model/answer.h"
#include "model/recipe_call.h"

bool recipe_cast(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsSlotInfo info;
    int mode = 0;
    if (!call_tensor(call, &a[0], "input") || !call_dtype(call, &a[1], "dtype") ||
        !call_member(call, &a[2], "CastMode", "mode", &mode)) {
        return false;
    }
    bool has_mode = (call->attributes.unknown & PTS_UNKNOWN_COUNT) == 0;
    int dtype =
        (call->attributes.unknown & PTS_UNKNOWN_DTYPE) == 0 ? (int)call->attributes.dtype : -1;
    bool known = call_info(call, &a[0], &info);
    *result = a[0];
    bool has_nothing_to_do = known && (int)info.dtype == dtype && has_mode && mode <= 1;
    if (!has_nothing_to_do &&
        !call_member(call, &a[3], "SaturationMode", "satmode", &call->attributes.saturation)) {
        return false;
    }
    return call_cast(call, result, dtype, has_mode ? mode : -1);
}

/* view(input, dtype=…): the same bytes as another type. */
static bool view_type(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    int64_t tile[PTS_MAX_TILE];
    if (!value_is_absent(&a[1]) || !value_is_absent(&a[2])) {
        return call_refuse(call, PTS_E_VALUE,
                           "view(): 'dtype' stands alone, without 'shape' and 'offsets'");
    }
    call->op = PTS_OP_VIEW_TYPE;
    if (pts_config_vector_tile(call->cook->context, tile) == 0 &&
        !call_refuse_since_9_2(call, PTS_E_INVALID,
                               "OP_VIEW_TYPE tile shape is empty or invalid: call "
                               "set_vec_tile_shapes first")) {
        return false;
    }
    return call_dtype(call, &a[4], "dtype") && call_emit(call, PTS_OP_VIEW_TYPE, 1, a, result);
}

bool recipe_view(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    if (!call_tensor(call, &a[0], "input")) {
        return false;
    }
    if (!value_is_absent(&a[4])) {
        return view_type(call, result);
    }
    if (value_is_absent(&a[1]) || value_is_absent(&a[2])) {
        return call_refuse(call, PTS_E_VALUE, "view(): 'shape' and 'offsets' are needed");
    }
    return call_shape(call, &a[1], "shape", true) && call_offsets(call, &a[2], "offsets") &&
           call_valid(call, &a[3]) && call_emit(call, PTS_OP_VIEW, 1, a, result);
}

static bool assemble_one(PtsCall *call, const PtsValue *source, const PtsValue *offsets,
                         const PtsValue *destination, bool parallel)
{
    PtsValue nothing;
    const PtsValue operands[] = {*source, *destination};
    call->attributes = PTS_ATTRIBUTES;
    call->attributes.parallel = parallel;
    return call_tensor(call, source, "src") && call_tensor(call, destination, "dst") &&
           call_offsets(call, offsets, "offsets") &&
           call_emit(call, PTS_OP_ASSEMBLE, 2, operands, &nothing);
}

/* assemble([(src, offsets), …], dst) */
static bool assemble_several(PtsCall *call, const PtsValue *destination, bool parallel)
{
    const PtsValue *pairs = &call->arg[0];
    if (pairs->is_open) {
        call->cook->host->lose(call->cook, destination);
        return true;
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        const PtsValue *pair = &pairs->items[i];
        if (value_is_open(pair) || (value_is_list(pair) && pair->is_open)) {
            call->cook->host->lose(call->cook, destination);
            continue;
        }
        if (!value_is_list(pair) || pair->count != 2) {
            return call_refuse(call, PTS_E_TYPE, "assemble(): a list has (src, offsets) pairs");
        }
        if (!assemble_one(call, &pair->items[0], &pair->items[1], destination, parallel)) {
            return false;
        }
    }
    return true;
}

bool recipe_assemble(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    bool parallel = false;
    (void)result;
    if (!call_flag(call, &a[3], "parallel", &parallel)) {
        return false;
    }
    if (value_is_list(&a[0])) {
        return assemble_several(call, value_is_absent(&a[2]) ? &a[1] : &a[2], parallel);
    }
    /* 9.1 reads the flag only when it is given a list. */
    return assemble_one(call, &a[0], &a[1], &a[2], parallel && !call->cook->is_9_1);
}

bool recipe_reshape(PtsCall *call, PtsValue *result)
{
    const PtsValue *a = call->arg;
    PtsAttributes *attributes = &call->attributes;
    return call_tensor(call, &a[0], "input") &&
           call_flag(call, &a[3], "inplace", &attributes->inplace) &&
           call_shape(call, &a[1], "shape", !attributes->inplace && attributes->unknown == 0) &&
           call_valid(call, &a[2]) && call_emit(call, PTS_OP_RESHAPE, 1, a, result);
}

/* The items of a list must be tensors; false: refused. */
static bool check_tensors(PtsCall *call, const PtsValue *list, const char *parameter)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (!call_tensor(call, &list->items[i], parameter)) {
            return false;
        }
    }
    return true;
}

bool recipe_concat(PtsCall *call, PtsValue *result)
{
    const PtsValue *list = &call->arg[0];
    const char *type = pts_value_type(list);
    call->attributes.has_dim = true;
    if (!value_is_list(list) && type != NULL) {
        return call_refuse(call, PTS_E_TYPE, "concat() takes a list of tensors, not %s", type);
    }
    if (!value_is_list(list) || list->is_open) {
        call->attributes.unknown = PTS_UNKNOWN_ALL;
        return call_emit(call, PTS_OP_CONCAT, 0, NULL, result);
    }
    if (list->count < 2 || list->count > PTS_MAX_OPERANDS) {
        return call_refuse(call, PTS_VALUE_ERROR, 0xFC0003, "INVALID_VAL",
                           "concat() takes 2 to 128 tensors, not %u", list->count);
    }
    if (!check_tensors(call, list, "tensors")) {
        return false;
    }
    return (call->arg[1].kind == PTS_VALUE_MISSING ||
            call_int(call, &call->arg[1], "dim", &call->attributes.dim, PTS_UNKNOWN_DIM)) &&
           call_emit(call, PTS_OP_CONCAT, list->count, list->items, result);
}

bool recipe_nop(PtsCall *call, PtsValue *result)
{
    const PtsValue *list = &call->arg[0];
    const char *type = pts_value_type(list);
    if (!value_is_list(list) && type != NULL) {
        return call_refuse(call, PTS_E_TYPE, "nop() takes a list of tensors, not %s", type);
    }
    bool known = value_is_list(list) && !list->is_open && list->count <= PTS_MAX_OPERANDS;
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return (!known || check_tensors(call, list, "in_tensors")) &&
           call_emit(call, PTS_OP_NOP, known ? list->count : 0, list->items, result);
}

/* --- bytes */

static PtsAnswer is_bytes(PtsDtype dtype)
{
    static const uint32_t whole = 1U << PTS_INT8 | 1U << PTS_UINT8 | 1U << PTS_INT16 |
                                  1U << PTS_UINT16 | 1U << PTS_INT32 | 1U << PTS_UINT32 |
                                  1U << PTS_INT64 | 1U << PTS_UINT64 | 1U << PTS_FP16 |
                                  1U << PTS_BF16 | 1U << PTS_FP32;
    return pts_dtype_in(dtype, whole);
}

/* The bytes of a tensor about which nothing is known. */
static bool open_bytes(PtsCall *call, PtsValue *result)
{
    call->attributes.unknown = PTS_UNKNOWN_ALL;
    return call_emit(call, PTS_OP_VIEW_TYPE, 1, call->arg, result);
}

/* Flattens the tensor row by row, then views it as bytes. */
bool recipe_pack(PtsCall *call, PtsValue *result)
{
    PtsSlotInfo info;
    PtsValue flat = call->arg[0];
    int64_t known;
    if (!call_tensor(call, &flat, "input")) {
        return false;
    }
    if (!call_info(call, &flat, &info)) {
        return open_bytes(call, result);
    }
    if (is_bytes(info.dtype) == PTS_NO) {
        return call_refuse(call, PTS_E_TYPE, "pack(): data type DataType.%s is not supported",
                           pts_dtype_name(info.dtype));
    }
    if (info.rank < 1 || info.rank > 4 || info.format == PTS_NZ) {
        return call_refuse(call, PTS_VALUE_ERROR, 0xFC0002, "INVALID_VAL",
                           "pack() takes an ND tensor with 1 to 4 axes, not %d", info.rank);
    }
    PtsSym length = info.shape[0];
    for (int i = 1; i < info.rank; i++) {
        length = call_binary(call, PTS_SYM_MUL, length, info.shape[i]);
    }
    if (length != PTS_SYM_NONE && pts_sym_value(call->cook->context, length, &known) &&
        known == 0) {
        return call_refuse(call, PTS_VALUE_ERROR, 0xFC0000, "INVALID_VAL",
                           "pack(): the tensor is empty");
    }
    if (info.rank > 1) {
        PtsValue size = pts_value_sym(length), shape = pts_value(PTS_VALUE_LIST);
        shape.items = &size;
        shape.count = 1;
        call->name = "reshape";
        if (!call_shape(call, &shape, "shape", true) ||
            !call_emit(call, PTS_OP_RESHAPE, 1, call->arg, &flat)) {
            return false;
        }
    }
    call->attributes = PTS_ATTRIBUTES;
    call->attributes.dtype = PTS_UINT8;
    return call_emit(call, PTS_OP_VIEW_TYPE, 1, &flat, result);
}

/* Are `bytes`, as far as they are known, whole elements of that size? */
static bool is_whole(const PtsContext *context, PtsSym bytes, int64_t size, int64_t *known)
{
    return bytes == PTS_SYM_NONE || !pts_sym_value(context, bytes, known) || *known % size == 0;
}

/* The extents of the bytes, and the tile, are whole elements. */
static bool check_sizes(PtsCall *call, const PtsSlotInfo *info, PtsDtype dtype)
{
    const PtsContext *context = call->cook->context;
    int64_t size = (int64_t)pts_dtype_bytes(dtype), known = 0, tile[PTS_MAX_TILE];
    if (info != NULL && (!is_whole(context, info->shape[0], size, &known) ||
                         !is_whole(context, info->valid[0], size, &known))) {
        return call_refuse(call, PTS_VALUE_ERROR, 0xFC0000, "INVALID_VAL",
                           "Cannot unpack tile to DataType.%s: %lld bytes do not hold a whole "
                           "number of elements",
                           pts_dtype_name(dtype), (long long)known);
    }
    bool has_tile = pts_config_vector_tile(context, tile) > 0 && tile[0] != PTS_TILE_UNKNOWN;
    return !has_tile || tile[0] % size == 0 ||
           call_refuse(call, PTS_VALUE_ERROR, 0xFC0000, "INVALID_VAL",
                       "UnPack tile shape invalid: %lld is not a multiple of %lld",
                       (long long)tile[0], (long long)size);
}

/* What unpack() takes, and what it gives. */
static bool check_bytes(PtsCall *call, PtsDtype from, PtsDtype to, bool typed)
{
    bool takes = from == PTS_UINT8 || from == PTS_BOTTOM;
    bool gives = !typed || (to != PTS_BOTTOM && is_bytes(to) != PTS_NO);
    if (takes && gives) {
        return true;
    }
    if (from == PTS_BOTTOM) {
        return call_refuse(call, PTS_E_TYPE, "unpack() gives whole bytes, not DataType.%s",
                           pts_dtype_name(to));
    }
    if (!typed) {
        return call_refuse(call, PTS_E_TYPE, "unpack() takes DT_UINT8, not DataType.%s",
                           pts_dtype_name(from));
    }
    return call_refuse(call, PTS_E_TYPE,
                       "unpack() takes DT_UINT8 and gives whole bytes, not DataType.%s to "
                       "DataType.%s",
                       pts_dtype_name(from), pts_dtype_name(to));
}

/* unpack() of something that need not be known: each check asks for what it needs only. */
bool recipe_unpack(PtsCall *call, PtsValue *result)
{
    PtsSlotInfo info;
    if (!call_tensor(call, &call->arg[0], "input") || !call_dtype(call, &call->arg[1], "dtype")) {
        return false;
    }
    bool known = call_info(call, &call->arg[0], &info);
    bool typed = (call->attributes.unknown & PTS_UNKNOWN_DTYPE) == 0;
    PtsDtype from = known ? info.dtype : PTS_BOTTOM, to = call->attributes.dtype;
    if (!check_bytes(call, from, to, typed)) {
        return false;
    }
    if (known && (info.rank != 1 || info.format == PTS_NZ)) {
        return call_refuse(call, PTS_VALUE_ERROR, 0xFC0002, "INVALID_VAL",
                           "unpack() takes an ND tensor with 1 axis, not %d", info.rank);
    }
    if (typed && !check_sizes(call, known ? &info : NULL, to)) {
        return false;
    }
    return known ? call_emit(call, PTS_OP_VIEW_TYPE, 1, call->arg, result)
                 : open_bytes(call, result);
}
