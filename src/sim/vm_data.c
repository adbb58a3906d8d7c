/* Operations that move references or memory and compute nothing: view, reshape, move, assemble,
 * single elements, and writes through to a cache (docs/kernel-authors/simulator.md, "What a tensor
 * is"). */
#include "sim/error.h"
#include "sim/vm.h"

#include <string.h>

static bool is_parameter(const Vm *vm, PtsSlot slot)
{
    return slot < (PtsSlot)vm->program->parameter_count;
}

PtsSlot vm_root(const Vm *vm, PtsSlot slot)
{
    PtsSlot base = vm->program->slots[slot].base;
    return base == PTS_SLOT_NONE ? slot : base;
}

static RtValue *fail_unwritten(const Vm *vm, PtsSlot slot, PtsError *error)
{
    const PtsSlotRecord *record = &vm->program->slots[slot];
    pts_fail(error, PTS_CORE_ERROR, 0xF74007, "WORKSPACE_ITER_INVALID",
             "%s is read before anything was written to it (declared at %s:%d)",
             vm_slot_name(vm, slot), record->site.file == NULL ? "?" : record->site.file,
             record->site.line);
    return NULL;
}

static bool make_dense(Vm *vm, const RtValue *source, RtValue *dense, PtsError *error);

/* A reshape in place describes the memory that its base has now. */
static RtValue *refresh_alias(Vm *vm, PtsSlot slot, PtsError *error)
{
    PtsSlot root = vm_root(vm, slot);
    RtValue *value = &vm->slots[slot];
    RtValue *base = &vm->slots[root];
    if (base->buffer == NULL) {
        return fail_unwritten(vm, root, error);
    }
    if (base->tensor.dtype != value->tensor.dtype) {
        vm_fail_changed(vm, root, error);
        return NULL;
    }
    if (!rt_is_dense(&base->tensor)) {
        RtValue dense;
        if (!make_dense(vm, base, &dense, error)) {
            return NULL;
        }
        dense.declared = base->declared;
        vm_set(vm, root, dense);
    }
    value->buffer = base->buffer;
    value->origin = base->origin;
    return value;
}

RtValue *vm_read_window(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = &vm->slots[slot];
    if (value->buffer == NULL) {
        return fail_unwritten(vm, slot, error);
    }
    return value->is_borrowed ? refresh_alias(vm, slot, error) : value;
}

/* Elements that the value's memory has from its start on. */
static int64_t memory_elements(const RtValue *value)
{
    int64_t size = (int64_t)pts_dtype_bytes(value->tensor.dtype);
    return (value->buffer->bytes - value->origin) / (size > 0 ? size : 1);
}

RtValue *vm_read(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = vm_read_window(vm, slot, error);
    int64_t count = 0;
    if (value == NULL || !value->is_borrowed) {
        return value;
    }
    if (!rt_element_count(value->tensor.rank, value->tensor.shape, &count) ||
        count > memory_elements(value)) {
        pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                 "%s, reshaped in place, has %lld elements, its memory only %lld",
                 vm_slot_name(vm, slot), (long long)count, (long long)memory_elements(value));
        return NULL;
    }
    return value;
}

RtValue *vm_write(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = &vm->slots[slot];
    if (value->buffer != NULL) {
        return rt_value_make_unique(&vm->pool, value, error) ? value : NULL;
    }
    PtsSlot declared = value->declared == PTS_SLOT_NONE ? slot : value->declared;
    const PtsSlotRecord *record = &vm->program->slots[declared];
    int64_t shape[PTS_MAX_RANK];
    for (int i = 0; i < record->rank; i++) {
        if (!vm_evaluate(vm, record->shape[i], &shape[i], error)) {
            return NULL;
        }
    }
    if (!rt_value_new(&vm->pool, record->dtype, record->rank, shape, shape, true, value, error)) {
        return NULL;
    }
    value->declared = declared;
    return value;
}

void vm_set(Vm *vm, PtsSlot slot, RtValue value)
{
    RtValue old = vm->slots[slot];
    vm->slots[slot] = value;
    rt_value_release(&vm->pool, &old);
}

/* ---- view and reshape ---- */

/* The element behind the last one of a window, counted from the source's first. */
static int64_t window_end(const PtsTensor *source, const int64_t *offset, const int64_t *extent)
{
    int64_t last = 0;
    for (int i = 0; i < source->rank; i++) {
        int64_t step = 0;
        if (__builtin_mul_overflow(offset[i] + extent[i] - 1, source->stride[i], &step) ||
            __builtin_add_overflow(last, step, &last)) {
            return INT64_MAX;
        }
    }
    return last + 1;
}

/* Can the source's memory be shared, or does the window leave it? */
static bool window_fits(const RtValue *source, const int64_t *offset, const int64_t *shape)
{
    const PtsTensor *tensor = &source->tensor;
    for (int i = 0; i < tensor->rank; i++) {
        if (offset[i] < 0 || shape[i] > tensor->shape[i] - offset[i]) {
            return false;
        }
    }
    return !source->is_borrowed || window_end(tensor, offset, shape) <= memory_elements(source);
}

/* Valid data of a window must lie in the source's memory, and should lie inside the source. */
static bool check_window(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                         const VmResult *result, PtsError *error)
{
    const PtsTensor *tensor = &source->tensor;
    const int64_t *offset = instruction->code->attributes.offsets;
    int64_t extent[PTS_MAX_RANK] = {0};
    int64_t count;
    int outside = -1;
    for (int i = 0; i < tensor->rank; i++) {
        extent[i] = result->valid[i] < result->shape[i] ? result->valid[i] : result->shape[i];
    }
    if (rt_element_count(tensor->rank, extent, &count) && count == 0) {
        return true;
    }
    bool is_before = false;
    for (int i = 0; i < tensor->rank; i++) {
        is_before = is_before || offset[i] < 0;
        outside = offset[i] < 0 || extent[i] > tensor->shape[i] - offset[i] ? i : outside;
    }
    bool in_memory = !is_before && window_end(tensor, offset, extent) <= memory_elements(source);
    if (in_memory && outside < 0) {
        return true;
    }
    static const char text[] = "view: on axis %d the valid part, %lld elements from %lld on, "
                               "leaves the source, which has %lld elements there%s";
    int axis = outside < 0 ? 0 : outside;
    long long valid = (long long)extent[axis], from = (long long)offset[axis];
    long long have = (long long)tensor->shape[axis];
    if (in_memory && !vm->strict) {
        pts_diagnose(vm->program, PTS_WARNING, 0xF74006, "view-extent", instruction->site, text,
                     axis, valid, from, have, "; what lies behind it in memory is read");
        return true;
    }
    return pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE", text, axis, valid,
                    from, have, "");
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* A new value whose valid part is about to be copied. Only where something is left out of it the
 * memory is poisoned before. */
static bool new_for_copy(Vm *vm, PtsDtype dtype, int rank, const int64_t *shape,
                         const int64_t *valid, RtValue *value, PtsError *error)
{
    bool in_part = false;
    for (int i = 0; i < rank; i++) {
        in_part = in_part || valid[i] < shape[i];
    }
    return rt_value_new(&vm->pool, dtype, rank, shape, valid, in_part, value, error);
}

/* A window that reaches over the edge: its valid part is copied; ops that address the memory
 * behind it (gather_in_ub …) still find the original. */
static bool copy_window(Vm *vm, RtValue *source, const int64_t *offset, const VmResult *result,
                        RtValue *view, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    if (!new_for_copy(vm, from.dtype, from.rank, result->shape, result->valid, view, error)) {
        return false;
    }
    PtsTensor start = from;
    int64_t inside = 0;
    int64_t behind_inside = 0;
    int64_t count = 0;
    rt_element_count(from.rank, view->tensor.valid, &count);
    for (int i = 0; i < from.rank; i++) {
        /* An empty window may begin anywhere; one with data lies in memory (check_window). */
        int64_t last = from.shape[i] > 0 ? from.shape[i] - 1 : 0;
        int64_t at = count > 0 ? offset[i] : clamp(offset[i], 0, last);
        inside += at * from.stride[i];
        behind_inside += at * from.storage_stride[i];
    }
    int64_t bytes = behind_inside * (int64_t)pts_dtype_bytes(from.dtype);
    start.data = (char *)from.data + inside * (int64_t)pts_dtype_bytes(from.dtype);
    PtsTensor to = rt_tensor(view);
    rt_copy_region(&start, &to, view->tensor.valid);
    RtBuffer *behind = source->behind != NULL ? source->behind : source->buffer;
    behind->references++;
    view->behind = behind;
    view->behind_origin = (source->behind != NULL ? source->behind_origin : source->origin) + bytes;
    memcpy(view->behind_stride, from.storage_stride, sizeof view->behind_stride);
    return true;
}

static bool run_view(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read_window(vm, instruction->operands[0].slot, error);
    if (source == NULL) {
        return false;
    }
    const int64_t *offset = instruction->code->attributes.offsets;
    const VmResult *result = &instruction->code->results[0];
    const PtsResult *recorded = &instruction->results[0];
    if (source->tensor.rank != recorded->rank || source->tensor.dtype != recorded->dtype) {
        return vm_fail_changed(vm, instruction->operands[0].slot, error);
    }
    if (!check_window(vm, instruction, source, result, error)) {
        return false;
    }
    RtValue view;
    if (window_fits(source, offset, result->shape)) {
        view = rt_value_share(source);
        int64_t elements = 0;
        int64_t behind = 0;
        for (int i = 0; i < view.tensor.rank; i++) {
            elements += offset[i] * view.tensor.stride[i];
            behind += offset[i] * view.behind_stride[i];
            view.tensor.shape[i] = result->shape[i];
            view.tensor.valid[i] = clamp(result->valid[i], 0, result->shape[i]);
        }
        int64_t size = (int64_t)pts_dtype_bytes(view.tensor.dtype);
        view.origin += elements * size;
        view.behind_origin += behind * size;
    } else if (!copy_window(vm, source, offset, result, &view, error)) {
        return false;
    }
    view.declared = PTS_SLOT_NONE;
    vm_set(vm, instruction->results[0].slot, view);
    return true;
}

/* A dense value with the same elements at the same places. */
static bool make_dense(Vm *vm, const RtValue *source, RtValue *dense, PtsError *error)
{
    if (rt_is_dense(&source->tensor)) {
        *dense = rt_value_share(source);
        return true;
    }
    const PtsTensor from = rt_tensor(source);
    if (!new_for_copy(vm, from.dtype, from.rank, from.shape, from.valid, dense, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(dense);
    rt_copy_region(&from, &to, dense->tensor.valid);
    return true;
}

/* Gives a dense value another shape (and dtype) over the same memory. */
static void relabel(RtValue *value, PtsDtype dtype, int rank, const VmResult *result)
{
    PtsTensor *tensor = &value->tensor;
    tensor->dtype = dtype;
    tensor->rank = rank;
    for (int i = 0; i < rank; i++) {
        tensor->shape[i] = result->shape[i];
        tensor->valid[i] = clamp(result->valid[i], 0, result->shape[i]);
    }
    rt_dense_strides(rank, tensor->shape, tensor->stride);
    value->declared = PTS_SLOT_NONE;
}

/* The valid elements, read in row-major order, become the valid elements of the result. */
static bool reshape_compact(Vm *vm, const RtValue *source, int rank, const VmResult *result,
                            int64_t count, RtValue *reshaped, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    if (!new_for_copy(vm, from.dtype, rank, result->shape, result->valid, reshaped, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(reshaped);
    rt_copy_flat(&from, source->tensor.valid, &to, reshaped->tensor.valid, count);
    return true;
}

/* In place: a description of the memory, which the base may have to get first. */
static bool run_reshape_in_place(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot slot = instruction->results[0].slot;
    PtsSlot root = vm_root(vm, slot);
    if (vm->slots[root].buffer == NULL && vm_write(vm, root, error) == NULL) {
        return false;
    }
    const RtValue *base = &vm->slots[root];
    const VmResult *result = &instruction->code->results[0];
    RtValue alias = {.buffer = base->buffer, .origin = base->origin, .is_borrowed = true};
    int64_t have = 0;
    int64_t want = 0;
    alias.tensor.dtype = base->tensor.dtype;
    relabel(&alias, instruction->results[0].dtype, instruction->results[0].rank, result);
    rt_element_count(base->tensor.rank, base->tensor.shape, &have);
    rt_element_count(alias.tensor.rank, result->shape, &want);
    if (base->tensor.dtype != instruction->results[0].dtype) {
        return vm_fail_changed(vm, root, error);
    }
    if (have != want) {
        pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0, "reshape-count",
                     instruction->site,
                     "reshape in place of %s: it has %lld elements, the target %lld; both begin at "
                     "the same address",
                     vm_slot_name(vm, root), (long long)have, (long long)want);
    }
    vm_set(vm, slot, alias);
    return true;
}

static bool run_reshape(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    if (vm->program->slots[instruction->results[0].slot].base != PTS_SLOT_NONE) {
        return run_reshape_in_place(vm, instruction, error);
    }
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    if (source == NULL) {
        return false;
    }
    if (source->tensor.dtype != instruction->results[0].dtype) {
        return vm_fail_changed(vm, instruction->operands[0].slot, error);
    }
    VmResult *result = &instruction->code->results[0];
    int rank = instruction->results[0].rank;
    for (int i = 0; i < rank; i++) { /* an extent larger than the shape counts as the shape */
        result->valid[i] = clamp(result->valid[i], 0, result->shape[i]);
    }
    int64_t have;
    int64_t want;
    int64_t all_have;
    int64_t all_want;
    if (!rt_element_count(source->tensor.rank, source->tensor.valid, &have) ||
        !rt_element_count(rank, result->valid, &want) ||
        !rt_element_count(source->tensor.rank, source->tensor.shape, &all_have) ||
        !rt_element_count(rank, result->shape, &all_want) || all_have != all_want) {
        return pts_fail(error, PTS_CORE_ERROR, 0xF21003, "INVALID_VAL",
                        "reshape: the element counts of source and target differ");
    }
    bool by_place = (rt_is_fully_valid(&source->tensor) && have == want) ||
                    (have != want && instruction->attributes->valid_rank == 0);
    RtValue reshaped;
    if (by_place) {
        if (!make_dense(vm, source, &reshaped, error)) {
            return false;
        }
        relabel(&reshaped, source->tensor.dtype, rank, result);
    } else if (!reshape_compact(vm, source, rank, result, have < want ? have : want, &reshaped,
                                error)) {
        return false;
    }
    vm_set(vm, instruction->results[0].slot, reshaped);
    return true;
}

static bool run_view_type(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    RtValue view;
    if (source == NULL || !make_dense(vm, source, &view, error)) {
        return false;
    }
    const PtsResult *result = &instruction->results[0];
    const PtsTensor from = rt_tensor(&view);
    int64_t have = 0;
    int64_t want = 0;
    if (!rt_element_count(from.rank, from.shape, &have) ||
        !rt_element_count(result->rank, instruction->code->results[0].shape, &want) ||
        have * (int64_t)pts_dtype_bytes(from.dtype) !=
            want * (int64_t)pts_dtype_bytes(result->dtype)) {
        rt_value_release(&vm->pool, &view);
        return vm_fail_changed(vm, instruction->operands[0].slot, error);
    }
    relabel(&view, result->dtype, result->rank, &instruction->code->results[0]);
    vm_set(vm, result->slot, view);
    return true;
}

/* ---- writing through ---- */

/* The region, which lies in the value's memory, was written. */
static void mark_written(const Vm *vm, const RtValue *value, const PtsTensor *region)
{
    const RtBuffer *memory = value->buffer;
    if (memory->is_parameter) {
        pts_mark_written(vm_written(vm, memory, memory->data), memory->data, region);
    }
}

/* Before the caller's memory of a parameter is written: who still views it keeps what it sees. */
static bool claim_parameter(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtBuffer *memory = vm->parameters[slot];
    RtValue *value = &vm->slots[slot];
    bool is_bound = value->buffer == memory && value->origin == 0;
    if (memory->references == (is_bound ? 2U : 1U)) {
        return true;
    }
    RtBuffer *own = rt_buffer_leave_memory(&vm->pool, memory, error);
    if (own == NULL) {
        return false;
    }
    vm->parameters[slot] = own;
    if (is_bound) {
        value->buffer = own;
        own->references++;
        rt_buffer_release(&vm->pool, memory);
    }
    rt_buffer_release(&vm->pool, memory); /* the run's own reference */
    return true;
}

static bool find_poison(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    const PtsTensor whole = rt_tensor(&vm->slots[slot]);
    written = written != NULL ? written : &whole;
    if (!rt_has_poison(written, written->valid)) {
        return true;
    }
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0xF74007,
                 "undefined-output", instruction->site,
                 "%s received elements that no operation has written: a valid_shape is missing, "
                 "or a tensor was read in part before it was written whole",
                 vm_slot_name(vm, slot));
    return !vm->strict ||
           pts_fail(error, PTS_CORE_ERROR, 0xF74007, "WORKSPACE_ITER_INVALID",
                    "%s received elements that no operation has written", vm_slot_name(vm, slot));
}

/* A value of another shape than the parameter's: its leading part arrives. */
static bool copy_leading_part(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue dense;
    if (!claim_parameter(vm, slot, error) || !make_dense(vm, &vm->slots[slot], &dense, error)) {
        return false;
    }
    int64_t count = 0;
    rt_element_count(dense.tensor.rank, dense.tensor.shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(dense.tensor.dtype);
    int64_t room = vm->parameters[slot]->bytes;
    bytes = bytes < room ? bytes : room;
    if (bytes > 0) {
        RtBuffer *memory = vm->parameters[slot];
        unsigned char *map = vm_written(vm, memory, memory->data);
        memcpy(memory->data, dense.buffer->data + dense.origin, (size_t)bytes);
        if (map != NULL) {
            memset(map, 1, (size_t)bytes);
        }
    }
    rt_value_release(&vm->pool, &dense);
    return true;
}

bool vm_flush_parameter(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    slot = vm_root(vm, slot);
    if (!is_parameter(vm, slot) || vm->slots[slot].buffer == NULL) {
        return true;
    }
    if (!find_poison(vm, instruction, slot, written, error)) {
        return false;
    }
    const RtValue *value = &vm->slots[slot];
    bool is_bound = value->buffer == vm->parameters[slot] && value->origin == 0;
    return is_bound || copy_leading_part(vm, slot, error);
}

static bool same_extents(const PtsTensor *tensor, const PtsArgument *argument)
{
    if (tensor->rank != argument->rank || tensor->dtype != argument->dtype) {
        return false;
    }
    return memcmp(tensor->shape, argument->shape, (size_t)tensor->rank * sizeof(int64_t)) == 0;
}

/* Copies a value of the parameter's own shape into its memory and leaves the slot bound to it. */
static bool move_into_parameter(Vm *vm, PtsSlot slot, const RtValue *source, PtsError *error)
{
    RtValue from_value = rt_value_share(source);
    vm_set(vm, slot, (RtValue){.declared = PTS_SLOT_NONE});
    bool in_place = from_value.buffer == vm->parameters[slot] && from_value.origin == 0 &&
                    rt_is_dense(&from_value.tensor);
    if (!in_place && !claim_parameter(vm, slot, error)) {
        rt_value_release(&vm->pool, &from_value);
        return false;
    }
    RtValue own = {
        .buffer = vm->parameters[slot], .tensor = from_value.tensor, .declared = PTS_SLOT_NONE};
    own.buffer->references++;
    rt_dense_strides(own.tensor.rank, own.tensor.shape, own.tensor.stride);
    if (!in_place) {
        PtsTensor from = rt_tensor(&from_value);
        PtsTensor to = rt_tensor(&own);
        rt_copy_region(&from, &to, own.tensor.valid);
    }
    rt_value_release(&vm->pool, &from_value);
    vm_set(vm, slot, own);
    const PtsTensor written = rt_tensor(&own);
    mark_written(vm, &own, &written);
    return true;
}

/* A parameter receives a value of another shape or dtype than its own. The product allows it; more
 * often than not it is a slip. */
static bool tell_other_form(Vm *vm, const PtsInstruction *instruction, const PtsTensor *value,
                            PtsError *error)
{
    static const char text[] = "%s gets a value of another shape or data type (%d axes of %s) than "
                               "its own: its memory receives the leading bytes as they are";
    const char *name = vm_slot_name(vm, instruction->written);
    const char *dtype = pts_dtype_name(value->dtype);
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0, "output-form",
                 instruction->site, text, name, value->rank, dtype);
    return !vm->strict || pts_fail(error, PTS_VALUE_ERROR, 0xF00002, "INVALID_VAL", text, name,
                                   value->rank, dtype);
}

static RtValue *write_target(Vm *vm, PtsSlot slot, PtsError *error);

/* The memory that a reshape in place describes receives the value; the description is the
 * value's from now on. */
static bool move_into_alias(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                            PtsError *error)
{
    PtsSlot slot = instruction->written;
    RtValue dense;
    if (!make_dense(vm, source, &dense, error)) {
        return false;
    }
    RtValue *target = write_target(vm, slot, error);
    bool ok = target != NULL;
    if (ok && target->tensor.dtype != dense.tensor.dtype) {
        ok = vm_fail_changed(vm, slot, error);
    }
    if (ok) {
        int64_t count = 0;
        rt_element_count(dense.tensor.rank, dense.tensor.shape, &count);
        int64_t size = (int64_t)pts_dtype_bytes(dense.tensor.dtype);
        int64_t room = memory_elements(target);
        bool fits = count <= room;
        if (!fits) {
            pts_diagnose(vm->program, PTS_WARNING, 0, "output-form", instruction->site,
                         "%s gets a value larger than its memory: the leading part arrives",
                         vm_slot_name(vm, slot));
        }
        memmove(target->buffer->data + target->origin, dense.buffer->data + dense.origin,
                (size_t)((fits ? count : room) * size));
        target->tensor = dense.tensor;
        PtsTensor written = rt_tensor(target);
        ok = vm_flush_parameter(vm, instruction, slot, fits ? &written : NULL, error);
    }
    rt_value_release(&vm->pool, &dense);
    return ok;
}

static bool run_move(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot from = instruction->operands[0].slot;
    PtsSlot to = instruction->written;
    const RtValue *source = &vm->slots[from];
    if (source->is_borrowed && vm_read(vm, from, error) == NULL) {
        return false;
    }
    if (vm_root(vm, to) != to && from != to && source->buffer != NULL) {
        return move_into_alias(vm, instruction, source, error);
    }
    if (source->buffer == NULL && vm->program->slots[from].is_result) {
        fail_unwritten(vm, from, error); /* of a loop or path that did not run */
        return false;
    }
    if (source->buffer == NULL) { /* an unwritten tensor: the target becomes one, too */
        PtsSlot declared = source->declared == PTS_SLOT_NONE ? from : source->declared;
        vm_set(vm, to, (RtValue){.declared = declared});
        return true;
    }
    if (from == to) {
        return true;
    }
    if (is_parameter(vm, to) && same_extents(&source->tensor, &vm->arguments[to])) {
        return move_into_parameter(vm, to, source, error) &&
               vm_flush_parameter(vm, instruction, to, NULL, error);
    }
    if (is_parameter(vm, to) && !tell_other_form(vm, instruction, &source->tensor, error)) {
        return false;
    }
    RtValue value = rt_value_share(source);
    value.declared = to;
    /* Views share what scatter_update changes; a tensor that was moved has a value of its own. */
    if (vm->program->writes_through && !rt_value_make_unique(&vm->pool, &value, error)) {
        rt_value_release(&vm->pool, &value);
        return false;
    }
    vm_set(vm, to, value);
    return vm_flush_parameter(vm, instruction, to, NULL, error);
}

/* The value that an op writes in part, alone with its memory. */
static RtValue *write_root(Vm *vm, PtsSlot slot, PtsError *error)
{
    if (is_parameter(vm, slot) && vm->slots[slot].buffer == vm->parameters[slot]) {
        return claim_parameter(vm, slot, error) ? &vm->slots[slot] : NULL;
    }
    return vm_write(vm, slot, error);
}

static RtValue *write_target(Vm *vm, PtsSlot slot, PtsError *error)
{
    PtsSlot root = vm_root(vm, slot);
    if (root == slot) {
        return write_root(vm, slot, error);
    }
    if (vm->slots[slot].buffer == NULL) { /* its reshape did not run */
        return fail_unwritten(vm, slot, error);
    }
    return write_root(vm, root, error) == NULL ? NULL : refresh_alias(vm, slot, error);
}

static bool run_assemble(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot slot = instruction->written;
    if (vm_read(vm, instruction->operands[0].slot, error) == NULL) {
        return false;
    }
    RtValue source = rt_value_share(&vm->slots[instruction->operands[0].slot]);
    RtValue *target = write_target(vm, slot, error);
    bool ok = target != NULL;
    if (ok && (source.tensor.rank != target->tensor.rank ||
               source.tensor.dtype != target->tensor.dtype)) {
        ok = vm_fail_changed(vm, slot, error);
    }
    const int64_t *offset = instruction->code->attributes.offsets;
    int64_t inside = 0;
    int64_t count = 0;
    if (ok) {
        rt_element_count(source.tensor.rank, source.tensor.valid, &count);
    }
    for (int i = 0; ok && count > 0 && i < source.tensor.rank; i++) {
        if (offset[i] < 0 || source.tensor.valid[i] > target->tensor.shape[i] - offset[i]) {
            ok = pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                          "assemble: on axis %d the window, %lld elements from %lld on, leaves "
                          "%s, which has %lld elements",
                          i, (long long)source.tensor.valid[i], (long long)offset[i],
                          vm_slot_name(vm, slot), (long long)target->tensor.shape[i]);
        } else {
            inside += offset[i] * target->tensor.stride[i];
        }
    }
    if (ok && count > 0 && target->is_borrowed &&
        window_end(&target->tensor, offset, source.tensor.valid) > memory_elements(target)) {
        ok = pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                      "assemble: the window leaves the memory of %s", vm_slot_name(vm, slot));
    }
    PtsTensor to = {.rank = 0}; /* the window, once it is written */
    if (ok && count > 0) {
        PtsTensor from = rt_tensor(&source);
        to = rt_tensor(target);
        to.data = (char *)to.data + inside * (int64_t)pts_dtype_bytes(to.dtype);
        rt_copy_region(&from, &to, source.tensor.valid);
        memcpy(to.valid, source.tensor.valid, sizeof to.valid);
        mark_written(vm, target, &to);
        vm->stats.bytes += 2 * count * (int64_t)pts_dtype_bytes(to.dtype);
    }
    rt_value_release(&vm->pool, &source);
    return ok && vm_flush_parameter(vm, instruction, slot, &to, error);
}

/* ---- single elements ---- */

static bool run_element_write(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    const PtsOperand *operand = &instruction->operands[0];
    int64_t number = operand->element.integer;
    if (operand->kind == PTS_OPERAND_SYM && !vm_evaluate(vm, operand->sym, &number, error)) {
        return false;
    }
    RtValue *target = write_target(vm, instruction->written, error);
    int64_t bytes;
    if (target == NULL) {
        return false;
    }
    PtsTensor tensor = rt_tensor(target);
    if (tensor.rank != instruction->code->attributes.offset_rank || tensor.dtype != PTS_INT32) {
        return vm_fail_changed(vm, instruction->written, error);
    }
    if (!vm_element_offset(&tensor, instruction->code->attributes.offsets, "element write", &bytes,
                           error)) {
        return false;
    }
    PtsTensor element = {.rank = 1, .dtype = tensor.dtype, .shape = {1}, .valid = {1}};
    element.data = (char *)tensor.data + bytes;
    element.stride[0] = 1;
    pts_store_integer(element.data, tensor.dtype, number);
    mark_written(vm, target, &element);
    static const PtsTensor no_poison = {.rank = 0}; /* a number is data, whatever its bits */
    return vm_flush_parameter(vm, instruction, instruction->written, &no_poison, error);
}

typedef bool (*DataOp)(Vm *vm, const PtsInstruction *instruction, PtsError *error);

static const DataOp data_ops[PTS_OP_COUNT] = {
    [PTS_OP_VIEW] = run_view,
    [PTS_OP_VIEW_TYPE] = run_view_type,
    [PTS_OP_RESHAPE] = run_reshape,
    [PTS_OP_UNSQUEEZE] = run_reshape,
    [PTS_OP_MOVE] = run_move,
    [PTS_OP_ASSEMBLE] = run_assemble,
    [PTS_OP_ELEMENT_WRITE] = run_element_write,
};

bool vm_is_data_op(PtsOp op)
{
    return (unsigned)op < PTS_OP_COUNT && data_ops[op] != NULL;
}

bool vm_run_data_op(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    return data_ops[instruction->op](vm, instruction, error);
}
