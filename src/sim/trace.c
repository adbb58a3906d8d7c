/* The cost model: how long an operation's tiles take on the pipes of one core, and the events that
 * say so. Rates and the clock come from the hardware description. */
#include "sim/trace.h"
#include "sim/trace_events.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_EVENTS = 200000, MOST_TILES = 64 };
/* Vector units: a repeat handles 256 bytes; an instruction takes this long before its first result
 * and then one cycle a repeat (the value the product assumes for ops without a measured figure). */
static const double VECTOR_LATENCY = 10.0;
static const double REPEAT_BYTES = 256.0;
static const double FRACTAL_EDGE = 16.0;
static const double FRACTAL_BYTES = 32.0;

PtsTrace *pts_trace_start(PtsContext *context, size_t max_events)
{
    PtsTrace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) {
        return NULL;
    }
    trace->context = context;
    trace->max_events = max_events == 0 ? DEFAULT_EVENTS : max_events;
    pts_context_run_state(context)->trace = trace;
    return trace;
}

void pts_trace_free(PtsTrace *trace)
{
    if (trace == NULL) {
        return;
    }
    PtsRunState *state = pts_context_run_state(trace->context);
    if (state->trace == trace) {
        state->trace = NULL;
    }
    free(trace->events);
    free(trace->ready);
    free(trace);
}

void trace_run(PtsTrace *trace, const Vm *vm)
{
    size_t slots = (size_t)vm->program->slot_count + 1;
    if (slots > trace->ready_count) {
        double *ready = realloc(trace->ready, slots * sizeof *ready);
        if (ready == NULL) {
            return; /* readiness is then not known; pipes still queue */
        }
        trace->ready = ready;
        trace->ready_count = slots;
    }
    for (size_t i = 0; i < trace->ready_count; i++) {
        trace->ready[i] = trace->end;
    }
    for (int pipe = 0; pipe < TRACE_PIPES; pipe++) {
        trace->pipe_free[pipe] = trace->end;
    }
    trace->runs++;
}

static double ready_time(const PtsTrace *trace, PtsSlot slot)
{
    return slot < trace->ready_count ? trace->ready[slot] : 0.0;
}

static TraceEvent *add_event(PtsTrace *trace)
{
    if (trace->event_count == trace->max_events) {
        trace->dropped++;
        return NULL;
    }
    if (trace->event_count == trace->event_capacity) {
        size_t capacity = trace->event_capacity == 0 ? 1024 : trace->event_capacity * 2;
        TraceEvent *events = realloc(trace->events, capacity * sizeof *events);
        if (events == NULL) {
            trace->dropped++;
            return NULL;
        }
        trace->events = events;
        trace->event_capacity = capacity;
    }
    return &trace->events[trace->event_count++];
}

/* Puts work on a pipe, not before `earliest`; returns when it is done (cycles). */
static double put(PtsTrace *trace, TracePipe pipe, double earliest, double cycles,
                  const TraceWork *work)
{
    double begin = trace->pipe_free[pipe] > earliest ? trace->pipe_free[pipe] : earliest;
    double end = begin + cycles;
    trace->pipe_free[pipe] = end;
    trace->end = end > trace->end ? end : trace->end;
    TraceEvent *event = add_event(trace);
    if (event != NULL) {
        *event = (TraceEvent){.pipe = pipe, .start = begin, .cycles = cycles, .work = *work};
    }
    return end;
}

static double bytes_of(const PtsTensor *tensor)
{
    int64_t count;
    if (!rt_element_count(tensor->rank, tensor->valid, &count)) {
        return 0.0;
    }
    return (double)count * (double)pts_dtype_bytes(tensor->dtype);
}

static double result_bytes(const PtsInstruction *instruction, int index)
{
    const PtsResult *result = &instruction->results[index];
    int64_t count;
    if (!rt_element_count(result->rank, instruction->code->results[index].valid, &count)) {
        return 0.0;
    }
    return (double)count * (double)pts_dtype_bytes(result->dtype);
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
 * ready. */
static double incoming(const PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction,
                       double *earliest)
{
    double bytes = 0.0;
    *earliest = 0.0;
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        if (operand->kind != PTS_OPERAND_SLOT) {
            continue;
        }
        double ready = ready_time(trace, operand->slot);
        *earliest = ready > *earliest ? ready : *earliest;
        const RtValue *value = &vm->slots[operand->slot];
        if (value->buffer != NULL && value->buffer->is_parameter &&
            operand->slot != instruction->written) {
            bytes += bytes_of(&value->tensor);
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

static TraceWork work_of(const PtsInstruction *instruction)
{
    return (TraceWork){
        .op = instruction->op, .label = instruction->label, .site = instruction->site, .tiles = 1};
}

static void finish(PtsTrace *trace, const PtsInstruction *instruction, double done)
{
    for (int i = 0; i < instruction->result_count; i++) {
        if (instruction->results[i].slot < trace->ready_count) {
            trace->ready[instruction->results[i].slot] = done;
        }
    }
    if (instruction->written < trace->ready_count) {
        trace->ready[instruction->written] = done;
    }
}

static void trace_matmul(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    TraceWork work = work_of(instruction);
    double earliest;
    double in = incoming(trace, vm, instruction, &earliest);
    work.bytes = in;
    double loaded = in > 0 ? put(trace, TRACE_MTE2, earliest, in / soc->rate_ddr, &work) : earliest;
    work.bytes = bytes_of(&vm->slots[instruction->operands[0].slot].tensor);
    double staged = put(trace, TRACE_MTE1, loaded, work.bytes / soc->rate_l1_l0a, &work);
    work.bytes = 0;
    double computed = put(trace, TRACE_CUBE, staged, cube_cycles(vm, instruction), &work);
    work.bytes = result_bytes(instruction, 0);
    finish(trace, instruction,
           put(trace, TRACE_FIXPIPE, computed, work.bytes / soc->rate_l0c_ub, &work));
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
    int64_t tiles = tile_count(instruction);
    int64_t shown = tiles < MOST_TILES ? tiles : MOST_TILES;
    double done = earliest;
    for (int64_t tile = 0; tile < shown; tile++) {
        TraceWork work = work_of(instruction);
        /* The last event stands for all tiles that are not shown by themselves. */
        work.tiles = tile + 1 < shown ? 1 : tiles - shown + 1;
        double share = (double)work.tiles / (double)tiles;
        double loaded = earliest;
        if (in > 0) {
            work.bytes = in * share;
            loaded = put(trace, TRACE_MTE2, earliest, work.bytes / soc->rate_ddr, &work);
        }
        work.bytes = out * share;
        double repeats = work.bytes / REPEAT_BYTES;
        done = put(trace, TRACE_VECTOR, loaded,
                   VECTOR_LATENCY * (double)work.tiles + (repeats > 1 ? repeats - 1 : 0), &work);
    }
    finish(trace, instruction, done);
}

static void trace_store(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    TraceWork work = work_of(instruction);
    double earliest;
    incoming(trace, vm, instruction, &earliest);
    const RtValue *source = &vm->slots[instruction->operands[0].slot];
    bool to_memory = instruction->written < (PtsSlot)vm->program->parameter_count;
    if (instruction->operands[0].kind == PTS_OPERAND_SLOT && source->buffer != NULL && to_memory) {
        work.bytes = bytes_of(&source->tensor);
        earliest = put(trace, TRACE_MTE3, earliest, work.bytes / soc->rate_ub_ddr, &work);
    }
    finish(trace, instruction, earliest);
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
    if (instruction->op == PTS_OP_MATMUL || instruction->op == PTS_OP_SCALED_MM) {
        trace_matmul(trace, vm, instruction);
    } else if (instruction->written != PTS_SLOT_NONE) {
        trace_store(trace, vm, instruction);
    } else if (vm_is_data_op(instruction->op)) {
        double earliest;
        incoming(trace, vm, instruction, &earliest);
        finish(trace, instruction, earliest);
    } else {
        trace_vector(trace, vm, instruction);
    }
}
