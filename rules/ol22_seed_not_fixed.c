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

/* Puts the seed on a line of its own above the statement with the call; not where that would
 * separate a decorator or an `elif` from what it belongs to. */
static void add_seed(RuleRun *run, const PyFile *file, Finding *finding, NodeId call)
{
    const Module *module = pyfile_module(file);
    NodeId statement = node_statement(module, call);
    Str text = module->source->text;
    uint32_t start = node_at(module, statement)->start, line = start;
    while (line > 0 && (text.at[line - 1] == ' ' || text.at[line - 1] == '\t')) {
        line--;
    }
    bool begins = line == 0 || text.at[line - 1] == '\n' || text.at[line - 1] == '\r';
    bool parts = node_child(module, statement, ROLE_DECORATOR) != NO_NODE ||
                 str_starts(str_slice(text, start, text.length), STR("elif"));
    if (!begins || parts || (line > 1 && text.at[line - 2] == '\\')) {
        return;
    }
    const char *end = line > 1 && text.at[line - 2] == '\r' ? "\r\n" : "\n";
    Str indent = str_slice(text, line, start);
    finding_edit(run, finding, FIX_SUGGEST, start, start,
                 str_format(run->arena, "torch.manual_seed(42)%s%.*s", end, STR_ARG(indent)));
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
    Finding *finding =
        report(run, STATUS_WARN, call == NO_NODE ? at_file(path) : at_node(file, call),
               "test file %.*s never calls torch.manual_seed: its inputs differ from run to run",
               "测试文件 %.*s 没有调用 torch.manual_seed：每次运行的输入都不同", STR_ARG(path));
    if (call != NO_NODE) {
        add_seed(run, file, finding, call);
    }
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
    .fix = FIX_SUGGEST,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Call 'torch.manual_seed(42)' before the inputs are made.",
             "在生成输入之前调用 'torch.manual_seed(42)'。"},
    .check = check,
};
