/* State of one evaluation. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_STATE_H
#define PYPTO_LINT_EVAL_STATE_H

#include "base/map.h"
#include "eval/eval.h"
#include "eval/value.h"

/* Limits count steps, never time: the same input gives the same findings everywhere. */
enum {
    EVAL_STEPS_KERNEL = 200000, /* nodes of one kernel */
    EVAL_STEPS_FILE = 2000000,  /* of all of them, and of the host code */
    EVAL_UNROLLED = 64,         /* turns of a Python loop that are walked one by one */
    EVAL_ITEMS = 4096,          /* of a list, a comprehension */
    EVAL_TEXT = 65536,          /* bytes of a text */
    EVAL_CALLS = 24,            /* calls in calls */
    EVAL_NESTING = 160,         /* nodes in nodes, over all calls */
    EVAL_FINDINGS = 20,         /* of one kernel */
    EVAL_MEMORY = 64 << 20,     /* bytes */
};

typedef struct Binding {
    Str name; /* empty: not bound */
    Value value;
} Binding;
typedef VEC(Binding) Bindings;

/* The names of a module, a function or a comprehension. */
struct Scope {
    Scope *parent;     /* the next one that names are looked up in; NULL: the module's */
    NodeId node;       /* Module, FunctionDef, Lambda, comprehension */
    Map names;         /* all that were ever bound */
    Bindings bindings; /* by number of the name; the last ones may be missing */
    uint32_t birth;    /* the evaluation's clock when it was made */
    bool hides_kernel; /* a comprehension: does not see the names of a kernel around it */
    bool is_class;     /* functions in it do not see its names */
};

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_RAISE } Flow;

struct Managed;

/* A body that is being walked. */
typedef struct Frame {
    Scope *scope;
    bool is_graph;   /* a kernel or frontend.function: sim-api's rules for bodies hold */
    bool may_return; /* a side that is not decided returned */
    bool may_jump;   /* a side that is not decided left the loop or its turn */
    bool has_result;
    Value result; /* joined over all returns */
    NodeId function;
    uint32_t loops;          /* recorded loops around, in this body */
    Class *owner;            /* a method: the class that it stands in */
    struct Managed *managed; /* of a context manager: what runs at its `yield`; else NULL */
} Frame;

/* A kernel as its def stood, with the cells of that moment. */
typedef struct KernelSite {
    NodeId node;
    Scope *scope;
    bool assumed;
    uint32_t launches; /* contexts that are known */
    uint32_t unit;     /* the file that it is in */
    uint8_t new_ir;    /* NewIr */
} KernelSite;

/* A file. Eval has a copy of the one that is being walked. */
typedef struct Unit {
    Str name; /* of the module */
    const PyFile *file;
    const Module *module;
    Scope *globals;
    Strs *locals;
    const struct LoopNames **loops;
    Map set_names;
    Map global_names; /* names that functions declare `global` */
    bool has_set_names, has_global_names, star_import, dynamic_names;
    bool walked, whole; /* its statements: begun; to their end */
} Unit;
/* What a kernel's decorator says of its front end. */
typedef enum NewIr { NEW_IR_UNSAID, NEW_IR_FALSE, NEW_IR_TRUE } NewIr;

typedef struct Eval {
    const PyFile *file;
    const Module *module;
    VEC(Unit *) units;    /* the first is linted */
    uint32_t unit;        /* the one that is being walked */
    uint32_t entry;       /* the file of the entry point that is being walked */
    uint32_t report_unit; /* the file that findings are made in: the linted one but for launches */
    NodeId outer_call;    /* the call in the linted file that led out of it */
    const EvalFinder *finder; /* other files; NULL = there are none */
    Arena *arena;             /* the evaluation's own */
    Arena *result;            /* the caller's: findings and their texts */
    Scope *globals;
    Frame *frame;
    uint32_t steps, steps_left_in_file;
    uint32_t nesting, calls;
    bool stopped;    /* a limit ended this kernel */
    EvalLimit limit; /* which; see facts.h */
    bool wants_facts;
    bool as_old;                     /* where nobody says which version it is: 9.1 */
    bool probing;                    /* a walk that only asks whether something would be refused */
    const struct Patch *patch;       /* what is being tried; NULL = nothing */
    uint32_t repairs;                /* findings for which something was tried */
    uint32_t *fact_at;               /* by node: its fact + 1; NULL before the first */
    bool reporting;                  /* in code that a kernel reaches */
    bool hosting;                    /* in host code that a test or the module itself surely runs */
    uint32_t silent;                 /* > 0: a walk for its effects only */
    uint32_t clock;                  /* counts sides of which only one runs */
    uint32_t region;                 /* the clock when the innermost of those around was entered */
    uint32_t assumed;                /* those around that may never run */
    const Product *product;          /* the version of PyPTO */
    Str soc;                         /* the hardware; empty = not named */
    NewIr new_ir;                    /* of the kernel at hand */
    uint32_t atoms;                  /* symbols made */
    Map identities;                  /* of unknown values, by what they come from */
    uint32_t epoch;                  /* counts calls that may change what is unknown */
    uint32_t found;                  /* findings of this kernel */
    bool star_import, dynamic_names; /* names may come from anywhere */
    bool tiles_outside;              /* pypto.options gives kernels tiles */
    bool tiles_set;                  /* host code has set tiles, which the next launches inherit */
    Strs *locals;                    /* by node of a function: its local names; NULL = not read */
    const struct LoopNames **loops;  /* by node of a loop (drive_names.h); NULL = not read */
    Map set_names;                   /* attributes that the file sets on anything */
    bool has_set_names;              /* they have been collected */
    VEC(KernelSite) kernels;
    struct Managed *managing;    /* for the function that is about to be called; see manager.c */
    struct Drive *drive;         /* a kernel is being recorded; NULL = none */
    struct LateAdvice *late;     /* what waits for the other walks of a kernel (advice.c) */
    struct LaunchList *launches; /* found in the host code (launch.h) */
    uint32_t caught;             /* > 0: what is raised here is caught further out */
    uint32_t no_launch;          /* > 0: what is launched here may be meant to fail */
    Evaluation out;
} Eval;

static inline const Node *eval_node(const Eval *eval, NodeId node)
{
    return node_at(eval->module, node);
}

/* Counts a step; false at the limit, and from then on. */
bool eval_step(Eval *eval);

/* Enters a side that may not run (`assumed`) or is recorded beside another: what is older and
 * changed in it is not known after it. To be given to eval_leave. */
static inline uint32_t eval_enter(Eval *eval, bool assumed)
{
    uint32_t outer = eval->region;
    eval->region = ++eval->clock;
    eval->assumed += assumed;
    return outer;
}
static inline void eval_leave(Eval *eval, uint32_t outer, bool assumed)
{
    eval->region = outer;
    eval->assumed -= assumed;
}

/* --- files (unit.c) */

/* A further file; its number. */
uint32_t unit_add(Eval *eval, const PyFile *file, Str name);
/* Makes another file the one that is walked; the number of the one before. */
uint32_t unit_switch(Eval *eval, uint32_t number);
/* Walks the module's own statements, once. */
void unit_walk(Eval *eval, uint32_t number);
/* What `from module import name` binds; false when the module is none of ours. */
bool unit_import(Eval *eval, Str module, Str name, Value *value);
/* A module of ours that surely does not bind a name: its names, else NULL. */
const Strs *unit_without(Eval *eval, Str module, Str name);
/* What `import module` binds: VALUE_MODULE; false when the module is none of ours. */
bool unit_module(Eval *eval, Str module, Value *value);

/* --- scopes (scope.c) */

Scope *scope_new(Eval *eval, Scope *parent, NodeId node);
void scope_set(Eval *eval, Scope *scope, Str name, Value value);
/* The value of a name in this scope alone; NULL when it has none. */
Value *scope_get(const Scope *scope, Str name);
/* A copy of what is bound as it is; it can take the place of scope->bindings later. */
Bindings scope_copy(Eval *eval, const Scope *scope);
/* Makes every value that differs from `other`'s, or is missing in one of them, unknown. */
void scope_join(Eval *eval, Scope *scope, const Bindings *other);
/* Sets the names that are stored anywhere in the subtree to unknown. */
void scope_widen(Eval *eval, Scope *scope, NodeId root);
/* Binds a name in the body that is walked, wherever `global` and `nonlocal` say. */
void eval_bind(Eval *eval, Str name, Value value);
/* The value of a name; reports one that is bound nowhere. */
Value eval_lookup(Eval *eval, NodeId node, Str name);
/* Sets the names that code below `root` writes by `global` or `nonlocal` to unknown. */
void scope_lose_declared(Eval *eval, NodeId root, Scope *from);
/* Does a function of the module declare the name `global`? */
bool eval_is_global(Eval *eval, Str name);
/* The names that a function, or a module, binds anywhere in its own body; sorted. */
const Strs *eval_locals(Eval *eval, NodeId function);

/* --- findings (find.c) */

/* For the kernel at hand. */
Newer eval_newer(const Eval *eval);
/* `new_ir=` of a kernel's decorator, as far as it is written out. */
NewIr eval_new_ir(const Module *module, NodeId kernel);

/* Reports in both languages, when findings count here. The finding, or NULL. */
EvalFinding *eval_report(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh,
                         ...) __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* The same for what is not wrong: once for a rule and text, at its first place. */
EvalFinding *eval_note(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* Is there a finding of that rule at that node of the linted file? */
bool eval_has_finding(Eval *eval, EvalRule rule, NodeId node);
void eval_hint(Eval *eval, EvalFinding *finding, const char *en, const char *zh, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));
typedef struct Where {
    const char *en, *zh;
    bool is_type; /* Python raises TypeError there, of a symbol, too */
} Where;
/* KS12: the value of `node` is a symbol without a value, or a tensor, and Python needs a value
 * there (`where`, as "an `assert`"). True when so. */
bool eval_needs_value(Eval *eval, NodeId node, Value value, Where where);
/* The same where the front end of 9.2 has no error for a symbol, but takes None. */
bool eval_silently_needs_value(Eval *eval, NodeId node, Value value, Where where);

/* --- expressions */

Value eval_expression(Eval *eval, NodeId node);
/* Of operands without a tensor, one of them a symbol. */
Value eval_symbol_operator(ExprOperator op, Value left, Value right);
Value eval_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right);
Value eval_compare(Eval *eval, NodeId node);
/* The operator between two operands of a comparison: "==", "not in"; empty where comments stand. */
Str compare_operator(const Eval *eval, NodeId left, NodeId right);
/* The condition, which is not known, turned out like that: what it says of names (narrow.c). */
void eval_narrow(Eval *eval, NodeId test, bool truth);
Value eval_bool_op(Eval *eval, NodeId node);
Value eval_unary(Eval *eval, NodeId node);
Value eval_subscript(Eval *eval, NodeId node, Value owner);
Value eval_attribute(Eval *eval, NodeId node, Value owner);
/* Does any of the files set an attribute of that name, on whatever? */
bool eval_sets_attribute(Eval *eval, Str name);
/* owner.name as something to be called. */
Value eval_method_value(Eval *eval, Value owner, Str name);
/* The items of an iterable that is wholly known, as a sequence; NULL otherwise. Reports tensors and
 * symbols when `node` is not NO_NODE. */
const Sequence *eval_items(Eval *eval, NodeId node, Value iterable);
/* What holds whichever of the two it is. Lists in what is given up may be changed by way of the
 * unknown result, so nothing is known of them any more; here and in all that follows. */
Value value_join(Eval *eval, Value a, Value b);
/* Something unknown that may be this, or hold it. */
Value value_hidden(Eval *eval, Value value);
/* The same for what is in it, as one of its items or a copy with the same items. */
Value value_hidden_items(Eval *eval, Value value);
/* Gives up what is known of lists, dicts, sets and instances in it: others may change them. */
void value_lose(Eval *eval, Value value);
void dict_set(Eval *eval, Value dict, Value key, Value item);
Value dict_new(Eval *eval);
/* The entry of a key; unknown when it is not sure, or missing: `*missing` then says so. */
Value dict_get(const Dict *dict, Value key, bool *missing);
/* A set of these; unknown when it is not sure which of them are equal. */
Value set_of(Eval *eval, const Sequence *items);
/* An attribute or entry of something unknown: the same each time as long as nothing may change. */
Value value_part(Eval *eval, Value owner, Str name);
/* What is left of a value when it is kept: an iterator can be walked once, so it is not known. */
static inline Value eval_kept(Eval *eval, Value value)
{
    return value.kind == VALUE_TUPLE && value.atom ? value_hidden(eval, value) : value;
}
Value eval_comprehension(Eval *eval, NodeId node);
/* May this be changed in place here without being lost? */
bool may_change(Eval *eval, Value value);

/* --- statements */

Flow eval_body(Eval *eval, NodeId parent, Role role);
Flow eval_if(Eval *eval, NodeId node);
Flow eval_for(Eval *eval, NodeId node);
Flow eval_while(Eval *eval, NodeId node);
Flow eval_with(Eval *eval, NodeId node);
/* Enters the managers of a `with` from that item on, and walks its body (manager.c). */
Flow eval_managers(Eval *eval, NodeId with, NodeId item);
/* `yield`: in a context manager the body of the `with` runs now. */
Value eval_yield(Eval *eval, NodeId node);
Flow eval_try(Eval *eval, NodeId node);
/* A statement that is not walked. */
Flow eval_opaque(Eval *eval, NodeId node);
void eval_assignment(Eval *eval, NodeId node);
void eval_augmented(Eval *eval, NodeId node);
void eval_assign(Eval *eval, NodeId target, Value value);
/* Gives up what is known of every list and dict that code which is not walked can name. `depth`
 * counts functions in functions; 0 to begin with. */
void eval_lose_named(Eval *eval, NodeId root, int depth);
/* The same for a function that somebody may call. */
void eval_lose_function(Eval *eval, const Function *function, int depth);

/* --- calls */

typedef struct Arguments {
    NodeId call;
    Value *values; /* positional, then keywords */
    NodeId *nodes; /* of the values */
    Str *names;    /* of the keywords */
    uint32_t positional, keywords;
    bool open; /* stars: there may be more */
} Arguments;

/* functools.partial(…): never one of another one, whose arguments it takes over. */
struct Partial {
    Value callee;
    Arguments bound;
};

Value eval_call(Eval *eval, NodeId node);
/* Calls a value with arguments that are known already. */
Value eval_call_with(Eval *eval, Value callee, const Arguments *arguments);
/* functools.partial(callee, …) (partial.c) */
Value partial_new(Eval *eval, const Arguments *arguments);
Value partial_call(Eval *eval, const Arguments *arguments, const Partial *partial);
/* The values of a call's arguments. */
Arguments eval_arguments(Eval *eval, NodeId call);
Value call_builtin(Eval *eval, const Arguments *arguments, Str name);
/* Appends the items of an iterable; false, with the list lost, when they are not known. */
bool list_extend(Eval *eval, Value list, Value more);
Value call_method(Eval *eval, const Arguments *arguments, const Method *method);
Value call_api(Eval *eval, const Arguments *arguments, const ApiFact *fact);
/* Gives up what is known of the lists and dicts in the arguments: the callee may change them. */
void lose_arguments(Eval *eval, const Arguments *arguments);
/* KS02 for a signature in the form of ApiFact.parameters; false when a finding was made. */
bool check_signature(Eval *eval, const Arguments *arguments, Str name, const char *parameters);
Value function_make(Eval *eval, NodeId node);

Arguments arguments_with(Eval *eval, const Arguments *arguments, Value first);
Value function_call(Eval *eval, const Arguments *arguments, const Function *function);

/* --- classes (class.c, instance.c) */

Flow eval_class_def(Eval *eval, NodeId node);
/* What namedtuple(…) returns. */
Value class_named_tuple(Eval *eval, const Arguments *arguments);
/* The value of a name in a class or its bases; NULL when it has none. */
const Value *class_find(const Class *class, Str name);
Value class_call(Eval *eval, const Arguments *arguments, Class *class);
Value class_attribute(Eval *eval, NodeId node, Value owner, Str name);
void class_set(Eval *eval, Value owner, Str name, Value value);
/* Without attributes. */
Value instance_new(Eval *eval, Class *class);
Value instance_attribute(Eval *eval, NodeId node, Value owner, Str name);
void instance_set(Eval *eval, Value owner, Str name, Value value);
/* A method of an instance, a class or super(). */
Value instance_method(Eval *eval, const Arguments *arguments, Value self, Str name);
Value instance_call(Eval *eval, const Arguments *arguments, Value self);
/* dataclasses.replace, asdict. */
Value instance_replace(Eval *eval, const Arguments *arguments, Value from);
Value instance_dict(Eval *eval, Value from);
Value super_value(Eval *eval);
Value super_attribute(Eval *eval, NodeId node, Value owner, Str name);

/* --- texts (text.c) */

Value eval_joined_string(Eval *eval, NodeId node);
/* str(value); unknown when the text is not sure. */
Value text_of(Eval *eval, Value value);
Value text_method(Eval *eval, const Arguments *arguments, Value self, Str name);

/* --- imports (import.c) */

void eval_import(Eval *eval, NodeId node);
Value module_attribute(Eval *eval, NodeId node, Value owner, Str name);

/* What an import of another package binds. */
Value host_module(Eval *eval, bool from, Str source, Str name, Str as);

/* --- kernels */

Flow eval_function_def(Eval *eval, NodeId node);
/* A new symbol. */
Value eval_atom(Eval *eval);
/* KS13 and KS14. */
void check_statement(Eval *eval, NodeId node);
/* The side of a decided condition that is not walked: some statements are refused there, too. */
void check_side_not_taken(Eval *eval, NodeId parent, Role role);
void check_kernel_signature(Eval *eval, NodeId kernel);
/* Reports what is wrong in the options of its decorator and in its annotations. */
void check_kernel_header(Eval *eval, NodeId kernel);

#endif
