/* Snapshots: the expressions of a kernel that a manifest asks to watch, and from which iteration on
 * each differs from the reference (docs/kernel-authors/bisect.md). A worker watches them in a job
 * of kind `bisect`; this reads the manifest, makes the job and reads its result. */
#ifndef PYPTO_LINT_HARNESS_BLAME_SNAPSHOTS_H
#define PYPTO_LINT_HARNESS_BLAME_SNAPSHOTS_H

#include "document/json.h"
#include "harness/verify.h"

#define MANIFEST_PATH "_debug/snapshot_manifest.yaml"

/* --- the manifest */

typedef struct Snapshot {
    Str name, expression;
    Str golden;   /* the reference's buffer or expression; empty: same name */
    int64_t line; /* of the statement in the kernel; 0: every assignment to it */
    bool has_golden_axis;
    int64_t golden_axis; /* axis of the reference's tensor that counts iterations */
    Metric atol, rtol;   /* unknown: the case's apply */
} Snapshot;

typedef struct SnapshotManifest {
    Str axis;    /* index of the loop whose iterations count; empty: the innermost */
    Str case_id; /* empty: not named */
    VEC(Snapshot) items;
} SnapshotManifest;

/* Reads the manifest of an operator directory. On failure returns false and puts the reason in
 * `*error`; `*missing` says whether the file does not exist. Expressions are checked by the
 * worker. */
bool snapshot_manifest_read(Arena *arena, Str op_dir, SnapshotManifest *manifest, bool *missing,
                            Str *error);

/* The job of kind `bisect` for a case. `probe`: watch through a probe file below _debug/. With
 * `manifest` NULL the job proposes what to watch. */
WorkerJob snapshot_job(const Verification *plan, const SuiteCase *source, Mode mode, bool probe,
                       const SnapshotManifest *manifest);

/* --- the result */

typedef struct DriftStep {
    int64_t iter; /* value of the loop's index */
    Metric relative_error;
    uint64_t out_of_tolerance, elements, nonfinite;
    bool all_close;
} DriftStep;

typedef enum DriftPattern {
    DRIFT_NONE, /* close in all iterations */
    DRIFT_ALL,  /* in all iterations */
    DRIFT_FROM, /* from one on */
    DRIFT_FIRST,
    DRIFT_LAST,
    DRIFT_SOME,
    DRIFT_PATTERN_COUNT,
} DriftPattern;

typedef struct Drift {
    Str name, expression, dtype;
    Str why; /* why it could not be compared; empty: it was */
    uint64_t line, iterations;
    DriftPattern pattern;
    int64_t onset;                 /* value of the index in the first iteration that differs */
    bool carried;                  /* the kernel keeps it from one iteration to the next */
    bool handed_on, handing_known; /* the error is loop-carried; whether that is known */
    bool grows;
    Metric worst;
    VEC(DriftStep) steps;
} Drift;

typedef struct Proposal {
    Str name;
    uint64_t line;
} Proposal;

typedef struct Bisection {
    Str axis;
    VEC(Drift) drifts;
    const Drift *first; /* the first to differ; NULL: none does */
    uint32_t drifting, not_compared;
    VEC(Proposal) proposed;
} Bisection;

/* Reads `bisect` of the result; texts and lists are in the arena. False when it is missing or
 * malformed. */
bool bisection_read(Arena *arena, Str result, Bisection *bisection);

json_t *bisection_json(JsonTree *tree, const Bisection *bisection);
/* Appends a line for each expression, then which one was the first to drift and what to look at. */
void bisection_text(Buf *out, const Bisection *bisection, Lang lang);

#endif
