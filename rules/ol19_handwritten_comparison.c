/* OL19: a test that compares without one of the standard helpers.
 *
 * Hand-written assertions hide NaN, relative errors and the output that is wrong. Looks at every
 * call in `test_<op>.py`; one call of a helper anywhere is enough. A helper that gets the reference
 * first is a warning. */
#include "operator/python_facts.h"
#include "rules/bindings.h"
#include "rules/common.h"
#include "rules/imports.h"

static bool is_helper_name(Str name)
{
    return str_is(name, "assert_allclose") || str_is(name, "detailed_tensor_compare");
}

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

/* --- the repair: the same comparison by assert_allclose */

/* |left - right| <= atol + rtol * |right|, of tensors of torch or arrays. */
typedef struct Closeness {
    NodeId left, right;
    Str rtol, atol;
    bool torch;
} Closeness;

/* Is it a call of `torch.NAME` or `np.NAME` with this name? */
static bool is_library_call(const Module *module, NodeId call, const char *name, bool *torch)
{
    if (!node_is(module, call, NODE_CALL) || !str_is(call_attribute(module, call), name)) {
        return false;
    }
    NodeId owner = attribute_value(module, call_func(module, call));
    *torch = node_is_name(module, owner, STR("torch"));
    return *torch || node_is_name(module, owner, STR("np")) ||
           node_is_name(module, owner, STR("numpy"));
}

/* `torch.allclose(a, b, rtol=…, atol=…)`; both libraries have the same defaults. */
static bool read_allclose(const Module *module, NodeId call, Closeness *found)
{
    static const char *const names[] = {"input", "other", "rtol", "atol"};
    if (!is_library_call(module, call, "allclose", &found->torch)) {
        return false;
    }
    NodeId values[4];
    uint32_t keywords = 0;
    for (uint32_t i = 0; i < 4; i++) {
        NodeId keyword = call_keyword_value(module, call, names[i]);
        values[i] = i < node_count(module, call, ROLE_ARG) ? call_arg(module, call, i) : keyword;
        keywords += keyword != NO_NODE;
        if (values[i] != NO_NODE && node_is(module, values[i], NODE_STARRED)) {
            return false;
        }
    }
    found->left = values[0];
    found->right = values[1];
    found->rtol = values[2] == NO_NODE ? STR("1e-05") : node_text(module, values[2]);
    found->atol = values[3] == NO_NODE ? STR("1e-08") : node_text(module, values[3]);
    return values[0] != NO_NODE && values[1] != NO_NODE &&
           node_count(module, call, ROLE_ARG) <= 4 &&
           node_count(module, call, ROLE_KEYWORD) == keywords;
}

/* The operand of `x.NAME()`, `torch.NAME(x)` or `np.NAME(x)`, else NO_NODE. Arrays have no `abs()`:
 * what has one is a tensor. */
static NodeId operand_of(const Module *module, NodeId call, const char *name, bool *torch)
{
    bool library;
    if (!node_is(module, call, NODE_CALL) || node_count(module, call, ROLE_KEYWORD) > 0) {
        return NO_NODE;
    }
    uint32_t count = node_count(module, call, ROLE_ARG);
    if (is_library_call(module, call, name, &library)) {
        *torch = library;
        return count == 1 ? call_arg(module, call, 0) : NO_NODE;
    }
    bool method = str_is(call_attribute(module, call), name) && count == 0;
    return method ? attribute_value(module, call_func(module, call)) : NO_NODE;
}

/* `(a - b).abs().max() < limit`, with or without `.item()`. */
static bool read_maximum(const Module *module, NodeId compare, Closeness *found)
{
    NodeId limit = node_child(module, compare, ROLE_COMPARATOR);
    NodeId side = node_child(module, compare, ROLE_LEFT);
    if (!node_is(module, compare, NODE_COMPARE) || node_next(module, limit) != NO_NODE ||
        !str_contains(
            source_slice(module->source, node_at(module, side)->end, node_at(module, limit)->start),
            STR("<"))) {
        return false;
    }
    bool unused;
    NodeId inner = operand_of(module, side, "item", &unused);
    side = inner != NO_NODE ? inner : side;
    found->torch = true;
    side = operand_of(module, side, "max", &unused);
    side = operand_of(module, side, "abs", &found->torch);
    if (!node_is(module, side, NODE_BIN_OP) || node_at(module, side)->op != OPERATOR_SUB) {
        return false;
    }
    found->left = node_child(module, side, ROLE_LEFT);
    found->right = node_child(module, side, ROLE_RIGHT);
    found->rtol = STR("0");
    found->atol = node_text(module, limit);
    return true;
}

static void add_operand(Buf *out, const Module *module, NodeId operand, bool torch)
{
    bool tight = node_is(module, operand, NODE_NAME) || node_is(module, operand, NODE_CALL) ||
                 node_is(module, operand, NODE_ATTRIBUTE) ||
                 node_is(module, operand, NODE_SUBSCRIPT);
    buf_addf(out, tight || !torch ? "%.*s" : "(%.*s)", STR_ARG(node_text(module, operand)));
    buf_add(out, torch ? STR(".detach().cpu().double().numpy()") : STR(""));
}

/* One assert, where it has one of the two forms. NaN equals nothing, as before. */
static bool replace_assert(RuleRun *run, Finding *finding, const Module *module, NodeId assertion,
                           Str numpy)
{
    Closeness found = {0};
    NodeId test = node_child(module, assertion, ROLE_TEST);
    NodeId message = node_child(module, assertion, ROLE_MSG);
    bool text =
        node_is(module, message, NODE_JOINED_STR) ||
        (node_is(module, message, NODE_CONSTANT) && node_at(module, message)->op == CONSTANT_STR);
    if (str_contains(node_text(module, assertion), STR("#")) || (message != NO_NODE && !text) ||
        !(read_allclose(module, test, &found) || read_maximum(module, test, &found))) {
        return false;
    }
    Buf out = {.arena = run->arena};
    buf_addf(&out, "%.*s.testing.assert_allclose(", STR_ARG(numpy));
    add_operand(&out, module, found.left, found.torch);
    buf_add(&out, STR(", "));
    add_operand(&out, module, found.right, found.torch);
    buf_addf(&out, ", rtol=%.*s, atol=%.*s, equal_nan=False", STR_ARG(found.rtol),
             STR_ARG(found.atol));
    if (message != NO_NODE) {
        buf_addf(&out, ", err_msg=%.*s", STR_ARG(node_text(module, message)));
    }
    buf_add_char(&out, ')');
    finding_edit(run, finding, FIX_SUGGEST, node_at(module, assertion)->start,
                 node_at(module, assertion)->end, buf_str(&out));
    return true;
}

static bool replace_asserts(RuleRun *run, Finding *finding, const Module *module)
{
    Str known = package_name(module, "numpy");
    Str numpy = known.length > 0 ? known : STR("np");
    NameTable names = {.arena = run->arena};
    const NameUse *use = name_table_add(&names, numpy);
    name_table_scan(&names, module);
    if (use->bindings != (known.length > 0 ? 1 : 0)) {
        return false;
    }
    bool any = false;
    NodeList asserts = module_nodes(module, NODE_ASSERT);
    for (uint32_t i = 0; i < asserts.count; i++) {
        any = replace_assert(run, finding, module, asserts.ids[i], numpy) || any;
    }
    if (any && known.length == 0) {
        uint32_t at;
        Str line = import_insertion(run->arena, module, STR("import numpy as np"), &at);
        finding_edit(run, finding, FIX_SUGGEST, at, at, line);
    }
    return any;
}

/* `from numpy.testing import assert_allclose as close`: the helper gets its own name. */
static void rename_helper(RuleRun *run, Finding *finding, const Module *module)
{
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        Str name = node_name(module, aliases.ids[i]), bound = alias_asname(module, aliases.ids[i]);
        bool from = node_is(module, node_at(module, aliases.ids[i])->parent, NODE_IMPORT_FROM);
        if (!from || bound.length == 0 || !is_helper_name(name)) {
            continue;
        }
        NameTable names = {.arena = run->arena};
        const NameUse *use = name_table_add(&names, bound);
        const NameUse *own = name_table_add(&names, name);
        name_table_scan(&names, module);
        if (use->bindings != 1 || use->quoted > 0 || own->bindings > 0 || own->loads.count > 0 ||
            use->loads.count == 0) {
            continue;
        }
        finding_edit(run, finding, FIX_SUGGEST, node_at(module, aliases.ids[i])->start,
                     node_at(module, aliases.ids[i])->end, name);
        for (uint32_t k = 0; k < use->loads.count; k++) {
            const Node *load = node_at(module, use->loads.items[k]);
            finding_edit(run, finding, FIX_SUGGEST, load->start, load->end, name);
        }
        return;
    }
}

/* --- the order of what is compared */

typedef enum Origin { ORIGIN_UNKNOWN, ORIGIN_GOLDEN, ORIGIN_WRAPPER } Origin;

/* What a name is bound to in its function, where it is bound once and plainly; else NO_NODE. */
static NodeId bound_once(const Module *module, NodeId use)
{
    NodeId function = node_function(module, use), value = NO_NODE;
    NodeList names = nodes_in(module, function == NO_NODE ? 0 : function, NODE_NAME);
    uint32_t count = 0;
    for (uint32_t i = 0; i < names.count; i++) {
        if (str_equal(node_name(module, names.ids[i]), node_name(module, use)) &&
            is_store(module, names.ids[i])) {
            Str name;
            bool plain =
                plain_assignment(module, node_statement(module, names.ids[i]), &name, &value);
            value = plain ? value : NO_NODE;
            count++;
        }
    }
    return count == 1 ? value : NO_NODE;
}

static Origin origin_of(const RuleRun *run, const Module *module, NodeId expression)
{
    static const char *const kept[] = {"numpy", "cpu",   "float",      "double", "detach",
                                       "to",    "clone", "contiguous", "flatten"};
    enum { STEPS = 16 };
    Str golden = str_format(run->arena, "%.*s_golden", STR_ARG(run->op->name));
    Str wrapper = str_format(run->arena, "%.*s_wrapper", STR_ARG(run->op->name));
    for (int step = 0; step < STEPS && expression != NO_NODE; step++) {
        if (node_is(module, expression, NODE_NAME)) {
            expression = bound_once(module, expression);
            continue;
        }
        if (!node_is(module, expression, NODE_CALL)) {
            return ORIGIN_UNKNOWN;
        }
        Str method = call_attribute(module, expression);
        Str name = method.length > 0 ? method : call_name(module, expression);
        if (str_equal(name, golden) || str_equal(name, wrapper)) {
            return str_equal(name, golden) ? ORIGIN_GOLDEN : ORIGIN_WRAPPER;
        }
        bool keeps = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            keeps = keeps || str_is(method, kept[i]);
        }
        expression = keeps ? attribute_value(module, call_func(module, expression)) : NO_NODE;
    }
    return ORIGIN_UNKNOWN;
}

static void check_order(RuleRun *run, const PyFile *file)
{
    enum { CALLS = 64 }; /* each looks through its function */
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    uint32_t looked_at = 0;
    for (uint32_t i = 0; i < calls.count && looked_at < CALLS; i++) {
        Str method = call_attribute(module, calls.ids[i]);
        Str name = method.length > 0 ? method : call_name(module, calls.ids[i]);
        if (!is_helper_name(name)) {
            continue;
        }
        looked_at++;
        NodeId first = call_arg(module, calls.ids[i], 0),
               second = call_arg(module, calls.ids[i], 1);
        if (first == NO_NODE || second == NO_NODE ||
            origin_of(run, module, first) != ORIGIN_GOLDEN ||
            origin_of(run, module, second) != ORIGIN_WRAPPER) {
            continue;
        }
        Finding *finding = report(
            run, STATUS_WARN, at_focus(file, calls.ids[i], first),
            "%.*s gets the reference first, but takes its tolerance from the second argument",
            "%.*s 的第一个参数是参考值，而容差按第二个参数计算", STR_ARG(name));
        finding_hint(run, finding, "Give the result of the wrapper first, then that of the golden.",
                     "先写 wrapper 的结果，再写 golden 的结果。");
        Str texts[] = {node_text(module, first), node_text(module, second)};
        finding_edit(run, finding, FIX_SUGGEST, node_at(module, first)->start,
                     node_at(module, first)->end, texts[1]);
        finding_edit(run, finding, FIX_SUGGEST, node_at(module, second)->start,
                     node_at(module, second)->end, texts[0]);
    }
}

/* --- the check */

static void check(RuleRun *run)
{
    const PyFile *file = test_file(run);
    if (skip_unparsed(run, file)) {
        return;
    }
    if (calls_helper(file)) {
        if (!run->op->upstream) {
            check_order(run, file);
        }
        return;
    }
    NodeId assertion = first_handwritten(pyfile_module(file));
    Str path = pyfile_path(file);
    Finding *finding =
        report(run, STATUS_FAIL, assertion == NO_NODE ? at_file(path) : at_node(file, assertion),
               "test file %.*s calls neither detailed_tensor_compare nor assert_allclose",
               "测试文件 %.*s 既没有调用 detailed_tensor_compare 也没有调用 assert_allclose",
               STR_ARG(path));
    finding_take_source(finding, &file->parsed.source);
    if (!replace_asserts(run, finding, pyfile_module(file))) {
        rename_helper(run, finding, pyfile_module(file));
    }
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
    .fix = FIX_SUGGEST,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Compare every output with numpy.testing.assert_allclose(actual, expected, "
             "rtol=..., atol=...), or with detailed_tensor_compare where your project has that "
             "helper. Call it by this name: an alias is not recognised.",
             "用 numpy.testing.assert_allclose(actual, expected, rtol=..., atol=...) "
             "比较每个输出；项目提供 detailed_tensor_compare "
             "时也可以使用它。请用原名调用：别名不会被识别。"},
    .check = check,
};
