/* Schema: the required fields and their types. */
#include "operator/schema.h"

#include "base/ascii.h"

enum { MAX_KEYS = 6 };

typedef struct TypedKey {
    const char *key;
    ValueKind kind;
} TypedKey;

typedef struct DocumentSchema {
    const char *name;
    const char *required[MAX_KEYS]; /* NULL at the end */
    TypedKey typed[MAX_KEYS];       /* likewise */
    const char *may_be_empty_list;  /* a key for which `[]` is a statement, or NULL */
} DocumentSchema;

static const DocumentSchema schemas[] = {
    [SCHEMA_SPEC] = {"SPEC.md",
                     {"schema_version", "op_name", "supported_dtypes", "p0_shapes", "tolerance"},
                     {{"supported_dtypes", VALUE_LIST},
                      {"p0_shapes", VALUE_LIST},
                      {"tolerance", VALUE_MAPPING}},
                     NULL},
    [SCHEMA_DESIGN] = {"DESIGN.md",
                       {"schema_version", "op_name", "dynamic_axes"},
                       {{"dynamic_axes", VALUE_LIST}},
                       /* An operator without dynamic axes says so with an empty list. */
                       "dynamic_axes"},
    [SCHEMA_API_REPORT] = {"API_REPORT.md", {"schema_version", "op_name"}, {{0}}, NULL},
};

static const ToleranceMode tolerance_modes[] = {
    {"standard", {"atol", "rtol", NULL}},
    {"custom_metrics", {"mare_matrix", "mere_matrix", "rmse_matrix", NULL}},
};
enum { MODE_COUNT = sizeof tolerance_modes / sizeof *tolerance_modes };

const ToleranceMode *tolerance_mode(const Value *tolerance)
{
    for (size_t i = 0; i < MODE_COUNT; i++) {
        const char *const *key = tolerance_modes[i].keys;
        while (*key != NULL && value_get(tolerance, *key) != NULL) {
            key++;
        }
        if (*key == NULL) {
            return &tolerance_modes[i];
        }
    }
    return NULL;
}

const char *schema_document(SchemaKind kind)
{
    return schemas[kind].name;
}

static bool is_missing(const DocumentSchema *schema, const char *key, const Value *value)
{
    if (value == NULL || value->kind == VALUE_NULL) {
        return true;
    }
    if (value->kind == VALUE_STRING) {
        return value->text.length == 0;
    }
    bool stated = schema->may_be_empty_list != NULL && strcmp(schema->may_be_empty_list, key) == 0;
    return value->kind == VALUE_LIST && !value->is_tuple && value->count == 0 && !stated;
}

bool has_tuple_of_sizes(Str text)
{
    size_t open = SIZE_MAX; /* the innermost parenthesis */
    for (size_t at = 0; at < text.length; at++) {
        if (text.at[at] == '(') {
            open = at;
        } else if (text.at[at] == ')' && open != SIZE_MAX) {
            Str inside = str_trim(str_slice(text, open + 1, at));
            if (inside.length > 0 && is_digit(inside.at[0]) && str_contains(inside, STR(","))) {
                return true;
            }
            open = SIZE_MAX;
        }
    }
    return false;
}

/* The line of the document, which the header has from its second line on. */
static Str header_line(const FrontMatter *front, uint32_t line)
{
    size_t at = 0;
    for (uint32_t i = 2; i < line && at < front->header.length; i++) {
        size_t end = str_find(front->header, STR("\n"), at);
        at = end == SIZE_MAX ? front->header.length : end + 1;
    }
    size_t end = str_find(front->header, STR("\n"), at);
    return str_slice(front->header, at, end == SIZE_MAX ? front->header.length : end);
}

/* Says in the messages that the header could not be read as YAML. */
static void add_yaml_note(Arena *arena, const FrontMatter *front, SchemaError *error)
{
    if (!front->yaml_failed) {
        return;
    }
    Str en = STR(""), zh = STR("");
    if (front->yaml_line > 0) {
        en = str_format(arena, " at line %u", front->yaml_line);
        zh = str_format(arena, "第 %u 行", front->yaml_line);
    }
    bool tuple = has_tuple_of_sizes(header_line(front, front->yaml_line)) ||
                 has_tuple_of_sizes(header_line(front, front->yaml_line - 1));
    error->message = str_format(
        arena, "%.*s; the front matter is not valid YAML%.*s (%.*s) and was read line by line%s",
        STR_ARG(error->message), STR_ARG(en), STR_ARG(front->yaml_error),
        tuple ? "; " TUPLE_ADVICE : "");
    error->message_zh =
        str_format(arena, "%.*s；front matter 不是合法的 YAML（%.*s%s%.*s），已按行读取%s",
                   STR_ARG(error->message_zh), STR_ARG(zh), zh.length > 0 ? "：" : "",
                   STR_ARG(front->yaml_error_zh), tuple ? "；" TUPLE_ADVICE_ZH : "");
}

static void add_error(Arena *arena, SchemaErrors *errors, const FrontMatter *front,
                      SchemaFault fault, const char *key, Str en, Str zh)
{
    uint32_t line = front_matter_line(front, key);
    SchemaError error = {fault, key, value_get(front->metadata, key), line == 0 ? 1 : line, en, zh};
    add_yaml_note(arena, front, &error);
    VEC_PUSH(arena, errors, error);
}

static void check_missing(Arena *arena, SchemaErrors *errors, const FrontMatter *front,
                          const DocumentSchema *schema, const char *key)
{
    const Value *value = value_get(front->metadata, key);
    if (!is_missing(schema, key, value)) {
        return;
    }
    Str en = STR(""), zh = STR("");
    if (value != NULL) {
        en = str_format(arena, " (its value is %s)",
                        value->kind == VALUE_NULL   ? "null"
                        : value->kind == VALUE_LIST ? "an empty list"
                                                    : "an empty string");
        zh = str_format(arena, "（值为%s）",
                        value->kind == VALUE_NULL   ? " null"
                        : value->kind == VALUE_LIST ? "空列表"
                                                    : "空字符串");
    }
    add_error(arena, errors, front, SCHEMA_MISSING, key,
              str_format(arena, "required field `%s` is missing%.*s", key, STR_ARG(en)),
              str_format(arena, "缺少必填字段 `%s`%.*s", key, STR_ARG(zh)));
}

static void check_type(Arena *arena, SchemaErrors *errors, const FrontMatter *front, TypedKey typed)
{
    const Value *value = value_get(front->metadata, typed.key);
    bool fits = value != NULL && value->kind == typed.kind && !value->is_tuple;
    if (value == NULL || fits) {
        return;
    }
    bool list = typed.kind == VALUE_LIST;
    bool tuple = list && (value->is_tuple || has_tuple_of_sizes(value->text));
    const char *found = value->is_tuple ? "a tuple" : value_kind_name(value);
    const char *found_zh = value->is_tuple ? "元组" : value_kind_name_zh(value);
    add_error(arena, errors, front, list ? SCHEMA_NOT_LIST : SCHEMA_NOT_MAPPING, typed.key,
              str_format(arena, "field `%s` must be %s, found %s%s", typed.key,
                         list ? "a list" : "a mapping", found, tuple ? "; " TUPLE_ADVICE : ""),
              str_format(arena, "字段 `%s` 应为%s，实际为 %s%s", typed.key, list ? "列表" : "映射",
                         found_zh, tuple ? "；" TUPLE_ADVICE_ZH : ""));
}

static void check_tolerance(Arena *arena, SchemaErrors *errors, const FrontMatter *front)
{
    const Value *tolerance = value_get(front->metadata, "tolerance");
    if (!value_is(tolerance, VALUE_MAPPING) || tolerance_mode(tolerance) != NULL) {
        return;
    }
    Buf modes = {.arena = arena};
    for (size_t i = 0; i < MODE_COUNT; i++) {
        buf_addf(&modes, "%s%s (", i == 0 ? "" : ", ", tolerance_modes[i].name);
        for (const char *const *key = tolerance_modes[i].keys; *key != NULL; key++) {
            buf_addf(&modes, "%s%s", key == tolerance_modes[i].keys ? "" : ", ", *key);
        }
        buf_add(&modes, STR(")"));
    }
    Str list = buf_str(&modes);
    add_error(arena, errors, front, SCHEMA_NO_TOLERANCE_MODE, "tolerance",
              str_format(arena, "field `tolerance` matches no mode; accepted: %.*s", STR_ARG(list)),
              str_format(arena, "字段 `tolerance` 不符合任何模式；可用模式：%.*s", STR_ARG(list)));
}

SchemaErrors schema_check(Arena *arena, SchemaKind kind, const FrontMatter *front)
{
    SchemaErrors errors = {0};
    const DocumentSchema *schema = &schemas[kind];
    for (size_t i = 0; i < MAX_KEYS && schema->required[i] != NULL; i++) {
        check_missing(arena, &errors, front, schema, schema->required[i]);
    }
    for (size_t i = 0; i < MAX_KEYS && schema->typed[i].key != NULL; i++) {
        check_type(arena, &errors, front, schema->typed[i]);
    }
    if (kind == SCHEMA_SPEC) {
        check_tolerance(arena, &errors, front);
    }
    return errors;
}
