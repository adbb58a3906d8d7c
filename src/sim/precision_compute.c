/* Kernels in double: the twin's result, the one of the same operands, and what the comparison
 * says. */
#include "sim/precision.h"

#include "sim/vm_data.h"

#include <stdlib.h>
#include <string.h>

/* Once so many elements have been compared, an operation is compared in full at its first four
 * executions, at each thirty-second, and where its result is worse than its operands explain: one
 * iteration alone may be wrong. So the time stays in proportion. */
static const int64_t COMPARED_IN_ALL = INT64_C(1) << 18;
enum { ALWAYS_COMPARED = 4, COMPARED_EACH = 32 };
/* Of its operands: below it a difference or sum is noise. */
static const double NOISE = 1e-10;

/* The result of the run becomes the twin's. */
static bool take_result(Vm *twin, const PtsInstruction *instruction, int number,
                        const RtValue *real)
{
    const PtsTensor *form = &real->tensor;
    PtsError ignored;
    RtValue value;
    PtsDtype dtype = precision_has_double(form->dtype) ? PTS_DOUBLE : form->dtype;
    if (!rt_value_new(&twin->pool, dtype, form->rank, form->shape, form->valid,
                      !rt_is_fully_valid(form), &value, &ignored)) {
        return false;
    }
    PtsTensor from = rt_tensor(real);
    PtsTensor to = rt_tensor(&value);
    if (dtype == form->dtype) {
        rt_copy_region(&from, &to, to.valid);
    } else {
        precision_widen(&from, &to);
    }
    vm_set(twin, instruction->results[number].slot, value);
    return true;
}

/* topk: the twin's values at the run's indices. */
static bool pick_values(Vm *twin, const PtsInstruction *instruction, const RtValue *real)
{
    PtsError ignored;
    const RtValue *source = vm_read(twin, instruction->operands[0].slot, &ignored);
    if (source == NULL || instruction->result_count < 2 ||
        !take_result(twin, instruction, 0, &real[0]) ||
        !take_result(twin, instruction, 1, &real[1])) {
        return false;
    }
    PtsTensor from = rt_tensor(source);
    PtsTensor values = rt_tensor(&twin->slots[instruction->results[0].slot]);
    PtsTensor indices = rt_tensor(&twin->slots[instruction->results[1].slot]);
    int last = values.rank - 1;
    int64_t index[PTS_MAX_RANK] = {0};
    int64_t count = 0;
    rt_element_count(values.rank, values.valid, &count);
    for (int64_t i = 0; i < count; i++) {
        int64_t place = 0, inside = 0;
        for (int axis = 0; axis <= last; axis++) {
            place += index[axis] * values.stride[axis];
            inside += axis < last ? index[axis] * from.stride[axis] : 0;
        }
        int64_t at = pts_load_integer(
            (char *)indices.data + place * (int64_t)pts_dtype_bytes(indices.dtype), indices.dtype);
        if (at >= 0 && at < from.shape[last]) {
            ((double *)values.data)[place] =
                ((const double *)from.data)[inside + at * from.stride[last]];
        }
        for (int axis = last; axis >= 0 && ++index[axis] == values.valid[axis]; axis--) {
            index[axis] = 0;
        }
    }
    return true;
}

/* Operations that only move elements add nothing. */
static bool only_moves(PtsOp op)
{
    static const PtsOp ops[] = {PTS_OP_CLONE,        PTS_OP_TRANSPOSE,    PTS_OP_PERMUTE,
                                PTS_OP_EXPAND_CLONE, PTS_OP_CONCAT,       PTS_OP_TRIL,
                                PTS_OP_TRIU,         PTS_OP_INTERLEAVE,   PTS_OP_GATHER,
                                PTS_OP_DEINTERLEAVE, PTS_OP_INDEX_SELECT, PTS_OP_GATHERMASK,
                                PTS_OP_SCATTER,      PTS_OP_TOPK,         PTS_OP_NOP,
                                PTS_OP_GATHER_IN_UB, PTS_OP_GATHER_IN_L1};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (ops[i] == op) {
            return true;
        }
    }
    return false;
}

/* The operation in double, with the operands that the run had. */
typedef struct OwnRun {
    RtValue operands[VM_WIDE_OPERANDS], results[PTS_MAX_RESULTS];
    PtsTensor tensors[VM_WIDE_OPERANDS], result_tensors[PTS_MAX_RESULTS];
    PtsKernelOperand call_operands[VM_WIDE_OPERANDS];
    bool has_run;
} OwnRun;

static bool widen_operand(Vm *twin, const PtsTensor *from, OwnRun *own, int number)
{
    PtsError ignored;
    RtValue *value = &own->operands[number];
    if (!rt_value_new(&twin->pool, PTS_DOUBLE, from->rank, from->shape, from->valid,
                      !rt_is_fully_valid(from), value, &ignored)) {
        return false;
    }
    own->tensors[number] = rt_tensor(value);
    precision_widen(from, &own->tensors[number]);
    own->call_operands[number].tensor = &own->tensors[number];
    return true;
}

static bool run_own(Vm *twin, const PtsInstruction *instruction, const PtsKernelCall *real,
                    OwnRun *own)
{
    PtsError ignored;
    PtsKernelCall call = {.op = instruction->op,
                          .operand_count = instruction->operand_count,
                          .operands = own->call_operands,
                          .attributes = &instruction->code->attributes,
                          .result_count = instruction->result_count,
                          .threads = twin->threads};
    for (int i = 0; i < instruction->operand_count && i < VM_WIDE_OPERANDS; i++) {
        const PtsTensor *from = real->operands[i].tensor;
        own->call_operands[i] = instruction->code->operands[i];
        if (from == NULL) {
            continue;
        }
        own->call_operands[i].tensor = from;
        if (precision_has_double(from->dtype) && !widen_operand(twin, from, own, i)) {
            return false;
        }
    }
    for (int i = 0; i < instruction->result_count; i++) {
        const PtsTensor *form = real->results[i];
        if (!rt_value_new(&twin->pool, instruction->results[i].dtype, form->rank, form->shape,
                          form->valid, !rt_is_fully_valid(form), &own->results[i], &ignored)) {
            return false;
        }
        own->result_tensors[i] = rt_tensor(&own->results[i]);
        call.results[i] = &own->result_tensors[i];
    }
    if (!vm_reserve_scratch(twin, pts_kernel_scratch(&call), &ignored)) {
        return false;
    }
    call.scratch = twin->scratch;
    return pts_kernel_run(&call, &ignored);
}

static void release_own(Vm *twin, OwnRun *own)
{
    for (int i = 0; i < VM_WIDE_OPERANDS; i++) {
        rt_value_release(&twin->pool, &own->operands[i]);
    }
    for (int i = 0; i < PTS_MAX_RESULTS; i++) {
        rt_value_release(&twin->pool, &own->results[i]);
    }
}

/* Exponentials: beyond the range of double, too, when the operands are finite. */
static bool overflows_in_double(const PtsInstruction *instruction, const PrecisionEvent *event,
                                const PtsKernelOperand *operands)
{
    PtsOp op = instruction->op;
    bool grows = op == PTS_OP_EXP || op == PTS_OP_EXP2 || op == PTS_OP_EXPM1 || op == PTS_OP_SINH ||
                 op == PTS_OP_COSH || op == PTS_OP_EXPAND_EXP_DIF;
    bool finite = grows && event->own.both_not_finite > 0;
    for (int i = 0; finite && i < instruction->operand_count; i++) {
        const PtsTensor *tensor = operands[i].tensor;
        finite = tensor == NULL || tensor->dtype != PTS_DOUBLE || precision_is_finite(tensor);
    }
    return finite;
}

static int64_t terms_of(const PtsInstruction *instruction, const PtsKernelCall *call)
{
    PtsOp op = instruction->op;
    int64_t results = precision_elements(call->results[0]);
    const PtsTensor *operand = call->operands[0].tensor;
    if (op == PTS_OP_CUMSUM) {
        return operand->shape[call->attributes->dim];
    }
    bool adds = op == PTS_OP_SUM || op == PTS_OP_VAR;
    return adds && results > 0 ? precision_elements(operand) / results : 0;
}

/* Cast to integers: elements that the dtype cannot hold. */
static void look_for_clipping(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                              PrecisionEvent *event)
{
    Vm *twin = vm->precision->twin;
    OwnRun own = {.has_run = false};
    const PtsTensor *from = call->operands[0].tensor;
    if (instruction->op == PTS_OP_CAST && from != NULL && precision_has_double(from->dtype) &&
        widen_operand(twin, from, &own, 0)) {
        event->clipped = precision_clipped(call->results[0], &own.tensors[0], &event->own.error);
    }
    release_own(twin, &own);
}

/* One result was taken from the run: it has the errors of its operands. */
static bool account_taken(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                          int number, bool has_form, const PrecisionState *operands)
{
    PrecisionRun *run = vm->precision;
    const PtsResult *result = &instruction->results[number];
    PrecisionState *state = precision_state(vm, result->slot);
    PrecisionEvent event;
    *state = *operands;
    bool casts = call != NULL && instruction->op == PTS_OP_CAST;
    if (has_form && !casts) {
        return true;
    }
    if (!precision_event(vm, instruction, result->dtype, &event)) {
        return false;
    }
    if (!has_form) {
        run->report->rows[event.row].seen.flags |= PTS_PRECISION_NO_DOUBLE;
        run->report->rows[event.row].seen.executions++;
        return true;
    }
    look_for_clipping(vm, instruction, call, &event);
    if (event.clipped > 0) {
        event.total.error = event.own.error > state->total ? event.own.error : state->total;
        event.total.scale = state->scale;
        event.total.single = state->single;
        precision_account(run->report, &event, state);
    }
    return true;
}

static bool take_all(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                     const RtValue *results, bool has_form)
{
    PrecisionState operands = precision_operands(vm, instruction);
    for (int i = 0; i < instruction->result_count; i++) {
        if (!take_result(vm->precision->twin, instruction, i, &results[i]) ||
            !account_taken(vm, instruction, call, i, has_form, &operands)) {
            return false;
        }
    }
    return true;
}

static bool account_results(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                            const RtValue *results, const OwnRun *own)
{
    PrecisionRun *run = vm->precision;
    const PtsInstruction *twin = run->copy.twins[instruction->code->number];
    PrecisionState operands = precision_operands(vm, instruction);
    for (int i = 0; i < instruction->result_count; i++) {
        const PtsResult *result = &instruction->results[i];
        PrecisionEvent event;
        PrecisionState *state = precision_state(vm, result->slot);
        *state = operands;
        if (!precision_has_double(result->dtype)) {
            continue;
        }
        if (!precision_event(vm, instruction, result->dtype, &event)) {
            return false;
        }
        PtsTensor real = rt_tensor(&results[i]);
        PtsTensor doubles = rt_tensor(&run->twin->slots[result->slot]);
        double floor = precision_is_additive(instruction->op) ? operands.scale * NOISE : 0;
        event.total = precision_measure(&real, &doubles, floor);
        if (own->has_run) {
            event.own = precision_measure(&real, &own->result_tensors[i], floor);
        } else if (!only_moves(instruction->op)) {
            event.own = event.total; /* the operands are those of the twin */
        }
        event.terms = terms_of(instruction, call);
        event.overflows_in_double = overflows_in_double(
            instruction, &event, own->has_run ? own->call_operands : twin->code->operands);
        precision_account(run->report, &event, state);
    }
    return true;
}

/* Are the operands of the run those of the twin? */
static bool same_operands(const Vm *vm, const PtsInstruction *instruction)
{
    bool same = instruction->wide_operands == 0;
    for (int i = 0; i < instruction->operand_count && same; i++) {
        same = instruction->operands[i].kind != PTS_OPERAND_SLOT ||
               precision_state(vm, instruction->operands[i].slot)->total <= 0;
    }
    return same;
}

static bool is_passed_over(PrecisionRun *run, const PtsInstruction *instruction,
                           const PtsKernelCall *call)
{
    uint32_t turn = run->turns[instruction->code->number]++;
    int64_t *compared = &run->report->compared;
    if (*compared > COMPARED_IN_ALL && turn >= ALWAYS_COMPARED && turn % COMPARED_EACH != 0) {
        return true;
    }
    *compared += precision_elements(call->results[0]);
    return false;
}

/* Is a result much worse than the operands, and beyond a part of the tolerance? */
static bool is_striking(const Vm *vm, const PtsInstruction *instruction, const RtValue *results,
                        const PrecisionState *operands)
{
    static const double part = 0.25, much = 2;
    const PrecisionRun *run = vm->precision;
    double floor = precision_is_additive(instruction->op) ? operands->scale * NOISE : 0;
    for (int i = 0; i < instruction->result_count; i++) {
        const PtsResult *result = &instruction->results[i];
        if (precision_has_double(result->dtype)) {
            PtsTensor real = rt_tensor(&results[i]);
            PtsTensor doubles = rt_tensor(&run->twin->slots[result->slot]);
            double bound =
                much * operands->total + part * precision_tolerance(run->report, result->dtype);
            if (!precision_is_near(&real, &doubles, floor, bound) &&
                precision_measure(&real, &doubles, floor).error > bound) {
                return true;
            }
        }
    }
    return false;
}

static bool compute(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                    const RtValue *results)
{
    PrecisionRun *run = vm->precision;
    Vm *twin = run->twin;
    PtsInstruction *other = run->copy.twins[instruction->code->number];
    PrecisionForm form = call == NULL ? PRECISION_NONE : precision_form(instruction);
    PtsError ignored;
    if (form == PRECISION_CHOICE || form == PRECISION_NONE) {
        return take_all(vm, instruction, call, results, form == PRECISION_CHOICE);
    }
    if (instruction->op == PTS_OP_CAST) { /* doubles stay doubles; what a slot holds shows now */
        PtsDtype from = twin->slots[other->operands[0].slot].tensor.dtype;
        other->op = from == PTS_DOUBLE ? PTS_OP_CLONE : PTS_OP_CAST;
    }
    bool good = form == PRECISION_PICK ? pick_values(twin, instruction, results)
                                       : vm_run_op(twin, other, &ignored);
    if (!good) {
        return take_all(vm, instruction, call, results, false);
    }
    if (is_passed_over(run, instruction, call)) {
        PrecisionState operands = precision_operands(vm, instruction);
        if (!is_striking(vm, instruction, results, &operands)) {
            for (int i = 0; i < instruction->result_count; i++) {
                *precision_state(vm, instruction->results[i].slot) = operands;
            }
            return true;
        }
    }
    OwnRun own = {.has_run = false};
    bool wants_own = !only_moves(instruction->op) && !same_operands(vm, instruction);
    own.has_run = wants_own && run_own(twin, other, call, &own);
    good = (!wants_own || own.has_run) && account_results(vm, instruction, call, results, &own);
    release_own(twin, &own);
    return good;
}

void precision_computed(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                        const RtValue *results)
{
    if (!vm->precision->lost && !compute(vm, instruction, call, results)) {
        precision_lose(vm->precision);
    }
}
