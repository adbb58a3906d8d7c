/* Properties of data types, for inference, checks and computation. */
#ifndef PTOSIM_DTYPE_KIND_H
#define PTOSIM_DTYPE_KIND_H

#include "model/ptosim_model.h"

/* All are false for values out of range. */
bool pts_dtype_is_float(PtsDtype dtype);
bool pts_dtype_is_integer(PtsDtype dtype); /* BOOL is not */
bool pts_dtype_is_signed(PtsDtype dtype);
/* The dtypes that kernels compute with: all but DT_FP8 and DT_HF4. */
bool pts_dtype_is_supported(PtsDtype dtype);

#endif
