/* Loops: opening and closing their bodies, and what tensors are after them. */
#include "model/partial.h"
#include "model/record.h"

#include "base/str.h"

/* ---- begin ---- */

static bool fail_loop(PtsProgram *program, PtsErrorKind kind, uint32_t code, PtsSite site,
                      const char *message, const char *detail)
{
    PtsError *failure = &program->recorder->failure;
    pts_fail(failure, kind, code, kind == PTS_VALUE_ERROR ? "INVALID_VAL" : "RUNTIME_ERROR",
             message, detail);
    pts_error_at(failure, site);
    return false;
}

static bool check_loop(PtsProgram *program, const PtsLoop *loop)
{
    const PtsRecorder *recorder = program->recorder;
    const PtsSym bounds[3] = {loop->start, loop->stop, loop->step};
    for (int i = 0; i < 3; i++) {
        if (!pts_sym_is_valid(program->context, bounds[i])) {
            return fail_loop(program, PTS_TYPE_ERROR, PTS_CODE_TYPE, loop->site,
                             "loop bounds must be integers or symbolic scalars%s", "");
        }
    }
    int64_t step;
    if (pts_sym_value(program->context, loop->step, &step) && step == 0) {
        return fail_loop(program, PTS_VALUE_ERROR, PTS_CODE_VALUE, loop->site,
                         "loop step must not be zero%s", "");
    }
    if (recorder->depth >= PTS_MAX_DEPTH) {
        return fail_loop(program, PTS_MEMORY_ERROR, PTS_CODE_LIMIT, loop->site,
                         "loops are nested too deeply%s", "");
    }
    for (int level = 1; level < recorder->depth; level++) {
        const PtsLoop *outer = &recorder->frames[level].loop->loop;
        if (loop->index_name != NULL && strcmp(outer->index_name, loop->index_name) == 0) {
            return fail_loop(program, PTS_VALUE_ERROR, PTS_CODE_VALUE, loop->site,
                             "a loop around this one has the same idx_name %s", loop->index_name);
        }
        if (outer->parallel && loop->parallel) {
            return fail_loop(program, PTS_VALUE_ERROR, PTS_CODE_VALUE, loop->site,
                             "a parallel loop may not contain another parallel loop%s", "");
        }
    }
    return true;
}

/* A positive step takes the index from a known start to the last step before a known stop. */
static PtsSym new_index(PtsProgram *program, const PtsLoop *loop, const char *name)
{
    int64_t start, stop, step, low = INT64_MIN, high = INT64_MAX;
    if (pts_sym_value(program->context, loop->start, &start) &&
        pts_sym_value(program->context, loop->step, &step) && step > 0) {
        low = start;
        bool sane = start > INT32_MIN && start < INT32_MAX; /* no overflow below */
        if (sane && pts_sym_value(program->context, loop->stop, &stop) && stop > start &&
            stop < INT32_MAX) {
            high = start + (stop - start - 1) / step * step;
        }
    }
    return pts_sym_new_bounded_atom(pts_context_symbols(program->context), name, low, high,
                                    &program->recorder->failure);
}

static PtsRecordedLoop *new_loop(PtsProgram *program, const PtsLoop *loop, PtsSym *index)
{
    Arena *arena = &program->arena;
    PtsRecordedLoop *recorded = ARENA_NEW(arena, PtsRecordedLoop);
    recorded->number = program->recorder->loop_count++;
    recorded->loop = *loop;
    recorded->loop.name = loop->name != NULL ? str_dup(arena, str_from(loop->name))
                                             : str_format(arena, "loop_%d", recorded->number).at;
    recorded->loop.index_name = loop->index_name != NULL
                                    ? str_dup(arena, str_from(loop->index_name))
                                    : str_format(arena, "loop_idx_%d", recorded->number).at;
    *index = new_index(program, loop, recorded->loop.index_name);
    if (*index == PTS_SYM_NONE) {
        return NULL;
    }
    pts_sym_is_atom(pts_context_symbols(program->context), *index, &recorded->index);
    recorded->symbol = *index;
    recorded->body = pts_record_new_body(program, pts_record_top(program->recorder)->body);
    program->bodies[recorded->body].loop = recorded;
    PtsInstruction *instruction = ARENA_NEW(arena, PtsInstruction);
    *instruction = (PtsInstruction){.kind = PTS_INSTRUCTION_LOOP,
                                    .written = PTS_SLOT_NONE,
                                    .loop = recorded,
                                    .label = pts_context_scope(program->context)->label,
                                    .site = loop->site};
    pts_record_add(program, instruction, PTS_SLOT_NONE);
    return recorded;
}

static bool same_name(const char *given, const char *recorded)
{
    return given == NULL || strcmp(given, recorded) == 0;
}

static bool is_same_loop(const PtsRecordedLoop *recorded, const PtsLoop *loop)
{
    const PtsLoop *old = &recorded->loop;
    return old->start == loop->start && old->stop == loop->stop && old->step == loop->step &&
           old->parallel == loop->parallel && old->submit_before == loop->submit_before &&
           same_name(loop->name, old->name) && same_name(loop->index_name, old->index_name);
}

static bool loop_begin(PtsProgram *program, const PtsLoop *loop, PtsSym *index)
{
    PtsRecorder *recorder = program->recorder;
    PtsEvent *due;
    if (!pts_record_on_path(program) || !check_loop(program, loop) ||
        !pts_record_due(program, &due)) {
        return false;
    }
    const PtsRecordedLoop *recorded;
    if (due == NULL) {
        recorded = new_loop(program, loop, index);
        if (recorded == NULL) {
            return false;
        }
    } else {
        recorded = due->instruction == NULL ? NULL : due->instruction->loop;
        if (recorded == NULL || !is_same_loop(recorded, loop)) {
            return pts_record_differs(program, loop->site, "a loop");
        }
        *index = recorded->symbol;
        pts_record_top(recorder)->event++;
    }
    PtsFrame *frame = &recorder->frames[recorder->depth++];
    PtsFrame old = *frame; /* its lists' memory is used again */
    *frame = (PtsFrame){.body = recorded->body, .loop = recorded, .is_new = due == NULL};
    frame->decisions = old.decisions;
    frame->exits = old.exits;
    frame->pending = old.pending;
    frame->carried = old.carried;
    frame->shaped = old.shaped;
    frame->windows = old.windows;
    frame->decisions.count = frame->exits.count = 0;
    frame->pending.count = frame->carried.count = frame->shaped.count = 0;
    frame->windows.count = 0;
    frame->scope_depth = pts_scope_depth(program->context);
    frame->id = ++recorder->serial;
    recorder->segment = ++recorder->serial;
    return true;
}

bool pts_loop_begin(PtsProgram *program, const PtsLoop *loop, PtsSym *index, PtsError *error)
{
    *index = PTS_SYM_NONE;
    PTS_RECORD_ENTER(program, error, false);
    return pts_record_close(program, loop_begin(program, loop, index), error);
}

bool pts_loop_next_path(PtsProgram *program)
{
    PTS_RECORD_ENTER(program, NULL, false);
    PtsRecorder *recorder = program->recorder;
    bool more = recorder->depth > 1 && pts_record_next_path(program, pts_record_top(recorder));
    pts_record_close(program, true, NULL);
    return more;
}

/* ---- end ---- */

int pts_record_trips(const PtsProgram *program, const PtsLoop *loop)
{
    int64_t start, stop, step;
    if (!pts_sym_value(program->context, loop->start, &start) ||
        !pts_sym_value(program->context, loop->stop, &stop) ||
        !pts_sym_value(program->context, loop->step, &step)) {
        return -1;
    }
    if (step > 0 ? start >= stop : start <= stop) {
        return 0;
    }
    int64_t second;
    bool beyond = __builtin_add_overflow(start, step, &second);
    return beyond || (step > 0 ? second >= stop : second <= stop) ? 1 : 2;
}

/* Refuses a tensor that the next iteration would use with another shape than the first. */
static bool check_exit(PtsProgram *program, const PtsFrame *frame, const PtsExit *exit)
{
    PtsRecorder *recorder = program->recorder;
    const PtsSlotState *before = &recorder->states.items[exit->slot];
    const PtsSlotTrack *track = &recorder->tracks.items[exit->slot];
    bool used = ((track->carried | track->shaped) >> (recorder->depth - 1) & 1) != 0;
    if (!used || (exit->state.unclear == NULL &&
                  pts_record_same_form(program, &exit->state, before) != PTS_NO)) {
        return true;
    }
    int trips = pts_record_trips(program, &frame->loop->loop);
    if (trips == 0 || trips == 1) {
        return true; /* there is no next iteration */
    }
    PtsError *failure = &recorder->failure;
    pts_fail(failure, PTS_E_CHANGED,
             "the shape or data type of %s depends on the path: the next iteration of %s uses it "
             "with another one than the first",
             pts_slot_name(program, exit->slot), frame->loop->loop.name);
    pts_error_at(failure, frame->loop->loop.site);
    return false;
}

/* Warns of a local tensor that iterations of a parallel loop hand to each other. */
static bool check_parallel(PtsProgram *program, const PtsFrame *frame, const PtsExit *exit)
{
    PtsRecorder *recorder = program->recorder;
    bool carried = (recorder->tracks.items[exit->slot].carried >> (recorder->depth - 1) & 1) != 0;
    if (!frame->loop->loop.parallel || !carried || program->slots[exit->slot].parameter >= 0) {
        return true;
    }
    return pts_record_warn(program, 0, "parallel-accumulation", frame->loop->loop.site,
                           "%s is read and written by the iterations of the parallel loop %s: "
                           "their order is not defined on the device",
                           pts_slot_name(program, exit->slot), frame->loop->loop.name);
}

/* Does the next iteration see another valid part of the tensor than the first, or other memory? */
static bool is_moved(const PtsProgram *program, const PtsFrame *frame, const PtsExit *exit)
{
    const PtsRecorder *recorder = program->recorder;
    const PtsSlotState *before = &recorder->states.items[exit->slot];
    bool moved = recorder->tracks.items[exit->slot].shares || exit->state.unclear != NULL ||
                 (exit->state.is_lost && !before->is_lost) ||
                 (exit->state.is_vague && !before->is_vague);
    for (int i = 0; i < before->rank && !moved; i++) {
        moved = exit->state.valid[i] != before->valid[i];
    }
    return moved && pts_record_trips(program, &frame->loop->loop) != 1;
}

static void apply_exit(PtsProgram *program, const PtsFrame *frame, const PtsExit *exit)
{
    PtsRecorder *recorder = program->recorder;
    int trips = pts_record_trips(program, &frame->loop->loop);
    bool always = exit->paths == frame->paths && trips > 0;
    bool moved = is_moved(program, frame, exit);
    PtsSlotState *state = pts_record_change(program, exit->slot);
    PtsSlotState before = *state;
    *state = exit->state;
    state->is_vague = state->is_vague || moved;
    state->level = (uint32_t)recorder->depth - 2;
    state->form_level = always ? state->level : before.form_level;
    if (!always) {
        if (state->written != before.written) {
            /* A run finds what a loop without iterations has not written; partial programs have
             * none. */
            bool never = trips == 0 && recorder->partial;
            state->written = never ? before.written : PTS_MAYBE_WRITTEN;
        }
        state->producer = PTS_OP_COUNT;
        state->is_lost = state->is_lost || before.is_lost;
        state->is_vague = state->is_vague || before.is_vague;
        PtsAnswer same = pts_record_same_form(program, state, &before);
        bool held = before.written != PTS_UNWRITTEN;
        if (same == PTS_NO && held) {
            state->unclear = &frame->loop->loop;
        } else if (same == PTS_MAYBE) {
            pts_record_join_form(program, state, &before);
        }
        for (int i = 0; i < state->rank && same == PTS_YES; i++) {
            if (state->valid[i] != before.valid[i] && held) {
                state->valid[i] = state->shape[i];
                state->is_vague = true;
            }
        }
    }
    PtsSlotTrack *track = &recorder->tracks.items[exit->slot];
    track->child_loop = frame->body + 1;
    track->child_serial = recorder->frames[recorder->depth - 2].serial;
}

/* Has no path of this loop written the slot? pts_record_mark_exits must have been called. */
static bool stays_unwritten(PtsRecorder *recorder, PtsFrame *frame, PtsSlot slot)
{
    const PtsExit *exit = pts_record_find_exit(recorder, frame, slot);
    return exit == NULL || exit->state.written == PTS_UNWRITTEN;
}

static bool loop_doubt(PtsProgram *program)
{
    PtsRecorder *recorder = program->recorder;
    PtsFrame *frame = pts_record_top(recorder);
    if (recorder->depth < 2 || !frame->complete) {
        return false;
    }
    const PtsFrame *outer = &recorder->frames[recorder->depth - 2];
    pts_record_mark_exits(recorder, frame);
    bool passed = !pts_surely_shows(program, PTS_CODE_UNWRITTEN);
    while (frame->doubts < frame->pending.count) {
        PtsPendingRead *read = &frame->pending.items[frame->doubts++];
        read->is_told = (read->is_doubtful || passed) &&
                        program->slots[read->slot].body == outer->body &&
                        stays_unwritten(recorder, frame, read->slot) &&
                        !pts_record_unwritten(program, read->slot, read->site);
        if (read->is_told) {
            recorder->is_late_doubt = true;
            return true;
        }
    }
    return false;
}

bool pts_loop_doubt(PtsProgram *program, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, false);
    bool doubt = loop_doubt(program);
    pts_record_close(program, !doubt, error);
    return doubt;
}

/* Reads of slots that no path of this loop wrote: the loop around may do so, or nobody. */
static bool settle_pending(PtsProgram *program, PtsFrame *frame)
{
    PtsRecorder *recorder = program->recorder;
    PtsFrame *outer = &recorder->frames[recorder->depth - 2];
    pts_record_mark_exits(recorder, frame);
    for (uint32_t i = 0; i < frame->pending.count; i++) {
        PtsPendingRead read = frame->pending.items[i];
        if (read.is_told || !stays_unwritten(recorder, frame, read.slot)) {
            continue;
        }
        if (program->slots[read.slot].body == outer->body) {
            recorder->is_late_doubt = read.is_doubtful;
            return pts_record_unwritten(program, read.slot, read.site);
        }
        pts_record_pend(recorder, outer, read);
    }
    return true;
}

/* After a loop that ran, the tensors of its body exist: to the enclosing frame they are written.
 * `vague`: not all iterations leave them like the one that was recorded last. */
static void leave_locals(PtsProgram *program, const PtsBody *body, bool vague)
{
    PtsRecorder *recorder = program->recorder;
    uint32_t level = (uint32_t)recorder->depth - 2;
    for (PtsSlot slot = body->first_slot; slot < body->end_slot; slot++) {
        PtsSlotState *state = &recorder->states.items[slot];
        state->level = state->level > level ? level : state->level;
        state->form_level = state->form_level > level ? level : state->form_level;
        state->is_vague = state->is_vague || vague;
    }
}

static bool loop_end(PtsProgram *program)
{
    PtsRecorder *recorder = program->recorder;
    if (recorder->depth < 2 || !pts_record_top(recorder)->complete) {
        return pts_fail(&recorder->failure, PTS_E_RUNTIME, "a loop was left before its end");
    }
    PtsFrame *frame = pts_record_top(recorder);
    bool partial = recorder->partial; /* an error does not keep the loop open */
    bool ok = settle_pending(program, frame), moved = false;
    for (uint32_t i = 0; i < frame->exits.count && (ok || partial); i++) {
        moved = moved || is_moved(program, frame, &frame->exits.items[i]);
        ok = check_exit(program, frame, &frame->exits.items[i]) &&
             check_parallel(program, frame, &frame->exits.items[i]) && ok;
        if (!ok && !partial) {
            return false;
        }
        apply_exit(program, frame, &frame->exits.items[i]);
    }
    if (!ok && !partial) {
        return false;
    }
    for (uint32_t i = 0; i < frame->carried.count; i++) {
        PtsSlotTrack *track = &recorder->tracks.items[frame->carried.items[i]];
        track->carried &= ~(UINT64_C(1) << (recorder->depth - 1));
    }
    for (uint32_t i = 0; i < frame->shaped.count; i++) {
        PtsSlotTrack *track = &recorder->tracks.items[frame->shaped.items[i]];
        track->shaped &= ~(UINT64_C(1) << (recorder->depth - 1));
    }
    if (frame->is_new) {
        program->bodies[frame->body].end_slot = program->slot_count;
    }
    leave_locals(program, &program->bodies[frame->body], frame->paths > 1 || moved);
    ok = ok && pts_record_settle_windows(program, frame, moved);
    recorder->depth--;
    recorder->segment = ++recorder->serial;
    return ok;
}

bool pts_loop_end(PtsProgram *program, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, false);
    return pts_record_close(program, loop_end(program), error);
}

/* ---- first and last iteration ---- */

static const PtsLoop *loop_of_index(PtsProgram *program, PtsSym index)
{
    PtsRecorder *recorder = program->recorder;
    for (int level = recorder->depth - 1; level > 0; level--) {
        if (recorder->frames[level].loop->symbol == index) {
            return &recorder->frames[level].loop->loop;
        }
    }
    pts_fail(&recorder->failure, PTS_E_VALUE, "not loop index");
    return NULL;
}

PtsSym pts_loop_edge(PtsProgram *program, PtsSym index, bool end, PtsError *error)
{
    jmp_buf *env = pts_record_open(program, error);
    if (env == NULL) {
        return PTS_SYM_NONE;
    }
    PtsContext *context = program->context;
    PtsError *failure = &program->recorder->failure;
    const PtsLoop *loop = loop_of_index(program, index);
    PtsSym edge = PTS_SYM_NONE;
    int64_t step;
    if (loop != NULL && !end) {
        edge = pts_sym_binary(context, PTS_SYM_EQ, index, loop->start, failure);
    } else if (loop != NULL) {
        PtsSym last = pts_sym_binary(context, PTS_SYM_SUB, loop->stop, loop->step, failure);
        bool down = pts_sym_value(context, loop->step, &step) && step < 0;
        if (last != PTS_SYM_NONE) {
            edge = pts_sym_binary(context, down ? PTS_SYM_LE : PTS_SYM_GE, index, last, failure);
        }
    }
    pts_record_close(program, edge != PTS_SYM_NONE, error);
    return edge;
}
