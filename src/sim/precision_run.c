/* The twin beside a run: it is set up over copies of the arguments, follows every instruction, and
 * what it has is compared with what the run has. */
#include "sim/precision.h"

#include "model/error.h"
#include "sim/vm_data.h"

#include <stdlib.h>
#include <string.h>

/* Doubles of tensors of 16 bits need four times the memory. */
enum { TWIN_MEMORY = 4 };
enum { SCALE_SAMPLE = 4096 }; /* elements of an argument whose size is looked at */
/* Memory that others see is compared as a whole after each write, if it is not larger. */
static const int64_t COMPARED_ELEMENTS = 65536;

/* ---- beginning and end ---- */

int64_t precision_elements(const PtsTensor *tensor)
{
    int64_t count = 0;
    rt_element_count(tensor->rank, tensor->shape, &count);
    return count;
}

static PtsTensor dense_tensor(void *data, PtsDtype dtype, int rank, const int64_t *shape)
{
    PtsTensor tensor = {.data = data, .dtype = dtype, .rank = rank};
    memcpy(tensor.shape, shape, sizeof tensor.shape[0] * (size_t)rank);
    memcpy(tensor.valid, shape, sizeof tensor.shape[0] * (size_t)rank);
    rt_dense_strides(rank, shape, tensor.stride);
    return tensor;
}

/* Floating-point arguments become doubles, others that the kernel writes are copied. */
static bool copy_argument(const Vm *vm, PrecisionRun *run, int number)
{
    const PtsArgument *from = &vm->arguments[number];
    PtsArgument *to = &run->arguments[number];
    *to = *from;
    to->written = NULL;
    PtsTensor seen = dense_tensor(from->data, from->dtype, from->rank, from->shape);
    int64_t count = precision_elements(&seen);
    bool widens = precision_has_double(from->dtype);
    if (!widens && !vm->program->slots[number].is_output) {
        return true;
    }
    to->dtype = widens ? PTS_DOUBLE : from->dtype;
    to->data = malloc((size_t)count * pts_dtype_bytes(to->dtype) + 1);
    if (to->data == NULL || count == 0) {
        return to->data != NULL;
    }
    if (!widens) {
        memcpy(to->data, from->data, (size_t)count * pts_dtype_bytes(to->dtype));
        return true;
    }
    PtsTensor doubles = dense_tensor(to->data, PTS_DOUBLE, from->rank, from->shape);
    precision_widen(&seen, &doubles);
    int64_t sample = count < SCALE_SAMPLE ? count : SCALE_SAMPLE;
    PtsTensor head = dense_tensor(to->data, PTS_DOUBLE, 1, &sample);
    run->states[number].scale = precision_measure(&head, &head, 0).scale;
    return true;
}

static bool set_up_twin(const Vm *vm, PrecisionRun *run)
{
    Vm *twin = run->twin;
    PtsProgram *program = &run->copy.program;
    size_t slots = (size_t)program->slot_count + 1;
    PtsError ignored;
    twin->program = program;
    twin->is_twin = true;
    twin->symbols = vm->symbols;
    twin->values = vm->values; /* the run's own: what it reads and decides holds for both */
    twin->arguments = run->arguments;
    twin->threads = vm->threads;
    twin->state = &run->state;
    twin->slots = calloc(slots, sizeof *twin->slots);
    twin->parameters = calloc(slots, sizeof(RtBuffer *));
    if (twin->slots == NULL || twin->parameters == NULL) {
        return false;
    }
    rt_pool_init(&twin->pool, vm->pool.max_bytes / TWIN_MEMORY > INT64_MAX / (2 * TWIN_MEMORY)
                                  ? INT64_MAX
                                  : vm->pool.max_bytes * TWIN_MEMORY);
    for (size_t i = 0; i < slots; i++) {
        twin->slots[i].declared = PTS_SLOT_NONE;
        run->states[i].suspect = PRECISION_NO_ROW;
    }
    for (int i = 0; i < program->parameter_count; i++) {
        if (!copy_argument(vm, run, i) || !vm_bind_parameter(twin, i, &ignored)) {
            return false;
        }
    }
    return true;
}

static bool begin(Vm *vm, PrecisionRun *run)
{
    const PtsProgram *program = vm->program;
    if (!precision_program_make(program, &run->copy)) {
        return false;
    }
    run->twin = calloc(1, sizeof *run->twin);
    run->arguments = calloc((size_t)program->parameter_count + 1, sizeof *run->arguments);
    run->states = calloc((size_t)program->slot_count + 1, sizeof *run->states);
    run->rows = malloc(((size_t)run->copy.count + 1) * sizeof *run->rows);
    run->turns = calloc((size_t)run->copy.count + 1, sizeof *run->turns);
    if (run->twin == NULL || run->arguments == NULL || run->states == NULL || run->rows == NULL ||
        run->turns == NULL) {
        return false;
    }
    for (uint32_t i = 0; i <= run->copy.count; i++) {
        run->rows[i] = PRECISION_NO_ROW;
    }
    return set_up_twin(vm, run);
}

void precision_begin(Vm *vm)
{
    PtsPrecision *report = vm->state->precision;
    PrecisionRun *run = calloc(1, sizeof *run);
    report->summary.runs++;
    vm->precision = run;
    if (run == NULL) {
        report->summary.unchecked++;
        return;
    }
    run->report = report;
    if (!begin(vm, run)) {
        run->lost = true;
        report->summary.unchecked++;
    }
}

static void take_down_twin(const Vm *vm, PrecisionRun *run)
{
    Vm *twin = run->twin;
    if (twin == NULL) {
        return;
    }
    const PtsProgram *program = &run->copy.program;
    for (uint32_t i = 0; twin->slots != NULL && i < program->slot_count; i++) {
        rt_value_release(&twin->pool, &twin->slots[i]);
    }
    for (int i = 0; i < program->parameter_count; i++) {
        if (twin->parameters != NULL) {
            rt_buffer_release(&twin->pool, twin->parameters[i]);
        }
        if (run->arguments[i].data != vm->arguments[i].data) {
            free(run->arguments[i].data);
        }
    }
    rt_pool_free(&twin->pool);
    free(twin->slots);
    free(twin->parameters);
    free(twin->scratch);
    free(twin);
}

void precision_end(Vm *vm)
{
    PrecisionRun *run = vm->precision;
    if (run == NULL) {
        return;
    }
    take_down_twin(vm, run);
    precision_program_free(&run->copy);
    free(run->arguments);
    free(run->states);
    free(run->rows);
    free(run->turns);
    free(run);
    vm->precision = NULL;
}

void precision_lose(PrecisionRun *run)
{
    run->lost = true;
    run->report->summary.unchecked++;
}

void precision_turn(Vm *vm, uint32_t body)
{
    PrecisionRun *run = vm->precision;
    if (!run->lost) {
        vm_empty_slots(run->twin, &run->copy.program.bodies[body]);
    }
}

void precision_release(Vm *vm, const PtsInstruction *instruction)
{
    PrecisionRun *run = vm->precision;
    if (run->lost) {
        return;
    }
    const PtsInstruction *twin = run->copy.twins[instruction->code->number];
    for (const VmLastUse *use = twin->code->last_uses; use != NULL; use = use->next) {
        rt_value_release(&run->twin->pool, &run->twin->slots[use->slot]);
    }
}

/* ---- events ---- */

PrecisionState *precision_state(const Vm *vm, PtsSlot slot)
{
    return &vm->precision->states[pts_slot_root(vm->program, slot)];
}

PrecisionState precision_operands(const Vm *vm, const PtsInstruction *instruction)
{
    PrecisionState state = {.suspect = PRECISION_NO_ROW};
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SLOT) {
            PrecisionState operand = *precision_state(vm, instruction->operands[i].slot);
            bool is_wide = i < VM_WIDE_OPERANDS && (instruction->wide_operands >> i & 1) != 0;
            for (int j = 0; j < operand.count && is_wide; j++) {
                operand.credits[j].times = 0; /* it was not rounded */
            }
            precision_join(&state, &operand);
        } else if (instruction->operands[i].kind != PTS_OPERAND_NONE) {
            double value = instruction->code->operands[i].element.real;
            value = value < 0 ? -value : value;
            state.scale = value > state.scale ? value : state.scale;
        }
    }
    return state;
}

bool precision_event(Vm *vm, const PtsInstruction *instruction, PtsDtype dtype,
                     PrecisionEvent *event)
{
    PrecisionRun *run = vm->precision;
    uint32_t *row = &run->rows[instruction->code->number];
    if (*row == PRECISION_NO_ROW) {
        *row = precision_row(run->report, instruction);
    }
    *event = (PrecisionEvent){.instruction = instruction, .row = *row, .dtype = dtype};
    for (int i = vm->depth - 1; i >= 0 && !event->in_loop; i--) {
        if (vm->frames[i].loop != NULL) {
            event->in_loop = true;
            event->iteration = vm->values.of_atom[vm->frames[i].loop->index];
        }
    }
    return *row != PRECISION_NO_ROW;
}

static bool reaches_parameter(const Vm *vm, PtsSlot slot)
{
    return vm_is_parameter(vm, pts_slot_root(vm->program, slot));
}

static void arrive(const Vm *vm, PtsSlot slot)
{
    if (reaches_parameter(vm, slot)) {
        PtsSlot root = pts_slot_root(vm->program, slot);
        precision_arrive(vm->precision->report, &vm->precision->states[root],
                         vm->arguments[root].dtype);
    }
}

/* ---- what computes nothing ---- */

/* A kernel that changes memory which others see: what it wrote is compared if the memory is small,
 * else it only has what its operands had. */
static bool account_written(Vm *vm, const PtsInstruction *instruction, PrecisionState *state)
{
    const RtValue *real = &vm->slots[instruction->written];
    const RtValue *twin = &vm->precision->twin->slots[instruction->written];
    PrecisionEvent event;
    if (real->buffer == NULL || twin->buffer == NULL || !precision_has_double(real->tensor.dtype) ||
        precision_elements(&real->tensor) > COMPARED_ELEMENTS) {
        return true;
    }
    if (!precision_event(vm, instruction, real->tensor.dtype, &event)) {
        return false;
    }
    PtsTensor result = rt_tensor(real);
    PtsTensor doubles = rt_tensor(twin);
    event.total = precision_measure(&result, &doubles, 0);
    double rest = event.total.error - state->total;
    event.own.error = rest > 0 && instruction->op == PTS_OP_ATOMIC_ADD ? rest : 0;
    precision_account(vm->precision->report, &event, state);
    return true;
}

void precision_moved(Vm *vm, const PtsInstruction *instruction)
{
    PrecisionRun *run = vm->precision;
    PtsError ignored;
    if (run->lost || instruction->op == PTS_OP_SAVE) {
        return;
    }
    PtsInstruction *twin = run->copy.twins[instruction->code->number];
    if (instruction->op == PTS_OP_VIEW_TYPE) { /* other bits: there is nothing like it in double */
        PtsSlot slot = instruction->results[0].slot;
        precision_computed(vm, instruction, NULL, &vm->slots[slot]);
        return;
    }
    if (!vm_run_op(run->twin, twin, &ignored)) {
        precision_lose(run);
        return;
    }
    PrecisionState state = precision_operands(vm, instruction);
    if (instruction->result_count > 0 && instruction->written == PTS_SLOT_NONE) {
        *precision_state(vm, instruction->results[0].slot) = state;
        return;
    }
    if (instruction->op != PTS_OP_MOVE) {
        precision_join(&state, precision_state(vm, instruction->written));
    }
    if (!vm_is_data_op(instruction->op) && !account_written(vm, instruction, &state)) {
        precision_lose(run);
        return;
    }
    *precision_state(vm, instruction->written) = state;
    if (instruction->result_count > 0) {
        *precision_state(vm, instruction->results[0].slot) = state;
    }
    arrive(vm, instruction->written);
}
