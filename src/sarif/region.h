/*
 * Regions as they are written: all four positions set and in order. */
#ifndef SARIF_REGION_H
#define SARIF_REGION_H

#include "sarif/sarif.h"

/* GitHub wants all four positions: fills in what is zero and repairs an end before the start. */
SarifRegion sarif_region_resolve(SarifRegion region);

/* Same positions, as they are written. */
bool sarif_region_equal(SarifRegion left, SarifRegion right);

/* Whether whole lines of `context` hold `region` and more: the format asks for a proper
 * superset. */
bool sarif_region_is_context(SarifRegion context, SarifRegion region);

#endif
