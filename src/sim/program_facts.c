/* What a program will do, without running it. */
#include "model/op_table.h"
#include "sim/vm.h"

/* Operations of these classes move, convert or fill; they compute nothing. */
static const bool moves[PTS_CLASS_COUNT] = {
    [PTS_CLASS_VIEW] = true,    [PTS_CLASS_VIEW_TYPE] = true, [PTS_CLASS_MOVE] = true,
    [PTS_CLASS_RESHAPE] = true, [PTS_CLASS_UNSQUEEZE] = true, [PTS_CLASS_TRANSPOSE] = true,
    [PTS_CLASS_PERMUTE] = true, [PTS_CLASS_EXPAND] = true,    [PTS_CLASS_CONCAT] = true,
    [PTS_CLASS_PAD] = true,     [PTS_CLASS_FILLPAD] = true,   [PTS_CLASS_FULL] = true,
    [PTS_CLASS_CAST] = true,    [PTS_CLASS_NOP] = true,       [PTS_CLASS_INTERLEAVE] = true,
};

static bool computes(const PtsInstruction *instruction)
{
    PtsOp op = instruction->op;
    return instruction->kind == PTS_INSTRUCTION_OP && op != PTS_OP_ASSEMBLE && op != PTS_OP_CLONE &&
           !moves[pts_op_table[op].kind];
}

/* What is written through may be a view of any parameter. */
static bool may_write(const PtsProgram *program, const PtsInstruction *instruction, int parameter)
{
    PtsSlot written = instruction->written;
    if (instruction->kind != PTS_INSTRUCTION_OP || written == PTS_SLOT_NONE) {
        return false;
    }
    bool is_view = written >= (PtsSlot)program->parameter_count && !vm_is_data_op(instruction->op);
    return written == (PtsSlot)parameter || is_view;
}

bool pts_program_computes(const PtsProgram *program)
{
    for (uint32_t block = 0; block < program->block_count; block++) {
        for (uint32_t i = 0; i < program->blocks[block].count; i++) {
            if (computes(program->blocks[block].instructions[i])) {
                return true;
            }
        }
    }
    return false;
}

bool pts_program_writes(const PtsProgram *program, int parameter)
{
    for (uint32_t block = 0; block < program->block_count; block++) {
        for (uint32_t i = 0; i < program->blocks[block].count; i++) {
            if (may_write(program, program->blocks[block].instructions[i], parameter)) {
                return true;
            }
        }
    }
    return false;
}
