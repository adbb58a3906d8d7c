/* JsonDocument: open containers are found through `parent`. */
#include "document/json_document.h"

#include "base/utf8.h"
#include "document/json_reader.h"

static bool refuse(JsonDocument *document, const JsonReader *reader)
{
    Str rest = str_slice(document->text, reader->at, document->text.length);
    bool comment = str_starts(rest, STR("//")) || str_starts(rest, STR("/*"));
    bool bracket = rest.length > 0 && (*rest.at == '{' || *rest.at == '[');
    document->problem = utf8_first_error(document->text) != SIZE_MAX ? JSON_NOT_UTF8
                        : bracket && reader->depth == JSON_MAX_DEPTH ? JSON_TOO_DEEP
                        : comment                                    ? JSON_HAS_COMMENT
                                                                     : JSON_BROKEN;
    document->line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < reader->at; i++) {
        if (document->text.at[i] == '\n') {
            document->line++;
            line_start = i + 1;
        }
    }
    document->column = (uint32_t)(reader->at - line_start) + 1;
    return false;
}

static void link_node(JsonDocument *document, Arena *arena, const JsonNode *node)
{
    uint32_t id = document->nodes.count;
    VEC_PUSH(arena, &document->nodes, *node);
    if (node->parent == JSON_NONE) {
        return;
    }
    JsonNode *parent = &document->nodes.items[node->parent];
    if (parent->last == JSON_NONE) {
        parent->first = id;
    } else {
        document->nodes.items[parent->last].next = id;
    }
    parent->last = id;
}

bool json_document_read(JsonDocument *document, Arena *arena, Str text)
{
    static const JsonKind kinds[] = {
        [JSON_TOKEN_NULL] = JSON_PLAIN_NODE,   [JSON_TOKEN_BOOL] = JSON_PLAIN_NODE,
        [JSON_TOKEN_NUMBER] = JSON_PLAIN_NODE, [JSON_TOKEN_STRING] = JSON_STRING_NODE,
        [JSON_TOKEN_ARRAY] = JSON_ARRAY_NODE,  [JSON_TOKEN_OBJECT] = JSON_OBJECT_NODE};
    *document = (JsonDocument){.text = text};
    JsonReader reader;
    uint32_t open = JSON_NONE;
    json_begin(&reader, text, JSON_AS_SPECIFIED, JSON_MAX_DEPTH);
    while (json_next(&reader)) {
        size_t start = (size_t)(reader.value.at - text.at);
        if (reader.token == JSON_TOKEN_CLOSE) {
            document->nodes.items[open].end = start + 1;
            open = document->nodes.items[open].parent;
            continue;
        }
        bool keyed = reader.key.at != NULL;
        JsonNode node = {.kind = kinds[reader.token],
                         .key = keyed ? json_decode(arena, reader.key) : STR(""),
                         .parent = open,
                         .next = JSON_NONE,
                         .first = JSON_NONE,
                         .last = JSON_NONE,
                         .start = start,
                         .end = start + reader.value.length,
                         .member_start = keyed ? (size_t)(reader.key.at - text.at) - 1 : start};
        link_node(document, arena, &node);
        if (node.kind == JSON_ARRAY_NODE || node.kind == JSON_OBJECT_NODE) {
            open = document->nodes.count - 1;
        }
    }
    return reader.error == NULL || refuse(document, &reader);
}

uint32_t json_member(const JsonDocument *document, uint32_t object, const char *key, bool *twice)
{
    uint32_t found = JSON_NONE;
    const JsonNode *nodes = document->nodes.items;
    for (uint32_t id = nodes[object].first; id != JSON_NONE; id = nodes[id].next) {
        if (nodes[object].kind == JSON_OBJECT_NODE && str_is(nodes[id].key, key)) {
            *twice = *twice || found != JSON_NONE;
            found = id;
        }
    }
    return found;
}

Str json_decoded(const JsonDocument *document, Arena *arena, uint32_t node)
{
    const JsonNode *found = &document->nodes.items[node];
    return json_decode(arena, str_slice(document->text, found->start + 1, found->end - 1));
}
