/* uniform and normal: Philox4x32 with ten rounds (Salmon and others, "Parallel Random Numbers: As
 * Easy as 1, 2, 3", 2011). Element i of the result is word i mod 4 of block i / 4. */
#include "sim/kernels/common.h"

#include <math.h>

enum { WORDS = 4, ROUNDS = 10 };

typedef struct Block {
    uint32_t word[WORDS];
} Block;

static Block philox(Block counter, uint64_t key)
{
    uint32_t low = (uint32_t)key;
    uint32_t high = (uint32_t)(key >> 32);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = UINT64_C(0xD2511F53) * counter.word[0];
        uint64_t b = UINT64_C(0xCD9E8D57) * counter.word[2];
        counter = (Block){{(uint32_t)(b >> 32) ^ counter.word[1] ^ low, (uint32_t)b,
                           (uint32_t)(a >> 32) ^ counter.word[3] ^ high, (uint32_t)a}};
        low += UINT32_C(0x9E3779B9);
        high += UINT32_C(0xBB67AE85);
    }
    return counter;
}

/* A number in [0, 1) from as many low bits as the dtype's mantissa has: it is exact there. */
static double fraction(uint32_t word, PtsDtype dtype)
{
    int bits = dtype == PTS_FP16 ? 10 : dtype == PTS_BF16 ? 7 : 23;
    return ldexp((double)(word & ((UINT32_C(1) << bits) - 1)), -bits);
}

/* Two uniform numbers become two normal ones (Box and Muller). */
static void normal_pair(const uint32_t *word, double *pair)
{
    static const double least = 1e-7;
    static const double turn = 6.283185307179586;
    double first = fraction(word[0], PTS_FP32);
    double radius = sqrt(-2 * log(first > least ? first : least));
    double angle = turn * fraction(word[1], PTS_FP32);
    pair[0] = sin(angle) * radius;
    pair[1] = cos(angle) * radius;
}

static bool run(const PtsKernelCall *call, bool is_normal)
{
    const PtsTensor *result = call->results[0];
    uint64_t key = (uint64_t)call->operands[0].element.integer;
    uint64_t high = (uint64_t)call->operands[2].element.integer; /* counter[0] counts as 0 */
    int64_t at[PTS_MAX_RANK] = {0};
    if (pts_product(result->rank, result->shape) == 0) {
        return true;
    }
    double value[WORDS] = {0};
    uint64_t number = 0;
    do {
        if (number % WORDS == 0) {
            uint64_t block = number / WORDS;
            Block words = philox((Block){{(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)high,
                                          (uint32_t)(high >> 32)}},
                                 key);
            for (int i = 0; i < WORDS; i++) {
                value[i] = fraction(words.word[i], result->dtype);
            }
            if (is_normal) {
                normal_pair(words.word, value);
                normal_pair(words.word + 2, value + 2);
            }
        }
        pts_store_real(pts_at(result, at, result->rank), result->dtype, value[number % WORDS]);
        number++;
    } while (pts_next_index(result->rank, result->shape, at));
    return true;
}

bool pts_run_uniform(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    return run(call, false);
}

bool pts_run_normal(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    return run(call, true);
}
