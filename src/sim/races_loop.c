/* Races, as the interpreter sees them: loops, reads and writes of tensors that are older than an
 * iteration. */
#include "model/error.h"
#include "sim/sanitize_races.h"

#include <stdio.h>
#include <string.h>

static const VmFrame *innermost(const Vm *vm)
{
    return &vm->frames[vm->depth - 1];
}

/* The frame of a body, NULL when it is not running. */
static const VmFrame *frame_of(const Vm *vm, uint32_t body)
{
    for (int i = vm->depth - 1; i >= 0; i--) {
        if (vm->frames[i].body == body) {
            return &vm->frames[i];
        }
    }
    return NULL;
}

static Access access_in(const Vm *vm, const PtsInstruction *instruction, const VmFrame *frame)
{
    Access access = {.instruction = instruction, .loop = frame->loop, .turn = frame->turn};
    access.index = frame->loop == NULL ? 0 : vm->values.of_atom[frame->loop->index];
    return access;
}

/* Nothing that was noted so far counts in this log. */
static void forget(const Races *races, ElementLog *log)
{
    log->base = races->table_base + races->access_count;
}

/* ---- what a memory is ---- */

/* Does the slot hold memory of its own, which begins with its first element? */
static bool is_plain(const RtValue *value)
{
    return value->buffer != NULL && !value->is_borrowed && value->origin == 0 &&
           rt_is_dense(&value->tensor);
}

void races_bind(Vm *vm, PtsSlot slot)
{
    SlotRaces *races = races_of(vm->sanitizer->races, slot);
    RtValue *value = &vm->slots[slot];
    value->races = NULL;
    if (races == NULL || !is_plain(value) || (races->is_tracked && races->mover != 0)) {
        return; /* what an iteration moved to it is its own */
    }
    value->races = races;
    races->form.slot = slot;
    races->form.dtype = value->tensor.dtype;
    races->form.rank = value->tensor.rank;
    memcpy(races->form.shape, value->tensor.shape, sizeof races->form.shape);
}

/* ---- loops ---- */

/* Slots from outside that the loop writes: alone with their memory, so that what is read of them
 * is known by it. */
static bool track(Vm *vm, PtsSlot slot, PtsError *error)
{
    Races *all = vm->sanitizer->races;
    SlotRaces *races = races_of(all, slot);
    RtValue *value = &vm->slots[slot];
    if (races == NULL) {
        return pts_fail_memory(error);
    }
    bool is_parameter = slot < (PtsSlot)vm->program->parameter_count;
    if (is_parameter && value->buffer != vm->parameters[slot]) {
        return true; /* a move has given it another value */
    }
    if (!is_parameter && value->buffer != NULL && value->buffer->references > 1 &&
        !rt_value_make_unique(&vm->pool, value, error)) {
        return false;
    }
    if (value->buffer != NULL) {
        races_bind(vm, slot);
    }
    races->is_tracked = value->buffer == NULL || value->races != NULL;
    races->mover = races->earlier = 0;
    forget(all, &races->logs[RACE_PARALLEL]);
    return true;
}

static void begin_siblings(const Vm *vm, const PtsBody *body)
{
    const Races *races = vm->sanitizer->races;
    bool any = races->facts->any_siblings;
    for (PtsSlot slot = body->first_slot; any && slot < body->end_slot; slot++) {
        if (races->slots[slot] != NULL) {
            forget(races, &races->slots[slot]->logs[RACE_SIBLINGS]);
        }
    }
}

bool races_enter(Vm *vm, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    const VmFrame *frame = innermost(vm);
    begin_siblings(vm, &vm->program->bodies[frame->body]);
    if (!frame->loop->loop.parallel || races->depth > 0) {
        return true;
    }
    if (!races->keeps) { /* no number is needed any more */
        races->table_base += races->access_count;
        races->access_count = 0;
        races->is_full = false;
    }
    const PtsSlot *written = races->facts->written[frame->body];
    races->depth = vm->depth;
    for (; *written != PTS_SLOT_NONE; written++) {
        if (!track(vm, *written, error)) {
            return false;
        }
    }
    return true;
}

void races_turn(Vm *vm)
{
    vm->frames[vm->depth - 1].turn = ++vm->sanitizer->races->turns;
}

void races_leave(Vm *vm)
{
    Races *races = vm->sanitizer->races;
    if (races->depth != vm->depth) {
        return;
    }
    races->depth = 0;
    const PtsSlot *written = races->facts->written[innermost(vm)->body];
    for (; *written != PTS_SLOT_NONE; written++) {
        SlotRaces *slot = races->slots[*written];
        if (slot->is_tracked && slot->earlier != 0) {
            slot->unsettled[0] = races->accesses[slot->earlier - 1 - races->table_base];
            slot->unsettled[1] = races->accesses[slot->mover - 1 - races->table_base];
            races->any_unsettled = true;
        }
        slot->is_tracked = false;
    }
}

/* ---- reads ---- */

/* The slot is read: what two iterations of a parallel loop moved to it before. */
static bool use_unsettled(Vm *vm, const PtsInstruction *instruction, SlotRaces *slot,
                          PtsError *error)
{
    const Access *a = &slot->unsettled[0];
    const Access *b = &slot->unsettled[1];
    Races *races = vm->sanitizer->races;
    char text[320];
    if (a->instruction == NULL || races->depth > 0 ||
        races_is_told(races, slot->slot, b->instruction, instruction)) {
        return true;
    }
    snprintf(text, sizeof text,
             "%s is used here: line %d (%s = %lld) and line %d (%s = %lld) give it different "
             "values, and iterations of a parallel loop have no order",
             pts_slot_name(vm->program, slot->slot), a->instruction->site.line,
             a->loop->loop.index_name, (long long)a->index, b->instruction->site.line,
             b->loop->loop.index_name, (long long)b->index);
    pts_diagnose(vm->program, sanitize_severity(vm), 0, "race", instruction->site, "%s", text);
    return sanitize_found(vm, instruction, instruction->site, 0, "race", text, error);
}

/* The slot is read in an iteration of the parallel loop, after another one moved a value to it. */
static bool use_moved(Vm *vm, const PtsInstruction *instruction, SlotRaces *slot, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    const VmFrame *frame = races->depth > 0 ? &vm->frames[races->depth - 1] : NULL;
    if (frame == NULL || !slot->is_tracked || slot->mover == 0) {
        return true;
    }
    const Access *mover = &races->accesses[slot->mover - 1 - races->table_base];
    Access now = access_in(vm, instruction, frame);
    char text[320];
    if (mover->turn == now.turn ||
        races_is_told(races, slot->slot, mover->instruction, NULL)) { /* one reader is enough */
        return true;
    }
    snprintf(text, sizeof text,
             "%s: line %d (%s = %lld) sets it, line %d (%s = %lld) reads it; iterations of a "
             "parallel loop have no order",
             pts_slot_name(vm->program, slot->slot), mover->instruction->site.line,
             mover->loop->loop.index_name, (long long)mover->index, instruction->site.line,
             now.loop->loop.index_name, (long long)now.index);
    pts_diagnose(vm->program, sanitize_severity(vm), 0, "race", instruction->site, "%s", text);
    return sanitize_found(vm, instruction, instruction->site, 0, "race", text, error);
}

bool races_use(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    if (races->depth == 0 && !races->any_unsettled && !races->keeps) {
        return true;
    }
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind != PTS_OPERAND_SLOT || operand->slot == instruction->written) {
            continue;
        }
        SlotRaces *slot = races->slots[pts_slot_root(vm->program, operand->slot)];
        if (slot == NULL) {
            continue;
        }
        /* A read is an order: what comes after it waits for what came before. */
        forget(races, &slot->logs[RACE_ASSEMBLES]);
        if (!use_moved(vm, instruction, slot, error) ||
            !use_unsettled(vm, instruction, slot, error)) {
            return false;
        }
    }
    return true;
}

static bool check_siblings(Vm *vm, const PtsInstruction *instruction, SlotRaces *slot,
                           AccessKind kind, const RtValue *value, const PtsTensor *region,
                           PtsError *error)
{
    uint32_t own = vm->program->slots[slot->slot].body;
    bool any = vm->sanitizer->races->facts->has_siblings[slot->slot];
    const VmFrame *frame = any ? frame_of(vm, own) : NULL;
    uint32_t inner =
        frame == NULL ? PTS_NO_BODY : races_inner_loop(vm->program, innermost(vm)->body, own);
    if (inner == PTS_NO_BODY ||
        (kind == ACCESS_READ && vm->program->bodies[inner].loop->loop.submit_before)) {
        return true;
    }
    Access access = access_in(vm, instruction, frame);
    access.body = inner;
    return races_check(vm, RACE_SIBLINGS, kind, &access, value, region, NULL, error);
}

bool races_read(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                const PtsTensor *region, PtsError *error)
{
    const Races *races = vm->sanitizer->races;
    SlotRaces *slot = value->races;
    if (slot == NULL || !check_siblings(vm, instruction, slot, ACCESS_READ, value, region, error)) {
        return slot == NULL;
    }
    if (races->depth == 0 || !slot->is_tracked) {
        return true;
    }
    Access access = access_in(vm, instruction, &vm->frames[races->depth - 1]);
    return races_check(vm, RACE_PARALLEL, ACCESS_READ, &access, value, region, NULL, error);
}

/* ---- writes ---- */

static bool check_assemble(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                           const PtsTensor *region, const PtsTensor *from, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    bool parallel = instruction->attributes != NULL && instruction->attributes->parallel;
    if (instruction->op != PTS_OP_ASSEMBLE || (!parallel && !races->unordered)) {
        return true;
    }
    Access access = access_in(vm, instruction, innermost(vm));
    access.turn = ++races->turns; /* each one is for itself */
    access.body = innermost(vm)->body;
    access.parallel = parallel;
    return races_check(vm, RACE_ASSEMBLES, ACCESS_WRITE, &access, target, region, from, error);
}

bool races_write(Vm *vm, const PtsInstruction *instruction, const RtValue *target, AccessKind kind,
                 const PtsTensor *region, const PtsTensor *from, PtsError *error)
{
    const Races *races = vm->sanitizer->races;
    SlotRaces *slot = target->races;
    if (races->depth > 0 && slot->is_tracked) {
        Access access = access_in(vm, instruction, &vm->frames[races->depth - 1]);
        if (!races_check(vm, RACE_PARALLEL, kind, &access, target, region, from, error)) {
            return false;
        }
    }
    return check_siblings(vm, instruction, slot, kind, target, region, error) &&
           check_assemble(vm, instruction, target, region, from, error);
}

static bool is_same_value(const RtValue *a, const RtValue *b)
{
    PtsTensor left = rt_tensor(a);
    PtsTensor right = rt_tensor(b);
    int64_t index[PTS_MAX_RANK] = {0};
    size_t size = pts_dtype_bytes(left.dtype);
    int64_t count = 0;
    if (left.rank != right.rank || left.dtype != right.dtype ||
        memcmp(left.valid, right.valid, sizeof *left.valid * (size_t)left.rank) != 0) {
        return false;
    }
    rt_element_count(left.rank, left.valid, &count);
    for (; count > 0; count--) {
        int64_t at = 0;
        int64_t other = 0;
        for (int i = 0; i < left.rank; i++) {
            at += index[i] * left.stride[i];
            other += index[i] * right.stride[i];
        }
        if (memcmp((const char *)left.data + at * (int64_t)size,
                   (const char *)right.data + other * (int64_t)size, size) != 0) {
            return false;
        }
        for (int i = left.rank - 1; i >= 0 && ++index[i] == left.valid[i]; i--) {
            index[i] = 0;
        }
    }
    return true;
}

bool races_move(Vm *vm, const PtsInstruction *instruction, const RtValue *value, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    SlotRaces *slot = races_of(races, pts_slot_root(vm->program, instruction->written));
    if (slot == NULL) {
        return pts_fail_memory(error);
    }
    const RtValue *old = &vm->slots[slot->slot];
    forget(races, &slot->logs[RACE_ASSEMBLES]);
    slot->unsettled[0].instruction = NULL;
    if (races->depth == 0 || !slot->is_tracked) {
        return true;
    }
    Access access = access_in(vm, instruction, &vm->frames[races->depth - 1]);
    const Access *mover =
        slot->mover == 0 ? NULL : &races->accesses[slot->mover - 1 - races->table_base];
    bool differs = mover != NULL && mover->turn != access.turn &&
                   (value->buffer == NULL || old->buffer == NULL || !is_same_value(value, old));
    uint32_t before = slot->mover;
    uint32_t number = races_note(races, &access);
    slot->earlier = differs ? before : slot->earlier;
    slot->mover = number != 0 ? number : slot->mover;
    return true;
}
