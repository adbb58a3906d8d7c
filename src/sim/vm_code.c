/* Preparing instructions: constants are evaluated and converted once, so that an iteration only
 * evaluates what really is symbolic. */
#include "model/error.h"
#include "sim/vm.h"

#include <string.h>

static bool is_constant(const PtsProgram *program, PtsSym sym, int64_t *value)
{
    return sym == PTS_SYM_NONE || pts_sym_value(program->context, sym, value);
}

/* Fills what is constant of a list; false when something is not. */
static bool constant_list(const PtsProgram *program, int count, const PtsSym *syms, int64_t *values)
{
    bool all = true;
    for (int i = 0; i < count; i++) {
        values[i] = 0;
        all = is_constant(program, syms[i], &values[i]) && all;
    }
    return all;
}

/* A negative axis counts from the end of the first tensor operand. */
static int plain_axis(int axis, int rank)
{
    return axis < 0 ? axis + rank : axis;
}

static int first_operand_rank(const PtsProgram *program, const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SLOT) {
            return program->slots[instruction->operands[i].slot].rank;
        }
    }
    return instruction->result_count > 0 ? instruction->results[0].rank : 0;
}

#define COPY(kind, type, name, none) .name = from->name,

static void compile_attributes(const PtsProgram *program, const PtsInstruction *instruction)
{
    const PtsAttributes *from = instruction->attributes;
    from = from == NULL ? &PTS_ATTRIBUTES : from;
    int rank = first_operand_rank(program, instruction);
    PtsKernelAttributes *to = &instruction->code->attributes;
    *to = (PtsKernelAttributes){
        PTS_SCALAR_ATTRIBUTES(COPY).shape_rank = from->shape_rank,
        .offset_rank = from->offset_rank,
    };
    to->dim = plain_axis(from->dim, rank);
    to->dim1 = plain_axis(from->dim1, rank);
    bool splits = instruction->op == PTS_OP_MATMUL || instruction->op == PTS_OP_SCALED_MM;
    if (splits && instruction->cube_tile != NULL) {
        const int64_t *k = instruction->cube_tile->k;
        to->split_k = instruction->cube_tile->split_k;
        to->split_k_size = k[1] < k[2] ? k[1] : k[2];
    }
    bool constant = constant_list(program, from->shape_rank, from->shape, to->shape);
    constant = constant_list(program, from->offset_rank, from->offsets, to->offsets) && constant;
    constant = is_constant(program, from->diagonal, &to->diagonal) && constant;
    instruction->code->attributes_constant = constant;
}

static void compile_result(const PtsProgram *program, const PtsResult *from, VmResult *to)
{
    bool constant = constant_list(program, from->rank, from->shape, to->shape);
    to->is_constant = constant_list(program, from->rank, from->valid, to->valid) && constant;
}

/* The dtype that a plain number takes: a scalar of where, clip and lrelu is F32 when it is real;
 * else that of the first tensor, or of the result. */
static PtsDtype number_dtype(const PtsProgram *program, const PtsInstruction *instruction,
                             bool is_real)
{
    PtsDtype dtype = PTS_FP32;
    bool found = false;
    for (int i = 0; i < instruction->operand_count && !found; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind == PTS_OPERAND_SLOT) {
            dtype = program->slots[operand->slot].dtype;
            found = dtype != PTS_BOOL; /* the condition of where */
        }
    }
    if (!found && instruction->result_count > 0) {
        dtype = instruction->results[0].dtype;
    }
    return is_real && !pts_dtype_is_float(dtype) ? PTS_FP32 : dtype;
}

static PtsElement number(PtsDtype dtype, bool is_real, const PtsElement *value)
{
    PtsElement element = {.dtype = dtype};
    double real = is_real ? value->real : (double)value->integer;
    if (pts_dtype_is_float(dtype)) {
        element.real = real;
        element.integer = is_real ? 0 : value->integer;
    } else {
        element.integer = value->integer;
        element.real = real;
    }
    return element;
}

static void compile_operand(const PtsProgram *program, const PtsInstruction *instruction, int index)
{
    const PtsOperand *from = &instruction->operands[index];
    PtsKernelOperand *to = &instruction->code->operands[index];
    to->is_given = from->kind != PTS_OPERAND_NONE;
    switch (from->kind) {
    case PTS_OPERAND_SLOT:
        to->tensor = &instruction->code->tensors[index];
        break;
    case PTS_OPERAND_INT:
    case PTS_OPERAND_FLOAT: {
        bool is_real = from->kind == PTS_OPERAND_FLOAT;
        to->element = number(number_dtype(program, instruction, is_real), is_real, &from->element);
        break;
    }
    case PTS_OPERAND_ELEMENT:
        to->element = from->element;
        break;
    case PTS_OPERAND_SYM:
        to->element.dtype = number_dtype(program, instruction, false);
        break;
    case PTS_OPERAND_UNKNOWN: /* partial programs, which are never run */
    case PTS_OPERAND_NONE:
        break;
    }
}

static void compile_instruction(PtsProgram *program, PtsInstruction *instruction, uint32_t number)
{
    Arena *arena = &program->arena;
    VmCode *code = ARENA_NEW(arena, VmCode);
    instruction->code = code;
    code->number = number;
    size_t operands = (size_t)instruction->operand_count;
    code->operands = ARENA_ARRAY(arena, PtsKernelOperand, operands + 1);
    code->tensors = ARENA_ARRAY(arena, PtsTensor, operands + 1);
    code->results = ARENA_ARRAY(arena, VmResult, (size_t)instruction->result_count + 1);
    compile_attributes(program, instruction);
    program->writes_through = program->writes_through || (instruction->kind == PTS_INSTRUCTION_OP &&
                                                          instruction->written != PTS_SLOT_NONE &&
                                                          !vm_is_data_op(instruction->op));
    if (instruction->written != PTS_SLOT_NONE) {
        PtsSlotRecord *slots = program->slots;
        slots[instruction->written].is_output = true;
        if (slots[instruction->written].base != PTS_SLOT_NONE) {
            slots[slots[instruction->written].base].is_output = true;
        }
    }
    for (int i = 0; i < instruction->operand_count; i++) {
        compile_operand(program, instruction, i);
    }
    for (int i = 0; i < instruction->result_count; i++) {
        compile_result(program, &instruction->results[i], &code->results[i]);
    }
}

bool vm_compile(PtsProgram *program, PtsError *error)
{
    if (program->compiled) {
        return true;
    }
    jmp_buf env;
    if (!OOM_GUARD(&program->arena, env)) {
        program->arena.guard = NULL;
        return pts_fail_memory(error);
    }
    uint32_t number = 0;
    for (uint32_t block = 0; block < program->block_count; block++) {
        for (uint32_t i = 0; i < program->blocks[block].count; i++) {
            compile_instruction(program, program->blocks[block].instructions[i], number++);
        }
    }
    program->arena.guard = NULL;
    if (!vm_find_last_uses(program)) {
        return pts_fail_memory(error);
    }
    program->compiled = true;
    return true;
}

bool vm_evaluate(Vm *vm, PtsSym sym, int64_t *value, PtsError *error)
{
    if (sym == PTS_SYM_NONE) {
        *value = 0;
        return true;
    }
    return pts_sym_evaluate(vm->symbols, sym, &vm->values, value, error);
}

static bool evaluate_list(Vm *vm, int count, const PtsSym *syms, int64_t *values, PtsError *error)
{
    for (int i = 0; i < count; i++) {
        if (!vm_evaluate(vm, syms[i], &values[i], error)) {
            return false;
        }
    }
    return true;
}

bool vm_evaluate_attributes(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    VmCode *code = instruction->code;
    if (code->attributes_constant) {
        return true;
    }
    const PtsAttributes *from = instruction->attributes;
    PtsKernelAttributes *to = &code->attributes;
    return evaluate_list(vm, from->shape_rank, from->shape, to->shape, error) &&
           evaluate_list(vm, from->offset_rank, from->offsets, to->offsets, error) &&
           vm_evaluate(vm, from->diagonal, &to->diagonal, error);
}

bool vm_evaluate_result(Vm *vm, const PtsInstruction *instruction, int index, PtsError *error)
{
    VmResult *to = &instruction->code->results[index];
    const PtsResult *from = &instruction->results[index];
    return to->is_constant || (evaluate_list(vm, from->rank, from->shape, to->shape, error) &&
                               evaluate_list(vm, from->rank, from->valid, to->valid, error));
}
