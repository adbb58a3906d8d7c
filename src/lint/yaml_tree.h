/* YamlTree: a small YAML text as a tree of nodes in an arena, data only.
 *
 * For settings files: no tags, anchors or aliases, one document, limited depth. What it refuses is
 * an error with a line, never a guess. */
#ifndef PYPTO_LINT_LINT_YAML_TREE_H
#define PYPTO_LINT_LINT_YAML_TREE_H

#include "base/str.h"
#include "base/vec.h"
#include "lint/rule.h"

/* Settings have three levels; sixteen leave room for mistakes to be reported as what they are. */
enum { YAML_MAX_DEPTH = 16 };

typedef enum YamlKind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlNode {
    YamlKind kind;
    Str text;      /* scalar */
    bool plain;    /* scalar without quotes: may be a number, true, false, null */
    uint32_t line; /* from 1 */
    VEC(YamlNode *)
    items; /* sequence: items; mapping: key, value, key, value … (keys are scalars) */
};

/* Reads `text`. Empty text or only comments: true and `*root` NULL. On failure false, the line
 * (from 1) in `*line` and one line of text in `*error`. */
bool yaml_tree_read(YamlNode **root, Arena *arena, Str text, Lang lang, uint32_t *line, Str *error);

/* "a list", "a mapping" …: for messages about a wrong type. */
const char *yaml_kind_name(YamlKind kind, Lang lang);

/* True for an unquoted `null`, `~` or nothing at all. */
bool yaml_is_null(const YamlNode *node);

#endif
