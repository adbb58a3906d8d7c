/* KS90: a kernel whose name says that it is not finished. A rule as test_additions.py adds one. */
#include "rules/common.h"

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList kernels = file->kernels;
    for (uint32_t i = 0; i < kernels.count; i++) {
        NodeId kernel = kernels.ids[i];
        Str name = node_name(module, kernel);
        if (str_ends(name, STR("_todo"))) {
            report(run, STATUS_FAIL, at_node(file, kernel), "kernel '%.*s' is not finished",
                   "kernel '%.*s' 尚未完成", STR_ARG(name));
        }
    }
}

const Rule ks90 = {
    .id = "KS90",
    .name = "unfinished-kernel",
    .order = 250,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Finish the kernel and rename it.", "完成该 kernel 并改名。"},
    .check_file = check_file,
};
