/* Chains of 16-bit operations: values that stay in F32 between them (chain.c). */
#include "model/error.h"
#include "sim/vm.h"

#include <string.h>

/* The pattern of memory without data, as F32: widening the 16-bit pattern gives it. */
static const float *poison_of(PtsDtype dtype)
{
    static const uint32_t half = 0x7FCB4000, bfloat = 0x7FDA0000;
    return (const float *)(const void *)(dtype == PTS_FP16 ? &half : &bfloat);
}

/* Describes F32 memory as a tensor of the same shape. */
static void describe(PtsTensor *tensor, RtBuffer *memory)
{
    tensor->dtype = PTS_FP32;
    tensor->data = tensor->storage = memory->data;
    tensor->storage_elements = memory->bytes / 4;
    rt_dense_strides(tensor->rank, tensor->shape, tensor->stride);
}

static RtBuffer *new_wide(Vm *vm, const PtsTensor *like, PtsError *error)
{
    int64_t count = 0;
    rt_element_count(like->rank, like->shape, &count);
    return rt_buffer_new(&vm->pool, count * 4, error);
}

/* The kernels of these only move elements of one type. */
static bool needs_one_type(PtsOp op)
{
    return op == PTS_OP_TRIL || op == PTS_OP_TRIU || op == PTS_OP_INDEX_ADD_;
}

/* A 16-bit operand, converted as a whole. */
static bool widen_operand(Vm *vm, PtsTensor *tensor, RtValue *temporary, PtsError *error)
{
    RtValue dense = {.declared = PTS_SLOT_NONE};
    int64_t count = 0;
    rt_element_count(tensor->rank, tensor->shape, &count);
    if (!rt_value_new(&vm->pool, tensor->dtype, tensor->rank, tensor->shape, tensor->valid, false,
                      &dense, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(&dense);
    rt_copy_region(tensor, &to, tensor->shape);
    bool ok = rt_value_new(&vm->pool, PTS_FP32, tensor->rank, tensor->shape, tensor->valid, false,
                           temporary, error) &&
              pts_convert(to.data, to.dtype, temporary->buffer->data, PTS_FP32, (size_t)count, 1, 1,
                          error);
    rt_value_release(&vm->pool, &dense);
    if (ok) {
        describe(tensor, temporary->buffer);
    }
    return ok;
}

static bool widen_operands(Vm *vm, const PtsInstruction *instruction, bool all, RtValue *temporary,
                           PtsError *error)
{
    for (int i = 0; i < instruction->operand_count && i < VM_WIDE_OPERANDS; i++) {
        if (instruction->operands[i].kind != PTS_OPERAND_SLOT) {
            continue;
        }
        PtsTensor *tensor = &instruction->code->tensors[i];
        RtBuffer *wide = vm->slots[instruction->operands[i].slot].wide;
        bool is_16 = tensor->dtype == PTS_FP16 || tensor->dtype == PTS_BF16;
        if ((instruction->wide_operands >> i & 1) != 0 && wide != NULL) {
            describe(tensor, wide);
        } else if (all && is_16 && !widen_operand(vm, tensor, &temporary[i], error)) {
            return false;
        }
    }
    return true;
}

bool vm_widen(Vm *vm, const PtsInstruction *instruction, RtValue *results, PtsTensor *tensors,
              RtValue *temporary, PtsError *error)
{
    PtsDtype dtype = instruction->result_count > 0 ? results[0].tensor.dtype : PTS_BOTTOM;
    bool all = needs_one_type(instruction->op);
    bool keeps = (instruction->keeps_wide || all) && (dtype == PTS_FP16 || dtype == PTS_BF16);
    if (!widen_operands(vm, instruction, all, temporary, error)) {
        return false;
    }
    if (!keeps) {
        return true;
    }
    RtBuffer *wide = new_wide(vm, &tensors[0], error);
    if (wide == NULL) {
        return false;
    }
    results[0].wide = wide;
    if (!rt_is_fully_valid(&tensors[0]) || !vm_operands_are_whole(instruction)) {
        for (int64_t at = 0; at + 4 <= wide->bytes; at += 4) {
            memcpy(wide->data + at, poison_of(dtype), 4);
        }
    }
    describe(&tensors[0], wide);
    return true;
}

bool vm_round(Vm *vm, RtValue *result, PtsError *error)
{
    (void)vm;
    PtsTensor tensor = rt_tensor(result);
    return pts_convert(result->wide->data, PTS_FP32, tensor.data, tensor.dtype,
                       (size_t)(result->wide->bytes / 4), 1, 1, error);
}
