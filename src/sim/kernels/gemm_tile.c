/* The innermost loops of matrix products: one tile of accumulators in registers. Every product is
 * added in order of k by a multiplication and an addition of their own (no fused operation), so the
 * result depends neither on the instruction set nor on the tile's size. Compiled once per
 * instruction set. */
#include "sim/kernels/loops_macros.h"

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, ROWS = 12, VECTORS = 2 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32, ROWS = 6, VECTORS = 2 };
#elif defined(__aarch64__) /* 32 registers; with more rows the compiler spills some of the sums */
enum { VECTOR_BYTES = 16, ROWS = 8, VECTORS = 2 };
#else
enum { VECTOR_BYTES = 16, ROWS = 4, VECTORS = 2 };
#endif

#define TILE(name, type)                                                                           \
    typedef type vector_##type __attribute__((vector_size(VECTOR_BYTES), aligned(16), may_alias)); \
    static void name(size_t depth, const void *a_panel, const void *b_panel, void *c_tile)         \
    {                                                                                              \
        const type *a = a_panel;                                                                   \
        const vector_##type *b = b_panel;                                                          \
        vector_##type *c = c_tile;                                                                 \
        vector_##type sum[ROWS][VECTORS];                                                          \
        for (int i = 0; i < ROWS; i++) {                                                           \
            for (int j = 0; j < VECTORS; j++) {                                                    \
                sum[i][j] = c[i * VECTORS + j];                                                    \
            }                                                                                      \
        }                                                                                          \
        for (size_t k = 0; k < depth; k++) {                                                       \
            vector_##type b0 = b[0];                                                               \
            vector_##type b1 = b[1];                                                               \
            UNROLL for (int i = 0; i < ROWS; i++)                                                  \
            {                                                                                      \
                sum[i][0] += a[i] * b0;                                                            \
                sum[i][1] += a[i] * b1;                                                            \
            }                                                                                      \
            a += ROWS;                                                                             \
            b += VECTORS;                                                                          \
        }                                                                                          \
        for (int i = 0; i < ROWS; i++) {                                                           \
            for (int j = 0; j < VECTORS; j++) {                                                    \
                c[i * VECTORS + j] = sum[i][j];                                                    \
            }                                                                                      \
        }                                                                                          \
    }

#ifdef __clang__
#define UNROLL /* it does by itself */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

TILE(tile_f32, float)
TILE(tile_f64, double)

void ISA(pts_fill_gemm)(PtsLoops *loops)
{
    loops->tile_f32 = (GemmShape){ROWS, VECTORS * VECTOR_BYTES / (int)sizeof(float)};
    loops->tile_f64 = (GemmShape){ROWS, VECTORS * VECTOR_BYTES / (int)sizeof(double)};
    loops->gemm_f32 = tile_f32;
    loops->gemm_f64 = tile_f64;
}
