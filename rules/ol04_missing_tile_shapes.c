/* OL04: no kernel of the file reaches a call that sets a tile shape.
 *
 * Without one the compiler stops with "tile shape not set". Follows bare-name calls from each
 * kernel through the top-level functions of the file (graph M). */
#include "rules/common.h"

/* More helpers make the message longer, not clearer. */
enum { MAX_HELPERS = 8 };

/* Name of the callee: the last of a chain, or what an import made of a bare one. */
static Str callee_name(const PyFile *file, NodeId call)
{
    Str name = call_attribute(pyfile_module(file), call);
    return name.length > 0 ? name : pypto_call(file, call);
}

static bool is_tile_call(const PyFile *file, NodeId call)
{
    Str name = callee_name(file, call);
    return str_is(name, "set_vec_tile_shapes") || str_is(name, "set_cube_tile_shapes");
}

/* The first tile call in the list, or NO_NODE. */
static NodeId find_tile_call(const PyFile *file, NodeList calls)
{
    for (uint32_t i = 0; i < calls.count; i++) {
        if (is_tile_call(file, calls.ids[i])) {
            return calls.ids[i];
        }
    }
    return NO_NODE;
}

static bool kernel_sets_tiles(const PyFile *file, NodeList reached)
{
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < reached.count; i++) {
        if (find_tile_call(file, nodes_in(module, reached.ids[i], NODE_CALL)) != NO_NODE) {
            return true;
        }
    }
    return false;
}

/* --- the profile `kernel`: silent where code of another file might do it */

static Str root_name(const Module *module, NodeId chain)
{
    while (node_is(module, chain, NODE_ATTRIBUTE)) {
        chain = node_child(module, chain, ROLE_VALUE);
    }
    return chain != NO_NODE && node_is(module, chain, NODE_NAME) ? node_name(module, chain)
                                                                 : STR("");
}

/* Is it a name that an import of other people's code binds? */
static bool is_foreign(const Module *module, Str name)
{
    static const char *const own[] = {"pypto", "torch", "torch_npu", "math", "numpy", "typing"};
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        Str from = alias_module(module, aliases.ids[i]);
        Str bound = alias_bound_name(module, aliases.ids[i]);
        size_t dot = str_find(from, STR("."), 0);
        Str package = str_slice(from, 0, dot == SIZE_MAX ? from.length : dot);
        if (!STR_IS_ANY(package, own) && (str_equal(bound, name) || str_is(bound, "*"))) {
            return true;
        }
    }
    return false;
}

static bool may_set_tiles_elsewhere(const PyFile *file, NodeList reached)
{
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < reached.count; i++) {
        NodeList calls = nodes_in(module, reached.ids[i], NODE_CALL);
        for (uint32_t k = 0; k < calls.count; k++) {
            Str root = root_name(module, call_func(module, calls.ids[k]));
            if (str_is(callee_name(file, calls.ids[k]), "set_conv_tile_shapes") ||
                str_is(root, "self") || (root.length > 0 && is_foreign(module, root))) {
                return true;
            }
        }
    }
    return false;
}

static bool list_has(const NodeId *ids, uint32_t count, NodeId id)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] == id) {
            return true;
        }
    }
    return false;
}

/* Text about what was searched and what lies outside, in the language of the run. */
static Str describe_search(RuleRun *run, const PyFile *file, NodeList helpers, NodeId unreached)
{
    const Module *module = pyfile_module(file);
    Buf buf = {.arena = run->arena};
    if (helpers.count > 0) {
        Str names = function_names(run, file, helpers);
        buf_add(&buf, str_from(text_in(run->lang,
                                       (Text){"; helpers searched: ", "；已检查的辅助函数："})));
        buf_add(&buf, names);
    }
    if (unreached != NO_NODE) {
        NodeId function = node_function(module, unreached);
        Str call = callee_name(file, unreached);
        if (function == NO_NODE) {
            buf_addf(&buf,
                     run->lang == LANG_ZH ? "；%.*s(...) 只出现在任何函数之外"
                                          : "; %.*s(...) is called only outside functions",
                     STR_ARG(call));
        } else {
            Str name = node_name(module, function);
            buf_addf(&buf,
                     run->lang == LANG_ZH ? "；'%.*s' 调用了 %.*s(...)，但没有 kernel 到达它"
                                          : "; '%.*s' calls %.*s(...) but no kernel reaches it",
                     STR_ARG(name), STR_ARG(call));
        }
    }
    return buf_str(&buf);
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeId any_call = find_tile_call(file, module_nodes(module, NODE_CALL));
    NodeId helpers[MAX_HELPERS + 1]; /* one more than is shown, so that the list ends with "…" */
    uint32_t helper_count = 0;
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        if (any_call == NO_NODE && helper_count > MAX_HELPERS) {
            break; /* nothing to find, enough to tell */
        }
        NodeList reached = graph_reach(file, run->arena, file->functions_m, file->kernels.ids[i]);
        if ((any_call != NO_NODE && kernel_sets_tiles(file, reached)) ||
            (run->op->plain && may_set_tiles_elsewhere(file, reached))) {
            return;
        }
        for (uint32_t k = 0; k < reached.count && helper_count <= MAX_HELPERS; k++) {
            if (!is_kernel(file, reached.ids[k]) &&
                !list_has(helpers, helper_count, reached.ids[k])) {
                helpers[helper_count++] = reached.ids[k];
            }
        }
    }
    Str names = function_names(run, file, file->kernels);
    Str search = describe_search(run, file, (NodeList){helpers, helper_count}, any_call);
    report(run, STATUS_FAIL, at_node(file, file->kernels.ids[0]),
           "no tile shape is set in %.*s: kernel %.*s reaches neither set_vec_tile_shapes(...) nor "
           "set_cube_tile_shapes(...)%.*s",
           "%.*s 没有设置 tile shape：kernel %.*s 的调用路径上既无 set_vec_tile_shapes(...) 也无 "
           "set_cube_tile_shapes(...)%.*s",
           STR_ARG(pyfile_path(file)), STR_ARG(names), STR_ARG(search));
}

const Rule ol04 = {
    .id = "OL04",
    .name = "missing-tile-shape",
    .order = 4,
    .severity = S1,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL) | IN(SET_TILE),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Call 'pypto.set_vec_tile_shapes(...)' and/or 'pypto.set_cube_tile_shapes(...)' in the "
         "kernel, or in a top-level helper of this file that the kernel calls by its bare name.",
         "在 kernel 中，或在 kernel 以函数名直接调用的本文件顶层辅助函数中，调用 "
         "'pypto.set_vec_tile_shapes(...)' 和/或 'pypto.set_cube_tile_shapes(...)'。"},
    .check_file = check_file,
};
