/* What the interpreter tells the sanitizer, given to the parts that it concerns. */
#include "model/error.h"
#include "sim/sanitize_races.h"

#include <string.h>

/* ---- loops and instructions ---- */

bool sanitize_enter_loop(Vm *vm, PtsError *error)
{
    return vm->sanitizer->races == NULL || races_enter(vm, error);
}

void sanitize_turn(Vm *vm)
{
    if (vm->sanitizer->races != NULL) {
        races_turn(vm);
    }
}

void sanitize_leave_loop(Vm *vm)
{
    if (vm->sanitizer->races != NULL) {
        races_leave(vm);
    }
}

bool sanitize_use(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    return vm->sanitizer->races == NULL || races_use(vm, instruction, error);
}

void sanitize_bind(Vm *vm, PtsSlot slot)
{
    if (vm->sanitizer->races != NULL) {
        races_bind(vm, slot);
    }
}

bool sanitize_has_told(const Vm *vm, const PtsInstruction *instruction)
{
    return vm->sanitizer != NULL && vm->sanitizer->told_at == instruction;
}

/* ---- reads and writes ---- */

static bool note_read(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                      const PtsTensor *region, PtsError *error)
{
    return vm->sanitizer->races == NULL || value->races == NULL ||
           races_read(vm, instruction, value, region, error);
}

static bool note_write(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                       AccessKind kind, const PtsTensor *region, const PtsTensor *from,
                       PtsError *error)
{
    return vm->sanitizer->races == NULL || target->races == NULL ||
           races_write(vm, instruction, target, kind, region, from, error);
}

bool sanitize_assembled(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                        const RtValue *target, const PtsTensor *window, PtsError *error)
{
    PtsTensor from = rt_tensor(source);
    return note_read(vm, instruction, source, &from, error) &&
           note_write(vm, instruction, target, ACCESS_WRITE, window, &from, error) &&
           sanitize_init_assembled(vm, instruction, source, target, window, error);
}

bool sanitize_copied(Vm *vm, const RtValue *from, const PtsTensor *region, RtValue *to,
                     const int64_t *to_extent, PtsError *error)
{
    /* A window that only stands for the memory behind it is not read itself. */
    bool is_read = vm->sanitizer->races != NULL && !vm->sanitizer->races->facts->uses_memory;
    return (!is_read || note_read(vm, vm->at, from, region, error)) &&
           sanitize_init_copied(vm, from, region, to, to_extent, error);
}

bool sanitize_element(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                      const PtsTensor *element, PtsError *error)
{
    return note_read(vm, instruction, value, element, error) &&
           (!sanitize_has_undefined(value) ||
            sanitize_tell(vm, instruction, 0, value, element, NULL, error));
}

bool sanitize_set_element(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                          const PtsTensor *element, PtsError *error)
{
    return note_write(vm, instruction, target, ACCESS_WRITE, element, NULL, error) &&
           sanitize_written(vm, instruction, target, element, error);
}

bool sanitize_moved(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                    PtsError *error)
{
    PtsSlot root = pts_slot_root(vm->program, instruction->written);
    bool is_parameter = root < (PtsSlot)vm->program->parameter_count;
    PtsTensor region = rt_tensor(value);
    if (!note_read(vm, instruction, value, &region, error) ||
        (vm->sanitizer->races != NULL && !is_parameter &&
         !races_move(vm, instruction, value, error))) {
        return false;
    }
    return !is_parameter || !sanitize_has_undefined(value) ||
           sanitize_tell(vm, instruction, 0, value, &region, pts_slot_name(vm->program, root),
                         error);
}

bool sanitize_overwrites(Vm *vm, PtsSlot slot, const RtValue *memory, const PtsTensor *to,
                         const PtsTensor *from, PtsError *error)
{
    RtValue target = *memory; /* which the slot does not hold yet */
    if (vm->sanitizer->races == NULL) {
        return true;
    }
    target.races = races_of(vm->sanitizer->races, slot);
    return target.races == NULL ? pts_fail_memory(error)
                                : races_write(vm, vm->at, &target, ACCESS_WRITE, to, from, error);
}

bool sanitize_leading(Vm *vm, PtsSlot slot, int64_t bytes, PtsError *error)
{
    const RtBuffer *memory = vm->parameters[slot];
    PtsTensor region = {.data = memory->data,
                        .dtype = PTS_UINT8,
                        .rank = 1,
                        .shape = {bytes},
                        .valid = {bytes},
                        .stride = {1}};
    return sanitize_note_output(vm, vm->at, memory, &region) || pts_fail_memory(error);
}

/* ---- operations that change memory which others see ---- */

void sanitize_touch(void *context, const PtsTensor *region)
{
    Touch *touch = context;
    AccessKind kind = touch->instruction->op == PTS_OP_ATOMIC_ADD ? ACCESS_ADD : ACCESS_WRITE;
    RtValue target = *touch->target;
    if (target.behind != NULL) { /* a window over an edge is a copy: the memory is behind it */
        target.buffer = target.behind;
        target.races = NULL;
    }
    touch->good =
        touch->good &&
        note_write(touch->vm, touch->instruction, &target, kind, region, NULL, touch->error) &&
        sanitize_changed(touch->vm, touch->instruction, &target, region, kind == ACCESS_ADD,
                         touch->tag, touch->error);
}
