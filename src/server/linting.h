/* Linting: the engine's answer about the texts that the client has, in a worker. */
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
    Map paths; /* of sources */
    VEC(Source) sources;
} Linting;

/* What the linter is asked about one file: its operator, or the file if it holds a kernel. */
Request linting_request(Work *work, Strs paths);
void linting_begin(Linting *linting, Work *work, const Request *request);
void linting_end(Linting *linting);

/* The absolute path of a file that a finding names. */
Str linting_path(Linting *linting, const OperatorResult *op, Str file);
/* The place of a region in a file. */
Range linting_range(Linting *linting, Str path, Region region);
const Source *linting_source(Linting *linting, Str path);

/* Appends the finding as the protocol's Diagnostic. */
void diagnostic_add(Linting *linting, Buf *out, const OperatorResult *op, const Finding *finding);
/* Appends one that says that `path` was not checked, or that something is to be known of it. */
typedef enum DiagnosticLevel {
    DIAGNOSTIC_ERROR = 1,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_INFORMATION,
    DIAGNOSTIC_HINT,
} DiagnosticLevel;
void plain_diagnostic_add(Buf *out, DiagnosticLevel level, Range range, Str code, Str message,
                          bool unnecessary);

#endif
