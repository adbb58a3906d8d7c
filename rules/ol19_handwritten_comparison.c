/* OL19: a test that compares without one of the standard helpers.
 *
 * Hand-written assertions hide NaN, relative errors and the output that is wrong. Looks at every
 * call in `test_<op>.py`; one call of a helper anywhere is enough. */
#include "operator/python_facts.h"
#include "rules/common.h"

static bool is_helper_callee(const PyFile *file, NodeId call)
{
    return callee_mentions(file, call, "assert_allclose", false) ||
           callee_mentions(file, call, "detailed_tensor_compare", false);
}

/* A call inside a callee is read together with it: each node once, however calls are chained. */
static bool calls_helper(const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    NodeId seen = 0;
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if (call < seen) {
            continue;
        }
        seen = node_at(module, call_func(module, call))->subtree_end;
        if (is_helper_callee(file, call)) {
            return true;
        }
    }
    return false;
}

/* Is there a `<` or `>` between two operands? Only brackets, white space, comments and the
 * operator stand there. */
static bool orders(Str between)
{
    bool comment = false;
    for (size_t i = 0; i < between.length; i++) {
        char c = between.at[i];
        if (c == '#') {
            comment = true;
        } else if (c == '\n' || c == '\r') {
            comment = false;
        } else if (!comment && (c == '<' || c == '>')) {
            return true;
        }
    }
    return false;
}

static bool is_ordering(const Module *module, NodeId compare)
{
    NodeId left = node_child(module, compare, ROLE_LEFT);
    NodeId right = node_child(module, compare, ROLE_COMPARATOR);
    for (; right != NO_NODE; left = right, right = node_next(module, right)) {
        uint32_t from = node_at(module, left)->end, to = node_at(module, right)->start;
        if (orders(source_slice(module->source, from, to))) {
            return true;
        }
    }
    return false;
}

/* Does the assert compare numbers by hand: an ordering, `.all()` or `allclose(…)`? */
static bool is_handwritten(const Module *module, NodeId assertion)
{
    NodeList compares = nodes_in(module, assertion, NODE_COMPARE);
    for (uint32_t i = 0; i < compares.count; i++) {
        if (is_ordering(module, compares.ids[i])) {
            return true;
        }
    }
    NodeList calls = nodes_in(module, assertion, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str attribute = call_attribute(module, calls.ids[i]);
        if (str_is(attribute, "all") || str_is(attribute, "allclose") ||
            str_is(call_name(module, calls.ids[i]), "allclose")) {
            return true;
        }
    }
    return false;
}

static NodeId first_handwritten(const Module *module)
{
    NodeId first = NO_NODE;
    NodeList asserts = module_nodes(module, NODE_ASSERT);
    for (uint32_t i = 0; i < asserts.count; i++) {
        NodeId id = asserts.ids[i];
        if ((first == NO_NODE || node_level_compare(module, id, first) < 0) &&
            is_handwritten(module, id)) {
            first = id;
        }
    }
    return first;
}

static void check(RuleRun *run)
{
    const PyFile *file = test_file(run);
    if (skip_unparsed(run, file) || calls_helper(file)) {
        return;
    }
    NodeId assertion = first_handwritten(pyfile_module(file));
    Str path = pyfile_path(file);
    report(run, STATUS_FAIL, assertion == NO_NODE ? at_file(path) : at_node(file, assertion),
           "test file %.*s calls neither detailed_tensor_compare nor assert_allclose",
           "测试文件 %.*s 既没有调用 detailed_tensor_compare 也没有调用 assert_allclose",
           STR_ARG(path));
}

const Rule ol19 = {
    .id = "OL19",
    .name = "handwritten-comparison",
    .order = 20,
    .severity = S1,
    .dimension = D4,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Compare every output with numpy.testing.assert_allclose(actual, expected, "
             "rtol=..., atol=...), or with detailed_tensor_compare where your project has that "
             "helper. Call it by this name: an alias is not recognised.",
             "用 numpy.testing.assert_allclose(actual, expected, rtol=..., atol=...) "
             "比较每个输出；项目提供 detailed_tensor_compare "
             "时也可以使用它。请用原名调用：别名不会被识别。"},
    .check = check,
};
