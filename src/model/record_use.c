/* The use of tensors: what may be read where, and the hazards of reading and writing in one
 * body. */
#include "model/record.h"

#include "base/str.h"

#include <stdio.h>

const char *pts_record_shape(PtsProgram *program, int rank, const PtsSym *shape)
{
    Buf text = {.arena = &program->recorder->arena};
    buf_add_char(&text, '[');
    for (int i = 0; i < rank; i++) {
        char extent[64];
        pts_sym_text(program->context, shape[i], extent, sizeof extent);
        buf_addf(&text, i == 0 ? "%s" : ", %s", extent);
    }
    buf_add_char(&text, ']');
    return text.at;
}

bool pts_record_warn(PtsProgram *program, uint32_t code, const char *id, PtsSite site,
                     const char *format, ...)
{
    char message[768];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (program->context->options.profile != PTS_PROFILE_STRICT) {
        pts_diagnose(program, PTS_WARNING, code, id, site, "%s", message);
        return true;
    }
    PtsError *failure = &program->recorder->failure;
    pts_fail(failure, PTS_VALUE_ERROR, code == 0 ? PTS_CODE_VALUE : code, "INVALID_VAL", "%s [%s]",
             message, id);
    pts_error_at(failure, site);
    return false;
}

/* The level of the innermost open frame in whose body, or in a loop inside it, the slot was made;
 * -1 when there is none. `*is_inside`: in a loop inside it, which has ended. */
static int level_in(const PtsProgram *program, PtsSlot slot, bool *is_inside)
{
    const PtsRecorder *recorder = program->recorder;
    uint32_t body = program->slots[slot].body;
    for (*is_inside = false; body != PTS_NO_BODY; body = program->bodies[body].parent) {
        for (int level = recorder->depth - 1; level >= 0; level--) {
            if (recorder->frames[level].body == body) {
                return level;
            }
        }
        *is_inside = true;
    }
    return -1;
}

static int level_of(const PtsProgram *program, PtsSlot slot)
{
    bool is_inside;
    return level_in(program, slot, &is_inside);
}

static bool fail_slot(PtsProgram *program, PtsSlot slot, PtsSite site, const char *what)
{
    PtsError *failure = &program->recorder->failure;
    const PtsSlotRecord *record = &program->slots[slot];
    pts_fail(failure, PTS_E_UNWRITTEN, "%s %s (declared at %s:%d)", pts_slot_name(program, slot),
             what, record->site.file == NULL ? "?" : record->site.file, record->site.line);
    pts_error_at(failure, site);
    return false;
}

bool pts_record_unwritten(PtsProgram *program, PtsSlot slot, PtsSite site)
{
    if (program->is_lenient || program->recorder->trusts_reads) {
        return true;
    }
    return fail_slot(program, slot, site, "is read before anything was written to it");
}

bool pts_record_visible(PtsProgram *program, PtsSlot slot, PtsSite site)
{
    PtsRecorder *recorder = program->recorder;
    if (slot >= program->slot_count) {
        pts_fail(&recorder->failure, PTS_E_VALUE, "no such tensor in this kernel");
        pts_error_at(&recorder->failure, site);
        return false;
    }
    if (program->slots[slot].parameter >= 0) {
        return true;
    }
    int level = level_of(program, slot);
    if (level < 0) {
        return fail_slot(program, slot, site, "was made inside a loop and does not exist after it");
    }
    if (recorder->tracks.items[slot].made < recorder->frames[level].serial) {
        return fail_slot(program, slot, site,
                         "was made on another control path and does not exist on this one");
    }
    return true;
}

bool pts_record_clear(PtsProgram *program, PtsSlot slot, PtsSite site)
{
    if (program->recorder->states.items[slot].is_lost) {
        PtsError *failure = &program->recorder->failure;
        pts_fail(failure, PTS_E_PLANNED, "%s is not known any more", pts_slot_name(program, slot));
        pts_error_at(failure, site);
        return false;
    }
    const PtsLoop *loop = program->recorder->states.items[slot].unclear;
    if (loop == NULL) {
        return true;
    }
    PtsError *failure = &program->recorder->failure;
    pts_fail(failure, PTS_E_CHANGED,
             "the shape or data type of %s depends on the path: loop %s (%s:%d) leaves it in more "
             "than one way",
             pts_slot_name(program, slot), loop->name,
             loop->site.file == NULL ? "?" : loop->site.file, loop->site.line);
    pts_error_at(failure, site);
    return false;
}

void pts_record_pend(PtsRecorder *recorder, PtsFrame *frame, PtsPendingRead read)
{
    PtsSlotTrack *track = &recorder->tracks.items[read.slot];
    uint32_t *known = read.is_doubtful ? &track->doubted : &track->pending;
    if (track->pending != frame->id && *known != frame->id) {
        *known = frame->id;
        VEC_PUSH(&recorder->arena, &frame->pending, read);
    }
}

/* Marks the frames inside the slot's owner that read it before they wrote it. */
static void mark_carried(PtsProgram *program, PtsSlot slot, int owner)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &recorder->tracks.items[slot];
    int written = (int)recorder->states.items[slot].level;
    for (int level = (written > owner ? written : owner) + 1; level < recorder->depth; level++) {
        if ((track->carried >> level & 1) == 0) {
            track->carried |= UINT64_C(1) << level;
            VEC_PUSH(&recorder->arena, &recorder->frames[level].carried, slot);
        }
    }
}

/* Marks the frames that need the shape and dtype it had before: they write a part of it, or read it
 * after a loop that may not have written it. */
static void mark_shaped(PtsProgram *program, PtsSlot slot, int owner)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &recorder->tracks.items[slot];
    int written = (int)recorder->states.items[slot].form_level;
    for (int level = (written > owner ? written : owner) + 1; level < recorder->depth; level++) {
        if ((track->shaped >> level & 1) == 0) {
            track->shaped |= UINT64_C(1) << level;
            VEC_PUSH(&recorder->arena, &recorder->frames[level].shaped, slot);
        }
    }
}

/* Warns of a tensor of a loop's body that one inner loop writes and another one reads. */
static bool check_siblings(PtsProgram *program, PtsSlot slot, PtsSite site, int owner)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &recorder->tracks.items[slot];
    if (owner < 1 || recorder->depth <= owner + 1 || track->child_loop == 0 || track->hazard_told ||
        track->child_serial != recorder->frames[owner].serial) {
        return true;
    }
    const PtsFrame *reader = &recorder->frames[owner + 1];
    if (reader->body + 1 == track->child_loop || reader->loop->loop.submit_before) {
        return true;
    }
    track->hazard_told = true;
    return pts_record_warn(program, 0, "sibling-loops", site,
                           "%s is written in one inner loop and read in another (%s): iterations "
                           "of the loop around may overlap on the device; use "
                           "submit_before_loop=True for the second",
                           pts_slot_name(program, slot), reader->loop->loop.name);
}

/* Warns of a tensor made in a loop that has ended: it has the last iteration's value, and several
 * iterations may overlap on the device. */
static bool check_local(PtsProgram *program, PtsSlot slot, PtsSite site)
{
    const PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &program->recorder->tracks.items[slot];
    bool is_inside;
    int level = level_in(program, slot, &is_inside);
    if (!is_inside || level < 0 || track->local_told) {
        return true;
    }
    const PtsLoop *many = NULL;
    for (uint32_t body = program->slots[slot].body; body != recorder->frames[level].body;
         body = program->bodies[body].parent) {
        const PtsRecordedLoop *loop = program->bodies[body].loop;
        int trips = loop == NULL ? 1 : pts_record_trips(program, &loop->loop);
        many = trips == 0 || trips == 1 ? many : &loop->loop;
    }
    if (many == NULL) {
        return true;
    }
    track->local_told = true;
    return pts_record_warn(program, 0, "loop-local", site,
                           "%s was made inside loop %s and is used after it: it has what the last "
                           "iteration gave it, and iterations may overlap on the device",
                           pts_slot_name(program, slot), many->name);
}

/* A read through a reshape in place is one of the memory that it describes. */
static bool read_root(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_op)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &recorder->tracks.items[slot];
    track->read_ever = true;
    if (is_op) {
        track->read_segment = recorder->segment;
    }
    if (program->slots[slot].parameter >= 0) {
        mark_carried(program, slot, 0);
        mark_shaped(program, slot, 0);
        return true;
    }
    int owner = level_of(program, slot);
    mark_carried(program, slot, owner);
    mark_shaped(program, slot, owner);
    if (recorder->states.items[slot].written == PTS_UNWRITTEN) {
        if (owner == recorder->depth - 1) {
            return pts_record_unwritten(program, slot, site);
        }
        if (recorder->partial && !pts_record_may_be_passed(program)) {
            return pts_record_unwritten(program, slot, site); /* in the first iteration */
        }
        bool doubtful = recorder->partial && !pts_record_is_on_its_way(program);
        pts_record_pend(recorder, pts_record_top(recorder),
                        (PtsPendingRead){slot, site, doubtful, false});
    }
    return check_siblings(program, slot, site, owner);
}

bool pts_record_read(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_op)
{
    PtsSlot root = pts_slot_root(program, slot);
    if (root != slot) {
        program->recorder->tracks.items[slot].read_ever = true;
        mark_shaped(program, slot, level_of(program, slot));
    }
    return check_local(program, slot, site) && read_root(program, root, site, is_op);
}

/* Reading and assembling in one body. */
static bool check_cycle(PtsProgram *program, PtsSlot slot, PtsSite site)
{
    static const char text[] = "%s is read and then assembled into in one loop body, which makes "
                               "the graph cyclic; take the read and the write to different loops";
    PtsRecorder *recorder = program->recorder;
    bool unsure = recorder->partial && program->is_lenient;
    if (recorder->tracks.items[slot].read_segment != recorder->segment || unsure) {
        return true;
    }
    if (pts_context_warns(program->context, "read-assembled")) {
        return pts_record_warn(program, 0xF21009, "read-assembled", site, text,
                               pts_slot_name(program, slot));
    }
    pts_fail(&recorder->failure, PTS_CORE_ERROR, 0xF21009, "OP_DEPENDENCY_CYCLE", text,
             pts_slot_name(program, slot));
    pts_error_at(&recorder->failure, site);
    return false;
}

static bool write_part(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_assemble)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotTrack *track = &recorder->tracks.items[slot];
    if (is_assemble && !check_cycle(program, slot, site)) {
        return false;
    }
    track->written_ever = true;
    recorder->integer_writes += pts_dtype_is_integer(recorder->states.items[slot].dtype);
    bool is_parameter = program->slots[slot].parameter >= 0;
    mark_shaped(program, slot, is_parameter ? 0 : level_of(program, slot));
    PtsSlotState *state = pts_record_change(program, slot);
    state->wide = NULL;
    state->written = PTS_WRITTEN;
    state->level = state->form_level = (uint32_t)recorder->depth - 1;
    return true;
}

bool pts_record_write_part(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_assemble)
{
    PtsSlot root = pts_slot_root(program, slot);
    return write_part(program, root, site, is_assemble) &&
           (root == slot || write_part(program, slot, site, false));
}
