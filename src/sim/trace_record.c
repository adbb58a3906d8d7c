/* Records of a trace; see trace_record.h. */
#include "sim/trace_record.h"

#include "sim/trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_EVENTS = 200000 };

PtsTrace *pts_trace_start(PtsContext *context, size_t max_events)
{
    PtsTrace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) {
        return NULL;
    }
    arena_init(&trace->arena, 0);
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
    arena_free(&trace->arena);
    free(trace);
}

/* Names outlive the programs that they come from. */
static uint32_t name_of(PtsTrace *trace, const char *text)
{
    Str name = str_from(text == NULL ? "" : text);
    uint32_t number = map_find(&trace->names, name);
    return number != MAP_NONE
               ? number
               : map_add(&trace->names, &trace->arena, str_copy(&trace->arena, name));
}

/* ---- iterations ---- */

static void open_turn(PtsTrace *trace, const char *name, int64_t index)
{
    TraceTurn turn = {.parent = TRACE_NONE, .index = index, .start = trace->end, .end = trace->end};
    turn.name = name_of(trace, name);
    if (trace->open.count > 0) {
        turn.parent = trace->open.items[trace->open.count - 1];
        turn.start = trace->turns.items[turn.parent].end;
    }
    uint32_t number = trace->turns.count;
    VEC_PUSH(&trace->arena, &trace->turns, turn);
    VEC_PUSH(&trace->arena, &trace->open, number);
}

static void add_parameters(PtsTrace *trace, const Vm *vm)
{
    for (int i = 0; i < vm->program->parameter_count; i++) {
        const PtsTensor *tensor = &vm->slots[i].tensor;
        TraceTensor added = {.turn = trace->open.items[0],
                             .name = name_of(trace, pts_slot_name(vm->program, (PtsSlot)i)),
                             .dtype = tensor->dtype,
                             .rank = tensor->rank};
        memcpy(added.shape, tensor->shape, sizeof added.shape);
        VEC_PUSH(&trace->arena, &trace->tensors, added);
    }
}

static void start_run(PtsTrace *trace, const Vm *vm)
{
    name_of(trace, ""); /* number 0 */
    trace->open.count = 0;
    trace->slots.count = 0;
    for (uint32_t i = 0; i <= vm->program->slot_count; i++) {
        TraceSlot slot = {trace->end, TRACE_NONE};
        VEC_PUSH(&trace->arena, &trace->slots, slot);
    }
    for (int pipe = 0; pipe < TRACE_PIPES; pipe++) {
        trace->pipe_free[pipe] = trace->end;
        trace->pipe_last[pipe] = TRACE_NONE;
    }
    open_turn(trace, vm->program->name, trace->runs++);
    add_parameters(trace, vm);
}

void trace_run(PtsTrace *trace, const Vm *vm)
{
    jmp_buf env;
    if (trace->failed || !OOM_GUARD(&trace->arena, env)) {
        trace->failed = true;
        return;
    }
    start_run(trace, vm);
}

/* Closes turns that have ended and opens those that began. The frames say where the program is; an
 * iteration without operations leaves no turn. */
static void follow_turns(PtsTrace *trace, const Vm *vm)
{
    for (uint32_t depth = 1; depth < (uint32_t)vm->depth; depth++) {
        const PtsRecordedLoop *loop = vm->frames[depth].loop;
        int64_t index = vm->values.of_atom[loop->index];
        if (depth < trace->open.count) {
            const TraceTurn *open = &trace->turns.items[trace->open.items[depth]];
            Str name = trace->names.keys.items[open->name];
            if (open->index == index && str_is(name, loop->loop.name)) {
                continue;
            }
            trace->open.count = depth;
        }
        open_turn(trace, loop->loop.name, index);
    }
    trace->open.count = vm->depth > 0 ? (uint32_t)vm->depth : 1;
}

/* ---- operations ---- */

static uint32_t line_of(PtsTrace *trace, uint32_t file, int line)
{
    char text[32];
    snprintf(text, sizeof text, "%u:%d", file, line);
    Str key = str_from(text);
    uint32_t number = map_find(&trace->line_numbers, key);
    if (number == MAP_NONE) {
        number = map_add(&trace->line_numbers, &trace->arena, str_copy(&trace->arena, key));
        TraceLine added = {.file = file, .line = line};
        VEC_PUSH(&trace->arena, &trace->lines, added);
    }
    return number;
}

void trace_begin(PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction)
{
    follow_turns(trace, vm);
    PtsSlot target = instruction->written != PTS_SLOT_NONE ? instruction->written
                     : instruction->result_count > 0       ? instruction->results[0].slot
                                                           : PTS_SLOT_NONE;
    trace->now = (TraceOperation){.op = instruction->op,
                                  .line = instruction->site.line,
                                  .turn = trace->open.items[trace->open.count - 1],
                                  .waits_for = TRACE_NONE,
                                  .start = -1};
    trace->now.label = name_of(trace, instruction->label);
    trace->now.file = name_of(trace, instruction->site.file);
    trace->now.target = name_of(
        trace,
        target == PTS_SLOT_NONE ? "" : vm->program->slots[pts_slot_root(vm->program, target)].name);
    for (int i = 0; i < TRACE_PRODUCERS; i++) {
        trace->now.producers[i] = TRACE_NONE;
    }
    memcpy(trace->now.needs, instruction->needs, sizeof trace->now.needs);
    trace->line = line_of(trace, trace->now.file, trace->now.line);
    trace->operation =
        trace->operations.count < trace->max_events ? trace->operations.count : TRACE_NONE;
}

/* The results that the operation takes are there until it starts: then they are part of what its
 * tile needs. What needs nothing in UB, a store, takes them until it ends. */
static void use_results(PtsTrace *trace)
{
    double use = trace->now.needs[PTS_CORE_UB] > 0 ? trace->now.start : trace->now.end;
    for (int i = 0; i < TRACE_PRODUCERS && trace->now.producers[i] != TRACE_NONE; i++) {
        TraceOperation *producer = &trace->operations.items[trace->now.producers[i]];
        producer->last_use = producer->last_use > use ? producer->last_use : use;
    }
}

void trace_end(PtsTrace *trace)
{
    TraceLine *line = &trace->lines.items[trace->line];
    line->operations++;
    line->in_bytes += trace->now.in_bytes;
    line->out_bytes += trace->now.out_bytes;
    line->flops += trace->now.flops;
    if (trace->now.start < 0) { /* it takes no time: a view, say */
        return;
    }
    for (uint32_t i = 0; i < trace->open.count; i++) {
        TraceTurn *turn = &trace->turns.items[trace->open.items[i]];
        turn->start = turn->start < trace->now.start ? turn->start : trace->now.start;
        turn->end = turn->end > trace->now.end ? turn->end : trace->now.end;
    }
    use_results(trace);
    if (trace->operation != TRACE_NONE) {
        VEC_PUSH(&trace->arena, &trace->operations, trace->now);
    }
}

/* ---- slots and pipes ---- */

double trace_needs(PtsTrace *trace, PtsSlot slot)
{
    if (slot >= trace->slots.count) {
        return 0.0;
    }
    const TraceSlot *needed = &trace->slots.items[slot];
    for (int i = 0; i < TRACE_PRODUCERS && needed->operation != TRACE_NONE; i++) {
        uint32_t *producer = &trace->now.producers[i];
        if (*producer == needed->operation) {
            break;
        }
        if (*producer == TRACE_NONE) {
            *producer = needed->operation;
            break;
        }
    }
    return needed->ready;
}

/* Which operation holds up one that could start at `begin`: who had the pipe until then, else who
 * made an operand. */
static void find_wait(PtsTrace *trace, TracePipe pipe, double begin)
{
    if (trace->pipe_last[pipe] != TRACE_NONE && trace->pipe_free[pipe] >= begin) {
        trace->now.waits_for = trace->pipe_last[pipe];
        return;
    }
    double latest = -1;
    for (int i = 0; i < TRACE_PRODUCERS && trace->now.producers[i] != TRACE_NONE; i++) {
        uint32_t producer = trace->now.producers[i];
        double end = trace->operations.items[producer].end;
        if (end > latest) {
            latest = end;
            trace->now.waits_for = producer;
        }
    }
}

double trace_put(PtsTrace *trace, TracePipe pipe, double earliest, double cycles, int64_t tiles,
                 double bytes)
{
    double begin = trace->pipe_free[pipe] > earliest ? trace->pipe_free[pipe] : earliest;
    double end = begin + cycles;
    if (trace->now.start < 0) {
        trace->now.start = begin;
        find_wait(trace, pipe, begin);
    }
    trace->now.end = end > trace->now.end ? end : trace->now.end;
    trace->pipe_free[pipe] = end;
    trace->pipe_last[pipe] = trace->operation;
    trace->end = end > trace->end ? end : trace->end;
    trace->busy[pipe] += cycles;
    trace->lines.items[trace->line].busy[pipe] += cycles;
    if (trace->operation == TRACE_NONE || trace->events.count >= trace->max_events) {
        trace->dropped++;
        return end;
    }
    TraceEvent event = {.pipe = pipe,
                        .operation = trace->operation,
                        .start = begin,
                        .cycles = cycles,
                        .tiles = tiles,
                        .bytes = bytes};
    VEC_PUSH(&trace->arena, &trace->events, event);
    return end;
}

static void set_ready(PtsTrace *trace, PtsSlot slot, double done)
{
    if (slot < trace->slots.count) {
        /* What takes no time, a view, hands on what it is made of. */
        uint32_t maker = trace->now.start < 0 ? trace->now.producers[0] : trace->operation;
        trace->slots.items[slot] = (TraceSlot){done, maker};
    }
}

void trace_done(PtsTrace *trace, const PtsInstruction *instruction, double done)
{
    for (int i = 0; i < instruction->result_count; i++) {
        set_ready(trace, instruction->results[i].slot, done);
    }
    set_ready(trace, instruction->written, done);
}

/* ---- windows of parameters ---- */

/* The parameter of the launch whose memory this is, or -1. */
static int parameter_of(const Vm *vm, const RtBuffer *buffer)
{
    for (int i = 0; i < vm->program->parameter_count; i++) {
        if (vm->slots[i].buffer == buffer) {
            return i;
        }
    }
    return -1;
}

static void add_window(PtsTrace *trace, const Vm *vm, int parameter, TraceWindow *window,
                       bool is_write)
{
    if (trace->operation == TRACE_NONE || trace->windows.count >= trace->max_events) {
        return;
    }
    uint32_t first = trace->tensors.count - (uint32_t)vm->program->parameter_count;
    window->tensor = first + (uint32_t)parameter;
    window->operation = trace->operation;
    window->is_write = is_write;
    if (!is_write && trace->now.loads == 0) {
        trace->now.loads = trace->tensors.items[window->tensor].name;
    }
    VEC_PUSH(&trace->arena, &trace->windows, *window);
}

void trace_window(PtsTrace *trace, const Vm *vm, const RtValue *value, bool is_write)
{
    bool is_copy = value->behind != NULL; /* a view over an edge */
    int parameter = parameter_of(vm, is_copy ? value->behind : value->buffer);
    if (parameter < 0) {
        return;
    }
    const PtsTensor *whole = &vm->slots[parameter].tensor;
    size_t size = pts_dtype_bytes(whole->dtype);
    if (size == 0 || whole->rank != value->tensor.rank) {
        return; /* a reshape: its rows are not those of the parameter */
    }
    TraceWindow window = {0};
    int64_t origin = is_copy ? value->behind_origin : value->origin;
    int64_t left = (origin - vm->slots[parameter].origin) / (int64_t)size;
    for (int i = 0; i < whole->rank; i++) {
        int64_t stride = whole->stride[i];
        window.offset[i] = stride > 0 ? left / stride : 0;
        left -= stride > 0 ? window.offset[i] * stride : 0;
        window.extent[i] = value->tensor.valid[i];
    }
    add_window(trace, vm, parameter, &window, is_write);
}

void trace_written(PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction)
{
    const RtValue *source = &vm->slots[instruction->operands[0].slot];
    const PtsKernelAttributes *attributes = &instruction->code->attributes;
    int parameter = (int)instruction->written;
    TraceWindow window = {0};
    bool at_offset = instruction->op == PTS_OP_ASSEMBLE;
    for (int i = 0; i < source->tensor.rank; i++) {
        window.offset[i] = at_offset && i < attributes->offset_rank ? attributes->offsets[i] : 0;
        window.extent[i] = source->tensor.valid[i];
    }
    if (source->tensor.rank == vm->slots[parameter].tensor.rank) {
        add_window(trace, vm, parameter, &window, true);
    }
}
