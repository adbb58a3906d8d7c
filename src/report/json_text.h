/* JSON text: what the reports that jansson writes share. File names and source lines may hold any
 * bytes, JSON is UTF-8. */
#ifndef PYPTO_LINT_REPORT_JSON_TEXT_H
#define PYPTO_LINT_REPORT_JSON_TEXT_H

#include "base/str.h"

#include <jansson.h>

/* A new JSON string; bytes that are not UTF-8 become U+FFFD. NULL when memory runs out. Takes
 * nothing from an arena. */
json_t *json_text(Str text);
/* Appends JSON text and a line end; what a terminal would obey or hide as \u escapes. False when
 * the arena has no room, so that the caller can free what it holds. */
bool json_add_guarded(Buf *out, const char *text);

#endif
