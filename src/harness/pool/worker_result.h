/* Worker result: the result of a job (docs/internals/harness.md, "Result"), read from any bytes
 * that arrived on the result descriptor. */
#ifndef PYPTO_LINT_HARNESS_POOL_WORKER_RESULT_H
#define PYPTO_LINT_HARNESS_POOL_WORKER_RESULT_H

#include "harness/blame/blame.h"
#include "harness/judge/leaf_places.h"
#include "harness/judge/provenance.h"
#include "harness/judge/sim_findings.h"

/* Where a worker is, in the order of a case: a later stage is the larger. */
typedef enum Stage {
    STAGE_UNKNOWN, /* it did not report one */
    STAGE_SETUP,
    STAGE_INPUTS,
    STAGE_GOLDEN,
    STAGE_IMPLEMENTATION, /* its import */
    STAGE_WRAPPER,
    STAGE_COMPARE,
    STAGE_INSPECT,
    STAGE_DONE,
} Stage;

/* A number that may be missing: not compared, or not finite. */
typedef struct Metric {
    double value;
    bool known;
} Metric;

typedef struct LeafShape {
    int64_t *extents;
    uint32_t rank;
    bool known;
} LeafShape;

/* One output. */
typedef struct Leaf {
    Str name;      /* "out0" */
    Str output;    /* by the contract: "dq"; empty = unknown. Not from the worker */
    Str structure; /* what differs: "missing", "extra", "shape" …; empty = nothing */
    LeafShape expected_shape, shape;
    Str expected_dtype, dtype; /* empty = none */
    bool judged;               /* false: the worker does not say whether it is close */
    bool all_close;            /* without precision: the structure is the same */
    Metric max_abs_diff, max_rel_diff;
    uint64_t elements, out_of_tolerance, nonfinite;
    uint64_t never_written;   /* not from the worker: see case_compared.c */
    Str never, never_zh;      /* where; empty = nowhere */
    const LeafPlaces *places; /* where it differs; NULL = unknown */
    Str equals; /* title of the output that it equals by mistake; not from the worker */
} Leaf;
typedef VEC(Leaf) Leaves;

typedef struct InspectionStep {
    int64_t iter;
    Metric max_abs_diff, max_rel_diff;
    bool all_close;
} InspectionStep;
typedef struct Inspection {
    bool present;
    Str name;
    VEC(InspectionStep) steps;
} Inspection;

/* One tensor among the inputs of a case. */
typedef struct InputFact {
    Str name;
    LeafShape shape;
    bool zero_row; /* a row of it, along the last axis, is all zeros */
} InputFact;
typedef VEC(InputFact) InputFacts;

/* The result of calling the wrapper again. */
typedef enum RepeatStatus {
    REPEAT_UNKNOWN, /* the job has no kernel, or ended before */
    REPEAT_PASSED,
    REPEAT_FAILED,
    REPEAT_NOT_CHECKED,
} RepeatStatus;

typedef struct Repeat {
    RepeatStatus status;
    Str finding; /* REPEAT_FAILED: "flaky", "stale output" …, of case_repeat.c; else empty */
    Str why;     /* REPEAT_NOT_CHECKED: "slow" …; of a finding "raised" the type; maybe empty */
} Repeat;

/* Versions and the like. */
typedef struct CaseEnvironment {
    bool known;
    Str python, torch, pypto, torch_npu, backend, soc, profile; /* empty = unknown */
    bool sim_values;
} CaseEnvironment;

typedef struct CaseSeconds {
    double total; /* of the process */
    Metric inputs, golden, wrapper, compare;
} CaseSeconds;

/* How the job ended, as the worker saw it. */
typedef enum ResultEnd {
    RESULT_NONE,   /* there is no result: the worker died first */
    RESULT_BROKEN, /* the bytes are not a result */
    RESULT_COMPARED,
    RESULT_RAISED,
    RESULT_CONTRACT,
    RESULT_UNAVAILABLE,
} ResultEnd;

typedef struct WorkerResult {
    ResultEnd end;
    Stage stage;           /* the last one that the worker reported */
    Str type, message;     /* of the exception; empty = none */
    Str code, kind;        /* "F21003"; "naming", "shape", "infra", "memory"; empty = none */
    SourcePlace raised_at; /* of the exception: the line of the kernel or of the wrapper */
    bool own;              /* the message is a sentence of the harness */
    Leaves leaves;
    Inspection inspection;
    int64_t launches, ops; /* -1 = not counted */
    bool exact;
    Strs modified_inputs;
    Strs imported_references; /* modules that the implementation imported */
    bool golden_differs;      /* a second run of the reference gave other bits */
    Strs warnings;
    Provenance provenance;
    SimFindings findings; /* of the simulator */
    CaseEnvironment environment;
    CaseSeconds seconds; /* without `total` */
    Repeat repeat;
    Blame blame;
    InputFacts inputs; /* the first RESULT_MOST_INPUTS of them */
} WorkerResult;

enum {
    RESULT_MOST_LEAVES = 4096, /* more make a result RESULT_BROKEN */
    RESULT_MOST_STEPS = 100000,
    RESULT_MOST_INPUTS = 16,
    RESULT_MOST_SENTENCES = 100, /* further ones are dropped */
    RESULT_MOST_TEXT = 1000,     /* bytes of a name; longer texts are cut, but for `message` */
};

/* Everything in the arena; texts are valid UTF-8. */
void worker_result_read(Arena *arena, Str text, WorkerResult *result);
/* The JSON object after the lines about the worker's progress. */
Str worker_result_document(Str text);

/* The largest of several differences. One that is not finite (`nonfinite` values, no number) makes
 * the whole unknown, because a maximum would hide it. Starts as zeros. */
typedef struct Largest {
    Metric metric;
    bool lost;
} Largest;
/* The number under the key; unknown if it is not finite, has another type or does not exist. */
Metric metric_at(const json_t *object, const char *key);
void largest_add(Largest *largest, Metric metric, uint64_t nonfinite);

#endif
