/* OL17: a JIT kernel in the test file.
 *
 * What the test runs is then not what is delivered. Looks at `test_<op>.py` only. */
#include "rules/common.h"

static void check(RuleRun *run)
{
    const PyFile *file = test_file(run);
    if (skip_unparsed(run, file)) {
        return;
    }
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        NodeId kernel = file->kernels.ids[i];
        Str name = node_name(pyfile_module(file), kernel);
        report(run, STATUS_FAIL, at_node(file, kernel),
               "test file %.*s defines the JIT kernel '%.*s'",
               "测试文件 %.*s 定义了 JIT kernel '%.*s'", STR_ARG(pyfile_path(file)), STR_ARG(name));
    }
}

const Rule ol17 = {
    .id = "OL17",
    .name = "kernel-in-test",
    .order = 18,
    .severity = S1,
    .dimension = D3,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Move the kernel to the implementation file and import its wrapper in the test.",
             "把 kernel 移到实现文件，并在测试中导入其 wrapper。"},
    .check = check,
};
