/* The reader of JsonDocument: one pass, the open containers are found through `parent`. */
#include "init/json_document.h"

#include "base/ascii.h"
#include "base/json_string.h"
#include "base/utf8.h"

typedef struct Reader {
    JsonDocument *document;
    Arena *arena;
    Str text;
    size_t at;
    uint32_t open; /* innermost open container */
    uint32_t depth;
} Reader;

static bool refuse(Reader *reader, JsonProblem problem)
{
    JsonDocument *document = reader->document;
    document->problem = problem;
    document->line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < reader->at && i < reader->text.length; i++) {
        if (reader->text.at[i] == '\n') {
            document->line++;
            line_start = i + 1;
        }
    }
    document->column = (uint32_t)(reader->at - line_start) + 1;
    return false;
}

static bool refuse_here(Reader *reader)
{
    bool comment =
        reader->at + 1 < reader->text.length && reader->text.at[reader->at] == '/' &&
        (reader->text.at[reader->at + 1] == '/' || reader->text.at[reader->at + 1] == '*');
    return refuse(reader, comment ? JSON_HAS_COMMENT : JSON_BROKEN);
}

/* The byte at the reader's place; NUL at the end, which no grammar below accepts. */
static char peek(const Reader *reader)
{
    return reader->at < reader->text.length ? reader->text.at[reader->at] : '\0';
}

static void skip_space(Reader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\n' ||
           peek(reader) == '\r') {
        reader->at++;
    }
}

static bool skip_string(Reader *reader)
{
    for (reader->at++; peek(reader) != '"'; reader->at++) {
        if ((unsigned char)peek(reader) < 0x20) {
            return refuse(reader, JSON_BROKEN);
        }
        if (peek(reader) != '\\') {
            continue;
        }
        reader->at++;
        if (peek(reader) == 'u') {
            for (int i = 0; i < 4; i++) {
                reader->at++;
                if (hex_digit(peek(reader)) < 0) {
                    return refuse(reader, JSON_BROKEN);
                }
            }
        } else if (peek(reader) == '\0' || strchr("\"\\/bfnrt", peek(reader)) == NULL) {
            return refuse(reader, JSON_BROKEN);
        }
    }
    reader->at++;
    return true;
}

static bool skip_digits(Reader *reader)
{
    size_t start = reader->at;
    while (is_digit(peek(reader))) {
        reader->at++;
    }
    return reader->at > start;
}

static bool skip_number(Reader *reader)
{
    reader->at += peek(reader) == '-';
    if (peek(reader) == '0') {
        reader->at++;
    } else if (!skip_digits(reader)) {
        return refuse_here(reader);
    }
    if (peek(reader) == '.') {
        reader->at++;
        if (!skip_digits(reader)) {
            return refuse_here(reader);
        }
    }
    if ((peek(reader) | 0x20) == 'e') {
        reader->at++;
        reader->at += peek(reader) == '+' || peek(reader) == '-';
        if (!skip_digits(reader)) {
            return refuse_here(reader);
        }
    }
    return true;
}

static bool skip_plain(Reader *reader)
{
    static const char *const words[] = {"true", "false", "null"};
    Str rest = str_slice(reader->text, reader->at, reader->text.length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(rest, str_from(words[i]))) {
            reader->at += strlen(words[i]);
            return true;
        }
    }
    return skip_number(reader);
}

/* The key and the colon of a member. */
static bool read_key(Reader *reader, JsonNode *node)
{
    size_t start = reader->at;
    if (peek(reader) != '"') {
        return refuse_here(reader);
    }
    if (!skip_string(reader)) {
        return false;
    }
    node->member_start = start;
    node->key = json_decode(reader->arena, str_slice(reader->text, start + 1, reader->at - 1));
    skip_space(reader);
    if (peek(reader) != ':') {
        return refuse_here(reader);
    }
    reader->at++;
    skip_space(reader);
    return true;
}

static void link_node(Reader *reader, const JsonNode *node)
{
    JsonDocument *document = reader->document;
    uint32_t id = document->nodes.count;
    VEC_PUSH(reader->arena, &document->nodes, *node);
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

/* A value with its key, if it is in an object; a container is opened only. */
static bool read_node(Reader *reader)
{
    JsonNode node = {.key = STR(""),
                     .parent = reader->open,
                     .next = JSON_NONE,
                     .first = JSON_NONE,
                     .last = JSON_NONE,
                     .member_start = SIZE_MAX};
    bool in_object = reader->open != JSON_NONE &&
                     reader->document->nodes.items[reader->open].kind == JSON_OBJECT_NODE;
    if (in_object && !read_key(reader, &node)) {
        return false;
    }
    node.start = reader->at;
    node.member_start = in_object ? node.member_start : node.start;
    char c = peek(reader);
    if (c == '{' || c == '[') {
        if (reader->depth == JSON_MAX_DEPTH) {
            return refuse(reader, JSON_TOO_DEEP);
        }
        node.kind = c == '{' ? JSON_OBJECT_NODE : JSON_ARRAY_NODE;
        reader->at++;
        reader->depth++;
        link_node(reader, &node);
        reader->open = reader->document->nodes.count - 1;
        return true;
    }
    node.kind = c == '"' ? JSON_STRING_NODE : JSON_PLAIN_NODE;
    if (!(c == '"' ? skip_string(reader) : skip_plain(reader))) {
        return false;
    }
    node.end = reader->at;
    link_node(reader, &node);
    return true;
}

/* After a value or an opening bracket: the comma before the next value, or closing brackets. */
static bool read_between(Reader *reader)
{
    for (;;) {
        skip_space(reader);
        if (reader->open == JSON_NONE) {
            return true;
        }
        JsonNode *open = &reader->document->nodes.items[reader->open];
        if (peek(reader) != (open->kind == JSON_OBJECT_NODE ? '}' : ']')) {
            break;
        }
        open->end = ++reader->at;
        reader->open = open->parent;
        reader->depth--;
    }
    if (reader->document->nodes.items[reader->open].first == JSON_NONE) {
        return true;
    }
    if (peek(reader) != ',') {
        return refuse_here(reader);
    }
    reader->at++;
    skip_space(reader);
    return true;
}

bool json_document_read(JsonDocument *document, Arena *arena, Str text)
{
    *document = (JsonDocument){.text = text};
    Reader reader = {.document = document, .arena = arena, .text = text, .open = JSON_NONE};
    size_t wrong = utf8_first_error(text);
    if (wrong != SIZE_MAX) {
        reader.at = wrong;
        return refuse(&reader, JSON_NOT_UTF8);
    }
    skip_space(&reader);
    do {
        if (!read_node(&reader) || !read_between(&reader)) {
            return false;
        }
    } while (reader.open != JSON_NONE);
    return reader.at == text.length || refuse_here(&reader);
}

uint32_t json_member(const JsonDocument *document, uint32_t object, const char *key, bool *twice)
{
    uint32_t found = JSON_NONE;
    const JsonNode *nodes = document->nodes.items;
    for (uint32_t id = nodes[object].first; id != JSON_NONE; id = nodes[id].next) {
        if (nodes[object].kind == JSON_OBJECT_NODE && str_is(nodes[id].key, key)) {
            if (twice != NULL && found != JSON_NONE) {
                *twice = true;
            }
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
