/* What slots hold: reading and writing them, reshapes in place, and parameters, whose memory is the
 * caller's. */
#include "model/error.h"
#include "sim/sanitize.h"
#include "sim/vm_data.h"

bool vm_is_parameter(const Vm *vm, PtsSlot slot)
{
    return slot < (PtsSlot)vm->program->parameter_count;
}

RtValue *vm_fail_unwritten(const Vm *vm, PtsSlot slot, PtsError *error)
{
    const PtsSlotRecord *record = &vm->program->slots[slot];
    pts_fail(error, PTS_E_UNWRITTEN,
             "%s is read before anything was written to it (declared at %s:%d)",
             pts_slot_name(vm->program, slot), record->site.file == NULL ? "?" : record->site.file,
             record->site.line);
    return NULL;
}

int64_t vm_memory_elements(const RtValue *value)
{
    int64_t size = (int64_t)pts_dtype_bytes(value->tensor.dtype);
    return (value->buffer->bytes - value->origin) / (size > 0 ? size : 1);
}

void vm_set(Vm *vm, PtsSlot slot, RtValue value)
{
    RtValue old = vm->slots[slot];
    vm->slots[slot] = value;
    rt_value_release(&vm->pool, &old);
}

bool vm_new_for_copy(Vm *vm, PtsDtype dtype, int rank, const int64_t *shape, const int64_t *valid,
                     RtValue *value, PtsError *error)
{
    bool in_part = false;
    for (int i = 0; i < rank; i++) {
        in_part = in_part || valid[i] < shape[i];
    }
    return rt_value_new(&vm->pool, dtype, rank, shape, valid, in_part, value, error);
}

bool vm_make_dense(Vm *vm, const RtValue *source, RtValue *dense, PtsError *error)
{
    if (rt_is_dense(&source->tensor)) {
        *dense = rt_value_share(source);
        return true;
    }
    const PtsTensor from = rt_tensor(source);
    if (!vm_new_for_copy(vm, from.dtype, from.rank, from.shape, from.valid, dense, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(dense);
    rt_copy_region(&from, &to, dense->tensor.valid);
    if (vm->sanitizer != NULL &&
        !sanitize_copied(vm, source, &from, dense, dense->tensor.valid, error)) {
        rt_value_release(&vm->pool, dense);
        return false;
    }
    return true;
}

/* ---- reading ---- */

/* A reshape in place describes the memory that its base has now. */
static RtValue *refresh_alias(Vm *vm, PtsSlot slot, PtsError *error)
{
    PtsSlot root = pts_slot_root(vm->program, slot);
    RtValue *value = &vm->slots[slot];
    RtValue *base = &vm->slots[root];
    if (base->buffer == NULL) {
        return vm_fail_unwritten(vm, root, error);
    }
    if (base->tensor.dtype != value->tensor.dtype) {
        vm_fail_changed(vm, root, error);
        return NULL;
    }
    if (!rt_is_dense(&base->tensor)) {
        RtValue dense;
        if (!vm_make_dense(vm, base, &dense, error)) {
            return NULL;
        }
        dense.declared = base->declared;
        vm_set(vm, root, dense);
    }
    value->buffer = base->buffer;
    value->origin = base->origin;
    value->races = base->races;
    return value;
}

RtValue *vm_read_window(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = &vm->slots[slot];
    if (value->buffer == NULL) {
        return vm_fail_unwritten(vm, slot, error);
    }
    return value->is_borrowed ? refresh_alias(vm, slot, error) : value;
}

RtValue *vm_read(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = vm_read_window(vm, slot, error);
    int64_t count = 0;
    if (value == NULL || !value->is_borrowed) {
        return value;
    }
    if (!rt_element_count(value->tensor.rank, value->tensor.shape, &count) ||
        count > vm_memory_elements(value)) {
        pts_fail(error, PTS_E_ADDRESS,
                 "%s, reshaped in place, has %lld elements, its memory only %lld",
                 pts_slot_name(vm->program, slot), (long long)count,
                 (long long)vm_memory_elements(value));
        return NULL;
    }
    return value;
}

/* ---- writing ---- */

/* Is all of a tensor of this shape about to be written? */
static bool covers(const PtsTensor *region, int rank, const int64_t *shape)
{
    bool same = region != NULL && region->rank == rank;
    for (int i = 0; i < rank && same; i++) {
        same = region->valid[i] == shape[i];
    }
    return same;
}

RtValue *vm_write(Vm *vm, PtsSlot slot, const PtsTensor *region, PtsError *error)
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
    bool poison = !covers(region, record->rank, shape);
    if (!rt_value_new(&vm->pool, record->dtype, record->rank, shape, shape, poison, value, error)) {
        return NULL;
    }
    value->declared = declared;
    return vm->sanitizer == NULL || sanitize_declared(vm, slot, error) ? value : NULL;
}

bool vm_claim_parameter(Vm *vm, PtsSlot slot, PtsError *error)
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

/* The value that an op writes in part, alone with its memory. */
static RtValue *write_root(Vm *vm, PtsSlot slot, const PtsTensor *region, PtsError *error)
{
    if (vm_is_parameter(vm, slot) && vm->slots[slot].buffer == vm->parameters[slot]) {
        return vm_claim_parameter(vm, slot, error) ? &vm->slots[slot] : NULL;
    }
    RtValue *value = vm_write(vm, slot, region, error);
    if (value != NULL && vm->sanitizer != NULL) {
        sanitize_bind(vm, slot);
    }
    return value;
}

RtValue *vm_write_target(Vm *vm, PtsSlot slot, const PtsTensor *region, PtsError *error)
{
    PtsSlot root = pts_slot_root(vm->program, slot);
    if (root == slot) {
        return write_root(vm, slot, region, error);
    }
    if (vm->slots[slot].buffer == NULL) { /* its reshape did not run */
        return vm_fail_unwritten(vm, slot, error);
    }
    return write_root(vm, root, NULL, error) == NULL ? NULL : refresh_alias(vm, slot, error);
}
