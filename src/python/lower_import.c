/* Lowering of import statements. */
#include "python/identifier.h"
#include "python/lower.h"

/* Sets the name of `id` to a dotted name; white space and comments inside are left out as in
 * `ast`. */
static void set_dotted_name(Lower *lower, NodeId id, uint32_t start, uint32_t end)
{
    bool plain = true;
    for (uint32_t i = start; i < end; i++) {
        char c = lower->text[i];
        plain = plain && c != ' ' && c != '\t' && c != '\n' && c != '\f';
    }
    if (plain) {
        lower_set_name(lower, id, start, end);
        return;
    }
    Buf name = {.arena = lower->arena};
    for (uint32_t i = start; i < end; i++) {
        char c = lower->text[i];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\f') {
            buf_add_char(&name, lower->source->text.at[i]);
        }
    }
    Str normal = identifier_normal(lower->arena, buf_str(&name));
    lower->nodes.items[id].name = normal.at;
    lower->nodes.items[id].name_length = (uint32_t)normal.length;
}

/* An `as` name that differs from its compared form follows the name, after a NUL. */
static void set_as_name(Lower *lower, NodeId id, Child alias)
{
    Str written = str_slice(lower->source->text, alias.start, alias.end);
    Str normal = identifier_normal(lower->arena, written);
    if (normal.at == written.at) {
        return;
    }
    Node *node = &lower->nodes.items[id];
    Buf names = {.arena = lower->arena};
    buf_add(&names, (Str){node->name, node->name_length});
    buf_add_char(&names, '\0');
    buf_add(&names, normal);
    node->name = names.at;
    node->op = 1;
}

static void check_dotted(Lower *lower, Child dotted)
{
    Children parts = lower_children(lower, dotted.node);
    for (uint32_t i = 0; i < parts.count; i++) {
        if (lower_child(lower, parts, i).symbol == SYMBOL_IDENTIFIER) {
            lower_check_name(lower, lower_child(lower, parts, i));
        }
    }
    lower_release(lower, parts);
}

static void lower_alias(Lower *lower, Child child, bool from)
{
    NodeId id = lower_open(lower, NODE_ALIAS, ROLE_NAME, child.start, child.end);
    Child name = child;
    Child alias = {.symbol = SYMBOL_OTHER};
    if (child.symbol == SYMBOL_ALIASED_IMPORT) {
        Children parts = lower_children(lower, child.node);
        name = lower_field(lower, parts, FIELD_NAME);
        alias = lower_field(lower, parts, FIELD_ALIAS);
        lower_check_name(lower, alias);
        lower->nodes.items[id].extra = alias.start;
        lower_release(lower, parts);
    }
    if (name.symbol == SYMBOL_DOTTED_NAME) {
        check_dotted(lower, name);
        if (from && memchr(lower->text + name.start, '.', name.end - name.start) != NULL) {
            lower_error(lower, name.start, name.end, "invalid syntax", "语法错误");
        }
    }
    set_dotted_name(lower, id, name.start, name.end);
    if (child_exists(alias)) {
        set_as_name(lower, id, alias);
    }
    lower_close(lower, id);
}

static void lower_aliases(Lower *lower, Children children, bool from)
{
    bool parenthesized = false;
    for (uint32_t i = 0; i < children.count; i++) {
        Child part = lower_child(lower, children, i);
        if (part.field == FIELD_NAME || part.symbol == SYMBOL_WILDCARD_IMPORT) {
            lower_alias(lower, part, from);
        } else if (child_is_token(lower, part, "(")) {
            parenthesized = true;
        } else if (i + 1 == children.count && child_is_token(lower, part, ",") && !parenthesized) {
            lower_error(lower, part.start, part.end,
                        "trailing comma not allowed without surrounding parentheses",
                        "没有括号时不允许末尾的逗号");
        }
    }
}

void lower_import_from(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_IMPORT_FROM, role, child.start, child.end);
    Child module = lower_field(lower, children, FIELD_MODULE_NAME);
    if (child.symbol == SYMBOL_FUTURE_IMPORT_STATEMENT) {
        module = lower_child(lower, children, 1);
    }
    uint32_t start = module.start;
    if (module.symbol == SYMBOL_RELATIVE_IMPORT) {
        while (start < module.end && strchr(". \t\n\f", lower->text[start]) != NULL) {
            lower->nodes.items[id].extra += lower->text[start] == '.';
            start++;
        }
        Children parts = lower_children(lower, module.node);
        for (uint32_t i = 0; i < parts.count; i++) {
            if (lower_child(lower, parts, i).symbol == SYMBOL_DOTTED_NAME) {
                check_dotted(lower, lower_child(lower, parts, i));
            }
        }
        lower_release(lower, parts);
    } else if (module.symbol == SYMBOL_DOTTED_NAME) {
        check_dotted(lower, module);
    }
    set_dotted_name(lower, id, start, module.end);
    lower_aliases(lower, children, true);
    lower_close(lower, id);
    lower_release(lower, children);
}

void lower_import(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_IMPORT, role, child.start, child.end);
    lower_aliases(lower, children, false);
    lower_close(lower, id);
    lower_release(lower, children);
}
