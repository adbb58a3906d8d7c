/* What the commands that print JSON share: building the tree without looking at every step.
 *
 * jansson takes a NULL where a value should be as a failed call, so a value that could not be made
 * shows where it is put. One failure makes the whole tree useless: it is printed as trouble. */
#ifndef PYPTO_LINT_CLI_JSON_VALUE_H
#define PYPTO_LINT_CLI_JSON_VALUE_H

#include "report/json_text.h"

typedef struct JsonTree {
    bool failed;
} JsonTree;

/* Put a value, which is taken over (NULL = it could not be made), into an object or an array. */
void json_put(JsonTree *tree, json_t *object, const char *key, json_t *value);
void json_append(JsonTree *tree, json_t *array, json_t *value);

/* A text; null when it is empty. */
json_t *json_text_or_null(Str text);

/* Writes the tree to standard output and frees it; false with a message when that fails or the tree
 * is not complete. */
bool json_print(Arena *arena, const JsonTree *tree, json_t *root);

#endif
