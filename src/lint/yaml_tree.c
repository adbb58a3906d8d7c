/* YamlTree over the event interface of libyaml. Nesting is kept on a stack of fixed size, so that
 * neither reading nor the tree's readers can be driven deep. */
#include "lint/yaml_tree.h"

#include <yaml.h>

/* Everything that libyaml owns is in here, in arena memory: when the arena fails while reading, the
 * clean-up after the jump finds it. */
typedef struct Reader {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    Arena *arena;
    Lang lang;
    YamlNode *open[YAML_MAX_DEPTH];
    uint32_t depth;
    YamlNode *root;
    uint32_t documents;
    bool good;
    uint32_t error_line; /* unless good */
    Str error;
} Reader;

const char *yaml_kind_name(YamlKind kind, Lang lang)
{
    static const Text names[] = {
        [YAML_SCALAR] = {"a single value", "单个值"},
        [YAML_SEQUENCE] = {"a list", "列表"},
        [YAML_MAPPING] = {"a mapping", "映射"},
    };
    return lang == LANG_ZH ? names[kind].zh : names[kind].en;
}

bool yaml_is_null(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && node->plain &&
           (node->text.length == 0 || str_is(node->text, "~") || str_is(node->text, "null") ||
            str_is(node->text, "Null") || str_is(node->text, "NULL"));
}

static bool refuse(Reader *reader, size_t line, const char *en, const char *zh)
{
    reader->error_line = (uint32_t)line + 1;
    reader->error = str_from(reader->lang == LANG_ZH ? zh : en);
    return false;
}

/* Puts a node where the innermost open collection wants it. */
static bool place(Reader *reader, YamlNode *node)
{
    if (reader->depth == 0) {
        reader->root = node;
        return true;
    }
    YamlNode *parent = reader->open[reader->depth - 1];
    if (parent->kind == YAML_MAPPING && parent->items.count % 2 == 0 && node->kind != YAML_SCALAR) {
        return refuse(reader, node->line - 1, "a key must be a single value", "键必须是单个值");
    }
    VEC_PUSH(reader->arena, &parent->items, node);
    return true;
}

static YamlNode *new_node(const Reader *reader, YamlKind kind)
{
    YamlNode *node = ARENA_NEW(reader->arena, YamlNode);
    node->kind = kind;
    node->line = (uint32_t)reader->event.start_mark.line + 1;
    return node;
}

static bool open_node(Reader *reader, YamlKind kind)
{
    YamlNode *node = new_node(reader, kind);
    if (!place(reader, node)) {
        return false;
    }
    if (reader->depth == YAML_MAX_DEPTH) {
        return refuse(reader, node->line - 1, "nested too deeply", "嵌套过深");
    }
    reader->open[reader->depth++] = node;
    return true;
}

static bool add_scalar(Reader *reader)
{
    YamlNode *node = new_node(reader, YAML_SCALAR);
    Str value = {(const char *)reader->event.data.scalar.value, reader->event.data.scalar.length};
    node->text = (Str){str_dup(reader->arena, value), value.length};
    node->plain = reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return place(reader, node);
}

/* Tags and anchors: nothing in a settings file needs them, and an alias can make a small file
 * large. */
static bool has_extras(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL;
    default:
        return false;
    }
}

static bool take_event(Reader *reader)
{
    const yaml_event_t *event = &reader->event;
    if (has_extras(event)) {
        return refuse(reader, event->start_mark.line, "tags, anchors and aliases are not supported",
                      "不支持标签、锚点和别名");
    }
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return reader->documents++ == 0 ||
               refuse(reader, event->start_mark.line, "more than one document", "包含多个文档");
    case YAML_SCALAR_EVENT:
        return add_scalar(reader);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(reader, YAML_SEQUENCE);
    case YAML_MAPPING_START_EVENT:
        return open_node(reader, YAML_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return true;
    default:
        return true;
    }
}

static void parse_failure(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem == NULL ? "not valid YAML" : parser->problem;
    /* A fault of the encoding comes with an offset instead of a mark. */
    size_t line =
        parser->error == YAML_READER_ERROR ? parser->mark.line : parser->problem_mark.line;
    reader->error_line = (uint32_t)line + 1;
    reader->error = str_format(reader->arena, "%s%s",
                               reader->lang == LANG_ZH ? "YAML 错误：" : "YAML error: ", problem);
    reader->good = false;
}

static void read_events(void *argument)
{
    Reader *reader = argument;
    for (bool end = false; !end;) {
        if (yaml_parser_parse(&reader->parser, &reader->event) == 0) {
            if (reader->parser.error == YAML_MEMORY_ERROR) {
                arena_fail(reader->arena);
            }
            parse_failure(reader);
            return;
        }
        reader->has_event = true;
        bool good = take_event(reader);
        end = !good || reader->event.type == YAML_STREAM_END_EVENT;
        reader->good = good;
        yaml_event_delete(&reader->event);
        reader->has_event = false;
    }
}

static void close_reader(Reader *reader)
{
    if (reader->has_event) {
        yaml_event_delete(&reader->event);
    }
    yaml_parser_delete(&reader->parser);
}

/* Reads with a guard of its own, because libyaml's memory must be given back before the caller's
 * guard is reached. */
static bool read_guarded(Reader *reader)
{
    bool enough = arena_try(reader->arena, read_events, reader);
    close_reader(reader);
    if (!enough) {
        arena_fail(reader->arena);
    }
    return reader->good;
}

bool yaml_tree_read(YamlNode **root, Arena *arena, Str text, Lang lang, uint32_t *line, Str *error)
{
    Reader *reader = ARENA_NEW(arena, Reader);
    reader->arena = arena;
    reader->lang = lang;
    if (yaml_parser_initialize(&reader->parser) == 0) {
        arena_fail(arena);
    }
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text.at, text.length);
    bool good = read_guarded(reader);
    *root = reader->root;
    *line = reader->error_line;
    *error = reader->error;
    return good;
}
