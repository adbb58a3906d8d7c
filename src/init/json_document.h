/* JsonDocument: JSON text as nodes with their places in it, for changes that leave the rest of the
 * text byte by byte as it is.
 *
 * Strict: no comments, no trailing commas, no second value. Nodes are in the order of the text. */
#ifndef PYPTO_LINT_INIT_JSON_DOCUMENT_H
#define PYPTO_LINT_INIT_JSON_DOCUMENT_H

#include "base/str.h"
#include "base/vec.h"

enum { JSON_MAX_DEPTH = 64 };
#define JSON_NONE UINT32_MAX

typedef enum JsonKind {
    JSON_OBJECT_NODE,
    JSON_ARRAY_NODE,
    JSON_STRING_NODE,
    JSON_PLAIN_NODE
} JsonKind;

typedef struct JsonNode {
    JsonKind kind;
    size_t start, end;                  /* the value, brackets and quotes included */
    size_t member_start;                /* the key's quote; the same as `start` without a key */
    Str key;                            /* decoded; empty without one */
    uint32_t parent, next, first, last; /* JSON_NONE where there is none */
} JsonNode;

typedef enum JsonProblem {
    JSON_GOOD,
    JSON_BROKEN,
    JSON_HAS_COMMENT,
    JSON_TOO_DEEP,
    JSON_NOT_UTF8
} JsonProblem;

typedef struct JsonDocument {
    Str text;
    VEC(JsonNode) nodes; /* the root is the first */
    JsonProblem problem;
    uint32_t line, column; /* of the problem, from 1; columns in bytes */
} JsonDocument;

/* Reads `text`, which must outlive the document. False, with the problem, when it is not JSON. */
bool json_document_read(JsonDocument *document, Arena *arena, Str text);

/* The last member with that key, or JSON_NONE. `*twice` becomes true when there is another. */
uint32_t json_member(const JsonDocument *document, uint32_t object, const char *key, bool *twice);

/* The text of a string node, decoded. */
Str json_decoded(const JsonDocument *document, Arena *arena, uint32_t node);

#endif
