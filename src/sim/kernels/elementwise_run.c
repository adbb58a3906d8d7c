/* Runs element-wise operations: whole rows where all types fit, else blocks that are gathered and
 * converted on the way. */
#include "sim/kernels/elementwise.h"

enum { HEAVY_THREAD_ELEMENTS = 8 * 1024 };

/* Brings `part` elements of an operand into a block of the lane's type; gives where they are. */
static const void *load_block(const ElementInput *input, const char *from, int64_t stride,
                              size_t part, uint64_t *room, uint64_t *gathered)
{
    const void *at = from;
    if (stride != (int64_t)input->bytes && stride != 0) {
        void *target = input->converts ? gathered : room;
        pts_copy_strided(target, (int64_t)input->bytes, from, stride, (int64_t)part, input->bytes);
        at = target;
    }
    if (input->converts) {
        pts_convert_run(&input->conversion, stride == 0 ? 1 : part, room, at);
        at = room;
    }
    return at;
}

static void run_in_blocks(const ElementJob *job, char *to, const char *const *from, int64_t count)
{
    const Walk *walk = &job->walk;
    int last = walk->rank - 1;
    int64_t to_stride = walk->stride[0][last];
    bool is_direct = to_stride == (int64_t)job->bytes && !job->converts_result;
    uint64_t room[MAX_ARITY][BLOCK];
    uint64_t gathered[BLOCK];
    uint64_t computed[BLOCK];
    const void *in[MAX_ARITY] = {NULL};
    unsigned fixed = 0;
    for (int64_t done = 0; done < count; done += BLOCK) {
        size_t part = (size_t)(count - done < BLOCK ? count - done : BLOCK);
        for (int i = 0; i < job->arity; i++) {
            int64_t stride = walk->stride[i + 1][last];
            if (from[i] == NULL) {
                in[i] = &job->input[i].constant;
                fixed |= 1U << i;
            } else if (stride != 0 || done == 0) {
                in[i] = load_block(&job->input[i], from[i] + done * stride, stride, part, room[i],
                                   gathered);
                fixed |= stride == 0 ? 1U << i : 0;
            }
        }
        char *target = to + done * to_stride;
        if (is_direct) {
            job->strip(part, target, in, fixed);
            continue;
        }
        job->strip(part, computed, in, fixed);
        const void *result = computed;
        if (job->converts_result) {
            bool is_dense = to_stride == (int64_t)job->bytes;
            pts_convert_run(&job->to_result, part, is_dense ? (void *)target : gathered, computed);
            result = gathered;
            if (is_dense) {
                continue;
            }
        }
        pts_copy_strided(target, to_stride, result, (int64_t)job->bytes, (int64_t)part, job->bytes);
    }
}

/* `count` elements along the last axis from the given addresses. */
static void run_elements(const ElementJob *job, char *to, const char *const *from, int64_t count)
{
    const Walk *walk = &job->walk;
    int last = walk->rank - 1;
    const void *in[MAX_ARITY] = {NULL};
    unsigned fixed = 0;
    bool is_direct = !job->converts_result && walk->stride[0][last] == (int64_t)job->bytes;
    for (int i = 0; i < job->arity && is_direct; i++) {
        int64_t stride = walk->stride[i + 1][last];
        bool is_constant = from[i] == NULL;
        in[i] = is_constant ? (const void *)&job->input[i].constant : from[i];
        fixed |= is_constant || stride == 0 ? 1U << i : 0;
        is_direct = is_constant || (!job->input[i].converts &&
                                    (stride == 0 || stride == (int64_t)job->input[i].bytes));
    }
    if (is_direct) {
        job->strip((size_t)count, to, in, fixed);
    } else {
        run_in_blocks(job, to, from, count);
    }
}

static void run_row(void *context, char *const *at, int64_t row)
{
    const ElementJob *job = context;
    (void)row;
    const char *from[MAX_ARITY] = {at[1], at[2], at[3]};
    run_elements(job, at[0], from, job->walk.extent[job->walk.rank - 1]);
}

static void run_share(void *context, int64_t begin, int64_t end, int worker)
{
    const ElementJob *job = context;
    const Walk *walk = &job->walk;
    (void)worker;
    if (walk->rank > 1) {
        pts_walk_rows_do(walk, begin, end, run_row, context);
        return;
    }
    const char *from[MAX_ARITY] = {NULL};
    for (int i = 0; i < job->arity; i++) {
        const char *base = walk->base[i + 1];
        from[i] = base != NULL ? base + begin * walk->stride[i + 1][0] : NULL;
    }
    run_elements(job, walk->base[0] + begin * walk->stride[0][0], from, end - begin);
}

void element_job_run(ElementJob *job, bool is_heavy, int threads)
{
    int64_t elements = pts_product(job->walk.rank, job->walk.extent);
    int64_t limit = is_heavy ? HEAVY_THREAD_ELEMENTS : 4 * THREAD_ELEMENTS;
    int64_t items = job->walk.rank == 1 ? elements : pts_walk_rows(&job->walk);
    pts_parallel(elements < limit ? 1 : threads, items, run_share, job);
}
