/* FrontMatter: finding the block, and reading it as YAML or, when that fails, line by line. */
#include "operator/front_matter.h"

#include "operator/text.h"
#include "operator/yaml_value.h"

static const Str fence = {"---", 3};

static bool is_fence_with_space(Str line)
{
    return str_starts(line, fence) && line.length > 3 && text_skip_space(line, 3) == line.length;
}

/* The text begins with `---` LF, but no line closes the block: why? */
static FrontMatterFault closing_fault(Str text, uint32_t *line_number)
{
    Str line;
    uint32_t number = 1;
    FrontMatterFault fault = FRONT_MATTER_NOT_CLOSED;
    for (size_t at = 4; fault == FRONT_MATTER_NOT_CLOSED && text_next_line(text, &at, &line);) {
        number++;
        if (str_equal(line, fence)) {
            /* The second line cannot close the block; any other could, but for the missing LF. */
            fault = number == 2 && at <= text.length ? FRONT_MATTER_EMPTY_HEADER
                                                     : FRONT_MATTER_CLOSE_LINE_FEED;
        } else if (is_fence_with_space(line)) {
            fault = FRONT_MATTER_CLOSE_SPACE;
        } else if (str_is(line, "...")) {
            fault = FRONT_MATTER_CLOSE_DOTS;
        }
    }
    *line_number = fault == FRONT_MATTER_NOT_CLOSED ? 1 : number;
    return fault;
}

/* The text does not begin with `---` LF. Does a block come later, or nearly? */
static FrontMatterFault opening_fault(Str text, uint32_t *line_number)
{
    Str line;
    uint32_t number = 0;
    bool bom = str_starts(text, STR("\xef\xbb\xbf"));
    for (size_t at = bom ? 3 : 0; text_next_line(text, &at, &line);) {
        number++;
        bool spaced = is_fence_with_space(line);
        if (str_equal(line, fence) || spaced) {
            size_t next = at;
            Str first_key;
            /* A horizontal rule is not a block: a field must follow. */
            if (!text_next_line(text, &next, &first_key) || !str_contains(first_key, STR(":"))) {
                break;
            }
            *line_number = number;
            return bom      ? FRONT_MATTER_BOM
                   : spaced ? FRONT_MATTER_OPEN_SPACE
                            : FRONT_MATTER_NOT_FIRST;
        }
        Str content = text_trim(line);
        bool comment = str_starts(content, STR("#")) || str_starts(content, STR("<!--"));
        if (content.length > 0 && !comment) {
            break;
        }
    }
    return FRONT_MATTER_NO_BLOCK;
}

static void find_block(FrontMatter *front, Str text)
{
    front->body = text;
    front->body_line = 1;
    if (!str_starts(text, STR("---\n"))) {
        front->fault = opening_fault(text, &front->fault_line);
        return;
    }
    size_t end = str_find(text, STR("\n---\n"), 4);
    if (end == SIZE_MAX) {
        front->fault = closing_fault(text, &front->fault_line);
        return;
    }
    front->recognised = true;
    front->header = str_slice(text, 4, end);
    front->body = str_slice(text, end + 5, text.length);
    front->body_line = 1 + text_count_lines(str_slice(text, 0, end + 5));
}

Str front_matter_body(Str text, uint32_t *body_line)
{
    FrontMatter front = {0};
    find_block(&front, text);
    *body_line = front.body_line;
    return front.body;
}

static const Value *read_lines(Arena *arena, Str header)
{
    ValueBuilder metadata;
    value_begin(&metadata, arena, VALUE_MAPPING, 2);
    Str line;
    uint32_t number = 1;
    for (size_t at = 0; text_next_line(header, &at, &line);) {
        number++;
        line = text_trim(line);
        size_t colon = str_find(line, STR(":"), 0);
        if (colon == SIZE_MAX || line.at[0] == '#') {
            continue;
        }
        Str key = text_trim(str_slice(line, 0, colon));
        value_add_entry(&metadata, value_string(arena, key, number),
                        scalar_value(arena, str_slice(line, colon + 1, line.length), number));
    }
    return value_finish(&metadata);
}

/* Values at the top that are quoted collections become collections. */
static const Value *read_quoted_collections(Arena *arena, const Value *mapping)
{
    ValueBuilder out;
    value_begin(&out, arena, VALUE_MAPPING, mapping->line);
    for (uint32_t i = 0; i < mapping->count; i++) {
        const Value *value = mapping->entries[i].value;
        if (value->kind == VALUE_STRING) {
            Str text = text_trim(value->text);
            if (str_starts(text, STR("{")) || str_starts(text, STR("["))) {
                value = scalar_value(arena, text, value->line);
            }
        }
        value_add_entry(&out, mapping->entries[i].key, value);
    }
    return value_finish(&out);
}

static void read_metadata(FrontMatter *front, Arena *arena)
{
    YamlResult yaml = yaml_value_read(arena, front->header, 2);
    if (value_is(yaml.value, VALUE_MAPPING)) {
        front->metadata = read_quoted_collections(arena, yaml.value);
        return;
    }
    front->metadata = read_lines(arena, front->header);
    front->yaml_failed = !yaml.ok || (yaml.value != NULL && yaml.value->kind != VALUE_NULL);
    if (!yaml.ok) {
        front->yaml_line = yaml.line;
        front->yaml_error = yaml.error;
        front->yaml_error_zh = yaml.error_zh;
    } else if (front->yaml_failed) {
        front->yaml_error = STR("it is not a mapping");
        front->yaml_error_zh = STR("内容不是映射");
    }
}

FrontMatter front_matter_read(Arena *arena, Str text)
{
    FrontMatter front = {.header = STR(""), .yaml_error = STR(""), .yaml_error_zh = STR("")};
    find_block(&front, text);
    if (front.recognised) {
        read_metadata(&front, arena);
    } else {
        front.metadata = value_new(arena, VALUE_MAPPING, 1);
    }
    if (front.recognised && front_matter_is_empty(&front)) {
        front.fault = FRONT_MATTER_EMPTY_HEADER;
        front.fault_line = 1;
    }
    return front;
}

static const FrontMatter *document_front_matter(Operator *op, Document *document)
{
    if (document->front == NULL) {
        FrontMatter *front = ARENA_NEW(op->arena, FrontMatter);
        *front = front_matter_read(op->arena, document->text);
        document->front = front;
    }
    return document->front;
}

const FrontMatter *operator_front_matter(Operator *op, Str path)
{
    return document_front_matter(op, operator_document(op, path));
}

uint32_t front_matter_line(const FrontMatter *front, const char *key)
{
    const ValueEntry *entry = value_entry(front->metadata, key);
    return entry == NULL ? 0 : entry->key->line;
}

typedef struct FaultText {
    const char *en, *zh;
} FaultText;

static const FaultText fault_texts[] = {
    [FRONT_MATTER_FINE] = {NULL, NULL},
    [FRONT_MATTER_NO_BLOCK] = {NULL, NULL},
    [FRONT_MATTER_BOM] = {"a byte order mark stands before the first `---`",
                          "第一个 `---` 之前有字节顺序标记（BOM）"},
    [FRONT_MATTER_NOT_FIRST] = {"the first `---` is not the first line of the file",
                                "第一个 `---` 不在文件首行"},
    [FRONT_MATTER_OPEN_SPACE] = {"white space follows the opening `---`",
                                 "开头的 `---` 之后有空白"},
    [FRONT_MATTER_CLOSE_SPACE] = {"white space follows the closing `---`",
                                  "结尾的 `---` 之后有空白"},
    [FRONT_MATTER_CLOSE_LINE_FEED] = {"the line feed after the closing `---` is missing",
                                      "结尾的 `---` 之后缺少换行"},
    [FRONT_MATTER_CLOSE_DOTS] = {"the block is closed by `...` instead of `---`",
                                 "结尾使用了 `...` 而不是 `---`"},
    [FRONT_MATTER_NOT_CLOSED] = {"no line `---` closes the block", "缺少结尾的 `---` 行"},
    [FRONT_MATTER_EMPTY_HEADER] = {"the block has no field", "`---` 块内没有任何字段"},
};

const char *front_matter_fault_text(FrontMatterFault fault)
{
    return fault_texts[fault].en;
}

const char *front_matter_fault_text_zh(FrontMatterFault fault)
{
    return fault_texts[fault].zh;
}
