/* Linting: a run of the linter in a worker, over the texts that the client sees. */
#ifndef PYPTO_LINT_SERVER_LINTING_H
#define PYPTO_LINT_SERVER_LINTING_H

#include "lint/plan.h"
#include "lint/result.h"
#include "server/job.h"

typedef struct Linting {
    Work *work;
    Plan *plan;
    Run *run;
    const RunResult *result;
    Map paths; /* of `sources`, by number */
    VEC(Source) sources;
} Linting;

/* The request for these paths: whole operators where a path belongs to one; no code of the project
 * is run. linting_begin runs it; linting_end must follow. */
Request linting_request(Work *work, Strs paths);
void linting_begin(Linting *linting, Work *work, const Request *request);
void linting_end(Linting *linting);

/* The absolute path of the file that a finding names, in the arena. */
Str linting_path(Linting *linting, const OperatorResult *op, Str file);
/* The range of a region in a file; all zero for the file as a whole. linting_source reads the file
 * once. */
Range linting_range(Linting *linting, Str path, Region region);
const Source *linting_source(Linting *linting, Str path);

/* Appends the finding as the protocol's Diagnostic. */
void diagnostic_add(Linting *linting, Buf *out, const OperatorResult *op, const Finding *finding);
/* Level of a diagnostic, as the protocol numbers them. */
typedef enum DiagnosticLevel {
    DIAGNOSTIC_ERROR = 1,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_INFORMATION,
    DIAGNOSTIC_HINT,
} DiagnosticLevel;
void plain_diagnostic_add(Buf *out, DiagnosticLevel level, Range range, Str code, Str message,
                          bool unnecessary);

#endif
