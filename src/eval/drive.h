/* Drive: walks a kernel's body while libptosim's recorder checks what it records. Private to
 * src/eval.
 *
 * Tensors of the kernel carry the recorder's slots; symbolic scalars and unknown integers
 * (VALUE_NUMBER) carry its handles. The recording is partial: unknown facts fail no check, and an
 * error does not end it. An operation on a tensor of unknown rank is not recorded; its result is a
 * tensor without a slot. For an unknown Python condition a result is assumed: the kernel is
 * recorded once for each set of assumptions (drive_assume.c). A loop that may run any number of
 * times, or a call that may do anything, ends the recording; findings made before remain. */
#ifndef PYPTO_LINT_EVAL_DRIVE_H
#define PYPTO_LINT_EVAL_DRIVE_H

#include "eval/advice.h"
#include "eval/facts.h"
#include "eval/launch.h"
#include "eval/repair.h"
#include "eval/state.h"
#include "model/op_table.h"
#include "model/partial.h"

/* An open loop: the conditions "is the first" and "is the last iteration" of its index. */
typedef struct DriveEdge {
    PtsSym index, first, last;
} DriveEdge;

/* An open loop: its whole range, the index of the piece that is being walked, and where its edges
 * begin in Drive.edges. */
typedef struct DriveLoop {
    const struct DriveLoop *outer;
    PtsSym start, stop, step, index;
    uint32_t edges;
} DriveLoop;

/* Something that the recorder refuses. */
typedef struct DriveFinding {
    EvalRule rule;
    NodeId node;
    PtsError error;
    bool certain;           /* every run has it, given the assumptions of the set */
    bool assumed;           /* it was found under an assumption */
    bool by_unbound;        /* in some set it only counts because an unbound name ends that set */
    bool newer;             /* only 9.2 refuses it, which is assumed when no version is named */
    const Refusal *refusal; /* the operation that is refused; NULL: not an operation */
} DriveFinding;
typedef VEC(DriveFinding) DriveFindings;

/* The assumed result of a condition, by a key for its value. */
typedef struct DriveDecision {
    uint64_t key;
    bool choice;
} DriveDecision;

/* One set of assumptions, in the order in which they are needed. */
typedef struct DriveSet {
    VEC(DriveDecision) decisions;
    uint32_t given; /* this many decisions are given; further ones are taken as true */
} DriveSet;

/* Do only assignments and loops bind names in this function? */
typedef struct DrivePlain {
    NodeId function;
    bool is_plain;
} DrivePlain;

typedef struct Drive {
    PtsContext *context;
    PtsProgram *program;
    const char *file; /* of sites; the context's */
    NodeId node;      /* the call or statement being evaluated */
    bool ended;       /* nothing more is recorded */
    NodeId ended_at;  /* … from this call or statement on */
    bool raised;      /* a `raise` or an assert that fails was reached */
    bool carried;     /* something was refused or not recorded: on this path state is not judged */
    bool doubtful; /* a tensor is read unwritten where perhaps nothing runs: others may show it */
    bool moved;    /* something was moved into a tensor, which may change its shape */
    bool newer;    /* only 9.2 makes the check of the next error to be kept */
    bool rebinds;  /* the product's versions differ: in names that a loop rebinds, … */
    DriveFindings findings;
    DrivePlain plain; /* of the function that was asked about last */
    Scope *scope;     /* the kernel's own names, on this path */
    bool many_paths;  /* a body has so many that the simulator records conditions in another way */
    DriveSet *set;
    uint32_t decided; /* decisions of the set that this walk has met */
    uint64_t seed;    /* for keys of conditions without identity, the same on each path */
    NodeId open_at;   /* the first operation that was not recorded */
    uint32_t operations, skipped; /* all; those that were not recorded */
    VEC(DriveEdge) edges;
    const DriveLoop *loop; /* the innermost; NULL: none is open */
    bool has_conv_tiles;   /* or may have */
    bool asked_chip;       /* pypto.platform.npuarch was read */
    Str kernel;            /* its name, when tilings are collected */
    NodeId last_node;      /* where the last recorded operation is, and which it is */
    PtsOp last_op;
    VEC(Maker) makers;      /* by slot */
    const Refusal *refusal; /* of the next error to be kept; NULL: not an operation */
    bool is_patched;        /* the patch that is being tried was applied */
    uint32_t seen; /* operations; and of those, how many have tensors whose … is known: */
    uint32_t dtype_known, rank_known, shape_known;
    Advices advice;
    /* Outputs are not judged: the recorder does not know a parameter, or its name means another
     * tensor at the end (which 9.2 writes). */
    bool outputs_open;
    size_t told; /* how many of the recorder's warnings were taken */
} Drive;

/* Walks a kernel for a launch (without one, for its annotations) and reports what the recorder
 * refuses. True when it reached the end, or an error. */
bool drive_kernel(Eval *eval, const KernelSite *site, const Launch *launch);

/* Walks a kernel for one chip and one set of assumptions; returns the finished walk. */
Drive *drive_on(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip,
                DriveSet *set);
/* Frees the recording of a walk that ran out of memory. */
void drive_drop(Eval *eval);
/* Ends the recording, and the walk. */
void drive_end(Eval *eval);
/* May something be recorded here? Ends the drive in branches that may not run (Eval.assumed). */
bool drive_may_record(Eval *eval);
/* Keeps a finding: the recorder, or the layer above it, refuses what drive->node does. Returns
 * whether every run has the error. */
bool drive_keep(Eval *eval, EvalRule rule, const PtsError *error);
/* The same; from then on nothing is known about what was written. */
void drive_refused(Eval *eval, EvalRule rule, const PtsError *error);
/* Keeps the finding if the error is the read of an unwritten tensor; false for other errors, and
 * when the walk has ended. Only a run refuses such a read, so the caller records the operation with
 * pts_trust_reads: every path then has it. */
bool drive_keep_read(Eval *eval, const PtsError *error);
void drive_refuse(Eval *eval, EvalRule rule, PtsErrorKind kind, uint32_t code, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));
/* From now on nothing is known about the tiles. */
void drive_lose_tiles(Eval *eval);
PtsSite drive_site(const Eval *eval, NodeId node);
/* The rule to which an error of the recorder about an operation belongs. */
EvalRule drive_rule(PtsOp op, const PtsError *error);

/* A local name of this scope is read that has no value: refuses it if nothing on this path has
 * bound it (drive_unbound.c). */
void drive_unbound(Eval *eval, Scope *scope, NodeId node, Str name);
/* Was it found by drive_unbound? */
bool drive_is_unbound(const DriveFinding *finding);
/* Is `old` what a walk for 9.1 finds where another path binds the name to a tensor? */
bool drive_is_old_form(const Eval *eval, const DriveFinding *old, const DriveFinding *unbound);
/* What to do about it. */
void drive_unbound_hint(Eval *eval, EvalFinding *finding);
enum { DRIVE_APART = 128 }; /* paths of a body; conditions of a body with more are merged */

/* --- parameters (drive_parameter.c) */

/* One value for each parameter: slots for tensors as far as they are known. */
Value *drive_parameters(Eval *eval, const KernelSite *site, const Launch *launch);

/* --- assumptions (drive_assume.c) */

uint64_t drive_mix(uint64_t seed, uint64_t with);
/* Decides an unknown condition, always in the same way for the same value in one walk. Also false
 * when there are too many, which ends the drive. */
bool drive_assume(Eval *eval, NodeId node, Value condition);
/* Do both report the read of the same unwritten tensor in the same line? A certain read is reported
 * at the operation, a doubtful one at the statement. */
bool drive_is_same_read(const DriveFinding *a, const DriveFinding *b);
/* Does the walk have a finding of this rule and code at this place, or does it raise? */
bool drive_has_finding(const Drive *drive, const DriveFinding *wanted);
/* Does it have one that is at least as certain? */
bool drive_is_as_sure(const Drive *drive, const DriveFinding *wanted);
/* Walks the kernel for one set of assumptions. */
typedef Drive *DriveWalk(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip,
                         DriveSet *set);
/* The first walk, with only those findings that are true whatever is assumed. */
Drive *drive_all_sets(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip,
                      DriveWalk *walk);

/* --- hardware (chip.c) */

/* The description of a chip, read once and owned by the evaluation; NULL for an unknown name. */
const PtsSoc *chip_named(Eval *eval, const char *name);
/* The chip that kernels are evaluated for first; the one that is tried for what the first refuses,
 * or NULL. */
const char *chip_first(const Eval *eval);
const char *chip_second(const Eval *eval);
/* pypto.platform.npuarch */
Value chip_architecture(Eval *eval);

/* --- symbols (drive_symbol.c) */

/* The recorder's handle of an int or a symbol; PTS_SYM_NONE when it is not known. */
PtsSym drive_sym(Eval *eval, Value value);
/* The same, but an unknown number becomes a symbol of its own. */
PtsSym drive_sym_or_new(Eval *eval, Value value);
Value drive_symbol_value(Eval *eval, PtsSym sym);
/* A symbol whose value is known becomes an int. */
Value drive_plain(Eval *eval, Value value);
/* A symbol for an integer that is not known. */
PtsSym drive_unknown(Eval *eval);
Value drive_symbol_operation(Eval *eval, PtsSymOp op, Value left, Value right);
Value drive_symbol_method(Eval *eval, const Arguments *arguments, Value self, Str name);
/* Is it an int or a symbol, known or not? */
bool drive_is_integer(Value value);
/* A list of ints and symbols. */
typedef struct SymList {
    PtsSym items[PTS_MAX_RANK];
    int count;
    bool known; /* every item has a symbol, perhaps an unknown one */
    bool fits;  /* it is a list with known length, at most PTS_MAX_RANK */
} SymList;
/* The sizes of a tensor that is declared; refuses anything but a list of integers. */
SymList drive_list(Eval *eval, Value value);

/* --- values of a wrong type (drive_kind.c) */

/* Refuses a value unless it is an integer: "`what`, not float". */
void drive_check_integer(Eval *eval, Value value, const char *what);
/* Refuses everything but a list of integers, for the call at drive->node. */
void drive_check_list(Eval *eval, Value value);
/* Refuses a value that is surely not a string. `what`: "f() takes a string". */
void drive_check_text(Eval *eval, Value value, const char *what);
/* Checks the entries of a tile; false: it was refused. */
bool drive_check_tile(Eval *eval, EvalRule rule, const char *name, const Value *items,
                      uint32_t count);
/* Checks an argument that must be a data type; false: it was refused. */
bool drive_check_dtype(Eval *eval, const char *function, const char *name, Value value);
/* Checks all arguments that must be data types, found by name. */
bool drive_check_dtypes(Eval *eval, const Arguments *arguments, const ApiFact *fact);
/* Refuses operands that no operator of tensors accepts. */
void drive_check_operands(Eval *eval, ExprOperator op, Value left, Value right);

/* --- operations (drive_emit.c) */

Value drive_tensor(PtsSlot slot);
/* Does the recorder know this tensor? */
bool drive_has_slot(const Eval *eval, Value value);
/* What the recorder knows about the tensor now; false when its rank is not known. */
bool drive_info(Eval *eval, Value tensor, PtsSlotInfo *info);
/* Forgets the content of a tensor, which was written in an unknown way. */
void drive_lose(Eval *eval, Value tensor);
/* Records an operation: its result, a tuple of them, or None. `attributes` NULL: not known. */
Value drive_emit(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                 const PtsAttributes *attributes);
Value drive_unary(Eval *eval, PtsOp op, Value operand);
Value drive_binary(Eval *eval, PtsOp op, Value left, Value right);
/* Does the cube unit compute it? */
bool drive_is_matmul(PtsOp op);
/* The extents as a list; unknown when they are not known. */
Value drive_shape(Eval *eval, Value tensor, bool valid);
int drive_dtype(Value value);
Value drive_dtype_value(int dtype);

/* --- the package (drive_api.c, drive_cook.c, drive_compose.c, drive_config.c) */

Value drive_api(Eval *eval, const Arguments *arguments, const ApiFact *fact);
Value drive_method(Eval *eval, const Arguments *arguments, Value self, Str name);
/* The argument of that name ("other|b": either one) or at that place; NULL when it is not given. */
const Value *drive_argument(const Arguments *arguments, const char *names, uint32_t place);
/* Functions that are recipes of the model. False for other functions. */
bool drive_cooked(Eval *eval, const Arguments *arguments, const ApiFact *fact, Value *result);
/* Runs a recipe by its name; arguments left out count as not given. */
Value drive_cook(Eval *eval, const char *name, uint32_t count, Value *arguments);
/* pypto.conv, whose tiles are a setting. */
Value drive_conv(Eval *eval, const Arguments *arguments);
/* Functions that are handled individually. False for other functions. */
bool drive_composed(Eval *eval, const Arguments *arguments, Str name, Value *result);
/* Tiles, labels, options. */
bool drive_setting(Eval *eval, const Arguments *arguments, Str name, Value *result);
/* pypto.options(…): sets the tiles among its arguments in the open scope. */
void drive_options(Eval *eval, const Arguments *arguments);

/* --- expressions of tensors and symbols (drive_operator.c, drive_subscript.c) */

/* False when neither tensors nor symbols are involved. */
bool drive_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right,
                    Value *result);
bool drive_compare(Eval *eval, NodeId node, Str op, Value left, Value right, Value *result);
bool drive_negate(Eval *eval, NodeId node, ExprOperator op, Value operand, Value *result);
Value drive_item(Eval *eval, NodeId node, Value owner);
void drive_put(Eval *eval, NodeId target, Value owner, Value value);
/* shape, dtype, dim, … ; false: not known here. */
bool drive_attribute(Eval *eval, Value owner, Str name, Value *result);

/* --- control flow (drive_flow.c) */

Flow drive_if(Eval *eval, NodeId node, Value test);
Flow drive_for(Eval *eval, NodeId node, Value loop);
Value drive_edge(Eval *eval, Value index, bool last);
void drive_bound(Eval *eval, Str name, Value *value);

#endif
