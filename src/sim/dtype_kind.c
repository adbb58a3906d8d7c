/* What a data type is to those who compute with it; without their code. */
#include "sim/kernels/common.h"

typedef struct Kind {
    signed char lane; /* −1: converted to F32 for computing */
    bool is_float, is_integer, is_signed, is_supported;
} Kind;

static const Kind kinds[PTS_DTYPE_COUNT] = {
    [PTS_INT8] = {LANE_I8, false, true, true, true},
    [PTS_INT16] = {LANE_I16, false, true, true, true},
    [PTS_INT32] = {LANE_I32, false, true, true, true},
    [PTS_INT64] = {LANE_I64, false, true, true, true},
    [PTS_UINT8] = {LANE_U8, false, true, false, true},
    [PTS_UINT16] = {LANE_U16, false, true, false, true},
    [PTS_UINT32] = {LANE_U32, false, true, false, true},
    [PTS_UINT64] = {LANE_U64, false, true, false, true},
    [PTS_BOOL] = {LANE_U8, false, false, false, true},
    [PTS_FP16] = {-1, true, false, true, true},
    [PTS_BF16] = {-1, true, false, true, true},
    [PTS_FP32] = {LANE_F32, true, false, true, true},
    [PTS_DOUBLE] = {LANE_F64, true, false, true, true},
    [PTS_FP8] = {-1, true, false, true, false},
    [PTS_FP8E4M3] = {-1, true, false, true, true},
    [PTS_FP8E5M2] = {-1, true, false, true, true},
    [PTS_FP8E8M0] = {-1, true, false, false, true},
    [PTS_HF8] = {-1, true, false, true, true},
    [PTS_HF4] = {-1, true, false, true, false},
    [PTS_INT4] = {-1, false, true, true, true},
    [PTS_FP4_E2M1X2] = {-1, true, false, true, true},
    [PTS_FP4_E1M2X2] = {-1, true, false, true, true},
    [PTS_FP4_E2M1] = {-1, true, false, true, true},
    [PTS_FP4_E1M2] = {-1, true, false, true, true},
};

static const Kind *kind_of(PtsDtype dtype)
{
    static const Kind none = {-1, false, false, false, false};
    return (unsigned)dtype < PTS_DTYPE_COUNT ? &kinds[dtype] : &none;
}

int pts_storage_lane(PtsDtype dtype)
{
    return kind_of(dtype)->lane;
}

bool pts_dtype_is_float(PtsDtype dtype)
{
    return kind_of(dtype)->is_float;
}

bool pts_dtype_is_integer(PtsDtype dtype)
{
    return kind_of(dtype)->is_integer;
}

bool pts_dtype_is_signed(PtsDtype dtype)
{
    return kind_of(dtype)->is_signed;
}

bool pts_dtype_is_supported(PtsDtype dtype)
{
    return kind_of(dtype)->is_supported;
}
