/*
 * The results that became one alert, read as one: their related places with running ids, and their
 * fixes without repetitions. A chain of one result is the common case. */
#ifndef SARIF_CHAIN_H
#define SARIF_CHAIN_H

#include "plan.h"

/* One entry of relatedLocations. */
typedef struct SarifRelated {
    const SarifLocation *location;
    SarifText message;
    size_t id;
    size_t link_offset; /* to add to the link targets in `message` */
    size_t link_count;  /* the targets are 1 … link_count */
    bool own_place;     /* the place of a merged result, not one that it relates to */
} SarifRelated;

typedef struct SarifRelatedCursor {
    const SarifPlan *plan;
    size_t result;
    size_t index;
    size_t id;
    size_t offset;
    bool own_pending;
} SarifRelatedCursor;

/* The related places of a chain: those of the first result, then place and relations of each
 * other. */
SarifRelatedCursor sarif_related_start(const SarifPlan *plan, size_t head);

/* False at the end, or after SARIF_MAX_RELATED. */
bool sarif_related_next(SarifRelatedCursor *cursor, SarifRelated *related);

/* How many related places the chain has, the limit aside. */
size_t sarif_related_total(const SarifPlan *plan, size_t head);

typedef struct SarifFixList {
    const SarifFix *fixes[SARIF_MAX_FIXES];
    size_t count;
    size_t cut; /* that had no room; repetitions and empty fixes do not count */
} SarifFixList;

/* The fixes of a chain: a log may not contain the same fix of one result twice. */
void sarif_fixes_collect(const SarifPlan *plan, size_t head, SarifFixList *list);

#endif
