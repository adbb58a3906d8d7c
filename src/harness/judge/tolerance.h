/* Tolerance: is a kernel beyond a case's tolerance to blame, or does the reference exceed it as
 * well, when it adds up in another order? (docs/kernel-authors/tolerance.md) The result of a job of
 * kind `tolerance`. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_TOLERANCE_H
#define PYPTO_LINT_HARNESS_JUDGE_TOLERANCE_H

#include "harness/plan/suite.h"
#include "harness/pool/worker_result.h"
#include "lint/rule.h"

typedef enum ToleranceVerdict {
    TOLERANCE_NONE, /* the case has no digits to judge by */
    TOLERANCE_INNOCENT,
    TOLERANCE_UNDECIDED,
    TOLERANCE_GUILTY,
} ToleranceVerdict;

/* The reason, by the rule of the page. Same order: the names in tolerance.c. */
typedef enum ToleranceReason {
    TOLERANCE_WITHIN,
    TOLERANCE_EXPLAINED,
    TOLERANCE_ALIKE,
    TOLERANCE_NEAR,
    TOLERANCE_FEW,
    TOLERANCE_STRUCTURE,
    TOLERANCE_ORDERS_AGREE,
    TOLERANCE_UNEXPLAINED,
    TOLERANCE_NO_DIGITS,
    TOLERANCE_REASON_COUNT,
} ToleranceReason;

/* How far something is from the reference. */
typedef struct ToleranceDifference {
    Metric max_abs, max_rel;
    Metric worst; /* the largest difference, in units of the allowed one */
    uint64_t out_of_tolerance, nonfinite;
} ToleranceDifference;

typedef struct ToleranceLeaf {
    Str name;
    uint64_t elements;
    ToleranceDifference kernel;
    Metric orders_worst; /* kernel.worst of all orders */
    uint64_t unexplained, orders_unexplained;
    Metric unexplained_worst, orders_unexplained_worst;
    ToleranceVerdict verdict;
    ToleranceReason reason;
} ToleranceLeaf;

typedef struct ToleranceOrder {
    Str name;
    VEC(ToleranceDifference) leaves; /* in the order of the leaves of the reference */
} ToleranceOrder;

typedef struct ToleranceCount {
    Str name;
    uint64_t count;
} ToleranceCount;

typedef struct Tolerance {
    ToleranceVerdict verdict;
    VEC(ToleranceLeaf) leaves;
    VEC(ToleranceOrder) orders;
    VEC(ToleranceCount) reductions; /* of the reference: how often each was reordered */
    Strs not_reordered;             /* those that were not */
} Tolerance;

/* "none", "innocent", "undecided", "guilty". */
const char *tolerance_verdict_name(ToleranceVerdict verdict);
/* "within", "explained" … */
const char *tolerance_reason_name(ToleranceReason reason);

/* Reads `tolerance` of the result. Everything in the arena. False when it is missing or has another
 * form. */
bool tolerance_read(Arena *arena, Str result, Tolerance *tolerance);

/* Appends the verdict and its numbers. */
void tolerance_text(Buf *out, const Tolerance *tolerance, const SuiteCase *source, const char *mode,
                    Lang lang);

#endif
