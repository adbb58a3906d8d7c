/* Launches: calls of kernels in host code, and their arguments. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_LAUNCH_H
#define PYPTO_LINT_EVAL_LAUNCH_H

#include "eval/state.h"

enum { LAUNCH_TENSORS = 64, LAUNCHES_OF_KERNEL = 24 };

typedef struct Launch {
    uint32_t site;  /* Eval.kernels */
    NodeId node;    /* the call */
    uint32_t unit;  /* the file that it is in */
    uint32_t entry; /* the file of the test or wrapper where the walk began */
    bool certain;   /* no unknown condition decides whether it runs */
    bool tiles_set; /* host code has set tiles before */
    uint32_t known; /* a score of how much is known, to choose among launches */
    Value *values;  /* one for each parameter of the kernel, in order */
    uint32_t count;
    uint32_t positional; /* arguments by place */
    Strs keywords;       /* the others */
} Launch;

/* Is there a launch, and is it in another file or only reached from one? */
static inline bool launch_is_foreign(const Launch *launch)
{
    return launch != NULL && (launch->unit != 0 || launch->entry != 0);
}

typedef struct LaunchList {
    VEC(Launch) items;
} LaunchList;

/* Evaluates a call of a kernel by host code and keeps it as a launch. */
Value launch_call(Eval *eval, const Arguments *arguments, Value kernel);
/* Walks functions that nothing has called: tests, wrappers. */
void launch_walk_entries(Eval *eval);
/* Binds the parameters of a test that no row gives to what pytest's fixtures return or yield, where
 * the file has them and surely no other code decides. */
void fixtures_bind(Eval *eval, NodeId test);
/* Judges the number of arguments and the keywords; false when they do not match. */
bool launch_has_number(Eval *eval, const Launch *launch);
/* Judges a launch against the kernel's annotations; false when it does not match. */
bool launch_fits(Eval *eval, const Launch *launch);

/* What an annotation says about a parameter. */
typedef struct ParameterSpec {
    bool is_tensor, has_shape, lower_bound, is_nz, is_known;
    bool is_open; /* the annotation is unknown apart from being a tensor's */
    int dtype;    /* -1 = open */
    uint32_t count;
    Value axes[8]; /* int; STATIC and DYNAMIC as members; VALUE_NAMED; unknown */
} ParameterSpec;
ParameterSpec parameter_spec(Eval *eval, NodeId arg);
bool axis_is(Value axis, const char *name);

/* --- names of other packages, torch tensors (host.c; by topic: host.h) */

Value host_attribute(Eval *eval, NodeId node, Value owner, Str name);
Value host_call(Eval *eval, const Arguments *arguments, Value callee);
Value host_method(Eval *eval, const Arguments *arguments, Value self, Str name);

/* --- marks of tests (marks.c) */

typedef enum Mark {
    MARK_SKIP = 1,
    MARK_XFAIL = 2,
    MARK_EXPECTED_FAILURE = 4,
    MARK_FIXTURE = 8
} Mark;

/* A class of tests. */
typedef struct TestClass {
    NodeId node;
    NodeId decorator; /* the first, or NO_NODE */
    unsigned marks;   /* of its decorators and its `pytestmark` */
    bool inherits;
    bool collected; /* by pytest or unittest */
} TestClass;

/* The result is valid until the next call. */
const TestClass *entry_class(Eval *eval, NodeId class);
/* The marks that decorators of the function, of the class around it, or `pytestmark` name. */
unsigned entry_marks(Eval *eval, NodeId function);
/* Does the test mark itself, or is it decorated by a function of the file that catches errors? */
bool entry_may_fail(const Eval *eval, NodeId function);

/* --- host code */

/* Is it a tuple of two tensors, as x.max(-1), x.sort() and the like return? */
bool host_is_pair(Value value);
/* Its `.values` and `.indices`. */
Value host_pair_attribute(Value pair, Str name);
/* `tensor.data = …`: from now on nothing is known about the tensor. */
void host_set_data(Value tensor);
bool host_operator(Eval *eval, ExprOperator op, Value left, Value right, Value *result);
/* Any comparison of a tensor; false for other operands. */
bool host_compare(Eval *eval, Value left, Value right, Value *result);
Value host_unary(Eval *eval, ExprOperator op, Value tensor);
Value host_item(Eval *eval, NodeId node, Value owner);
Value host_tensor_attribute(Eval *eval, Value owner, Str name);
/* Arrays of numpy: their shape, and methods that keep it. */
Value host_array_attribute(Eval *eval, Value owner, Str name);
Value host_array_method(Eval *eval, const Arguments *arguments, Value self, Str name);
/* What is known when either of two tensors may be meant. */
Value host_join(Eval *eval, const HostTensor *a, const HostTensor *b);
/* len(tensor) */
Value host_length(Value tensor);

#endif
