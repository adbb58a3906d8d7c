/* Options of kernels that are integers between two bounds (options.def). */
#ifndef PTOSIM_OPTIONS_H
#define PTOSIM_OPTIONS_H

#include <stdint.h>

typedef struct PtsOptionRange {
    const char *group, *name;
    int64_t least, most;
} PtsOptionRange;

/* The last one has no name. */
extern const PtsOptionRange pts_option_ranges[];

#endif
