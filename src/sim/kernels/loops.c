/* Chooses the loops for this machine. */
#include "sim/kernels/loops.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(isa)                                                                               \
    void pts_fill_arithmetic_##isa(PtsLoops *loops);                                               \
    void pts_fill_math_##isa(PtsLoops *loops);                                                     \
    void pts_fill_logic_##isa(PtsLoops *loops);                                                    \
    void pts_fill_integer_##isa(PtsLoops *loops);                                                  \
    void pts_fill_convert_##isa(PtsLoops *loops);                                                  \
    void pts_fill_gemm_##isa(PtsLoops *loops);                                                     \
    void pts_fill_compare_##isa(PtsLoops *loops);                                                  \
    void pts_fill_precision_##isa(PtsLoops *loops);                                                \
    static void fill_##isa(PtsLoops *loops)                                                        \
    {                                                                                              \
        loops->name = #isa;                                                                        \
        pts_fill_arithmetic_##isa(loops);                                                          \
        pts_fill_math_##isa(loops);                                                                \
        pts_fill_logic_##isa(loops);                                                               \
        pts_fill_integer_##isa(loops);                                                             \
        pts_fill_convert_##isa(loops);                                                             \
        pts_fill_gemm_##isa(loops);                                                                \
        pts_fill_compare_##isa(loops);                                                             \
        pts_fill_precision_##isa(loops);                                                           \
    }

DECLARE(plain)
#ifdef PTS_HAVE_X86_ISAS
DECLARE(avx2)
DECLARE(avx512)
#endif

static bool always(void)
{
    return true;
}

#ifdef PTS_HAVE_X86_ISAS
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

/* Best last. */
static const struct {
    const char *name;
    bool (*is_supported)(void);
    void (*fill)(PtsLoops *loops);
} isas[] = {
    {"plain", always, fill_plain},
#ifdef PTS_HAVE_X86_ISAS
    {"avx2", has_avx2, fill_avx2},
    {"avx512", has_avx512, fill_avx512},
#endif
};

static PtsLoops chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

bool pts_loops_select(const char *name)
{
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        if (strcmp(isas[i].name, name) == 0 && isas[i].is_supported()) {
            pts_loops();
            memset(&chosen, 0, sizeof chosen);
            isas[i].fill(&chosen);
            return true;
        }
    }
    return false;
}

static void choose(void)
{
    const char *wanted = getenv("PTOSIM_ISA");
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        if (isas[i].is_supported()) {
            isas[i].fill(&chosen);
        }
        if (wanted != NULL && strcmp(wanted, isas[i].name) == 0) {
            return;
        }
    }
}

const PtsLoops *pts_loops(void)
{
    pthread_once(&once, choose);
    return &chosen;
}
