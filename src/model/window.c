/* See window.h. */
#include "model/window.h"

#include <stdio.h>

int64_t pts_window_end(int rank, const int64_t *offset, const int64_t *extent,
                       const int64_t *stride)
{
    int64_t last = 0;
    for (int i = 0; i < rank; i++) {
        int64_t at = 0;
        if (__builtin_add_overflow(offset[i], extent[i] - 1, &at) ||
            __builtin_mul_overflow(at, stride[i], &at) || __builtin_add_overflow(last, at, &last)) {
            return INT64_MAX;
        }
    }
    return last == INT64_MAX ? last : last + 1;
}

PtsReach pts_window_reach(const PtsWindow *window, int *axis)
{
    int outside = -1;
    bool is_before = false;
    for (int i = 0; i < window->rank; i++) {
        if (window->extent[i] <= 0) {
            return PTS_REACH_INSIDE;
        }
    }
    for (int i = 0; i < window->rank; i++) {
        int64_t offset = window->offset[i];
        is_before = is_before || offset < 0;
        outside = offset < 0 || window->extent[i] > window->shape[i] - offset ? i : outside;
    }
    *axis = outside < 0 ? 0 : outside;
    if (is_before || pts_window_end(window->rank, window->offset, window->extent, window->stride) >
                         window->memory) {
        return PTS_REACH_OUTSIDE;
    }
    return outside < 0 ? PTS_REACH_INSIDE : PTS_REACH_BEYOND;
}

void pts_view_text(const PtsWindow *window, PtsReach reach, int axis, char *said, size_t room)
{
    static const char text[] = "view: on axis %d the valid part, %lld elements from %lld on, "
                               "leaves the source, which has %lld elements there%s";
    static const char behind_text[] = "; what lies behind it in memory is read";
    snprintf(said, room, text, axis, (long long)window->extent[axis],
             (long long)window->offset[axis], (long long)window->shape[axis],
             reach == PTS_REACH_BEYOND ? behind_text : "");
}

void pts_assemble_text(const PtsWindow *window, int axis, const char *target, char *said,
                       size_t room)
{
    static const char text[] = "assemble: on axis %d the window, %lld elements from %lld on, "
                               "leaves %s, which has %lld elements";
    snprintf(said, room, text, axis, (long long)window->extent[axis],
             (long long)window->offset[axis], target, (long long)window->shape[axis]);
}
