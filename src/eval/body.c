/* Reports what a kernel's body and signature cannot contain. */
#include "base/ascii.h"
#include "eval/advice.h"

typedef struct Construct {
    const char *text;
    NodeKind kind;
    bool in_92; /* the front end of 9.2 accepts it */
} Construct;

static const Construct constructs[] = {
    {"while", NODE_WHILE, true},
    {"break", NODE_BREAK, true},
    {"continue", NODE_CONTINUE, true},
    {"def", NODE_FUNCTION_DEF, true},
    {"async def", NODE_ASYNC_FUNCTION_DEF, false},
    {"class", NODE_CLASS_DEF, false},
    {"with", NODE_WITH, false},
    {"async with", NODE_ASYNC_WITH, false},
    {"async for", NODE_ASYNC_FOR, false},
    {"try", NODE_TRY, false},
    {"try", NODE_TRY_STAR, false},
    {"import", NODE_IMPORT, false},
    {"from … import", NODE_IMPORT_FROM, false},
    {"global", NODE_GLOBAL, false},
    {"nonlocal", NODE_NONLOCAL, false},
    {"match", NODE_MATCH, false},
    {":=", NODE_NAMED_EXPR, false},
    {"return", NODE_RETURN, false},
    {"raise", NODE_RAISE, false},
    {"yield", NODE_YIELD, false},
};

/* The product's error code for such a statement: the new front end raises what `raise` names, and
 * Python's own errors for the rest. */
static uint32_t code_of_statement(Eval *eval, NodeId node, NodeKind kind)
{
    bool newest = eval_newer(eval) == NEWER_FINE;
    if (kind == NODE_RAISE) {
        return newest ? advice_code(eval, node) : 0xF00005;
    }
    bool returns = kind == NODE_RETURN || (kind == NODE_FUNCTION_DEF &&
                                           nodes_in(eval->module, node, NODE_RETURN).count > 0);
    return newest ? 0xF0FFFF : returns ? 0xF00002 : 0xF00005;
}

/* `while True` without a way out: the product would walk it forever. */
static bool never_ends(Eval *eval, NodeId node)
{
    static const NodeKind ways_out[] = {NODE_BREAK, NODE_RETURN, NODE_RAISE, NODE_ASSERT};
    const Module *module = eval->module;
    NodeId test = node_child(module, node, ROLE_TEST);
    if (!node_is(module, test, NODE_CONSTANT) || eval_node(eval, test)->op != CONSTANT_TRUE) {
        return false;
    }
    for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++) {
        if (nodes_in(module, node, ways_out[i]).count > 0) {
            return false;
        }
    }
    return true;
}

/* Reports such a loop; false if it is not one. Before 9.2 a kernel cannot contain any `while`. */
static bool check_endless(Eval *eval, NodeId node)
{
    if (!node_is(eval->module, node, NODE_WHILE) || eval_newer(eval) == NEWER_WRONG ||
        !never_ends(eval, node)) {
        return false;
    }
    EvalFinding *finding = eval_report(
        eval, EVAL_STATEMENT, node, "this while does not end while the kernel is recorded (F00003)",
        "这个 while 在录制 kernel 时不会结束（F00003）");
    if (finding != NULL) {
        finding->start = eval_node(eval, node)->start;
        finding->end = finding->start + 1;
        eval_hint(eval, finding, "Give it a condition that becomes false, or use pypto.loop.",
                  "给它一个会变为假的条件，或改用 pypto.loop。");
    }
    return true;
}

void check_side_not_taken(Eval *eval, NodeId parent, Role role)
{
    const Module *module = eval->module;
    if (!eval->frame->is_graph) {
        return;
    }
    for (NodeId node = node_child(module, parent, role); node != NO_NODE;
         node = node_next(module, node)) {
        NodeKind own = node_kind(module, node);
        NodeList returns = nodes_in(module, node, NODE_RETURN);
        for (uint32_t i = 0; i < returns.count; i++) {
            if (node_function(module, returns.ids[i]) == eval->frame->function) {
                check_statement(eval, returns.ids[i]);
            }
        }
        if (own == NODE_RETURN && returns.count == 0) {
            check_statement(eval, node);
        }
    }
}

/* Does the rule apply here? Inside a `def` in the body of a kernel, 9.2 refuses the same statements
 * as in the body itself, apart from `return` and `raise`. */
static bool is_judged(const Eval *eval, const Construct *construct)
{
    bool free = construct->in_92 || construct->kind == NODE_RETURN || construct->kind == NODE_RAISE;
    return eval->frame->is_graph || !free;
}

static void check_else(Eval *eval, NodeId node, NodeKind kind)
{
    bool loop = kind == NODE_FOR || kind == NODE_WHILE;
    NodeId orelse = loop ? node_child(eval->module, node, ROLE_ORELSE) : NO_NODE;
    if (orelse != NO_NODE) {
        eval_report(eval, EVAL_STATEMENT, orelse,
                    "a kernel body cannot have 'else' after a loop (F%05X)",
                    "kernel 函数体的循环不能带 'else'（F%05X）",
                    code_of_statement(eval, node, kind) & 0xFFFFFU);
    }
}

void check_statement(Eval *eval, NodeId node)
{
    NodeKind kind = node_kind(eval->module, node);
    if (kind == NODE_BREAK || kind == NODE_CONTINUE || kind == NODE_RETURN) {
        check_jump(eval, node, kind);
    }
    bool ours =
        eval->frame->is_graph || (eval->frame->in_kernel && eval_newer(eval) != NEWER_WRONG);
    if (!ours || check_endless(eval, node)) {
        return;
    }
    if (kind == NODE_RAISE && eval->assumed > 0) {
        return; /* it guards against arguments; advice_raised judges those */
    }
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        if (constructs[i].kind != kind || !is_judged(eval, &constructs[i])) {
            continue;
        }
        bool only_92 = constructs[i].in_92;
        Newer newer = only_92 ? eval_newer(eval) : NEWER_WRONG;
        if (newer == NEWER_FINE) {
            continue;
        }
        eval->assumed += newer == NEWER_DOUBTFUL;
        EvalFinding *finding =
            eval_report(eval, EVAL_STATEMENT, node,
                        only_92 ? "a kernel body cannot have '%s' before PyPTO 9.2 (F%05X)"
                                : "a kernel body cannot have '%s' (F%05X)",
                        only_92 ? "PyPTO 9.2 之前 kernel 函数体不能含 '%s'（F%05X）"
                                : "kernel 函数体不能含 '%s'（F%05X）",
                        constructs[i].text, code_of_statement(eval, node, kind) & 0xFFFFFU);
        eval->assumed -= newer == NEWER_DOUBTFUL;
        if (finding != NULL) {
            finding->start = eval_node(eval, node)->start;
            finding->end = finding->start + 1;
        }
    }
    check_else(eval, node, kind);
}

/* --- signature */

static bool has_future_annotations(const Module *module)
{
    NodeList imports = module_nodes(module, NODE_IMPORT_FROM);
    for (uint32_t i = 0; i < imports.count; i++) {
        if (!str_is(node_name(module, imports.ids[i]), "__future__")) {
            continue;
        }
        for (NodeId alias = node_child(module, imports.ids[i], ROLE_NAME); alias != NO_NODE;
             alias = node_next(module, alias)) {
            if (str_is(node_name(module, alias), "annotations")) {
                return true;
            }
        }
    }
    return false;
}

static void check_order(Eval *eval, NodeId list)
{
    const Module *module = eval->module;
    uint32_t count = node_count(module, list, ROLE_PARAM);
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT);
    Str before = STR("");
    uint32_t at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        Str name = node_name(module, arg);
        if (!annotation_is_tensor(annotation_read(eval->file, arg))) {
            bool other = parameter_annotation(module, arg) == NO_NODE ||
                         node_is(module, parameter_annotation(module, arg), NODE_NAME);
            before = other ? name : before; /* an annotation may be a tensor under another name */
            continue;
        }
        if (at + defaults >= count) {
            eval_report(eval, EVAL_SIGNATURE, arg,
                        "tensor parameter '%.*s' has a default; only other parameters may (F00005)",
                        "tensor 参数 '%.*s' 带默认值；只有非 tensor 参数可以（F00005）",
                        STR_ARG(name));
        } else if (before.length > 0 &&
                   parameter_annotation(
                       module, function_parameter(module, eval_node(eval, list)->parent, before)) ==
                       NO_NODE) {
            eval_report(
                eval, EVAL_SIGNATURE, arg,
                "tensor parameter '%.*s' comes after '%.*s', which is not a tensor (F00005)",
                "tensor 参数 '%.*s' 位于非 tensor 参数 '%.*s' 之后（F00005）", STR_ARG(name),
                STR_ARG(before));
        }
    }
}

/* Makes the edit that removes the return annotation, which nothing reads. */
static void drop_returns(Eval *eval, EvalFinding *finding, NodeId returns)
{
    Str text = eval->module->source->text;
    uint32_t end = eval_node(eval, returns)->end, start = eval_node(eval, returns)->start;
    while (finding != NULL && start > 0 &&
           (text.at[start - 1] == ' ' || text.at[start - 1] == '\t')) {
        start--;
    }
    if (finding == NULL || start < 2 || text.at[start - 1] != '>' || text.at[start - 2] != '-') {
        return; /* in brackets, or on another line */
    }
    for (start -= 2; start > 0 && text.at[start - 1] == ' ';) {
        start--;
    }
    EvalEdit edit = {start, end, STR("")};
    VEC_PUSH(eval->result, &finding->edits, edit);
    finding->safe = true;
    eval_hint(eval, finding, "Drop the return annotation.", "删除返回值注解。");
}

static NodeId last_in(const Module *module, NodeId list, Role role)
{
    uint32_t count = node_count(module, list, role);
    return count == 0 ? NO_NODE : node_nth(module, list, role, count - 1);
}

/* Could the parameters after a bare `*` be ordinary ones? With defaults the order might be invalid,
 * and a tensor among them would follow a parameter that is not one. */
static bool may_be_ordinary(const Eval *eval, NodeId list)
{
    const Module *module = eval->module;
    uint32_t with_default = node_count(module, list, ROLE_KW_DEFAULT);
    bool good = node_child(module, list, ROLE_VARARG) == NO_NODE &&
                (with_default == 0 || with_default == node_count(module, list, ROLE_KWONLYARG));
    for (NodeId arg = node_child(module, list, ROLE_KWONLYARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        good = good && !annotation_is_tensor(annotation_read(eval->file, arg));
    }
    return good;
}

/* Makes the edit that removes a bare `*` or `/` from the signature, with which the kernel is
 * refused. */
static void drop_mark(Eval *eval, EvalFinding *finding, NodeId list, Role role)
{
    const Module *module = eval->module;
    bool star = role == ROLE_KWONLYARG;
    if (finding == NULL || !(star || role == ROLE_POSONLYARG) ||
        node_child(module, list, ROLE_DEFAULT) != NO_NODE ||
        (star && !may_be_ordinary(eval, list))) {
        return;
    }
    NodeId before = last_in(module, list, star ? ROLE_PARAM : ROLE_POSONLYARG);
    if (before == NO_NODE) {
        return;
    }
    Str text = module->source->text;
    uint32_t start = eval_node(eval, before)->end, at = start;
    while (at < text.length && (is_blank(text.at[at]) || text.at[at] == '\n' ||
                                text.at[at] == '\r' || text.at[at] == ',')) {
        at++;
    }
    if (at < text.length && text.at[at] == (star ? '*' : '/')) {
        EvalEdit edit = {start, at + 1, STR("")};
        VEC_PUSH(eval->result, &finding->edits, edit);
        finding->safe = true;
        eval_hint(eval, finding, star ? "Drop the '*'." : "Drop the '/'.",
                  star ? "删除 '*'。" : "删除 '/'。");
    }
}

void check_kernel_signature(Eval *eval, NodeId kernel)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, kernel);
    NodeId returns = node_child(module, kernel, ROLE_RETURNS);
    Str name = node_name(module, kernel);
    Newer newer = eval_newer(eval); /* the front end of 9.2 does not look at it */
    if (returns != NO_NODE && newer != NEWER_FINE) {
        eval->assumed += newer == NEWER_DOUBTFUL;
        EvalFinding *finding = eval_report(
            eval, EVAL_SIGNATURE, returns,
            "kernel '%.*s' has a return annotation, which PyPTO before 9.2 refuses (F00005)",
            "kernel '%.*s' 带返回值注解，PyPTO 9.2 之前会拒绝（F00005）", STR_ARG(name));
        eval->assumed -= newer == NEWER_DOUBTFUL;
        drop_returns(eval, finding, returns);
    }
    static const Role forbidden[] = {ROLE_VARARG, ROLE_KWARG, ROLE_KWONLYARG, ROLE_POSONLYARG};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        NodeId arg = node_child(module, list, forbidden[i]);
        if (arg != NO_NODE) {
            EvalFinding *finding = eval_report(
                eval, EVAL_SIGNATURE, arg,
                "kernel '%.*s' has parameter '%.*s', and only ordinary ones are possible: "
                "no '*', '**' or '/' (F00005)",
                "kernel '%.*s' 的参数 '%.*s' 不是普通参数：不能使用 '*'、'**' 或 '/'（F00005）",
                STR_ARG(name), STR_ARG(node_name(module, arg)));
            drop_mark(eval, finding, list, forbidden[i]);
        }
    }
    check_order(eval, list);
    NodeId first = node_child(module, list, ROLE_PARAM);
    if (first != NO_NODE && annotation_is_tensor(annotation_read(eval->file, first)) &&
        has_future_annotations(module)) {
        eval_report(
            eval, EVAL_SIGNATURE, first,
            "with 'from __future__ import annotations' the annotation of '%.*s' is only a "
            "string, so the parameter is not a tensor (F00002)",
            "使用 'from __future__ import annotations' 时 '%.*s' 的注解只是字符串，该参数不再是 "
            "tensor（F00002）",
            STR_ARG(node_name(module, first)));
    }
}
