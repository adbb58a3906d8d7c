/* Schema of .pypto-lint.yaml. One row of `keys` for each key, one function for each kind of
 * value. */
#include "lint/config_schema.h"

#include "base/ascii.h"
#include "kernel/product.h"
#include "lint/suggest.h"

#include <stdlib.h>

typedef ConfigReading Context;

bool config_fail(Context *context, uint32_t line, const char *en, const char *zh, ...)
{
    va_list args;
    va_start(args, zh);
    context->line = line;
    context->message = str_vformat(context->arena, context->lang == LANG_ZH ? zh : en, args);
    va_end(args);
    return false;
}

static const char *kind_name(ValueKind kind, Lang lang)
{
    const Value value = {.kind = kind};
    if (kind == VALUE_STRING) {
        return text_in(lang, (Text){"a single value", "单个值"});
    }
    return lang == LANG_ZH ? value_kind_name_zh(&value) : value_kind_name(&value);
}

/* Unquoted `null`, `~` or nothing at all. */
static bool is_null(const Value *value)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    return value->kind == VALUE_STRING && value->is_plain && STR_IS_ANY(value->text, nulls);
}

bool config_wrong_kind(Context *context, const char *name, const Value *value, ValueKind wanted)
{
    return config_fail(context, value->line, "\"%s\" must be %s, not %s",
                       "\"%s\" 必须是%s，而不是%s", name, kind_name(wanted, context->lang),
                       kind_name(value->kind, context->lang));
}

/* A list of selectors; every one is checked. */
static bool config_selectors(Context *context, const char *name, const Value *value,
                             Strs *selectors)
{
    if (value->kind != VALUE_LIST) {
        return config_wrong_kind(context, name, value, VALUE_LIST);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const Value *item = value->items[i];
        if (item->kind != VALUE_STRING) {
            return config_wrong_kind(context, name, item, VALUE_STRING);
        }
        Str message;
        if (!selector_check(item->text, context->arena, context->lang, &message)) {
            return config_fail(context, item->line, "in \"%s\": %.*s", "\"%s\"：%.*s", name,
                               STR_ARG(message));
        }
        if (message.length > 0) {
            VEC_PUSH(context->arena, &context->config->remarks, message);
        }
        VEC_PUSH(context->arena, selectors, item->text);
    }
    return true;
}

static bool read_select(Context *context, const char *name, const Value *value)
{
    if (value->kind == VALUE_LIST && value->count == 0) {
        return config_fail(context, value->line,
                           "\"%s\" is empty: leave it out to select all rules",
                           "\"%s\" 为空：如需选择全部规则，请删除该键", name);
    }
    return config_selectors(context, name, value, &context->config->select);
}

static bool read_extend_select(Context *context, const char *name, const Value *value)
{
    return config_selectors(context, name, value, &context->config->extend_select);
}

static bool read_ignore(Context *context, const char *name, const Value *value)
{
    return config_selectors(context, name, value, &context->config->ignore);
}

static bool read_per_path(Context *context, const char *name, const Value *value)
{
    if (value->kind != VALUE_MAPPING) {
        return config_wrong_kind(context, name, value, VALUE_MAPPING);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const Value *pattern = value->entries[i].key;
        if (pattern->text.length == 0 || pattern->text.at[0] == '!') {
            return config_fail(context, pattern->line,
                               "in \"%s\": \"%.*s\" is not a usable pattern",
                               "\"%s\"：\"%.*s\" 不是可用的模式", name, STR_ARG(pattern->text));
        }
        PathRules entry = {.pattern = pattern->text};
        if (!config_selectors(context, pattern->text.at, value->entries[i].value, &entry.ignore)) {
            return false;
        }
        VEC_PUSH(context->arena, &context->config->per_path, entry);
    }
    return true;
}

/* A value out of a list of words: its index in `words`, or -1 with an error. */
int config_word(Context *context, const char *name, const Value *value, const char *const *words,
                size_t count)
{
    if (value->kind != VALUE_STRING) {
        config_wrong_kind(context, name, value, VALUE_STRING);
        return -1;
    }
    Buf list = {.arena = context->arena};
    for (size_t i = 0; i < count; i++) {
        if (str_is(value->text, words[i])) {
            return (int)i;
        }
        buf_addf(&list, "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    config_fail(context, value->line, "\"%s\" must be one of %s, not \"%.*s\"",
                "\"%s\" 必须是 %s 之一，而不是 \"%.*s\"", name, list.at,
                STR_ARG(str_slice(value->text, 0, 80)));
    return -1;
}

static bool read_fail_on(Context *context, const char *name, const Value *value)
{
    static const char *const words[] = {"S0", "S1", "S2", "S3", "never"};
    int word = config_word(context, name, value, words, 5);
    if (word >= 0) {
        context->config->has_fail_on = true;
        context->config->fail_never = word == 4;
        context->config->fail_on = word == 4 ? S0 : (Severity)word;
    }
    return word >= 0;
}

static bool read_lang(Context *context, const char *name, const Value *value)
{
    static const char *const words[] = {"en", "zh"};
    int word = config_word(context, name, value, words, 2);
    if (word >= 0) {
        context->config->has_lang = true;
        context->config->lang = word == 0 ? LANG_EN : LANG_ZH;
    }
    return word >= 0;
}

static bool read_stop_block(Context *context, const char *name, const Value *value)
{
    static const char *const words[] = {"once", "always"};
    int word = config_word(context, name, value, words, 2);
    context->config->stop_block_always = word == 1;
    return word >= 0;
}

static bool read_bool(Context *context, const char *name, const Value *value, bool *result)
{
    if (value->kind != VALUE_STRING) {
        return config_wrong_kind(context, name, value, VALUE_STRING);
    }
    bool yes =
        str_is(value->text, "true") || str_is(value->text, "True") || str_is(value->text, "TRUE");
    bool no = str_is(value->text, "false") || str_is(value->text, "False") ||
              str_is(value->text, "FALSE");
    if (!value->is_plain || (!yes && !no)) {
        return config_fail(context, value->line, "\"%s\" must be true or false, not \"%.*s\"%s",
                           "\"%s\" 必须是 true 或 false，而不是 \"%.*s\"%s", name,
                           STR_ARG(str_slice(value->text, 0, 80)),
                           value->is_plain            ? ""
                           : context->lang == LANG_ZH ? "（带引号）"
                                                      : " in quotes");
    }
    *result = yes;
    return true;
}

static bool read_allow_s0(Context *context, const char *name, const Value *value)
{
    return read_bool(context, name, value, &context->config->allow_s0_suppressions);
}

static bool read_allow_in_gates(Context *context, const char *name, const Value *value)
{
    return read_bool(context, name, value, &context->config->allow_suppressions_in_gates);
}

bool config_parse_size(Str text, size_t *bytes)
{
    static const struct {
        const char *name;
        size_t factor;
    } units[] = {
        {"", 1},      {"B", 1},     {"KiB", 1024},   {"MiB", 1048576},   {"GiB", 1073741824},
        {"kB", 1000}, {"KB", 1000}, {"MB", 1000000}, {"GB", 1000000000},
    };
    size_t at = 0;
    size_t number = 0;
    while (at < text.length && is_digit(text.at[at])) {
        number = number * 10 + (size_t)(text.at[at++] - '0');
        if (number > CONFIG_MAX_FILE_SIZE) {
            return false;
        }
    }
    if (at == 0 || number == 0) {
        return false;
    }
    Str unit = str_trim(str_slice(text, at, text.length));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_is(unit, units[i].name)) {
            *bytes = number * units[i].factor;
            return *bytes / units[i].factor == number && *bytes <= CONFIG_MAX_FILE_SIZE;
        }
    }
    return false;
}

static bool read_max_file_size(Context *context, const char *name, const Value *value)
{
    if (value->kind != VALUE_STRING) {
        return config_wrong_kind(context, name, value, VALUE_STRING);
    }
    if (!config_parse_size(value->text, &context->config->max_file_size)) {
        return config_fail(
            context, value->line,
            "\"%s\" must be a size from 1 byte to 1 GiB such as \"4 MiB\", not \"%.*s\"",
            "\"%s\" 必须是 1 字节到 1 GiB 的大小，例如 \"4 MiB\"，而不是 \"%.*s\"", name,
            STR_ARG(str_slice(value->text, 0, 80)));
    }
    if (context->config->max_file_size > CONFIG_MOST_FILE_SIZE) {
        Text text = {"\"%s\" counts as 64 MiB, the most that is read",
                     "\"%s\" 按 64 MiB（读取上限）处理"};
        Str remark = str_format(context->arena, text_in(context->lang, text), name);
        VEC_PUSH(context->arena, &context->config->remarks, remark);
    }
    return true;
}

static bool read_semantics(Context *context, const char *name, const Value *value)
{
    static const char *const words[] = {"off", "warn", "on", "strict"};
    int word = config_word(context, name, value, words, 4);
    context->config->semantics = (Semantics)(SEMANTICS_OFF + word);
    return word >= 0;
}

static bool read_soc(Context *context, const char *name, const Value *value)
{
    const char *words[16];
    size_t count = 0;
    while (count < sizeof words / sizeof *words && hardware_name(count) != NULL) {
        words[count] = hardware_name(count);
        count++;
    }
    int word = config_word(context, name, value, words, count);
    if (word >= 0) {
        context->config->soc = str_from(words[word]);
    }
    return word >= 0;
}

/* With or without quotes. */
static bool read_pypto(Context *context, const char *name, const Value *value)
{
    ProductVersion version;
    int word = config_word(context, name, value, product_version_names, PRODUCT_9_2 + 1);
    if (word >= 0 && product_version_read(value->text, &version)) {
        context->config->pypto = value->text;
    }
    return word >= 0;
}

static const ConfigKey keys[] = {
    {"select", read_select},
    {"extend-select", read_extend_select},
    {"ignore", read_ignore},
    {"profile", config_read_profile},
    {"severity", config_read_severity},
    {"options", config_read_options},
    {"exclude", config_read_exclude},
    {"extend-exclude", config_read_extend_exclude},
    {"per-path", read_per_path},
    {"fail-on", read_fail_on},
    {"lang", read_lang},
    {"max-file-size", read_max_file_size},
    {"allow-s0-suppressions", read_allow_s0},
    {"allow-suppressions-in-gates", read_allow_in_gates},
    {"stop-block", read_stop_block},
    {"kernel-semantics", read_semantics},
    {"soc", read_soc},
    {"pypto", read_pypto},
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static bool unknown_key(Context *context, const Value *key)
{
    const char *names[KEY_COUNT];
    for (size_t i = 0; i < KEY_COUNT; i++) {
        names[i] = keys[i].name;
    }
    Str shown = str_slice(key->text, 0, 80);
    const char *nearest = suggest(key->text, names, KEY_COUNT);
    if (nearest == NULL) {
        return config_fail(context, key->line, "unknown key \"%.*s\"", "未知的键 \"%.*s\"",
                           STR_ARG(shown));
    }
    return config_fail(context, key->line, "unknown key \"%.*s\"; did you mean \"%s\"?",
                       "未知的键 \"%.*s\"；是否想写 \"%s\"？", STR_ARG(shown), nearest);
}

static const ConfigKey *find_key(Str name)
{
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (str_is(name, keys[i].name)) {
            return &keys[i];
        }
    }
    return NULL;
}

typedef struct SeenKey {
    Str text;
    uint32_t line;
} SeenKey;

static int by_text(const void *a, const void *b)
{
    const SeenKey *left = a;
    const SeenKey *right = b;
    int order = str_compare(left->text, right->text);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

/* A repeated key would silently win over the first; YAML itself calls it an error. */
static bool check_repeated(Context *context, const Value *mapping)
{
    if (mapping->kind != VALUE_MAPPING || mapping->count < 2) {
        return true;
    }
    uint32_t count = mapping->count;
    SeenKey *seen = ARENA_ARRAY(context->arena, SeenKey, count);
    for (uint32_t i = 0; i < count; i++) {
        const Value *key = mapping->entries[i].key;
        seen[i] = (SeenKey){key->text, key->line};
    }
    qsort(seen, count, sizeof *seen, by_text);
    for (uint32_t i = 1; i < count; i++) {
        if (str_equal(seen[i].text, seen[i - 1].text)) {
            return config_fail(context, seen[i].line, "key \"%.*s\" is repeated (first on line %u)",
                               "键 \"%.*s\" 重复（首次出现在第 %u 行）",
                               STR_ARG(str_slice(seen[i].text, 0, 80)), seen[i - 1].line);
        }
    }
    return true;
}

static bool read_root(Context *context, const Value *root)
{
    if (root == NULL || is_null(root)) {
        return true;
    }
    if (root->kind != VALUE_MAPPING) {
        return config_fail(context, root->line, "the settings must be a mapping, not %s",
                           "设置必须是映射，而不是%s", kind_name(root->kind, context->lang));
    }
    if (!check_repeated(context, root)) {
        return false;
    }
    for (uint32_t i = 0; i < root->count; i++) {
        const Value *name = root->entries[i].key;
        const Value *value = root->entries[i].value;
        const ConfigKey *key = find_key(name->text);
        if (key == NULL) {
            return unknown_key(context, name);
        }
        if (is_null(value)) {
            return config_fail(context, name->line, "\"%s\" has no value", "\"%s\" 没有值",
                               key->name);
        }
        if (!check_repeated(context, value) || !key->read(context, key->name, value)) {
            return false;
        }
    }
    return true;
}

bool config_from_tree(Config *config, Arena *arena, const Value *root, Lang lang, uint32_t *line,
                      Str *message)
{
    Context context = {.config = config, .arena = arena, .lang = lang};
    bool good = read_root(&context, root);
    *line = context.line;
    *message = context.message;
    return good;
}
