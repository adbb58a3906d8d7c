/* Arithmetic operators. */
#include "eval/drive.h"
#include "eval/fault.h"

#include <math.h>

/* --- symbols */

static bool is_symbolic_operand(Value value)
{
    return value.kind == VALUE_SYMBOL || value_is_int(value) || value.kind == VALUE_NUMBER;
}

/* The result surely has no value if nothing can cancel out: the operands have no symbol in common,
 * and no number makes the result constant. */
static Value symbol_operation(ExprOperator op, Value left, Value right)
{
    Value result = {.kind = VALUE_SYMBOL};
    uint64_t a = left.kind == VALUE_SYMBOL ? left.as.atoms : 0;
    uint64_t b = right.kind == VALUE_SYMBOL ? right.as.atoms : 0;
    result.as.atoms = a | b;
    bool sure =
        (left.kind != VALUE_SYMBOL || left.flag) && (right.kind != VALUE_SYMBOL || right.flag);
    bool known = (a != 0 || value_is_int(left)) && (b != 0 || value_is_int(right));
    Value number = a == 0 ? left : right;
    bool by_zero = (a == 0 || b == 0) && value_is_int(number) && number.as.integer == 0;
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_SUB:
        result.flag = sure && known && (a & b) == 0;
        break;
    case OPERATOR_MULT:
        result.flag = sure && known && (a & b) == 0 && !by_zero;
        break;
    case OPERATOR_COMPARE:
        result.flag =
            sure && known && (a & b) == 0 && (left.atom || a == 0) && (right.atom || b == 0);
        break;
    case OPERATOR_MOD:
    case OPERATOR_FLOOR_DIV:
    case OPERATOR_DIV:
        result.flag = sure && left.atom && value_is_int(right) && right.as.integer > 1;
        break;
    default:
        return value_unknown();
    }
    return result;
}

Value eval_symbol_operator(ExprOperator op, Value left, Value right)
{
    bool possible = is_symbolic_operand(left) && is_symbolic_operand(right);
    return possible ? symbol_operation(op, left, right) : value_unknown();
}

/* --- numbers */

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/* The function that Python calls, where its result is certain to be the same. */
static Value float_power(double base, double exponent)
{
    double result = base > 0 && isfinite(base) && fabs(exponent) < 64 ? pow(base, exponent) : NAN;
    return isfinite(result) ? value_float(result) : value_number();
}

static Value int_power(int64_t base, int64_t exponent)
{
    if (exponent < 0 && base > 0 && base < (INT64_C(1) << 53)) {
        return float_power((double)base, (double)exponent);
    }
    if (exponent < 0 || exponent > 64) {
        return value_number();
    }
    int64_t result = 1;
    for (int64_t i = 0; i < exponent; i++) {
        if (__builtin_mul_overflow(result, base, &result)) {
            return value_number();
        }
    }
    return value_int(result);
}

static Value int_shift(ExprOperator op, int64_t a, int64_t b)
{
    if (b < 0 || b > 62) {
        return value_number();
    }
    if (op == OPERATOR_R_SHIFT) {
        return value_int(a >> b);
    }
    int64_t result;
    return __builtin_mul_overflow(a, INT64_C(1) << b, &result) ? value_number() : value_int(result);
}

static Value int_operation(ExprOperator op, Value left, Value right)
{
    int64_t a = left.as.integer;
    int64_t b = right.as.integer;
    int64_t result = 0;
    bool bools = left.kind == VALUE_BOOL && right.kind == VALUE_BOOL;
    switch (op) {
    case OPERATOR_ADD:
        return __builtin_add_overflow(a, b, &result) ? value_number() : value_int(result);
    case OPERATOR_SUB:
        return __builtin_sub_overflow(a, b, &result) ? value_number() : value_int(result);
    case OPERATOR_MULT:
        return __builtin_mul_overflow(a, b, &result) ? value_number() : value_int(result);
    case OPERATOR_DIV: {
        const int64_t exact =
            INT64_C(1)
            << 53; /* doubles represent both operands exactly, so there is one rounding */
        bool small = a <= exact && a >= -exact && b <= exact && b >= -exact;
        return b == 0 || !small ? value_number() : value_float((double)a / (double)b);
    }
    case OPERATOR_FLOOR_DIV:
        return b == 0 || (a == INT64_MIN && b == -1) ? value_number() : value_int(floor_div(a, b));
    case OPERATOR_MOD:
        return b == 0 || b == -1 ? (b == 0 ? value_number() : value_int(0))
                                 : value_int(a - floor_div(a, b) * b);
    case OPERATOR_POW:
        return int_power(a, b);
    case OPERATOR_L_SHIFT:
    case OPERATOR_R_SHIFT:
        return int_shift(op, a, b);
    case OPERATOR_BIT_OR:
        return bools ? value_bool((a | b) != 0) : value_int(a | b);
    case OPERATOR_BIT_AND:
        return bools ? value_bool((a & b) != 0) : value_int(a & b);
    case OPERATOR_BIT_XOR:
        return bools ? value_bool((a ^ b) != 0) : value_int(a ^ b);
    default:
        return value_unknown();
    }
}

static Value float_operation(ExprOperator op, Value left, Value right)
{
    const int64_t exact = INT64_C(1) << 53;
    Value both[] = {left, right};
    double number[2];
    for (int i = 0; i < 2; i++) {
        bool large =
            value_is_int(both[i]) && (both[i].as.integer > exact || both[i].as.integer < -exact);
        if (large) {
            return value_number();
        }
        number[i] = both[i].kind == VALUE_FLOAT ? both[i].as.number : (double)both[i].as.integer;
    }
    switch (op) {
    case OPERATOR_ADD:
        return value_float(number[0] + number[1]);
    case OPERATOR_SUB:
        return value_float(number[0] - number[1]);
    case OPERATOR_POW:
        return float_power(number[0], number[1]);
    case OPERATOR_MULT:
        return value_float(number[0] * number[1]);
    case OPERATOR_DIV:
        return number[1] == 0 ? value_number() : value_float(number[0] / number[1]);
    default:
        return value_number();
    }
}

/* --- sequences */

static Value sequence_operation(Eval *eval, ExprOperator op, Value left, Value right)
{
    bool repeat = op == OPERATOR_MULT && value_is_int(right);
    bool joined = op == OPERATOR_ADD && left.kind == right.kind && value_has_items(right);
    if (!value_has_items(left) || left.flag || right.flag || (!repeat && !joined)) {
        value_hidden_items(eval, right);
        return value_hidden_items(eval, left);
    }
    const Sequence *a = left.as.sequence;
    int64_t times = repeat ? right.as.integer : 1;
    if (times > EVAL_ITEMS || (times > 0 && (int64_t)a->count * times > EVAL_ITEMS)) {
        return value_unknown();
    }
    Value result = value_sequence(eval->arena, (ValueKind)left.kind, 0);
    result.as.sequence->birth = eval->clock;
    for (int64_t n = 0; n < times; n++) {
        for (uint32_t i = 0; i < a->count; i++) {
            sequence_add(eval->arena, result.as.sequence, a->items[i]);
        }
    }
    for (uint32_t i = 0; joined && i < right.as.sequence->count; i++) {
        sequence_add(eval->arena, result.as.sequence, right.as.sequence->items[i]);
    }
    return result;
}

/* --- dicts */

static bool is_known_dict(Value value)
{
    return value.kind == VALUE_DICT && !value.as.dict->lost;
}

/* left | right */
static Value dict_union(Eval *eval, Value left, Value right)
{
    Value result = dict_new(eval);
    const Dict *parts[] = {left.as.dict, right.as.dict};
    for (int part = 0; part < 2; part++) {
        for (uint32_t i = 0; i < parts[part]->count && eval_step(eval); i++) {
            dict_set(eval, result, parts[part]->keys[i], parts[part]->values[i]);
        }
    }
    return result;
}

/* --- texts */

static Value text_operation(Eval *eval, ExprOperator op, Value left, Value right)
{
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    if (op == OPERATOR_ADD && right.kind == VALUE_STR) {
        if (left.as.text->length + right.as.text->length > EVAL_TEXT) {
            return value_unknown();
        }
        buf_add(&buf, *left.as.text);
        buf_add(&buf, *right.as.text);
        return value_text(eval->arena, buf_str(&buf));
    }
    if (op != OPERATOR_MULT || !value_is_int(right) || right.as.integer > EVAL_TEXT ||
        (right.as.integer > 0 && left.as.text->length * (size_t)right.as.integer > EVAL_TEXT)) {
        return value_unknown();
    }
    for (int64_t i = 0; i < right.as.integer; i++) {
        buf_add(&buf, *left.as.text);
    }
    return value_text(eval->arena, buf_str(&buf));
}

static Value operate(Eval *eval, NodeId node, ExprOperator op, Value left, Value right)
{
    Value driven;
    if (eval->drive != NULL && drive_operator(eval, node, op, left, right, &driven)) {
        return driven;
    }
    if (host_operator(eval, op, left, right, &driven)) {
        return driven;
    }
    if (left.kind == VALUE_TENSOR) {
        bool possible =
            value_is_host_number(right) || right.kind == VALUE_TENSOR || right.kind == VALUE_SYMBOL;
        return possible && op <= OPERATOR_POW ? value_tensor() : value_unknown();
    }
    if (right.kind == VALUE_TENSOR) {
        bool possible = value_is_host_number(left) || left.kind == VALUE_SYMBOL;
        return possible && op <= OPERATOR_MOD ? value_tensor() : value_unknown();
    }
    if (left.kind == VALUE_SYMBOL || right.kind == VALUE_SYMBOL) {
        return eval_symbol_operator(op, left, right);
    }
    if (value_is_sequence(left)) {
        return sequence_operation(eval, op, left, right);
    }
    if (value_is_sequence(right) && value_is_int(left) && op == OPERATOR_MULT) {
        return sequence_operation(eval, op, right, left);
    }
    if (op == OPERATOR_BIT_OR && is_known_dict(left) && is_known_dict(right)) {
        return dict_union(eval, left, right);
    }
    if (value_is_sequence(right) || right.kind == VALUE_DICT || left.kind == VALUE_DICT) {
        value_hidden_items(eval, right);
        return value_hidden_items(eval, left);
    }
    if (left.kind == VALUE_STR) {
        return text_operation(eval, op, left, right);
    }
    if (value_is_int(left) && value_is_int(right)) {
        return int_operation(op, left, right);
    }
    if (!value_is_host_number(left) || !value_is_host_number(right)) {
        return value_unknown();
    }
    if (left.kind == VALUE_NUMBER || right.kind == VALUE_NUMBER) {
        return value_number();
    }
    return float_operation(op, left, right);
}

Value eval_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right)
{
    Value result = operate(eval, node, op, left, right);
    if (result.kind == VALUE_UNKNOWN || result.kind == VALUE_NUMBER) {
        fault_operator(eval, node, op, left, right);
    }
    return result;
}

Value eval_unary(Eval *eval, NodeId node)
{
    ExprOperator op = (ExprOperator)eval_node(eval, node)->op;
    Value value = eval_expression(eval, node + 1);
    Value driven;
    if (eval->drive != NULL && drive_negate(eval, node, op, value, &driven)) {
        return driven;
    }
    if (op == OPERATOR_NOT) {
        if (value.kind == VALUE_SYMBOL || value.kind == VALUE_TENSOR) {
            eval_needs_value(eval, node + 1, value, (Where){"'not'", "'not' ", false});
            return value_unknown();
        }
        Truth truth = value_truth(value);
        return truth == TRUTH_UNKNOWN ? value_unknown() : value_bool(truth == TRUTH_FALSE);
    }
    switch ((ValueKind)value.kind) {
    case VALUE_TENSOR:
        return op == OPERATOR_INVERT ? value_unknown() : value_tensor();
    case VALUE_SYMBOL:
        value.atom = false;
        value.flag = value.flag && op != OPERATOR_INVERT;
        return value;
    case VALUE_FLOAT:
        return op == OPERATOR_INVERT
                   ? value_unknown()
                   : value_float(op == OPERATOR_U_SUB ? -value.as.number : value.as.number);
    case VALUE_BOOL:
    case VALUE_INT:
        if (op == OPERATOR_INVERT) {
            return value_int(~value.as.integer);
        }
        if (op == OPERATOR_U_SUB && value.as.integer == INT64_MIN) {
            return value_number();
        }
        return value_int(op == OPERATOR_U_SUB ? -value.as.integer : value.as.integer);
    case VALUE_NUMBER:
        return value_number();
    case VALUE_HOST:
        return host_unary(eval, op, value);
    default:
        return value_unknown();
    }
}
