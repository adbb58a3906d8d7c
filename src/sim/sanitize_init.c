/* What holds no data: shadows of tensors as operations write, copy and read them. */
#include "model/error.h"
#include "model/op_table.h"
#include "sim/sanitize.h"

#include <string.h>

static bool looks_for(const Vm *vm, unsigned kind)
{
    return (vm->sanitizer->kinds & kind) != 0;
}

/* ---- shadows ---- */

/* The shadow of the value's memory, made where there is none. */
static Shadow *shadow_of(const RtValue *value, PtsSlot slot)
{
    RtBuffer *buffer = value->buffer;
    if (buffer->shadow == NULL) {
        Shadow *shadow = shadow_new(buffer->bytes);
        if (shadow == NULL) {
            return NULL;
        }
        shadow->slot = slot;
        shadow->dtype = value->tensor.dtype;
        shadow->rank = value->tensor.rank;
        memcpy(shadow->shape, value->tensor.shape, sizeof shadow->shape);
        buffer->shadow = shadow;
    }
    return buffer->shadow;
}

bool sanitize_has_undefined(const RtValue *value)
{
    return value->buffer->shadow != NULL && !ranges_is_empty(&value->buffer->shadow->undefined);
}

bool sanitize_declared(Vm *vm, PtsSlot slot, PtsError *error)
{
    const RtValue *value = &vm->slots[slot];
    if (!looks_for(vm, PTS_SANITIZE_INIT)) {
        return true;
    }
    PtsSlot declared = value->declared == PTS_SLOT_NONE ? slot : value->declared;
    Shadow *shadow = shadow_of(value, declared);
    bool good = shadow != NULL &&
                ranges_add(&shadow->undefined, 0, value->buffer->bytes, SHADOW_NEVER_WRITTEN);
    return good || pts_fail_memory(error);
}

/* The tag that never-written elements of a region get when an instruction reads them; that of
 * never-written ones when there are none. */
static bool cause_of_read(Vm *vm, const PtsInstruction *instruction, int operand,
                          const RtValue *from, const PtsTensor *region, uint32_t *tag)
{
    uint32_t tags[SANITIZE_TAGS];
    int count =
        sanitize_tags(from->buffer->shadow, region, region->valid, from->buffer->data, tags);
    *tag = SHADOW_NEVER_WRITTEN;
    for (int i = 0; i < count; i++) {
        if (tags[i] == SHADOW_NEVER_WRITTEN) {
            *tag = sanitize_cause(vm, instruction, operand, PTS_SANITIZE_INIT, from, region);
            return *tag != 0;
        }
    }
    return true;
}

/* ---- writing ---- */

/* Additions to never-written elements read them. */
static bool note_addition(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                          const PtsTensor *region)
{
    uint32_t tag;
    if (!cause_of_read(vm, instruction, 1, target, region, &tag)) {
        return false;
    }
    return tag == SHADOW_NEVER_WRITTEN ||
           shadow_retag(target->buffer->shadow, region, region->valid, target->buffer->data, tag);
}

bool sanitize_changed(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                      const PtsTensor *region, bool adds, uint32_t tag, PtsError *error)
{
    RtBuffer *buffer = target->buffer;
    if (tag != 0 && shadow_of(target, instruction->written) == NULL) {
        return pts_fail_memory(error);
    }
    Shadow *shadow = buffer->shadow;
    bool good = true;
    if (shadow != NULL) {
        good = adds ? note_addition(vm, instruction, target, region)
                    : shadow_define(shadow, region, region->valid, buffer->data);
        sanitize_note_last(shadow, instruction, region, buffer->data);
    }
    if (good && tag != 0) {
        good = shadow_undefine(shadow, region, region->valid, buffer->data, tag);
    }
    good = good && (!looks_for(vm, PTS_SANITIZE_INIT) ||
                    sanitize_note_output(vm, instruction, buffer, region));
    return good || pts_fail_memory(error);
}

bool sanitize_written(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                      const PtsTensor *region, PtsError *error)
{
    return sanitize_changed(vm, instruction, value, region, false, 0, error);
}

/* ---- copies ---- */

static bool copy_shadow(Vm *vm, const PtsInstruction *instruction, const RtValue *from,
                        const PtsTensor *region, const RtValue *to, const PtsTensor *target,
                        PtsSlot slot)
{
    ShadowCopy copy = {.from = from->buffer->shadow,
                       .from_base = from->buffer->data,
                       .to = shadow_of(to, slot),
                       .to_base = to->buffer->data};
    return copy.to != NULL && cause_of_read(vm, instruction, 0, from, region, &copy.tag) &&
           shadow_copy(&copy, region, region->valid, target, target->valid);
}

bool sanitize_init_assembled(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                             const RtValue *target, const PtsTensor *window, PtsError *error)
{
    PtsTensor region = rt_tensor(source);
    if (!sanitize_written(vm, instruction, target, window, error)) {
        return false;
    }
    if (!sanitize_has_undefined(source) ||
        !shadow_touches(source->buffer->shadow, &region, region.valid, source->buffer->data)) {
        return true;
    }
    PtsSlot root = pts_slot_root(vm->program, instruction->written);
    if (target->buffer->is_parameter) {
        return sanitize_tell(vm, instruction, 0, source, &region, pts_slot_name(vm->program, root),
                             error);
    }
    return copy_shadow(vm, instruction, source, &region, target, window, root) ||
           pts_fail_memory(error);
}

bool sanitize_init_copied(Vm *vm, const RtValue *from, const PtsTensor *region, RtValue *to,
                          const int64_t *to_extent, PtsError *error)
{
    if (from->buffer == to->buffer || !sanitize_has_undefined(from)) {
        return true;
    }
    const PtsInstruction *instruction = vm->at;
    PtsTensor target = rt_tensor(to);
    memcpy(target.valid, to_extent, sizeof target.valid);
    PtsSlot slot = instruction->result_count > 0 ? instruction->results[0].slot : PTS_SLOT_NONE;
    return copy_shadow(vm, instruction, from, region, to, &target, slot) || pts_fail_memory(error);
}

/* ---- padding that becomes data ---- */

/* Does the value describe the whole of memory that was made for it? Elsewhere there are other
 * data around its valid part. */
static bool owns_memory(const RtValue *value)
{
    int64_t count = 0;
    rt_element_count(value->tensor.rank, value->tensor.shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(value->tensor.dtype);
    return !value->buffer->is_parameter && value->origin == 0 && rt_is_dense(&value->tensor) &&
           bytes == value->buffer->bytes;
}

bool sanitize_exposed(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                      RtValue *result, PtsError *error)
{
    if (!looks_for(vm, PTS_SANITIZE_BOUNDS) || rt_is_fully_valid(&source->tensor) ||
        source->buffer != result->buffer || !owns_memory(source)) {
        return true;
    }
    PtsTensor tensor = rt_tensor(source);
    Shadow *shadow = shadow_of(result, instruction->operands[0].slot);
    Ranges all;
    ranges_init(&all, result->buffer->bytes);
    uint32_t cause = sanitize_cause(vm, instruction, 0, PTS_SANITIZE_BOUNDS, source, &tensor);
    bool good = shadow != NULL && cause != 0 && ranges_add(&all, 0, all.size, 0);
    Shadow padding = {.undefined = all};
    good = good && shadow_define(&padding, &tensor, tensor.valid, source->buffer->data);
    Range found;
    for (int64_t at = 0; good && ranges_find(&padding.undefined, at, all.size, &found);
         at = found.end) {
        good = ranges_add(&shadow->undefined, found.begin, found.end, cause);
    }
    ranges_free(&padding.undefined);
    return good || pts_fail_memory(error);
}

/* ---- indices ---- */

bool sanitize_is_index(PtsOp op, int operand)
{
    switch (op) {
    case PTS_OP_GATHER:
    case PTS_OP_INDEX_SELECT:
    case PTS_OP_SCATTER:
    case PTS_OP_SCATTER_UPDATE:
    case PTS_OP_INDEX_ADD_:
        return operand == 1;
    case PTS_OP_GATHER_IN_UB:
    case PTS_OP_GATHER_IN_L1:
        return operand == 1 || operand == 2;
    case PTS_OP_INDEX_PUT_:
        return operand >= 2;
    default:
        return false;
    }
}
