/* Expressions. */
#include "eval/drive.h"

#include "base/stack.h"

#include <stdlib.h>

bool eval_step(Eval *eval)
{
    if (eval->stopped) {
        return false;
    }
    if (eval->steps == 0 || eval->steps_left_in_file == 0) {
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

/* --- what is known of both */

static Value join_sequences(Value a, Value b)
{
    bool same = a.as.sequence == b.as.sequence;
    return same ? a : value_unknown();
}

Value value_join(Value a, Value b)
{
    if (value_same(a, b)) {
        return a;
    }
    if (a.kind == VALUE_TENSOR && b.kind == VALUE_TENSOR) {
        /* While a kernel is recorded it is one of two slots: a write may change either. */
        return a.handle == 0 && b.handle == 0 ? value_tensor() : value_unknown();
    }
    if (value_is_sequence(a) && a.kind == b.kind) {
        return join_sequences(a, b);
    }
    bool numbers = (value_is_int(a) || a.kind == VALUE_FLOAT || a.kind == VALUE_NUMBER) &&
                   (value_is_int(b) || b.kind == VALUE_FLOAT || b.kind == VALUE_NUMBER);
    return numbers ? value_number() : value_unknown();
}

void value_lose(Eval *eval, Value value)
{
    (void)eval;
    if (value.kind == VALUE_LIST) {
        value.as.sequence->lost = true;
    } else if (value.kind == VALUE_DICT) {
        value.as.dict->lost = true;
    }
}

bool may_change(Eval *eval, Value value)
{
    uint32_t birth = value.kind == VALUE_LIST   ? value.as.sequence->birth
                     : value.kind == VALUE_DICT ? value.as.dict->birth
                                                : 0;
    if (birth < eval->region) {
        value_lose(eval, value);
    }
    return value.kind == VALUE_LIST   ? !value.as.sequence->lost
           : value.kind == VALUE_DICT ? !value.as.dict->lost
                                      : false;
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

static Value display(Eval *eval, NodeId node, ValueKind kind)
{
    const Module *module = eval->module;
    Value result = value_sequence(eval->arena, kind, node_count(module, node, ROLE_ELT));
    Sequence *sequence = result.as.sequence;
    sequence->birth = eval->clock;
    for (NodeId item = node_first(module, node); item != NO_NODE;
         item = node_sibling(module, item)) {
        if (!node_is(module, item, NODE_STARRED)) {
            sequence_add(eval->arena, sequence, eval_expression(eval, item));
            continue;
        }
        Value value = eval_expression(eval, item + 1);
        const Sequence *more = eval_items(eval, item + 1, value);
        for (uint32_t i = 0; more != NULL && i < more->count; i++) {
            sequence_add(eval->arena, sequence, more->items[i]);
        }
        sequence->lost = sequence->lost || more == NULL;
    }
    sequence->lost = sequence->lost || sequence->count > EVAL_ITEMS;
    return result;
}

static bool is_key(Value key)
{
    return value_is_int(key) || key.kind == VALUE_STR || key.kind == VALUE_NONE;
}

void dict_set(Eval *eval, Value value, Value key, Value item)
{
    Dict *dict = value.as.dict;
    if (!is_key(key) || dict->count >= EVAL_ITEMS) {
        dict->lost = true;
        return;
    }
    for (uint32_t i = 0; i < dict->count; i++) {
        if (value_equal(dict->keys[i], key, 0) == TRUTH_TRUE) {
            dict->values[i] = item;
            return;
        }
    }
    if (dict->count == dict->capacity) {
        uint32_t capacity = dict->capacity == 0 ? 8 : dict->capacity * 2;
        size_t old = dict->capacity * sizeof(Value);
        dict->keys = arena_grow(eval->arena, dict->keys, old, capacity * sizeof(Value));
        dict->values = arena_grow(eval->arena, dict->values, old, capacity * sizeof(Value));
        dict->capacity = capacity;
    }
    dict->keys[dict->count] = key;
    dict->values[dict->count++] = item;
}

static Value dict_new(Eval *eval)
{
    Value result = {.kind = VALUE_DICT};
    result.as.dict = ARENA_NEW(eval->arena, Dict);
    result.as.dict->birth = eval->clock;
    return result;
}

static Value dict_display(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Value result = dict_new(eval);
    uint32_t keys = node_count(module, node, ROLE_KEY);
    uint32_t values = node_count(module, node, ROLE_VALUE);
    NodeId key = node_child(module, node, ROLE_KEY);
    NodeId item = node_child(module, node, ROLE_VALUE);
    for (; item != NO_NODE; item = node_next(module, item)) {
        /* With `**more` there are fewer keys than values. */
        Value name =
            keys == values && key != NO_NODE ? eval_expression(eval, key) : value_unknown();
        if (name.kind == VALUE_TENSOR || name.kind == VALUE_SYMBOL) {
            eval_needs_value(eval, key, name, (Where){"a dict key", "字典的键"});
        }
        dict_set(eval, result, name, eval_expression(eval, item));
        key = key == NO_NODE ? key : node_next(module, key);
    }
    result.as.dict->lost = result.as.dict->lost || keys != values;
    return result;
}

static void evaluate_children(Eval *eval, NodeId node)
{
    for (NodeId child = node_first(eval->module, node); child != NO_NODE;
         child = node_sibling(eval->module, child)) {
        eval_expression(eval, child);
    }
}

static Value eval_joined_string(Eval *eval, NodeId node)
{
    evaluate_children(eval, node);
    return value_unknown();
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
                                  (Where){"a conditional expression", "条件表达式"});
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
    return value_join(a, b);
}

/* --- iterables */

const Sequence *eval_items(Eval *eval, NodeId node, Value iterable)
{
    if (value_has_items(iterable)) {
        return iterable.as.sequence;
    }
    if (iterable.kind == VALUE_DICT && !iterable.as.dict->lost) {
        Value keys = value_sequence(eval->arena, VALUE_LIST, iterable.as.dict->count);
        for (uint32_t i = 0; i < iterable.as.dict->count; i++) {
            sequence_add(eval->arena, keys.as.sequence, iterable.as.dict->keys[i]);
        }
        return keys.as.sequence;
    }
    if (node != NO_NODE) {
        eval_needs_value(eval, node, iterable, (Where){"iterating over it", "对其迭代"});
    }
    return NULL;
}

/* One `for` of a comprehension and what is inside; true when the items are all known. */
static bool comprehend(Eval *eval, NodeId node, NodeId generator, Sequence *out, NodeId element)
{
    const Module *module = eval->module;
    if (!eval_step(eval)) {
        return false;
    }
    if (generator == NO_NODE) {
        sequence_add(eval->arena, out, eval_expression(eval, element));
        return out->count <= EVAL_ITEMS;
    }
    NodeId iter = node_child(module, generator, ROLE_ITER);
    NodeId target = node_child(module, generator, ROLE_TARGET);
    Value iterable = eval_expression(eval, iter);
    const Sequence *items = eval_items(eval, iter, iterable);
    if (items == NULL || items->count > EVAL_ITEMS) {
        return false;
    }
    for (uint32_t i = 0; i < items->count; i++) {
        eval_assign(eval, target, items->items[i]);
        bool passes = true;
        for (NodeId test = node_child(module, generator, ROLE_IF); test != NO_NODE && passes;
             test = node_next(module, test)) {
            Truth truth = value_truth(eval_expression(eval, test));
            if (truth == TRUTH_UNKNOWN) {
                return false;
            }
            passes = truth == TRUTH_TRUE;
        }
        if (passes && !comprehend(eval, node, node_next(module, generator), out, element)) {
            return false;
        }
    }
    return true;
}

static Value eval_comprehension(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeKind kind = node_kind(module, node);
    NodeId generator = node_child(module, node, ROLE_GENERATOR);
    Frame *frame = eval->frame;
    Scope *outer = frame->scope;
    Scope *scope = scope_new(eval, outer, NO_NODE);
    bool simple = (kind == NODE_LIST_COMP || kind == NODE_GENERATOR_EXP) && generator != NO_NODE &&
                  nodes_in(module, node, NODE_NAMED_EXPR).count == 0;
    if (!simple) {
        scope_widen(eval, outer, node); /* a walrus in it binds outside */
        eval_lose_named(eval, node, 0);
        return value_unknown();
    }
    Value result = value_sequence(eval->arena, VALUE_LIST, 0);
    result.as.sequence->birth = eval->clock;
    frame->scope = scope;
    eval->silent += frame->is_graph;
    bool known =
        comprehend(eval, node, generator, result.as.sequence, node_child(module, node, ROLE_ELT));
    eval->silent -= frame->is_graph;
    frame->scope = outer;
    if (!known || kind != NODE_LIST_COMP) {
        eval_lose_named(eval, node, 0);
    }
    if (known && kind == NODE_GENERATOR_EXP && eval->drive == NULL) {
        result.kind = VALUE_TUPLE;
        result.flag = result.atom = true; /* it can be walked once */
        return result;
    }
    return known && kind == NODE_LIST_COMP ? result : value_unknown();
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
        return display(eval, node, VALUE_LIST);
    case NODE_TUPLE:
        return display(eval, node, VALUE_TUPLE);
    case NODE_DICT:
        return dict_display(eval, node);
    case NODE_JOINED_STR:
    case NODE_FORMATTED_VALUE:
        return eval_joined_string(eval, node);
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
    case NODE_SET:
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
        eval->stopped = true;
        return value_unknown();
    }
    eval->nesting++;
    Value value = evaluate(eval, node);
    eval->nesting--;
    return value;
}
