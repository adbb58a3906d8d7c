/*
 * Regions as they are written: all four positions set and in order. */
#include "region.h"

SarifRegion sarif_region_resolve(SarifRegion region)
{
    if (region.start_line == 0) {
        region.start_line = region.start_column = region.end_line = region.end_column = 1;
        return region;
    }
    if (region.start_column == 0) {
        region.start_column = 1;
    }
    if (region.end_line < region.start_line) {
        region.end_line = region.start_line;
        region.end_column = region.start_column;
    }
    if (region.end_column == 0) {
        region.end_column = 1;
    }
    if (region.end_line == region.start_line && region.end_column < region.start_column) {
        region.end_column = region.start_column;
    }
    return region;
}

bool sarif_region_equal(SarifRegion left, SarifRegion right)
{
    left = sarif_region_resolve(left);
    right = sarif_region_resolve(right);
    return left.start_line == right.start_line && left.start_column == right.start_column &&
           left.end_line == right.end_line && left.end_column == right.end_column;
}

bool sarif_region_is_context(SarifRegion context, SarifRegion region)
{
    region = sarif_region_resolve(region);
    return context.start_line > 0 && context.start_line <= region.start_line &&
           context.end_line >= region.end_line;
}
