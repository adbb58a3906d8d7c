/* Windows of tensors in numbers: where what a view reads, or an assemble writes, lies. The
 * simulator asks it in each iteration, the recorder of a partial program in those that surely
 * run. Private. */
#ifndef PTOSIM_WINDOW_H
#define PTOSIM_WINDOW_H

#include "model/ptosim_model.h"

/* In elements. */
typedef struct PtsWindow {
    int rank;
    int64_t offset[PTS_MAX_RANK], extent[PTS_MAX_RANK]; /* extent: of the valid part */
    int64_t shape[PTS_MAX_RANK], stride[PTS_MAX_RANK];  /* of the tensor */
    int64_t memory;                                     /* from the tensor's start on */
} PtsWindow;

typedef enum PtsReach {
    PTS_REACH_INSIDE,
    PTS_REACH_BEYOND,  /* it leaves the tensor, but not its memory */
    PTS_REACH_OUTSIDE, /* it leaves the memory */
} PtsReach;

/* The last axis on which it leaves the tensor goes to `axis`; 0 if it leaves the memory alone. A
 * window without elements is inside. */
PtsReach pts_window_reach(const PtsWindow *window, int *axis);
/* The element after its last one, counted from the tensor's start; INT64_MAX: too many. */
int64_t pts_window_end(int rank, const int64_t *offset, const int64_t *extent,
                       const int64_t *stride);
/* The messages for a view that leaves its source, and for an assemble that leaves its target. */
void pts_view_text(const PtsWindow *window, PtsReach reach, int axis, char *said, size_t room);
void pts_assemble_text(const PtsWindow *window, int axis, const char *target, char *said,
                       size_t room);

#endif
