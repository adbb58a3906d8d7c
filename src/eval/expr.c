/* Expressions: constants, displays, and which function evaluates which node. */
#include "eval/drive.h"

#include "base/stack.h"

#include <stdlib.h>

bool eval_step(Eval *eval)
{
    if (eval->stopped) {
        return false;
    }
    if (eval->steps == 0 || eval->steps_left_in_file == 0) {
        facts_limit(eval, eval->steps == 0 ? EVAL_LIMIT_STEPS : EVAL_LIMIT_FILE);
        eval->stopped = true;
        return false;
    }
    eval->steps--;
    eval->steps_left_in_file--;
    return true;
}

Value eval_atom(Eval *eval)
{
    Value value = {.kind = VALUE_SYMBOL, .flag = true, .atom = true};
    value.as.atoms = UINT64_C(1) << (eval->atoms++ % 64);
    return value;
}

/* --- constants and displays */

static Value float_constant(const Eval *eval, NodeId node)
{
    Str text = node_text(eval->module, node);
    char digits[64];
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '_') {
            if (length + 1 >= sizeof digits) {
                return value_number();
            }
            digits[length++] = text.at[i];
        }
    }
    digits[length] = '\0';
    char *end;
    double number = strtod(digits, &end);
    return *end == '\0' ? value_float(number) : value_number();
}

static Value constant(Eval *eval, NodeId node)
{
    int64_t integer;
    Str text;
    switch ((ConstantKind)eval_node(eval, node)->op) {
    case CONSTANT_NONE:
        return value_none();
    case CONSTANT_TRUE:
        return value_bool(true);
    case CONSTANT_FALSE:
        return value_bool(false);
    case CONSTANT_INT:
        return node_int(eval->module, node, true, &integer) && integer != INT64_MAX
                   ? value_int(integer)
                   : value_number();
    case CONSTANT_FLOAT:
        return float_constant(eval, node);
    case CONSTANT_STR:
        return node_string(eval->module, node, eval->arena, &text) && text.length <= EVAL_TEXT
                   ? value_text(eval->arena, text)
                   : value_unknown();
    default:
        return value_unknown();
    }
}

static Value sequence_display(Eval *eval, NodeId node, ValueKind kind)
{
    const Module *module = eval->module;
    Value result = value_sequence(eval->arena, kind, node_count(module, node, ROLE_ELT));
    Sequence *sequence = result.as.sequence;
    sequence->birth = eval->clock;
    for (NodeId item = node_first(module, node); item != NO_NODE;
         item = node_sibling(module, item)) {
        if (!node_is(module, item, NODE_STARRED)) {
            sequence_add(eval->arena, sequence, eval_kept(eval, eval_expression(eval, item)));
            continue;
        }
        Value value = eval_expression(eval, item + 1);
        const Sequence *more = eval_items(eval, item + 1, value);
        for (uint32_t i = 0; more != NULL && i < more->count; i++) {
            sequence_add(eval->arena, sequence, more->items[i]);
        }
        sequence->lost = sequence->lost || more == NULL;
    }
    if (sequence->lost || sequence->count > EVAL_ITEMS) {
        sequence->lost = true;
        value_hidden_items(eval, result);
    }
    return result;
}

/* `**more` in a dict display. */
static void dict_take(Eval *eval, Value dict, Value more)
{
    if (more.kind != VALUE_DICT || more.as.dict->lost) {
        dict.as.dict->lost = true;
        value_lose(eval, more); /* what is in it may be changed through the new one */
        return;
    }
    for (uint32_t i = 0; i < more.as.dict->count && eval_step(eval); i++) {
        dict_set(eval, dict, more.as.dict->keys[i], more.as.dict->values[i]);
    }
}

static Value dict_display(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Value result = dict_new(eval);
    NodeId key = node_child(module, node, ROLE_KEY);
    NodeId item = node_child(module, node, ROLE_VALUE);
    for (; item != NO_NODE; item = node_next(module, item)) {
        bool keyed = key != NO_NODE && eval_node(eval, key)->start < eval_node(eval, item)->start;
        if (!keyed) {
            dict_take(eval, result, eval_expression(eval, item));
            continue;
        }
        Value name = eval_expression(eval, key);
        if (name.kind == VALUE_TENSOR || name.kind == VALUE_SYMBOL) {
            eval_needs_value(eval, key, name, (Where){"a dict key", "字典的键", true});
        }
        dict_set(eval, result, name, eval_kept(eval, eval_expression(eval, item)));
        key = node_next(module, key);
    }
    if (result.as.dict->lost) {
        value_hidden_items(eval, result);
    }
    return result;
}

static void evaluate_children(Eval *eval, NodeId node)
{
    for (NodeId child = node_first(eval->module, node); child != NO_NODE;
         child = node_sibling(eval->module, child)) {
        eval_expression(eval, child);
    }
}

/* --- conditional expression */

static Value conditional(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId test = node_child(module, node, ROLE_TEST);
    NodeId yes = node_child(module, node, ROLE_BODY);
    NodeId no = node_child(module, node, ROLE_ORELSE);
    Value condition = eval_expression(eval, test);
    condition = eval->drive != NULL ? drive_plain(eval, condition) : condition;
    if (condition.kind == VALUE_SYMBOL) {
        eval_silently_needs_value(eval, test, condition,
                                  (Where){"a conditional expression", "条件表达式", false});
        return value_unknown();
    }
    Truth truth = value_truth(condition);
    if (truth != TRUTH_UNKNOWN) {
        return eval_expression(eval, truth == TRUTH_TRUE ? yes : no);
    }
    bool calls = nodes_in(module, yes, NODE_CALL).count + nodes_in(module, no, NODE_CALL).count > 0;
    if (eval->drive != NULL && !eval->drive->ended && calls) {
        return eval_expression(eval, drive_assume(eval, test, condition) ? yes : no);
    }
    uint32_t region = eval_enter(eval, true);
    Value a = eval_expression(eval, yes);
    Value b = eval_expression(eval, no);
    eval_leave(eval, region, true);
    return value_join(eval, a, b);
}

/* --- all of them */

static Value evaluate(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    switch (node_kind(module, node)) {
    case NODE_CONSTANT:
        return constant(eval, node);
    case NODE_NAME:
        return eval_lookup(eval, node, node_name(module, node));
    case NODE_ATTRIBUTE:
        return eval_attribute(eval, node, eval_expression(eval, node + 1));
    case NODE_CALL:
        return eval_call(eval, node);
    case NODE_SUBSCRIPT:
        return eval_subscript(eval, node, eval_expression(eval, node + 1));
    case NODE_BIN_OP: {
        Value left = eval_expression(eval, node_child(module, node, ROLE_LEFT));
        Value right = eval_expression(eval, node_child(module, node, ROLE_RIGHT));
        return eval_operator(eval, node, (ExprOperator)eval_node(eval, node)->op, left, right);
    }
    case NODE_UNARY_OP:
        return eval_unary(eval, node);
    case NODE_COMPARE:
        return eval_compare(eval, node);
    case NODE_BOOL_OP:
        return eval_bool_op(eval, node);
    case NODE_IF_EXP:
        return conditional(eval, node);
    case NODE_LIST:
        return sequence_display(eval, node, VALUE_LIST);
    case NODE_TUPLE:
        return sequence_display(eval, node, VALUE_TUPLE);
    case NODE_DICT:
        return dict_display(eval, node);
    case NODE_JOINED_STR:
        return eval_joined_string(eval, node);
    case NODE_SET: {
        Value items = sequence_display(eval, node, VALUE_LIST);
        return value_has_items(items) ? set_of(eval, items.as.sequence) : value_unknown();
    }
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return eval_comprehension(eval, node);
    case NODE_LAMBDA:
        return function_make(eval, node);
    case NODE_NAMED_EXPR: {
        check_statement(eval, node);
        Value value = eval_expression(eval, node_child(module, node, ROLE_VALUE));
        eval_assign(eval, node_child(module, node, ROLE_TARGET), value);
        return value;
    }
    case NODE_YIELD:
        return eval_yield(eval, node);
    case NODE_STARRED:
    case NODE_SLICE:
    case NODE_KEYWORD:
        evaluate_children(eval, node);
        return value_unknown();
    default:
        return value_unknown();
    }
}

Value eval_expression(Eval *eval, NodeId node)
{
    if (node == NO_NODE || !eval_step(eval)) {
        return value_unknown();
    }
    if (eval->nesting >= EVAL_NESTING || stack_is_low()) {
        facts_limit(eval, EVAL_LIMIT_NESTING);
        eval->stopped = true;
        return value_unknown();
    }
    eval->nesting++;
    Value value = evaluate(eval, node);
    eval->nesting--;
    return value;
}
