/* Operations that compute over what holds no data. */
#include "model/error.h"
#include "sim/run_table.h"
#include "sim/sanitize_races.h"

#include <string.h>

/* What an operation reads of an operand. */
typedef enum Reading {
    READS_VALID,  /* its valid part, at most */
    READS_RESULT, /* what stands for the result's valid elements, as broadcasting has it */
    READS_DATA,   /* that depends on data, or is not known: it is tried out */
    READS_MEMORY, /* the memory behind it: not looked at */
} Reading;

static Reading reading_of(PtsOp op)
{
    static const struct {
        PtsKernel *kernel;
        Reading reading;
    } kernels[] = {
        {pts_run_elementwise, READS_RESULT},  {pts_run_cast, READS_RESULT},
        {pts_run_copy, READS_RESULT},         {pts_run_where, READS_RESULT},
        {pts_run_sum, READS_VALID},           {pts_run_extreme, READS_VALID},
        {pts_run_arg_extreme, READS_VALID},   {pts_run_transpose, READS_VALID},
        {pts_run_permute, READS_VALID},       {pts_run_pad, READS_VALID},
        {pts_run_paged_gather, READS_MEMORY}, {pts_run_scatter_update, READS_MEMORY},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (pts_run_table[op].kernel == kernels[i].kernel) {
            return kernels[i].reading;
        }
    }
    /* The K that is added up is the smaller one of both operands. */
    return op == PTS_OP_MATMUL ? READS_VALID : READS_DATA;
}

/* Is an operand of an element-wise operation shorter than the result where both have data? */
static bool is_short(const PtsTensor *operand, const PtsTensor *result)
{
    int shift = result->rank - operand->rank;
    int64_t count;
    if (!rt_element_count(result->rank, result->valid, &count) || count == 0) {
        return false;
    }
    for (int i = 0; i < operand->rank; i++) {
        int64_t wanted = i + shift < 0 || operand->shape[i] == 1 ? 1 : result->valid[i + shift];
        if (operand->valid[i] < wanted) {
            return true;
        }
    }
    return false;
}

static bool is_empty(const PtsTensor *tensor)
{
    int64_t count;
    return rt_element_count(tensor->rank, tensor->valid, &count) && count == 0;
}

/* May the operation read the operand beyond its valid part, or leave a part of a result unwritten
 * because the operand has no data there? */
static bool reads_beyond(const PtsInstruction *instruction, const RtValue *value,
                         const RtValue *results)
{
    const PtsTensor *operand = &value->tensor;
    Reading reading = reading_of(instruction->op);
    bool any = false; /* of the results has data */
    for (int i = 0; i < instruction->result_count; i++) {
        any = any || !is_empty(&results[i].tensor);
    }
    if (!any || reading == READS_MEMORY || rt_is_fully_valid(operand)) {
        return false;
    }
    return reading == READS_DATA || is_empty(operand) ||
           (reading == READS_RESULT && is_short(operand, &results[0].tensor));
}

bool sanitize_reads_memory(PtsOp op)
{
    return reading_of(op) == READS_MEMORY;
}

/* The part of an operand that the operation surely reads, as the region's valid part; false when it
 * is not known. */
static bool read_region(const PtsInstruction *instruction, int operand, const RtValue *value,
                        const RtValue *results, PtsTensor *region)
{
    bool by_index = instruction->op == PTS_OP_GATHER || instruction->op == PTS_OP_INDEX_SELECT;
    Reading reading = reading_of(instruction->op);
    *region = rt_tensor(value);
    if ((by_index && operand == 0) || (reading == READS_MEMORY && operand == 0)) {
        return false;
    }
    for (int i = 0; reading == READS_RESULT && i < region->rank; i++) {
        int axis = i + results[0].tensor.rank - region->rank;
        int64_t most = axis < 0 ? region->valid[i] : results[0].tensor.valid[axis];
        most = region->shape[i] == 1 ? 1 : most;
        region->valid[i] = region->valid[i] < most ? region->valid[i] : most;
    }
    return true;
}

/* What of the results depends on never-written elements of an operand. */
static bool trace_undefined(Vm *vm, const PtsInstruction *instruction, int operand,
                            const RtValue *value, RtValue *results, PtsError *error)
{
    uint32_t tags[SANITIZE_TAGS];
    PtsTensor region = rt_tensor(value);
    int count =
        sanitize_tags(value->buffer->shadow, &region, region.valid, value->buffer->data, tags);
    if (count > 0 && sanitize_is_index(instruction->op, operand)) {
        return sanitize_tell(vm, instruction, operand, value, &region, NULL, error);
    }
    for (int i = 0; i < count && reading_of(instruction->op) != READS_MEMORY; i++) {
        Dependence dependence = {operand, PTS_SANITIZE_INIT, tags[i], tags[i]};
        if (tags[i] == SHADOW_NEVER_WRITTEN) {
            dependence.cause =
                sanitize_cause(vm, instruction, operand, PTS_SANITIZE_INIT, value, &region);
        }
        if (dependence.cause == 0) {
            return pts_fail_memory(error);
        }
        if (!sanitize_depend(vm, instruction, &dependence, results, error)) {
            return false;
        }
    }
    return true;
}

static bool trace_padding(Vm *vm, const PtsInstruction *instruction, int operand,
                          const RtValue *value, RtValue *results, PtsError *error)
{
    PtsTensor region = rt_tensor(value);
    Dependence dependence = {operand, PTS_SANITIZE_BOUNDS, SHADOW_NEVER_WRITTEN, 0};
    dependence.cause =
        sanitize_cause(vm, instruction, operand, PTS_SANITIZE_BOUNDS, value, &region);
    return dependence.cause == 0 ? pts_fail_memory(error)
                                 : sanitize_depend(vm, instruction, &dependence, results, error);
}

bool sanitize_kernel(Vm *vm, const PtsInstruction *instruction, RtValue *results, PtsError *error)
{
    bool bounds = (vm->sanitizer->kinds & PTS_SANITIZE_BOUNDS) != 0;
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind != PTS_OPERAND_SLOT) {
            continue;
        }
        const RtValue *value = &vm->slots[instruction->operands[i].slot];
        PtsTensor region;
        if (value->races != NULL && vm->sanitizer->races != NULL &&
            read_region(instruction, i, value, results, &region) &&
            !races_read(vm, instruction, value, &region, error)) {
            return false;
        }
        if (value->buffer->shadow != NULL &&
            !trace_undefined(vm, instruction, i, value, results, error)) {
            return false;
        }
        if (bounds && reads_beyond(instruction, value, results) &&
            !trace_padding(vm, instruction, i, value, results, error)) {
            return false;
        }
    }
    return true;
}

/* ---- operations that change memory which others see ---- */

/* The operand whose elements are written, or added. */
static int source_of(const PtsInstruction *instruction)
{
    return instruction->op == PTS_OP_ATOMIC_ADD ? 0 : 2;
}

/* The tag that what is written from a source gets; 0 = it is data. False when memory ran out. */
static bool source_tag(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                       uint32_t *tag)
{
    uint32_t tags[SANITIZE_TAGS];
    PtsTensor region = rt_tensor(value);
    int count =
        sanitize_tags(value->buffer->shadow, &region, region.valid, value->buffer->data, tags);
    *tag = count > 0 ? tags[0] : 0;
    if (count > 0 && *tag == SHADOW_NEVER_WRITTEN) {
        *tag = sanitize_cause(vm, instruction, source_of(instruction), PTS_SANITIZE_INIT, value,
                              &region);
    }
    return count == 0 || *tag != 0;
}

bool sanitize_touch_begin(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                          Touch *touch, PtsError *error)
{
    *touch = (Touch){vm, instruction, target, 0, true, error};
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind != PTS_OPERAND_SLOT) {
            continue;
        }
        const RtValue *value = &vm->slots[instruction->operands[i].slot];
        PtsTensor region = rt_tensor(value);
        if (value->buffer->shadow == NULL || value->buffer == target->buffer) {
            continue;
        }
        if (sanitize_is_index(instruction->op, i) &&
            !sanitize_tell(vm, instruction, i, value, &region, NULL, error)) {
            return false;
        }
        if (i != source_of(instruction)) {
            continue;
        }
        PtsSlot root = pts_slot_root(vm->program, instruction->written);
        bool good = target->buffer->is_parameter
                        ? sanitize_tell(vm, instruction, i, value, &region,
                                        pts_slot_name(vm->program, root), error)
                        : source_tag(vm, instruction, value, &touch->tag) || pts_fail_memory(error);
        if (!good) {
            return false;
        }
    }
    return true;
}
