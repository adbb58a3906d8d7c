/* Findings of the simulator: warnings about a kernel that ran. A worker sends only ids and places;
 * the sentences are in our table (advice_table.h), so that a report contains no text that a kernel
 * chose. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_SIM_FINDINGS_H
#define PYPTO_LINT_HARNESS_JUDGE_SIM_FINDINGS_H

#include "base/map.h"
#include "lint/rule.h"

#include "document/json.h"

/* A line of the kernel or the wrapper. */
typedef struct SourcePlace {
    Str file; /* relative to the operator, or a name; empty = unknown */
    uint32_t line;
} SourcePlace;

typedef struct SimFinding {
    Str id, code; /* "parallel-accumulation"; "FC1001" or empty */
    bool is_note; /* says nothing about values */
    SourcePlace place;
    uint32_t count;
    Str first; /* of several jobs: the case that had it first; else empty */
} SimFinding;
typedef VEC(SimFinding) SimFindings;

enum { FINDINGS_MOST = 200 }; /* of one job; further ones are dropped */

/* `file` and `line` of an object. A file with other than letters, digits and _ - . / is unknown. */
SourcePlace source_place_read(Arena *arena, const json_t *object);

/* "modules/x_impl.py:12"; empty when the place is unknown. */
Str source_place_text(Arena *arena, SourcePlace place);

/* From a worker's list; ids that our table does not have are left out. */
SimFindings sim_findings_read(Arena *arena, const json_t *list);

/* Findings of several jobs. */
typedef struct FindingSum {
    SimFindings findings; /* each id and place once; `count` is the number of jobs that have it */
    Map keys;             /* numbered as the findings */
    VEC(uint32_t) last;   /* for each finding the last job that had it */
    uint32_t jobs;
} FindingSum;

/* Adds the findings of one job. */
void sim_findings_merge(Arena *arena, FindingSum *sum, const SimFindings *job);

/* "x_impl.py:7: iterations of … [parallel-accumulation]"; without the place if it is unknown. */
Str sim_finding_text(Arena *arena, const SimFinding *finding, Lang lang);

/* An entry of checks[].warnings; NULL when memory ran out. */
json_t *sim_finding_json(JsonTree *tree, const SimFinding *finding, const char *mode);

#endif
