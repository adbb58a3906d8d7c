/* Schema: the fields that the front matter of each document must have, and their types. */
#ifndef PYPTO_LINT_OPERATOR_SCHEMA_H
#define PYPTO_LINT_OPERATOR_SCHEMA_H

#include "operator/front_matter.h"

typedef enum SchemaKind { SCHEMA_SPEC, SCHEMA_DESIGN, SCHEMA_API_REPORT } SchemaKind;

typedef enum SchemaFault {
    SCHEMA_MISSING, /* absent, null, empty string, empty list */
    SCHEMA_NOT_LIST,
    SCHEMA_NOT_MAPPING,
    SCHEMA_NO_TOLERANCE_MODE,
} SchemaFault;

typedef struct SchemaError {
    SchemaFault fault;
    const char *key;
    const Value *value; /* NULL when absent */
    uint32_t line;      /* of the key, else 1 */
    Str message; /* English, one line, without the document's name; in Chinese. They say that the
                    YAML is invalid, and where, when that is so. */
    Str message_zh;
} SchemaError;
typedef VEC(SchemaError) SchemaErrors;

/* All errors in the fixed order: missing keys, types, tolerance mode. */
SchemaErrors schema_check(Arena *arena, SchemaKind kind, const FrontMatter *front);
/* "SPEC.md" … */
const char *schema_document(SchemaKind kind);

/* The ways to state a tolerance, in the order in which they are tried. */
typedef struct ToleranceMode {
    const char *name;
    const char *keys[4]; /* NULL at the end */
} ToleranceMode;
/* The first mode that `tolerance` matches, or NULL. */
const ToleranceMode *tolerance_mode(const Value *tolerance);

#endif
