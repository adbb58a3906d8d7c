/* Walking a body once per path: replay of what is recorded, decisions, the journal. */
#include "model/record.h"

PtsFrame *pts_record_top(PtsRecorder *recorder)
{
    return &recorder->frames[recorder->depth - 1];
}

bool pts_record_on_path(PtsProgram *program)
{
    PtsRecorder *recorder = program->recorder;
    if (recorder->depth > 0 && pts_record_top(recorder)->on_path) {
        return true;
    }
    pts_fail(&recorder->failure, PTS_E_RUNTIME,
             "operations are recorded inside a kernel's body only");
    return pts_record_fatal(program);
}

bool pts_record_differs(PtsProgram *program, PtsSite site, const char *what)
{
    PtsError *failure = &program->recorder->failure;
    pts_fail(failure, PTS_E_RUNTIME,
             "kernel body is not deterministic: %s differs from what the body did here on an "
             "earlier path",
             what);
    pts_error_at(failure, site);
    return pts_record_fatal(program);
}

bool pts_record_due(PtsProgram *program, PtsEvent **due)
{
    PtsRecorder *recorder = program->recorder;
    const PtsFrame *frame = pts_record_top(recorder);
    PtsBlockLog *log = &recorder->logs.items[frame->block];
    *due = NULL;
    if (frame->event < log->events.count) {
        *due = &log->events.items[frame->event];
        return true;
    }
    if (log->sealed || program->blocks[frame->block].condition != PTS_SYM_NONE) {
        return pts_record_differs(program, (PtsSite){0}, "an additional operation");
    }
    return true;
}

void pts_record_add(PtsProgram *program, PtsInstruction *instruction, PtsSlot slot)
{
    PtsRecorder *recorder = program->recorder;
    PtsFrame *frame = pts_record_top(recorder);
    PtsBlock *block = &program->blocks[frame->block];
    PtsEvent event = {instruction, slot};
    VEC_PUSH(&recorder->arena, &recorder->logs.items[frame->block].events, event);
    frame->event++;
    if (instruction == NULL) {
        return;
    }
    if (block->count == block->capacity) {
        uint32_t more = block->capacity == 0 ? 8 : block->capacity * 2;
        block->instructions =
            arena_grow(&program->arena, block->instructions,
                       block->capacity * sizeof(PtsInstruction *), more * sizeof(PtsInstruction *));
        block->capacity = more;
    }
    block->instructions[block->count++] = instruction;
}

void pts_record_revive(PtsProgram *program, PtsSlot slot)
{
    PtsRecorder *recorder = program->recorder;
    recorder->tracks.items[slot].made = ++recorder->serial;
    recorder->tracks.items[slot].read_segment = 0;
}

PtsSlotState *pts_record_change(PtsProgram *program, PtsSlot slot)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotState *state = &recorder->states.items[slot];
    PtsChange change = {slot, *state};
    VEC_PUSH(&recorder->arena, &recorder->journal, change);
    return state;
}

/* ---- the end of a path ---- */

static bool is_outside(const PtsProgram *program, const PtsFrame *frame, PtsSlot slot)
{
    return slot < program->bodies[frame->body].first_slot;
}

void pts_record_mark_exits(PtsRecorder *recorder, const PtsFrame *frame)
{
    for (uint32_t i = 0; i < frame->exits.count; i++) {
        recorder->tracks.items[frame->exits.items[i].slot].exit = i;
    }
}

PtsExit *pts_record_find_exit(PtsRecorder *recorder, PtsFrame *frame, PtsSlot slot)
{
    uint32_t at = recorder->tracks.items[slot].exit;
    bool found = at < frame->exits.count && frame->exits.items[at].slot == slot;
    return found ? &frame->exits.items[at] : NULL;
}

static bool same_extents(int rank, const PtsSym *a, const PtsSym *b)
{
    bool same = true;
    for (int i = 0; i < rank && same; i++) {
        same = a[i] == b[i];
    }
    return same;
}

/* Brings the exit state of one more path into that of the earlier ones. */
static void merge_exit(PtsProgram *program, const PtsFrame *frame, PtsExit *exit,
                       const PtsSlotState *state)
{
    exit->paths++;
    exit->state.producer = PTS_OP_COUNT;
    exit->state.is_lost = exit->state.is_lost || state->is_lost;
    exit->state.is_vague = exit->state.is_vague || state->is_vague ||
                           !same_extents(state->rank, exit->state.valid, state->valid);
    if (state->unclear != NULL) {
        exit->state.unclear = state->unclear;
    }
    if (state->written < exit->state.written) {
        exit->state.written = state->written == PTS_UNWRITTEN ? PTS_MAYBE_WRITTEN : state->written;
    } else if (state->written > exit->state.written) {
        exit->state.written = PTS_MAYBE_WRITTEN;
    }
    PtsAnswer same = pts_record_same_form(program, &exit->state, state);
    if (same == PTS_NO) {
        exit->state.unclear = &frame->loop->loop;
    } else if (same == PTS_MAYBE) {
        pts_record_join_form(program, &exit->state, state);
    } else if (!same_extents(state->rank, exit->state.valid, state->valid)) {
        for (int i = 0; i < state->rank; i++) {
            exit->state.valid[i] = state->shape[i];
        }
    }
}

/* Notes the states in which the path leaves the slots from outside the body, and undoes its changes
 * to them. */
static void leave_path(PtsProgram *program, PtsFrame *frame)
{
    PtsRecorder *recorder = program->recorder;
    pts_record_mark_exits(recorder, frame);
    for (uint32_t i = 0; i < frame->exits.count; i++) {
        frame->exits.items[i].seen = false;
    }
    for (uint32_t i = recorder->journal.count; i > frame->journal_mark; i--) {
        PtsSlot slot = recorder->journal.items[i - 1].slot;
        if (frame->loop == NULL || !is_outside(program, frame, slot)) {
            continue;
        }
        const PtsSlotState *state = &recorder->states.items[slot];
        PtsExit *exit = pts_record_find_exit(recorder, frame, slot);
        if (exit == NULL) {
            recorder->tracks.items[slot].exit = frame->exits.count;
            PtsExit new_exit = {.slot = slot, .state = *state, .paths = 1, .seen = true};
            VEC_PUSH(&recorder->arena, &frame->exits, new_exit);
        } else if (!exit->seen) {
            exit->seen = true;
            merge_exit(program, frame, exit, state);
        }
    }
    /* What was made inside stays as this path left it: it may be used after the loop. */
    while (recorder->journal.count > frame->journal_mark) {
        const PtsChange *change = &recorder->journal.items[--recorder->journal.count];
        if (frame->loop == NULL || is_outside(program, frame, change->slot)) {
            recorder->states.items[change->slot] = change->before;
        }
    }
}

static bool end_path(PtsProgram *program, PtsFrame *frame)
{
    PtsRecorder *recorder = program->recorder;
    PtsBlockLog *log = &recorder->logs.items[frame->block];
    if (frame->event < log->events.count ||
        program->blocks[frame->block].condition != PTS_SYM_NONE) {
        return pts_record_differs(program, (PtsSite){0}, "the end of the body");
    }
    log->sealed = true;
    leave_path(program, frame);
    frame->on_path = false;
    return true;
}

static bool start_path(PtsProgram *program, PtsFrame *frame)
{
    PtsRecorder *recorder = program->recorder;
    PtsContext *context = program->context;
    uint32_t most = context->options.max_paths > 0 ? (uint32_t)context->options.max_paths
                                                   : (uint32_t)PTS_DEFAULT_PATHS;
    if (frame->paths >= most) {
        return pts_fail(&recorder->failure, PTS_E_MEMORY,
                        "more than %u paths through one body: every symbolic condition doubles "
                        "them",
                        most);
    }
    frame->paths++;
    frame->on_path = true;
    frame->serial = ++recorder->serial;
    recorder->segment = ++recorder->serial;
    frame->block = program->bodies[frame->body].root;
    frame->event = frame->decided = 0;
    frame->journal_mark = recorder->journal.count;
    pts_scope_unwind(context, frame->scope_depth);
    return pts_scope_push(context, &recorder->failure);
}

/* Turns to the next combination of decisions; false when there is none. */
static bool next_decisions(PtsFrame *frame)
{
    while (frame->decisions.count > 0 &&
           !frame->decisions.items[frame->decisions.count - 1].choice) {
        frame->decisions.count--;
    }
    if (frame->decisions.count == 0) {
        return false;
    }
    frame->decisions.items[frame->decisions.count - 1].choice = false;
    return true;
}

bool pts_record_next_path(PtsProgram *program, PtsFrame *frame)
{
    if (frame->complete) {
        return false;
    }
    if (frame->on_path) {
        if (!end_path(program, frame)) {
            program->recorder->failed = true;
            return false;
        }
        if (!next_decisions(frame)) {
            pts_scope_unwind(program->context, frame->scope_depth);
            frame->complete = true;
            return false;
        }
    }
    if (!start_path(program, frame)) {
        program->recorder->failed = true;
        return false;
    }
    return true;
}

bool pts_program_next_path(PtsProgram *program)
{
    PTS_RECORD_ENTER(program, NULL, false);
    PtsRecorder *recorder = program->recorder;
    bool more = false;
    if (recorder->depth > 1) {
        recorder->failed = true;
        pts_fail(&recorder->failure, PTS_E_RUNTIME, "a loop was left before its end");
    } else {
        if (recorder->depth == 0) {
            recorder->frames[0] = (PtsFrame){.body = 0, .is_new = true};
            recorder->frames[0].id = ++recorder->serial;
            recorder->frames[0].scope_depth = pts_scope_depth(program->context);
            recorder->depth = 1;
        }
        more = pts_record_next_path(program, &recorder->frames[0]);
    }
    pts_record_close(program, true, NULL);
    return more;
}

/* ---- conditions ---- */

/* The answer that the present path already gave, to this condition or its opposite: 1, 0, or -1. */
static int known_answer(PtsRecorder *recorder, PtsSym condition, PtsSym opposite)
{
    for (int level = recorder->depth - 1; level >= 0; level--) {
        const PtsFrame *frame = &recorder->frames[level];
        for (uint32_t i = 0; i < frame->decided; i++) {
            const PtsDecision *decision = &frame->decisions.items[i];
            if (decision->condition == condition) {
                return decision->choice;
            }
            if (decision->condition == opposite) {
                return !decision->choice;
            }
        }
    }
    return -1;
}

/* Gives the present block its branch, or compares it with the one it has. */
static bool branch(PtsProgram *program, PtsSym condition, PtsSite site)
{
    PtsRecorder *recorder = program->recorder;
    uint32_t block = pts_record_top(recorder)->block;
    const PtsBlockLog *log = &recorder->logs.items[block];
    if (program->blocks[block].condition == condition &&
        pts_record_top(recorder)->event == log->events.count) {
        return true;
    }
    if (pts_record_top(recorder)->event < log->events.count || log->sealed ||
        program->blocks[block].condition != PTS_SYM_NONE) {
        return pts_record_differs(program, site, "a condition");
    }
    uint32_t if_true = pts_record_new_block(program), if_false = pts_record_new_block(program);
    PtsBlock *at = &program->blocks[block];
    at->condition = condition;
    at->condition_site = site;
    at->if_true = if_true;
    at->if_false = if_false;
    return true;
}

static int decide(PtsProgram *program, PtsSym condition, PtsSite site)
{
    PtsRecorder *recorder = program->recorder;
    int64_t value;
    if (!pts_sym_is_valid(program->context, condition)) {
        pts_fail(&recorder->failure, PTS_E_VALUE, "the condition is not a symbolic scalar");
        return -1;
    }
    if (pts_sym_value(program->context, condition, &value)) {
        return value != 0;
    }
    PtsSym opposite = pts_sym_not(program->context, condition, &recorder->failure);
    if (opposite == PTS_SYM_NONE || !pts_record_on_path(program)) {
        return -1;
    }
    int known = known_answer(recorder, condition, opposite);
    if (known >= 0) {
        return known;
    }
    if (!branch(program, condition, site)) {
        return -1;
    }
    PtsFrame *frame = pts_record_top(recorder);
    if (frame->decided == frame->decisions.count) {
        PtsDecision decision = {condition, true};
        VEC_PUSH(&recorder->arena, &frame->decisions, decision);
    }
    bool choice = frame->decisions.items[frame->decided++].choice;
    frame->block =
        choice ? program->blocks[frame->block].if_true : program->blocks[frame->block].if_false;
    frame->event = 0;
    return choice;
}

int pts_condition(PtsProgram *program, PtsSym condition, PtsSite site, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, -1);
    int answer = decide(program, condition, site);
    if (answer < 0) {
        pts_error_at(&program->recorder->failure, site);
    }
    pts_record_close(program, answer >= 0, error);
    return answer;
}
