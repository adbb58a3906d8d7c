/* OL22: a test that does not fix the random seed.
 *
 * A verdict about precision must be reproducible. Looks at the text of `test_<op>.py`, which need
 * not parse; calls that make random tensors only give the place. */
#include "operator/python_facts.h"
#include "rules/common.h"

static bool is_random_call(const Module *module, NodeId call)
{
    static const char *const names[] = {"rand",      "randn",       "randint",      "randperm",
                                        "rand_like", "randn_like",  "randint_like", "normal",
                                        "bernoulli", "multinomial", "poisson"};
    return is_torch_call(module, call, names, sizeof names / sizeof *names);
}

/* The first call of `torch.randn` and the like, or NO_NODE. */
static NodeId first_random_call(const Module *module)
{
    NodeId first = NO_NODE;
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if (is_random_call(module, call) &&
            (first == NO_NODE || node_level_compare(module, call, first) < 0)) {
            first = call;
        }
    }
    return first;
}

static void check(RuleRun *run)
{
    const PyFile *file = test_file(run);
    if (skip_textless(run, file) || str_contains(file->parsed.source.text, STR("manual_seed"))) {
        return;
    }
    const Module *module = pyfile_module(file);
    NodeId call = module == NULL ? NO_NODE : first_random_call(module);
    Str path = pyfile_path(file);
    report(run, STATUS_WARN, call == NO_NODE ? at_file(path) : at_node(file, call),
           "test file %.*s never calls torch.manual_seed: its inputs differ from run to run",
           "测试文件 %.*s 没有调用 torch.manual_seed：每次运行的输入都不同", STR_ARG(path));
}

const Rule ol22 = {
    .id = "OL22",
    .name = "seed-not-fixed",
    .order = 23,
    .severity = S2,
    .dimension = D4,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Call 'torch.manual_seed(42)' before the inputs are made.",
             "在生成输入之前调用 'torch.manual_seed(42)'。"},
    .check = check,
};
