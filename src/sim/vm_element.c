/* Single elements: where they are in a tensor, reading them into a symbol, and
 * their bytes in the caller's map of what was written. */
#include "model/error.h"
#include "sim/sanitize.h"

bool vm_fail_changed(const Vm *vm, PtsSlot slot, PtsError *error)
{
    return pts_fail(error, PTS_E_CHANGED,
                    "the shape or data type of %s depends on the path: it is not what it was when "
                    "this operation was recorded",
                    pts_slot_name(vm->program, slot));
}

unsigned char *vm_written(const Vm *vm, const RtBuffer *memory, const void *at)
{
    for (int i = 0; memory->is_parameter && i < vm->program->parameter_count; i++) {
        if (vm->parameters[i] == memory && vm->arguments[i].written != NULL) {
            return vm->arguments[i].written + ((const char *)at - memory->data);
        }
    }
    return NULL;
}

bool vm_element_offset(const PtsTensor *tensor, const int64_t *index, const char *what,
                       int64_t *bytes, PtsError *error)
{
    int64_t elements = 0;
    for (int i = 0; i < tensor->rank; i++) {
        if (index[i] < 0 || index[i] >= tensor->shape[i]) {
            return pts_fail(error, PTS_E_ADDRESS,
                            "%s: index %lld on axis %d of a tensor with %lld elements there", what,
                            (long long)index[i], i, (long long)tensor->shape[i]);
        }
        elements += index[i] * tensor->stride[i];
    }
    *bytes = elements * (int64_t)pts_dtype_bytes(tensor->dtype);
    return true;
}

bool vm_run_read(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *value = vm_read(vm, instruction->operands[0].slot, error);
    int64_t bytes = 0;
    if (value == NULL) {
        return false;
    }
    PtsTensor tensor = rt_tensor(value);
    if (tensor.rank != instruction->code->attributes.offset_rank) {
        return vm_fail_changed(vm, instruction->operands[0].slot, error);
    }
    const int64_t *index = instruction->code->attributes.offsets;
    if (!vm_element_offset(&tensor, index, "element read", &bytes, error)) {
        return false;
    }
    for (int i = 0; i < tensor.rank; i++) {
        if (index[i] >= tensor.valid[i]) {
            pts_diagnose(vm->program, PTS_WARNING, 0, "undefined-element", instruction->site,
                         "an element outside the valid part of %s is read",
                         pts_slot_name(vm->program, instruction->operands[0].slot));
            break;
        }
    }
    if (vm->sanitizer != NULL) {
        PtsTensor element = {.rank = 1, .dtype = tensor.dtype, .shape = {1}, .valid = {1}};
        element.data = (char *)tensor.data + bytes;
        element.stride[0] = 1;
        if (!sanitize_element(vm, instruction, value, &element, error)) {
            return false;
        }
    }
    vm->values.of_atom[instruction->atom] =
        pts_load_integer((char *)tensor.data + bytes, tensor.dtype);
    return true;
}
