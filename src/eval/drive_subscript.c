/* Subscripts of tensors of a kernel that is being recorded: windows, elements, assignment. */
#include "eval/drive.h"

/* One entry of a subscript: an index, or a slice with its bounds. */
typedef struct Entry {
    bool is_slice, has_start, has_stop, has_step;
    Value index, start, stop;
} Entry;

typedef struct Key {
    Entry entries[PTS_MAX_RANK];
    int count;
    bool known;   /* the form is; values may be unknown */
    bool gathers; /* t[dim : tensor] */
    bool whole;   /* t[:], t[...] */
} Key;

static bool is_dots(Eval *eval, NodeId node)
{
    return node_is(eval->module, node, NODE_CONSTANT) &&
           eval_node(eval, node)->op == CONSTANT_ELLIPSIS;
}

static Entry read_entry(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Entry entry = {.is_slice = node_is(module, node, NODE_SLICE)};
    if (!entry.is_slice) {
        entry.index = drive_plain(eval, eval_expression(eval, node));
        return entry;
    }
    NodeId start = node_child(module, node, ROLE_LOWER),
           stop = node_child(module, node, ROLE_UPPER);
    entry.has_start = start != NO_NODE;
    entry.has_stop = stop != NO_NODE;
    entry.start = entry.has_start ? drive_plain(eval, eval_expression(eval, start)) : value_none();
    entry.stop = entry.has_stop ? drive_plain(eval, eval_expression(eval, stop)) : value_none();
    for (int i = 0; i < 2; i++) {
        Value bound = i == 0 ? entry.start : entry.stop;
        if (bound.kind == VALUE_FLOAT || bound.kind == VALUE_STR) {
            drive_check_integer(eval, bound, "bounds of a slice are integers and symbolic scalars");
        }
    }
    NodeId step = node_child(module, node, ROLE_STEP);
    Value stride = step == NO_NODE ? value_none() : drive_plain(eval, eval_expression(eval, step));
    if (stride.kind == VALUE_INT && stride.as.integer != 1) {
        drive_refuse(eval, EVAL_WINDOW, PTS_VALUE_ERROR, 0xF00002, "the step of a slice must be 1");
    }
    entry.has_step = step != NO_NODE && stride.kind != VALUE_NONE &&
                     !(stride.kind == VALUE_INT && stride.as.integer == 1);
    entry.has_start = entry.has_start && entry.start.kind != VALUE_NONE;
    entry.has_stop = entry.has_stop && entry.stop.kind != VALUE_NONE;
    return entry;
}

/* The subscript with an entry for each axis of a tensor of `rank` axes (-1: not known). */
static Key read_key(Eval *eval, NodeId index, int rank)
{
    const Module *module = eval->module;
    Key key = {.known = true};
    bool tuple = node_is(module, index, NODE_TUPLE);
    int dots = -1, given = 0;
    Entry entries[PTS_MAX_RANK + 1];
    for (NodeId item = tuple ? node_first(module, index) : index; item != NO_NODE;
         item = tuple ? node_sibling(module, item) : NO_NODE) {
        if (node_is(module, item, NODE_STARRED) || given > PTS_MAX_RANK) {
            key.known = false;
            return key;
        }
        if (is_dots(eval, item)) {
            key.known = key.known && dots < 0;
            dots = given;
            continue;
        }
        entries[given++] = read_entry(eval, item);
    }
    if (!tuple && given == 1 && entries[0].is_slice && entries[0].stop.kind == VALUE_TENSOR) {
        key.gathers = true;
        key.entries[0] = entries[0];
        return key;
    }
    bool only = !tuple && given == 1 && entries[0].is_slice && !entries[0].has_start &&
                !entries[0].has_stop && !entries[0].has_step;
    key.whole = only || (given == 0 && dots == 0);
    int missing = rank - given;
    if (rank >= 0 && missing < 0) {
        drive_refuse(eval, EVAL_WINDOW, PTS_INDEX_ERROR, 0xF00008,
                     "too many subscripts: the tensor has %d axes, there are %d", rank, given);
    }
    bool gathers_maybe = !tuple && given == 1 && entries[0].is_slice && entries[0].has_stop &&
                         entries[0].stop.kind == VALUE_UNKNOWN;
    if (gathers_maybe || rank < 0 || missing < 0 ||
        (!tuple && given == 1 && !entries[0].is_slice && !drive_is_integer(entries[0].index))) {
        key.known = false; /* an index that is not known may be a tuple */
        return key;
    }
    int at = 0, place = dots < 0 ? given : dots;
    for (int i = 0; i <= given && at < rank; i++) {
        for (int k = 0; i == place && k < missing; k++) {
            key.entries[at++] = (Entry){.is_slice = true};
        }
        if (i < given) {
            key.entries[at++] = entries[i];
        }
    }
    key.count = at;
    return key;
}

static PtsSym from_start(Eval *eval, Value value, PtsSym length)
{
    PtsError error;
    PtsSym sym = drive_sym_or_new(eval, value);
    if (value.kind == VALUE_INT && value.as.integer < 0) {
        return pts_sym_binary(eval->drive->context, PTS_SYM_ADD, length, sym, &error);
    }
    return sym;
}

static PtsSym constant(Eval *eval, int64_t value)
{
    PtsError error;
    return pts_sym_constant(eval->drive->context, value, &error);
}

static Value gather(Eval *eval, Value owner, const Entry *entry)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo table, index;
    const Value operands[] = {owner, entry->stop};
    Value dim = entry->has_start ? entry->start : value_int(0);
    bool known = drive_info(eval, owner, &table) && drive_info(eval, entry->stop, &index) &&
                 dim.kind == VALUE_INT && !entry->has_step;
    attributes.dim = known ? (int)dim.as.integer : 0;
    attributes.has_dim = true;
    PtsOp op = known && table.rank == index.rank ? PTS_OP_GATHER : PTS_OP_INDEX_SELECT;
    return drive_emit(eval, op, 2, operands, known ? &attributes : NULL);
}

static Value read_element(Eval *eval, Value owner, const Key *key, const PtsSlotInfo *info)
{
    PtsSym index[PTS_MAX_RANK];
    PtsError error;
    for (int i = 0; i < key->count; i++) {
        index[i] = from_start(eval, key->entries[i].index, info->shape[i]);
        if (index[i] == PTS_SYM_NONE) {
            return drive_symbol_value(eval, PTS_SYM_NONE);
        }
    }
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    PtsSite site = {eval->drive->file, (int)node_line(eval->module, eval->drive->node)};
    PtsSym sym =
        pts_element_read(eval->drive->program, owner.handle - 1, key->count, index, site, &error);
    if (sym == PTS_SYM_NONE) {
        drive_refused(eval, EVAL_WINDOW, &error);
    }
    return drive_symbol_value(eval, sym);
}

/* Start and length of an entry; false when it is not known. */
static bool bounds_of(Eval *eval, const Entry *entry, PtsSym length, PtsSym *start, PtsSym *extent)
{
    PtsError error;
    if (!entry->is_slice) {
        *start = from_start(eval, entry->index, length);
        *extent = constant(eval, 1);
        return *start != PTS_SYM_NONE;
    }
    *start = entry->has_start ? from_start(eval, entry->start, length) : constant(eval, 0);
    PtsSym stop = entry->has_stop ? from_start(eval, entry->stop, length) : length;
    if (*start == PTS_SYM_NONE || stop == PTS_SYM_NONE || entry->has_step) {
        return false;
    }
    *extent = pts_sym_binary(eval->drive->context, PTS_SYM_SUB, stop, *start, &error);
    return *extent != PTS_SYM_NONE;
}

static bool is_full(const Entry *entry)
{
    return entry->is_slice && !entry->has_start && !entry->has_stop && !entry->has_step;
}

static Value window(Eval *eval, Value owner, const Key *key, const PtsSlotInfo *info)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsAttributes form = PTS_ATTRIBUTES;
    bool known = true;
    for (int i = 0; i < key->count && known; i++) {
        const Entry *entry = &key->entries[i];
        int64_t length;
        known =
            bounds_of(eval, entry, info->shape[i], &attributes.offsets[i], &attributes.shape[i]);
        if (known && !pts_sym_value(eval->drive->context, attributes.shape[i], &length) &&
            !pts_sym_is_unknown(eval->drive->context, attributes.shape[i])) {
            drive_refuse(eval, EVAL_WINDOW, PTS_VALUE_ERROR, 0xF00002,
                         "the length of a slice must be a known integer, but that of axis %d is "
                         "not; use pypto.view with a fixed shape and valid_shape",
                         i);
            return value_tensor();
        }
    }
    attributes.shape_rank = attributes.offset_rank = key->count;
    Value result = drive_emit(eval, PTS_OP_VIEW, 1, &owner, known ? &attributes : NULL);
    PtsSlotInfo part;
    bool slot = drive_info(eval, result, &part);
    for (int i = 0; i < key->count; i++) {
        if (key->entries[i].is_slice) {
            form.shape[form.shape_rank++] = attributes.shape[i];
            form.valid[form.valid_rank++] = slot ? part.valid[i] : PTS_SYM_NONE;
        }
    }
    if (form.shape_rank == key->count || eval->stopped) {
        return result;
    }
    return drive_emit(eval, PTS_OP_RESHAPE, 1, &result, slot ? &form : NULL);
}

Value drive_item(Eval *eval, NodeId node, Value owner)
{
    PtsSlotInfo info = {.rank = -1};
    NodeId index = node_child(eval->module, node, ROLE_SLICE);
    drive_info(eval, owner, &info);
    Key key = read_key(eval, index, info.rank);
    eval->drive->node = node;
    if (eval->stopped) {
        return value_unknown();
    }
    if (key.gathers) {
        return gather(eval, owner, &key.entries[0]);
    }
    if (key.whole) {
        return owner;
    }
    if (!key.known) {
        eval->drive->carried = true;
        return value_unknown();
    }
    bool any_slice = false, all_full = true;
    for (int i = 0; i < key.count; i++) {
        any_slice = any_slice || key.entries[i].is_slice;
        all_full = all_full && is_full(&key.entries[i]);
        if (!key.entries[i].is_slice && !drive_is_integer(key.entries[i].index)) {
            eval->drive->carried = true;
            return value_unknown();
        }
    }
    if (!any_slice) {
        return read_element(eval, owner, &key, &info);
    }
    return all_full ? owner : window(eval, owner, &key, &info);
}

/* --- assignment */

static void write_element(Eval *eval, Value owner, const Key *key, const PtsSlotInfo *info,
                          Value value)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    const Value operands[] = {value, owner};
    bool known = value.kind == VALUE_INT || value.kind == VALUE_SYMBOL;
    for (int i = 0; i < key->count; i++) {
        attributes.offsets[i] = from_start(eval, key->entries[i].index, info->shape[i]);
        known = known && attributes.offsets[i] != PTS_SYM_NONE;
    }
    attributes.offset_rank = key->count;
    if (value.kind == VALUE_FLOAT ||
        (info->dtype != PTS_INT32 && info->dtype != PTS_BOTTOM && known)) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     value.kind == VALUE_FLOAT
                         ? "an element takes an integer or a symbolic scalar, not float"
                         : "only elements of DT_INT32 tensors can be written");
        return;
    }
    drive_emit(eval, PTS_OP_ELEMENT_WRITE, 2, operands, known ? &attributes : NULL);
}

/* Where a window starts; one with a stop only ends there. */
static PtsSym place_of(Eval *eval, const Entry *entry, PtsSym length, const PtsSym *extent)
{
    PtsError error;
    if (!entry->is_slice) {
        return from_start(eval, entry->index, length);
    }
    if (entry->has_start) {
        return from_start(eval, entry->start, length);
    }
    if (!entry->has_stop || extent == NULL) {
        return constant(eval, 0);
    }
    PtsSym stop = from_start(eval, entry->stop, length);
    return stop == PTS_SYM_NONE
               ? stop
               : pts_sym_binary(eval->drive->context, PTS_SYM_SUB, stop, *extent, &error);
}

static void assemble(Eval *eval, Value owner, const Key *key, const PtsSlotInfo *info, Value value)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsAttributes form = PTS_ATTRIBUTES;
    PtsSlotInfo source;
    bool known = drive_info(eval, value, &source);
    int slices = 0, axis = 0;
    for (int i = 0; i < key->count; i++) {
        slices += key->entries[i].is_slice;
    }
    if (known && source.rank != slices && slices != key->count) {
        drive_refuse(eval, EVAL_WINDOW, PTS_VALUE_ERROR, 0xF00002,
                     "the slices span %d axes, the assigned tensor has %d", slices, source.rank);
        return;
    }
    for (int i = 0; known && i < key->count; i++) {
        const Entry *entry = &key->entries[i];
        bool has = entry->is_slice && axis < source.rank;
        attributes.offsets[i] =
            place_of(eval, entry, info->shape[i], has ? &source.shape[axis] : NULL);
        known = attributes.offsets[i] != PTS_SYM_NONE && !entry->has_step;
        form.shape[i] = has ? source.shape[axis] : constant(eval, 1);
        form.valid[i] = has ? source.valid[axis] : constant(eval, 1);
        axis += entry->is_slice;
    }
    attributes.offset_rank = key->count;
    form.shape_rank = form.valid_rank = key->count;
    if (known && slices != key->count) {
        value = drive_emit(eval, PTS_OP_RESHAPE, 1, &value, &form);
    }
    const Value operands[] = {value, owner};
    if (!eval->stopped) {
        drive_emit(eval, PTS_OP_ASSEMBLE, 2, operands, known ? &attributes : NULL);
    }
}

static void put_scattered(Eval *eval, Value owner, const Entry *entry, Value value)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    const Value operands[] = {owner, entry->stop, value};
    Value dim = entry->has_start ? entry->start : value_int(0);
    attributes.dim = dim.kind == VALUE_INT ? (int)dim.as.integer : 0;
    attributes.has_dim = true;
    Value made =
        drive_emit(eval, PTS_OP_SCATTER, 3, operands, dim.kind == VALUE_INT ? &attributes : NULL);
    drive_move(eval, owner, made);
}

void drive_put(Eval *eval, NodeId target, Value owner, Value value)
{
    PtsSlotInfo info = {.rank = -1};
    NodeId index = node_child(eval->module, target, ROLE_SLICE);
    bool slot = drive_info(eval, owner, &info);
    Key key = read_key(eval, index, info.rank);
    eval->drive->node = node_statement(eval->module, target);
    if (eval->stopped) {
        return;
    }
    if (key.gathers) {
        put_scattered(eval, owner, &key.entries[0], value);
        return;
    }
    if (key.whole) {
        drive_move(eval, owner, value);
        return;
    }
    bool any_slice = false, integers = true;
    for (int i = 0; i < key.count; i++) {
        any_slice = any_slice || key.entries[i].is_slice;
        integers = integers && (key.entries[i].is_slice || drive_is_integer(key.entries[i].index));
    }
    if (!key.known || !slot || !integers || value.kind == VALUE_UNKNOWN) {
        drive_lose(eval, owner);
    } else if (!any_slice && value.kind != VALUE_TENSOR) {
        write_element(eval, owner, &key, &info, drive_plain(eval, value));
    } else if (value.kind != VALUE_TENSOR) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     "only a tensor can be assigned to a slice of a tensor");
    } else {
        assemble(eval, owner, &key, &info, value);
    }
}
