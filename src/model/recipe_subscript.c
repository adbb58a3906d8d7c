/* Recipes: subscripts of tensors, t[key] and t[key] = value, and moves. */
#include "model/recipe_call.h"

/* A subscript with an entry for each axis. */
typedef struct Key {
    PtsValue entries[PTS_MAX_RANK];
    int count, slices;
    bool known;    /* else it is open which entries are slices */
    bool all_full; /* every entry is `:` */
} Key;

static bool is_full(const PtsValue *entry)
{
    bool full = entry->kind == PTS_VALUE_SLICE;
    for (int i = 0; full && i < 3; i++) {
        full = entry->items[i].kind == PTS_VALUE_NONE;
    }
    return full;
}

/* t[dim : index] */
static bool is_gather(const PtsValue *key)
{
    return key->kind == PTS_VALUE_SLICE && key->items[1].kind == PTS_VALUE_TENSOR;
}

/* May the slice turn out to be a gather? */
static bool may_gather(const PtsValue *key)
{
    return key->kind == PTS_VALUE_SLICE && key->items[1].kind == PTS_VALUE_UNKNOWN;
}

static PtsValue full_slice(void)
{
    static const PtsValue none[3] = {
        {.kind = PTS_VALUE_NONE}, {.kind = PTS_VALUE_NONE}, {.kind = PTS_VALUE_NONE}};
    PtsValue value = pts_value(PTS_VALUE_SLICE);
    value.items = none;
    value.count = 3;
    return value;
}

static bool check_entry(PtsCall *call, Key *key, const PtsValue *entry)
{
    const char *type = pts_value_type(entry);
    key->slices += entry->kind == PTS_VALUE_SLICE;
    key->all_full = key->all_full && is_full(entry);
    if (entry->kind == PTS_VALUE_SLICE || call_is_integer(call, entry)) {
        return true;
    }
    key->known = key->known && type != NULL;
    return type == NULL ||
           call_refuse(call, PTS_E_TYPE,
                       "a tensor is indexed by integers, symbolic scalars and slices, not %s",
                       type);
}

/* Puts full slices in the place of an Ellipsis, or of axes left out at the end. */
static bool expand(PtsCall *call, const PtsValue *value, const PtsSlotInfo *info, Key *key)
{
    bool tuple = value->kind == PTS_VALUE_TUPLE;
    const PtsValue *entries = tuple ? value->items : value;
    uint32_t given = tuple ? value->count : 1, dots = 0;
    *key = (Key){.known = !value->is_open, .all_full = true};
    for (uint32_t i = 0; key->known && i < given; i++) {
        dots += entries[i].kind == PTS_VALUE_DOTS;
    }
    if (dots > 1) {
        return call_refuse(call, PTS_E_INDEX, "a subscript has at most one Ellipsis");
    }
    int missing = info->rank - (int)(given - dots);
    if (!key->known || value_is_open(value) || info->rank < 0) {
        key->known = false;
        return true;
    }
    if (missing < 0) {
        return call_refuse(call, PTS_E_INDEX,
                           "too many subscripts: the tensor has %d axes, there are %u", info->rank,
                           given - dots);
    }
    for (uint32_t i = 0; i <= given; i++) {
        bool here = i < given ? entries[i].kind == PTS_VALUE_DOTS : dots == 0;
        for (int k = 0; here && k < missing; k++) {
            key->entries[key->count++] = full_slice();
        }
        if (i < given && entries[i].kind != PTS_VALUE_DOTS) {
            key->entries[key->count++] = entries[i];
        }
    }
    for (int i = 0; i < key->count; i++) {
        if (!check_entry(call, key, &key->entries[i])) {
            return false;
        }
    }
    return true;
}

/* Negative integers count from the end of the axis. PTS_SYM_NONE: not known. */
static PtsSym from_start(PtsCall *call, const PtsValue *value, PtsSym length)
{
    PtsValue plain = call_plain(call, *value);
    PtsSym sym = call_sym(call, &plain);
    bool back = plain.kind == PTS_VALUE_INT && plain.integer < 0;
    return back ? call_binary(call, PTS_SYM_ADD, length, sym) : sym;
}

/* Checks the step and the bounds of a slice; clears `*known` when the step may be other than 1. */
static bool check_slice(PtsCall *call, const PtsValue *entry, bool *known)
{
    PtsValue step = call_plain(call, entry->items[2]);
    const char *type = pts_value_type(&step);
    bool is_one =
        step.kind == PTS_VALUE_NONE ||
        ((step.kind == PTS_VALUE_INT || step.kind == PTS_VALUE_BOOL) && step.integer == 1) ||
        (step.kind == PTS_VALUE_FLOAT && step.real == 1.0);
    bool is_open =
        type == NULL ||
        (step.kind == PTS_VALUE_SYM &&
         (step.sym == PTS_SYM_NONE || pts_sym_is_unknown(call->cook->context, step.sym)));
    *known = *known && is_one;
    if (!is_one && !is_open) {
        return call_refuse(call, PTS_E_VALUE, "the step of a slice must be 1");
    }
    for (int i = 0; i < 2; i++) {
        const PtsValue *bound = &entry->items[i];
        type = pts_value_type(bound);
        if (bound->kind != PTS_VALUE_NONE && type != NULL && !call_is_integer(call, bound)) {
            return call_refuse(call, PTS_E_TYPE,
                               "bounds of a slice are integers and symbolic scalars, not %s", type);
        }
    }
    return true;
}

/* Start and length of an entry; `*known` is false when they are not known. */
static bool take_bounds(PtsCall *call, const PtsValue *entry, PtsSym length, PtsSym *start,
                        PtsSym *extent, bool *known)
{
    if (entry->kind != PTS_VALUE_SLICE) {
        *start = from_start(call, entry, length);
        *extent = call_constant(call, 1);
    } else if (check_slice(call, entry, known)) {
        const PtsValue *first = &entry->items[0], *last = &entry->items[1];
        *start = first->kind == PTS_VALUE_NONE ? call_constant(call, 0)
                                               : from_start(call, first, length);
        PtsSym stop = last->kind == PTS_VALUE_NONE ? length : from_start(call, last, length);
        *extent = call_binary(call, PTS_SYM_SUB, stop, *start);
    } else {
        return false;
    }
    *known = *known && *start != PTS_SYM_NONE && *extent != PTS_SYM_NONE;
    return true;
}

/* --- reading */

static bool gather(PtsCall *call, PtsValue *result)
{
    const PtsValue *key = &call->arg[1];
    const PtsValue operands[] = {call->arg[0], key->items[1]};
    PtsSlotInfo table, index;
    PtsValue dim =
        key->items[0].kind == PTS_VALUE_NONE ? pts_value_int(0) : call_plain(call, key->items[0]);
    bool open = value_is_open(&dim) || dim.kind == PTS_VALUE_NUMBER;
    call->op = PTS_OP_GATHER;
    if ((dim.kind != PTS_VALUE_INT && !open) || key->items[2].kind != PTS_VALUE_NONE) {
        return call_refuse(call, PTS_E_TYPE, "t[dim : index] takes an integer as dim");
    }
    bool known = call_info(call, &operands[0], &table) && call_info(call, &operands[1], &index);
    bool same = known && table.rank == index.rank;
    call->attributes.has_dim = true;
    call->attributes.unknown = known && !open ? 0 : PTS_UNKNOWN_ALL;
    call->name = same ? "gather" : "index_select";
    return call_int(call, &dim, "dim", &call->attributes.dim, PTS_UNKNOWN_DIM) &&
           call_emit(call, same ? PTS_OP_GATHER : PTS_OP_INDEX_SELECT, 2, operands, result);
}

/* t[i, j]: a symbolic scalar that is known when the kernel runs. */
static bool read_element(PtsCall *call, const Key *key, const PtsSlotInfo *info, PtsValue *result)
{
    PtsSym index[PTS_MAX_RANK];
    for (int i = 0; i < key->count; i++) {
        index[i] = from_start(call, &key->entries[i], info->shape[i]);
        if (index[i] == PTS_SYM_NONE) {
            *result = pts_value_sym(PTS_SYM_NONE);
            return !call->cook->failed;
        }
    }
    PtsCook *cook = call->cook;
    return !cook->failed && cook->host->element(cook, &call->arg[0], key->count, index, result);
}

/* The extents of a window, which must be known; the offsets. */
static bool take_window(PtsCall *call, const Key *key, const PtsSlotInfo *info)
{
    const PtsContext *context = call->cook->context;
    PtsAttributes *attributes = &call->attributes;
    bool known = true;
    int64_t number;
    char text[256];
    for (int i = 0; i < key->count && known; i++) {
        PtsSym *extent = &attributes->shape[i];
        if (!take_bounds(call, &key->entries[i], info->shape[i], &attributes->offsets[i], extent,
                         &known)) {
            return false;
        }
        if (known && !pts_sym_value(context, *extent, &number) &&
            !pts_sym_is_unknown(context, *extent)) {
            PtsValue length = pts_value_sym(*extent);
            return call_refuse(call, PTS_E_VALUE,
                               "the length of a slice must be a known integer, but that of axis "
                               "%d is %s; use pypto.view with a fixed shape and valid_shape",
                               i, call_text(call, &length, text, sizeof text));
        }
    }
    attributes->shape_rank = attributes->offset_rank = key->count;
    attributes->unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return true;
}

static bool window(PtsCall *call, const Key *key, const PtsSlotInfo *info, PtsValue *result)
{
    PtsAttributes form = PTS_ATTRIBUTES;
    PtsSlotInfo part;
    if (!take_window(call, key, info) || !call_emit(call, PTS_OP_VIEW, 1, call->arg, result)) {
        return false;
    }
    if (key->slices == key->count) {
        return true;
    }
    const PtsValue operand = *result;
    bool known = call_info(call, result, &part);
    for (int i = 0; i < key->count; i++) {
        if (key->entries[i].kind == PTS_VALUE_SLICE) {
            form.shape[form.shape_rank++] = call->attributes.shape[i];
            form.valid[form.valid_rank++] = known ? part.valid[i] : PTS_SYM_NONE;
        }
    }
    call->attributes = form;
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return call_emit(call, PTS_OP_RESHAPE, 1, &operand, result);
}

bool recipe_get(PtsCall *call, PtsValue *result)
{
    const PtsValue *tensor = &call->arg[0], *value = &call->arg[1];
    PtsSlotInfo info = {.rank = -1};
    Key key;
    if (is_gather(value)) {
        return gather(call, result);
    }
    *result = *tensor;
    if (value->kind == PTS_VALUE_DOTS || is_full(value)) {
        return true;
    }
    call_info(call, tensor, &info);
    if (!expand(call, value, &info, &key)) {
        return false;
    }
    if (!key.known || may_gather(value)) {
        *result = pts_value(PTS_VALUE_UNKNOWN);
        return !call->cook->failed;
    }
    if (key.slices == 0 && key.count > 0) {
        return read_element(call, &key, &info, result);
    }
    return key.all_full || window(call, &key, &info, result);
}

/* --- writing */

bool recipe_move(PtsCall *call, PtsValue *result)
{
    (void)result;
    return call_move(call, &call->arg[0], &call->arg[1]);
}

static bool put_scattered(PtsCall *call)
{
    const PtsValue *key = &call->arg[1];
    const PtsValue operands[] = {call->arg[0], key->items[1], call->arg[2]};
    const PtsValue zero = pts_value_int(0);
    PtsValue made;
    call->name = "scatter";
    call->op = PTS_OP_SCATTER;
    call->attributes.has_dim = true;
    return call_int(call, key->items[0].kind == PTS_VALUE_NONE ? &zero : &key->items[0], "dim",
                    &call->attributes.dim, PTS_UNKNOWN_DIM) &&
           call_emit(call, PTS_OP_SCATTER, 3, operands, &made) &&
           call_move(call, &call->arg[0], &made);
}

static bool write_element(PtsCall *call, const Key *key, const PtsSlotInfo *info)
{
    const PtsValue *value = &call->arg[2];
    const PtsValue operands[] = {*value, call->arg[0]};
    const char *type = pts_value_type(value);
    PtsValue nothing;
    bool known = true;
    call->op = PTS_OP_COUNT; /* wrong kinds of values are refused */
    if (type != NULL && !call_is_integer(call, value)) {
        return call_refuse(call, PTS_E_TYPE,
                           "an element takes an integer or a symbolic scalar, not %s", type);
    }
    if (info->dtype != PTS_INT32 && info->dtype != PTS_BOTTOM) {
        return call_refuse(call, PTS_E_TYPE,
                           "only elements of DT_INT32 tensors can be written, not of DataType.%s",
                           pts_dtype_name(info->dtype));
    }
    for (int i = 0; i < key->count; i++) {
        PtsSym index = from_start(call, &key->entries[i], info->shape[i]);
        call->attributes.offsets[i] = index;
        known = known && index != PTS_SYM_NONE;
    }
    call->attributes.offset_rank = key->count;
    call->attributes.unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return call_emit(call, PTS_OP_ELEMENT_WRITE, 2, operands, &nothing);
}

/* Where a window starts; one with a stop only ends there. `extent`: of the assigned tensor. */
static PtsSym place_of(PtsCall *call, const PtsValue *entry, PtsSym length, const PtsSym *extent)
{
    if (entry->kind != PTS_VALUE_SLICE) {
        return from_start(call, entry, length);
    }
    if (entry->items[0].kind != PTS_VALUE_NONE) {
        return from_start(call, &entry->items[0], length);
    }
    if (entry->items[1].kind == PTS_VALUE_NONE || extent == NULL) {
        return call_constant(call, 0);
    }
    PtsSym stop = from_start(call, &entry->items[1], length);
    return call_binary(call, PTS_SYM_SUB, stop, *extent);
}

/* The window's offsets, and the value's form with an axis for each index. */
static bool take_place(PtsCall *call, const Key *key, const PtsSlotInfo *info,
                       const PtsSlotInfo *source, PtsAttributes *form)
{
    PtsAttributes *attributes = &call->attributes;
    bool known = true;
    int axis = 0;
    for (int i = 0; i < key->count; i++) {
        const PtsValue *entry = &key->entries[i];
        bool is_slice = entry->kind == PTS_VALUE_SLICE;
        bool has = is_slice && axis < source->rank;
        if (is_slice && !check_slice(call, entry, &known)) {
            return false;
        }
        attributes->offsets[i] =
            place_of(call, entry, info->shape[i], has ? &source->shape[axis] : NULL);
        known = known && attributes->offsets[i] != PTS_SYM_NONE;
        if (has || !is_slice) {
            form->shape[form->shape_rank++] = has ? source->shape[axis] : call_constant(call, 1);
            form->valid[form->valid_rank++] = has ? source->valid[axis] : call_constant(call, 1);
        }
        axis += is_slice;
    }
    attributes->offset_rank = key->count;
    attributes->unknown = known ? 0 : PTS_UNKNOWN_ALL;
    return true;
}

static bool assemble(PtsCall *call, const Key *key, const PtsSlotInfo *info)
{
    PtsValue operands[] = {call->arg[2], call->arg[0]}, nothing;
    PtsAttributes form = PTS_ATTRIBUTES;
    PtsSlotInfo source;
    if (!call_info(call, &operands[0], &source)) {
        call->attributes.unknown = PTS_UNKNOWN_ALL;
        return call_emit(call, PTS_OP_ASSEMBLE, 2, operands, &nothing);
    }
    if (source.rank != key->slices && key->slices != key->count) {
        return call_refuse(call, PTS_E_VALUE, "the slices span %d axes, the assigned tensor has %d",
                           key->slices, source.rank);
    }
    if (!take_place(call, key, info, &source, &form)) {
        return false;
    }
    if (key->slices != key->count && call->attributes.unknown == 0) {
        PtsAttributes place = call->attributes;
        call->attributes = form;
        if (!call_emit(call, PTS_OP_RESHAPE, 1, operands, &operands[0])) {
            return false;
        }
        call->attributes = place;
    }
    return call_emit(call, PTS_OP_ASSEMBLE, 2, operands, &nothing);
}

bool recipe_put(PtsCall *call, PtsValue *result)
{
    const PtsValue *tensor = &call->arg[0], *value = &call->arg[1], *source = &call->arg[2];
    PtsSlotInfo info = {.rank = -1};
    const char *type = pts_value_type(source);
    Key key;
    (void)result;
    if (is_gather(value)) {
        return put_scattered(call);
    }
    if (value->kind == PTS_VALUE_DOTS || is_full(value)) {
        return call_move(call, tensor, source);
    }
    call_info(call, tensor, &info);
    if (!expand(call, value, &info, &key)) {
        return false;
    }
    if (!key.known || may_gather(value) || source->kind == PTS_VALUE_UNKNOWN) {
        call->cook->host->lose(call->cook, tensor);
        return !call->cook->failed;
    }
    if (key.slices == 0 && source->kind != PTS_VALUE_TENSOR) {
        return write_element(call, &key, &info);
    }
    if (source->kind != PTS_VALUE_TENSOR) {
        call->op = PTS_OP_COUNT; /* wrong kinds of values are refused */
        return type == NULL ? (call->cook->host->lose(call->cook, tensor), true)
                            : call_refuse(call, PTS_E_TYPE,
                                          "only a tensor can be assigned to a slice of a tensor, "
                                          "not %s",
                                          type);
    }
    return assemble(call, &key, &info);
}
