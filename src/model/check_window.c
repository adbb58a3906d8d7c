/* Windows that leave the memory (F74006): a run refuses the iteration that comes to them. */
#include "model/infer.h"
#include "model/window.h"

typedef struct WindowCall {
    PtsEmit *emit;
    const PtsSlotState *tensor;   /* that the window lies in */
    const PtsSym *extents, *most; /* of the window's valid part, where they are at most `most` */
    PtsWindow window;
    PtsReach wanted, reach; /* at least that; what was found */
    int axis;
} WindowCall;

/* Fills the window in with numbers; false where one is not known. */
static bool measure(WindowCall *call, const PtsIteration *iteration)
{
    PtsWindow *window = &call->window;
    window->memory = 1;
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
        window->stride[i] = window->memory;
        if (__builtin_mul_overflow(window->memory, window->shape[i], &window->memory)) {
            return false;
        }
    }
    return true;
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

bool pts_check_viewed(PtsEmit *emit)
{
    /* An implicit valid part ends with the source. What lies behind a view is not followed. */
    if (!emit->is_partial || emit->attributes.valid_rank == 0 || !is_clear(emit->first) ||
        emit->program->recorder->tracks.items[emit->operands[0].slot].shares) {
        return true;
    }
    WindowCall call = {.emit = emit,
                       .tensor = emit->first,
                       .extents = emit->attributes.valid,
                       .most = emit->attributes.shape,
                       .wanted = PTS_REACH_OUTSIDE};
    bool is_first;
    if (!pts_record_finds(emit->program, leaves, &call, &is_first)) {
        call.wanted = PTS_REACH_BEYOND;
        if (!pts_record_finds(emit->program, leaves, &call, &is_first)) {
            return true;
        }
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
