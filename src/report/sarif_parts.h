/* One finding as a SARIF result: its place with excerpts, message, related places, fix,
 * fingerprint. */
#ifndef PYPTO_LINT_REPORT_SARIF_PARTS_H
#define PYPTO_LINT_REPORT_SARIF_PARTS_H

#include "report/report_common.h"
#include "sarif/sarif.h"

typedef struct SarifBuilder {
    Arena *arena;
    const SarifAllocator *allocator;
    Str working_dir;
    Lang lang;
    const Source *source; /* that `lines` are of: findings of a file stand together */
    SarifLines *lines;
} SarifBuilder;

SarifText sarif_str(Str text);

/* The arena as libsarif's allocator: nothing to free, and failures go to the arena's guard. */
SarifAllocator sarif_arena(Arena *arena);

/* Fills `result` but for rule and level. False when memory ran out. */
bool sarif_describe(SarifBuilder *builder, const OperatorResult *op, const Finding *finding,
                    SarifResult *result);

#endif
