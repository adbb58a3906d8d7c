/* Checks that only some versions of the product make. */
#ifndef PTOSIM_CHECK_VERSION_H
#define PTOSIM_CHECK_VERSION_H

#include "model/ptosim_model.h"

/* Rows of the table in check_version.c. */
typedef enum PtsVersionCheck {
    PTS_CHECK_SLOPE,     /* lrelu's slope is finite and not negative */
    PTS_CHECK_EMPTY,     /* comparisons take no axis of length 0 */
    PTS_CHECK_SPLIT,     /* gathermask takes no part of a longer last axis */
    PTS_CHECK_SCRATCH,   /* scratch memory documented since then */
    PTS_CHECK_ASSEMBLES, /* assembles of one body have no order */
} PtsVersionCheck;

/* Does the version in these options make the check? */
bool pts_makes_check(const PtsOptions *options, PtsVersionCheck check);

#endif
