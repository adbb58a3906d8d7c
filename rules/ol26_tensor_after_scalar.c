/* OL26: a tensor parameter after a parameter that is not a tensor.
 *
 * The launcher passes tensors positionally in front, so such a tensor lands in the wrong slot.
 * Looks at the ordinary parameters of every kernel in order; parameters without annotation are left
 * out. */
#include "rules/common.h"
#include "rules/imports.h"

/* --- the repair: tensors first, in the signature and in every launch */

enum { ORDER_MOST = 64 }; /* parameters; kernels have a dozen */

typedef struct Reorder {
    RuleRun *run;
    const Module *module;
    Finding *finding;
    uint32_t count;             /* of the ordinary parameters */
    uint32_t order[ORDER_MOST]; /* place in the new signature -> place in the old one */
} Reorder;

/* Sets the new order; false when it is unknown which parameters are tensors, or when a tensor has a
 * default. */
static bool find_order(Reorder *reorder, const PyFile *file, NodeId list)
{
    const Module *module = reorder->module;
    uint32_t count = node_count(module, list, ROLE_PARAM), tensors = 0, others = 0;
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT);
    uint32_t scalars[ORDER_MOST];
    if (count > ORDER_MOST || node_child(module, list, ROLE_POSONLYARG) != NO_NODE ||
        node_child(module, list, ROLE_VARARG) != NO_NODE) {
        return false;
    }
    NodeId arg = node_child(module, list, ROLE_PARAM);
    for (uint32_t at = 0; arg != NO_NODE; arg = node_next(module, arg), at++) {
        TensorAnnotation annotation = annotation_read(file, arg);
        bool tensor = annotation_is_tensor(annotation);
        if (annotation.form == ANNOTATION_NONE || (tensor && at + defaults >= count)) {
            return false;
        }
        if (tensor) {
            reorder->order[tensors++] = at;
        } else {
            scalars[others++] = at;
        }
    }
    for (uint32_t i = 0; i < others; i++) {
        reorder->order[tensors + i] = scalars[i];
    }
    reorder->count = count;
    return true;
}

/* Puts the texts of the first `count` places into the new order. False, without an edit, when one
 * of them would have to leave these places, or when a comment stands between them. */
static bool permute(const Reorder *reorder, const Span *places, uint32_t count)
{
    const Source *source = reorder->module->source;
    if (count == 0) {
        return true;
    }
    if (str_contains(source_slice(source, places[0].start, places[count - 1].end), STR("#"))) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (reorder->order[i] >= count) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        Span from = places[reorder->order[i]];
        if (reorder->order[i] != i) {
            finding_edit(reorder->run, reorder->finding, FIX_SUGGEST, places[i].start,
                         places[i].end, source_slice(source, from.start, from.end));
        }
    }
    return true;
}

static bool permute_parameters(const Reorder *reorder, NodeId list)
{
    const Module *module = reorder->module;
    Span places[ORDER_MOST];
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT);
    NodeId arg = node_child(module, list, ROLE_PARAM);
    for (uint32_t at = 0; arg != NO_NODE; arg = node_next(module, arg), at++) {
        bool has = at + defaults >= reorder->count;
        NodeId value =
            has ? node_nth(module, list, ROLE_DEFAULT, at + defaults - reorder->count) : NO_NODE;
        if (has && node_at(module, value)->parenthesized) {
            return false;
        }
        places[at] = (Span){node_at(module, arg)->start, node_at(module, has ? value : arg)->end};
    }
    return permute(reorder, places, reorder->count);
}

/* A read of the kernel's name: only a launch with plain arguments is understood. */
static bool permute_launch(const Reorder *reorder, NodeId name)
{
    const Module *module = reorder->module;
    NodeId call = node_at(module, name)->parent;
    Span places[ORDER_MOST];
    uint32_t count = 0;
    if (!node_is(module, call, NODE_CALL) || call_func(module, call) != name) {
        return false;
    }
    NodeId argument = node_child(module, call, ROLE_ARG);
    for (; argument != NO_NODE; argument = node_next(module, argument)) {
        if (count == reorder->count || node_is(module, argument, NODE_STARRED) ||
            node_at(module, argument)->parenthesized) {
            return false;
        }
        places[count++] = (Span){node_at(module, argument)->start, node_at(module, argument)->end};
    }
    NodeId keyword = node_child(module, call, ROLE_KEYWORD);
    for (; keyword != NO_NODE; keyword = node_next(module, keyword)) {
        if (node_name(module, keyword).length == 0) {
            return false; /* **rest */
        }
    }
    return permute(reorder, places, count);
}

/* Does another file of the operator mention the kernel, so that its launches may be there? */
static bool is_used_elsewhere(const RuleRun *run, const PyFile *file, Str name)
{
    for (uint32_t i = 0; i < run->op->python.count; i++) {
        const PyFile *other = run->op->python.items[i];
        if (other != file && str_contains(other->parsed.source.text, name)) {
            return true;
        }
    }
    return false;
}

static void add_fix(RuleRun *run, const PyFile *file, NodeId kernel, Finding *finding)
{
    const Module *module = pyfile_module(file);
    NodeId list = function_arguments(module, kernel);
    Reorder reorder = {.run = run, .module = module, .finding = finding};
    NameTable names = {.arena = run->arena};
    NameUse *use = name_table_add(&names, node_name(module, kernel));
    name_table_scan(&names, module);
    bool good = use->bindings == 1 && use->quoted == 0 && find_order(&reorder, file, list) &&
                !is_used_elsewhere(run, file, use->name) && permute_parameters(&reorder, list);
    for (uint32_t i = 0; good && i < use->loads.count; i++) {
        good = permute_launch(&reorder, use->loads.items[i]);
    }
    if (!good) {
        finding->edits.count = 0;
        finding->fix = FIX_NONE;
    }
}

/* --- the check */

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId scalar = NO_NODE;
    Finding *first = NULL; /* it brings the repair of all */
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        TensorAnnotation annotation = annotation_read(file, arg);
        if (annotation.form == ANNOTATION_OTHER && scalar == NO_NODE) {
            scalar = arg;
        }
        if (scalar == NO_NODE || !annotation_is_tensor(annotation)) {
            continue;
        }
        Finding *finding = report(
            run, STATUS_FAIL, at_focus(file, kernel, arg),
            "tensor parameter '%.*s' of kernel '%.*s' comes after '%.*s', which is not a tensor",
            "tensor 参数 '%.*s'（kernel '%.*s'）排在非 tensor 参数 '%.*s' 之后",
            STR_ARG(node_name(module, arg)), STR_ARG(node_name(module, kernel)),
            STR_ARG(node_name(module, scalar)));
        finding_related(run, finding, at_node(file, scalar), "first parameter that is not a tensor",
                        "第一个非 tensor 参数");
        first = first == NULL ? finding : first;
    }
    if (first != NULL) {
        add_fix(run, file, kernel, first);
    }
}

const Rule ol26 = {
    .id = "OL26",
    .name = "tensor-after-scalar",
    .order = 26,
    .severity = S1,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Move all tensor parameters before the others and adapt the call in the wrapper.",
             "把所有 tensor 参数移到其他参数之前，并同步修改 wrapper 中的调用。"},
    .check_kernel = check_kernel,
};
