/* Walking a program: blocks, branches and loops, without recursion. */
#include "sim/vm.h"
#include "model/error.h"
#include "sim/precision.h"
#include "sim/sanitize_races.h"
#include "sim/trace.h"
#include "sim/watch.h"

#include <stdlib.h>
#include <string.h>

/* ---- operations ---- */

/* The tensors of an instruction's operands; symbolic scalars get their value. */
static bool load_operands(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    VmCode *code = instruction->code;
    int rank = 0;
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind == PTS_OPERAND_SLOT) {
            const RtValue *value = vm_read(vm, operand->slot, error);
            if (value == NULL) {
                return false;
            }
            code->tensors[i] = rt_tensor(value);
            rank = rank == 0 ? value->tensor.rank : rank;
        } else if (operand->kind == PTS_OPERAND_SYM) {
            int64_t value;
            if (!vm_evaluate(vm, operand->sym, &value, error)) {
                return false;
            }
            code->operands[i].element.integer = value;
            code->operands[i].element.real = (double)value;
        }
    }
    /* A negative axis counts from the end of what the operand is now. */
    if (instruction->attributes != NULL && instruction->attributes->dim < 0) {
        code->attributes.dim = instruction->attributes->dim + rank;
    }
    if (instruction->attributes != NULL && instruction->attributes->dim1 < 0) {
        code->attributes.dim1 = instruction->attributes->dim1 + rank;
    }
    return true;
}

/* Do all operands hold data everywhere? */
bool vm_operands_are_whole(const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SLOT &&
            !rt_is_fully_valid(&instruction->code->tensors[i])) {
            return false;
        }
    }
    return true;
}

/* A kernel writes the whole of a wholly valid result only when its operands are whole: a sum over
 * an axis without valid elements writes nothing. What may stay unwritten is poisoned, so that no
 * earlier tensor's memory shows. */
static bool make_results(Vm *vm, const PtsInstruction *instruction, RtValue *results,
                         PtsError *error)
{
    bool is_whole = vm_operands_are_whole(instruction);
    for (int i = 0; i < instruction->result_count; i++) {
        const PtsResult *result = &instruction->results[i];
        const VmResult *extents = &instruction->code->results[i];
        bool covered = is_whole && memcmp(extents->shape, extents->valid,
                                          (size_t)result->rank * sizeof(int64_t)) == 0;
        if (!rt_value_new(&vm->pool, result->dtype, result->rank, extents->shape, extents->valid,
                          !covered, &results[i], error)) {
            return false;
        }
    }
    return true;
}

bool vm_reserve_scratch(Vm *vm, size_t size, PtsError *error)
{
    if (size <= vm->scratch_size) {
        return true;
    }
    free(vm->scratch);
    vm->scratch_size = 0;
    vm->scratch = aligned_alloc(64, (size + 63) & ~(size_t)63);
    if (vm->scratch == NULL) {
        return pts_fail_memory(error);
    }
    vm->scratch_size = size;
    return true;
}

static int64_t valid_bytes(const PtsTensor *tensor)
{
    int64_t count;
    if (!rt_element_count(tensor->rank, tensor->valid, &count)) {
        return 0;
    }
    return count * (int64_t)pts_dtype_bytes(tensor->dtype);
}

static void count_work(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        if (call->operands[i].tensor != NULL) {
            vm->stats.bytes += valid_bytes(call->operands[i].tensor);
        }
    }
    for (int i = 0; i < call->result_count; i++) {
        vm->stats.bytes += valid_bytes(call->results[i]);
    }
    bool is_product = instruction->op == PTS_OP_MATMUL || instruction->op == PTS_OP_SCALED_MM ||
                      instruction->op == PTS_OP_TRANSPOSED_BATCHMATMUL;
    if (is_product && call->result_count > 0) {
        const PtsTensor *a = call->operands[0].tensor;
        int64_t outputs =
            valid_bytes(call->results[0]) / (int64_t)pts_dtype_bytes(call->results[0]->dtype);
        vm->stats.flops += 2 * outputs * a->valid[a->rank - (call->attributes->a_trans ? 2 : 1)];
    }
}

static bool run_kernel(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue results[PTS_MAX_RESULTS] = {{.buffer = NULL}};
    PtsTensor tensors[PTS_MAX_RESULTS];
    PtsKernelCall call = {.op = instruction->op,
                          .operand_count = instruction->operand_count,
                          .operands = instruction->code->operands,
                          .attributes = &instruction->code->attributes,
                          .result_count = instruction->result_count,
                          .threads = vm->threads,
                          .device_sums = vm->device_sums};
    bool ok =
        load_operands(vm, instruction, error) && make_results(vm, instruction, results, error);
    for (int i = 0; ok && i < instruction->result_count; i++) {
        tensors[i] = rt_tensor(&results[i]);
        call.results[i] = &tensors[i];
    }
    bool is_wide = instruction->wide_operands != 0 || instruction->keeps_wide;
    RtValue temporary[VM_WIDE_OPERANDS] = {{.buffer = NULL}};
    ok = ok && (!is_wide || vm_widen(vm, instruction, results, tensors, temporary, error));
    ok = ok && vm_reserve_scratch(vm, pts_kernel_scratch(&call), error);
    call.scratch = vm->scratch;
    ok = ok && pts_kernel_run(&call, error);
    ok = ok && (results[0].wide == NULL || vm_round(vm, &results[0], error));
    ok = ok && (vm->sanitizer == NULL || sanitize_kernel(vm, instruction, results, error));
    if (ok) {
        count_work(vm, instruction, &call);
    }
    if (ok && vm->precision != NULL) {
        precision_computed(vm, instruction, &call, results);
    }
    for (int i = 0; is_wide && i < VM_WIDE_OPERANDS; i++) {
        rt_value_release(&vm->pool, &temporary[i]);
    }
    for (int i = 0; i < instruction->result_count; i++) {
        if (ok) {
            vm_set(vm, instruction->results[i].slot, results[i]);
        } else {
            rt_value_release(&vm->pool, &results[i]);
        }
    }
    return ok;
}

/* An op that changes memory which others see (a cache) and may return a tensor that shares it. */
static bool run_write_through(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *target = vm_read(vm, instruction->written, error);
    if (target == NULL || !load_operands(vm, instruction, error)) {
        return false;
    }
    PtsTensor tensor = rt_tensor(target);
    PtsKernelCall call = {.op = instruction->op,
                          .operand_count = instruction->operand_count,
                          .operands = instruction->code->operands,
                          .attributes = &instruction->code->attributes,
                          .result_count = 1,
                          .results = {&tensor},
                          .written = vm_written(vm, target->buffer, tensor.data),
                          .threads = vm->threads,
                          .device_sums = vm->device_sums};
    if (!vm_reserve_scratch(vm, pts_kernel_scratch(&call), error)) {
        return false;
    }
    call.scratch = vm->scratch;
    Touch touch = {.good = true};
    if (vm->sanitizer != NULL) {
        if (!sanitize_touch_begin(vm, instruction, target, &touch, error)) {
            return false;
        }
        call.touched = sanitize_touch;
        call.context = &touch;
    }
    if (!pts_kernel_run(&call, error) || !touch.good) {
        return false;
    }
    count_work(vm, instruction, &call);
    if (instruction->result_count > 0) {
        vm_set(vm, instruction->results[0].slot, rt_value_share(target));
    }
    /* scatter_update writes the values of its last operand; atomic_add's is the whole target. */
    const PtsKernelOperand *last = &call.operands[call.operand_count - 1];
    return vm_flush_parameter(vm, instruction, instruction->written, last->tensor, error);
}

bool vm_run_op(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    if (!vm_evaluate_attributes(vm, instruction, error)) {
        return false;
    }
    if (vm->sanitizer != NULL && !sanitize_use(vm, instruction, error)) {
        return false;
    }
    if (instruction->kind == PTS_INSTRUCTION_READ) {
        return vm_run_read(vm, instruction, error);
    }
    for (int i = 0; i < instruction->result_count; i++) {
        if (!vm_evaluate_result(vm, instruction, i, error)) {
            return false;
        }
    }
    vm->stats.ops++;
    vm->at = instruction;
    if (vm->state->trace != NULL) {
        trace_op(vm->state->trace, vm, instruction);
    }
    bool moves = vm_is_data_op(instruction->op);
    if (!moves && instruction->written == PTS_SLOT_NONE) {
        return run_kernel(vm, instruction, error);
    }
    bool ok =
        moves ? vm_run_data_op(vm, instruction, error) : run_write_through(vm, instruction, error);
    if (ok && vm->precision != NULL) {
        precision_moved(vm, instruction);
    }
    return ok;
}

/* ---- loops ---- */

/* Slots made inside a body are empty when an iteration starts. Those of the last iteration stay
 * until the loop, or the one around it, starts anew: an inplace reshape is made in a loop of its
 * own and used behind it. */
void vm_empty_slots(Vm *vm, const PtsBody *body)
{
    for (uint32_t slot = body->first_slot; slot < body->end_slot; slot++) {
        if (vm->slots[slot].buffer != NULL || vm->slots[slot].declared != PTS_SLOT_NONE) {
            rt_value_release(&vm->pool, &vm->slots[slot]);
        }
    }
}

static bool is_cancelled(const Vm *vm, PtsError *error)
{
    return atomic_load_explicit(&vm->state->cancel, memory_order_relaxed) &&
           !pts_fail(error, PTS_E_RUNTIME, "the run was cancelled");
}

/* Starts the next iteration of the innermost loop, or leaves it. */
static bool next_iteration(Vm *vm, PtsError *error)
{
    VmFrame *frame = &vm->frames[vm->depth - 1];
    const PtsBody *body = &vm->program->bodies[frame->body];
    bool more = frame->loop != NULL &&
                (frame->step > 0 ? frame->index < frame->stop : frame->index > frame->stop);
    if (more || !frame->is_entered) {
        vm_empty_slots(vm, body);
        if (vm->precision != NULL) {
            precision_turn(vm, frame->body);
        }
        frame->is_entered = true;
    }
    if (!more) {
        if (frame->loop != NULL && vm->sanitizer != NULL) {
            sanitize_leave_loop(vm);
        }
        vm->depth--;
        return true;
    }
    if (vm->trips_left-- <= 0) {
        return pts_fail(error, PTS_E_RUNTIME,
                        "the kernel's loops run more iterations than the limit allows");
    }
    if (is_cancelled(vm, error)) {
        return false;
    }
    vm->stats.iterations++;
    vm->values.of_atom[frame->loop->index] = frame->index;
    if (vm->sanitizer != NULL) {
        sanitize_turn(vm);
    }
    if (__builtin_add_overflow(frame->index, frame->step, &frame->index)) {
        frame->index = frame->stop;
    }
    frame->block = body->root;
    frame->next = 0;
    return true;
}

static bool enter_loop(Vm *vm, const PtsRecordedLoop *loop, PtsError *error)
{
    if (vm->depth == VM_MAX_DEPTH) {
        return pts_fail(error, PTS_E_RUNTIME, "loops are nested deeper than %d", VM_MAX_DEPTH);
    }
    VmFrame *frame = &vm->frames[vm->depth];
    *frame = (VmFrame){.loop = loop, .body = loop->body};
    if (!vm_evaluate(vm, loop->loop.start, &frame->index, error) ||
        !vm_evaluate(vm, loop->loop.stop, &frame->stop, error) ||
        !vm_evaluate(vm, loop->loop.step, &frame->step, error)) {
        return false;
    }
    if (frame->step == 0) {
        return pts_fail(error, PTS_E_VALUE, "the step of loop %s is 0", loop->loop.name);
    }
    vm->depth++;
    if (vm->sanitizer != NULL && !sanitize_enter_loop(vm, error)) {
        return false;
    }
    return next_iteration(vm, error);
}

/* The block ended: takes its branch, or ends the path. */
static bool end_block(Vm *vm, const PtsBlock *block, PtsError *error)
{
    VmFrame *frame = &vm->frames[vm->depth - 1];
    if (block->condition == PTS_SYM_NONE) {
        return next_iteration(vm, error);
    }
    int64_t condition;
    if (!vm_evaluate(vm, block->condition, &condition, error)) {
        pts_error_at(error, block->condition_site);
        return false;
    }
    frame->block = condition != 0 ? block->if_true : block->if_false;
    frame->next = 0;
    return frame->block != PTS_NO_BLOCK || next_iteration(vm, error);
}

static bool run_blocks(Vm *vm, PtsError *error)
{
    vm->frames[0] = (VmFrame){.block = vm->program->bodies[0].root, .is_entered = true};
    vm->depth = 1;
    while (vm->depth > 0) {
        VmFrame *frame = &vm->frames[vm->depth - 1];
        const PtsBlock *block = &vm->program->blocks[frame->block];
        if (frame->next == block->count) {
            if (!end_block(vm, block, error)) {
                return false;
            }
            continue;
        }
        const PtsInstruction *instruction = block->instructions[frame->next++];
        bool ok = instruction->kind == PTS_INSTRUCTION_LOOP
                      ? enter_loop(vm, instruction->loop, error)
                      : vm_run_op(vm, instruction, error) && !is_cancelled(vm, error);
        if (!ok) {
            pts_error_at(error, instruction->site);
            return false;
        }
        if (vm->state->watch != NULL) {
            watch_op(vm->state->watch, vm, instruction);
        }
        for (const VmLastUse *use = instruction->code->last_uses; use != NULL; use = use->next) {
            rt_value_release(&vm->pool, &vm->slots[use->slot]);
        }
        if (vm->precision != NULL) {
            precision_release(vm, instruction);
        }
    }
    return true;
}

bool vm_run(Vm *vm, PtsError *error)
{
    return run_blocks(vm, error);
}
