/* Facts from guards: what `assert x.dim() == 2`, `if x.dtype != torch.float16: raise …` and the
 * like say about a name in the code after them.
 *
 * The name gets a new value; the old value is not changed, because other names and the other branch
 * may have it. So only names of the current body are narrowed. */
#include "eval/drive.h"
#include "eval/host.h"
#include "model/partial.h"

/* The value of a name of this body, or NULL. */
static const Value *own_value(Eval *eval, NodeId node)
{
    return node_is(eval->module, node, NODE_NAME)
               ? scope_get(eval->frame->scope, node_name(eval->module, node))
               : NULL;
}

static void set(Eval *eval, NodeId node, Value value)
{
    scope_set(eval, eval->frame->scope, node_name(eval->module, node), value);
}

/* What is known about the tensor that the name means; false when it surely is not a tensor. */
static bool tensor_of(const Value *value, HostTensor *tensor)
{
    *tensor = value != NULL && value->kind == VALUE_HOST ? *value->as.host : host_unknown();
    return value != NULL && (value->kind == VALUE_HOST || value->kind == VALUE_UNKNOWN);
}

static void narrow_dtype(Eval *eval, NodeId name, Value other)
{
    HostTensor tensor;
    int dtype = host_dtype(other);
    if (dtype >= 0 && tensor_of(own_value(eval, name), &tensor) && tensor.dtype < 0) {
        tensor.dtype = dtype;
        set(eval, name, host_value(eval, tensor));
    }
}

static void narrow_rank(Eval *eval, NodeId name, Value other)
{
    HostTensor tensor;
    bool fits = other.kind == VALUE_INT && other.as.integer >= 0 && other.as.integer <= HOST_RANK;
    if (fits && tensor_of(own_value(eval, name), &tensor) && tensor.rank < 0) {
        tensor.rank = (int)other.as.integer;
        set(eval, name, host_value(eval, tensor));
    }
}

static void narrow_size(Eval *eval, NodeId name, int64_t axis, Value other)
{
    HostTensor tensor;
    if (!tensor_of(own_value(eval, name), &tensor) || tensor.rank < 0) {
        return;
    }
    axis += axis < 0 ? tensor.rank : 0;
    if (axis >= 0 && axis < tensor.rank && other.kind == VALUE_INT && other.as.integer >= 0 &&
        tensor.size[axis] < 0) {
        tensor.size[axis] = other.as.integer;
        set(eval, name, host_value(eval, tensor));
    }
}

static void narrow_shape(Eval *eval, NodeId name, Value other)
{
    if (!value_has_items(other) || other.atom || other.as.sequence->count > HOST_RANK) {
        return;
    }
    narrow_rank(eval, name, value_int(other.as.sequence->count));
    for (uint32_t i = 0; i < other.as.sequence->count; i++) {
        narrow_size(eval, name, i, other.as.sequence->items[i]);
    }
}

/* Does the subscript read something other than an item of a shape? A tensor's records. */
static bool reads_tensor(const Module *module, NodeId subscript)
{
    NodeId owner = subscript + 1;
    return !node_is(module, owner, NODE_ATTRIBUTE) ||
           !(str_is(node_name(module, owner), "shape") ||
             str_is(node_name(module, owner), "valid_shape"));
}

/* The value of an operand if evaluating it neither changes nor records anything, else unknown. */
static Value plain_value(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    bool acts = nodes_in(module, node, NODE_CALL).count > 0 || node_is(module, node, NODE_CALL) ||
                nodes_in(module, node, NODE_NAMED_EXPR).count > 0;
    NodeList subscripts = nodes_in(module, node, NODE_SUBSCRIPT);
    for (uint32_t i = 0; i < subscripts.count && eval->drive != NULL && !acts; i++) {
        acts = reads_tensor(module, subscripts.ids[i]);
    }
    bool itself = eval->drive != NULL && node_is(module, node, NODE_SUBSCRIPT);
    acts = acts || (itself && reads_tensor(module, node));
    return acts ? value_unknown() : eval_expression(eval, node);
}

/* What the test says of integers that a recording does not know: `n % 16 == 0`, `a == b`, `n`. */
static void learn(Eval *eval, NodeId test, bool truth)
{
    bool may = eval->drive != NULL && !eval->drive->ended && eval->assumed == 0;
    Value value = may ? plain_value(eval, test) : value_unknown();
    if (value.kind == VALUE_NUMBER && value.handle > 0) {
        pts_learn(eval->drive->context, value.handle - 1, truth);
    }
}

/* The constant index of a subscript or call; false when it is not constant. */
static bool constant_axis(Eval *eval, NodeId node, int64_t *axis)
{
    Value value = node == NO_NODE ? value_unknown() : plain_value(eval, node);
    *axis = value.kind == VALUE_INT ? value.as.integer : 0;
    return value.kind == VALUE_INT;
}

/* `x.shape`: x, else NO_NODE. */
static NodeId shape_owner(const Module *module, NodeId node)
{
    bool shape = node_is(module, node, NODE_ATTRIBUTE) && str_is(node_name(module, node), "shape");
    return shape ? node + 1 : NO_NODE;
}

/* x.dim(), x.size(1), len(x.shape) */
static void narrow_call(Eval *eval, NodeId call, Value other)
{
    const Module *module = eval->module;
    NodeId function = call_func(module, call), argument = node_child(module, call, ROLE_ARG);
    int64_t axis;
    if (node_is(module, function, NODE_ATTRIBUTE)) {
        Str name = node_name(module, function);
        if (str_is(name, "dim") || str_is(name, "ndimension")) {
            narrow_rank(eval, function + 1, other);
        } else if (str_is(name, "size") && argument == NO_NODE) {
            narrow_shape(eval, function + 1, other);
        } else if (str_is(name, "size") && constant_axis(eval, argument, &axis)) {
            narrow_size(eval, function + 1, axis, other);
        }
    } else if (node_is_name(module, function, STR("len")) && argument != NO_NODE &&
               shape_owner(module, argument) != NO_NODE) {
        narrow_rank(eval, shape_owner(module, argument), other);
    }
}

/* Narrows the names in an expression that equals the value. */
static void narrow_equal(Eval *eval, NodeId node, Value other)
{
    const Module *module = eval->module;
    const Value *own = own_value(eval, node);
    int64_t axis;
    if (own != NULL) {
        bool number = other.kind == VALUE_INT || other.kind == VALUE_FLOAT;
        bool open = own->kind == VALUE_UNKNOWN || (own->kind == VALUE_NUMBER && number);
        if (open && (number || other.kind == VALUE_STR || other.kind == VALUE_MEMBER)) {
            set(eval, node, other);
        }
    } else if (node_is(module, node, NODE_CALL)) {
        narrow_call(eval, node, other);
    } else if (node_is(module, node, NODE_ATTRIBUTE)) {
        Str name = node_name(module, node);
        if (str_is(name, "dtype")) {
            narrow_dtype(eval, node + 1, other);
        } else if (str_is(name, "ndim")) {
            narrow_rank(eval, node + 1, other);
        } else if (str_is(name, "shape")) {
            narrow_shape(eval, node + 1, other);
        }
    } else if (node_is(module, node, NODE_SUBSCRIPT) && shape_owner(module, node + 1) != NO_NODE &&
               constant_axis(eval, node_child(module, node, ROLE_SLICE), &axis)) {
        narrow_size(eval, shape_owner(module, node + 1), axis, other);
    }
}

static void narrow_compare(Eval *eval, NodeId node, bool truth)
{
    const Module *module = eval->module;
    NodeId left = node_first(module, node);
    NodeId right = node_child(module, node, ROLE_COMPARATOR);
    if (node_count(module, node, ROLE_COMPARATOR) != 1) {
        return;
    }
    Str op = compare_operator(eval, left, right);
    bool equal = str_is(op, truth ? "==" : "!=");
    bool same = str_is(op, truth ? "is" : "is not");
    if (equal) {
        Value values[] = {plain_value(eval, left), plain_value(eval, right)};
        narrow_equal(eval, left, values[1]);
        narrow_equal(eval, right, values[0]);
    } else if (same) {
        const Value *own = own_value(eval, left);
        Value value = plain_value(eval, right);
        if (own != NULL && own->kind == VALUE_UNKNOWN && value.kind == VALUE_NONE) {
            set(eval, left, value);
        }
    }
}

void eval_narrow(Eval *eval, NodeId test, bool truth)
{
    enum { DEEPEST = 16 };
    const Module *module = eval->module;
    ExprOperator op = (ExprOperator)eval_node(eval, test)->op;
    if (eval->stopped || eval->nesting + DEEPEST >= EVAL_NESTING) {
        return;
    }
    eval->nesting++;
    if (node_is(module, test, NODE_UNARY_OP) && op == OPERATOR_NOT) {
        eval_narrow(eval, test + 1, !truth);
    } else if (node_is(module, test, NODE_BOOL_OP) && (op == OPERATOR_AND) == truth) {
        for (NodeId operand = node_first(module, test); operand != NO_NODE;
             operand = node_sibling(module, operand)) {
            eval_narrow(eval, operand, truth); /* this is the truth of all operands */
        }
    } else {
        bool reporting = eval->reporting; /* the test has already been evaluated */
        eval->reporting = false;
        learn(eval, test, truth);
        if (node_is(module, test, NODE_COMPARE)) {
            narrow_compare(eval, test, truth);
        }
        eval->reporting = reporting;
    }
    eval->nesting--;
}
