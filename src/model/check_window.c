/* Windows that leave the memory (F74006): a run refuses the iteration that comes to them. */
#include "model/infer.h"
#include "model/window.h"

#include <string.h>

typedef struct WindowCall {
    PtsEmit *emit;
    const PtsSlotState *tensor;   /* that the window lies in */
    const PtsViewPlace *place;    /* if that is a view; else NULL */
    const PtsSym *extents, *most; /* of the window's valid part, where they are at most `most` */
    PtsWindow window;
    PtsReach wanted, reach; /* at least that; what was found */
    int axis;
} WindowCall;

enum { MOST_VIEWS = 8 }; /* views of views are followed so far */

/* Strides without gaps, and the number of elements; false: too many. */
static bool lay_out(int rank, const int64_t *shape, int64_t *stride, int64_t *memory)
{
    *memory = 1;
    for (int i = rank - 1; i >= 0; i--) {
        stride[i] = *memory;
        if (shape[i] < 0 || __builtin_mul_overflow(*memory, shape[i], memory)) {
            return false;
        }
    }
    return true;
}

static bool values_of(const PtsIteration *iteration, int rank, const PtsSym *symbols,
                      int64_t *values)
{
    for (int i = 0; i < rank; i++) {
        if (!pts_iteration_value(iteration, symbols[i], &values[i])) {
            return false;
        }
    }
    return true;
}

/* The memory from the start of a view on, as the simulator lays it out: a part of its source's, or
 * a copy if the view leaves the source. */
static bool locate(PtsWindow *window, const PtsViewPlace *place, const PtsIteration *iteration)
{
    const PtsViewPlace *views[MOST_VIEWS];
    int64_t whole[PTS_MAX_RANK], offset[PTS_MAX_RANK], shape[PTS_MAX_RANK];
    int rank = place->rank, count = place->depth;
    for (int i = count - 1; i >= 0; i--, place = place->source) {
        views[i] = place;
    }
    if (!values_of(iteration, rank, views[0]->whole, whole) ||
        !lay_out(rank, whole, window->stride, &window->memory)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!values_of(iteration, rank, views[i]->offset, offset) ||
            !values_of(iteration, rank, views[i]->shape, shape)) {
            return false;
        }
        bool fits = true;
        int64_t start = 0;
        for (int axis = 0; axis < rank; axis++) {
            fits = fits && offset[axis] >= 0 && shape[axis] >= 0 &&
                   shape[axis] <= whole[axis] - offset[axis];
            start += fits ? offset[axis] * window->stride[axis] : 0;
            whole[axis] = shape[axis];
        }
        window->memory -= start;
        if (!fits && !lay_out(rank, shape, window->stride, &window->memory)) {
            return false;
        }
    }
    return true;
}

/* Fills the window in with numbers; false where one is not known. */
static bool measure(WindowCall *call, const PtsIteration *iteration)
{
    PtsWindow *window = &call->window;
    window->rank = call->tensor->rank;
    for (int i = window->rank - 1; i >= 0; i--) {
        int64_t extent, most;
        if (!pts_iteration_value(iteration, call->tensor->shape[i], &window->shape[i]) ||
            !pts_iteration_value(iteration, call->emit->attributes.offsets[i],
                                 &window->offset[i]) ||
            !pts_iteration_value(iteration, call->extents[i], &extent) ||
            !pts_iteration_value(iteration, call->most[i], &most) || window->shape[i] < 0) {
            return false;
        }
        window->extent[i] = extent < most ? extent : most;
    }
    return call->place != NULL
               ? locate(window, call->place, iteration)
               : lay_out(window->rank, window->shape, window->stride, &window->memory);
}

static bool leaves(void *context, const PtsIteration *iteration)
{
    WindowCall *call = context;
    call->reach =
        measure(call, iteration) ? pts_window_reach(&call->window, &call->axis) : PTS_REACH_INSIDE;
    return call->reach != PTS_REACH_INSIDE && call->reach >= call->wanted;
}

bool pts_result_shares(const PtsEmit *emit)
{
    bool describes =
        emit->op == PTS_OP_RESHAPE || emit->op == PTS_OP_VIEW_TYPE || emit->written >= 0;
    const PtsSlotTrack *tracks = emit->program->recorder->tracks.items;
    bool shares = emit->op == PTS_OP_VIEW;
    for (int i = 0; i < emit->operand_count && describes && !shares; i++) {
        shares = emit->tensor[i] != NULL && tracks[emit->operands[i].slot].shares;
    }
    return shares;
}

/* Such an assemble is measured as an instruction of any program is. */
static bool is_constant(const WindowCall *call)
{
    const PtsContext *context = call->emit->context;
    int64_t value;
    for (int i = 0; i < call->tensor->rank; i++) {
        if (!pts_sym_value(context, call->emit->attributes.offsets[i], &value) ||
            !pts_sym_value(context, call->extents[i], &value) ||
            !pts_sym_value(context, call->tensor->shape[i], &value)) {
            return false;
        }
    }
    return true;
}

static bool is_clear(const PtsSlotState *tensor)
{
    return !tensor->is_lost && !tensor->is_vague && tensor->unclear == NULL;
}

const PtsViewPlace *pts_view_place(const PtsEmit *emit)
{
    if (emit->op != PTS_OP_VIEW || !emit->is_partial) {
        return NULL;
    }
    PtsRecorder *recorder = emit->program->recorder;
    const PtsSlotState *state = &recorder->states.items[emit->operands[0].slot];
    const PtsSlotTrack *source = &recorder->tracks.items[emit->operands[0].slot];
    if (state->is_relabelled || !is_clear(state) ||
        (source->shares && (source->place == NULL || source->place->depth == MOST_VIEWS))) {
        return NULL;
    }
    PtsViewPlace *place = ARENA_NEW(&recorder->arena, PtsViewPlace);
    place->source = source->place;
    place->rank = state->rank;
    place->depth = source->place == NULL ? 1 : source->place->depth + 1;
    size_t bytes = sizeof *place->shape * (size_t)place->rank;
    memcpy(place->whole, state->shape, bytes);
    memcpy(place->offset, emit->attributes.offsets, bytes);
    memcpy(place->shape, emit->attributes.shape, bytes);
    return place;
}

/* May a view begin before its source? */
static bool may_be_before(const PtsEmit *emit)
{
    PtsSymTable *table = pts_context_symbols(emit->context);
    int64_t low, high;
    for (int i = 0; i < emit->first->rank; i++) {
        PtsSym offset = emit->attributes.offsets[i];
        if (!pts_sym_bounds(table, offset, &low, &high) || low < 0) {
            return true;
        }
    }
    return false;
}

bool pts_check_viewed(PtsEmit *emit)
{
    if (!emit->is_partial || !is_clear(emit->first)) {
        return true;
    }
    bool is_given = emit->attributes.valid_rank != 0;
    if (!is_given && !may_be_before(emit)) {
        return true; /* an implicit valid part ends with the source */
    }
    const PtsSlotTrack *source = &emit->program->recorder->tracks.items[emit->operands[0].slot];
    if (source->shares && source->place == NULL) {
        return true; /* its place in the memory is not known */
    }
    WindowCall call = {.emit = emit,
                       .tensor = emit->first,
                       .place = source->place,
                       .extents = is_given ? emit->attributes.valid : emit->results[0].valid,
                       .most = emit->attributes.shape,
                       .wanted = PTS_REACH_BEYOND};
    bool is_first;
    if (!pts_record_finds(emit->program, leaves, &call, &is_first)) {
        return true;
    }
    call.wanted = PTS_REACH_OUTSIDE;
    if (!pts_record_finds(emit->program, leaves, &call, &is_first)) {
        call.wanted = PTS_REACH_BEYOND;
        pts_record_finds(emit->program, leaves, &call, &is_first);
    }
    char text[256];
    pts_view_text(&call.window, call.reach, call.axis, text, sizeof text);
    return pts_record_window(
        emit->program,
        (PtsPendingWindow){emit->site, is_first, call.reach == PTS_REACH_OUTSIDE, text});
}

bool pts_check_assembled(PtsEmit *emit)
{
    const PtsSlotState *source = emit->tensor[0], *target = emit->tensor[1];
    if (!emit->is_partial || !is_clear(source) || !is_clear(target)) {
        return true;
    }
    WindowCall call = {.emit = emit,
                       .tensor = target,
                       .extents = source->valid,
                       .most = source->shape,
                       .wanted = PTS_REACH_BEYOND};
    bool is_first;
    if (is_constant(&call) || !pts_record_finds(emit->program, leaves, &call, &is_first)) {
        return true;
    }
    const PtsWindow *window = &call.window;
    for (int i = 0; i < window->rank; i++) {
        if (window->offset[i] < 0 || window->extent[i] > window->shape[i] - window->offset[i]) {
            char text[256];
            pts_assemble_text(window, i, pts_slot_name(emit->program, emit->operands[1].slot), text,
                              sizeof text);
            return pts_record_window(emit->program,
                                     (PtsPendingWindow){emit->site, is_first, true, text});
        }
    }
    return true;
}
