/* YamlValue: one YAML 1.1 document as a Value, "safe" construction: plain scalars resolved, merge
 * keys applied, aliases shared. Over libyaml's events, with a stack of its own (VALUE_MAX_DEPTH
 * levels).
 *
 * Refused, with a line: what libyaml refuses, more than one document, unknown tags, collections as
 * keys, the plain scalar `=`, a date that does not exist, an alias inside its own anchor, too deep
 * or too large. */
#ifndef PYPTO_LINT_OPERATOR_YAML_VALUE_H
#define PYPTO_LINT_OPERATOR_YAML_VALUE_H

#include "operator/value.h"

typedef struct YamlResult {
    bool ok;
    const Value *value; /* NULL when there is no document (nothing but comments) or !ok */
    uint32_t line;      /* of the error */
    Str error;          /* one line */
    Str error_zh;
} YamlResult;

/* `first_line` is the line of the beginning of `text` in its document (1 for a file of its own). */
YamlResult yaml_value_read(Arena *arena, Str text, uint32_t first_line);

/* The same for settings: data only. No tags, anchors or aliases, single values as keys, at most
 * YAML_SETTINGS_DEPTH levels; every single value is a string, and a repeated key is there as often
 * as it is written. */
enum { YAML_SETTINGS_DEPTH = 16 };
YamlResult yaml_settings_read(Arena *arena, Str text);

/* Resolves a plain scalar; NULL when it may not stand there (`=`, impossible date). */
const Value *yaml_resolve_plain(Arena *arena, Str text, uint32_t line);

#endif
