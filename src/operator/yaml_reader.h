/* Inside of the YAML reader: the state that its two files share. Nobody else includes this. */
#ifndef PYPTO_LINT_OPERATOR_YAML_READER_H
#define PYPTO_LINT_OPERATOR_YAML_READER_H

#include "base/map.h"
#include "operator/yaml_value.h"

#include <yaml.h>

/* Keys and values that are not values themselves. */
extern const Value yaml_merge_mark, yaml_equals_mark;

typedef struct Frame {
    ValueBuilder builder;
    const Value *key; /* mapping: the key that waits for its value, or NULL */
    bool is_pairs;    /* sequence tagged omap or pairs */
    bool is_set;      /* mapping tagged set */
    uint32_t anchor;  /* index + 1 into anchors, 0 = none */
    VEC(const Value *) merged;
} Frame;

/* Everything that libyaml owns is in here, in arena memory: when the arena fails while reading, the
 * clean-up after the jump finds it. */
typedef struct Reader {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    Arena *arena;
    Str text;
    uint32_t first_line;
    bool is_settings;
    VEC(size_t) line_marks; /* with unusual line ends: characters before line 2, 3 … */
    bool unusual_lines;
    Frame frames[VALUE_MAX_DEPTH];
    uint32_t depth;
    Map anchor_names;
    VEC(const Value *) anchors; /* NULL while its collection is open */
    uint32_t documents, merged_entries;
    YamlResult result;
} Reader;

/* --- yaml_value.c */

/* Ends the reading with an error at the event at hand; always false. */
bool yaml_refuse(Reader *reader, const char *en, const char *zh);

/* --- yaml_collection.c; false after an error */

/* A new anchor; `*index` is its index + 1, 0 without a name. */
bool yaml_add_anchor(Reader *reader, const yaml_char_t *name, uint32_t *index);
/* The entries of merge keys, which are in frame->merged, join the mapping. */
bool yaml_apply_merges(Reader *reader, Frame *frame);
/* A list of one-entry mappings becomes a list of pairs; a mapping of nulls becomes a set. */
bool yaml_make_pairs(Reader *reader, Frame *frame);
void yaml_make_set(Reader *reader, Frame *frame);

#endif
