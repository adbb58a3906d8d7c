/* Run-time values: reference-counted buffers and what a slot holds. Private to libptosim.
 *
 * A buffer's address may change while values refer to it (a parameter whose memory others still
 * view gets new memory for the old content), so values keep an offset and rt_tensor computes the
 * address at the moment of use. */
#ifndef PTOSIM_RT_H
#define PTOSIM_RT_H

#include "sim/kernels.h"

/* Small blocks come in classes of powers of two from 64 bytes to 1 MiB and are kept for the next
 * tensor; larger ones go back to the system. */
enum { RT_SMALLEST_CLASS = 6, RT_LARGEST_CLASS = 20 };

typedef struct RtBuffer {
    char *data;
    int64_t bytes;
    uint32_t references;
    bool is_parameter; /* the memory is the caller's */
    int size_class;    /* of `data`; 0 = from the system */
    struct RtBuffer *next_free;
    struct Shadow *shadow; /* the sanitizer's; NULL = all of it holds data */
} RtBuffer;

typedef struct RtPool {
    RtBuffer *free_headers;
    void *free_blocks[RT_LARGEST_CLASS + 1]; /* lists through their first word */
    int64_t live_bytes, kept_bytes, max_bytes;
} RtPool;

/* What a slot holds. `buffer` is NULL while nothing was written; then `declared` says which slot's
 * declaration gives the shape that a first partial write gets. */
typedef struct RtValue {
    RtBuffer *buffer;
    int64_t origin;   /* bytes from the buffer's start to element (0, …) */
    PtsTensor tensor; /* `data` and `storage` are filled by rt_tensor only */
    /* The memory behind a view that reaches over its source's edge and was therefore copied. */
    RtBuffer *behind;
    int64_t behind_origin, behind_stride[PTS_MAX_RANK];
    /* The elements before they were rounded to 16 bits: F32, dense; NULL = not kept. */
    RtBuffer *wide;
    bool is_borrowed;        /* a reshape in place: `buffer` is the base's, without a reference */
    struct SlotRaces *races; /* the sanitizer's: whose memory it is; NULL = nobody's */
    PtsSlot declared;
} RtValue;

void rt_pool_init(RtPool *pool, int64_t max_bytes);
/* All buffers must have been released. */
void rt_pool_free(RtPool *pool);

/* A new buffer with one reference and undefined content; NULL with an error when memory, or the
 * limit of the pool, is exhausted. */
RtBuffer *rt_buffer_new(RtPool *pool, int64_t bytes, PtsError *error);
/* The same over the caller's memory. */
RtBuffer *rt_buffer_of_parameter(RtPool *pool, void *data, int64_t bytes, PtsError *error);
/* A parameter's memory must stay the parameter's: all that refer to `shared` get the old content in
 * new memory, and a new header over the caller's memory, with one reference, is returned. */
RtBuffer *rt_buffer_leave_memory(RtPool *pool, RtBuffer *shared, PtsError *error);
void rt_buffer_release(RtPool *pool, RtBuffer *buffer); /* NULL is allowed */

/* A new dense value; poisoned as a whole when `poison` is set. */
bool rt_value_new(RtPool *pool, PtsDtype dtype, int rank, const int64_t *shape,
                  const int64_t *valid, bool poison, RtValue *value, PtsError *error);
/* Another reference to the same memory. */
RtValue rt_value_share(const RtValue *value);
void rt_value_release(RtPool *pool, RtValue *value); /* leaves it empty */

/* The tensor with its addresses as they are now. */
PtsTensor rt_tensor(const RtValue *value);

/* Makes the value the only one that refers to its buffer, so that writing changes no other. */
bool rt_value_make_unique(RtPool *pool, RtValue *value, PtsError *error);

/* Row-major strides of a shape, in elements. */
void rt_dense_strides(int rank, const int64_t *shape, int64_t *stride);
/* Is it stored without gaps, row-major? */
bool rt_is_dense(const PtsTensor *tensor);
/* Product of extents; extents ≤ 0 make it 0. False on overflow. */
bool rt_element_count(int rank, const int64_t *extent, int64_t *count);
bool rt_is_fully_valid(const PtsTensor *tensor);

/* Copies `extent` elements per axis from one tensor's start to another's, both of one dtype. */
void rt_copy_region(const PtsTensor *from, const PtsTensor *to, const int64_t *extent);
/* Copies elements in row-major order of two extents with the same count: reshaping by value. */
void rt_copy_flat(const PtsTensor *from, const int64_t *from_extent, const PtsTensor *to,
                  const int64_t *to_extent, int64_t count);

/* Fills bytes with the pattern that marks memory without data: a NaN with a payload, 0xA5. */
void rt_poison(void *data, PtsDtype dtype, int64_t bytes);
/* Is there an element with that pattern in the extent? Only dtypes whose pattern cannot be data by
 * chance are looked at (floating point and 32- or 64-bit integers). */
bool rt_has_poison(const PtsTensor *tensor, const int64_t *extent);

#endif
