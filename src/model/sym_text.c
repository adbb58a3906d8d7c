/* Symbolic integers as text for people: `64*i + 3`, `min(n - 64*i, 64)`. No recursion: an explicit
 * stack of what is still to be printed; an expression beyond its depth or 4,000 characters ends in
 * an ellipsis. */
#include "model/sym_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_DEPTH = 1024, TEXT_LIMIT = 4000 };

typedef enum TextKind { TEXT_LITERAL, TEXT_NODE, TEXT_NUMBER } TextKind;

typedef struct TextItem {
    TextKind kind;
    bool grouped; /* NODE: in parentheses unless it is one word */
    union {
        const char *literal;
        PtsSym node;
        uint64_t number;
    };
} TextItem;

typedef struct Text {
    const PtsSymTable *table;
    TextItem items[TEXT_DEPTH];
    size_t count;
    char *at;
    size_t size, length;
    bool cut;
} Text;

static void put(Text *text, const char *part)
{
    size_t length = strlen(part);
    if (text->cut || text->length + length > TEXT_LIMIT) {
        text->cut = true;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (text->length + 1 < text->size) {
            text->at[text->length] = part[i];
        }
        text->length++;
    }
}

static void push(Text *text, TextItem item)
{
    if (text->count == TEXT_DEPTH) {
        text->cut = true;
        return;
    }
    text->items[text->count++] = item;
}

static void push_literal(Text *text, const char *part)
{
    push(text, (TextItem){.kind = TEXT_LITERAL, .literal = part});
}

static void push_node(Text *text, PtsSym node, bool grouped)
{
    push(text, (TextItem){.kind = TEXT_NODE, .node = node, .grouped = grouped});
}

static const char *const operators[] = {
    [PTS_SYM_DIV] = " / ", [PTS_SYM_MOD] = " % ", [PTS_SYM_MIN] = "min(", [PTS_SYM_MAX] = "max(",
    [PTS_SYM_EQ] = " == ", [PTS_SYM_NE] = " != ", [PTS_SYM_LT] = " < ",   [PTS_SYM_LE] = " <= ",
};

static void put_binary(Text *text, const SymNode *node, bool grouped)
{
    if (node->op == PTS_SYM_MIN || node->op == PTS_SYM_MAX) {
        put(text, operators[node->op]);
        push_literal(text, ")");
        push_node(text, node->binary.b, false);
        push_literal(text, ", ");
        push_node(text, node->binary.a, false);
        return;
    }
    if (grouped) {
        put(text, "(");
        push_literal(text, ")");
    }
    push_node(text, node->binary.b, true);
    push_literal(text, operators[node->op]);
    push_node(text, node->binary.a, true);
}

/* A term, its parts last one first. */
static void push_term(Text *text, const SymTerm *term, bool first)
{
    const SymMonomial *monomial = &text->table->monomials.items[term->monomial];
    for (uint32_t i = monomial->count; i > 0; i--) {
        push_node(text, monomial->factors[i - 1], true);
        if (i > 1) {
            push_literal(text, "*");
        }
    }
    bool negative = term->coefficient < 0;
    uint64_t size = negative ? -(uint64_t)term->coefficient : (uint64_t)term->coefficient;
    if (monomial->count == 0 || size != 1) {
        if (monomial->count > 0) {
            push_literal(text, "*");
        }
        push(text, (TextItem){.kind = TEXT_NUMBER, .number = size});
    }
    if (first) {
        push_literal(text, negative ? "-" : "");
    } else {
        push_literal(text, negative ? " - " : " + ");
    }
}

/* Terms in their order, the constant last. */
static void put_sum(Text *text, const SymNode *node, bool grouped)
{
    if (grouped) {
        put(text, "(");
        push_literal(text, ")");
    }
    const SymTerm *terms = node->sum.terms;
    bool constant_last = terms[0].monomial == SYM_UNIT_MONOMIAL;
    uint32_t first = constant_last ? 1 : 0;
    if (constant_last) {
        push_term(text, &terms[0], node->sum.count == 1);
    }
    for (uint32_t i = node->sum.count; i > first; i--) {
        push_term(text, &terms[i - 1], i - 1 == first);
    }
}

static void put_item(Text *text, TextItem item)
{
    char number[32];
    if (item.kind == TEXT_LITERAL) {
        put(text, item.literal);
        return;
    }
    if (item.kind == TEXT_NUMBER) {
        snprintf(number, sizeof number, "%" PRIu64, item.number);
        put(text, number);
        return;
    }
    const SymNode *node = sym_node(text->table, item.node);
    switch (node->kind) {
    case SYM_NODE_CONSTANT:
        snprintf(number, sizeof number, "%" PRId64, node->value);
        put(text, number);
        break;
    case SYM_NODE_ATOM:
        put(text, node->atom.name);
        break;
    case SYM_NODE_BINARY:
        put_binary(text, node, item.grouped);
        break;
    default:
        put_sum(text, node, item.grouped);
        break;
    }
}

size_t pts_sym_text(const PtsContext *context, PtsSym a, char *at, size_t size)
{
    const PtsSymTable *table = pts_context_symbols(context);
    Text text = {.table = table, .at = at, .size = size};
    if (a < table->nodes.count) {
        push_node(&text, a, false);
    } else {
        put(&text, "?");
    }
    while (text.count > 0 && !text.cut) {
        put_item(&text, text.items[--text.count]);
    }
    if (text.cut) {
        text.cut = false;
        text.length = text.length > TEXT_LIMIT - 8 ? TEXT_LIMIT - 8 : text.length;
        put(&text, "…");
    }
    if (size > 0) {
        at[text.length < size ? text.length : size - 1] = '\0';
    }
    return text.length;
}
