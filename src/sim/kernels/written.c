/* Which memory a run writes: bytes of a map beside the caller's memory. */
#include "sim/kernels/common.h"

#include <string.h>

void pts_mark_written(unsigned char *map, const void *base, const PtsTensor *region)
{
    int64_t size = (int64_t)pts_dtype_bytes(region->dtype);
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < region->rank; i++) {
        extent[i] = pts_extent(region, i);
    }
    if (map == NULL || region->rank == 0 || pts_product(region->rank, extent) == 0) {
        return;
    }
    int last = region->rank - 1;
    int64_t step = region->stride[last] * size;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        unsigned char *row = map + (pts_at(region, index, last) - (const char *)base);
        if (step == size) {
            memset(row, 1, (size_t)(extent[last] * size));
            continue;
        }
        for (int64_t i = 0; i < extent[last]; i++) {
            memset(row + i * step, 1, (size_t)size);
        }
    } while (pts_next_index(last, extent, index));
}
