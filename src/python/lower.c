/* Lowering, the common part: the grammar's symbols, children and nodes. */
#include "python/lower.h"

#include "base/heap.h"
#include "base/search.h"
#include "base/stack.h"
#include "python/identifier.h"
#include "python/parser_language.h"

#include <pthread.h>

typedef struct NamedId {
    const char *name;
    uint8_t id;
} NamedId;

static const NamedId symbol_names[] = {
#define SYMBOL(name, text) {text, SYMBOL_##name},
#include "python/symbols.def"
#undef SYMBOL
};

static const NamedId field_names[] = {
#define FIELD(name, text) {text, FIELD_##name},
#include "python/fields.def"
#undef FIELD
};

/* Grammar ids -> ours; filled once. The grammar has about 280 symbols and 32 fields. */
enum { MAX_SYMBOLS = 1024, MAX_FIELDS = 128 };
static uint8_t symbol_table[MAX_SYMBOLS];
static uint8_t field_table[MAX_FIELDS];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static uint8_t look_up(const NamedId *names, size_t count, const char *name)
{
    size_t low;
    LOWER_BOUND(low, count, strcmp(name, names[low].name) > 0);
    return low < count && strcmp(name, names[low].name) == 0 ? names[low].id : 0;
}

static void fill_tables(void)
{
    ts_set_allocator(heap_malloc, heap_calloc, heap_realloc, heap_release);
    const TSLanguage *language = tree_sitter_python();
    uint32_t symbols = ts_language_symbol_count(language);
    for (uint32_t i = 0; i < symbols && i < MAX_SYMBOLS; i++) {
        TSSymbolType type = ts_language_symbol_type(language, (TSSymbol)i);
        if (type == TSSymbolTypeRegular) {
            symbol_table[i] = look_up(symbol_names, sizeof symbol_names / sizeof *symbol_names,
                                      ts_language_symbol_name(language, (TSSymbol)i));
        } else if (type == TSSymbolTypeAnonymous) {
            symbol_table[i] = SYMBOL_ANONYMOUS;
        }
    }
    uint32_t fields = ts_language_field_count(language);
    for (uint32_t i = 1; i <= fields && i < MAX_FIELDS; i++) {
        field_table[i] = look_up(field_names, sizeof field_names / sizeof *field_names,
                                 ts_language_field_name_for_id(language, (TSFieldId)i));
    }
}

Child lower_as_child(const Lower *lower, TSNode node, GrammarField field)
{
    TSSymbol symbol = ts_node_symbol(node);
    Child child = {.node = node, .field = (uint8_t)field};
    child.start = ts_node_start_byte(node) + lower->base;
    child.end = ts_node_end_byte(node) + lower->base;
    child.symbol = symbol < MAX_SYMBOLS ? symbol_table[symbol] : SYMBOL_OTHER;
    return child;
}

/* Kinds whose children are distinguished by their place or kind alone: asking for field names would
 * cost a fifth of the whole lowering. */
static const bool without_fields[] = {[SYMBOL_ARGUMENT_LIST] = true,
                                      [SYMBOL_ASSERT_STATEMENT] = true,
                                      [SYMBOL_ATTRIBUTE] = true,
                                      [SYMBOL_AWAIT] = true,
                                      [SYMBOL_BINARY_OPERATOR] = true,
                                      [SYMBOL_BLOCK] = true,
                                      [SYMBOL_BOOLEAN_OPERATOR] = true,
                                      [SYMBOL_CALL] = true,
                                      [SYMBOL_COMPARISON_OPERATOR] = true,
                                      [SYMBOL_CONDITIONAL_EXPRESSION] = true,
                                      [SYMBOL_DECORATOR] = true,
                                      [SYMBOL_DICTIONARY] = true,
                                      [SYMBOL_DOTTED_NAME] = true,
                                      [SYMBOL_EXPRESSION_LIST] = true,
                                      [SYMBOL_EXPRESSION_STATEMENT] = true,
                                      [SYMBOL_KEYWORD_ARGUMENT] = true,
                                      [SYMBOL_LIST] = true,
                                      [SYMBOL_LIST_SPLAT] = true,
                                      [SYMBOL_MODULE] = true,
                                      [SYMBOL_NAMED_EXPRESSION] = true,
                                      [SYMBOL_NOT_OPERATOR] = true,
                                      [SYMBOL_PAIR] = true,
                                      [SYMBOL_PARAMETERS] = true,
                                      [SYMBOL_PARENTHESIZED_EXPRESSION] = true,
                                      [SYMBOL_PATTERN_LIST] = true,
                                      [SYMBOL_RETURN_STATEMENT] = true,
                                      [SYMBOL_SET] = true,
                                      [SYMBOL_SLICE] = true,
                                      [SYMBOL_SUBSCRIPT] = true,
                                      [SYMBOL_TUPLE] = true,
                                      [SYMBOL_TUPLE_PATTERN] = true,
                                      [SYMBOL_TYPE] = true,
                                      [SYMBOL_UNARY_OPERATOR] = true,
                                      [SYMBOL_YIELD] = true,
                                      [SYMBOL_COUNT] = false};

Children lower_children(Lower *lower, TSNode node)
{
    TSSymbol parent = ts_node_symbol(node);
    bool fields = parent >= MAX_SYMBOLS || !without_fields[symbol_table[parent]];
    Children children = {lower->stack.count, 0};
    ts_tree_cursor_reset(&lower->cursor, node);
    if (!ts_tree_cursor_goto_first_child(&lower->cursor)) {
        return children;
    }
    do {
        TSFieldId field = fields ? ts_tree_cursor_current_field_id(&lower->cursor) : 0;
        Child child = lower_as_child(lower, ts_tree_cursor_current_node(&lower->cursor),
                                     field < MAX_FIELDS ? field_table[field] : FIELD_NONE);
        VEC_PUSH(lower->arena, &lower->stack, child);
    } while (ts_tree_cursor_goto_next_sibling(&lower->cursor));
    children.count = lower->stack.count - children.first;
    return children;
}

void lower_release(Lower *lower, Children children)
{
    lower->stack.count = children.first;
}

Child lower_child(const Lower *lower, Children children, uint32_t index)
{
    if (index >= children.count) {
        return (Child){.symbol = SYMBOL_OTHER};
    }
    return lower->stack.items[children.first + index];
}

Child lower_field(const Lower *lower, Children children, GrammarField field)
{
    for (uint32_t i = 0; i < children.count; i++) {
        const Child *child = &lower->stack.items[children.first + i];
        if (child->field == field) {
            return *child;
        }
    }
    return (Child){.symbol = SYMBOL_OTHER};
}

bool child_is_token(const Lower *lower, Child child, const char *text)
{
    return child.symbol == SYMBOL_ANONYMOUS &&
           str_is(lower_text(lower, child.start, child.end), text);
}

static void refuse_depth(Lower *lower, uint32_t at)
{
    lower_error(lower, at, at, "too deeply nested", "嵌套过深");
    arena_fail(lower->arena);
}

void lower_enter(Lower *lower, uint32_t at)
{
    if (lower->walks >= LOWER_MAX_WALKS || stack_is_low()) {
        refuse_depth(lower, at);
    }
    lower->walks++;
}

void lower_leave(Lower *lower)
{
    lower->walks--;
}

NodeId lower_open(Lower *lower, NodeKind kind, Role role, uint32_t start, uint32_t end)
{
    if (lower->depth >= PARSE_MAX_DEPTH || stack_is_low()) {
        refuse_depth(lower, start);
    }
    if (start == lower->splat) {
        start = lower->splat_operand;
    }
    NodeId id = lower->nodes.count;
    Node node = {.kind = (uint8_t)kind, .role = (uint8_t)role, .depth = (uint16_t)lower->depth};
    node.start = start;
    node.end = end;
    node.parent = lower->parent;
    node.name = "";
    VEC_PUSH(lower->arena, &lower->nodes, node);
    lower->parent = id;
    lower->depth++;
    return id;
}

void lower_close(Lower *lower, NodeId id)
{
    Node *node = &lower->nodes.items[id];
    node->subtree_end = lower->nodes.count;
    lower->parent = node->parent;
    lower->depth = node->depth;
}

NodeId lower_leaf(Lower *lower, NodeKind kind, Role role, uint32_t start, uint32_t end)
{
    NodeId id = lower_open(lower, kind, role, start, end);
    lower_close(lower, id);
    return id;
}

void lower_set_name(Lower *lower, NodeId id, uint32_t start, uint32_t end)
{
    Str name = str_slice(lower->source->text, start, end);
    name = identifier_normal(lower->arena, name);
    lower->nodes.items[id].name = name.at;
    lower->nodes.items[id].name_length = (uint32_t)name.length;
}

Str lower_text(const Lower *lower, uint32_t start, uint32_t end)
{
    return (Str){lower->text + start, end - start};
}

void lower_error(Lower *lower, uint32_t start, uint32_t end, const char *en, const char *zh)
{
    SyntaxError error = {start, end, str_from(en), str_from(zh)};
    VEC_PUSH(lower->arena, lower->errors, error);
}

/* Reserved words by first letter; most names end at the first look. */
static bool is_reserved(Str name)
{
    static const char *const words[26][7] = {
        ['a' - 'a'] = {"and", "as", "assert", "async", "await"},
        ['b' - 'a'] = {"break"},
        ['c' - 'a'] = {"class", "continue"},
        ['d' - 'a'] = {"def", "del"},
        ['e' - 'a'] = {"elif", "else", "except"},
        ['f' - 'a'] = {"finally", "for", "from"},
        ['g' - 'a'] = {"global"},
        ['i' - 'a'] = {"if", "import", "in", "is"},
        ['l' - 'a'] = {"lambda"},
        ['n' - 'a'] = {"nonlocal", "not"},
        ['o' - 'a'] = {"or"},
        ['p' - 'a'] = {"pass"},
        ['r' - 'a'] = {"raise", "return"},
        ['t' - 'a'] = {"try"},
        ['w' - 'a'] = {"while", "with"},
        ['y' - 'a'] = {"yield"}};
    if (name.length < 2 || name.length > 8 || name.at[0] > 'z') {
        return false;
    }
    if (name.at[0] < 'a') {
        return str_is(name, "None") || str_is(name, "True") || str_is(name, "False");
    }
    const char *const *row = words[name.at[0] - 'a'];
    for (; *row != NULL; row++) {
        if ((*row)[1] == name.at[1] && str_is(name, *row)) {
            return true;
        }
    }
    return false;
}

void lower_check_name(Lower *lower, Child name)
{
    if (name.start == name.end || is_reserved(lower_text(lower, name.start, name.end))) {
        lower_error(lower, name.start, name.end, "invalid syntax", "语法错误");
    }
}

void lower_invalid(Lower *lower, Child child)
{
    lower_error(lower, child.start, child.end, "invalid syntax", "语法错误");
}

void lower_prepare(void)
{
    pthread_once(&tables_once, fill_tables);
}
