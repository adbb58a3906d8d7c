/* The sanitizer's shadow of a buffer: which of its bytes no operation has written, or were computed
 * from such bytes. A buffer without one is wholly written. Private to libptosim. */
#ifndef PTOSIM_SHADOW_H
#define PTOSIM_SHADOW_H

#include "sim/kernels.h"
#include "sim/ranges.h"

/* A tag of the undefined bytes: never written, or a number of the sanitizer's (sanitize.h) for a
 * read of such bytes from which these were computed. */
enum { SHADOW_NEVER_WRITTEN = 0 };

/* A box of a tensor: first and last subscripts. */
typedef struct Box {
    int64_t first[PTS_MAX_RANK], last[PTS_MAX_RANK];
} Box;

typedef struct Shadow {
    Ranges undefined;
    /* Whose memory it was made for, and as what: subscripts in messages count in it. */
    PtsSlot slot;
    int rank;
    int64_t shape[PTS_MAX_RANK];
    PtsDtype dtype;
    PtsSite last_site; /* of the last write; line 0 = there was none */
    Box last;
} Shadow;

/* A shadow of `bytes` in which nothing is undefined; NULL when memory ran out. */
Shadow *shadow_new(int64_t bytes);
void shadow_free(Shadow *shadow); /* NULL is allowed */

/* Elements of a tensor as runs of bytes: `run` is called with the first byte's distance from `base`
 * and the number of bytes, row by row. False when a call was. */
typedef bool ShadowRun(void *context, int64_t begin, int64_t bytes);
bool shadow_runs(const PtsTensor *tensor, const int64_t *extent, const void *base, ShadowRun *run,
                 void *context);

/* Marks a region of the tensor, which lies in memory that begins at `base`, as (un)defined. */
bool shadow_define(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent,
                   const void *base);
bool shadow_undefine(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent,
                     const void *base, uint32_t tag);

/* Gives the never-written elements of a region another tag. */
bool shadow_retag(Shadow *shadow, const PtsTensor *tensor, const int64_t *extent, const void *base,
                  uint32_t tag);

/* Is there something undefined in the region? */
bool shadow_touches(const Shadow *shadow, const PtsTensor *tensor, const int64_t *extent,
                    const void *base);

/* Elements copied in row-major order from one extent to another (as rt_copy_flat does it): what is
 * undefined in the source becomes so in the target, the rest becomes defined. Where `tag` is not
 * SHADOW_NEVER_WRITTEN it replaces that one. */
typedef struct ShadowCopy {
    const Shadow *from; /* NULL = all defined */
    const void *from_base;
    Shadow *to;
    const void *to_base;
    uint32_t tag;
} ShadowCopy;
bool shadow_copy(const ShadowCopy *copy, const PtsTensor *from, const int64_t *from_extent,
                 const PtsTensor *to, const int64_t *to_extent);

/* The box of bytes [begin, end) of dense memory of that shape. */
Box shadow_box(const Shadow *shadow, int64_t begin, int64_t end);
/* Makes `box` large enough for `other`, too; `*any`: it was a box before, and is one now. */
void shadow_join(int rank, Box *box, const Box *other, bool *any);

#endif
