/* JSON as trees of jansson, and as text. Texts are read with our own reader (json_reader.h);
 * jansson keeps the tree and prints it. docs/internals/json-library.md says why it is jansson. */
#ifndef PYPTO_LINT_DOCUMENT_JSON_H
#define PYPTO_LINT_DOCUMENT_JSON_H

#include "base/str.h"

#include <jansson.h>

/* Makes a failed allocation in jansson count as an I/O error (io_error.h). To be called once,
 * before any other function of jansson. */
void json_memory_begin(void);

/* --- reading */

typedef struct JsonFault {
    uint32_t line; /* from 1 */
    const char *text;
} JsonFault;

/* The text, an object or an array, as a tree, to be given back with json_decref; NULL, with the
 * fault, when it is not JSON that every reader accepts: NUL in a string and numbers beyond 64 bits
 * or a double are refused, too. `flags` is 0 or JSON_REJECT_DUPLICATES. Memory that runs out goes
 * to the arena's guard, with nothing left to give back. */
json_t *json_read(Arena *arena, Str text, size_t flags, JsonFault *fault);

/* The same for what Python's json module accepts; any value may be the whole text. Replaced by
 * something near, instead of refused: an integer beyond 64 bits (the largest or smallest there is),
 * a real number beyond a double (1e308), NaN and the infinities (null), NUL in a key (U+FFFD), half
 * a surrogate pair such as JavaScript writes (U+FFFD), bytes that are not UTF-8 (U+FFFD each), a
 * collection JSON_LENIENT_DEPTH levels down (null). A byte order mark is skipped. */
enum { JSON_LENIENT_DEPTH = 1000 };
json_t *json_read_lenient(Arena *arena, Str text);

/* Calls function(argument), which reads the tree into the arena, and gives the tree back, also when
 * the arena fails. */
void json_take(Arena *arena, json_t *root, void (*function)(void *argument), void *argument);

/* The string under the key, in the arena; false for any other type and for nothing. */
bool json_text_at(Arena *arena, const json_t *object, const char *key, Str *text);

/* The integer under the key; 0 for a negative one, for any other type and for nothing. */
uint64_t json_count_at(const json_t *object, const char *key);

/* --- building: without looking at every step */

/* jansson takes a NULL where a value should be as a failed call, so a value that could not be made
 * shows where it is put. One failure makes the whole tree useless. */
typedef struct JsonTree {
    bool failed;
    Arena *arena; /* for texts on the way; NULL where there are none */
} JsonTree;

/* Put a value, which is taken over (NULL: it could not be made), into an object or an array. */
void json_put(JsonTree *tree, json_t *object, const char *key, json_t *value);
void json_append(JsonTree *tree, json_t *array, json_t *value);

/* A new JSON string; bytes that are not UTF-8 become U+FFFD. NULL when memory runs out. Takes
 * nothing from an arena. */
json_t *json_text(Str text);
/* The same; null when it is empty. */
json_t *json_text_or_null(Str text);

/* --- writing */

/* Appends a JSON string on one line: characters beyond ASCII as they are, bytes that are not UTF-8
 * as U+FFFD, control characters and others that a reader would not see as escapes. */
void json_add_string(Buf *out, Str text);
/* Appends the tree as JSON text (`flags` of json_dumps), what a terminal would obey or hide as \u
 * escapes, and a line end. Takes the tree over; NULL: it could not be built. False
 * when memory runs out. */
bool json_add_tree(Buf *out, json_t *root, size_t flags);
/* The same for a tree that has been built: false, too, when a step of that failed. */
bool json_add_built(Buf *out, const JsonTree *tree, json_t *root, size_t flags);
/* The same as one line, with its line end, in tree->arena; goes to the guard of that when memory
 * runs out. */
Str json_line(const JsonTree *tree, json_t *root);

#endif
