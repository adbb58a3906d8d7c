/*
 * Regions as they are written: all four positions set and in order. */
#ifndef SARIF_REGION_H
#define SARIF_REGION_H

#include "sarif/sarif.h"

/* GitHub wants all four positions: fills in what is zero and repairs an end before the start. */
SarifRegion sarif_region_resolve(SarifRegion region);

/* Same positions, as they are written. */
bool sarif_region_equal(SarifRegion left, SarifRegion right);

/* Do the whole lines of `context` include the lines of `region`? The format asks for a proper
 * superset; whether the context has more than the region is not checked. */
bool sarif_region_is_context(SarifRegion context, SarifRegion region);

#endif
