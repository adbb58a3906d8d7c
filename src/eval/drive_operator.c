/* Operators and attributes of tensors and symbols of a kernel that is being recorded. */
#include "eval/drive.h"
#include "model/sym.h"

static bool is_tensor(Value value)
{
    return value.kind == VALUE_TENSOR;
}

static bool is_symbol(Value value)
{
    return value.kind == VALUE_SYMBOL || value.kind == VALUE_NAMED;
}

/* Is it an unknown integer or symbolic scalar? */
static bool is_unknown_number(Value value)
{
    return value.kind == VALUE_NUMBER && value.handle > 0;
}

/* Is it something that a tensor's operators accept as the other operand? */
static bool is_operand(Value value)
{
    return is_tensor(value) || value_is_int(value) || value.kind == VALUE_FLOAT ||
           value.kind == VALUE_ELEMENT || is_symbol(value) || value.kind == VALUE_NUMBER;
}

static Value cook_operator(Eval *eval, const char *name, Value left, Value right)
{
    Value arguments[] = {left, right};
    return drive_cook(eval, name, 2, arguments);
}

static Value tensor_first(Eval *eval, ExprOperator op, Value left, Value right)
{
    switch (op) {
    case OPERATOR_ADD:
        return drive_binary(eval, PTS_OP_ADD, left, right);
    case OPERATOR_SUB:
        return drive_binary(eval, PTS_OP_SUB, left, right);
    case OPERATOR_MULT:
        return drive_binary(eval, PTS_OP_MUL, left, right);
    case OPERATOR_DIV:
        return drive_binary(eval, PTS_OP_DIV, left, right);
    case OPERATOR_FLOOR_DIV:
        return cook_operator(eval, "__floordiv__", left, right);
    case OPERATOR_MOD:
        return drive_binary(eval, PTS_OP_REMAINDER, left, right);
    case OPERATOR_POW:
        return drive_binary(eval, PTS_OP_POW, left, right);
    case OPERATOR_MAT_MULT:
        return is_tensor(right) ? cook_operator(eval, "__matmul__", left, right) : value_unknown();
    default:
        return value_unknown();
    }
}

static Value tensor_second(Eval *eval, ExprOperator op, Value left, Value right)
{
    switch (op) {
    case OPERATOR_ADD:
        return drive_binary(eval, PTS_OP_ADD, right, left);
    case OPERATOR_MULT:
        return drive_binary(eval, PTS_OP_MUL, right, left);
    case OPERATOR_SUB:
        return cook_operator(eval, "__rsub__", left, right);
    case OPERATOR_DIV:
        return cook_operator(eval, "__rtruediv__", left, right);
    case OPERATOR_FLOOR_DIV:
        return cook_operator(eval, "__rfloordiv__", left, right);
    case OPERATOR_MOD:
        return drive_binary(eval, PTS_OP_REMAINDER, left, right);
    default:
        return value_unknown();
    }
}

static Value symbol_operator(Eval *eval, ExprOperator op, Value left, Value right)
{
    switch (op) {
    case OPERATOR_ADD:
        return drive_symbol_operation(eval, PTS_SYM_ADD, left, right);
    case OPERATOR_SUB:
        return drive_symbol_operation(eval, PTS_SYM_SUB, left, right);
    case OPERATOR_MULT:
        return drive_symbol_operation(eval, PTS_SYM_MUL, left, right);
    case OPERATOR_DIV:
    case OPERATOR_FLOOR_DIV:
        return drive_symbol_operation(eval, PTS_SYM_DIV, left, right);
    case OPERATOR_MOD:
        return drive_symbol_operation(eval, PTS_SYM_MOD, left, right);
    default:
        return value_unknown(); /* & and |: 9.2 only */
    }
}

/* Python's // and % are those of symbolic scalars where nothing is negative. Elsewhere a % b is
 * (a rem b + b) rem b, and a // b is (a − a % b) / b. */
static Value floor_of_numbers(Eval *eval, ExprOperator op, Value left, Value right)
{
    int64_t low, high;
    PtsSym dividend = drive_sym(eval, left);
    bool divides = (op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD) && right.kind == VALUE_INT &&
                   right.as.integer > 0 && dividend != PTS_SYM_NONE &&
                   pts_sym_bounds(pts_context_symbols(eval->drive->context), dividend, &low, &high);
    if (!divides || low >= 0) {
        return divides ? symbol_operator(eval, op, left, right) : value_number();
    }
    Value rest = drive_plain(eval, symbol_operator(eval, OPERATOR_MOD, left, right));
    rest = drive_plain(eval, symbol_operator(eval, OPERATOR_ADD, rest, right));
    rest = drive_plain(eval, symbol_operator(eval, OPERATOR_MOD, rest, right));
    if (op == OPERATOR_MOD) {
        return rest;
    }
    Value whole = symbol_operator(eval, OPERATOR_SUB, left, rest);
    return symbol_operator(eval, OPERATOR_FLOOR_DIV, whole, right);
}

bool drive_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right,
                    Value *result)
{
    eval->drive->node = node;
    if (is_tensor(left) || is_tensor(right)) {
        drive_check_operands(eval, op, left, right);
        *result = !is_operand(left) || !is_operand(right) ? value_unknown()
                  : is_tensor(left)                       ? tensor_first(eval, op, left, right)
                                                          : tensor_second(eval, op, left, right);
        bool surely = result->kind == VALUE_UNKNOWN &&
                      (left.kind == VALUE_UNKNOWN || right.kind == VALUE_UNKNOWN);
        if (surely) {
            eval->drive->carried = true;
        }
        return true;
    }
    if ((is_unknown_number(left) && (is_unknown_number(right) || value_is_int(right))) ||
        (is_unknown_number(right) && value_is_int(left))) {
        bool exact = op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT;
        *result = exact ? symbol_operator(eval, op, left, right)
                        : floor_of_numbers(eval, op, left, right);
        *result = drive_plain(eval, *result);
        return true;
    }
    if (is_symbol(left) || is_symbol(right)) {
        *result = symbol_operator(eval, op, left, right);
        return true;
    }
    return false;
}

/* In Python a comparison of ints gives a bool. */
static Value truth_value(Value value)
{
    return value.kind == VALUE_INT ? value_bool(value.as.integer != 0) : value;
}

/* An unknown parameter compared with a constant: the same answer everywhere. */
static bool compare_unknown(Str op, Value left, Value right, Value *result)
{
    uint64_t key = drive_mix(left.handle, right.kind);
    if (left.kind != VALUE_UNKNOWN || left.handle == 0 || right.kind < VALUE_NONE ||
        right.kind > VALUE_STR || right.kind == VALUE_FLOAT) {
        return false;
    }
    for (size_t i = 0; i < op.length; i++) {
        key = drive_mix(key, (unsigned char)op.at[i]);
    }
    Str text = right.kind == VALUE_STR ? *right.as.text : STR("");
    for (size_t i = 0; i < text.length; i++) {
        key = drive_mix(key, (unsigned char)text.at[i]);
    }
    bool number = right.kind == VALUE_INT || right.kind == VALUE_BOOL;
    key = number ? drive_mix(key, (uint64_t)right.as.integer) : key;
    *result = value_unknown();
    result->handle = (uint32_t)key | 0x80000000U;
    return true;
}

bool drive_compare(Eval *eval, NodeId node, Str op, Value left, Value right, Value *result)
{
    static const struct {
        const char *text;
        PtsOp tensors, turned;
        PtsSymOp symbols;
    } rows[] = {
        {"==", PTS_OP_EQ, PTS_OP_EQ, PTS_SYM_EQ}, {"!=", PTS_OP_NE, PTS_OP_NE, PTS_SYM_NE},
        {"<", PTS_OP_LT, PTS_OP_GT, PTS_SYM_LT},  {"<=", PTS_OP_LE, PTS_OP_GE, PTS_SYM_LE},
        {">", PTS_OP_GT, PTS_OP_LT, PTS_SYM_GT},  {">=", PTS_OP_GE, PTS_OP_LE, PTS_SYM_GE},
    };
    bool tensors = is_tensor(left) || is_tensor(right);
    bool numbers = (is_unknown_number(left) && (is_unknown_number(right) || value_is_int(right))) ||
                   (is_unknown_number(right) && value_is_int(left));
    if (!tensors && !numbers && !is_symbol(left) && !is_symbol(right)) {
        return compare_unknown(op, left, right, result);
    }
    eval->drive->node = node;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!str_is(op, rows[i].text)) {
            continue;
        }
        if (!tensors) {
            *result = drive_symbol_operation(eval, rows[i].symbols, left, right);
            *result = numbers ? truth_value(drive_plain(eval, *result)) : *result;
            return true;
        }
        bool swap = !is_tensor(left);
        Value other = swap ? left : right;
        const char *name = pts_op_name(swap ? rows[i].turned : rows[i].tensors);
        *result = is_operand(other) ? cook_operator(eval, name, swap ? right : left, other)
                                    : value_unknown();
        return true;
    }
    *result = value_unknown(); /* in, is */
    return str_is(op, "in") || str_is(op, "not in");
}

bool drive_negate(Eval *eval, NodeId node, ExprOperator op, Value operand, Value *result)
{
    PtsError error;
    if (is_tensor(operand)) {
        eval->drive->node = node;
        if (op == OPERATOR_INVERT) {
            drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                         "bad operand type for unary ~: 'Tensor'");
        }
        *result = op == OPERATOR_U_SUB   ? drive_unary(eval, PTS_OP_NEG, operand)
                  : op == OPERATOR_U_ADD ? operand
                                         : value_unknown();
        return true;
    }
    if (!is_symbol(operand) || op == OPERATOR_NOT) {
        return false;
    }
    PtsSym sym = drive_sym(eval, operand);
    *result = op == OPERATOR_U_ADD ? operand : value_unknown();
    if (op == OPERATOR_U_SUB) {
        *result = drive_symbol_value(
            eval, sym == PTS_SYM_NONE ? sym : pts_sym_negate(eval->drive->context, sym, &error));
    }
    return true;
}

/* Has every tensor surely still the shape that it began with? */
static bool is_unmoved(const Eval *eval)
{
    return !eval->drive->moved && !eval->drive->ended && eval->epoch == 0;
}

/* The shape of a tensor without a slot: a new list at each use, as of any tensor. */
static Value first_axes(Eval *eval, const Value *axes)
{
    const Sequence *known = axes->as.sequence;
    Value list = value_sequence(eval->arena, VALUE_LIST, known->count);
    for (uint32_t i = 0; i < known->count; i++) {
        sequence_add(eval->arena, list.as.sequence, known->items[i]);
    }
    list.as.sequence->birth = eval->clock;
    list.as.sequence->open = true;
    return list;
}

bool drive_attribute(Eval *eval, Value owner, Str name, Value *result)
{
    PtsSlotInfo info;
    if (!is_tensor(owner)) {
        return false;
    }
    bool known = drive_info(eval, owner, &info);
    static const char *const properties[] = {"shape",  "valid_shape", "dtype", "dim",
                                             "format", "name",        "id"};
    if (!STR_IS_ANY(name, properties)) {
        return false;
    }
    int stated = value_tensor_dtype(owner); /* of one without a slot */
    if (!known && str_is(name, "dtype") && stated >= 0) {
        *result = drive_dtype_value(stated);
    } else if (!known && str_is(name, "shape") && owner.as.axes != NULL && is_unmoved(eval)) {
        *result = first_axes(eval, owner.as.axes);
    } else if (!known) {
        *result = str_is(name, "dim") ? value_number() : value_unknown();
    } else if (str_is(name, "dtype") && info.dtype == PTS_BOTTOM) {
        *result = value_unknown();
    } else if (str_is(name, "shape") || str_is(name, "valid_shape")) {
        *result = drive_shape(eval, owner, str_is(name, "valid_shape"));
    } else if (str_is(name, "dtype")) {
        *result = drive_dtype_value((int)info.dtype);
    } else {
        *result = str_is(name, "dim") ? value_int(info.rank) : value_unknown();
    }
    return true;
}
