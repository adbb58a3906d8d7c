/* Findings of the simulator: warnings about a kernel that ran. A worker tells ids and places only;
 * the sentences are ours (advice_table.h), so that nothing that a kernel chose gets into a
 * report. */
#ifndef PYPTO_LINT_HARNESS_SIM_FINDINGS_H
#define PYPTO_LINT_HARNESS_SIM_FINDINGS_H

#include "base/vec.h"
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
} SimFinding;
typedef VEC(SimFinding) SimFindings;

enum { FINDINGS_MOST = 200 }; /* of one job; further ones are dropped */

/* `file` and `line` of an object. A file with other than letters, digits and _ - . / is unknown. */
SourcePlace source_place_read(Arena *arena, const json_t *object);

/* "modules/x_impl.py:12"; empty when the place is unknown. */
Str source_place_text(Arena *arena, SourcePlace place);

/* From the list that a worker told; what is not in our table is left out. */
SimFindings sim_findings_read(Arena *arena, const json_t *list);

/* Adds those of one job to those of others; the same place and id is one. `count` of the sum is the
 * number of jobs. */
void sim_findings_merge(Arena *arena, SimFindings *sum, const SimFindings *more);

/* "x_impl.py:7: iterations of … [parallel-accumulation]"; without the place when it is unknown. */
Str sim_finding_text(Arena *arena, const SimFinding *finding, Lang lang);

/* An entry of checks[].warnings; NULL when memory ran out. */
json_t *sim_finding_json(JsonTree *tree, const SimFinding *finding, const char *mode);

#endif
