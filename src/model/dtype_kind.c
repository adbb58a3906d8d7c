/* Kinds of data types. */
#include "model/dtype_kind.h"

typedef struct Kind {
    bool is_float, is_integer, is_signed, is_supported;
} Kind;

static const Kind kinds[PTS_DTYPE_COUNT] = {
    [PTS_INT8] = {false, true, true, true},       [PTS_INT16] = {false, true, true, true},
    [PTS_INT32] = {false, true, true, true},      [PTS_INT64] = {false, true, true, true},
    [PTS_UINT8] = {false, true, false, true},     [PTS_UINT16] = {false, true, false, true},
    [PTS_UINT32] = {false, true, false, true},    [PTS_UINT64] = {false, true, false, true},
    [PTS_BOOL] = {false, false, false, true},     [PTS_FP16] = {true, false, true, true},
    [PTS_BF16] = {true, false, true, true},       [PTS_FP32] = {true, false, true, true},
    [PTS_DOUBLE] = {true, false, true, true},     [PTS_FP8] = {true, false, true, false},
    [PTS_FP8E4M3] = {true, false, true, true},    [PTS_FP8E5M2] = {true, false, true, true},
    [PTS_FP8E8M0] = {true, false, false, true},   [PTS_HF8] = {true, false, true, true},
    [PTS_HF4] = {true, false, true, false},       [PTS_INT4] = {false, true, true, true},
    [PTS_FP4_E2M1X2] = {true, false, true, true}, [PTS_FP4_E1M2X2] = {true, false, true, true},
    [PTS_FP4_E2M1] = {true, false, true, true},   [PTS_FP4_E1M2] = {true, false, true, true},
};

static const Kind *kind_of(PtsDtype dtype)
{
    static const Kind none = {false, false, false, false};
    return (unsigned)dtype < PTS_DTYPE_COUNT ? &kinds[dtype] : &none;
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
