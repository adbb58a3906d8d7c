/* Data types: names and sizes. */
#include "model/ptosim_model.h"

typedef struct DtypeRow {
    const char *name;
    size_t bytes;
} DtypeRow;

static const DtypeRow rows[PTS_DTYPE_COUNT] = {
    [PTS_INT4] = {"DT_INT4", 1},
    [PTS_INT8] = {"DT_INT8", 1},
    [PTS_INT16] = {"DT_INT16", 2},
    [PTS_INT32] = {"DT_INT32", 4},
    [PTS_INT64] = {"DT_INT64", 8},
    [PTS_FP8] = {"DT_FP8", 1},
    [PTS_FP16] = {"DT_FP16", 2},
    [PTS_FP32] = {"DT_FP32", 4},
    [PTS_BF16] = {"DT_BF16", 2},
    [PTS_HF4] = {"DT_HF4", 1},
    [PTS_HF8] = {"DT_HF8", 1},
    [PTS_UINT8] = {"DT_UINT8", 1},
    [PTS_UINT16] = {"DT_UINT16", 2},
    [PTS_UINT32] = {"DT_UINT32", 4},
    [PTS_UINT64] = {"DT_UINT64", 8},
    [PTS_BOOL] = {"DT_BOOL", 1},
    [PTS_DOUBLE] = {"DT_DOUBLE", 8},
    [PTS_FP8E4M3] = {"DT_FP8E4M3", 1},
    [PTS_FP8E5M2] = {"DT_FP8E5M2", 1},
    [PTS_FP8E8M0] = {"DT_FP8E8M0", 1},
    [PTS_FP4_E2M1X2] = {"DT_FP4_E2M1X2", 1},
    [PTS_FP4_E1M2X2] = {"DT_FP4_E1M2X2", 1},
    [PTS_FP4_E2M1] = {"DT_FP4_E2M1", 1},
    [PTS_FP4_E1M2] = {"DT_FP4_E1M2", 1},
};

size_t pts_dtype_bytes(PtsDtype dtype)
{
    return (unsigned)dtype < PTS_DTYPE_COUNT ? rows[dtype].bytes : 0;
}

const char *pts_dtype_name(PtsDtype dtype)
{
    return (unsigned)dtype < PTS_DTYPE_COUNT ? rows[dtype].name : "DT_BOTTOM";
}
