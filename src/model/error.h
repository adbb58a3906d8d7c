/* Filling PtsError values. Private to libptosim. */
#ifndef PTOSIM_ERROR_H
#define PTOSIM_ERROR_H

#include "model/ptosim_model.h"

/* Codes of the product. */
#define PTS_CODE_TYPE      0xF00001u
#define PTS_CODE_VALUE     0xF00002u
#define PTS_CODE_RUNTIME   0xF00003u
#define PTS_CODE_PLANNED   0xF00005u
#define PTS_CODE_DYNAMIC   0xF0000Au
#define PTS_CODE_SHAPE     0xF0000Bu
#define PTS_CODE_TILE      0xF0000Cu
#define PTS_CODE_LIMIT     0xF0FFFFu
#define PTS_CODE_UNWRITTEN 0xF74007u

/* Errors that are raised in several places: kind, code and the enum's name, as arguments of
 * pts_fail. */
#define PTS_E_TYPE      PTS_TYPE_ERROR, PTS_CODE_TYPE, "INVALID_TYPE"
#define PTS_E_VALUE     PTS_VALUE_ERROR, PTS_CODE_VALUE, "INVALID_VAL"
#define PTS_E_RUNTIME   PTS_RUNTIME_ERROR, PTS_CODE_RUNTIME, "RUNTIME_ERROR"
#define PTS_E_PLANNED   PTS_NOT_IMPLEMENTED, PTS_CODE_PLANNED, "NOT_IMPLEMENTED_ERROR"
#define PTS_E_DYNAMIC   PTS_CORE_ERROR, PTS_CODE_DYNAMIC, "DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED"
#define PTS_E_SHAPE     PTS_CORE_ERROR, PTS_CODE_SHAPE, "INVALID_SHAPE"
#define PTS_E_TILE      PTS_CORE_ERROR, PTS_CODE_TILE, "INVALID_TILE"
#define PTS_E_INDEX     PTS_INDEX_ERROR, 0xF00008u, "INDEX_ERROR"
#define PTS_E_LIMIT     PTS_CORE_ERROR, PTS_CODE_LIMIT, "UNKNOWN"
#define PTS_E_MEMORY    PTS_MEMORY_ERROR, PTS_CODE_LIMIT, "MemoryError"
#define PTS_E_INVALID   PTS_CORE_ERROR, 0xF21003, "INVALID_VAL"
#define PTS_E_CHANGED   PTS_CORE_ERROR, 0xF21008, "DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED"
#define PTS_E_ADDRESS   PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE"
#define PTS_E_UNWRITTEN PTS_CORE_ERROR, PTS_CODE_UNWRITTEN, "WORKSPACE_ITER_INVALID"
#define PTS_E_WORKSPACE PTS_MEMORY_ERROR, 0xF7400B, "WORKSPACE_CAPACITY"
#define PTS_E_PARAMETER PTS_CORE_ERROR, 0xFC0000, "PARAM_INVALID"
#define PTS_E_DTYPE     PTS_CORE_ERROR, 0xFC0001, "PARAM_DTYPE_UNSUPPORTED"
#define PTS_E_RANK      PTS_CORE_ERROR, 0xFC0002, "PARAM_SHAPE_DIM_UNSUPPORTED"

/* Fills `error` (which may be NULL) and returns false, so that callers can return it. `symbol` is a
 * static string. The site is unknown until pts_error_at adds it. */
bool pts_fail(PtsError *error, PtsErrorKind kind, uint32_t code, const char *symbol,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds the site when the error has none yet. */
void pts_error_at(PtsError *error, PtsSite site);

/* Sets the error for exhausted host memory; returns false. */
bool pts_fail_memory(PtsError *error);

#endif
