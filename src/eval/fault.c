/* Errors that Python itself raises in a kernel; see fault.h. */
#include "eval/fault.h"
#include "eval/api_facts.h"

#include "eval/drive.h"

/* May a fault be reported here? If so, drive->node becomes the node to blame. */
static bool counts(Eval *eval, NodeId node)
{
    bool may = eval->drive != NULL && !eval->drive->ended && eval->assumed == 0;
    if (may) {
        eval->drive->node = node;
    }
    return may;
}

/* Is it a symbolic scalar that surely has no value? One with an unknown part may be an integer. */
static bool is_symbol(const Eval *eval, Value value)
{
    int64_t known;
    return value.kind == VALUE_SYMBOL && value.handle > 0 && eval->drive != NULL &&
           !pts_sym_is_unknown(eval->drive->context, value.handle - 1) &&
           !pts_sym_value(eval->drive->context, value.handle - 1, &known);
}

/* Python's name of the type; NULL when it is not certain. */
static const char *type_name(Eval *eval, Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_INSTANCE:
        return str_dup(eval->arena, value.as.instance->class->name);
    case VALUE_MEMBER: /* its enum is not kept */
        return NULL;
    default:
        return value_type(value);
    }
}

/* --- operators */

static bool is_scalar(Value value)
{
    return value_is_int(value) || value.kind == VALUE_FLOAT;
}

static bool is_plain_list(Value value)
{
    return value_is_sequence(value) && !value.flag && !value.atom;
}

/* Among these types only numbers with numbers, lists with lists, and lists or strings times ints
 * are allowed; all else is a TypeError. A string on the left of % accepts anything. */
static bool refuses(ExprOperator op, Value left, Value right)
{
    bool texts = left.kind == VALUE_STR && right.kind == VALUE_STR;
    bool lists = is_plain_list(left) && is_plain_list(right) && left.kind == right.kind;
    bool items[] = {left.kind == VALUE_STR || is_plain_list(left),
                    right.kind == VALUE_STR || is_plain_list(right)};
    bool known[] = {items[0] || is_scalar(left) || left.kind == VALUE_NONE,
                    items[1] || is_scalar(right) || right.kind == VALUE_NONE};
    if (!known[0] || !known[1] || (op == OPERATOR_MOD && left.kind == VALUE_STR)) {
        return false;
    }
    bool numbers = is_scalar(left) && is_scalar(right);
    bool joined = op == OPERATOR_ADD && (texts || lists);
    bool repeated = op == OPERATOR_MULT &&
                    ((items[0] && value_is_int(right)) || (items[1] && value_is_int(left)));
    return !numbers && !joined && !repeated;
}

/* A symbolic scalar combines only with integers and symbolic scalars, and has no power operator. */
static bool symbol_refuses(ExprOperator op, Value left, Value right)
{
    bool first = left.kind == VALUE_SYMBOL;
    Value other = first ? right : left;
    bool scalar = value_is_int(other) || other.kind == VALUE_SYMBOL;
    bool known = scalar || other.kind == VALUE_FLOAT || other.kind == VALUE_STR ||
                 other.kind == VALUE_NONE || is_plain_list(other);
    bool formats = op == OPERATOR_MOD && left.kind == VALUE_STR;
    return known && !formats && (!scalar || op == OPERATOR_POW);
}

void fault_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right)
{
    bool divides = op == OPERATOR_DIV || op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD;
    bool symbols = is_symbol(eval, left) || is_symbol(eval, right);
    bool arithmetic = (op >= OPERATOR_ADD && op <= OPERATOR_POW && op != OPERATOR_MAT_MULT) ||
                      op == OPERATOR_FLOOR_DIV;
    const char *sign = op == OPERATOR_POW ? "** or pow()" : operator_sign(op);
    if (!arithmetic || !counts(eval, node)) {
        return;
    }
    if (divides && is_scalar(left) && value_is_int(right) && right.as.integer == 0) {
        drive_refuse(eval, EVAL_RAISED, PTS_CORE_ERROR, 0xF0FFFF, "%s by zero",
                     op == OPERATOR_MOD ? "modulo" : "division");
    } else if (symbols ? symbol_refuses(op, left, right) : refuses(op, left, right)) {
        drive_refuse(eval, symbols ? EVAL_VALUE : EVAL_RAISED, PTS_TYPE_ERROR, 0xF00001,
                     "unsupported operand type(s) for %s: '%s' and '%s'", sign,
                     type_name(eval, left), type_name(eval, right));
    }
}

/* --- items, attributes, calls */

void fault_index(Eval *eval, NodeId node, Value owner)
{
    if (is_plain_list(owner) && counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_INDEX_ERROR, 0xF00008,
                     "%s index out of range: it has %u items", type_name(eval, owner),
                     owner.as.sequence->count);
    }
}

void fault_key(Eval *eval, NodeId node, Value key)
{
    Buf text = {.arena = eval->arena};
    if ((key.kind == VALUE_STR || value_is_int(key)) && value_repr(&text, key, 0) &&
        counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_KEY_ERROR, 0xF00006, "the dict has no key %s",
                     buf_str(&text).at);
    }
}

void fault_key_of_list(Eval *eval, NodeId node, Value owner, Value key)
{
    bool other = key.kind == VALUE_FLOAT || key.kind == VALUE_STR || key.kind == VALUE_NONE ||
                 is_plain_list(key);
    if (other && is_plain_list(owner) && counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_TYPE_ERROR, 0xF00001,
                     "%s indices must be integers or slices, not %s", type_name(eval, owner),
                     type_name(eval, key));
    }
}

void fault_unpack(Eval *eval, NodeId node, Value value)
{
    bool tensor = value.kind == VALUE_TENSOR && value.handle > 0;
    bool scalar = is_scalar(value) || value.kind == VALUE_NONE || is_symbol(eval, value);
    if (tensor && counts(eval, node)) {
        drive_refuse(eval, EVAL_VALUE, PTS_TYPE_ERROR, 0xF00001, "'Tensor' object is not iterable");
    } else if (scalar && counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_TYPE_ERROR, 0xF00001,
                     "cannot unpack non-iterable %s object", type_name(eval, value));
    }
}

void fault_subscript(Eval *eval, NodeId node, Value owner)
{
    bool none = value_is_int(owner) || owner.kind == VALUE_FLOAT || owner.kind == VALUE_NONE ||
                owner.kind == VALUE_FUNCTION;
    if (none && counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_TYPE_ERROR, 0xF00001,
                     "'%s' object is not subscriptable", type_name(eval, owner));
    }
}

void fault_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    const char *type = type_name(eval, owner);
    /* A symbol of known value that was given a name is an int here. */
    bool symbol = value_is_int(owner) && api_words_have(api_symbol_members, name);
    if (type != NULL && !symbol && !str_starts(name, STR("_")) && counts(eval, node)) {
        drive_refuse(eval, EVAL_NAME, PTS_CORE_ERROR, 0xF0FFFF,
                     "'%s' object has no attribute '%.*s'", type, STR_ARG(name));
    }
}

void fault_call(Eval *eval, NodeId node, Value callee)
{
    bool none = value_is_int(callee) || callee.kind == VALUE_FLOAT || callee.kind == VALUE_NONE ||
                callee.kind == VALUE_STR || callee.kind == VALUE_DICT || is_plain_list(callee) ||
                callee.kind == VALUE_TENSOR;
    if (none && counts(eval, node)) {
        drive_refuse(eval, EVAL_RAISED, PTS_TYPE_ERROR, 0xF00001, "'%s' object is not callable",
                     type_name(eval, callee));
    }
}

/* --- symbols and tensors where a value is needed */

bool fault_value(Eval *eval, NodeId node, Value value, Where where)
{
    bool symbol = is_symbol(eval, value);
    if (!symbol && value.kind != VALUE_TENSOR) {
        return false;
    }
    if (counts(eval, node)) {
        bool of_type = where.is_type || !symbol;
        drive_refuse(eval, EVAL_VALUE, of_type ? PTS_TYPE_ERROR : PTS_VALUE_ERROR,
                     of_type ? 0xF00001 : 0xF00002,
                     "%s needs a value, and a %s has none while the kernel is recorded", where.en,
                     symbol ? "symbolic scalar" : "tensor");
    }
    return true;
}
