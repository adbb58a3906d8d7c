/* Operations that write into tensors and compute nothing: move, assemble, single elements; and the
 * table of all that the interpreter does without a kernel. */
#include "sim/vm_data.h"
#include "model/error.h"
#include "model/window.h"
#include "sim/sanitize.h"

#include <string.h>

/* The region, which lies in the value's memory, was written. */
static void mark_written(const Vm *vm, const RtValue *value, const PtsTensor *region)
{
    const RtBuffer *memory = value->buffer;
    if (memory->is_parameter) {
        pts_mark_written(vm_written(vm, memory, memory->data), memory->data, region);
    }
}

static bool find_poison(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    const PtsTensor whole = rt_tensor(&vm->slots[slot]);
    written = written != NULL ? written : &whole;
    if (vm->is_twin || !rt_has_poison(written, written->valid) ||
        sanitize_has_told(vm, instruction)) {
        return true;
    }
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0xF74007,
                 "undefined-output", instruction->site,
                 "%s received elements that no operation has written: a valid_shape is missing, "
                 "or a tensor was read in part before it was written whole",
                 pts_slot_name(vm->program, slot));
    return !vm->strict ||
           pts_fail(error, PTS_E_UNWRITTEN, "%s received elements that no operation has written",
                    pts_slot_name(vm->program, slot));
}

/* A value of another shape than the parameter's: its leading part arrives. */
static bool copy_leading_part(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue dense;
    if (!vm_claim_parameter(vm, slot, error) ||
        !vm_make_dense(vm, &vm->slots[slot], &dense, error)) {
        return false;
    }
    int64_t count = 0;
    rt_element_count(dense.tensor.rank, dense.tensor.shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(dense.tensor.dtype);
    int64_t room = vm->parameters[slot]->bytes;
    bytes = bytes < room ? bytes : room;
    bool good = true;
    if (bytes > 0) {
        RtBuffer *memory = vm->parameters[slot];
        unsigned char *map = vm_written(vm, memory, memory->data);
        memcpy(memory->data, dense.buffer->data + dense.origin, (size_t)bytes);
        if (map != NULL) {
            memset(map, 1, (size_t)bytes);
        }
        good = vm->sanitizer == NULL || sanitize_leading(vm, slot, bytes, error);
    }
    rt_value_release(&vm->pool, &dense);
    return good;
}

bool vm_flush_parameter(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    slot = pts_slot_root(vm->program, slot);
    if (!vm_is_parameter(vm, slot) || vm->slots[slot].buffer == NULL) {
        return true;
    }
    if (!find_poison(vm, instruction, slot, written, error)) {
        return false;
    }
    const RtValue *value = &vm->slots[slot];
    bool is_bound = value->buffer == vm->parameters[slot] && value->origin == 0;
    return is_bound || copy_leading_part(vm, slot, error);
}

/* ---- move ---- */

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
    if (!in_place && !vm_claim_parameter(vm, slot, error)) {
        rt_value_release(&vm->pool, &from_value);
        return false;
    }
    RtValue own = {
        .buffer = vm->parameters[slot], .tensor = from_value.tensor, .declared = PTS_SLOT_NONE};
    own.buffer->references++;
    rt_dense_strides(own.tensor.rank, own.tensor.shape, own.tensor.stride);
    bool good = true;
    if (!in_place) {
        PtsTensor from = rt_tensor(&from_value);
        PtsTensor to = rt_tensor(&own);
        good = vm->sanitizer == NULL || sanitize_overwrites(vm, slot, &own, &to, &from, error);
        rt_copy_region(&from, &to, own.tensor.valid);
    }
    rt_value_release(&vm->pool, &from_value);
    vm_set(vm, slot, own);
    const PtsTensor written = rt_tensor(&own);
    mark_written(vm, &own, &written);
    if (good && vm->sanitizer != NULL) {
        sanitize_bind(vm, slot);
        good = sanitize_written(vm, vm->at, &own, &written, error);
    }
    return good;
}

/* A parameter receives a value of another shape or dtype than its own. The product allows it; more
 * often than not it is a slip. */
static bool tell_other_form(Vm *vm, const PtsInstruction *instruction, const PtsTensor *value,
                            PtsError *error)
{
    static const char text[] = "%s gets a value of another shape or data type (%d axes of %s) than "
                               "its own: its memory receives the leading bytes as they are";
    const char *name = pts_slot_name(vm->program, instruction->written);
    const char *dtype = pts_dtype_name(value->dtype);
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0, "output-form",
                 instruction->site, text, name, value->rank, dtype);
    return !vm->strict || pts_fail(error, PTS_E_VALUE, text, name, value->rank, dtype);
}

/* The memory that a reshape in place describes receives the value; the description is the
 * value's from now on. */
static bool move_into_alias(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                            PtsError *error)
{
    PtsSlot slot = instruction->written;
    RtValue dense;
    if (!vm_make_dense(vm, source, &dense, error)) {
        return false;
    }
    RtValue *target = vm_write_target(vm, slot, NULL, error);
    bool ok = target != NULL;
    if (ok && target->tensor.dtype != dense.tensor.dtype) {
        ok = vm_fail_changed(vm, slot, error);
    }
    if (ok) {
        int64_t count = 0;
        rt_element_count(dense.tensor.rank, dense.tensor.shape, &count);
        int64_t size = (int64_t)pts_dtype_bytes(dense.tensor.dtype);
        int64_t room = vm_memory_elements(target);
        bool fits = count <= room;
        if (!fits) {
            pts_diagnose(vm->program, PTS_WARNING, 0, "output-form", instruction->site,
                         "%s gets a value larger than its memory: the leading part arrives",
                         pts_slot_name(vm->program, slot));
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
    if (pts_slot_root(vm->program, to) != to && from != to && source->buffer != NULL) {
        return move_into_alias(vm, instruction, source, error);
    }
    if (source->buffer == NULL && vm->program->slots[from].is_result) {
        vm_fail_unwritten(vm, from, error); /* of a loop or path that did not run */
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
    if (vm->sanitizer != NULL && !sanitize_moved(vm, instruction, source, error)) {
        return false;
    }
    if (vm_is_parameter(vm, to) && same_extents(&source->tensor, &vm->arguments[to])) {
        return move_into_parameter(vm, to, source, error) &&
               vm_flush_parameter(vm, instruction, to, NULL, error);
    }
    if (vm_is_parameter(vm, to) && !tell_other_form(vm, instruction, &source->tensor, error)) {
        return false;
    }
    RtValue value = rt_value_share(source);
    value.declared = to;
    value.races = NULL;
    /* Views share what scatter_update changes; a tensor that was moved has a value of its own. */
    if (vm->program->writes_through && !rt_value_make_unique(&vm->pool, &value, error)) {
        rt_value_release(&vm->pool, &value);
        return false;
    }
    vm_set(vm, to, value);
    return vm_flush_parameter(vm, instruction, to, NULL, error);
}

/* ---- assemble ---- */

/* The window must lie inside the target; `inside`: its distance from the target's start, in
 * elements. */
static bool check_window(const Vm *vm, PtsSlot slot, const RtValue *target, const int64_t *offset,
                         const int64_t *extent, int64_t *inside, PtsError *error)
{
    const PtsTensor *tensor = &target->tensor;
    *inside = 0;
    for (int i = 0; i < tensor->rank; i++) {
        if (offset[i] < 0 || extent[i] > tensor->shape[i] - offset[i]) {
            PtsWindow window = {.rank = tensor->rank};
            memcpy(window.offset, offset, (size_t)tensor->rank * sizeof *offset);
            memcpy(window.extent, extent, (size_t)tensor->rank * sizeof *extent);
            memcpy(window.shape, tensor->shape, sizeof window.shape);
            char text[256];
            pts_assemble_text(&window, i, pts_slot_name(vm->program, slot), text, sizeof text);
            return pts_fail(error, PTS_E_ADDRESS, "%s", text);
        }
        *inside += offset[i] * tensor->stride[i];
    }
    if (target->is_borrowed && vm_window_end(tensor, offset, extent) > vm_memory_elements(target)) {
        return pts_fail(error, PTS_E_ADDRESS, "assemble: the window leaves the memory of %s",
                        pts_slot_name(vm->program, slot));
    }
    return true;
}

/* Writes the valid part of `source`, at least one element; `window` becomes what was written. */
static bool write_window(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                         const RtValue *target, PtsTensor *window, PtsError *error)
{
    int64_t inside = 0;
    const PtsTensor from = rt_tensor(source);
    if (!check_window(vm, instruction->written, target, instruction->code->attributes.offsets,
                      from.valid, &inside, error)) {
        return false;
    }
    *window = rt_tensor(target);
    window->data = (char *)window->data + inside * (int64_t)pts_dtype_bytes(window->dtype);
    memcpy(window->valid, from.valid, sizeof window->valid);
    if (vm->sanitizer != NULL &&
        !sanitize_assembled(vm, instruction, source, target, window, error)) {
        return false;
    }
    rt_copy_region(&from, window, from.valid);
    mark_written(vm, target, window);
    return true;
}

static bool run_assemble(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot slot = instruction->written;
    if (vm_read(vm, instruction->operands[0].slot, error) == NULL) {
        return false;
    }
    RtValue source = rt_value_share(&vm->slots[instruction->operands[0].slot]);
    const RtValue *target = vm_write_target(vm, slot, &source.tensor, error);
    PtsTensor window = {.rank = 0}; /* nothing is written */
    int64_t count = 0;
    rt_element_count(source.tensor.rank, source.tensor.valid, &count);
    bool ok = target != NULL;
    if (ok && (source.tensor.rank != target->tensor.rank ||
               source.tensor.dtype != target->tensor.dtype)) {
        ok = vm_fail_changed(vm, slot, error);
    }
    if (ok && count > 0) {
        ok = write_window(vm, instruction, &source, target, &window, error);
        vm->stats.bytes += 2 * count * (int64_t)pts_dtype_bytes(source.tensor.dtype);
    }
    rt_value_release(&vm->pool, &source);
    return ok && vm_flush_parameter(vm, instruction, slot, &window, error);
}

/* ---- single elements ---- */

static bool run_element_write(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    const PtsOperand *operand = &instruction->operands[0];
    int64_t number = operand->element.integer;
    if (operand->kind == PTS_OPERAND_SYM && !vm_evaluate(vm, operand->sym, &number, error)) {
        return false;
    }
    RtValue *target = vm_write_target(vm, instruction->written, NULL, error);
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
    if (vm->sanitizer != NULL && !sanitize_set_element(vm, instruction, target, &element, error)) {
        return false;
    }
    static const PtsTensor no_poison = {.rank = 0}; /* a number is data, whatever its bits */
    return vm_flush_parameter(vm, instruction, instruction->written, &no_poison, error);
}

/* ---- the table ---- */

static VmDataOp *const data_ops[PTS_OP_COUNT] = {
    [PTS_OP_VIEW] = vm_run_view,
    [PTS_OP_VIEW_TYPE] = vm_run_view_type,
    [PTS_OP_RESHAPE] = vm_run_reshape,
    [PTS_OP_UNSQUEEZE] = vm_run_reshape,
    [PTS_OP_MOVE] = run_move,
    [PTS_OP_ASSEMBLE] = run_assemble,
    [PTS_OP_ELEMENT_WRITE] = run_element_write,
    [PTS_OP_SAVE] = vm_run_save,
};

bool vm_is_data_op(PtsOp op)
{
    return (unsigned)op < PTS_OP_COUNT && data_ops[op] != NULL;
}

bool vm_run_data_op(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    return data_ops[instruction->op](vm, instruction, error);
}
