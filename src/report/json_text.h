/* JSON text: what the reports that jansson writes share. File names and source lines may hold any
 * bytes, JSON is UTF-8. */
#ifndef PYPTO_LINT_REPORT_JSON_TEXT_H
#define PYPTO_LINT_REPORT_JSON_TEXT_H

#include "base/str.h"

#include <jansson.h>

/* A new JSON string; bytes that are not UTF-8 become U+FFFD. NULL when memory runs out. Takes
 * nothing from an arena. */
json_t *json_text(Str text);
/* Appends the tree as JSON text (`flags` of json_dumps), what a terminal would obey or hide as \u
 * escapes, and a line end. Takes the tree over; NULL stands for one that could not be built. False
 * when memory runs out. */
bool json_add_tree(Buf *out, json_t *root, size_t flags);

#endif
