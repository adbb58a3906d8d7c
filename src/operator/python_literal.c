/* Python literals: what ast.literal_eval makes of lists, tuples, mappings, sets, numbers, strings
 * and the three constants. Anything else (complex numbers, bytes) does not count as a literal.
 * Nesting is limited. */
#include "operator/front_matter.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "operator/text.h"
#include "python/parse.h"

typedef struct Literal {
    Arena *arena;
    const Module *module;
    uint32_t line; /* of every value */
} Literal;

static const Value *convert(const Literal *literal, NodeId id, unsigned depth);

static const Value *number_value(const Literal *literal, Str text, bool negative)
{
    static const char marks[] = "xXoObB";
    static const unsigned bases[] = {16, 16, 8, 8, 2, 2};
    const char *mark = text.length > 2 && text.at[0] == '0' ? strchr(marks, text.at[1]) : NULL;
    unsigned base = mark == NULL ? 10 : bases[mark - marks];
    Str digits = str_slice(text, mark == NULL ? 0 : 2, text.length);
    return value_int(literal->arena, text, digits, base, negative, literal->line);
}

static const Value *signed_value(const Literal *literal, NodeId id, bool negative)
{
    Str text = node_text(literal->module, id);
    double number;
    switch ((ConstantKind)node_at(literal->module, id)->op) {
    case CONSTANT_INT:
        return number_value(literal, text, negative);
    case CONSTANT_FLOAT:
        return text_to_real(text, &number)
                   ? value_real(literal->arena, text, negative ? -number : number, literal->line)
                   : NULL;
    default:
        return NULL;
    }
}

static const Value *plain_value(const Literal *literal, NodeId id)
{
    Arena *arena = literal->arena;
    ConstantKind kind = (ConstantKind)node_at(literal->module, id)->op;
    Str text;
    if (kind == CONSTANT_NONE) {
        return value_new(arena, VALUE_NULL, literal->line);
    }
    if (kind == CONSTANT_TRUE || kind == CONSTANT_FALSE) {
        return value_bool(arena, kind == CONSTANT_TRUE, literal->line);
    }
    if (!node_string(literal->module, id, arena, &text)) {
        return signed_value(literal, id, false);
    }
    Buf valid = {.arena = arena}; /* half a surrogate pair has no UTF-8 */
    utf8_add_text(&valid, text);
    return value_string(arena, buf_str(&valid), literal->line);
}

/* A list, a tuple or a set. */
static const Value *elements_value(const Literal *literal, NodeId id, unsigned depth)
{
    const Module *module = literal->module;
    bool is_set = node_is(module, id, NODE_SET);
    ValueBuilder list;
    value_begin(&list, literal->arena, is_set ? VALUE_SET : VALUE_LIST, literal->line);
    list.value->is_tuple = node_is(module, id, NODE_TUPLE);
    for (NodeId part = node_first(module, id); part != NO_NODE; part = node_sibling(module, part)) {
        const Value *item = convert(literal, part, depth);
        if (item == NULL || (is_set && !value_is_key(item))) {
            return NULL;
        }
        value_add(&list, item);
    }
    return value_finish(&list);
}

static const Value *mapping_value(const Literal *literal, NodeId id, unsigned depth)
{
    const Module *module = literal->module;
    ValueBuilder mapping;
    value_begin(&mapping, literal->arena, VALUE_MAPPING, literal->line);
    NodeId value_id = node_child(module, id, ROLE_VALUE);
    for (NodeId part = node_child(module, id, ROLE_KEY); value_id != NO_NODE;
         value_id = node_next(module, value_id)) {
        const Value *key = part == NO_NODE ? NULL : convert(literal, part, depth);
        const Value *value = key == NULL ? NULL : convert(literal, value_id, depth);
        if (value == NULL || !value_is_key(key)) {
            return NULL;
        }
        value_add_entry(&mapping, key, value);
        part = node_next(module, part);
    }
    return value_finish(&mapping);
}

static const Value *convert(const Literal *literal, NodeId id, unsigned depth)
{
    const Module *module = literal->module;
    if (depth == VALUE_MAX_DEPTH) {
        return NULL;
    }
    switch (node_kind(module, id)) {
    case NODE_LIST:
    case NODE_TUPLE:
    case NODE_SET:
        return elements_value(literal, id, depth + 1);
    case NODE_DICT:
        return mapping_value(literal, id, depth + 1);
    case NODE_CONSTANT:
        return plain_value(literal, id);
    case NODE_UNARY_OP: {
        NodeId operand = node_child(module, id, ROLE_OPERAND);
        ExprOperator sign = (ExprOperator)node_at(module, id)->op;
        bool is_signed = sign == OPERATOR_U_SUB || sign == OPERATOR_U_ADD;
        return is_signed && node_is(module, operand, NODE_CONSTANT)
                   ? signed_value(literal, operand, sign == OPERATOR_U_SUB)
                   : NULL;
    }
    default:
        return NULL;
    }
}

const Value *python_literal(Arena *arena, Str text, uint32_t line)
{
    Parsed parsed;
    python_parse(&parsed, arena, STR("literal"), text_trim(text));
    const Module *module = parsed.module;
    NodeId statement = parsed.status == PARSE_OK ? node_child(module, 0, ROLE_BODY) : NO_NODE;
    if (!node_is(module, statement, NODE_EXPR) || node_next(module, statement) != NO_NODE) {
        return NULL;
    }
    const Literal literal = {arena, module, line};
    return convert(&literal, node_child(module, statement, ROLE_VALUE), 0);
}
