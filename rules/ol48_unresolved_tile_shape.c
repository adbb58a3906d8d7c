/* OL48: tile sizes that are not compile-time integers, and cube axes that are not a pair
 * [L0, L1] with L0 dividing L1.
 *
 * Looks at calls of pypto.set_vec_tile_shapes and set_cube_tile_shapes inside JIT kernels. Names
 * are resolved through the assignments of the module and, above the call, of the kernel. In plain
 * code only symbols are reported: the workflow wants literals, the product integers. */
#include "rules/bindings.h"
#include "rules/common.h"
#include "rules/symbolic.h"

/* Names followed in one chain; more do not resolve, which also ends cycles. */
enum { MAX_NAMES = 9, CUBE_AXES = 3 };

static const char *const axis_names[CUBE_AXES] = {"m", "k", "n"};

typedef enum Failure {
    RESOLVES,
    FAILS_UNKNOWN,
    FAILS_PARAMETER,
    FAILS_SHAPE,
    FAILS_CHAIN,
    FAILS_SEQUENCE,
    FAILS_EXPRESSION,
    FAILS_SYMBOL,
} Failure;

static const Text failure_text[] = {
    [RESOLVES] = {"", ""},
    [FAILS_UNKNOWN] = {"has no constant assignment above the call", "在调用之前没有常量赋值"},
    [FAILS_PARAMETER] = {"is a parameter of the kernel", "是 kernel 的参数"},
    [FAILS_SHAPE] = {"is read from a shape", "取自 shape"},
    [FAILS_CHAIN] = {"is assigned through too long a chain of names, or a cycle",
                     "的赋值链过长或成环"},
    [FAILS_SEQUENCE] = {"is a tuple, list or unpacking, not one integer",
                        "是元组、列表或解包，而不是单个整数"},
    [FAILS_SYMBOL] = {"is known only on the device", "在设备上才可知"},
    [FAILS_EXPRESSION] = {"is an expression, not an integer literal", "是表达式，而不是整数字面量"},
};

/* The look-up tables of the kernel at work. */
typedef struct Scope {
    RuleRun *run;
    const PyFile *file;
    NodeId kernel;
    bool has_locals, has_symbols;
    Bindings globals, locals;
    Symbolic symbols; /* of plain code */
} Scope;

static void collect_globals(Scope *scope)
{
    const Module *module = pyfile_module(scope->file);
    for (NodeId id = node_first(module, 0); id != NO_NODE; id = node_sibling(module, id)) {
        Str name;
        NodeId value;
        if (plain_assignment(module, id, &name, &value)) {
            bindings_add(&scope->globals, scope->run->arena, module, name, node_line(module, id),
                         id, value);
        }
    }
    bindings_sort(&scope->globals);
}

static void collect_locals(Scope *scope)
{
    static const NodeKind kinds[] = {NODE_ASSIGN, NODE_ANN_ASSIGN};
    const Module *module = pyfile_module(scope->file);
    scope->locals = (Bindings){0};
    scope->has_locals = true;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList list = nodes_in(module, scope->kernel, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            Str name;
            NodeId value;
            if (plain_assignment(module, list.ids[i], &name, &value)) {
                bindings_add(&scope->locals, scope->run->arena, module, name,
                             node_line(module, list.ids[i]), list.ids[i], value);
            }
        }
    }
    bindings_sort(&scope->locals);
}

static const Binding *look_up(Scope *scope, Str name, uint32_t line)
{
    if (!scope->has_locals) {
        collect_locals(scope);
    }
    const Binding *local = bindings_last(&scope->locals, name, line);
    return local != NULL ? local : bindings_last(&scope->globals, name, UINT32_MAX);
}

static bool is_int_literal(const Module *module, NodeId id, bool with_bool)
{
    if (!node_is(module, id, NODE_CONSTANT)) {
        return false;
    }
    uint8_t kind = node_at(module, id)->op;
    return kind == CONSTANT_INT || (with_bool && (kind == CONSTANT_TRUE || kind == CONSTANT_FALSE));
}

/* Is the name any parameter of the innermost kernel around the call? */
static bool is_parameter(const PyFile *file, NodeId call, Str name)
{
    const Module *module = pyfile_module(file);
    NodeId kernel = kernel_around(file, call);
    NodeId arguments = kernel == NO_NODE ? NO_NODE : function_arguments(module, kernel);
    NodeId arg = arguments == NO_NODE ? NO_NODE : node_first(module, arguments);
    for (; arg != NO_NODE; arg = node_sibling(module, arg)) {
        if (node_is(module, arg, NODE_ARG) && str_equal(node_name(module, arg), name)) {
            return true;
        }
    }
    return false;
}

static Failure classify(const Module *module, NodeId value)
{
    switch (node_kind(module, value)) {
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_STARRED:
        return FAILS_SEQUENCE;
    default:
        break;
    }
    while (node_is(module, value, NODE_SUBSCRIPT) || node_is(module, value, NODE_ATTRIBUTE)) {
        if (node_is(module, value, NODE_ATTRIBUTE) && str_is(node_name(module, value), "shape")) {
            return FAILS_SHAPE;
        }
        value = node_first(module, value);
    }
    return FAILS_EXPRESSION;
}

/* Why `value` of a call does not resolve. `*bound` gets the expression at the end of the chain of
 * names when there is a chain, else NO_NODE. */
static Failure resolve(Scope *scope, NodeId call, NodeId value, NodeId *bound)
{
    const Module *module = pyfile_module(scope->file);
    uint32_t line = node_line(module, call);
    *bound = NO_NODE;
    for (int followed = 0; node_is(module, value, NODE_NAME); followed++) {
        if (followed == MAX_NAMES) {
            return FAILS_CHAIN;
        }
        Str name = node_name(module, value);
        const Binding *binding = look_up(scope, name, line);
        if (binding == NULL) {
            return is_parameter(scope->file, call, name) ? FAILS_PARAMETER : FAILS_UNKNOWN;
        }
        value = binding->node;
        *bound = value;
    }
    return is_int_literal(module, value, true) ? RESOLVES : classify(module, value);
}

static bool is_integer_pair(const Module *module, NodeId sequence)
{
    return node_count(module, sequence, ROLE_ELT) == 2 &&
           is_int_literal(module, node_nth(module, sequence, ROLE_ELT, 0), false) &&
           is_int_literal(module, node_nth(module, sequence, ROLE_ELT, 1), false);
}

/* An axis written `(64, 128)`: offers the list. */
static void offer_list(RuleRun *run, Finding *finding, const Module *module, NodeId tuple)
{
    const Node *node = node_at(module, tuple);
    if (is_integer_pair(module, tuple) && node->end - node->start >= 2 &&
        module->source->text.at[node->start] == '(') {
        finding_edit(run, finding, FIX_SUGGEST, node->start, node->start + 1, STR("["));
        finding_edit(run, finding, FIX_SUGGEST, node->end - 1, node->end, STR("]"));
    }
}

/* The value of arithmetic between integers and names that stand for such, `depth` levels deep at
 * most. False for all else. */
static bool computed(Scope *scope, NodeId call, NodeId value, int depth, int64_t *number)
{
    enum { MOST = 1 << 24 }; /* no tile is larger; nothing overflows on the way */
    const Module *module = pyfile_module(scope->file);
    int64_t left, right;
    if (depth == 0) {
        return false;
    }
    if (node_int(module, value, true, number)) {
        return *number <= MOST;
    }
    if (node_is(module, value, NODE_NAME)) {
        const Binding *binding = look_up(scope, node_name(module, value), node_line(module, call));
        return binding != NULL && computed(scope, call, binding->node, depth - 1, number);
    }
    if (!node_is(module, value, NODE_BIN_OP) ||
        !computed(scope, call, node_child(module, value, ROLE_LEFT), depth - 1, &left) ||
        !computed(scope, call, node_child(module, value, ROLE_RIGHT), depth - 1, &right)) {
        return false;
    }
    switch (node_at(module, value)->op) {
    case OPERATOR_ADD:
        *number = left + right;
        break;
    case OPERATOR_SUB:
        *number = left - right;
        break;
    case OPERATOR_MULT:
        *number = left * right;
        break;
    case OPERATOR_FLOOR_DIV:
        *number = right > 0 ? left / right : 0;
        break;
    default:
        return false;
    }
    return *number > 0 && *number <= MOST;
}

/* `2 * 64`, or a name that stands for it: offers the number. */
static void offer_number(Scope *scope, Finding *finding, NodeId call, NodeId value)
{
    int64_t number;
    const Node *node = node_at(pyfile_module(scope->file), value);
    if (computed(scope, call, value, MAX_NAMES, &number)) {
        finding_edit(scope->run, finding, FIX_SUGGEST, node->start, node->end,
                     str_format(scope->run->arena, "%lld", (long long)number));
    }
}

static bool is_symbol(Scope *scope, NodeId value)
{
    if (!scope->has_symbols) {
        scope->has_symbols = true;
        symbolic_begin(&scope->symbols, scope->run->arena, scope->file, scope->kernel);
    }
    return is_surely_symbolic(&scope->symbols, value);
}

static void check_value(Scope *scope, NodeId call, NodeId value, bool is_axis)
{
    RuleRun *run = scope->run;
    const Module *module = pyfile_module(scope->file);
    NodeId bound;
    Failure failure = resolve(scope, call, value, &bound);
    if (failure != RESOLVES && run->op->plain) {
        /* Any integer will do, and the rules KS judge it: only a symbol is surely wrong. */
        failure = is_symbol(scope, value) ? FAILS_SYMBOL : RESOLVES;
        bound = NO_NODE;
    }
    if (failure == RESOLVES) {
        return;
    }
    Str kernel = node_name(module, kernel_around(scope->file, call));
    Str text = excerpt(run, scope->file, value), api = call_attribute(module, call);
    Str reason = str_from(text_in(run->lang, failure_text[failure]));
    if (bound != NO_NODE && failure != FAILS_UNKNOWN && failure != FAILS_PARAMETER &&
        failure != FAILS_CHAIN) {
        Str source = excerpt(run, scope->file, bound);
        Text format = {"comes from %.*s", "来自 %.*s"};
        reason = str_format(run->arena, text_in(run->lang, format), STR_ARG(source));
    }
    Finding *finding = report(
        run, STATUS_FAIL, at_focus(scope->file, call, value),
        "tile size must be a compile-time integer, but '%.*s' %.*s (pypto.%.*s in kernel '%.*s')",
        "tile 尺寸必须是编译期整数，但 '%.*s' %.*s（pypto.%.*s，kernel '%.*s'）", STR_ARG(text),
        STR_ARG(reason), STR_ARG(api), STR_ARG(kernel));
    if (bound != NO_NODE) {
        Str source = excerpt(run, scope->file, bound);
        finding_related(run, finding, at_node(scope->file, bound), "its value comes from %.*s",
                        "其值来自 %.*s", STR_ARG(source));
    }
    if (is_axis && node_is(module, value, NODE_TUPLE)) {
        offer_list(run, finding, module, value);
    } else {
        offer_number(scope, finding, call, value);
    }
}

static void check_values(Scope *scope, NodeId call, bool is_cube)
{
    const Module *module = pyfile_module(scope->file);
    NodeId arg = node_child(module, call, ROLE_ARG);
    for (int place = 0; arg != NO_NODE; arg = node_next(module, arg), place++) {
        if (!node_is(module, arg, NODE_LIST)) {
            check_value(scope, call, arg, is_cube && place < CUBE_AXES);
            continue;
        }
        for (NodeId item = node_child(module, arg, ROLE_ELT); item != NO_NODE;
             item = node_next(module, item)) {
            check_value(scope, call, item, false);
        }
    }
}

/* The sizes of an axis given as a list literal. */
static void check_axis(Scope *scope, NodeId call, const char *axis, NodeId list)
{
    RuleRun *run = scope->run;
    const Module *module = pyfile_module(scope->file);
    Place place = at_focus(scope->file, call, list);
    Str kernel = node_name(module, kernel_around(scope->file, call));
    uint32_t length = node_count(module, list, ROLE_ELT);
    if (run->op->plain && length == 3 && strcmp(axis, "k") == 0) {
        return; /* [L0, L1a, L1b]: KS07 judges it */
    }
    if (length != 2) {
        report(run, STATUS_FAIL, place,
               "cube axis %s of kernel '%.*s' must be a list of 2 elements [L0, L1], it has %u",
               "cube 轴 %s（kernel '%.*s'）必须是 2 元素列表 [L0, L1]，实际长度为 %u", axis,
               STR_ARG(kernel), length);
        return;
    }
    if (!is_integer_pair(module, list)) {
        return;
    }
    int64_t l0 = 0, l1 = 0;
    node_int(module, node_nth(module, list, ROLE_ELT, 0), true, &l0);
    node_int(module, node_nth(module, list, ROLE_ELT, 1), true, &l1);
    if (l0 <= 0 || l1 <= 0) {
        report(run, STATUS_FAIL, place,
               "cube axis %s of kernel '%.*s' has a size that is not positive: [%lld, %lld]",
               "cube 轴 %s（kernel '%.*s'）含非正的尺寸：[%lld, %lld]", axis, STR_ARG(kernel),
               (long long)l0, (long long)l1);
        return;
    }
    if (l0 > l1) {
        report(run, STATUS_FAIL, place,
               "cube axis %s of kernel '%.*s' breaks %sL0 <= %sL1: [%lld, %lld]",
               "cube 轴 %s（kernel '%.*s'）不满足 %sL0 <= %sL1：[%lld, %lld]", axis,
               STR_ARG(kernel), axis, axis, (long long)l0, (long long)l1);
    }
    if (l1 % l0 != 0) {
        report(run, STATUS_FAIL, place,
               "cube axis %s of kernel '%.*s': L0 does not divide L1, %lld %% %lld = %lld",
               "cube 轴 %s（kernel '%.*s'）：L1 不是 L0 的整数倍，%lld %% %lld = %lld", axis,
               STR_ARG(kernel), (long long)l1, (long long)l0, (long long)(l1 % l0));
    }
}

static void check_axes(Scope *scope, NodeId call)
{
    const Module *module = pyfile_module(scope->file);
    for (uint32_t i = 0; i < CUBE_AXES; i++) {
        NodeId axis = call_arg(module, call, i);
        if (axis == NO_NODE) {
            axis = call_keyword_value(module, call, axis_names[i]);
        }
        if (node_is(module, axis, NODE_LIST)) {
            check_axis(scope, call, axis_names[i], axis);
        }
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    Scope scope = {.run = run, .file = file};
    collect_globals(&scope);
    for (uint32_t k = 0; k < file->kernels.count; k++) {
        scope.kernel = file->kernels.ids[k];
        scope.has_locals = scope.has_symbols = false;
        NodeList calls = nodes_in(module, scope.kernel, NODE_CALL);
        for (uint32_t i = 0; i < calls.count; i++) {
            Str api = pypto_call(file, calls.ids[i]);
            bool is_cube = str_is(api, "set_cube_tile_shapes");
            if (!is_cube && !str_is(api, "set_vec_tile_shapes")) {
                continue;
            }
            check_values(&scope, calls.ids[i], is_cube);
            if (is_cube) {
                check_axes(&scope, calls.ids[i]);
            }
        }
    }
}

const Rule ol48 = {
    .id = "OL48",
    .name = "tile-not-constant",
    .order = 44,
    .severity = S0,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL) | IN(SET_TILE),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Use integer literals, or names assigned from integer literals above the call; write "
             "cube axes as [L0, L1] with 0 < L0 <= L1 and L1 a multiple of L0.",
             "使用整数字面量，或在调用之前由整数字面量赋值的名字；cube 轴写成 [L0, L1]，满足 "
             "0 < L0 <= L1 且 L1 是 L0 的整数倍。"},
    .check_file = check_file,
};
