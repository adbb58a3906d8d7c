/* Host code: element-wise operations. */
#include "eval/host.h"

/* --- forms */

static bool is_any_integer(int dtype)
{
    return dtype >= 0 && !host_is_float(dtype) && dtype != PTS_BOOL;
}

HostTensor host_broadcast(const HostTensor *a, const HostTensor *b)
{
    HostTensor made = host_unknown();
    bool floats = host_is_float(a->dtype) && a->dtype == b->dtype;
    made.dtype = floats ? a->dtype : -1;
    if (a->rank < 0 || b->rank < 0) {
        return made;
    }
    made.rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 1; i <= made.rank; i++) {
        int64_t x = i <= a->rank ? a->size[a->rank - i] : 1;
        int64_t y = i <= b->rank ? b->size[b->rank - i] : 1;
        made.size[made.rank - i] = x == 1             ? y
                                   : y == 1 || x == y ? x
                                   : x > 1 && y < 0   ? x
                                   : y > 1 && x < 0   ? y
                                                      : -1;
    }
    return made;
}

/* The form of the result of two operands. One must be a tensor; the other may be a number. False
 * for other operands. */
static bool form_of_two(Value left, Value right, HostTensor *made)
{
    bool tensors = left.kind == VALUE_HOST && right.kind == VALUE_HOST;
    Value tensor = left.kind == VALUE_HOST ? left : right;
    Value other = left.kind == VALUE_HOST ? right : left;
    if (tensor.kind != VALUE_HOST || (!tensors && !value_is_host_number(other))) {
        return false;
    }
    *made = tensors ? host_broadcast(left.as.host, right.as.host) : *tensor.as.host;
    bool apart = tensors && left.as.host->device != right.as.host->device;
    made->device = apart ? DEVICE_UNKNOWN : tensor.as.host->device;
    made->gaps = made->sparse = false;
    return true;
}

/* --- operators */

/* The result's data type for two tensors that share one, or for a tensor and a number; -1: not
 * known. */
static int dtype_of_two(ExprOperator op, int dtype, bool tensors, Value other)
{
    bool exact = op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT;
    exact = exact || op == OPERATOR_MOD || op == OPERATOR_FLOOR_DIV;
    bool bits = op >= OPERATOR_L_SHIFT && op <= OPERATOR_BIT_AND;
    bool divides = op == OPERATOR_DIV || op == OPERATOR_POW;
    if (host_is_float(dtype)) {
        return exact || divides ? dtype : -1;
    }
    if (is_any_integer(dtype)) {
        return (exact || bits) && (tensors || value_is_int(other)) ? dtype : -1;
    }
    return bits && dtype == PTS_BOOL && (tensors || other.kind == VALUE_BOOL) ? dtype : -1;
}

bool host_operator(Eval *eval, ExprOperator op, Value left, Value right, Value *result)
{
    bool tensors = left.kind == VALUE_HOST && right.kind == VALUE_HOST;
    if (left.kind != VALUE_HOST && right.kind != VALUE_HOST) {
        return false;
    }
    HostTensor made;
    *result = value_unknown();
    if (op == OPERATOR_MAT_MULT) {
        *result = tensors ? host_matmul(eval, left.as.host, right.as.host) : value_unknown();
    } else if (op <= OPERATOR_FLOOR_DIV && form_of_two(left, right, &made)) {
        Value tensor = left.kind == VALUE_HOST ? left : right;
        Value other = left.kind == VALUE_HOST ? right : left;
        bool same = !tensors || left.as.host->dtype == right.as.host->dtype;
        made.dtype = same ? dtype_of_two(op, tensor.as.host->dtype, tensors, other) : -1;
        *result = host_value(eval, made);
    }
    return true;
}

bool host_compare(Eval *eval, Value left, Value right, Value *result)
{
    HostTensor made;
    if (!form_of_two(left, right, &made)) {
        return false;
    }
    made.dtype = PTS_BOOL;
    *result = host_value(eval, made);
    return true;
}

Value host_unary(Eval *eval, ExprOperator op, Value value)
{
    HostTensor made = host_copied(*value.as.host);
    bool whole = is_any_integer(made.dtype) || made.dtype == PTS_BOOL;
    made.dtype = op == OPERATOR_INVERT && !whole ? -1 : made.dtype;
    return op == OPERATOR_U_ADD ? value : host_value(eval, made);
}

/* --- functions */

bool host_keeps_shape(Str name)
{
    static const char *const names[] = {
        "exp",  "log",      "sqrt",       "rsqrt",     "sigmoid",     "tanh",       "relu",
        "abs",  "neg",      "sin",        "cos",       "square",      "reciprocal", "floor",
        "ceil", "round",    "clamp",      "softmax",   "log_softmax", "erf",        "silu",
        "gelu", "tril",     "triu",       "cumsum",    "flip",        "clip",       "trunc",
        "exp2", "log2",     "log10",      "log1p",     "expm1",       "erfc",       "tan",
        "sign", "softplus", "leaky_relu", "clamp_min", "clamp_max",   "cumprod",    "roll"};
    return STR_IS_ANY(name, names);
}

Value host_same_shape(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name)
{
    HostTensor made = *from;
    bool keeps = host_is_float(from->dtype) || str_starts(name, STR("tri"));
    Value dtype = host_keyword(arguments, "dtype");
    made.gaps = made.sparse = false;
    made.dtype = !keeps || arguments->open ? -1 : from->dtype;
    if (dtype.kind != VALUE_NONE) {
        made.dtype = host_dtype(dtype);
    }
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        Value value = arguments->values[i];
        if (host_dtype(value) >= 0) {
            made.dtype = host_dtype(value); /* softmax also takes it by place */
        }
        if (value.kind == VALUE_HOST) {
            made = host_unknown(); /* bounds of clamp, which broadcast */
            break;
        }
    }
    return host_value(eval, made);
}

bool host_two_operands(Eval *eval, const Arguments *arguments, Value self, Str name, Value *result)
{
    static const struct {
        const char *name;
        ExprOperator op;
    } table[] = {{"add", OPERATOR_ADD},     {"sub", OPERATOR_SUB},    {"mul", OPERATOR_MULT},
                 {"div", OPERATOR_DIV},     {"pow", OPERATOR_POW},    {"maximum", OPERATOR_ADD},
                 {"minimum", OPERATOR_ADD}, {"eq", OPERATOR_COMPARE}, {"ne", OPERATOR_COMPARE},
                 {"gt", OPERATOR_COMPARE},  {"ge", OPERATOR_COMPARE}, {"lt", OPERATOR_COMPARE},
                 {"le", OPERATOR_COMPARE}};
    if (arguments->positional != 1 || arguments->keywords > 0 || arguments->open) {
        return false;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            bool compares = table[i].op == OPERATOR_COMPARE;
            return compares ? host_compare(eval, self, arguments->values[0], result)
                            : host_operator(eval, table[i].op, self, arguments->values[0], result);
        }
    }
    return false;
}

/* where(condition, a, b). The data type is known if both are tensors that have it, or if the only
 * tensor has floats. */
Value host_where(Eval *eval, const Arguments *arguments)
{
    HostTensor two, made = host_unknown();
    bool plain = arguments->positional == 3 && arguments->keywords == 0 && !arguments->open &&
                 arguments->values[0].kind == VALUE_HOST;
    if (!plain) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    Value a = arguments->values[1], b = arguments->values[2];
    if (form_of_two(a, b, &two)) {
        bool tensors = a.kind == VALUE_HOST && b.kind == VALUE_HOST;
        int dtype = a.kind == VALUE_HOST ? a.as.host->dtype : b.as.host->dtype;
        bool same = tensors ? dtype == b.as.host->dtype : host_is_float(dtype);
        made = host_broadcast(arguments->values[0].as.host, &two);
        made.dtype = same ? dtype : -1;
    } else if (value_is_host_number(a) && value_is_host_number(b)) {
        made = *arguments->values[0].as.host;
        made.dtype = -1;
        made.gaps = made.sparse = false;
    }
    return host_value(eval, made);
}
