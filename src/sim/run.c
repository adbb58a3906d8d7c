/* pts_run: checks and binds the arguments, sets the interpreter up and takes it down. */
#include "model/check_version.h"
#include "model/error.h"
#include "sim/precision.h"
#include "sim/sanitize.h"
#include "sim/threads.h"
#include "sim/trace.h"
#include "sim/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t DEFAULT_TRIPS = INT64_C(1) << 40;
static const int64_t DEFAULT_BYTES = INT64_C(16) << 30;

void pts_run_cancel(PtsContext *context)
{
    atomic_store_explicit(&pts_context_run_state(context)->cancel, true, memory_order_relaxed);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const char *name_of(const Vm *vm, int parameter)
{
    const char *name = vm->program->slots[parameter].name;
    return name == NULL ? "" : name;
}

static bool check_argument(const Vm *vm, int number, PtsError *error)
{
    const PtsArgument *argument = &vm->arguments[number];
    const PtsSlotRecord *record = &vm->program->slots[number];
    if (argument->dtype != record->dtype) {
        return pts_fail(error, PTS_E_VALUE,
                        "argument %d (%s) has dtype %s, the kernel was recorded for %s", number + 1,
                        name_of(vm, number), pts_dtype_name(argument->dtype),
                        pts_dtype_name(record->dtype));
    }
    if (argument->rank != record->rank || argument->rank < 1) {
        return pts_fail(error, PTS_E_VALUE,
                        "argument %d (%s) has %d axes, the kernel was recorded for %d", number + 1,
                        name_of(vm, number), argument->rank, record->rank);
    }
    int64_t count;
    int64_t bytes;
    for (int i = 0; i < argument->rank; i++) {
        if (argument->shape[i] < 0) {
            return pts_fail(error, PTS_E_VALUE, "argument %d (%s) has a negative extent",
                            number + 1, name_of(vm, number));
        }
    }
    if (!rt_element_count(argument->rank, argument->shape, &count) ||
        __builtin_mul_overflow(count, (int64_t)pts_dtype_bytes(argument->dtype), &bytes) ||
        (argument->data == NULL && count > 0)) {
        return pts_fail(error, PTS_E_VALUE, "argument %d (%s) has no memory for its shape",
                        number + 1, name_of(vm, number));
    }
    return true;
}

/* Gives every dynamic axis its extent; axes of one name must agree. */
static bool bind_dims(Vm *vm, PtsError *error)
{
    const PtsProgram *program = vm->program;
    bool ok = true;
    for (uint32_t i = 0; i < program->dim_count && ok; i++) {
        const PtsParameterDim *dim = &program->dims[i];
        int64_t extent = vm->arguments[dim->parameter].shape[dim->axis];
        for (uint32_t j = 0; j < i; j++) {
            if (program->dims[j].atom == dim->atom && vm->values.of_atom[dim->atom] != extent) {
                ok = pts_fail(error, PTS_E_VALUE,
                              "Symbolic scalar %s has multiple concrete values: %lld and %lld",
                              dim->name == NULL ? "" : dim->name,
                              (long long)vm->values.of_atom[dim->atom], (long long)extent);
                break;
            }
        }
        vm->values.of_atom[dim->atom] = extent;
    }
    return ok;
}

static bool check_fixed_extents(Vm *vm, int number, PtsError *error)
{
    const PtsSlotRecord *record = &vm->program->slots[number];
    for (int i = 0; i < record->rank; i++) {
        int64_t extent;
        if (!vm_evaluate(vm, record->shape[i], &extent, error)) {
            return false;
        }
        if (extent != vm->arguments[number].shape[i]) {
            return pts_fail(error, PTS_CORE_ERROR, 0xF77004, "SHAPE_VALUE_MISMATCH",
                            "argument %d (%s) has %lld elements on axis %d, the kernel was "
                            "recorded for %lld",
                            number + 1, name_of(vm, number),
                            (long long)vm->arguments[number].shape[i], i, (long long)extent);
        }
    }
    return true;
}

/* A file that is mapped for reading can stand behind a tensor, which does not tell; the first write
 * would end the process. Here the system takes a byte through a pipe and writes it over itself: it
 * says when it cannot. Every sandbox and emulator has pipes. */
static bool is_writable(char *at, const int pipe_ends[2])
{
    ssize_t done = write(pipe_ends[1], at, 1);
    if (done != 1) {
        return errno != EFAULT;
    }
    done = read(pipe_ends[0], at, 1);
    if (done == 1 || errno != EFAULT) {
        return true;
    }
    char rest;
    return read(pipe_ends[0], &rest, 1) < 0; /* false; what did not arrive is taken out */
}

static bool check_output(Vm *vm, int number, int64_t bytes, PtsError *error)
{
    char *data = vm->arguments[number].data;
    int ends[2];
    if (!vm->program->slots[number].is_output || bytes == 0 ||
        pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return true;
    }
    bool ok = is_writable(data, ends) && is_writable(data + bytes - 1, ends);
    close(ends[0]);
    close(ends[1]);
    if (ok) {
        return true;
    }
    return pts_fail(error, PTS_E_RUNTIME,
                    "argument %d (%s) is written by the kernel, but its memory is read-only",
                    number + 1, name_of(vm, number));
}

bool vm_bind_parameter(Vm *vm, int number, PtsError *error)
{
    const PtsArgument *argument = &vm->arguments[number];
    int64_t count = 0;
    rt_element_count(argument->rank, argument->shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(argument->dtype);
    if (!check_output(vm, number, bytes, error)) {
        return false;
    }
    RtBuffer *memory = rt_buffer_of_parameter(&vm->pool, argument->data, bytes, error);
    if (memory == NULL) {
        return false;
    }
    vm->parameters[number] = memory;
    RtValue *value = &vm->slots[number];
    *value = (RtValue){.buffer = memory, .declared = PTS_SLOT_NONE};
    memory->references = 2; /* the slot's and the run's */
    value->tensor.dtype = argument->dtype;
    value->tensor.rank = argument->rank;
    for (int i = 0; i < argument->rank; i++) {
        value->tensor.shape[i] = argument->shape[i];
        value->tensor.valid[i] = argument->shape[i];
    }
    rt_dense_strides(argument->rank, argument->shape, value->tensor.stride);
    if (vm->sanitizer != NULL) {
        sanitize_bind(vm, (PtsSlot)number);
    }
    return true;
}

static bool set_up(Vm *vm, PtsError *error)
{
    PtsProgram *program = vm->program;
    size_t slots = (size_t)program->slot_count + 1;
    vm->values.count = pts_sym_atom_count(vm->symbols);
    vm->values.of_atom = calloc(vm->values.count + 1, sizeof *vm->values.of_atom);
    vm->slots = calloc(slots, sizeof *vm->slots);
    vm->parameters = calloc(slots, sizeof(RtBuffer *));
    const PtsOptions *options = pts_context_options(program->context);
    bool sanitizes = options->sanitize != 0;
    vm->sanitizer = sanitizes ? sanitizer_new(program, options->sanitize,
                                              pts_makes_check(options, PTS_CHECK_ASSEMBLES))
                              : NULL;
    if (vm->values.of_atom == NULL || vm->slots == NULL || vm->parameters == NULL ||
        (sanitizes && vm->sanitizer == NULL)) {
        return pts_fail_memory(error);
    }
    for (size_t i = 0; i < slots; i++) {
        vm->slots[i].declared = PTS_SLOT_NONE;
    }
    for (int i = 0; i < program->parameter_count; i++) {
        if (!check_argument(vm, i, error)) {
            return false;
        }
    }
    if (!bind_dims(vm, error)) {
        return false;
    }
    for (int i = 0; i < program->parameter_count; i++) {
        if (!check_fixed_extents(vm, i, error) || !vm_bind_parameter(vm, i, error)) {
            return false;
        }
    }
    return true;
}

static void take_down(Vm *vm)
{
    precision_end(vm);
    for (uint32_t i = 0; vm->slots != NULL && i < vm->program->slot_count; i++) {
        rt_value_release(&vm->pool, &vm->slots[i]);
    }
    for (int i = 0; vm->parameters != NULL && i < vm->program->parameter_count; i++) {
        rt_buffer_release(&vm->pool, vm->parameters[i]);
    }
    rt_pool_free(&vm->pool);
    sanitizer_free(vm);
    free(vm->slots);
    free(vm->parameters);
    free(vm->values.of_atom);
    free(vm->scratch);
}

static int thread_count(int wanted)
{
    if (wanted > 0) {
        return wanted;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 64 ? 64 : (int)cores;
}

static void add_stats(PtsStats *to, const PtsStats *run)
{
    to->ops += run->ops;
    to->iterations += run->iterations;
    to->bytes += run->bytes;
    to->flops += run->flops;
    to->seconds += run->seconds;
}

static void start(Vm *vm, PtsProgram *program, const PtsArgument *arguments, int threads)
{
    const PtsOptions *options = pts_context_options(program->context);
    vm->program = program;
    vm->arguments = arguments;
    vm->symbols = pts_context_symbols(program->context);
    vm->state = pts_context_run_state(program->context);
    vm->threads = thread_count(threads);
    vm->strict = options->profile == PTS_PROFILE_STRICT;
    vm->device_sums = options->device_sums;
    vm->trips_left = options->max_trips > 0 ? options->max_trips : DEFAULT_TRIPS;
    rt_pool_init(&vm->pool, options->max_bytes > 0 ? options->max_bytes : DEFAULT_BYTES);
    atomic_store(&vm->state->cancel, false);
}

/* A run whose loops had nothing to do leaves the outputs as they were: seldom what was meant. */
static void tell_idle_loops(const Vm *vm)
{
    const PtsProgram *program = vm->program;
    const PtsLoop *loop = NULL;
    for (uint32_t i = 0; i < program->body_count && loop == NULL; i++) {
        loop = program->bodies[i].loop == NULL ? NULL : &program->bodies[i].loop->loop;
    }
    if (vm->stats.iterations > 0 || loop == NULL) {
        return;
    }
    char start[64];
    char stop[64];
    pts_sym_text(program->context, loop->start, start, sizeof start);
    pts_sym_text(program->context, loop->stop, stop, sizeof stop);
    pts_diagnose(vm->program, PTS_WARNING, 0, "no-iterations", loop->site,
                 "the launch ran no iteration of any loop: %s goes from %s to %s with these "
                 "arguments",
                 loop->name, start, stop);
}

bool pts_run(PtsProgram *program, int argument_count, const PtsArgument *arguments, int threads,
             PtsStats *stats, PtsError *error)
{
    if (program == NULL || !program->finished) {
        return pts_fail(error, PTS_E_RUNTIME, "the program is not finished");
    }
    if (argument_count != program->parameter_count) {
        return pts_fail(error, PTS_E_RUNTIME, "Expected at least %d tensor argument(s), got %d.",
                        program->parameter_count, argument_count);
    }
    if (!vm_compile(program, error)) {
        return false;
    }
    Vm *vm = calloc(1, sizeof *vm);
    if (vm == NULL) {
        return pts_fail_memory(error);
    }
    double before = seconds_now();
    start(vm, program, arguments, threads);
    bool ok = set_up(vm, error);
    if (ok && vm->state->trace != NULL) {
        trace_run(vm->state->trace, vm);
    }
    if (ok && vm->state->precision != NULL) {
        precision_begin(vm);
    }
    if (ok && vm->state->watch != NULL) {
        watch_run(vm->state->watch, vm);
    }
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV); /* not the caller's rounding or flushing of subnormal numbers */
    pts_parallel_stop(&vm->state->cancel);
    ok = ok && vm_run(vm, error);
    ok = ok && (vm->sanitizer == NULL || sanitize_outputs(vm, error));
    if (ok && vm->state->watch != NULL) {
        watch_end(vm->state->watch, vm);
    }
    pts_parallel_stop(NULL);
    fesetenv(&environment);
    if (ok) {
        tell_idle_loops(vm);
    }
    vm->stats.seconds = seconds_now() - before;
    if (stats != NULL) {
        add_stats(stats, &vm->stats);
    }
    take_down(vm);
    free(vm);
    return ok;
}
