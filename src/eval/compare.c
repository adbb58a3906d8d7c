/* Comparisons, `and` and `or`. */
#include "eval/drive.h"

#include <math.h>

Str compare_operator(const Eval *eval, NodeId left, NodeId right)
{
    const Module *module = eval->module;
    Str text = module->source->text;
    uint32_t at = node_at(module, left)->end;
    uint32_t end = node_at(module, right)->start;
    static const char *const words[] = {
        "not in", "is not", "in", "is", "==", "!=", "<=", ">=", "<", ">"};
    Str between = str_slice(text, at, end);
    if (str_contains(between, STR("#")) || str_contains(between, STR("\\"))) {
        return STR("");
    }
    while (between.length > 0 && (between.at[0] == ')' || between.at[0] == ' ' ||
                                  between.at[0] == '\n' || between.at[0] == '\t')) {
        between = str_slice(between, 1, between.length);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(between, str_from(words[i]))) {
            return str_from(words[i]);
        }
    }
    return STR("");
}

static Truth negate(Truth truth)
{
    return truth == TRUTH_UNKNOWN ? truth : truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

/* `x is y`: known if one of them is None, and for two bools, instances, lists, dicts, kernels or
 * data types. */
static Truth is_same_object(Value a, Value b)
{
    if (a.kind == VALUE_UNKNOWN || b.kind == VALUE_UNKNOWN) {
        return TRUTH_UNKNOWN;
    }
    if (a.kind == VALUE_NONE || b.kind == VALUE_NONE) {
        return a.kind == b.kind ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_BOOL && b.kind == VALUE_BOOL) {
        return a.as.integer == b.as.integer ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_INSTANCE && b.kind == VALUE_INSTANCE) {
        return a.as.instance == b.as.instance ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_LIST && b.kind == VALUE_LIST) {
        return a.as.sequence == b.as.sequence ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_DICT && b.kind == VALUE_DICT) {
        return a.as.dict == b.as.dict ? TRUTH_TRUE : TRUTH_FALSE;
    }
    bool single = a.kind == VALUE_KERNEL || (host_is_dtype(a) && host_is_dtype(b));
    return single && a.kind == b.kind ? value_equal(a, b, 0) : TRUTH_UNKNOWN;
}

static Truth contains(Value item, Value container)
{
    if (container.kind == VALUE_STR && item.kind == VALUE_STR) {
        return str_contains(*container.as.text, *item.as.text) ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (container.kind == VALUE_DICT && !container.as.dict->lost) {
        Value keys = {.kind = VALUE_LIST};
        Sequence sequence = {.items = container.as.dict->keys, .count = container.as.dict->count};
        keys.as.sequence = &sequence;
        return contains(item, keys);
    }
    if (container.kind == VALUE_SET && !container.as.sequence->lost) {
        container.kind = VALUE_LIST;
    }
    if (!value_has_items(container)) {
        return TRUTH_UNKNOWN;
    }
    Truth any = TRUTH_FALSE;
    for (uint32_t i = 0; i < container.as.sequence->count; i++) {
        Truth one = value_equal(item, container.as.sequence->items[i], 0);
        if (one == TRUTH_TRUE) {
            return one;
        }
        any = one == TRUTH_UNKNOWN ? one : any;
    }
    return any;
}

static Truth less(Value a, Value b)
{
    if (value_is_int(a) && value_is_int(b)) {
        return a.as.integer < b.as.integer ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_FLOAT && b.kind == VALUE_FLOAT && !isnan(a.as.number) &&
        !isnan(b.as.number)) {
        return a.as.number < b.as.number ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (a.kind == VALUE_STR && b.kind == VALUE_STR) {
        return str_compare(*a.as.text, *b.as.text) < 0 ? TRUTH_TRUE : TRUTH_FALSE;
    }
    return TRUTH_UNKNOWN;
}

static Truth compare_host(Str op, Value a, Value b)
{
    if (str_is(op, "==") || str_is(op, "!=")) {
        Truth truth = value_equal(a, b, 0);
        return str_is(op, "==") ? truth : negate(truth);
    }
    if (str_is(op, "is") || str_is(op, "is not")) {
        Truth truth = is_same_object(a, b);
        return str_is(op, "is") ? truth : negate(truth);
    }
    if (str_is(op, "in") || str_is(op, "not in")) {
        Truth truth = contains(a, b);
        return str_is(op, "in") ? truth : negate(truth);
    }
    if (str_is(op, "<") || str_is(op, ">=")) {
        Truth truth = less(a, b);
        return str_is(op, "<") ? truth : negate(truth);
    }
    if (str_is(op, ">") || str_is(op, "<=")) {
        Truth truth = less(b, a);
        return str_is(op, ">") ? truth : negate(truth);
    }
    return TRUTH_UNKNOWN;
}

static Value compare_two(Eval *eval, Str op, Value a, Value b)
{
    Value made;
    bool is_relation = op.length > 0 && strchr("<>=!", op.at[0]) != NULL;
    bool tensors = a.kind == VALUE_TENSOR || b.kind == VALUE_TENSOR;
    bool symbols = a.kind == VALUE_SYMBOL || b.kind == VALUE_SYMBOL;
    if (is_relation && tensors) {
        Value other = a.kind == VALUE_TENSOR ? b : a;
        bool possible = value_is_host_number(other) || other.kind == VALUE_TENSOR;
        return possible ? value_tensor() : value_unknown();
    }
    if (is_relation && host_compare(eval, a, b, &made)) {
        return made;
    }
    if (is_relation && symbols) {
        return eval_symbol_operator(OPERATOR_COMPARE, a, b);
    }
    Truth truth = compare_host(op, a, b);
    return truth == TRUTH_UNKNOWN ? value_unknown() : value_bool(truth == TRUTH_TRUE);
}

Value eval_compare(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId left = node_child(module, node, ROLE_LEFT);
    Value value = eval_expression(eval, left);
    Value result = value_unknown();
    bool first = true;
    for (NodeId right = node_child(module, node, ROLE_COMPARATOR); right != NO_NODE;
         right = node_next(module, right)) {
        Value other = eval_expression(eval, right);
        Str op = compare_operator(eval, left, right);
        Value one;
        if (eval->drive == NULL || !drive_compare(eval, node, op, value, other, &one)) {
            one = compare_two(eval, op, value, other);
        }
        if (first) {
            result = one;
        } else if (value_truth(result) == TRUTH_TRUE) {
            result = one;
        } else if (value_truth(result) == TRUTH_UNKNOWN) {
            eval_silently_needs_value(eval, node, result,
                                      (Where){"a chained comparison", "链式比较", false});
            result = value_unknown();
        }
        first = false;
        value = other;
        left = right;
    }
    return result;
}

/* `a and b`, `a or b`: the truth of the last operand is not needed. */
Value eval_bool_op(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    bool is_and = eval_node(eval, node)->op == OPERATOR_AND;
    uint32_t open = 0, region = eval->region;
    Value result = value_unknown();
    bool decided = true;
    for (NodeId operand = node_first(module, node); operand != NO_NODE;
         operand = node_sibling(module, operand)) {
        Value value = eval_expression(eval, operand);
        value = eval->drive != NULL ? drive_plain(eval, value) : value;
        bool last = node_sibling(module, operand) == NO_NODE;
        result = decided ? value : value_unknown();
        if (!decided) {
            value_lose(eval, value);
        }
        if (last) {
            break;
        }
        if (value.kind == VALUE_SYMBOL || value.kind == VALUE_TENSOR) {
            eval_silently_needs_value(eval, operand, value,
                                      is_and ? (Where){"'and'", "'and' ", false}
                                             : (Where){"'or'", "'or' ", false});
        }
        Truth truth = value_truth(value);
        if (truth != TRUTH_UNKNOWN && (truth == TRUTH_FALSE) == is_and) {
            break; /* the rest does not run */
        }
        if (truth == TRUTH_UNKNOWN) {
            value_lose(eval, value);
            decided = false;
            open++;
            eval_enter(eval, true);
        }
    }
    eval->region = region;
    eval->assumed -= open;
    return decided ? result : value_hidden(eval, result);
}
