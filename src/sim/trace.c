/* The cost model: how long an operation's tiles take on the pipes of one core, and the events that
 * say so. Rates and the clock come from the hardware description. */
#include "sim/trace.h"
#include "sim/trace_record.h"

enum { MOST_TILES = 64 };
/* Vector units: a repeat handles 256 bytes; an instruction takes this long before its first result
 * and then one cycle a repeat (the value the product assumes for ops without a measured figure). */
static const double VECTOR_LATENCY = 10.0;
static const double REPEAT_BYTES = 256.0;
static const double FRACTAL_EDGE = 16.0;
static const double FRACTAL_BYTES = 32.0;

static double bytes_of(const PtsTensor *tensor)
{
    int64_t count;
    if (!rt_element_count(tensor->rank, tensor->valid, &count)) {
        return 0.0;
    }
    return (double)count * (double)pts_dtype_bytes(tensor->dtype);
}

static double result_elements(const PtsInstruction *instruction, int index)
{
    const VmResult *result = &instruction->code->results[index];
    int64_t count;
    return rt_element_count(instruction->results[index].rank, result->valid, &count) ? (double)count
                                                                                     : 0.0;
}

static double result_bytes(const PtsInstruction *instruction, int index)
{
    return result_elements(instruction, index) *
           (double)pts_dtype_bytes(instruction->results[index].dtype);
}

/* Tiles that the first result is cut into by the vector tile. */
static int64_t tile_count(const PtsInstruction *instruction)
{
    if (instruction->result_count == 0 || instruction->vector_tile_count == 0) {
        return 1;
    }
    const int64_t *valid = instruction->code->results[0].valid;
    int64_t tiles = 1;
    for (int i = 0; i < instruction->results[0].rank; i++) {
        int64_t tile = i < instruction->vector_tile_count ? instruction->vector_tile[i] : 1;
        int64_t along = valid[i] <= 0 || tile <= 0 ? 1 : (valid[i] + tile - 1) / tile;
        if (__builtin_mul_overflow(tiles, along, &tiles)) {
            return INT64_MAX;
        }
    }
    return tiles;
}

/* Bytes that come from global memory (operands in parameters' memory), and when all operands are
 * ready. A view of them loads nothing: whoever computes with it does. */
static double incoming(PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction,
                       double *earliest)
{
    double bytes = 0.0;
    *earliest = 0.0;
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind != PTS_OPERAND_SLOT) {
            continue;
        }
        double ready = trace_needs(trace, operand->slot);
        *earliest = ready > *earliest ? ready : *earliest;
        const RtValue *value = &vm->slots[operand->slot];
        /* A view over an edge is a copy: what it copied was loaded. */
        const RtBuffer *from = value->behind != NULL ? value->behind : value->buffer;
        if (from != NULL && from->is_parameter && operand->slot != instruction->written) {
            bytes += bytes_of(&value->tensor);
            if (!vm_is_data_op(instruction->op) || instruction->written != PTS_SLOT_NONE) {
                trace_window(trace, vm, value, false);
            }
        }
    }
    return bytes;
}

/* Cycles of a matrix product: one fractal of 16×16 with 32 bytes of k a cycle. */
static double cube_cycles(const Vm *vm, const PtsInstruction *instruction)
{
    const PtsTensor *a = &vm->slots[instruction->operands[0].slot].tensor;
    const int64_t *valid = instruction->code->results[0].valid;
    int rank = instruction->results[0].rank;
    if (a->rank < 2 || rank < 2) {
        return 0.0;
    }
    double k = (double)a->valid[a->rank - (instruction->code->attributes.a_trans ? 2 : 1)];
    double edge_k = FRACTAL_BYTES / (double)pts_dtype_bytes(a->dtype);
    double batches = 1.0;
    for (int i = 0; i < rank - 2; i++) {
        batches *= (double)valid[i];
    }
    double rows = (double)(int64_t)(((double)valid[rank - 2] + FRACTAL_EDGE - 1) / FRACTAL_EDGE);
    double columns = (double)(int64_t)(((double)valid[rank - 1] + FRACTAL_EDGE - 1) / FRACTAL_EDGE);
    double depth = (double)(int64_t)((k + edge_k - 1) / edge_k);
    return batches * rows * columns * depth;
}

static double matmul_flops(const Vm *vm, const PtsInstruction *instruction)
{
    const PtsTensor *a = &vm->slots[instruction->operands[0].slot].tensor;
    const int64_t *valid = instruction->code->results[0].valid;
    double flops =
        a->rank < 2
            ? 0
            : 2.0 * (double)a->valid[a->rank - (instruction->code->attributes.a_trans ? 2 : 1)];
    for (int i = 0; i < instruction->results[0].rank; i++) {
        flops *= (double)valid[i];
    }
    return flops;
}

static void trace_matmul(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    double earliest;
    double in = incoming(trace, vm, instruction, &earliest);
    trace->now.flops = matmul_flops(vm, instruction);
    trace->now.in_bytes = in;
    double loaded =
        in > 0 ? trace_put(trace, TRACE_MTE2, earliest, in / soc->rate_ddr, 1, in) : earliest;
    double bytes = bytes_of(&vm->slots[instruction->operands[0].slot].tensor);
    double staged = trace_put(trace, TRACE_MTE1, loaded, bytes / soc->rate_l1_l0a, 1, bytes);
    double computed = trace_put(trace, TRACE_CUBE, staged, cube_cycles(vm, instruction), 1, 0);
    bytes = result_bytes(instruction, 0);
    trace->now.kept_bytes = bytes;
    trace_done(trace, instruction,
               trace_put(trace, TRACE_FIXPIPE, computed, bytes / soc->rate_l0c_ub, 1, bytes));
}

static void trace_vector(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    double earliest;
    double in = incoming(trace, vm, instruction, &earliest);
    double out = 0.0;
    for (int i = 0; i < instruction->result_count; i++) {
        out += result_bytes(instruction, i);
    }
    trace->now.in_bytes = in;
    trace->now.kept_bytes = out;
    trace->now.flops = instruction->result_count > 0 ? result_elements(instruction, 0) : 0;
    int64_t tiles = tile_count(instruction);
    int64_t shown = tiles < MOST_TILES ? tiles : MOST_TILES;
    double done = earliest;
    for (int64_t tile = 0; tile < shown; tile++) {
        /* The last event stands for all tiles that are not shown by themselves. */
        int64_t count = tile + 1 < shown ? 1 : tiles - shown + 1;
        double share = (double)count / (double)tiles;
        double loaded = earliest;
        if (in > 0) {
            loaded = trace_put(trace, TRACE_MTE2, earliest, in * share / soc->rate_ddr, count,
                               in * share);
        }
        double repeats = out * share / REPEAT_BYTES;
        done = trace_put(trace, TRACE_VECTOR, loaded,
                         VECTOR_LATENCY * (double)count + (repeats > 1 ? repeats - 1 : 0), count,
                         out * share);
    }
    trace_done(trace, instruction, done);
}

static void trace_store(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    double earliest;
    incoming(trace, vm, instruction, &earliest);
    const RtValue *source = &vm->slots[instruction->operands[0].slot];
    bool to_memory = instruction->written < (PtsSlot)vm->program->parameter_count;
    if (instruction->operands[0].kind == PTS_OPERAND_SLOT && source->buffer != NULL && to_memory) {
        double bytes = bytes_of(&source->tensor);
        trace->now.out_bytes = bytes;
        trace_written(trace, vm, instruction);
        earliest = trace_put(trace, TRACE_MTE3, earliest, bytes / soc->rate_ub_ddr, 1, bytes);
    }
    trace_done(trace, instruction, earliest);
}

/* How long it takes, and on which pipes. */
static void trace_cost(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    if (instruction->op == PTS_OP_MATMUL || instruction->op == PTS_OP_SCALED_MM) {
        trace_matmul(trace, vm, instruction);
    } else if (instruction->written != PTS_SLOT_NONE) {
        trace_store(trace, vm, instruction);
    } else if (vm_is_data_op(instruction->op)) {
        double earliest;
        incoming(trace, vm, instruction, &earliest);
        trace_done(trace, instruction, earliest);
    } else {
        trace_vector(trace, vm, instruction);
    }
}

void trace_op(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind == PTS_OPERAND_SLOT && vm->slots[operand->slot].buffer == NULL &&
            operand->slot != instruction->written) {
            return; /* the run is about to fail */
        }
    }
    jmp_buf env;
    if (trace->failed || !OOM_GUARD(&trace->arena, env)) {
        trace->failed = true;
        return;
    }
    trace_begin(trace, vm, instruction);
    trace_cost(trace, vm, instruction);
    trace_end(trace);
}
