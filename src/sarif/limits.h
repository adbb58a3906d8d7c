/*
 * The limits that concern one rule or one result: what fits, and what had to go. */
#ifndef SARIF_LIMITS_H
#define SARIF_LIMITS_H

#include "plan.h"

/* Counts what the limits take away besides results and rules, into plan->cut. */
void sarif_limits_count(SarifPlan *plan);

/* Whether the snippet is too long to be written. */
bool sarif_snippet_is_cut(SarifText snippet);

typedef struct SarifTagList {
    SarifText tags[SARIF_MAX_TAGS];
    size_t count;
    size_t cut;
} SarifTagList;

/* The tags to write, without empty ones and repetitions (a log may not repeat a tag). */
void sarif_tags_collect(const SarifRule *rule, SarifTagList *list);

#endif
