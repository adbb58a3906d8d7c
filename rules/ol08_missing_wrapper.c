/* OL08: an implementation file without a wrapper function.
 *
 * Tests and users import the entry by its `_wrapper` name. Looks for a plain def at module level
 * whose name ends in `_wrapper`, in each parsed implementation file. */
#include "rules/common.h"

/* "rowscale_module12_wrapper" for a module file of the operator, else "rowscale_wrapper". */
static Str expected_name(RuleRun *run, const PyFile *file)
{
    Str op = run->op->name, base = path_basename(pyfile_path(file));
    Str prefix = str_format(run->arena, "%.*s_module", STR_ARG(op));
    Str ending = STR(IMPL_END);
    if (str_starts(base, prefix) && str_ends(base, ending) &&
        base.length >= prefix.length + ending.length) {
        Str stem = str_slice(base, 0, base.length - ending.length);
        return str_format(run->arena, "%.*s_wrapper", STR_ARG(stem));
    }
    return str_format(run->arena, "%.*s_wrapper", STR_ARG(op));
}

static bool is_candidate_name(Str name)
{
    return str_starts(name, STR("launch_")) || str_starts(name, STR("run_")) ||
           str_is(name, "host_wrapper");
}

/* Top-level functions that look like the wrapper meant; the last top-level function in `*last`. */
static NodeList find_candidates(RuleRun *run, const Module *module, NodeId *last)
{
    VEC(NodeId) found = {0};
    *last = NO_NODE;
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_FUNCTION_DEF) ||
            node_is(module, id, NODE_ASYNC_FUNCTION_DEF)) {
            *last = id;
            if (is_candidate_name(node_name(module, id))) {
                VEC_PUSH(run->arena, &found, id);
            }
        }
    }
    return (NodeList){found.items, found.count};
}

static void check_file(RuleRun *run, const PyFile *file)
{
    if (file->wrappers.count > 0) {
        return;
    }
    NodeId last;
    NodeList candidates = find_candidates(run, pyfile_module(file), &last);
    Place place = at_first_line(file);
    if (file->kernels.count > 0) {
        place = at_node(file, file->kernels.ids[0]);
    } else if (last != NO_NODE) {
        place = at_node(file, last);
    }
    Str expected = expected_name(run, file), path = pyfile_path(file);
    if (candidates.count == 0) {
        report(run, STATUS_FAIL, place,
               "%.*s has no wrapper: expected 'def %.*s(...)' at module level",
               "%.*s 没有 wrapper：模块顶层应有 'def %.*s(...)'", STR_ARG(path), STR_ARG(expected));
        return;
    }
    Str names = function_names(run, file, candidates);
    report(run, STATUS_FAIL, place,
           "%.*s has no wrapper: expected 'def %.*s(...)' at module level; probably meant: %.*s",
           "%.*s 没有 wrapper：模块顶层应有 'def %.*s(...)'；可能是想用：%.*s", STR_ARG(path),
           STR_ARG(expected), STR_ARG(names));
}

const Rule ol08 = {
    .id = "OL08",
    .name = "missing-wrapper",
    .order = 8,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_PARSED,
    .hint = {"Provide 'def <op>_wrapper(...)' at module level (module files: 'def "
             "<op>_module<suffix>_wrapper(...)'); a plain def, not a method or an async def.",
             "在模块顶层提供 'def <op>_wrapper(...)'（模块文件为 'def "
             "<op>_module<suffix>_wrapper(...)'），"
             "必须是普通 def，不能是方法或 async def。"},
    .check_file = check_file,
};
