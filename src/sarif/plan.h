/*
 * What of a run is written, decided before the first byte: results merged, left out and cut, rules
 * cut, the place of each file in `artifacts`. The writers only follow it. */
#ifndef SARIF_PLAN_H
#define SARIF_PLAN_H

#include "memory.h"

/* What the limits took away; a notification reports each. */
typedef enum SarifCut {
    SARIF_CUT_RESULTS,
    SARIF_CUT_RULES,
    SARIF_CUT_TAGS,
    SARIF_CUT_TEXTS,
    SARIF_CUT_RELATED,
    SARIF_CUT_FLOW_STEPS,
    SARIF_CUT_FIXES,
    SARIF_CUT_SNIPPETS,
    SARIF_CUT_COUNT,
} SarifCut;

typedef struct SarifPlan {
    const SarifRun *run;
    const SarifAllocator *allocator;
    size_t *next;   /* result -> the next one merged into the same alert, or SARIF_NO_INDEX */
    uint8_t *level; /* result -> level of the alert; meaningless when not the first of its chain */
    size_t *kept;   /* the results to write, first ones of their chains, in the given order */
    size_t kept_count;
    size_t *rule_place;     /* rule -> index in the log, or SARIF_NO_INDEX */
    size_t *artifact_place; /* artifact -> index in the log, or SARIF_NO_INDEX for a repetition */
    SarifTable rules;       /* by id */
    SarifTable artifacts;   /* by base and path */
    size_t merged;
    size_t suppressed;
    size_t cut[SARIF_CUT_COUNT];
} SarifPlan;

/* Frees what it took when it fails. */
SarifStatus sarif_plan_init(SarifPlan *plan, const SarifRun *run, const SarifOptions *options);
void sarif_plan_free(SarifPlan *plan);

/* Index in the log of the rule with this id, or SARIF_NO_INDEX. */
size_t sarif_plan_rule(const SarifPlan *plan, SarifText id);

/* Index in the log of a file, or SARIF_NO_INDEX when it is not among the artifacts. */
size_t sarif_plan_artifact(const SarifPlan *plan, SarifText path, SarifText base_id);

/* The base of a path: the one given, else the run's first; none for an absolute path. */
SarifText sarif_base_of(const SarifRun *run, SarifText path, SarifText base_id);

#endif
