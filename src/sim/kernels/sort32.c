/* sort32 and mrgsort: lines of pairs, a number and the bits of its index, in falling order of the
 * numbers. Equal numbers keep their order; NaN is greater than every number. */
#include "sim/kernels/common.h"

#include <string.h>

enum { GROUP = 32, RUNS = 4, PAIR_BYTES = 8 };

typedef struct Pair {
    float number;
    uint32_t index;
} Pair;

static bool is_before(const Pair *a, const Pair *b)
{
    return a->number != a->number ? b->number == b->number : a->number > b->number;
}

/* A line of pairs: neighbouring elements of F32. */
static Pair pair_at(const char *line, int64_t step, int64_t number)
{
    Pair pair;
    memcpy(&pair.number, line + 2 * number * step, sizeof pair.number);
    memcpy(&pair.index, line + (2 * number + 1) * step, sizeof pair.index);
    return pair;
}

static void set_pair(char *line, int64_t step, int64_t number, const Pair *pair)
{
    memcpy(line + 2 * number * step, &pair->number, sizeof pair->number);
    memcpy(line + (2 * number + 1) * step, &pair->index, sizeof pair->index);
}

static int64_t last_step(const PtsTensor *tensor)
{
    return tensor->stride[tensor->rank - 1] * (int64_t)pts_dtype_bytes(tensor->dtype);
}

typedef void Line(const PtsKernelCall *call, const int64_t *at);

static void for_each_line(const PtsKernelCall *call, Line *line)
{
    const PtsTensor *input = call->operands[0].tensor;
    int64_t extent[PTS_MAX_RANK];
    int64_t at[PTS_MAX_RANK] = {0};
    for (int i = 0; i < input->rank; i++) {
        extent[i] = pts_extent(input, i);
    }
    if (pts_product(input->rank, extent) == 0) {
        return;
    }
    extent[input->rank - 1] = 1;
    do {
        line(call, at);
    } while (pts_next_index(input->rank, extent, at));
}

static void sort_groups(const PtsKernelCall *call, const int64_t *at)
{
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *index = call->operand_count > 1 ? call->operands[1].tensor : NULL;
    const PtsTensor *result = call->results[0];
    const char *from = pts_at(input, at, input->rank);
    const char *named = index == NULL ? NULL : pts_at(index, at, index->rank);
    char *to = pts_at(result, at, result->rank);
    int64_t count = pts_extent(input, input->rank - 1);
    for (int64_t first = 0; first < count; first += GROUP) {
        Pair group[GROUP];
        int64_t held = 0;
        for (int64_t i = first; i < count && i < first + GROUP; i++) {
            Pair pair = {.index = (uint32_t)i};
            memcpy(&pair.number, from + i * last_step(input), sizeof pair.number);
            if (named != NULL) {
                memcpy(&pair.index, named + i * last_step(index), sizeof pair.index);
            }
            int64_t place = held++;
            for (; place > 0 && is_before(&pair, &group[place - 1]); place--) {
                group[place] = group[place - 1];
            }
            group[place] = pair;
        }
        for (int64_t i = 0; i < held; i++) {
            set_pair(to, last_step(result), first + i, &group[i]);
        }
    }
}

/* Up to four runs that follow each other become one. */
static void merge_runs(const PtsKernelCall *call, const int64_t *at)
{
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *result = call->results[0];
    const char *from = pts_at(input, at, input->rank);
    char *to = pts_at(result, at, result->rank);
    int64_t count = pts_extent(input, input->rank - 1) / 2;
    int64_t size = call->attributes->count;
    for (int64_t first = 0; first < count; first += RUNS * size) {
        int64_t next[RUNS];
        for (int run = 0; run < RUNS; run++) {
            next[run] = first + run * size;
        }
        int64_t end = first + RUNS * size < count ? first + RUNS * size : count;
        for (int64_t place = first; place < end; place++) {
            Pair best = {0};
            int taken = -1;
            for (int run = 0; run < RUNS; run++) {
                if (next[run] >= count || next[run] >= first + (run + 1) * size) {
                    continue;
                }
                Pair pair = pair_at(from, last_step(input), next[run]);
                if (taken < 0 || is_before(&pair, &best)) {
                    best = pair;
                    taken = run;
                }
            }
            next[taken < 0 ? 0 : taken]++;
            set_pair(to, last_step(result), place, &best);
        }
    }
}

bool pts_run_sort32(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    for_each_line(call, sort_groups);
    return true;
}

bool pts_run_mrgsort(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    for_each_line(call, merge_runs);
    return true;
}
