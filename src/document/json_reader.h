/* JsonReader: the one reader of JSON, value by value, without recursion and without a tree. Trees
 * (json.h), documents that are edited (json_document.h) and the state file are read with it. */
#ifndef PYPTO_LINT_DOCUMENT_JSON_READER_H
#define PYPTO_LINT_DOCUMENT_JSON_READER_H

#include "base/str.h"

enum { JSON_DEEPEST = 2048 }; /* collections within collections, at the most */

typedef enum JsonForm {
    JSON_AS_SPECIFIED,
    JSON_OF_PYTHON, /* NaN, Infinity and -Infinity are values, too */
    /* The same; a byte order mark is passed over, bytes that are not UTF-8 may be in strings, and a
     * collection too deep in others comes as a word. */
    JSON_LENIENT,
} JsonForm;

typedef enum JsonToken {
    JSON_TOKEN_NULL,
    JSON_TOKEN_BOOL,
    JSON_TOKEN_NUMBER,
    JSON_TOKEN_WORD, /* one of Python's, or what JSON_LENIENT passes over */
    JSON_TOKEN_STRING,
    JSON_TOKEN_ARRAY,  /* its bracket: its values and JSON_TOKEN_CLOSE follow */
    JSON_TOKEN_OBJECT, /* as an array */
    JSON_TOKEN_CLOSE,
} JsonToken;

typedef struct JsonReader {
    Str text;
    size_t at;
    JsonForm form;
    uint32_t most_depth;
    const char *error; /* NULL: none; in English, about the byte at `at` */

    /* What json_next read. */
    JsonToken token;
    uint32_t depth; /* collections that are open after it */
    Str key;        /* as written, between the quotes; `at` is NULL without one */
    Str value;      /* as written, quotes included; of a collection the bracket */

    bool after_value;
    bool is_object[JSON_DEEPEST];
} JsonReader;

/* `most_depth` is at most JSON_DEEPEST. The text must outlive the reader. */
void json_begin(JsonReader *reader, Str text, JsonForm form, uint32_t most_depth);
/* Reads on; false at the end of the text and, with an error, at a fault. */
bool json_next(JsonReader *reader);

/* Appends the text between the quotes of a string, escapes resolved. Half a surrogate pair and
 * bytes that are not UTF-8 become U+FFFD each. False when there was half a pair or NUL. */
bool json_decode_to(Buf *out, Str raw);
/* The same as a terminated text in the arena. */
Str json_decode(Arena *arena, Str raw);

#endif
