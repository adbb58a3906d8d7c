/* Recording: beginning and ending a program, its parameters and declarations. */
#include "model/record.h"

#include "base/str.h"

#include <stdlib.h>

#define DEFAULT(kind, type, name, none) .name = (none),
const PtsAttributes PTS_ATTRIBUTES = {
    PTS_SCALAR_ATTRIBUTES(DEFAULT).diagonal = PTS_SYM_NONE,
};

/* Most memory that a program, and that its recording, may take. */
#define PROGRAM_BUDGET  ((size_t)2 << 30)
#define RECORDER_BUDGET ((size_t)2 << 30)

static bool fail_use(PtsError *error, const char *what)
{
    return pts_fail(error, PTS_E_RUNTIME, "%s", what);
}

/* ---- entering and leaving ---- */

jmp_buf *pts_record_open(PtsProgram *program, PtsError *error)
{
    if (program == NULL || program->recorder == NULL) {
        fail_use(error, "the program is not being recorded");
        return NULL;
    }
    PtsRecorder *recorder = program->recorder;
    if (recorder->failed) {
        if (error != NULL) {
            *error = recorder->failure;
        }
        return NULL;
    }
    program->arena.guard = &recorder->env;
    recorder->arena.guard = &recorder->env;
    recorder->is_late_doubt = false;
    return &recorder->env;
}

/* In a partial program an error is a finding. */
static void note_error(PtsProgram *program)
{
    const PtsError *failure = &program->recorder->failure;
    pts_diagnose(program, PTS_FINDING_ERROR, failure->code, "error", failure->site, "%s",
                 failure->message);
}

bool pts_record_close(PtsProgram *program, bool ok, PtsError *error)
{
    PtsRecorder *recorder = program->recorder;
    program->arena.guard = NULL;
    recorder->arena.guard = NULL;
    if (!ok) {
        recorder->failed = !recorder->partial || recorder->fatal;
        if (!recorder->failed) {
            note_error(program);
        }
        if (error != NULL) {
            *error = recorder->failure;
        }
    }
    return ok;
}

bool pts_record_no_memory(PtsProgram *program, PtsError *error)
{
    if (!program->recorder->keep_failure) {
        pts_fail_memory(&program->recorder->failure);
    }
    program->recorder->fatal = true;
    return pts_record_close(program, false, error);
}

/* ---- begin ---- */

static PtsRecorder *recorder_new(PtsContext *context)
{
    PtsRecorder *recorder = calloc(1, sizeof *recorder);
    if (recorder != NULL) {
        arena_init(&recorder->arena, RECORDER_BUDGET);
        recorder->scope_depth = pts_scope_depth(context);
        recorder->partial = context->options.partial;
    }
    return recorder;
}

static void recorder_free(PtsRecorder *recorder)
{
    if (recorder != NULL) {
        arena_free(&recorder->arena);
        free(recorder);
    }
}

void pts_record_stop(PtsProgram *program)
{
    if (program->recorder == NULL) {
        return;
    }
    pts_scope_unwind(program->context, program->recorder->scope_depth);
    if (program->context->recording == program) {
        program->context->recording = NULL;
    }
    recorder_free(program->recorder);
    program->recorder = NULL;
}

PtsProgram *pts_program_begin(PtsContext *context, const char *name, PtsSite site, PtsError *error)
{
    if (context->recording != NULL) {
        fail_use(error, "another kernel is being recorded");
        return NULL;
    }
    PtsProgram *program = calloc(1, sizeof *program);
    if (program == NULL) {
        pts_fail_memory(error);
        return NULL;
    }
    program->context = context;
    program->site = site;
    arena_init(&program->arena, PROGRAM_BUDGET);
    program->recorder = recorder_new(context);
    jmp_buf *env = program->recorder == NULL ? NULL : pts_record_open(program, error);
    if (env == NULL || setjmp(*env) != 0) {
        pts_fail_memory(error);
        pts_program_free(program);
        return NULL;
    }
    program->name = str_dup(&program->arena, str_from(name == NULL ? "" : name));
    pts_record_new_body(program, PTS_NO_BODY);
    context->recording = program;
    pts_record_close(program, true, error);
    return program;
}

void pts_program_free(PtsProgram *program)
{
    if (program != NULL) {
        pts_record_stop(program);
        if (program->release_run != NULL) {
            program->release_run(program);
        }
        arena_free(&program->arena);
        free(program);
    }
}

void pts_program_lenient(PtsProgram *program)
{
    program->is_lenient = true;
}

void pts_program_abandon(PtsProgram *program)
{
    if (program->recorder != NULL && !program->recorder->failed) {
        program->recorder->failed = true;
        fail_use(&program->recorder->failure, "the recording was given up");
    }
}

/* ---- tables that grow ---- */

/* Room for one more item. */
static void *grow(PtsProgram *program, void *items, uint32_t count, uint32_t *capacity,
                  size_t item_size)
{
    if (count < *capacity) {
        return items;
    }
    uint32_t more = *capacity == 0 ? 16 : *capacity * 2;
    items = arena_grow(&program->arena, items, *capacity * item_size, more * item_size);
    *capacity = more;
    return items;
}

uint32_t pts_record_new_block(PtsProgram *program)
{
    PtsRecorder *recorder = program->recorder;
    program->blocks = grow(program, program->blocks, program->block_count,
                           &recorder->block_capacity, sizeof *program->blocks);
    VEC_PUSH(&recorder->arena, &recorder->logs, ((PtsBlockLog){0}));
    program->blocks[program->block_count] =
        (PtsBlock){.condition = PTS_SYM_NONE, .if_true = PTS_NO_BLOCK, .if_false = PTS_NO_BLOCK};
    return program->block_count++;
}

uint32_t pts_record_new_body(PtsProgram *program, uint32_t parent)
{
    program->bodies = grow(program, program->bodies, program->body_count,
                           &program->recorder->body_capacity, sizeof *program->bodies);
    uint32_t root = pts_record_new_block(program);
    program->bodies[program->body_count] = (PtsBody){.parent = parent,
                                                     .root = root,
                                                     .first_slot = program->slot_count,
                                                     .end_slot = program->slot_count};
    return program->body_count++;
}

PtsSlot pts_record_new_slot(PtsProgram *program, const PtsResult *shape, const char *name,
                            PtsSite site, int parameter)
{
    PtsRecorder *recorder = program->recorder;
    program->slots = grow(program, program->slots, program->slot_count, &recorder->slot_capacity,
                          sizeof *program->slots);
    PtsSlotState state = {.dtype = shape->dtype,
                          .format = shape->format,
                          .rank = shape->rank,
                          .producer = PTS_OP_COUNT};
    PtsSlotRecord record = {.dtype = shape->dtype,
                            .format = shape->format,
                            .rank = shape->rank,
                            .site = site,
                            .parameter = parameter,
                            .base = PTS_SLOT_NONE};
    for (int i = 0; i < shape->rank; i++) {
        state.shape[i] = record.shape[i] = shape->shape[i];
        state.valid[i] = shape->valid[i];
    }
    record.name = str_dup(&program->arena, str_from(name == NULL ? "" : name));
    record.body = recorder->depth == 0 ? 0 : pts_record_top(recorder)->body;
    PtsSlotTrack track = {.made = ++recorder->serial};
    VEC_PUSH(&recorder->arena, &recorder->states, state);
    VEC_PUSH(&recorder->arena, &recorder->tracks, track);
    program->slots[program->slot_count] = record;
    return program->slot_count++;
}

/* ---- parameters and declarations ---- */

/* Fills `result` from what the caller said; checks all of it. */
static bool read_shape(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                       PtsFormat format, PtsSite site, PtsResult *result)
{
    PtsError *error = &program->recorder->failure;
    *result = (PtsResult){.dtype = dtype, .format = format, .rank = rank};
    bool ok = true;
    bool open = dtype == PTS_BOTTOM && program->recorder->partial;
    if ((unsigned)dtype >= PTS_DTYPE_COUNT && !open) {
        ok = pts_fail(error, PTS_E_VALUE, "a tensor needs a data type");
    } else if (rank < 1 || rank > PTS_MAX_RANK) {
        ok = pts_fail(error, PTS_E_VALUE, "a tensor has 1 to %d axes, got %d", PTS_MAX_RANK, rank);
    } else if (format != PTS_ND && format != PTS_NZ) {
        ok = pts_fail(error, PTS_E_VALUE, "unknown format");
    }
    for (int i = 0; i < rank && ok; i++) {
        int64_t extent;
        if (!pts_sym_is_valid(program->context, shape[i])) {
            ok = pts_fail(error, PTS_E_VALUE, "extent of axis %d is not a symbolic scalar", i);
        } else if (pts_sym_value(program->context, shape[i], &extent) && extent < 0) {
            ok = pts_fail(error, PTS_E_VALUE, "extent of axis %d is negative: %lld", i,
                          (long long)extent);
        }
        result->shape[i] = result->valid[i] = shape[i];
    }
    if (!ok) {
        pts_error_at(error, site);
    }
    return ok;
}

static PtsSlot parameter(PtsProgram *program, const PtsResult *shape, const char *name,
                         PtsSite site)
{
    PtsSlot slot = pts_record_new_slot(program, shape, name, site, program->parameter_count);
    program->recorder->states.items[slot].written = PTS_WRITTEN;
    program->parameter_count++;
    program->bodies[0].first_slot = program->bodies[0].end_slot = program->slot_count;
    return slot;
}

PtsSlot pts_parameter(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                      PtsFormat format, const char *name, PtsSite site, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, PTS_SLOT_NONE);
    PtsResult result;
    PtsSlot slot = PTS_SLOT_NONE;
    if (program->recorder->depth > 0 || program->slot_count > (uint32_t)program->parameter_count) {
        fail_use(&program->recorder->failure, "parameters come before the body");
    } else if (read_shape(program, dtype, rank, shape, format, site, &result)) {
        slot = parameter(program, &result, name, site);
    }
    pts_record_close(program, slot != PTS_SLOT_NONE, error);
    return slot;
}

static PtsSym parameter_dim(PtsProgram *program, int index, int axis, const char *name)
{
    PtsSymTable *symbols = pts_context_symbols(program->context);
    PtsParameterDim dim = {.parameter = index, .axis = axis};
    if (index < 0 || axis < 0 || axis >= PTS_MAX_RANK) {
        fail_use(&program->recorder->failure, "no such axis of a parameter");
        return PTS_SYM_NONE;
    }
    if (name != NULL) {
        dim.name = str_dup(&program->arena, str_from(name));
        /* The user's symbol of that name: the body may use it, too. */
        dim.symbol = pts_sym_symbol(program->context, name, &program->recorder->failure);
    } else {
        const char *text = str_format(&program->arena, "dim_%d_%d", index, axis).at;
        dim.symbol =
            pts_sym_new_bounded_atom(symbols, text, 0, INT64_MAX, &program->recorder->failure);
    }
    if (dim.symbol == PTS_SYM_NONE || !pts_sym_is_atom(symbols, dim.symbol, &dim.atom)) {
        return PTS_SYM_NONE;
    }
    program->dims = grow(program, program->dims, program->dim_count,
                         &program->recorder->dim_capacity, sizeof *program->dims);
    program->dims[program->dim_count++] = dim;
    return dim.symbol;
}

PtsSym pts_parameter_dim(PtsProgram *program, int index, int axis, const char *name,
                         PtsError *error)
{
    PTS_RECORD_ENTER(program, error, PTS_SYM_NONE);
    PtsSym symbol = parameter_dim(program, index, axis, name);
    pts_record_close(program, symbol != PTS_SYM_NONE, error);
    return symbol;
}

static PtsSlot declare(PtsProgram *program, const PtsResult *shape, const char *name, PtsSite site)
{
    PtsEvent *due;
    if (!pts_record_on_path(program) || !pts_record_due(program, &due)) {
        return PTS_SLOT_NONE;
    }
    if (due == NULL) {
        PtsSlot slot = pts_record_new_slot(program, shape, name, site, -1);
        pts_record_add(program, NULL, slot);
        return slot;
    }
    const PtsSlotRecord *record = due->instruction == NULL ? &program->slots[due->slot] : NULL;
    bool same = record != NULL && record->dtype == shape->dtype && record->rank == shape->rank &&
                record->format == shape->format;
    for (int i = 0; i < shape->rank && same; i++) {
        same = record->shape[i] == shape->shape[i];
    }
    if (!same) {
        pts_record_differs(program, site, "a declaration");
        return PTS_SLOT_NONE;
    }
    pts_record_revive(program, due->slot);
    PtsSlotState *state = pts_record_change(program, due->slot);
    *state = (PtsSlotState){.dtype = record->dtype,
                            .format = record->format,
                            .rank = record->rank,
                            .producer = PTS_OP_COUNT};
    memcpy(state->shape, record->shape, sizeof state->shape);
    memcpy(state->valid, record->shape, sizeof state->valid);
    pts_record_top(program->recorder)->event++;
    return due->slot;
}

PtsSlot pts_declare(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                    PtsFormat format, const char *name, PtsSite site, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, PTS_SLOT_NONE);
    PtsResult result;
    PtsSlot slot = PTS_SLOT_NONE;
    if (read_shape(program, dtype, rank, shape, format, site, &result)) {
        slot = declare(program, &result, name, site);
    }
    pts_record_close(program, slot != PTS_SLOT_NONE, error);
    return slot;
}

bool pts_slot_info(const PtsProgram *program, PtsSlot slot, PtsSlotInfo *info, PtsError *error)
{
    if (program == NULL || slot >= program->slot_count) {
        return fail_use(error, "no such tensor in this program");
    }
    const PtsSlotRecord *record = &program->slots[slot];
    *info = (PtsSlotInfo){.dtype = record->dtype,
                          .format = record->format,
                          .rank = record->rank,
                          .is_parameter = record->parameter >= 0,
                          .name = record->name,
                          .site = record->site};
    const PtsSlotState *state = program->recorder != NULL ? &program->recorder->states.items[slot]
                                : program->final != NULL  ? &program->final[slot]
                                                          : NULL;
    if (state != NULL) {
        info->dtype = state->dtype;
        info->format = state->format;
        info->rank = state->rank;
        info->is_written = state->written == PTS_WRITTEN;
        info->is_lost = state->is_lost;
    }
    for (int i = 0; i < info->rank; i++) {
        info->shape[i] = state == NULL ? record->shape[i] : state->shape[i];
        info->valid[i] = state == NULL ? record->shape[i] : state->valid[i];
    }
    return true;
}

bool pts_slot_set_name(PtsProgram *program, PtsSlot slot, const char *name)
{
    PTS_RECORD_ENTER(program, NULL, false);
    bool ok = slot < program->slot_count && name != NULL;
    if (ok && strcmp(program->slots[slot].name, name) != 0) {
        program->slots[slot].name = str_dup(&program->arena, str_from(name));
    }
    pts_record_close(program, true, NULL);
    return ok;
}
