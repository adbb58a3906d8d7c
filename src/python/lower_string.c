/* Lowering of strings, f-strings and their implicit concatenation. */
#include "python/lower.h"

typedef struct StringKind {
    bool format, bytes;
} StringKind;

static StringKind string_kind(Lower *lower, Child string)
{
    StringKind kind = {0};
    for (uint32_t i = string.start; i < string.end; i++) {
        char c = lower->text[i];
        if (c == '"' || c == '\'') {
            break;
        }
        kind.format = kind.format || c == 'f' || c == 'F';
        kind.bytes = kind.bytes || c == 'b' || c == 'B';
    }
    return kind;
}

static void lower_interpolation(Lower *lower, Child child);

/* `{x:{width}}`: a JoinedStr of the fields within; its text matters to no rule. */
static void lower_format_spec(Lower *lower, Child spec)
{
    Children parts = lower_children(lower, spec.node);
    NodeId id = lower_open(lower, NODE_JOINED_STR, ROLE_FORMAT_SPEC, spec.start, spec.end);
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_FORMAT_EXPRESSION || part.symbol == SYMBOL_INTERPOLATION) {
            lower_interpolation(lower, part);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

/* The parser takes `{x:=5}` for an assignment expression; in Python it is x with the format
 * "=5". */
static void lower_equals_spec(Lower *lower, Child expression)
{
    Children parts = lower_children(lower, expression.node);
    lower_expression(lower, lower_child(lower, parts, 0), ROLE_VALUE, 0);
    Child value = lower_child(lower, parts, 2);
    lower_leaf(lower, NODE_JOINED_STR, ROLE_FORMAT_SPEC, value.start, value.end);
    lower_release(lower, parts);
}

static void lower_interpolation(Lower *lower, Child child)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_FORMATTED_VALUE, ROLE_VALUE, child.start, child.end);
    Child expression = lower_field(lower, parts, FIELD_EXPRESSION);
    if (expression.symbol == SYMBOL_NAMED_EXPRESSION) {
        lower_equals_spec(lower, expression);
    } else {
        if (expression.symbol == SYMBOL_LAMBDA) {
            lower_error(lower, expression.start, expression.end,
                        "f-string: lambda expressions are not allowed without parentheses",
                        "f-string 中的 lambda 表达式必须加括号");
        }
        lower_expression(lower, expression, ROLE_VALUE, ALLOW_STAR | ALLOW_YIELD);
    }
    Child spec = lower_field(lower, parts, FIELD_FORMAT_SPECIFIER);
    if (child_exists(spec)) {
        lower_format_spec(lower, spec);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

/* Text and fields of one f-string, as children of the open JoinedStr. */
static void lower_pieces(Lower *lower, Child string)
{
    Children parts = lower_children(lower, string.node);
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_STRING_CONTENT) {
            NodeId id = lower_leaf(lower, NODE_CONSTANT, ROLE_VALUE, part.start, part.end);
            lower->nodes.items[id].op = CONSTANT_STR;
            lower->nodes.items[id].extra = 1;
        } else if (part.symbol == SYMBOL_INTERPOLATION) {
            lower_interpolation(lower, part);
        }
    }
    lower_release(lower, parts);
}

static void lower_plain(Lower *lower, Child child, Role role, bool bytes)
{
    NodeId id = lower_leaf(lower, NODE_CONSTANT, role, child.start, child.end);
    lower->nodes.items[id].op = bytes ? CONSTANT_BYTES : CONSTANT_STR;
}

void lower_string(Lower *lower, Child child, Role role, bool pattern)
{
    Children parts = {lower->stack.count, 0};
    uint32_t count = 1;
    if (child.symbol == SYMBOL_CONCATENATED_STRING) {
        parts = lower_children(lower, child.node);
        count = parts.count;
    }
    bool format = false;
    uint32_t bytes = 0;
    uint32_t strings = 0;
    for (uint32_t i = 0; i < count; i++) {
        Child part = parts.count > 0 ? lower_child(lower, parts, i) : child;
        if (part.symbol == SYMBOL_STRING) {
            StringKind kind = string_kind(lower, part);
            format = format || kind.format;
            bytes += kind.bytes;
            strings++;
        }
    }
    if (bytes > 0 && bytes < strings) {
        lower_error(lower, child.start, child.end, "cannot mix bytes and nonbytes literals",
                    "不能混用字节串和字符串字面量");
    }
    if (!format) {
        lower_plain(lower, child, role, bytes > 0);
        lower_release(lower, parts);
        return;
    }
    if (pattern) {
        lower_error(lower, child.start, child.end,
                    "patterns may only match literals and attribute lookups",
                    "模式只能匹配字面量和属性");
    }
    NodeId id = lower_open(lower, NODE_JOINED_STR, role, child.start, child.end);
    for (uint32_t i = 0; i < count; i++) {
        Child part = parts.count > 0 ? lower_child(lower, parts, i) : child;
        if (part.symbol != SYMBOL_STRING) {
            continue;
        }
        if (string_kind(lower, part).format) {
            lower_pieces(lower, part);
        } else {
            lower_plain(lower, part, ROLE_VALUE, false);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}
