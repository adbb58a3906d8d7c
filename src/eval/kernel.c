/* Finds the kernels of a file, gives their parameters values and walks them. */
#include "base/io_error.h"
#include "eval/drive.h"

#include <errno.h>
#include <stdlib.h>

/* --- parameters */

/* An axis of an annotation: an int, an open axis, or unknown. */
static Value axis_value(Eval *eval, Value entry, bool *exact)
{
    if (entry.kind == VALUE_INT) {
        return entry;
    }
    bool is_axis = entry.kind == VALUE_MEMBER || entry.kind == VALUE_API;
    Str name = is_axis ? str_from(entry.as.fact->name) : STR("");
    *exact = *exact && entry.kind == VALUE_SYMBOL;
    if (str_is(name, "DYNAMIC") || str_is(name, "DYN")) {
        return eval_atom(eval);
    }
    return str_is(name, "STATIC") ? value_number() : value_unknown();
}

static Value parameter_value(Eval *eval, NodeId arg)
{
    const Module *module = eval->module;
    TensorAnnotation annotation = annotation_read(eval->file, arg);
    if (!annotation_is_tensor(annotation)) {
        NodeId plain = parameter_annotation(module, arg);
        bool number = node_is_name(module, plain, STR("int")) ||
                      node_is_name(module, plain, STR("bool")) ||
                      node_is_name(module, plain, STR("float"));
        return number ? value_number() : value_unknown();
    }
    Value tensor = value_tensor();
    Value shape =
        annotation.shape == NO_NODE ? value_unknown() : eval_expression(eval, annotation.shape);
    if (!value_has_items(shape) || shape.as.sequence->count == 0) {
        return tensor;
    }
    bool exact = true;
    Value *axes = ARENA_NEW(eval->arena, Value);
    *axes = value_sequence(eval->arena, VALUE_TUPLE, shape.as.sequence->count);
    for (uint32_t i = 0; i < shape.as.sequence->count; i++) {
        NodeId entry = node_nth(module, annotation.shape, ROLE_ELT, i);
        if (node_is(module, entry, NODE_CONSTANT) &&
            eval_node(eval, entry)->op == CONSTANT_ELLIPSIS) {
            exact = false;
            break;
        }
        Value axis = axis_value(eval, shape.as.sequence->items[i], &exact);
        sequence_add(eval->arena, axes->as.sequence, axis);
    }
    axes->as.sequence->open = !exact;
    tensor.as.axes = axes;
    return tensor;
}

/* `new_ir=` of the kernel's decorator, if it is a literal. Features that only 9.2 has show that it
 * is 9.2. */
NewIr eval_new_ir(const Module *module, NodeId kernel)
{
    for (NodeId decorator = node_child(module, kernel, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        bool call = node_is(module, decorator, NODE_CALL);
        NodeId function = call ? call_func(module, decorator) : decorator;
        bool newer = node_is(module, function, NODE_ATTRIBUTE) &&
                     str_is(node_text(module, function), "pypto.jit");
        NodeId value = call ? call_keyword_value(module, decorator, "new_ir") : NO_NODE;
        if (value != NO_NODE && node_is(module, value, NODE_CONSTANT)) {
            ConstantKind kind = (ConstantKind)node_at(module, value)->op;
            return kind == CONSTANT_TRUE    ? NEW_IR_TRUE
                   : kind == CONSTANT_FALSE ? NEW_IR_FALSE
                                            : NEW_IR_UNSAID;
        }
        if (newer && value == NO_NODE) {
            return NEW_IR_TRUE;
        }
    }
    return NEW_IR_UNSAID;
}

/* --- walks */

static Newer newer_with(const Product *product, NewIr new_ir)
{
    if (new_ir == NEW_IR_FALSE || product->version == PRODUCT_9_1) {
        return NEWER_WRONG;
    }
    if (new_ir == NEW_IR_TRUE) {
        return NEWER_FINE;
    }
    if (product->source == PRODUCT_ASSUMED) {
        return NEWER_DOUBTFUL;
    }
    return product->old_front_end && new_ir == NEW_IR_UNSAID ? NEWER_WRONG : NEWER_FINE;
}

Newer eval_newer(const Eval *eval)
{
    return newer_with(eval->product, eval->new_ir);
}

Newer eval_kernel_newer(const Product *product, const Module *module, NodeId kernel)
{
    return newer_with(product, eval_new_ir(module, kernel));
}

static void walk_kernel(Eval *eval, const KernelSite *site)
{
    const Module *module = eval->module;
    Scope *scope = scope_new(eval, site->scope, site->node);
    Frame frame = {.scope = scope, .is_graph = true, .function = site->node};
    Frame outside = {.scope = site->scope};
    NodeId list = function_arguments(module, site->node);
    eval->steps = EVAL_STEPS_KERNEL;
    eval->stopped = false;
    eval->found = 0;
    eval->assumed = site->assumed;
    eval->region = ++eval->clock;
    eval->new_ir = (NewIr)site->new_ir;
    eval->frame = &outside;
    for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
        if (node_is(module, arg, NODE_ARG)) {
            scope_set(eval, scope, node_name(module, arg), parameter_value(eval, arg));
        }
    }
    eval->reporting = true;
    check_kernel_header(eval, site->node);
    if (site->options != NULL) {
        check_kernel_options(eval, site->options);
    }
    eval->frame = &frame;
    check_kernel_signature(eval, site->node);
    eval_body(eval, site->node, ROLE_BODY);
    eval->reporting = false;
    eval->out.kernels++;
    eval->out.ended += eval->stopped;
    eval->frame = NULL;
}

/* Walks functions that contain kernels and were not called with known arguments. */
static void walk_factories(Eval *eval)
{
    const Module *module = eval->module;
    for (uint32_t i = 0; i < eval->file->kernel_ids.count; i++) {
        NodeId kernel = eval->file->kernel_ids.ids[i];
        NodeId factory = node_function(module, kernel);
        bool seen = factory == NO_NODE;
        for (uint32_t k = 0; k < eval->kernels.count && !seen; k++) {
            seen = eval->kernels.items[k].node == kernel && eval->kernels.items[k].unit == 0;
        }
        if (seen || node_function(module, factory) != NO_NODE || is_kernel(eval->file, factory)) {
            continue;
        }
        Frame frame = {.scope = scope_new(eval, eval->globals, factory), .function = factory};
        eval->frame = &frame;
        eval->stopped = false;
        eval->steps = EVAL_STEPS_KERNEL;
        const Strs *names = eval_locals(eval, factory);
        for (uint32_t n = 0; n < names->count; n++) {
            if (function_parameter(module, factory, names->items[n]) != NO_NODE) {
                scope_set(eval, frame.scope, names->items[n], value_unknown());
            }
        }
        eval_body(eval, factory, ROLE_BODY);
    }
}

static void prepare(Eval *eval, const PyFile *file, Arena *arena)
{
    eval->arena = arena;
    eval->steps = eval->steps_left_in_file = EVAL_STEPS_FILE;
    Str path = pyfile_path(file);
    size_t slash = str_find(path, STR("/"), 0);
    while (slash != SIZE_MAX) {
        path = str_slice(path, slash + 1, path.length);
        slash = str_find(path, STR("/"), 0);
    }
    unit_switch(eval, unit_add(eval, file, str_slice(path, 0, str_find(path, STR(".py"), 0))));
}

static int compare_findings(const void *left, const void *right)
{
    const EvalFinding *a = left;
    const EvalFinding *b = right;
    if (a->unit != b->unit) {
        return a->unit < b->unit ? -1 : 1;
    }
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    return (int)a->rule - (int)b->rule;
}

typedef VEC(const Launch *) Contexts;

/* The launches of kernels of the file that fit their signatures; counts the others, too. */
static void collect_contexts(Eval *eval, Contexts *contexts)
{
    for (uint32_t i = 0; i < eval->launches->items.count; i++) {
        const Launch *launch = &eval->launches->items.items[i];
        KernelSite *site = &eval->kernels.items[launch->site];
        if (!launch_has_number(eval, launch)) {
            continue;
        }
        site->launches++;
        if (site->unit == 0 && launch_fits(eval, launch)) {
            VEC_PUSH(eval->arena, contexts, launch);
        }
    }
}

/* Is this one of the launches of its kernel about which the most is known? */
static bool is_chosen(const Contexts *contexts, uint32_t at)
{
    enum { MOST_OF_KERNEL = 8 };
    const Launch *launch = contexts->items[at];
    uint32_t better = 0;
    for (uint32_t i = 0; i < contexts->count; i++) {
        const Launch *other = contexts->items[i];
        bool before = other->known > launch->known || (other->known == launch->known && i < at);
        better += other->site == launch->site && before;
    }
    return better < MOST_OF_KERNEL;
}

/* Records a kernel, unless there have been too many recordings. */
static void drive_one(Eval *eval, uint32_t site, const Launch *launch, uint32_t *drives)
{
    if (*drives < EVAL_KERNELS) {
        ++*drives;
        drive_kernel(eval, &eval->kernels.items[site], launch);
        eval->kernels.items[site].recorded = true;
    } else if (!eval->kernels.items[site].recorded) {
        facts_left_out(eval, &eval->kernels.items[site], EVAL_LIMIT_KERNELS);
    }
}

/* Records each kernel for each known launch, or, if there is none, from its annotations. */
static void drive_kernels(Eval *eval)
{
    uint32_t drives = 0;
    Contexts contexts = {0};
    eval->out.launches = eval->launches->items.count;
    collect_contexts(eval, &contexts);
    for (uint32_t i = 0; i < contexts.count; i++) {
        if (drives == EVAL_KERNELS || is_chosen(&contexts, i)) {
            drive_one(eval, contexts.items[i]->site, contexts.items[i], &drives);
        }
    }
    for (uint32_t i = 0; i < eval->kernels.count; i++) {
        if (eval->kernels.items[i].launches == 0 && eval->kernels.items[i].unit == 0) {
            drive_one(eval, i, NULL, &drives);
        }
    }
    advice_report_common(eval);
}

typedef struct Job {
    Eval *eval;
    const PyFile *file;
    const EvalFinder *finder;
    Arena *arena; /* its own */
    bool whole;
} Job;

static void evaluate_file(void *argument)
{
    Job *job = argument;
    Eval *eval = job->eval;
    prepare(eval, job->file, job->arena);
    eval->launches = ARENA_NEW(job->arena, LaunchList);
    eval->finder = job->finder;
    unit_walk(eval, 0);
    walk_factories(eval);
    launch_walk_entries(eval);
    for (uint32_t i = 0; i < eval->kernels.count; i++) {
        if (eval->kernels.items[i].unit != 0) {
            continue;
        }
        if (eval->out.kernels < EVAL_KERNELS) {
            walk_kernel(eval, &eval->kernels.items[i]);
        } else {
            facts_left_out(eval, &eval->kernels.items[i], EVAL_LIMIT_KERNELS);
        }
    }
    drive_kernels(eval);
}

/* Memory may run out in the evaluation's own arena, whose limit it is, or in the caller's, where
 * findings and modules are. A recording also has memory outside arenas, so both are caught. */
static void evaluate_in_own(void *argument)
{
    Job *job = argument;
    job->whole = arena_try(job->arena, evaluate_file, job);
    const Eval *eval = job->eval;
    for (uint32_t i = 0; i < eval->kernels.count && !job->whole && job->arena->over_budget; i++) {
        if (eval->kernels.items[i].unit == 0 && !eval->kernels.items[i].recorded) {
            facts_left_out(job->eval, &eval->kernels.items[i], EVAL_LIMIT_MEMORY);
        }
    }
}

Evaluation eval_file(const PyFile *file, const EvalRequest *request, Arena *arena)
{
    Eval eval = {.result = arena,
                 .product = request->product,
                 .soc = request->soc,
                 .wants_facts = request->facts};
    if (pyfile_module(file) == NULL || (file->kernel_ids.count == 0 && !pyfile_calls_jit(file))) {
        return eval.out;
    }
    Arena own;
    arena_init(&own, EVAL_MEMORY);
    Job job = {&eval, file, request->finder, &own, false};
    bool kept = arena_try(arena, evaluate_in_own, &job);
    bool whole = job.whole;
    drive_drop(&eval);
    if (!kept) {
        arena_free(&own);
        arena_fail(arena);
    }
    if (!whole && !own.over_budget) {
        io_error_note(NULL,
                      ENOMEM); /* the system's memory, not our limit: the file was not checked */
    }
    arena_free(&own);
    eval.out.ended += !whole;
    if (eval.out.findings.count > 1) {
        qsort(eval.out.findings.items, eval.out.findings.count, sizeof *eval.out.findings.items,
              compare_findings);
    }
    return eval.out;
}

/* --- dump */

static int compare_bindings(const void *left, const void *right)
{
    const Binding *a = left;
    const Binding *b = right;
    return str_compare(a->name, b->name);
}

Str eval_dump(const PyFile *file, Arena *arena)
{
    static const Product newest = {.version = PRODUCT_9_2};
    Eval eval = {.result = arena, .product = &newest};
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (pyfile_module(file) == NULL) {
        return buf_str(&out);
    }
    prepare(&eval, file, arena);
    Frame frame = {.scope = eval.globals};
    eval.frame = &frame;
    eval_body(&eval, 0, ROLE_BODY);
    Bindings all = eval.stopped ? (Bindings){0} : eval.globals->bindings;
    if (all.count > 1) {
        qsort(all.items, all.count, sizeof *all.items, compare_bindings);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        Buf one = {.arena = arena};
        if (all.items[i].name.length > 0 && value_repr(&one, all.items[i].value, 0)) {
            Str text = buf_str(&one);
            buf_addf(&out, "%.*s = %.*s\n", STR_ARG(all.items[i].name), STR_ARG(text));
        }
    }
    return buf_str(&out);
}
