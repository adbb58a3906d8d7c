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
    Str message; /* one line, without the document's name; below in Chinese. They say that the
                    YAML is invalid, and where, when that is so. */
    Str message_zh;
} SchemaError;
typedef VEC(SchemaError) SchemaErrors;

/* All errors in the fixed order: missing keys, types, tolerance mode. */
SchemaErrors schema_check(Arena *arena, SchemaKind kind, const FrontMatter *front);
/* Does the text have something like a tuple of sizes, `(64, 512)`? YAML has none: it reads a
 * string, or cuts it at the comma. Messages then say TUPLE_ADVICE. */
bool has_tuple_of_sizes(Str text);
#define TUPLE_ADVICE    "YAML has no tuples: write [64, 512] for (64, 512)"
#define TUPLE_ADVICE_ZH "YAML 没有元组：(64, 512) 应写成 [64, 512]"
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
