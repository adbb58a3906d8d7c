/* The twin's program: a copy in which floating-point tensors and constants are DOUBLE. */
#include "sim/precision.h"

#include "model/dtype_kind.h"

#include <stdlib.h>
#include <string.h>

bool precision_has_double(PtsDtype dtype)
{
    return dtype == PTS_FP16 || dtype == PTS_BF16 || dtype == PTS_FP32 || dtype == PTS_DOUBLE;
}

/* Steps: a shadow that lies just beyond one would differ by a whole step, which says nothing about
 * the precision of the kernel. */
static bool is_step(PtsOp op)
{
    return op == PTS_OP_ROUND || op == PTS_OP_FLOOR || op == PTS_OP_CEIL || op == PTS_OP_TRUNC ||
           op == PTS_OP_SIGN || op == PTS_OP_FLOOR_DIV || op == PTS_OP_FMOD ||
           op == PTS_OP_REMAINDER || op == PTS_OP_CEIL_DIV;
}

/* Their kernels know F32 only, pack integers into floating-point elements, or draw numbers. */
static bool has_no_double(PtsOp op)
{
    static const PtsOp ops[] = {PTS_OP_UNIFORM,        PTS_OP_NORMAL,
                                PTS_OP_SORT32,         PTS_OP_MRGSORT,
                                PTS_OP_QUANTIZE,       PTS_OP_DEQUANTIZE,
                                PTS_OP_QUANT_MX,       PTS_OP_SCALED_MM,
                                PTS_OP_ONLINE_SOFTMAX, PTS_OP_ONLINE_SOFTMAX_UPDATE,
                                PTS_OP_CONV,           PTS_OP_VIEW_TYPE};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (ops[i] == op) {
            return true;
        }
    }
    return false;
}

PrecisionForm precision_form(const PtsInstruction *instruction)
{
    bool any = instruction->result_count == 0;
    for (int i = 0; i < instruction->result_count; i++) {
        any = any || precision_has_double(instruction->results[i].dtype);
    }
    if (!any || is_step(instruction->op)) {
        return PRECISION_CHOICE;
    }
    if (instruction->op == PTS_OP_TOPK) {
        return PRECISION_PICK;
    }
    return has_no_double(instruction->op) ? PRECISION_NONE : PRECISION_SAME;
}

static PtsDtype twin_dtype(PtsDtype dtype)
{
    return precision_has_double(dtype) ? PTS_DOUBLE : dtype;
}

static const PtsAttributes *copy_attributes(Arena *arena, const PtsAttributes *from)
{
    if (from == NULL || !precision_has_double(from->dtype)) {
        return from;
    }
    PtsAttributes *attributes = ARENA_NEW(arena, PtsAttributes);
    *attributes = *from;
    attributes->dtype = PTS_DOUBLE;
    return attributes;
}

static PtsInstruction *copy_instruction(Arena *arena, const PtsInstruction *from)
{
    PtsInstruction *to = ARENA_NEW(arena, PtsInstruction);
    PtsResult *results = ARENA_ARRAY(arena, PtsResult, (size_t)from->result_count + 1);
    PtsOperand *operands = ARENA_ARRAY(arena, PtsOperand, (size_t)from->operand_count + 1);
    *to = *from;
    for (int i = 0; i < from->result_count; i++) {
        results[i] = from->results[i];
        results[i].dtype = twin_dtype(results[i].dtype);
    }
    for (int i = 0; i < from->operand_count; i++) {
        operands[i] = from->operands[i];
        operands[i].element.dtype = twin_dtype(operands[i].element.dtype);
    }
    to->results = results;
    to->operands = operands;
    to->attributes = copy_attributes(arena, from->attributes);
    to->wide_operands = 0;
    to->keeps_wide = false;
    to->cube_tile = NULL; /* partial sums matter for rounding only */
    return to;
}

typedef struct Copy {
    const PtsProgram *from;
    PrecisionProgram *to;
} Copy;

static void copy_program(void *argument)
{
    const Copy *copy = argument;
    const PtsProgram *from = copy->from;
    PtsProgram *to = &copy->to->program;
    Arena *arena = &to->arena;
    to->slots = ARENA_ARRAY(arena, PtsSlotRecord, (size_t)from->slot_count + 1);
    to->blocks = ARENA_ARRAY(arena, PtsBlock, (size_t)from->block_count + 1);
    for (uint32_t i = 0; i < from->slot_count; i++) {
        to->slots[i] = from->slots[i];
        to->slots[i].dtype = twin_dtype(from->slots[i].dtype);
    }
    for (uint32_t i = 0; i < from->block_count; i++) {
        copy->to->count += from->blocks[i].count;
    }
    copy->to->twins = ARENA_ARRAY(arena, PtsInstruction *, (size_t)copy->to->count + 1);
    for (uint32_t i = 0; i < from->block_count; i++) {
        const PtsBlock *block = &from->blocks[i];
        to->blocks[i] = *block;
        to->blocks[i].instructions = ARENA_ARRAY(arena, PtsInstruction *, (size_t)block->count + 1);
        for (uint32_t j = 0; j < block->count; j++) {
            PtsInstruction *twin = copy_instruction(arena, block->instructions[j]);
            to->blocks[i].instructions[j] = twin;
            copy->to->twins[block->instructions[j]->code->number] = twin;
        }
    }
}

bool precision_program_make(const PtsProgram *from, PrecisionProgram *to)
{
    PtsError ignored;
    *to = (PrecisionProgram){.program = *from};
    PtsProgram *program = &to->program;
    arena_init(&program->arena, 0);
    program->diagnostics = NULL; /* what it would find, the run finds */
    program->outputs = NULL;
    program->race_facts = NULL;
    program->release_run = NULL;
    program->compiled = false;
    Copy copy = {from, to};
    return arena_try(&program->arena, copy_program, &copy) && vm_compile(program, &ignored);
}

void precision_program_free(PrecisionProgram *copy)
{
    arena_free(&copy->program.arena);
    copy->twins = NULL;
}
