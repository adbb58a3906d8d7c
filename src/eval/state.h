/* State of one evaluation. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_STATE_H
#define PYPTO_LINT_EVAL_STATE_H

#include "base/map.h"
#include "eval/eval.h"
#include "eval/value.h"

/* Limits count steps, never time, so that the same input gives the same findings everywhere. */
enum {
    EVAL_STEPS_KERNEL = 400000, /* nodes of one kernel */
    EVAL_STEPS_FILE = 2000000,  /* of all kernels and the host code */
    EVAL_KERNELS = 64,          /* kernels of a file that are evaluated; also recordings */
    EVAL_UNROLLED = 64,         /* iterations of a Python loop that are walked one by one */
    EVAL_ITEMS = 4096,          /* of a list, a comprehension */
    EVAL_TEXT = 65536,          /* bytes of a text */
    EVAL_CALLS = 24,            /* nested calls */
    EVAL_NESTING = 160,         /* nested nodes, over all calls */
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
    Scope *parent;     /* the next scope for lookups; NULL: this is the module's */
    NodeId node;       /* Module, FunctionDef, Lambda, comprehension */
    Map names;         /* all names that were ever bound */
    Bindings bindings; /* by number of the name; may be shorter than `names` */
    uint32_t birth;    /* the evaluation's clock when it was made */
    bool hides_kernel; /* a comprehension, which does not see the names of a kernel around it */
    bool is_class;     /* functions inside do not see its names */
    Str not_local;     /* the last name that was found to be no local one */
};

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_RAISE } Flow;

struct Managed;

/* A body that is being walked. */
typedef struct Frame {
    Scope *scope;
    bool is_graph;   /* a kernel or frontend.function, to which the rules for kernel bodies apply */
    bool in_kernel;  /* a function that is defined in the body of a kernel */
    bool may_return; /* an undecided branch returned */
    bool may_jump;   /* an undecided branch left the loop or the iteration */
    bool has_result;
    Value result; /* joined over all returns */
    NodeId function;
    NodeId condition;        /* the innermost `if` around that only a run decides; 0: none */
    Class *owner;            /* of a method: its class */
    struct Managed *managed; /* in a context manager: what runs at its `yield`; else NULL */
    bool suspended;          /* a fixture has yielded: the rest runs after the test */
} Frame;

/* A kernel at its definition, with the enclosing scope of that moment. */
typedef struct KernelSite {
    NodeId node;
    Scope *scope;
    bool assumed;
    uint32_t launches;               /* known launches */
    uint32_t unit;                   /* the file that it is in */
    bool recorded;                   /* at least once */
    uint8_t new_ir;                  /* NewIr */
    bool writes_read;                /* the two below have been set (launch.c) */
    bool writes_any;                 /* it may change lists and dicts that are passed to it … */
    uint64_t writes;                 /* … or stores into these parameters: one bit each */
    const struct Arguments *options; /* of the call in its file that made it; NULL: none did */
} KernelSite;

/* Does a file change what torch's factories make by default (host_make.c)? */
typedef struct HostDefaults {
    uint32_t searched; /* units so far; conftest.py comes before the first */
    bool device, dtype;
} HostDefaults;

/* Attributes of other packages that a file replaces (rewritten.c). */
typedef struct Replaced {
    uint32_t searched; /* units so far */
    Map names;
} Replaced;

/* A file. Eval has copies of these fields for the file that is being walked. */
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
    uint8_t changes_frozen;      /* 1 + unit_changes_frozen; 0: not read */
    bool changes_builtins;       /* a name such as len may mean something else */
    bool walked, whole;          /* its statements: walk begun; walked to the end */
    uint8_t names_raises;        /* 1 + eval_names_raises of its text; 0: not read (manager.c) */
    struct Fixtures *fixtures;   /* of pytest; NULL: not read */
    struct Operators *operators; /* of torch.library; NULL: not read (torch_library.c) */
    struct Rewritten *rewritten; /* globals bound in ways not followed; NULL: not read */
    struct Marks *marks;         /* of tests; NULL: not read (marks.c) */
    struct CalledNames *called;  /* functions that are called by name; NULL: not read (entry.c) */
} Unit;
/* What a kernel's decorator says about its front end. */
typedef enum NewIr { NEW_IR_UNSAID, NEW_IR_FALSE, NEW_IR_TRUE } NewIr;

/* The recipe of an operation, remembered, since every call asks for one. */
typedef struct KnownRecipe {
    const struct ApiFact *fact;
    const struct PtsRecipe *recipe; /* NULL: it has none */
} KnownRecipe;
enum { RECIPE_SLOTS = 64 };

typedef struct Eval {
    const PyFile *file;
    const Module *module;
    VEC(Unit *) units; /* the first is linted */
    uint32_t unit;     /* the one that is being walked */
    uint32_t entry;    /* the file of the current entry point */
    uint32_t
        report_unit; /* the file in which findings are made: the linted one, except for launches */
    NodeId outer_call;        /* the call in the linted file through which the walk left it */
    const EvalFinder *finder; /* other files; NULL = there are none */
    HostDefaults host_defaults;
    Replaced replaced;
    Arena *arena;  /* the evaluation's own */
    Arena *result; /* the caller's: findings and their texts */
    Scope *globals;
    Frame *frame;
    uint32_t steps, steps_left_in_file;
    uint32_t nesting, calls;
    bool stopped;    /* a limit ended this kernel */
    EvalLimit limit; /* which limit; see facts.h */
    bool wants_facts;
    bool as_old;                      /* treat an unnamed version as 9.1 */
    bool probing;                     /* a walk that only asks whether something would be refused */
    const struct Patch *patch;        /* the change being tried; NULL = none */
    uint32_t repairs;                 /* findings for which something was tried */
    uint32_t *fact_at;                /* by node: its fact + 1; NULL before the first */
    bool reporting;                   /* in code that a kernel reaches, so findings count */
    bool hosting;                     /* in host code that surely runs */
    uint32_t silent;                  /* > 0: walking for effects only, without findings */
    uint32_t clock;                   /* counts branches that may not run */
    uint32_t region;                  /* the clock when the innermost such branch was entered */
    uint32_t assumed;                 /* number of enclosing branches that may never run */
    const Product *product;           /* the version of PyPTO */
    Str soc;                          /* the hardware; empty = not named */
    VEC(const struct PtsSoc *) chips; /* descriptions that have been read */
    NewIr new_ir;                     /* of the current kernel */
    uint32_t atoms;                   /* number of symbols made */
    Map identities;                   /* of unknown values, by what they come from */
    uint32_t epoch;                   /* counts calls that may change unknown values */
    uint32_t found;                   /* findings of this kernel */
    bool star_import, dynamic_names;  /* names may be bound in unknown ways */
    bool tiles_outside;               /* pypto.options sets tiles for kernels */
    bool tiles_set;                   /* host code has set tiles, which the next launches inherit */
    Strs *locals;                     /* by node of a function: its local names; NULL = not read */
    const struct LoopNames **loops;   /* by node of a loop (drive_names.h); NULL = not read */
    Map set_names;                    /* attributes that the file sets on anything */
    bool has_set_names;               /* `set_names` has been collected */
    VEC(KernelSite) kernels;
    struct Managed *managing;    /* for the function that is about to be called; see manager.c */
    struct Drive *drive;         /* a kernel is being recorded; NULL = none */
    bool drive_sure;             /* … for a launch that is surely made, or from its annotations */
    bool drive_foreign;          /* … for a launch in another file */
    struct LateAdvice *late;     /* advice kept until all walks of a kernel are done (advice.c) */
    struct LaunchList *launches; /* found in the host code (launch.h) */
    uint32_t caught;             /* > 0: errors raised here are caught further out */
    uint32_t no_launch;          /* > 0: launches here may be meant to fail */
    KnownRecipe recipes[RECIPE_SLOTS];
    Evaluation out;
} Eval;

static inline const Node *eval_node(const Eval *eval, NodeId node)
{
    return node_at(eval->module, node);
}

/* Counts a step; false at the limit, and from then on. */
bool eval_step(Eval *eval);

/* Enters a branch that may not run (`assumed`) or that is recorded beside another one: older values
 * changed in it are unknown afterwards. The result must be passed to eval_leave. */
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

/* Adds a file and returns its number. */
uint32_t unit_add(Eval *eval, const PyFile *file, Str name);
/* Switches the walk to another file; returns the number of the previous one. */
uint32_t unit_switch(Eval *eval, uint32_t number);
/* Walks the module's own statements, once. */
void unit_walk(Eval *eval, uint32_t number);
/* What `from module import name` binds; false when the module is not part of the program. */
bool unit_import(Eval *eval, Str module, Str name, Value *value);
/* `from module import *`: binds the names that it brings. */
void unit_import_all(Eval *eval, Str module);
/* The names of a module of the program if it surely does not bind `name`, else NULL. */
const Strs *unit_without(Eval *eval, Str module, Str name);
/* What `import module` binds: VALUE_MODULE; false when the module is not part of the program. */
bool unit_module(Eval *eval, Str module, Value *value);
/* May the file set attributes of frozen data classes? */
bool unit_changes_frozen(Unit *unit);
/* The last part of a dotted name. */
Str unit_last_part(Str name);

/* --- scopes (scope.c) */

Scope *scope_new(Eval *eval, Scope *parent, NodeId node);
/* The whole target that a name belongs to: itself, or the tuple or list around it; NO_NODE where
 * the name is only read. */
NodeId target_around(const Module *module, NodeId name);
void scope_set(Eval *eval, Scope *scope, Str name, Value value);
/* The value of a name in this scope alone; NULL when it has none. */
Value *scope_get(const Scope *scope, Str name);
/* A copy of the present bindings, which can replace scope->bindings later. */
Bindings scope_copy(Eval *eval, const Scope *scope);
/* Makes every value that differs from `other`'s, or is missing in one of them, unknown. */
void scope_join(Eval *eval, Scope *scope, const Bindings *other);
/* Sets the names that are stored anywhere in the subtree to unknown. */
void scope_widen(Eval *eval, Scope *scope, NodeId root);
/* Is the body of the loop a straight line of calls of pypto and new names, so that all iterations
 * find the same at their start (carries.c)? False when in doubt. */
bool eval_carries_nothing(Eval *eval, NodeId loop);
/* Binds a name in the current body, or where `global` and `nonlocal` say. */
void eval_bind(Eval *eval, Str name, Value value);
/* The value of a name; reports one that is bound nowhere. */
Value eval_lookup(Eval *eval, NodeId node, Str name);
/* Is it a name that Python has without an import? */
bool eval_is_builtin(Str name);
/* Sets the names that code below `root` writes through `global` or `nonlocal` to unknown. */
void scope_lose_declared(Eval *eval, NodeId root, Scope *from);
/* Does a function of the module declare the name `global`? */
bool eval_is_global(Eval *eval, Str name);
/* The names that a function, or a module, binds anywhere in its own body; sorted. */
const Strs *eval_locals(Eval *eval, NodeId function);

/* --- findings (find.c) */

/* The same as eval_kernel_newer, for the current kernel. */
Newer eval_newer(const Eval *eval);
/* `new_ir=` of a kernel's decorator, if it is a literal. */
NewIr eval_new_ir(const Module *module, NodeId kernel);

/* Reports in both languages if findings count here. Returns the finding, or NULL. */
EvalFinding *eval_report(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh,
                         ...) __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* The same for a note about something that is not wrong: once for each rule and text, at the first
 * place. */
EvalFinding *eval_note(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* Is there a finding of that rule at that node of the linted file? */
bool eval_has_finding(Eval *eval, EvalRule rule, NodeId node);
void eval_hint(Eval *eval, EvalFinding *finding, const char *en, const char *zh, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));
typedef struct Where {
    const char *en, *zh;
    bool is_type; /* Python raises TypeError there, for a symbol as well */
} Where;
/* Reports KS12 if the value of `node` is a symbol without a value, or a tensor, where Python needs
 * a value (`where`: "an `assert`"). True if so. */
bool eval_needs_value(Eval *eval, NodeId node, Value value, Where where);
/* The same where the front end of 9.2 raises no error for a symbol, but uses None. */
bool eval_silently_needs_value(Eval *eval, NodeId node, Value value, Where where);

/* --- expressions */

Value eval_expression(Eval *eval, NodeId node);
/* An operator on a symbol and another operand that is not a tensor. */
Value eval_symbol_operator(ExprOperator op, Value left, Value right);
Value eval_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right);
Value eval_compare(Eval *eval, NodeId node);
/* The operator between two operands of a comparison: "==", "not in"; empty if there are
 * comments. */
Str compare_operator(const Eval *eval, NodeId left, NodeId right);
/* Narrows the values of names, given that the unknown condition has this truth (narrow.c). */
void eval_narrow(Eval *eval, NodeId test, bool truth);
Value eval_bool_op(Eval *eval, NodeId node);
Value eval_unary(Eval *eval, NodeId node);
Value eval_subscript(Eval *eval, NodeId node, Value owner);
Value eval_attribute(Eval *eval, NodeId node, Value owner);
/* Does any of the files set an attribute of that name on any object? */
bool eval_sets_attribute(Eval *eval, Str name);
/* owner.name as a callable. */
Value eval_method_value(Eval *eval, Value owner, Str name);
/* The items of an iterable that is wholly known, as a sequence; NULL otherwise. Reports tensors and
 * symbols when `node` is not NO_NODE. */
const Sequence *eval_items(Eval *eval, NodeId node, Value iterable);
/* What is true of both values. Lists in a value that becomes unknown may be changed through the
 * result, so nothing is known about them from then on; the same applies to the functions below. */
Value value_join(Eval *eval, Value a, Value b);
/* An unknown value that may be this one, or contain it. */
Value value_hidden(Eval *eval, Value value);
/* An unknown value that may be an item of this one, or a copy with the same items. */
Value value_hidden_items(Eval *eval, Value value);
/* For an unknown item of a list or dict (choice.c): like value_hidden_items, but if the items are
 * plain data, what is known about them remains until something may change one through the
 * choice. */
Value value_choice(Eval *eval, Value owner);
bool value_is_choice(Value value);
/* The attribute if all items have it and it is the same; unknown otherwise. */
Value value_choice_attribute(Eval *eval, Value choice, Str name);
/* Forgets what is known about lists, dicts, sets and instances in it, because other code may change
 * them. */
void value_lose(Eval *eval, Value value);
void dict_set(Eval *eval, Value dict, Value key, Value item);
Value dict_new(Eval *eval);
/* The entry of a key; unknown when it is uncertain or missing. `*missing`: there is surely no such
 * key. */
Value dict_get(const Dict *dict, Value key, bool *missing);
/* A set of these items; unknown when it is uncertain which of them are equal. */
Value set_of(Eval *eval, const Sequence *items);
/* An attribute or entry of an unknown value: the same identity each time, as long as nothing may
 * have changed it. */
Value value_part(Eval *eval, Value owner, Str name);
/* What is known of a value once it is stored: an iterator becomes unknown, because it can be walked
 * only once. */
static inline Value eval_kept(Eval *eval, Value value)
{
    return value.kind == VALUE_TUPLE && value.atom ? value_hidden(eval, value) : value;
}
Value eval_comprehension(Eval *eval, NodeId node);
/* Is the iterator that this expression makes consumed at once? One that is stored runs later, and
 * perhaps only in part. */
bool eval_runs_at_once(Eval *eval, NodeId node);
/* Can this be changed in place here with the result still known? */
bool may_change(Eval *eval, Value value);

/* --- statements */

Flow eval_body(Eval *eval, NodeId parent, Role role);
Flow eval_if(Eval *eval, NodeId node);
Flow eval_for(Eval *eval, NodeId node);
Flow eval_while(Eval *eval, NodeId node);
Flow eval_with(Eval *eval, NodeId node);
/* Enters the managers of a `with` from `item` on, and walks its body (manager.c). */
Flow eval_managers(Eval *eval, NodeId with, NodeId item);
/* Around a body that may be meant to fail: eval_expected gets what eval_expect returned. */
uint32_t eval_expect(Eval *eval);
void eval_expected(Eval *eval, NodeId with, uint32_t region);
/* Does the function have a handler that may swallow the error of a launch? */
bool eval_swallows(const Eval *eval, const Function *function);
/* Does the text name pytest.raises, assertRaises, contextlib.suppress or the like? */
bool eval_names_raises(Str text);
/* `yield`: in a context manager the body of the `with` runs now. */
Value eval_yield(Eval *eval, NodeId node);
/* Calls a function that yields once, and walks it up to there; the value that it yields. */
Value eval_yielded(Eval *eval, const Function *function, const struct Arguments *arguments);
Flow eval_try(Eval *eval, NodeId node);
/* A statement that is not walked. */
Flow eval_opaque(Eval *eval, NodeId node);
void eval_assignment(Eval *eval, NodeId node);
void eval_augmented(Eval *eval, NodeId node);
void eval_assign(Eval *eval, NodeId target, Value value);
/* Forgets what is known about every list and dict that the code below `root`, which is not walked,
 * can name. `depth` counts nested functions; 0 to begin with. */
void eval_lose_named(Eval *eval, NodeId root, int depth);
/* The same for a function that unknown code may call. */
void eval_lose_function(Eval *eval, const Function *function, int depth);

/* --- calls */

typedef struct Arguments {
    NodeId call;
    Value *values; /* positional, then keywords */
    NodeId *nodes; /* of the values */
    Str *names;    /* of the keywords */
    uint32_t positional, keywords;
    bool open; /* there are stars, so there may be more */
} Arguments;

/* functools.partial(…). The callee is never a partial itself: its arguments are merged. */
struct Partial {
    Value callee;
    Arguments bound;
};

Value eval_call(Eval *eval, NodeId node);
/* Calls a value with evaluated arguments. */
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
/* Forgets what is known about lists and dicts in the arguments, because the callee may change
 * them. */
void lose_arguments(Eval *eval, const Arguments *arguments);
/* Checks arguments against a signature in the form of ApiFact.parameters (KS02); false when they do
 * not match. */
bool check_signature(Eval *eval, const Arguments *arguments, Str name, const char *parameters);
Value function_make(Eval *eval, NodeId node);

Arguments arguments_with(Eval *eval, const Arguments *arguments, Value first);
Value function_call(Eval *eval, const Arguments *arguments, const Function *function);

/* --- classes (class.c, instance.c) */

Flow eval_class_def(Eval *eval, NodeId node);
/* What namedtuple(…) returns. */
Value class_named_tuple(Eval *eval, const Arguments *arguments);
/* Does the file bind its global in a way the walk does not follow (rewritten.c)? */
bool eval_rewritten(Eval *eval, Str name, Value value);
/* Does a file replace an attribute of that name of another package, as `torch.zeros = …` does?
 * (rewritten.c) */
bool eval_is_replaced(Eval *eval, Str name);
/* Does the call look like mock.patch or monkeypatch.setattr? (patched.c) */
bool eval_is_patching(const Module *module, NodeId call);
/* The global of that name in each file may be another value from now on. */
void eval_lose_global(Eval *eval, Str name);
/* `del owner.name` (patched.c). */
void eval_delete_attribute(Eval *eval, Value owner);
/* After a call of an unknown function: loses the classes and globals that it changes if it is
 * mock.patch or the like. */
void eval_patched(Eval *eval, const Arguments *arguments);
/* `Pair.__new__.__defaults__ = …` of a named tuple. */
void class_set_defaults(Eval *eval, Class *class, Value defaults);
/* The value of a name in a class or its bases; NULL when it has none. */
const Value *class_find(const Class *class, Str name);
Value class_call(Eval *eval, const Arguments *arguments, Class *class);
Value class_attribute(Eval *eval, NodeId node, Value owner, Str name);
void class_set(Eval *eval, Value owner, Str name, Value value);
/* Without attributes. */
Value instance_new(Eval *eval, Class *class);
Value instance_attribute(Eval *eval, NodeId node, Value owner, Str name);
void instance_set(Eval *eval, Value owner, Str name, Value value);
/* object.__setattr__(owner, name, value), which frozen classes do not refuse. */
void instance_write(Eval *eval, Value owner, Str name, Value value);
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
/* For `break`, `continue` and `return`. */
void check_jump(Eval *eval, NodeId node, NodeKind kind);
/* Checks the branch of a decided condition that is not walked: some statements are refused even
 * there. */
void check_side_not_taken(Eval *eval, NodeId parent, Role role);
void check_kernel_signature(Eval *eval, NodeId kernel);
/* Reports errors in the options of its decorator and in its annotations. */
void check_kernel_header(Eval *eval, NodeId kernel);
/* Checks the options that jit gets by name. */
void check_kernel_options(Eval *eval, const Arguments *arguments);

#endif
