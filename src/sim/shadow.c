/* Shadows of buffers; see shadow.h. */
#include "sim/shadow.h"
#include "sim/kernels/common.h"
#include "sim/rt.h"

#include <stdlib.h>
#include <string.h>

Shadow *shadow_new(int64_t bytes)
{
    Shadow *shadow = calloc(1, sizeof *shadow);
    if (shadow != NULL) {
        ranges_init(&shadow->undefined, bytes);
        shadow->slot = PTS_SLOT_NONE;
    }
    return shadow;
}

void shadow_free(Shadow *shadow)
{
    if (shadow != NULL) {
        ranges_free(&shadow->undefined);
        free(shadow);
    }
}

/* ---- runs ---- */

/* Bytes from `base` to an element. */
static int64_t distance(const PtsTensor *tensor, const int64_t *index, int axes, const void *base)
{
    return pts_at(tensor, index, axes) - (const char *)base;
}

/* The first axis from which on the elements of the extent lie without gaps. */
static int dense_from(const PtsTensor *tensor, const int64_t *extent)
{
    int axis = tensor->rank;
    int64_t wanted = 1;
    while (axis > 0 && (tensor->stride[axis - 1] == wanted || extent[axis - 1] == 1)) {
        axis--;
        wanted *= extent[axis];
    }
    return axis;
}

bool shadow_runs(const PtsTensor *tensor, const int64_t *extent, const void *base, ShadowRun *run,
                 void *context)
{
    int64_t count;
    if (tensor->rank == 0 || !rt_element_count(tensor->rank, extent, &count) || count == 0) {
        return true;
    }
    int axes = dense_from(tensor, extent);
    int64_t bytes = (int64_t)pts_dtype_bytes(tensor->dtype);
    for (int i = axes; i < tensor->rank; i++) {
        bytes *= extent[i];
    }
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        if (!run(context, distance(tensor, index, axes, base), bytes)) {
            return false;
        }
    } while (pts_next_index(axes, extent, index));
    return true;
}

typedef struct Mark {
    Shadow *shadow;
    uint32_t tag;
} Mark;

static bool define_run(void *context, int64_t begin, int64_t bytes)
{
    const Mark *mark = context;
    return ranges_remove(&mark->shadow->undefined, begin, begin + bytes);
}

static bool undefine_run(void *context, int64_t begin, int64_t bytes)
{
    const Mark *mark = context;
    return ranges_add(&mark->shadow->undefined, begin, begin + bytes, mark->tag);
}

bool shadow_define(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent, const void *base)
{
    Mark mark = {shadow, 0};
    return shadow_runs(tensor, extent, base, define_run, &mark);
}

bool shadow_undefine(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent,
                     const void *base, uint32_t tag)
{
    Mark mark = {shadow, tag};
    return shadow_runs(tensor, extent, base, undefine_run, &mark);
}

static bool retag_run(void *context, int64_t begin, int64_t bytes)
{
    const Mark *mark = context;
    Range found;
    for (int64_t at = begin; ranges_find(&mark->shadow->undefined, at, begin + bytes, &found);
         at = found.end) {
        if (found.tag == SHADOW_NEVER_WRITTEN &&
            !ranges_add(&mark->shadow->undefined, found.begin, found.end, mark->tag)) {
            return false;
        }
    }
    return true;
}

bool shadow_retag(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent, const void *base,
                  uint32_t tag)
{
    Mark mark = {shadow, tag};
    return shadow_runs(tensor, extent, base, retag_run, &mark);
}

/* Gives false, which ends the walk, at the first undefined byte. */
static bool is_defined_run(void *context, int64_t begin, int64_t bytes)
{
    const Shadow *shadow = context;
    Range found;
    return !ranges_find(&shadow->undefined, begin, begin + bytes, &found);
}

bool shadow_touches(const Shadow *shadow, const PtsTensor *tensor, const int64_t *extent,
                    const void *base)
{
    Shadow *asked = (Shadow *)(uintptr_t)shadow; /* only read */
    return !shadow_runs(tensor, extent, base, is_defined_run, asked);
}

/* ---- copies ---- */

static bool copy_run(const ShadowCopy *copy, int64_t from, int64_t to, int64_t bytes)
{
    Range found;
    if (!ranges_remove(&copy->to->undefined, to, to + bytes)) {
        return false;
    }
    for (int64_t at = from; copy->from != NULL && at < from + bytes; at = found.end) {
        if (!ranges_find(&copy->from->undefined, at, from + bytes, &found)) {
            break;
        }
        uint32_t tag = found.tag == SHADOW_NEVER_WRITTEN ? copy->tag : found.tag;
        if (!ranges_add(&copy->to->undefined, to + found.begin - from, to + found.end - from,
                        tag)) {
            return false;
        }
    }
    return true;
}

bool shadow_copy(const ShadowCopy *copy, const PtsTensor *from, const int64_t *from_extent,
                 const PtsTensor *to, const int64_t *to_extent)
{
    int64_t size = (int64_t)pts_dtype_bytes(from->dtype);
    int64_t left = 0;
    int64_t room = 0;
    if (from->rank == 0 || to->rank == 0 || !rt_element_count(from->rank, from_extent, &left) ||
        !rt_element_count(to->rank, to_extent, &room)) {
        return true;
    }
    left = left < room ? left : room;
    int64_t at[PTS_MAX_RANK] = {0};
    int64_t target[PTS_MAX_RANK] = {0};
    int last = from->rank - 1;
    int to_last = to->rank - 1;
    while (left > 0) {
        /* As many elements as both rows still have; one by one where a row has gaps. */
        bool dense = from->stride[last] == 1 && to->stride[to_last] == 1;
        int64_t run = from_extent[last] - at[last];
        int64_t other = to_extent[to_last] - target[to_last];
        run = run < other ? run : other;
        run = !dense ? 1 : run < left ? run : left;
        if (!copy_run(copy, distance(from, at, from->rank, copy->from_base),
                      distance(to, target, to->rank, copy->to_base), run * size)) {
            return false;
        }
        left -= run;
        at[last] += run - 1;
        target[to_last] += run - 1;
        pts_next_index(from->rank, from_extent, at);
        pts_next_index(to->rank, to_extent, target);
    }
    return true;
}

/* ---- boxes ---- */

void shadow_join(int rank, Box *box, const Box *other, bool *any)
{
    for (int i = 0; i < rank; i++) {
        bool first = !*any || other->first[i] < box->first[i];
        bool last = !*any || other->last[i] > box->last[i];
        box->first[i] = first ? other->first[i] : box->first[i];
        box->last[i] = last ? other->last[i] : box->last[i];
    }
    *any = true;
}

Box shadow_box(const Shadow *shadow, int64_t begin, int64_t end)
{
    int64_t size = (int64_t)pts_dtype_bytes(shadow->dtype);
    int64_t first = begin / (size > 0 ? size : 1);
    int64_t last = (end - 1) / (size > 0 ? size : 1);
    Box box = {{0}, {0}};
    bool is_open = false; /* an outer subscript differs: from here on every one can occur */
    int64_t step_size = 1;
    for (int i = 1; i < shadow->rank; i++) {
        step_size *= shadow->shape[i] > 0 ? shadow->shape[i] : 1;
    }
    for (int i = 0; i < shadow->rank; i++) {
        int64_t length = shadow->shape[i] > 0 ? shadow->shape[i] : 1;
        box.first[i] = is_open ? 0 : first / step_size % length;
        box.last[i] = is_open ? length - 1 : last / step_size % length;
        is_open = is_open || box.first[i] != box.last[i];
        int64_t next = i + 1 < shadow->rank && shadow->shape[i + 1] > 0 ? shadow->shape[i + 1] : 1;
        step_size /= next;
    }
    return box;
}
