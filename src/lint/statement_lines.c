/* StatementLines: one pass over the nodes; the end of a header is found from the start of its
 * body. */
#include "lint/statement_lines.h"

#include "base/search.h"

static bool is_piece(NodeKind kind)
{
    return (kind >= NODE_FUNCTION_DEF && kind <= NODE_CONTINUE) || kind == NODE_EXCEPT_HANDLER ||
           kind == NODE_MATCH_CASE;
}

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Line on which a statement begins, decorators included. */
static uint32_t first_line(const Module *module, NodeId id)
{
    uint32_t start = node_at(module, id)->start;
    NodeId decorator = node_child(module, id, ROLE_DECORATOR);
    if (decorator != NO_NODE) {
        start = min(start, node_at(module, decorator)->start);
    }
    return source_line(module->source, start);
}

static bool is_blank_or_comment(const Source *source, uint32_t line)
{
    Str text = str_trim(source_line_text(source, line));
    return text.length == 0 || text.at[0] == '#';
}

/* First statement (or case) of the body, or NO_NODE for a simple statement. */
static NodeId first_inner(const Module *module, NodeId id)
{
    NodeId inner = node_child(module, id, ROLE_BODY);
    return inner != NO_NODE ? inner : node_child(module, id, ROLE_CASE);
}

/* Last line of the header: the last line of code before the body, or the body's own line. */
static uint32_t header_end(const Module *module, NodeId inner, uint32_t start)
{
    uint32_t line = first_line(module, inner);
    if (line <= start) {
        return start;
    }
    /* "if x: y" on a continued line keeps the body on the header's line; then text is before the
     * body. */
    const Source *source = module->source;
    uint32_t line_start = source->line_starts[line - 1];
    uint32_t body = node_at(module, inner)->start;
    bool shared = body > line_start &&
                  str_trim(source_slice(source, line_start, body)).length > 0 &&
                  node_child(module, inner, ROLE_DECORATOR) == NO_NODE;
    if (shared) {
        return line;
    }
    line--;
    while (line > start && is_blank_or_comment(source, line)) {
        line--;
    }
    return line;
}

void statement_lines_read(StatementList *list, Arena *arena, const Module *module)
{
    *list = (StatementList){0};
    for (NodeId id = 0; module != NULL && id < module->node_count; id++) {
        if (!is_piece(node_kind(module, id))) {
            continue;
        }
        const Node *node = node_at(module, id);
        StatementLines lines = {.first = first_line(module, id), .anchor = node_line(module, id)};
        NodeId inner = first_inner(module, id);
        lines.last = inner != NO_NODE ? header_end(module, inner, lines.anchor)
                                      : source_line(module->source, node->end);
        VEC_PUSH(arena, list, lines);
    }
}

const StatementLines *statement_after(const StatementList *list, uint32_t line)
{
    uint32_t low;
    LOWER_BOUND(low, list->count, list->items[low].first <= line);
    return low < list->count ? &list->items[low] : NULL;
}

const StatementLines *statement_on(const StatementList *list, uint32_t line)
{
    uint32_t low;
    LOWER_BOUND(low, list->count, list->items[low].last < line);
    return low < list->count && list->items[low].first <= line ? &list->items[low] : NULL;
}
