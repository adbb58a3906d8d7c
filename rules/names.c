/* Names: one pass over a module that counts bindings and collects reads of chosen names. Scopes are
 * not distinguished: a fix that renames something is offered only when no scope is in doubt. */
#include "rules/names.h"

NameUse *name_table_add(NameTable *table, Str name)
{
    NameUse *use = name_table_find(table, name);
    if (use == NULL) {
        use = ARENA_NEW(table->arena, NameUse);
        use->name = name;
        map_add(&table->known, table->arena, name);
        VEC_PUSH(table->arena, &table->uses, use);
    }
    return use;
}

NameUse *name_table_find(const NameTable *table, Str name)
{
    uint32_t index = map_find(&table->known, name);
    return index == MAP_NONE ? NULL : table->uses.items[index];
}

bool is_store(const Module *module, NodeId id)
{
    for (;;) {
        const Node *node = node_at(module, id);
        if (node->role == ROLE_TARGET || node->role == ROLE_OPTIONAL_VARS) {
            return true;
        }
        if (node->parent == NO_NODE) {
            return false;
        }
        NodeKind around = node_kind(module, node->parent);
        if (around == NODE_TYPE_ALIAS) {
            return node->role == ROLE_NAME;
        }
        if (around != NODE_TUPLE && around != NODE_LIST && around != NODE_STARRED) {
            return false;
        }
        id = node->parent;
    }
}

static bool is_identifier_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* The next identifier-like word at or after `*at`; empty at the end of the text. */
static Str next_word(Str text, size_t *at)
{
    while (*at < text.length && !is_identifier_byte(text.at[*at])) {
        (*at)++;
    }
    size_t start = *at;
    while (*at < text.length && is_identifier_byte(text.at[*at])) {
        (*at)++;
    }
    return str_slice(text, start, *at);
}

static bool in_annotation(const Module *module, NodeId id)
{
    for (; id != NO_NODE; id = node_at(module, id)->parent) {
        Role role = (Role)node_at(module, id)->role;
        if (role == ROLE_ANNOTATION || role == ROLE_RETURNS) {
            return true;
        }
        if (role == ROLE_BODY) {
            return false;
        }
    }
    return false;
}

/* A string stands for a name when it is nothing but that name, or when it is part of an
 * annotation. */
static void scan_string(NameTable *table, const Module *module, NodeId id)
{
    Str text = node_text(module, id);
    size_t quote = 0;
    while (quote < text.length && text.at[quote] != '"' && text.at[quote] != '\'') {
        quote++;
    }
    text = str_slice(text, quote, text.length);
    bool annotation = in_annotation(module, id);
    size_t at = 0;
    Str word = next_word(text, &at);
    if (!annotation) {
        size_t rest = at;
        if (next_word(text, &rest).length > 0) {
            return;
        }
    }
    for (; word.length > 0; word = next_word(text, &at)) {
        NameUse *use = name_table_find(table, word);
        if (use != NULL) {
            use->quoted++;
        }
    }
}

static void count_binding(NameTable *table, Str name)
{
    NameUse *use = name_table_find(table, name);
    if (use != NULL) {
        use->bindings++;
    }
}

/* `global a, b`: the names have no nodes. */
static void scan_declaration(NameTable *table, const Module *module, NodeId id)
{
    Str text = node_text(module, id);
    size_t at = 0;
    for (Str word = next_word(text, &at); word.length > 0; word = next_word(text, &at)) {
        count_binding(table, word);
    }
}

static void scan_name(NameTable *table, const Module *module, NodeId id)
{
    NameUse *use = name_table_find(table, node_name(module, id));
    if (use == NULL) {
        return;
    }
    if (is_store(module, id)) {
        use->bindings++;
    } else {
        VEC_PUSH(table->arena, &use->loads, id);
    }
}

static void scan_alias(NameTable *table, const Module *module, NodeId id)
{
    Str bound = alias_bound_name(module, id);
    if (str_is(bound, "*")) {
        table->has_star = true;
    }
    count_binding(table, bound);
}

void name_table_scan(NameTable *table, const Module *module)
{
    for (NodeId id = 0; id < module->node_count; id++) {
        switch (node_kind(module, id)) {
        case NODE_NAME:
            scan_name(table, module, id);
            break;
        case NODE_ALIAS:
            scan_alias(table, module, id);
            break;
        case NODE_CONSTANT:
            if (node_at(module, id)->op == CONSTANT_STR) {
                scan_string(table, module, id);
            }
            break;
        case NODE_GLOBAL:
        case NODE_NONLOCAL:
            scan_declaration(table, module, id);
            break;
        default:
            if (node_kind_binds(node_kind(module, id))) {
                count_binding(table, node_name(module, id));
            }
            break;
        }
    }
}
