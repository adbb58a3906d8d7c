/* view, reshape and view_type: the same memory described anew, or a copy where that cannot be
 * (docs/kernel-authors/simulator.md, "What a tensor is"). */
#include "model/error.h"
#include "model/window.h"
#include "sim/sanitize.h"
#include "sim/vm_data.h"

#include <string.h>

int64_t vm_window_end(const PtsTensor *source, const int64_t *offset, const int64_t *extent)
{
    return pts_window_end(source->rank, offset, extent, source->stride);
}

/* Does the window lie inside the source? Then it shares the source's memory. */
static bool window_fits(const RtValue *source, const int64_t *offset, const int64_t *shape)
{
    const PtsTensor *tensor = &source->tensor;
    for (int i = 0; i < tensor->rank; i++) {
        if (offset[i] < 0 || shape[i] > tensor->shape[i] - offset[i]) {
            return false;
        }
    }
    return !source->is_borrowed ||
           vm_window_end(tensor, offset, shape) <= vm_memory_elements(source);
}

/* Valid data of a window must lie in the source's memory, and should lie inside the source. */
static bool check_window(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                         const VmResult *result, PtsError *error)
{
    PtsWindow window = {.rank = source->tensor.rank, .memory = vm_memory_elements(source)};
    for (int i = 0; i < window.rank; i++) {
        window.offset[i] = instruction->code->attributes.offsets[i];
        window.extent[i] =
            result->valid[i] < result->shape[i] ? result->valid[i] : result->shape[i];
        window.shape[i] = source->tensor.shape[i];
        window.stride[i] = source->tensor.stride[i];
    }
    int axis = 0;
    char text[256];
    PtsReach reach = pts_window_reach(&window, &axis);
    if (reach == PTS_REACH_INSIDE) {
        return true;
    }
    pts_view_text(&window, reach, axis, text, sizeof text);
    if (reach == PTS_REACH_BEYOND && !vm->strict) {
        pts_diagnose(vm->program, PTS_WARNING, 0xF74006, "view-extent", instruction->site, "%s",
                     text);
        return true;
    }
    return pts_fail(error, PTS_E_ADDRESS, "%s", text);
}

/* Puts what describes memory of `source` into the result's slot. */
static bool finish(Vm *vm, const PtsInstruction *instruction, const RtValue *source, RtValue value,
                   PtsError *error)
{
    if (vm->sanitizer != NULL && !sanitize_exposed(vm, instruction, source, &value, error)) {
        rt_value_release(&vm->pool, &value);
        return false;
    }
    vm_set(vm, instruction->results[0].slot, value);
    return true;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* A window that reaches over the edge: its valid part is copied; ops that address the memory
 * behind it (gather_in_ub …) still find the original. */
static bool copy_window(Vm *vm, RtValue *source, const int64_t *offset, const VmResult *result,
                        RtValue *view, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    if (!vm_new_for_copy(vm, from.dtype, from.rank, result->shape, result->valid, view, error)) {
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
    if (vm->sanitizer != NULL) {
        memcpy(start.valid, view->tensor.valid, sizeof start.valid);
        if (!sanitize_copied(vm, source, &start, view, view->tensor.valid, error)) {
            rt_value_release(&vm->pool, view);
            return false;
        }
    }
    RtBuffer *behind = source->behind != NULL ? source->behind : source->buffer;
    behind->references++;
    view->behind = behind;
    view->behind_origin = (source->behind != NULL ? source->behind_origin : source->origin) + bytes;
    memcpy(view->behind_stride, from.storage_stride, sizeof view->behind_stride);
    return true;
}

bool vm_run_view(Vm *vm, const PtsInstruction *instruction, PtsError *error)
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
    return finish(vm, instruction, source, view, error);
}

/* ---- reshape ---- */

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
    if (!vm_new_for_copy(vm, from.dtype, rank, result->shape, result->valid, reshaped, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(reshaped);
    rt_copy_flat(&from, source->tensor.valid, &to, reshaped->tensor.valid, count);
    if (vm->sanitizer != NULL &&
        !sanitize_copied(vm, source, &from, reshaped, reshaped->tensor.valid, error)) {
        rt_value_release(&vm->pool, reshaped);
        return false;
    }
    return true;
}

/* In place: a description of the memory, which the base may have to get first. */
static bool run_reshape_in_place(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot slot = instruction->results[0].slot;
    PtsSlot root = pts_slot_root(vm->program, slot);
    if (vm->slots[root].buffer == NULL && vm_write(vm, root, NULL, error) == NULL) {
        return false;
    }
    const RtValue *base = &vm->slots[root];
    const VmResult *result = &instruction->code->results[0];
    RtValue alias = {
        .buffer = base->buffer, .origin = base->origin, .is_borrowed = true, .races = base->races};
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
                     pts_slot_name(vm->program, root), (long long)have, (long long)want);
    }
    vm_set(vm, slot, alias);
    return true;
}

bool vm_run_reshape(Vm *vm, const PtsInstruction *instruction, PtsError *error)
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
        return pts_fail(error, PTS_E_INVALID,
                        "reshape: the element counts of source and target differ");
    }
    bool by_place = (rt_is_fully_valid(&source->tensor) && have == want) ||
                    (have != want && instruction->attributes->valid_rank == 0);
    RtValue reshaped;
    if (by_place) {
        if (!vm_make_dense(vm, source, &reshaped, error)) {
            return false;
        }
        relabel(&reshaped, source->tensor.dtype, rank, result);
    } else if (!reshape_compact(vm, source, rank, result, have < want ? have : want, &reshaped,
                                error)) {
        return false;
    }
    return finish(vm, instruction, source, reshaped, error);
}

bool vm_run_view_type(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    RtValue view;
    if (source == NULL || !vm_make_dense(vm, source, &view, error)) {
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
    return finish(vm, instruction, source, view, error);
}
