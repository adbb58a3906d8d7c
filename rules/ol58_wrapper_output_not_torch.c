/* OL58: host wrappers whose output buffers are not torch tensors made before the launch.
 *
 * Looks at Layer K functions of every parsed file: calls of pypto's creation functions (A), and
 * output-like names that are passed to a kernel but not made in the wrapper (B). */
#include "base/search.h"
#include "rules/bindings.h"
#include "rules/common.h"
#include "rules/names.h"
#include "rules/similar.h"

/* Names looked up in one chain of aliases; a longer chain has no known origin. */
enum { MAX_LOOKUPS = 6 };

/* What one wrapper binds; made when an output-like argument is met. */
typedef struct Wrapper {
    NodeId function;
    bool collected;
    Bindings assigned; /* NAME = expr: the value */
    NameTable known;   /* names bound in any other way, parameters included */
} Wrapper;

/* One file at work. */
typedef struct Host {
    RuleRun *run;
    const PyFile *file;
    Wrapper *wrappers; /* ascending ids of their functions */
    uint32_t wrapper_count;
    bool has_passed;
    Bindings passed; /* names handed to kernels; node and line = the launch */
} Host;

static bool looks_like_output(Str name)
{
    return str_is(name, "out") || str_is(name, "output") || str_starts(name, STR("out_")) ||
           str_ends(name, STR("_out"));
}

/* --- names of a wrapper */

static void collect_parameters(const Module *module, Wrapper *wrapper)
{
    NodeId arguments = function_arguments(module, wrapper->function);
    NodeId arg = arguments == NO_NODE ? NO_NODE : node_first(module, arguments);
    for (; arg != NO_NODE; arg = node_sibling(module, arg)) {
        if (node_is(module, arg, NODE_ARG)) {
            name_table_add(&wrapper->known, node_name(module, arg));
        }
    }
}

/* A name that stands as a target: known, unless it is a target of a plain assignment (of one with a
 * single target the assigned value counts) or of one that binds nothing new (`x += 1`, `x: int`,
 * `del x`). */
static void collect_name(const Module *module, Wrapper *wrapper, NodeId id)
{
    if (!is_store(module, id)) {
        return;
    }
    NodeId parent = node_at(module, id)->parent;
    switch (node_kind(module, parent)) {
    case NODE_AUG_ASSIGN:
    case NODE_ANN_ASSIGN:
    case NODE_DELETE:
    case NODE_ASSIGN: /* also of several: `a = out = expr` gives no origin (docs/rules/OL58.md) */
        return;
    default:
        break;
    }
    if (!node_is(module, node_statement(module, id), NODE_DELETE)) {
        name_table_add(&wrapper->known, node_name(module, id));
    }
}

static void collect_names(Host *host, Wrapper *wrapper)
{
    const Module *module = pyfile_module(host->file);
    Arena *arena = host->run->arena;
    wrapper->collected = true;
    wrapper->known.arena = arena;
    collect_parameters(module, wrapper);
    NodeId end = node_at(module, wrapper->function)->subtree_end;
    for (NodeId id = wrapper->function + 1; id < end; id++) {
        Str name;
        NodeId value;
        switch (node_kind(module, id)) {
        case NODE_ASSIGN:
        case NODE_ANN_ASSIGN:
            if (plain_assignment(module, id, &name, &value)) {
                bindings_add(&wrapper->assigned, arena, module, name, 0, id, value);
            }
            break;
        case NODE_NAME:
            collect_name(module, wrapper, id);
            break;
        case NODE_ALIAS:
            name_table_add(&wrapper->known, alias_bound_name(module, id));
            break;
        case NODE_FUNCTION_DEF:
        case NODE_ASYNC_FUNCTION_DEF:
        case NODE_CLASS_DEF:
        case NODE_EXCEPT_HANDLER:
        case NODE_MATCH_AS:
        case NODE_MATCH_STAR:
        case NODE_MATCH_MAPPING:
            if (node_name(module, id).length > 0) {
                name_table_add(&wrapper->known, node_name(module, id));
            }
            break;
        default:
            break;
        }
    }
    bindings_sort(&wrapper->assigned);
}

/* Is it known where the name comes from? */
static bool has_origin(Host *host, Wrapper *wrapper, Str name)
{
    const Module *module = pyfile_module(host->file);
    if (!wrapper->collected) {
        collect_names(host, wrapper);
    }
    for (int looked_up = 0;; looked_up++) {
        if (name_table_find(&wrapper->known, name) != NULL) {
            return true;
        }
        if (looked_up == MAX_LOOKUPS) {
            return false;
        }
        const Binding *binding = bindings_last(&wrapper->assigned, name, UINT32_MAX);
        if (binding == NULL) {
            return false;
        }
        if (!node_is(module, binding->node, NODE_NAME)) {
            return true;
        }
        name = node_name(module, binding->node);
    }
}

/* The innermost wrapper around a node (further out than `inside`, if not NULL), or NULL. */
static Wrapper *wrapper_around(const Host *host, NodeId id, const Wrapper *inside)
{
    const Module *module = pyfile_module(host->file);
    NodeId function = node_function(module, inside == NULL ? id : inside->function);
    for (; function != NO_NODE; function = node_function(module, function)) {
        uint32_t low;
        LOWER_BOUND(low, host->wrapper_count, host->wrappers[low].function < function);
        if (low < host->wrapper_count && host->wrappers[low].function == function) {
            return &host->wrappers[low];
        }
    }
    return NULL;
}

/* --- check A: created by pypto */

static void collect_passed(Host *host)
{
    const Module *module = pyfile_module(host->file);
    NodeList calls = module_nodes(module, NODE_CALL);
    host->has_passed = true;
    for (uint32_t i = 0; i < calls.count; i++) {
        if (kernel_launched(host->file, calls.ids[i]).length == 0) {
            continue;
        }
        NodeId end = node_at(module, calls.ids[i])->subtree_end;
        for (NodeId child = calls.ids[i] + 1; child < end;
             child = node_at(module, child)->subtree_end) {
            NodeId value = node_is(module, child, NODE_KEYWORD) ? child + 1 : child;
            if (node_at(module, child)->role != ROLE_FUNC && node_is(module, value, NODE_NAME)) {
                /* its id in place of the line, so that look-ups can be limited to a wrapper */
                bindings_add(&host->passed, host->run->arena, module, node_name(module, value),
                             calls.ids[i], calls.ids[i], calls.ids[i]);
            }
        }
    }
    bindings_sort(&host->passed);
}

/* The kernel that the result of `creation` is passed to in the wrapper: directly or over the name
 * it is assigned to. Empty when that is not visible. */
static Str kernel_fed(Host *host, const Wrapper *wrapper, NodeId creation)
{
    const Module *module = pyfile_module(host->file);
    NodeId parent = node_at(module, creation)->parent;
    if (node_is(module, parent, NODE_KEYWORD)) {
        parent = node_at(module, parent)->parent;
    }
    if (node_is(module, parent, NODE_CALL)) {
        return kernel_launched(host->file, parent);
    }
    Str name;
    NodeId value;
    if (!plain_assignment(module, parent, &name, &value)) {
        return (Str){0};
    }
    if (!host->has_passed) {
        collect_passed(host);
    }
    NodeId end = node_at(module, wrapper->function)->subtree_end;
    const Binding *launch = bindings_last(&host->passed, name, end);
    if (launch == NULL || !node_within(module, launch->node, wrapper->function)) {
        return (Str){0};
    }
    return kernel_launched(host->file, launch->node);
}

/* "torch.float32" for pypto.DT_FP32; empty where torch has no such type. */
static Str torch_type(Arena *arena, Str constant)
{
    static const char *const types[] = {"float32", "float16", "bfloat16", "int64", "int32",
                                        "int16",   "int8",    "uint8",    "bool"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const Synonym *synonym = synonym_find(str_from(types[i]));
        if (synonym != NULL && str_is(constant, synonym->names[0])) {
            return str_format(arena, "torch.%s", types[i]);
        }
    }
    return STR("");
}

/* Are the arguments those that torch's function has, too? A data type by position must be the last
 * one, because torch takes it by name only. */
static bool takes_same_arguments(const PyFile *file, NodeId call)
{
    const Module *module = pyfile_module(file);
    for (NodeId keyword = node_child(module, call, ROLE_KEYWORD); keyword != NO_NODE;
         keyword = node_next(module, keyword)) {
        Str name = node_name(module, keyword);
        if (!str_is(name, "dtype") && !str_is(name, "fill_value")) {
            return false;
        }
    }
    for (NodeId arg = node_child(module, call, ROLE_ARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        bool is_type = str_starts(pypto_attribute(file, arg), STR("DT_"));
        if (is_type && node_next(module, arg) != NO_NODE) {
            return false;
        }
    }
    return true;
}

/* Puts torch in the place of pypto, for the data types in the call as well; nothing when one of
 * them has no counterpart, torch is not imported, or its function takes other arguments. */
static void suggest_torch(Host *host, Finding *finding, NodeId call)
{
    const Module *module = pyfile_module(host->file);
    NodeList attributes = nodes_in(module, call, NODE_ATTRIBUTE);
    bool possible =
        str_is(package_name(module, "torch"), "torch") && takes_same_arguments(host->file, call);
    for (int pass = 0; pass < 2 && possible; pass++) {
        for (uint32_t i = 0; i < attributes.count; i++) {
            Str name = pypto_attribute(host->file, attributes.ids[i]);
            if (!str_starts(name, STR("DT_"))) {
                continue;
            }
            Str type = torch_type(host->run->arena, name);
            const Node *node = node_at(module, attributes.ids[i]);
            possible = possible && type.length > 0;
            if (pass == 1) {
                Str text = node->parent != call
                               ? type
                               : str_format(host->run->arena, "dtype=%.*s", STR_ARG(type));
                finding_edit(host->run, finding, FIX_SUGGEST, node->start, node->end, text);
            }
        }
    }
    if (possible) {
        const Node *owner = node_at(module, attribute_value(module, call_func(module, call)));
        finding_edit(host->run, finding, FIX_SUGGEST, owner->start, owner->end, STR("torch"));
    }
}

static void check_creation(Host *host, NodeId call)
{
    static const char *const creators[] = {"zeros", "empty", "ones", "full"};
    RuleRun *run = host->run;
    const Module *module = pyfile_module(host->file);
    Str api = pypto_call(host->file, call);
    bool creates = false;
    for (size_t i = 0; i < sizeof creators / sizeof *creators && api.length > 0; i++) {
        creates |= str_is(api, creators[i]);
    }
    Wrapper *wrapper = creates ? wrapper_around(host, call, NULL) : NULL;
    if (wrapper == NULL) {
        return;
    }
    Str name = node_name(module, wrapper->function), kernel = kernel_fed(host, wrapper, call);
    Str use = {0};
    if (kernel.length > 0) {
        use = str_format(run->arena,
                         run->lang == LANG_ZH ? "（传给 kernel '%.*s'）" : " for kernel '%.*s'",
                         STR_ARG(kernel));
    }
    Finding *finding = report(
        run, STATUS_FAIL, at_node(host->file, call),
        "host wrapper '%.*s' creates a buffer%.*s with pypto.%.*s, which works only while a graph "
        "is built; use torch.%.*s",
        "host wrapper '%.*s' 创建缓冲区%.*s时使用了 pypto.%.*s，该函数只能在构图时使用；"
        "应使用 torch.%.*s",
        STR_ARG(name), STR_ARG(use), STR_ARG(api), STR_ARG(api));
    suggest_torch(host, finding, call);
}

/* --- check B: not made in the wrapper */

static void check_argument(Host *host, NodeId call, Str kernel, NodeId argument)
{
    const Module *module = pyfile_module(host->file);
    Str name = node_name(module, argument);
    if (!looks_like_output(name)) {
        return;
    }
    Wrapper *wrapper = wrapper_around(host, call, NULL);
    while (wrapper != NULL && has_origin(host, wrapper, name)) {
        wrapper = wrapper_around(host, call, wrapper);
    }
    if (wrapper == NULL) {
        return;
    }
    Str function = node_name(module, wrapper->function);
    report(host->run, STATUS_FAIL, at_node(host->file, argument),
           "output buffer '%.*s' passed to kernel '%.*s' on line %u is not allocated in wrapper "
           "'%.*s'",
           "输出缓冲区 '%.*s'（传给 kernel '%.*s'，第 %u 行）未在 wrapper 内分配：'%.*s'",
           STR_ARG(name), STR_ARG(kernel), node_line(module, call), STR_ARG(function));
}

static void check_launch(Host *host, NodeId call)
{
    const Module *module = pyfile_module(host->file);
    Str kernel = kernel_launched(host->file, call);
    if (kernel.length == 0) {
        return;
    }
    NodeId end = node_at(module, call)->subtree_end;
    for (NodeId child = call + 1; child < end; child = node_at(module, child)->subtree_end) {
        NodeId value = node_is(module, child, NODE_KEYWORD) ? child + 1 : child;
        if (node_at(module, child)->role != ROLE_FUNC && node_is(module, value, NODE_NAME)) {
            check_argument(host, call, kernel, value);
        }
    }
}

static void check(RuleRun *run)
{
    bool has_wrapper = false, broken = false;
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        const PyFile *file = run->op->scan.items[i];
        broken |= report_unparsable(run, file);
        if (pyfile_module(file) == NULL) {
            continue;
        }
        NodeList functions = layer_k_functions(file, run->arena, run->op->name);
        if (functions.count == 0) {
            continue;
        }
        has_wrapper = true;
        Host host = {.run = run, .file = file, .wrapper_count = functions.count};
        host.wrappers = ARENA_ARRAY(run->arena, Wrapper, functions.count);
        for (uint32_t k = 0; k < functions.count; k++) {
            host.wrappers[k].function = functions.ids[k];
        }
        NodeList calls = module_nodes(pyfile_module(file), NODE_CALL);
        for (uint32_t k = 0; k < calls.count; k++) {
            check_creation(&host, calls.ids[k]);
            check_launch(&host, calls.ids[k]);
        }
    }
    if (!has_wrapper && !broken) {
        rule_skip(run, "no host wrapper (Layer K function) found",
                  "未找到 host wrapper（Layer K 函数）");
    }
}

const Rule ol58 = {
    .id = "OL58",
    .name = "non-torch-output-buffer",
    .order = 48,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES,
    .hint =
        {"Allocate output buffers in the wrapper before the launch: torch.empty(..., dtype=..., "
         "device=...) or torch.empty_like(x).",
         "在启动 kernel 之前于 wrapper 内分配输出：torch.empty(..., dtype=..., device=...) "
         "或 torch.empty_like(x)。"},
    .check = check,
};
