/* Jumps that a recorded loop or condition does not allow: in a kernel's body, and in the functions
 * that it calls. */
#include "eval/state.h"

static bool is_loop(const Module *module, NodeId node)
{
    return node_is(module, node, NODE_FOR) || node_is(module, node, NODE_WHILE);
}

/* The innermost loop around a node, in the same function; NO_NODE if there is none. */
static NodeId loop_around(const Module *module, NodeId node)
{
    do {
        node = node_at(module, node)->parent;
    } while (!is_loop(module, node) && !node_is(module, node, NODE_FUNCTION_DEF) &&
             !node_is(module, node, NODE_MODULE));
    return is_loop(module, node) ? node : NO_NODE;
}

static bool is_recorded(const Eval *eval, NodeId loop)
{
    return node_is(eval->module, loop, NODE_FOR) &&
           is_graph_iterator(eval->file, node_child(eval->module, loop, ROLE_ITER));
}

/* Does the jump leave a recorded loop? */
static bool leaves_loop(const Eval *eval, NodeId node, NodeKind kind)
{
    NodeId loop = loop_around(eval->module, node);
    while (kind == NODE_RETURN && loop != NO_NODE && !is_recorded(eval, loop)) {
        loop = loop_around(eval->module, loop);
    }
    return loop != NO_NODE && is_recorded(eval, loop);
}

/* Does it leave the side of an `if` that only a run decides? */
static bool leaves_condition(const Eval *eval, NodeId node, NodeKind kind)
{
    NodeId condition = eval->frame->condition;
    NodeId loop = kind == NODE_RETURN ? NO_NODE : loop_around(eval->module, node);
    return condition != 0 && (loop == NO_NODE || node_within(eval->module, condition, loop));
}

void check_jump(Eval *eval, NodeId node, NodeKind kind)
{
    const char *what = kind == NODE_BREAK ? "break" : kind == NODE_CONTINUE ? "continue" : "return";
    Newer newer = eval_newer(eval);
    if (eval->frame->is_graph && (newer == NEWER_WRONG || kind == NODE_RETURN)) {
        return; /* refused as a statement */
    }
    bool only_92 = kind == NODE_CONTINUE; /* a helper's loop, which Python runs before 9.2 */
    if (leaves_loop(eval, node, kind) && !(only_92 && newer == NEWER_WRONG)) {
        only_92 = only_92 && !eval->frame->is_graph && newer == NEWER_DOUBTFUL;
        eval->assumed += only_92;
        eval_report(eval, EVAL_STATEMENT, node, "'%s' is not possible in a pypto.loop (F%05X)",
                    "pypto.loop 中不能使用 '%s'（F%05X）", what,
                    newer == NEWER_WRONG ? 0x00003U : 0x0FFFFU);
        eval->assumed -= only_92;
    } else if (newer != NEWER_WRONG && leaves_condition(eval, node, kind)) {
        eval->assumed += newer == NEWER_DOUBTFUL;
        EvalFinding *finding =
            eval_report(eval, EVAL_STATEMENT, node,
                        "'%s' is not possible under a condition that is known only when the kernel "
                        "runs (F0FFFF)",
                        "'%s' 不能位于运行时才能确定的条件之下（F0FFFF）", what);
        eval->assumed -= newer == NEWER_DOUBTFUL;
        if (kind == NODE_RETURN) {
            eval_hint(eval, finding,
                      "Bind the result to a name on both sides, and return it after the if.",
                      "请在两侧都把结果绑定到同一个名称，并在 if 之后返回。");
        }
    }
}
