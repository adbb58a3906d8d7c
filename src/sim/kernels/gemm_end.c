/* What happens to sums of products: + bias, relu, × scale, and rounding to the result's type. */
#include "sim/kernels/gemm.h"
#include "sim/kernels/half.h"

#include <math.h>
#include <string.h>

enum { WIDEST_TILE = 64 };

/* Scales keep their sign, exponent and ten bits of the fraction. */
static float scale_value(uint32_t bits)
{
    return float_of_bits(bits & 0xFFFFE000U);
}

static void load_rows(const Gemm *gemm, const GemmBlock *block)
{
    const GemmEnd *end = &gemm->end;
    for (int64_t j = 0; j < block->columns && end->bias.data != NULL; j++) {
        size_t bytes = pts_dtype_bytes(end->bias.dtype);
        int64_t column = block->bias_offset + (block->column + j) * end->bias.column_stride;
        const char *at = end->bias.data + column * (int64_t)bytes;
        if (gemm->sum == GEMM_I32) {
            int32_t value = (int32_t)pts_load_integer(at, end->bias.dtype);
            memcpy(&block->bias_row[j], &value, sizeof value);
        } else {
            block->bias_row[j] = (float)pts_load_real(at, end->bias.dtype);
        }
    }
    for (int64_t j = 0; j < block->columns && end->scale_columns.data != NULL; j++) {
        int64_t column =
            block->scale_offset + (block->column + j) * end->scale_columns.column_stride;
        const char *at = end->scale_columns.data + column * 8;
        uint64_t value;
        memcpy(&value, at, sizeof value);
        block->scale_row[j] = scale_value((uint32_t)value);
    }
}

/* I32 sums that stay integers, in place. */
static void end_integers(const Gemm *gemm, const GemmBlock *block, int64_t column, int64_t count,
                         int32_t *sums)
{
    for (int64_t j = 0; j < count && gemm->end.bias.data != NULL; j++) {
        int32_t bias;
        memcpy(&bias, &block->bias_row[column + j], sizeof bias);
        sums[j] = (int32_t)((uint32_t)sums[j] + (uint32_t)bias);
    }
    for (int64_t j = 0; j < count && gemm->end.relu; j++) {
        sums[j] = sums[j] < 0 ? 0 : sums[j];
    }
}

static void end_floats(const Gemm *gemm, const GemmBlock *block, int64_t column, int64_t count,
                       float *sums)
{
    for (int64_t j = 0; j < count && gemm->end.bias.data != NULL && gemm->sum != GEMM_I32; j++) {
        sums[j] += block->bias_row[column + j];
    }
    for (int64_t j = 0; j < count && gemm->end.relu; j++) {
        sums[j] = sums[j] < 0 ? 0 : sums[j];
    }
    if (gemm->end.scale_columns.data != NULL) {
        for (int64_t j = 0; j < count; j++) {
            sums[j] *= block->scale_row[column + j];
        }
    } else if (gemm->end.has_scale) {
        float scale = scale_value(bits_of_float(gemm->end.scale));
        for (int64_t j = 0; j < count; j++) {
            sums[j] *= scale;
        }
    }
}

/* F64 sums, which only a run in double beside another has (sim/precision.h). The bias is read
 * again: the row holds it in F32. */
static void end_doubles(const Gemm *gemm, const GemmBlock *block, int64_t column, int64_t count,
                        double *sums)
{
    const GemmMatrix *bias = &gemm->end.bias;
    for (int64_t j = 0; j < count && bias->data != NULL; j++) {
        int64_t at = block->bias_offset + (block->column + column + j) * bias->column_stride;
        sums[j] +=
            pts_load_real(bias->data + at * (int64_t)pts_dtype_bytes(bias->dtype), bias->dtype);
    }
    for (int64_t j = 0; j < count; j++) {
        sums[j] = gemm->end.relu && sums[j] < 0 ? 0 : sums[j];
        if (gemm->end.scale_columns.data != NULL) {
            sums[j] *= (double)block->scale_row[column + j];
        } else if (gemm->end.has_scale) {
            sums[j] *= (double)scale_value(bits_of_float(gemm->end.scale));
        }
    }
}

/* To nearest even, clamped; NaN gives 0. */
static void quantize_run(int64_t count, int8_t *to, const float *from)
{
    for (int64_t j = 0; j < count; j++) {
        float value = rintf(from[j]);
        to[j] = (int8_t)(value >= 127 ? 127 : value <= -128 ? -128 : value == value ? value : 0);
    }
}

/* Part of a row: `count` sums at `sums` (changed) become elements from `column` of the block on. */
static void finish_run(const Gemm *gemm, const GemmBlock *block, int64_t column, int64_t count,
                       char *to, void *sums)
{
    PtsDtype dtype = gemm->c.dtype;
    size_t bytes = pts_dtype_bytes(dtype);
    float real[WIDEST_TILE];
    uint64_t room[WIDEST_TILE];
    void *result = sums;
    if (gemm->sum == GEMM_I32) {
        end_integers(gemm, block, column, count, sums);
        if (dtype != PTS_INT32) {
            pts_loops()->to_float[LANE_I32]((size_t)count, real, sums);
            end_floats(gemm, block, column, count, real);
            result = real;
        }
    } else if (gemm->sum == GEMM_F32) {
        end_floats(gemm, block, column, count, sums);
    } else {
        end_doubles(gemm, block, column, count, sums);
    }
    PtsDtype computed = gemm->sum == GEMM_F64 ? PTS_DOUBLE : PTS_FP32;
    if (dtype == PTS_INT8) {
        quantize_run(count, (int8_t *)room, result);
        result = room;
    } else if (dtype != computed && dtype != PTS_INT32) {
        Conversion conversion = pts_conversion(computed, dtype);
        pts_convert_run(&conversion, (size_t)count, room, result);
        result = room;
    }
    pts_copy_strided(to, gemm->c.column_stride * (int64_t)bytes, result, (int64_t)bytes, count,
                     bytes);
}

void gemm_finish(const Gemm *gemm, const GemmBlock *block)
{
    int64_t bytes = (int64_t)pts_dtype_bytes(gemm->c.dtype);
    int64_t sum_bytes = gemm->sum == GEMM_F64 ? 8 : 4;
    int64_t row_tiles = (block->rows + block->tile.rows - 1) / block->tile.rows;
    int64_t tile_bytes = block->tile.rows * block->tile.columns * sum_bytes;
    load_rows(gemm, block);
    for (int64_t row = 0; row < block->rows; row++) {
        char *to = block->c + (block->row + row) * gemm->c.row_stride * bytes +
                   block->column * gemm->c.column_stride * bytes;
        for (int64_t column = 0; column < block->columns; column += block->tile.columns) {
            int64_t rest = block->columns - column;
            int64_t count = rest < block->tile.columns ? rest : block->tile.columns;
            int64_t tile = column / block->tile.columns * row_tiles + row / block->tile.rows;
            uint64_t sums[WIDEST_TILE];
            memcpy(sums,
                   block->sums + tile * tile_bytes +
                       row % block->tile.rows * block->tile.columns * sum_bytes,
                   (size_t)(count * sum_bytes));
            finish_run(gemm, block, column, count, to + column * gemm->c.column_stride * bytes,
                       sums);
        }
    }
}
