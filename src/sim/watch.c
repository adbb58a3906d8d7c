/* Records of a run in static single assignment: every operation makes a record, and an operand is
 * the number of the record that made it. Elements are copied as they are after the operation, valid
 * parts only, up to a limit of bytes; writes into existing tensors (assemble, move …) keep none,
 * because copying the whole target each time would be quadratic. */
#include "sim/watch.h"

#include <stdlib.h>
#include <string.h>

struct PtsWatch {
    PtsContext *context;
    PtsWatched *records;
    size_t count, capacity, max_records;
    char *data;
    size_t size, room, max_bytes;
    size_t left_out; /* records that are missing, or lack their elements */
    int64_t *last;   /* the record that made what each slot of the running program holds; -1 */
    size_t slots;
    int launches;
};

PtsWatch *pts_watch_start(PtsContext *context, size_t max_records, size_t max_bytes)
{
    PtsWatch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    watch->context = context;
    watch->max_records = max_records;
    watch->max_bytes = max_bytes;
    pts_context_run_state(context)->watch = watch;
    return watch;
}

void pts_watch_free(PtsWatch *watch)
{
    if (watch == NULL) {
        return;
    }
    PtsRunState *state = pts_context_run_state(watch->context);
    if (state->watch == watch) {
        state->watch = NULL;
    }
    free(watch->records);
    free(watch->data);
    free(watch->last);
    free(watch);
}

size_t pts_watch_count(const PtsWatch *watch)
{
    return watch->count;
}

size_t pts_watch_left_out(const PtsWatch *watch)
{
    return watch->left_out;
}

const PtsWatched *pts_watch_at(const PtsWatch *watch, size_t index)
{
    return &watch->records[index];
}

const char *pts_watch_data(const PtsWatch *watch, size_t *size)
{
    *size = watch->size;
    return watch->data;
}

/* Doubles an array until it has `wanted` items; false when memory ran out. */
static bool grow(void **items, size_t *capacity, size_t wanted, size_t item)
{
    size_t larger = *capacity == 0 ? 256 : *capacity;
    while (larger < wanted) {
        larger *= 2;
    }
    if (larger == *capacity) {
        return true;
    }
    void *moved = realloc(*items, larger * item);
    if (moved == NULL) {
        return false;
    }
    *items = moved;
    *capacity = larger;
    return true;
}

/* A new record, not yet counted; NULL beyond the limit. */
static PtsWatched *new_record(PtsWatch *watch)
{
    if (watch->count == watch->max_records || !grow((void **)&watch->records, &watch->capacity,
                                                    watch->count + 1, sizeof *watch->records)) {
        watch->left_out++;
        return NULL;
    }
    PtsWatched *record = &watch->records[watch->count];
    *record = (PtsWatched){.launch = watch->launches, .target = -1, .data_at = -1};
    return record;
}

/* Copies the valid part of a tensor and describes it in the record. */
static void keep_elements(PtsWatch *watch, PtsWatched *record, const PtsTensor *tensor, bool copies)
{
    int64_t count = 0;
    record->dtype = tensor->dtype;
    record->rank = tensor->rank;
    for (int i = 0; i < tensor->rank; i++) {
        record->shape[i] = tensor->valid[i] < 0 ? 0 : tensor->valid[i];
    }
    if (!copies || !rt_element_count(tensor->rank, record->shape, &count)) {
        return;
    }
    size_t bytes = (size_t)count * pts_dtype_bytes(tensor->dtype);
    if (bytes > watch->max_bytes - watch->size ||
        !grow((void **)&watch->data, &watch->room, watch->size + bytes, 1)) {
        watch->left_out++;
        return;
    }
    PtsTensor to = *tensor;
    to.data = watch->data + watch->size;
    rt_dense_strides(tensor->rank, record->shape, to.stride);
    if (count > 0) {
        rt_copy_region(tensor, &to, record->shape);
    }
    record->data_at = (int64_t)watch->size;
    watch->size += bytes;
}

static int64_t source_of(const PtsWatch *watch, const Vm *vm, PtsSlot slot)
{
    PtsSlot root = pts_slot_root(vm->program, slot);
    int64_t own = slot < watch->slots ? watch->last[slot] : -1;
    int64_t base = root < watch->slots ? watch->last[root] : -1;
    return base > own ? base : own;
}

static void note_loops(PtsWatched *record, const Vm *vm)
{
    for (int i = 0; i < vm->depth; i++) {
        const PtsRecordedLoop *loop = vm->frames[i].loop;
        if (loop != NULL && record->loop_count < PTS_WATCH_LOOPS) {
            record->loops[record->loop_count++] = vm->values.of_atom[loop->index];
        }
    }
}

/* A number is what the kernel got where the operation has one, else what was recorded. */
static void note_operands(const PtsWatch *watch, PtsWatched *record, const Vm *vm,
                          const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (i == PTS_WATCH_OPERANDS) {
            record->is_partial = true;
            return;
        }
        PtsWatchedOperand *note = &record->operands[record->operand_count++];
        note->source = -1;
        if (operand->kind == PTS_OPERAND_SLOT) {
            note->source = source_of(watch, vm, operand->slot);
            bool is_target = operand->slot == instruction->written; /* may hold nothing yet */
            record->is_partial = record->is_partial || (note->source < 0 && !is_target);
        } else if (operand->kind != PTS_OPERAND_NONE) {
            const PtsElement *element = &instruction->code->operands[i].element;
            note->is_number = true;
            note->number =
                pts_dtype_is_float(element->dtype) ? element->real : (double)element->integer;
        }
    }
}

static void note_attributes(PtsWatched *record, const PtsKernelAttributes *from)
{
    record->attributes = (PtsWatchedAttributes){
        .dim = from->dim,
        .dim1 = from->dim1,
        .has_dim = from->has_dim,
        .keepdim = from->keepdim,
        .a_trans = from->a_trans,
        .b_trans = from->b_trans,
        .largest = record->op == PTS_OP_ARGSORT ? from->descending : from->largest,
        .mode = from->mode,
        .real = from->real,
        .diagonal = from->diagonal,
        .shape_rank = from->shape_rank,
        .offset_rank = from->offset_rank,
    };
    memcpy(record->attributes.shape, from->shape, sizeof record->attributes.shape);
    memcpy(record->attributes.offsets, from->offsets, sizeof record->attributes.offsets);
}

/* Slots are emptied by nobody here: a slot without a value is never read. */
static void set_last(PtsWatch *watch, PtsSlot slot)
{
    if (slot < watch->slots) {
        watch->last[slot] = (int64_t)watch->count;
    }
}

static void note_result(PtsWatch *watch, const Vm *vm, const PtsInstruction *instruction,
                        int result)
{
    PtsWatched *record = new_record(watch);
    if (record == NULL) {
        return;
    }
    bool writes = instruction->written != PTS_SLOT_NONE;
    PtsSlot slot = writes ? instruction->written : instruction->results[result].slot;
    record->op = instruction->op;
    record->site = instruction->site;
    record->result = result;
    note_loops(record, vm);
    note_operands(watch, record, vm, instruction);
    note_attributes(record, &instruction->code->attributes);
    if (writes) {
        record->target = source_of(watch, vm, slot);
        record->is_write = true;
    }
    const RtValue *value = &vm->slots[slot];
    if (value->buffer != NULL) {
        const PtsTensor tensor = rt_tensor(value);
        keep_elements(watch, record, &tensor, !writes);
    }
    set_last(watch, slot);
    set_last(watch, pts_slot_root(vm->program, slot));
    watch->count++;
}

void watch_op(PtsWatch *watch, const Vm *vm, const PtsInstruction *instruction)
{
    if (instruction->kind != PTS_INSTRUCTION_OP || instruction->code == NULL) {
        return;
    }
    int results = instruction->written != PTS_SLOT_NONE ? 1 : instruction->result_count;
    for (int i = 0; i < results; i++) {
        note_result(watch, vm, instruction, i);
    }
}

/* The memory of a parameter as a record of its own. */
static void note_parameter(PtsWatch *watch, const Vm *vm, int index, bool is_end)
{
    PtsWatched *record = new_record(watch);
    if (record == NULL) {
        return;
    }
    const PtsArgument *argument = &vm->arguments[index];
    PtsTensor tensor = {.data = argument->data, .dtype = argument->dtype, .rank = argument->rank};
    memcpy(tensor.shape, argument->shape, sizeof tensor.shape);
    memcpy(tensor.valid, argument->shape, sizeof tensor.valid);
    rt_dense_strides(tensor.rank, tensor.shape, tensor.stride);
    record->is_parameter = !is_end;
    record->is_end = is_end;
    record->parameter = index;
    const char *name = pts_slot_name(vm->program, (PtsSlot)index);
    if (!is_end && strlen(name) < sizeof record->name) {
        memcpy(record->name, name, strlen(name) + 1);
    }
    record->site = vm->program->site;
    record->target = is_end ? source_of(watch, vm, (PtsSlot)index) : -1;
    keep_elements(watch, record, &tensor, argument->data != NULL);
    set_last(watch, (PtsSlot)index);
    watch->count++;
}

void watch_run(PtsWatch *watch, const Vm *vm)
{
    size_t slots = vm->program->slot_count;
    int64_t *last = realloc(watch->last, (slots + 1) * sizeof *last);
    watch->slots = last == NULL ? 0 : slots;
    watch->last = last == NULL ? watch->last : last;
    for (size_t i = 0; i < watch->slots; i++) {
        watch->last[i] = -1;
    }
    for (int i = 0; i < vm->program->parameter_count; i++) {
        note_parameter(watch, vm, i, false);
    }
}

void watch_end(PtsWatch *watch, const Vm *vm)
{
    for (int i = 0; i < vm->program->parameter_count; i++) {
        if (pts_program_writes(vm->program, i)) {
            note_parameter(watch, vm, i, true);
        }
    }
    watch->launches++;
}
