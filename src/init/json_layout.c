/* Layout and edits of JSON text; see json_layout.h. */
#include "init/json_layout.h"

#include <stdlib.h>

static const JsonNode *node_at(const JsonDocument *document, uint32_t id)
{
    return &document->nodes.items[id];
}

/* --- what the layout is */

/* The blanks at the start of the line that holds `at`. */
static Str line_indent(Str text, size_t at)
{
    size_t start = at;
    while (start > 0 && text.at[start - 1] != '\n') {
        start--;
    }
    size_t end = start;
    while (end < at && (text.at[end] == ' ' || text.at[end] == '\t')) {
        end++;
    }
    return str_slice(text, start, end);
}

static bool has_newline(Str text, size_t start, size_t end)
{
    return str_contains(str_slice(text, start, end), STR("\n"));
}

/* Do the children of the container have lines of their own? */
static bool is_in_lines(const JsonLayout *layout, uint32_t container)
{
    const JsonNode *node = node_at(layout->document, container);
    if (node->first == JSON_NONE) {
        return layout->lines;
    }
    const JsonNode *first = node_at(layout->document, node->first);
    return has_newline(layout->document->text, node->start, first->member_start);
}

static Str joined(Arena *arena, Str a, Str b)
{
    return str_format(arena, "%.*s%.*s", STR_ARG(a), STR_ARG(b));
}

static Str child_indent(const JsonLayout *layout, uint32_t container)
{
    const JsonNode *node = node_at(layout->document, container);
    Str text = layout->document->text;
    if (node->first != JSON_NONE && is_in_lines(layout, container)) {
        return line_indent(text, node_at(layout->document, node->first)->member_start);
    }
    return joined(layout->arena, line_indent(text, node->start), layout->unit);
}

JsonLayout json_layout_of(Arena *arena, const JsonDocument *document)
{
    JsonLayout layout = {.document = document, .arena = arena, .unit = STR("  ")};
    layout.lines = layout.spaced = true;
    layout.newline = str_contains(document->text, STR("\r\n")) ? STR("\r\n") : STR("\n");
    const JsonNode *root = node_at(document, 0);
    if (root->first != JSON_NONE) {
        layout.lines = is_in_lines(&layout, 0);
        layout.spaced = layout.lines || str_contains(document->text, STR("\": "));
        Str indent = line_indent(document->text, node_at(document, root->first)->member_start);
        layout.unit = layout.lines && indent.length > 0 ? indent : layout.unit;
    }
    return layout;
}

/* --- writing */

static void add_comma(Buf *out, const JsonLayout *layout)
{
    buf_add(out, layout->spaced && !layout->lines ? STR(", ") : STR(","));
}

static void break_line(Buf *out, const JsonLayout *layout, Str indent)
{
    if (layout->lines) {
        buf_add(out, layout->newline);
        buf_add(out, indent);
    }
}

Str json_copy_value(Arena *arena, const JsonCopy *copy, uint32_t node)
{
    const JsonNode *found = node_at(copy->source, node);
    Str value = str_slice(copy->source->text, found->start, found->end);
    size_t at = copy->from.length > 0 ? str_find(value, copy->from, 0) : SIZE_MAX;
    if (found->kind != JSON_STRING_NODE || at == SIZE_MAX) {
        return value;
    }
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(value, 0, at));
    for (size_t i = 0; i < copy->to.length; i++) {
        if (copy->to.at[i] == '"' || copy->to.at[i] == '\\') {
            buf_add_char(&out, '\\');
        }
        buf_add_char(&out, copy->to.at[i]);
    }
    buf_add(&out, str_slice(value, at + copy->from.length, value.length));
    return buf_str(&out);
}

static void render_child(Buf *out, const JsonLayout *layout, const JsonCopy *copy, uint32_t id,
                         Str indent)
{
    const JsonNode *node = node_at(copy->source, id);
    if (node->member_start < node->start) {
        buf_addf(out, "\"%.*s\":%s", STR_ARG(node->key), layout->spaced ? " " : "");
    }
    json_layout_render(out, layout, copy, id, indent);
}

void json_layout_render(Buf *out, const JsonLayout *layout, const JsonCopy *copy, uint32_t id,
                        Str indent)
{
    const JsonNode *node = node_at(copy->source, id);
    if (node->kind == JSON_STRING_NODE || node->kind == JSON_PLAIN_NODE) {
        buf_add(out, json_copy_value(layout->arena, copy, id));
        return;
    }
    Str inner = joined(layout->arena, indent, layout->unit);
    buf_add_char(out, node->kind == JSON_OBJECT_NODE ? '{' : '[');
    for (uint32_t child = node->first; child != JSON_NONE;) {
        break_line(out, layout, inner);
        render_child(out, layout, copy, child, inner);
        child = node_at(copy->source, child)->next;
        if (child != JSON_NONE) {
            add_comma(out, layout);
        }
    }
    if (node->first != JSON_NONE) {
        break_line(out, layout, indent);
    }
    buf_add_char(out, node->kind == JSON_OBJECT_NODE ? '}' : ']');
}

TextEdit json_layout_append(const JsonLayout *layout, const JsonCopy *copy, uint32_t container,
                            const uint32_t *nodes, uint32_t count)
{
    const JsonNode *node = node_at(layout->document, container);
    JsonLayout here = *layout;
    here.lines = is_in_lines(layout, container);
    Str indent = child_indent(layout, container);
    bool empty = node->first == JSON_NONE;
    Buf out = {.arena = layout->arena};
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 || !empty) {
            add_comma(&out, &here);
        }
        break_line(&out, &here, indent);
        render_child(&out, &here, copy, nodes[i], indent);
    }
    if (empty) {
        break_line(&out, &here, line_indent(layout->document->text, node->start));
        return (TextEdit){node->start + 1, node->end - 1, buf_str(&out)};
    }
    size_t end = node_at(layout->document, node->last)->end;
    return (TextEdit){end, end, buf_str(&out)};
}

/* --- taking out */

/* The children of one container: each run of marked ones goes with the comma before it, or, at the
 * start, with the comma after it. */
static void cut_children(const JsonLayout *layout, uint32_t container, const bool *gone,
                         TextEdits *edits)
{
    const JsonDocument *document = layout->document;
    const JsonNode *node = node_at(document, container);
    uint32_t kept = JSON_NONE;
    bool running = false;
    TextEdit edit = {0, 0, STR("")};
    for (uint32_t id = node->first; id != JSON_NONE; id = node_at(document, id)->next) {
        const JsonNode *child = node_at(document, id);
        if (gone[id]) {
            if (!running) {
                edit.start = kept == JSON_NONE ? child->member_start : node_at(document, kept)->end;
            }
            edit.end = child->end;
            running = true;
            continue;
        }
        if (running) {
            edit.end = kept == JSON_NONE ? child->member_start : edit.end;
            VEC_PUSH(layout->arena, edits, edit);
        }
        kept = id;
        running = false;
    }
    if (running && kept == JSON_NONE) {
        edit = (TextEdit){node->start + 1, node->end - 1, STR("")};
    }
    if (running) {
        VEC_PUSH(layout->arena, edits, edit);
    }
}

void json_layout_cut(const JsonLayout *layout, const bool *gone, TextEdits *edits)
{
    const JsonDocument *document = layout->document;
    bool *inside = ARENA_ARRAY(layout->arena, bool, document->nodes.count);
    for (uint32_t id = 0; id < document->nodes.count; id++) {
        uint32_t parent = node_at(document, id)->parent;
        inside[id] = gone[id] || (parent != JSON_NONE && inside[parent]);
        if (!inside[id]) {
            cut_children(layout, id, gone, edits);
        }
    }
}

static int by_start(const void *a, const void *b)
{
    size_t left = ((const TextEdit *)a)->start, right = ((const TextEdit *)b)->start;
    return left < right ? -1 : left > right;
}

Str edits_apply(Arena *arena, Str text, TextEdits *edits)
{
    Buf out = {.arena = arena};
    size_t at = 0;
    if (edits->count > 1) {
        qsort(edits->items, edits->count, sizeof *edits->items, by_start);
    }
    for (uint32_t i = 0; i < edits->count; i++) {
        const TextEdit *edit = &edits->items[i];
        buf_add(&out, str_slice(text, at, edit->start));
        buf_add(&out, edit->text);
        at = edit->end;
    }
    buf_add(&out, str_slice(text, at, text.length));
    return buf_str(&out);
}
