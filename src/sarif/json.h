/*
 * Writes JSON into one growing buffer, without building a tree. The first failed allocation makes
 * every later call do nothing; the one who finishes asks `failed` once. */
#ifndef SARIF_JSON_H
#define SARIF_JSON_H

#include "sarif/sarif.h"

typedef struct SarifJson {
    const SarifAllocator *allocator;
    char *data;
    size_t size;
    size_t capacity;
    unsigned indent;
    unsigned depth;
    bool comma;     /* something stands before in this object or array */
    bool after_key; /* the next value belongs to a key */
    bool failed;
} SarifJson;

/* Opens and closes objects ('{', '}') and arrays ('[', ']'). */
void sarif_json_open(SarifJson *json, char bracket);
void sarif_json_close(SarifJson *json, char bracket);

/* A key that is plain ASCII without anything to escape. The value follows. */
void sarif_json_key(SarifJson *json, const char *key);
void sarif_json_text_key(SarifJson *json, SarifText key);

void sarif_json_text(SarifJson *json, SarifText text);
void sarif_json_integer(SarifJson *json, int64_t value);
void sarif_json_boolean(SarifJson *json, bool value);

/* A string in pieces: begin, any number of adds, end. Pieces are escaped and repaired. */
void sarif_json_string_begin(SarifJson *json);
void sarif_json_string_add(SarifJson *json, SarifText text);
void sarif_json_string_add_number(SarifJson *json, uint64_t value);
void sarif_json_string_end(SarifJson *json);

/* Key and value; the text ones write nothing when the text is absent. */
void sarif_json_member(SarifJson *json, const char *key, SarifText text);
void sarif_json_member_unsigned(SarifJson *json, const char *key, uint64_t value);

/* Key and an object {"text": …}; nothing when the text is absent. */
void sarif_json_member_message(SarifJson *json, const char *key, SarifText text);

/* Key and array of texts; nothing when there is none. */
void sarif_json_member_texts(SarifJson *json, const char *key, const SarifText *texts,
                             size_t count);

/* Key and object; open with sarif_json_member_open(json, "key", '{'). */
void sarif_json_member_open(SarifJson *json, const char *key, char bracket);

/* Ends the text with a newline. */
void sarif_json_finish(SarifJson *json);

#endif
