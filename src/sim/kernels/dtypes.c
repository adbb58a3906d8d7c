/* What kernels need to know of data types, and single elements as numbers. */
#include "sim/kernels/common.h"
#include "sim/kernels/half.h"
#include "sim/kernels/number.h"

int pts_storage_lane(PtsDtype dtype)
{
    switch (dtype) {
    case PTS_INT8:
        return LANE_I8;
    case PTS_INT16:
        return LANE_I16;
    case PTS_INT32:
        return LANE_I32;
    case PTS_INT64:
        return LANE_I64;
    case PTS_UINT8:
    case PTS_BOOL:
        return LANE_U8;
    case PTS_UINT16:
        return LANE_U16;
    case PTS_UINT32:
        return LANE_U32;
    case PTS_UINT64:
        return LANE_U64;
    case PTS_FP32:
        return LANE_F32;
    case PTS_DOUBLE:
        return LANE_F64;
    default:
        return -1;
    }
}

Lane pts_lane_of_size(size_t bytes)
{
    return bytes == 1 ? LANE_U8 : bytes == 2 ? LANE_U16 : bytes == 4 ? LANE_U32 : LANE_U64;
}

#define LOAD(type) (*(const type *)at)

double pts_load_real(const void *at, PtsDtype dtype)
{
    switch (dtype) {
    case PTS_FP32:
        return (double)LOAD(float);
    case PTS_DOUBLE:
        return LOAD(double);
    case PTS_FP16:
        return (double)float_of_half(LOAD(uint16_t));
    case PTS_BF16:
        return (double)float_of_bfloat(LOAD(uint16_t));
    case PTS_UINT64:
        return (double)LOAD(uint64_t);
    default:
        return pts_dtype_is_float(dtype) ? small_float_value(LOAD(uint8_t), dtype)
                                         : (double)pts_load_integer(at, dtype);
    }
}

int64_t pts_load_integer(const void *at, PtsDtype dtype)
{
    switch (dtype) {
    case PTS_INT4: /* in the low half of a byte */
        return (int8_t)(LOAD(uint8_t) << 4) >> 4;
    case PTS_INT8:
        return LOAD(int8_t);
    case PTS_INT16:
        return LOAD(int16_t);
    case PTS_INT32:
        return LOAD(int32_t);
    case PTS_INT64:
        return LOAD(int64_t);
    case PTS_UINT8:
        return LOAD(uint8_t);
    case PTS_UINT16:
        return LOAD(uint16_t);
    case PTS_UINT32:
        return LOAD(uint32_t);
    case PTS_UINT64:
        return (int64_t)LOAD(uint64_t);
    case PTS_BOOL:
        return LOAD(uint8_t) != 0;
    default:
        return number_to_integer(number_of_double(pts_load_real(at, dtype)), MODE_TRUNC);
    }
}

void pts_store_real(void *at, PtsDtype dtype, double value)
{
    switch (dtype) {
    case PTS_FP32:
        *(float *)at = (float)value;
        break;
    case PTS_DOUBLE:
        *(double *)at = value;
        break;
    default:
        number_store(at, dtype, number_of_double(value), MODE_NONE, false);
    }
}

void pts_store_integer(void *at, PtsDtype dtype, int64_t value)
{
    switch (pts_dtype_is_integer(dtype) ? pts_dtype_bytes(dtype) : 0) {
    case 1:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)at = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)at = (uint32_t)value;
        break;
    case 8:
        *(uint64_t *)at = (uint64_t)value;
        break;
    default:
        if (dtype == PTS_BOOL) {
            *(uint8_t *)at = value != 0;
        } else if (dtype == PTS_FP32) {
            *(float *)at = (float)value;
        } else if (pts_dtype_is_float(dtype)) {
            pts_store_real(at, dtype, (double)value);
        }
    }
}

void pts_store_element(void *at, PtsDtype dtype, const PtsElement *element)
{
    if (pts_dtype_is_float(element->dtype)) {
        char rounded[8] = {0};
        pts_store_real(rounded, element->dtype, element->real);
        pts_store_real(at, dtype, pts_load_real(rounded, element->dtype));
        return;
    }
    char wrapped[8] = {0};
    pts_store_integer(wrapped, element->dtype, element->integer);
    if (element->dtype == PTS_UINT64 && pts_dtype_is_float(dtype)) {
        pts_store_real(at, dtype, pts_load_real(wrapped, element->dtype));
    } else {
        pts_store_integer(at, dtype, pts_load_integer(wrapped, element->dtype));
    }
}
