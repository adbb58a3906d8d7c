/* Refuses values of a type that an operation surely does not accept: a float for a size, a list for
 * a number, a dtype of torch. */
#include "eval/drive.h"

/* Is it surely neither an integer nor a symbolic scalar? Python takes a bool for an integer. */
static bool is_no_integer(Value value)
{
    return value.kind == VALUE_FLOAT || value.kind == VALUE_STR || value.kind == VALUE_LIST ||
           value.kind == VALUE_DICT || value.kind == VALUE_TENSOR || value.kind == VALUE_NONE;
}

static Str callee_of(const Eval *eval)
{
    NodeId node = eval->drive->node;
    bool call = node_is(eval->module, node, NODE_CALL);
    Str name = call ? call_attribute(eval->module, node) : STR("");
    return call && name.length == 0 ? call_name(eval->module, node) : name;
}

void drive_check_integer(Eval *eval, Value value, const char *what)
{
    if (is_no_integer(value)) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001, "%s, not %s", what,
                     value_type(value));
    }
}

void drive_check_text(Eval *eval, Value value, const char *what)
{
    bool other = value_is_int(value) || value.kind == VALUE_FLOAT || value.kind == VALUE_NONE ||
                 value.kind == VALUE_TENSOR;
    if (other) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001, "%s, not %s", what,
                     value_type(value));
    }
}

void drive_check_list(Eval *eval, Value value)
{
    Str name = callee_of(eval);
    bool scalar = value.kind == VALUE_INT || value.kind == VALUE_FLOAT || value.kind == VALUE_STR;
    if (scalar) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     "%.*s(): sizes and offsets are a list of integers, not %s", STR_ARG(name),
                     value_type(value));
    }
    for (uint32_t i = 0; value_has_items(value) && i < value.as.sequence->count; i++) {
        if (is_no_integer(value.as.sequence->items[i])) {
            drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                         "%.*s(): sizes and offsets are integers, not %s", STR_ARG(name),
                         value_type(value.as.sequence->items[i]));
            return;
        }
    }
}

bool drive_check_tile(Eval *eval, EvalRule rule, const char *name, const Value *items,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        Value value = drive_plain(eval, items[i]);
        bool symbol = value.kind == VALUE_SYMBOL && value.handle > 0 &&
                      !pts_sym_is_unknown(eval->drive->context, value.handle - 1);
        if (symbol || is_no_integer(value)) {
            drive_refuse(eval, rule, PTS_TYPE_ERROR, 0xF00001, "%s() takes known integers, not %s",
                         name, symbol ? "a symbolic scalar" : value_type(value));
            return false;
        }
    }
    return true;
}

/* --- data types */

/* The place of a parameter in "input dtype mode?"; UINT32_MAX if it has none. */
static uint32_t place_of(const char *parameters, const char *name)
{
    Str rest = str_from(parameters == NULL ? "" : parameters);
    for (uint32_t place = 0; rest.length > 0; place++) {
        size_t end = str_find(rest, STR(" "), 0);
        Str word = str_slice(rest, 0, end);
        if (str_starts(word, STR("*"))) {
            break; /* only by keyword from here on */
        }
        word = str_ends(word, STR("?")) ? str_slice(word, 0, word.length - 1) : word;
        if (str_is(word, name)) {
            return place;
        }
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
    }
    return UINT32_MAX;
}

static bool is_no_dtype(Value value)
{
    return value.kind == VALUE_STR || value.kind == VALUE_INT || value.kind == VALUE_FLOAT ||
           value.kind == VALUE_TENSOR || host_is_dtype(value) ||
           (value.kind == VALUE_INSTANCE && value.as.instance->class->form != CLASS_ENUM);
}

bool drive_check_dtype(Eval *eval, const char *function, const char *name, Value value)
{
    if (!is_no_dtype(value)) {
        return true;
    }
    const char *kind = value.kind == VALUE_INSTANCE
                           ? str_dup(eval->arena, value.as.instance->class->name)
                           : value_type(value);
    drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                 "%s(): '%s' must be a data type (pypto.DT_…), not %s", function, name,
                 kind == NULL ? "dtype" : kind);
    return false;
}

bool drive_check_dtypes(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    static const char *const names[] = {"dtype", "out_dtype", "otype", "quant_dtype"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Value *value =
            drive_argument(arguments, names[i], place_of(fact->parameters, names[i]));
        if (value != NULL && !drive_check_dtype(eval, fact->name, names[i], *value)) {
            return false;
        }
    }
    return true;
}

/* --- operators */

static bool is_no_operand(Value value)
{
    return value.kind == VALUE_NONE || value.kind == VALUE_STR || value.kind == VALUE_LIST ||
           value.kind == VALUE_DICT || (value.kind == VALUE_TUPLE && !value.flag && !value.atom);
}

void drive_check_operands(Eval *eval, ExprOperator op, Value left, Value right)
{
    bool checked = op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT ||
                   op == OPERATOR_DIV || op == OPERATOR_POW || op == OPERATOR_FLOOR_DIV ||
                   op == OPERATOR_MAT_MULT ||
                   (op == OPERATOR_MOD && left.kind != VALUE_STR) || /* a text is a format */
                   (op >= OPERATOR_L_SHIFT && op <= OPERATOR_BIT_AND);
    const char *symbol = op == OPERATOR_POW ? "** or pow()" : checked ? operator_sign(op) : NULL;
    const char *kinds[] = {value_type(left), value_type(right)};
    bool bits = symbol != NULL && op >= OPERATOR_L_SHIFT && op <= OPERATOR_BIT_AND;
    if (symbol == NULL || kinds[0] == NULL || kinds[1] == NULL ||
        !(is_no_operand(left) || is_no_operand(right) || bits)) {
        return;
    }
    drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                 "unsupported operand type(s) for %s: '%s' and '%s'", symbol, kinds[0], kinds[1]);
}
