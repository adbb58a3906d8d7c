/* YamlValue over the event interface of libyaml. What may stand where is decided here, what a plain
 * scalar means in yaml_scalar.c. Open collections lie on a stack of fixed size. */
#include "base/search.h"
#include "operator/yaml_reader.h"

#include "operator/text.h"

#define TAG_PREFIX "tag:yaml.org,2002:"

const Value yaml_merge_mark, yaml_equals_mark;

/* --- lines */

/* libyaml ends lines at CR, NEL, LS and PS too, documents only at LF: then lines are found by
 * counting characters. */
static void find_unusual_lines(Reader *reader)
{
    Str text = reader->text;
    reader->unusual_lines =
        str_contains(text, STR("\xc2\x85")) || str_contains(text, STR("\xe2\x80\xa8")) ||
        str_contains(text, STR("\xe2\x80\xa9")) || str_contains(text, STR("\r"));
    size_t characters = 0;
    for (size_t i = 0; reader->unusual_lines && i < text.length; i++) {
        characters += ((unsigned char)text.at[i] & 0xc0) != 0x80;
        if (text.at[i] == '\n') {
            VEC_PUSH(reader->arena, &reader->line_marks, characters);
        }
    }
}

static uint32_t line_of(const Reader *reader, yaml_mark_t mark)
{
    if (!reader->unusual_lines) {
        return reader->first_line + (uint32_t)mark.line;
    }
    uint32_t low;
    LOWER_BOUND(low, reader->line_marks.count, reader->line_marks.items[low] <= mark.index);
    return reader->first_line + low;
}

bool yaml_refuse(Reader *reader, const char *en, const char *zh)
{
    reader->result.ok = false;
    reader->result.line = line_of(reader, reader->event.start_mark);
    reader->result.error = str_from(en);
    reader->result.error_zh = str_from(zh);
    return false;
}

/* --- putting values where they belong */

static bool place_in_mapping(Reader *reader, Frame *frame, const Value *value)
{
    if (frame->key == NULL) {
        if (value != &yaml_merge_mark && !value_is_key(value)) {
            return yaml_refuse(reader, "a list or mapping cannot be a key", "列表或映射不能作为键");
        }
        frame->key = value;
        return true;
    }
    const Value *key = frame->key;
    frame->key = NULL;
    if (key == &yaml_merge_mark) {
        VEC_PUSH(reader->arena, &frame->merged, value);
    } else {
        value_add_entry(&frame->builder, key, value);
    }
    return true;
}

static bool place(Reader *reader, const Value *value)
{
    Frame *frame = reader->depth == 0 ? NULL : &reader->frames[reader->depth - 1];
    bool is_mark = value == &yaml_merge_mark || value == &yaml_equals_mark;
    bool at_key =
        frame != NULL && frame->builder.value->kind == VALUE_MAPPING && frame->key == NULL;
    if (is_mark && !at_key) {
        return yaml_refuse(reader, "this scalar has no meaning here", "该标量在此处没有意义");
    }
    if (value == &yaml_equals_mark) {
        value = value_string(reader->arena, STR("="), line_of(reader, reader->event.start_mark));
    }
    if (frame == NULL) {
        reader->result.value = value;
        return true;
    }
    if (frame->builder.value->kind == VALUE_MAPPING) {
        return place_in_mapping(reader, frame, value);
    }
    value_add(&frame->builder, value);
    return true;
}

/* --- scalars */

/* A scalar with a tag of the core set; NULL when tag and text do not fit. */
static const Value *tagged_scalar(Reader *reader, Str tag, Str text, uint32_t line)
{
    Arena *arena = reader->arena;
    if (!str_starts(tag, STR(TAG_PREFIX))) {
        return NULL;
    }
    tag = str_slice(tag, sizeof TAG_PREFIX - 1, tag.length);
    if (str_is(tag, "str") || str_is(tag, "binary")) {
        return value_string(arena, text, line);
    }
    if (str_is(tag, "null")) {
        return value_new(arena, VALUE_NULL, line);
    }
    double number;
    if (str_is(tag, "float") && text_to_real(text, &number)) {
        return value_real(arena, text, number, line);
    }
    const Value *value = yaml_resolve_plain(arena, text, line);
    if (value == NULL) {
        return NULL;
    }
    bool fits = (str_is(tag, "bool") && value->kind == VALUE_BOOL) ||
                (str_is(tag, "int") && value->kind == VALUE_INT) ||
                (str_is(tag, "float") && value->kind == VALUE_REAL) ||
                (str_is(tag, "timestamp") && value->kind == VALUE_STRING);
    return fits ? value : NULL;
}

static bool take_scalar(Reader *reader)
{
    const yaml_event_t *event = &reader->event;
    Str source = {(const char *)event->data.scalar.value, event->data.scalar.length};
    Str text = str_copy(reader->arena, source);
    uint32_t line = line_of(reader, event->start_mark), anchor;
    if (reader->is_settings) {
        Value *string = value_string(reader->arena, text, line);
        string->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return place(reader, string);
    }
    const Value *value;
    if (!yaml_add_anchor(reader, event->data.scalar.anchor, &anchor)) {
        return false;
    }
    /* The tag `!` asks for the same as no tag, even before quotes. */
    Str tag =
        event->data.scalar.tag == NULL ? STR("") : str_from((const char *)event->data.scalar.tag);
    bool is_bare = str_is(tag, "!");
    if (tag.length > 0 && !is_bare) {
        value = tagged_scalar(reader, tag, text, line);
    } else if (!is_bare && !event->data.scalar.plain_implicit) {
        value = value_string(reader->arena, text, line);
    } else if (str_is(text, "<<")) {
        value = &yaml_merge_mark;
    } else if (str_is(text, "=")) {
        value = &yaml_equals_mark;
    } else {
        value = yaml_resolve_plain(reader->arena, text, line);
    }
    if (value == NULL) {
        return yaml_refuse(reader, "a value that its tag or form does not allow",
                           "值与其标签或形式不符");
    }
    if (anchor != 0) {
        reader->anchors.items[anchor - 1] = value;
    }
    return place(reader, value);
}

static bool take_alias(Reader *reader)
{
    Str name = str_from((const char *)reader->event.data.alias.anchor);
    uint32_t anchor = map_find(&reader->anchor_names, name);
    if (anchor == MAP_NONE) {
        return yaml_refuse(reader, "an alias without an anchor", "别名没有对应的锚点");
    }
    const Value *value = reader->anchors.items[anchor];
    if (value == NULL) {
        return yaml_refuse(reader, "an alias inside its own anchor", "别名位于其自身锚点之内");
    }
    return place(reader, value);
}

/* --- collections */

static bool open_frame(Reader *reader, ValueKind kind, const yaml_char_t *tag_text,
                       const yaml_char_t *anchor_name)
{
    const Frame *around = reader->depth == 0 ? NULL : &reader->frames[reader->depth - 1];
    if (reader->is_settings && around != NULL && around->builder.value->kind == VALUE_MAPPING &&
        around->key == NULL) {
        return yaml_refuse(reader, "a key must be a single value", "键必须是单个值");
    }
    if (reader->depth == (reader->is_settings ? YAML_SETTINGS_DEPTH : VALUE_MAX_DEPTH)) {
        return yaml_refuse(reader, "nested too deeply", "嵌套过深");
    }
    Str tag = tag_text == NULL ? STR("!") : str_from((const char *)tag_text);
    Frame frame = {0};
    if (kind == VALUE_LIST) {
        frame.is_pairs = str_is(tag, TAG_PREFIX "omap") || str_is(tag, TAG_PREFIX "pairs");
    } else {
        frame.is_set = str_is(tag, TAG_PREFIX "set");
    }
    bool known = frame.is_pairs || frame.is_set || str_is(tag, "!") ||
                 str_is(tag, kind == VALUE_LIST ? TAG_PREFIX "seq" : TAG_PREFIX "map");
    if (!known) {
        return yaml_refuse(reader, "an unknown tag", "未知的标签");
    }
    if (!yaml_add_anchor(reader, anchor_name, &frame.anchor)) {
        return false;
    }
    value_begin(&frame.builder, reader->arena, kind, line_of(reader, reader->event.start_mark));
    reader->frames[reader->depth++] = frame;
    return true;
}

static bool close_frame(Reader *reader)
{
    Frame *frame = &reader->frames[--reader->depth];
    if (reader->is_settings) {
        return place(reader, frame->builder.value);
    }
    if (!yaml_apply_merges(reader, frame) || (frame->is_pairs && !yaml_make_pairs(reader, frame))) {
        return false;
    }
    if (frame->is_set) {
        yaml_make_set(reader, frame);
    }
    const Value *value = value_finish(&frame->builder);
    if (value->height > VALUE_MAX_DEPTH) {
        return yaml_refuse(reader, "nested too deeply", "嵌套过深");
    }
    if (value->expanded > VALUE_MAX_EXPANDED) {
        return yaml_refuse(reader, "too large when its aliases are written out", "展开别名后过大");
    }
    if (frame->anchor != 0) {
        reader->anchors.items[frame->anchor - 1] = value;
    }
    return place(reader, value);
}

/* --- events */

/* Tags and anchors: nothing in settings needs them, and an alias can make a small file large. */
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
    if (reader->is_settings && has_extras(event)) {
        return yaml_refuse(reader, "tags, anchors and aliases are not supported",
                           "不支持标签、锚点和别名");
    }
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (reader->documents++ > 0) {
            return yaml_refuse(reader, "more than one document", "包含多个文档");
        }
        return true;
    case YAML_SCALAR_EVENT:
        return take_scalar(reader);
    case YAML_ALIAS_EVENT:
        return take_alias(reader);
    case YAML_SEQUENCE_START_EVENT:
        return open_frame(reader, VALUE_LIST, event->data.sequence_start.tag,
                          event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_frame(reader, VALUE_MAPPING, event->data.mapping_start.tag,
                          event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_frame(reader);
    default:
        return true;
    }
}

static void parse_failure(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem == NULL ? "not valid YAML" : parser->problem;
    if (parser->error == YAML_MEMORY_ERROR) {
        arena_fail(reader->arena);
    }
    reader->result.ok = false;
    if (parser->error == YAML_READER_ERROR) {
        /* A character that YAML does not allow; its place is a byte offset. */
        Str before = str_slice(reader->text, 0, parser->problem_offset);
        reader->result.line = reader->first_line + text_count_lines(before);
    } else {
        reader->result.line = line_of(reader, parser->problem_mark);
    }
    /* The end of the text counts as a line of its own for libyaml. */
    Str inside = str_slice(reader->text, 0, reader->text.length > 0 ? reader->text.length - 1 : 0);
    uint32_t last = reader->first_line + text_count_lines(inside);
    if (reader->result.line > last && !reader->is_settings) {
        reader->result.line = last;
    }
    bool bare = !reader->is_settings;
    reader->result.error = str_format(reader->arena, "%s%s", bare ? "" : "YAML error: ", problem);
    reader->result.error_zh = str_format(reader->arena, "%s%s", bare ? "" : "YAML 错误：", problem);
}

static void read_events(void *argument)
{
    Reader *reader = argument;
    for (bool going = true; going;) {
        if (yaml_parser_parse(&reader->parser, &reader->event) == 0) {
            parse_failure(reader);
            return;
        }
        reader->has_event = true;
        going = reader->event.type != YAML_STREAM_END_EVENT && take_event(reader);
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
static void read_guarded(Reader *reader)
{
    bool good = arena_try(reader->arena, read_events, reader);
    close_reader(reader);
    if (!good) {
        arena_fail(reader->arena);
    }
}

static YamlResult read_as(Arena *arena, Str text, uint32_t first_line, bool is_settings)
{
    Reader *reader = ARENA_NEW(arena, Reader);
    reader->is_settings = is_settings;
    reader->arena = arena;
    reader->text = text;
    reader->first_line = first_line;
    reader->result.ok = true;
    find_unusual_lines(reader);
    if (yaml_parser_initialize(&reader->parser) == 0) {
        arena_fail(arena);
    }
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    const char *at = text.at == NULL ? "" : text.at;
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)at, text.length);
    read_guarded(reader);
    if (!reader->result.ok) {
        reader->result.value = NULL;
    }
    return reader->result;
}

YamlResult yaml_value_read(Arena *arena, Str text, uint32_t first_line)
{
    return read_as(arena, text, first_line, false);
}

YamlResult yaml_settings_read(Arena *arena, Str text)
{
    return read_as(arena, text, 1, true);
}
