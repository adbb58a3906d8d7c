/* Buffers and values of a run: a pool of size classes, so that a loop of small tensors does not
 * call malloc, and sharing with copy on write. */
#include "sim/rt.h"
#include "model/error.h"
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

/* Most bytes of free small blocks that are kept. */
static const int64_t KEPT_LIMIT = INT64_C(256) << 20;

void rt_pool_init(RtPool *pool, int64_t max_bytes)
{
    *pool = (RtPool){.max_bytes = max_bytes};
}

void rt_pool_free(RtPool *pool)
{
    for (int size_class = 0; size_class <= RT_LARGEST_CLASS; size_class++) {
        void *block = pool->free_blocks[size_class];
        while (block != NULL) {
            void *next;
            memcpy(&next, block, sizeof next);
            free(block);
            block = next;
        }
    }
    while (pool->free_headers != NULL) {
        RtBuffer *next = pool->free_headers->next_free;
        free(pool->free_headers);
        pool->free_headers = next;
    }
    *pool = (RtPool){0};
}

/* The class of a size, 0 when it is too large for one. */
static int class_of(int64_t bytes)
{
    if (bytes <= INT64_C(1) << RT_SMALLEST_CLASS) {
        return RT_SMALLEST_CLASS;
    }
    int size_class = 64 - __builtin_clzll((unsigned long long)(bytes - 1));
    return size_class <= RT_LARGEST_CLASS ? size_class : 0;
}

static void *take_block(RtPool *pool, int size_class, int64_t bytes)
{
    if (size_class != 0 && pool->free_blocks[size_class] != NULL) {
        void *block = pool->free_blocks[size_class];
        memcpy(&pool->free_blocks[size_class], block, sizeof(void *));
        pool->kept_bytes -= INT64_C(1) << size_class;
        return block;
    }
    size_t size = size_class != 0 ? (size_t)1 << size_class : ((size_t)bytes + 63) & ~(size_t)63;
    return aligned_alloc(64, size);
}

static RtBuffer *take_header(RtPool *pool)
{
    RtBuffer *header = pool->free_headers;
    if (header == NULL) {
        return malloc(sizeof *header);
    }
    pool->free_headers = header->next_free;
    return header;
}

static void keep_header(RtPool *pool, RtBuffer *header)
{
    header->next_free = pool->free_headers;
    pool->free_headers = header;
}

static void give_block(RtPool *pool, void *block, int size_class)
{
    if (size_class == 0 || pool->kept_bytes > KEPT_LIMIT) {
        free(block);
        return;
    }
    memcpy(block, &pool->free_blocks[size_class], sizeof(void *));
    pool->free_blocks[size_class] = block;
    pool->kept_bytes += INT64_C(1) << size_class;
}

RtBuffer *rt_buffer_new(RtPool *pool, int64_t bytes, PtsError *error)
{
    if (bytes < 0 || bytes > pool->max_bytes - pool->live_bytes) {
        pts_fail(error, PTS_E_WORKSPACE, "the kernel's local tensors need more than %lld bytes",
                 (long long)pool->max_bytes);
        return NULL;
    }
    RtBuffer *buffer = take_header(pool);
    if (buffer == NULL) {
        pts_fail_memory(error);
        return NULL;
    }
    int size_class = class_of(bytes);
    char *data = take_block(pool, size_class, bytes);
    if (data == NULL) {
        keep_header(pool, buffer);
        pts_fail_memory(error);
        return NULL;
    }
    *buffer = (RtBuffer){.data = data, .bytes = bytes, .references = 1, .size_class = size_class};
    pool->live_bytes += bytes;
    return buffer;
}

RtBuffer *rt_buffer_of_parameter(RtPool *pool, void *data, int64_t bytes, PtsError *error)
{
    RtBuffer *buffer = take_header(pool);
    if (buffer == NULL) {
        pts_fail_memory(error);
        return NULL;
    }
    *buffer = (RtBuffer){.data = data, .bytes = bytes, .references = 1, .is_parameter = true};
    return buffer;
}

void rt_buffer_release(RtPool *pool, RtBuffer *buffer)
{
    if (buffer == NULL || --buffer->references > 0) {
        return;
    }
    shadow_free(buffer->shadow);
    buffer->shadow = NULL;
    if (!buffer->is_parameter) {
        pool->live_bytes -= buffer->bytes;
        give_block(pool, buffer->data, buffer->size_class);
    }
    keep_header(pool, buffer);
}

bool rt_value_new(RtPool *pool, PtsDtype dtype, int rank, const int64_t *shape,
                  const int64_t *valid, bool poison, RtValue *value, PtsError *error)
{
    *value = (RtValue){.declared = PTS_SLOT_NONE};
    PtsTensor *tensor = &value->tensor;
    tensor->dtype = dtype;
    tensor->rank = rank;
    int64_t count;
    int64_t bytes;
    if (!rt_element_count(rank, shape, &count) ||
        __builtin_mul_overflow(count, (int64_t)pts_dtype_bytes(dtype), &bytes)) {
        return pts_fail(error, PTS_E_WORKSPACE, "a tensor has more elements than can be counted");
    }
    for (int i = 0; i < rank; i++) {
        tensor->shape[i] = shape[i];
        tensor->valid[i] = valid[i] < 0 ? 0 : valid[i] > shape[i] ? shape[i] : valid[i];
    }
    rt_dense_strides(rank, shape, tensor->stride);
    value->buffer = rt_buffer_new(pool, bytes, error);
    if (value->buffer == NULL) {
        return false;
    }
    if (poison) {
        rt_poison(value->buffer->data, dtype, bytes);
    }
    return true;
}

RtValue rt_value_share(const RtValue *value)
{
    RtValue copy = *value;
    copy.wide = NULL;
    copy.is_borrowed = false;
    if (copy.buffer != NULL) {
        copy.buffer->references++;
    }
    if (copy.behind != NULL) {
        copy.behind->references++;
    }
    return copy;
}

void rt_value_release(RtPool *pool, RtValue *value)
{
    if (!value->is_borrowed) {
        rt_buffer_release(pool, value->buffer);
    }
    rt_buffer_release(pool, value->behind);
    rt_buffer_release(pool, value->wide);
    *value = (RtValue){.declared = PTS_SLOT_NONE};
}

/* A buffer of no bytes may have no memory. */
static char *place_in(const RtBuffer *buffer, int64_t origin)
{
    return buffer->data == NULL ? NULL : buffer->data + origin;
}

PtsTensor rt_tensor(const RtValue *value)
{
    PtsTensor tensor = value->tensor;
    int64_t size = (int64_t)pts_dtype_bytes(tensor.dtype);
    tensor.data = place_in(value->buffer, value->origin);
    const RtBuffer *storage = value->behind != NULL ? value->behind : value->buffer;
    int64_t origin = value->behind != NULL ? value->behind_origin : value->origin;
    tensor.storage = place_in(storage, origin);
    tensor.storage_elements = size == 0 ? 0 : (storage->bytes - origin) / size;
    memcpy(tensor.storage_stride, value->behind != NULL ? value->behind_stride : tensor.stride,
           sizeof tensor.storage_stride);
    return tensor;
}

RtBuffer *rt_buffer_leave_memory(RtPool *pool, RtBuffer *shared, PtsError *error)
{
    RtBuffer *old = rt_buffer_new(pool, shared->bytes, error);
    if (old == NULL) {
        return NULL;
    }
    RtBuffer *own = rt_buffer_of_parameter(pool, shared->data, shared->bytes, error);
    if (own == NULL) {
        rt_buffer_release(pool, old);
        return NULL;
    }
    if (shared->bytes > 0) {
        memcpy(old->data, shared->data, (size_t)shared->bytes);
    }
    shared->data = old->data;
    shared->size_class = old->size_class;
    shared->is_parameter = false;
    keep_header(pool, old);
    return own;
}

/* The new memory of a copy is as undefined as the old one. */
static bool copy_shadow(const RtValue *from, RtValue *to)
{
    const Shadow *old = from->buffer->shadow;
    if (old == NULL) {
        return true;
    }
    Shadow *shadow = shadow_new(to->buffer->bytes);
    if (shadow == NULL) {
        return false;
    }
    shadow->slot = old->slot;
    shadow->dtype = to->tensor.dtype;
    shadow->rank = to->tensor.rank;
    memcpy(shadow->shape, to->tensor.shape, sizeof shadow->shape);
    bool same_form = old->rank == shadow->rank &&
                     memcmp(old->shape, shadow->shape, sizeof *old->shape * (size_t)old->rank) == 0;
    if (same_form) {
        shadow->last_site = old->last_site;
        shadow->last = old->last;
    }
    to->buffer->shadow = shadow;
    PtsTensor source = rt_tensor(from);
    PtsTensor target = rt_tensor(to);
    ShadowCopy copy = {old, from->buffer->data, shadow, to->buffer->data, SHADOW_NEVER_WRITTEN};
    return shadow_copy(&copy, &source, target.valid, &target, target.valid);
}

bool rt_value_make_unique(RtPool *pool, RtValue *value, PtsError *error)
{
    if (value->behind != NULL) {
        rt_buffer_release(pool, value->behind);
        value->behind = NULL;
    }
    if (value->buffer->references == 1) {
        return true;
    }
    RtValue copy;
    if (!rt_value_new(pool, value->tensor.dtype, value->tensor.rank, value->tensor.shape,
                      value->tensor.valid, true, &copy, error)) {
        return false;
    }
    PtsTensor from = rt_tensor(value);
    PtsTensor to = rt_tensor(&copy);
    rt_copy_region(&from, &to, copy.tensor.valid);
    copy.declared = value->declared;
    if (!copy_shadow(value, &copy)) {
        rt_value_release(pool, &copy);
        return pts_fail_memory(error);
    }
    rt_value_release(pool, value);
    *value = copy;
    return true;
}
