/* Checks have three answers where something is not known (partial.h): they fail on "no" only. In
 * other programs there is no PTS_MAYBE. Private to libptosim. */
#ifndef PTOSIM_ANSWER_H
#define PTOSIM_ANSWER_H

#include "model/context.h"

typedef enum PtsAnswer { PTS_NO, PTS_YES, PTS_MAYBE } PtsAnswer;

/* A test builds this library with two-valued helpers (tests/eval/two_valued.c) to check that the
 * tests notice the difference. */
#ifdef PTS_TWO_VALUED
PtsAnswer pts_two_valued(const char *helper, PtsAnswer answer);
#else
#define pts_two_valued(helper, answer) (answer)
#endif

/* Where one of them is unknown, or different. */
PtsAnswer pts_partial_equal(PtsContext *context, PtsSym a, PtsSym b);

/* a == b, for extents: two symbols that are not provably equal are not. */
static inline PtsAnswer pts_equal(PtsContext *context, PtsSym a, PtsSym b)
{
    if (!context->options.partial) {
        return a == b ? PTS_YES : PTS_NO;
    }
    return pts_two_valued("equal", pts_partial_equal(context, a, b));
}

/* Is the dtype in the set? */
static inline PtsAnswer pts_dtype_in(PtsDtype dtype, uint32_t set)
{
    if ((unsigned)dtype >= PTS_DTYPE_COUNT) {
        return pts_two_valued("in", PTS_MAYBE);
    }
    return (set >> dtype & 1) != 0 ? PTS_YES : PTS_NO;
}

static inline PtsAnswer pts_both(PtsAnswer a, PtsAnswer b)
{
    return a == PTS_NO || b == PTS_NO ? PTS_NO : a == PTS_YES ? b : a;
}

static inline PtsAnswer pts_either(PtsAnswer a, PtsAnswer b)
{
    return a == PTS_YES || b == PTS_YES ? PTS_YES : a == PTS_NO ? b : a;
}

#endif
