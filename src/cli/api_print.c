/* Pages of the API, for people and programs; see api_print.h. */
#include "cli/api_print.h"

#include "rules/similar.h"

typedef struct Row {
    Text label;
    const char *value;
} Row;

/* What ops.def's words for the dtype of a result mean. */
static const char *result_text(const char *word, Lang lang)
{
    static const struct {
        const char *word;
        Text text;
    } words[] = {
        {"same", {"the first tensor's dtype", "与第一个张量的 dtype 相同"}},
        {"float",
         {"FP32 for integers, else the first tensor's dtype", "整数输入得 FP32，否则同输入"}},
        {"wide",
         {"INT64 for integers, else the first tensor's dtype", "整数输入得 INT64，否则同输入"}},
        {"pow",
         {"the wider of the two; FP32 for FP16 with BF16", "两者中较宽的；FP16 与 BF16 得 FP32"}},
        {"I32", {"INT32", "INT32"}},
        {"I64", {"INT64", "INT64"}},
        {"as asked", {"the dtype that an argument names", "由参数指定的 dtype"}},
        {"none", {"none: it writes into an operand", "无：写入某个操作数"}},
    };
    for (size_t i = 0; word != NULL && i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) == 0) {
            return text_in(lang, words[i].text);
        }
    }
    return word;
}

static bool names_page(const Synonym *synonym, const ApiPage *page)
{
    return str_is_any(str_from(page->name), synonym->names, SYNONYM_NAMES);
}

/* "multiply, square, silu": words of other libraries for which this page's name comes first. */
static Str elsewhere(Arena *arena, const ApiPage *page)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t i = 0; i < synonym_count; i++) {
        if (strcmp(synonyms[i].names[0], page->name) == 0) {
            buf_addf(&out, "%s%s", out.length == 0 ? "" : ", ", synonyms[i].missing);
        }
    }
    return buf_str(&out);
}

static void add_row(Buf *out, const Row *row, Lang lang)
{
    if (row->value == NULL || row->value[0] == '\0') {
        return;
    }
    const char *label = text_in(lang, row->label);
    size_t columns = lang == LANG_ZH ? strlen(label) / 3 * 2 : strlen(label); /* of a terminal */
    buf_addf(out, "  %s", label);
    for (; columns < 11; columns++) {
        buf_add_char(out, ' ');
    }
    buf_addf(out, "%s\n", row->value);
}

static void add_example(Buf *out, const ApiPage *page, Lang lang)
{
    bool soc = page->soc != NULL;
    buf_addf(out,
             lang == LANG_ZH ? "\n  示例（pypto-lint api --example %s > try.py；pypto-lint run%s%s "
                               "try.py）：\n\n"
                             : "\n  Example (pypto-lint api --example %s > try.py; pypto-lint "
                               "run%s%s try.py):\n\n",
             page->name, soc ? " --soc " : "", soc ? page->soc : "");
    Str text = str_from(page->example);
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, end);
        buf_addf(out, "%s%.*s\n", line.length > 0 ? "    " : "", STR_ARG(line));
        at = end == SIZE_MAX ? text.length : end + 1;
    }
}

void api_add_page(Buf *out, const ApiPage *page, Lang lang)
{
    Str words = elsewhere(out->arena, page);
    const Row rows[] = {
        {{"group", "分组"}, page->group},
        {{"dtypes", "数据类型"}, page->dtypes},
        {{"axes", "维数"}, page->axes},
        {{"result", "结果"}, result_text(page->result, lang)},
        {{"limits", "限制"}, page->limits},
        {{"versions", "版本"}, page->versions},
        {{"simulator", "模拟器"}, page->simulator},
        {{"elsewhere", "别处叫法"}, words.at},
    };
    buf_addf(out, "%s\n  %s\n\n", page->call, page->meaning);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_row(out, &rows[i], lang);
    }
    add_example(out, page, lang);
}

void api_add_line(Buf *out, const ApiPage *page)
{
    buf_addf(out, "%s\n    %s\n", page->call, page->meaning);
}

/* --- JSON */

static void put_text(JsonTree *tree, json_t *object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        json_put(tree, object, key, json_string(text));
    }
}

static json_t *words_json(JsonTree *tree, const ApiPage *page)
{
    json_t *list = json_array();
    for (size_t i = 0; i < synonym_count; i++) {
        if (names_page(&synonyms[i], page)) {
            json_t *one = json_object();
            put_text(tree, one, "word", synonyms[i].missing);
            put_text(tree, one, "recipe", synonyms[i].recipe);
            json_append(tree, list, one);
        }
    }
    return list;
}

json_t *api_json(JsonTree *tree, const ApiPage *page, bool with_example)
{
    json_t *object = json_object();
    put_text(tree, object, "name", page->name);
    put_text(tree, object, "kind", page->kind);
    put_text(tree, object, "group", page->group);
    put_text(tree, object, "signature", page->call);
    put_text(tree, object, "meaning", page->meaning);
    put_text(tree, object, "dtypes", page->dtypes);
    put_text(tree, object, "axes", page->axes);
    put_text(tree, object, "result", result_text(page->result, LANG_EN));
    put_text(tree, object, "limits", page->limits);
    put_text(tree, object, "versions", page->versions);
    put_text(tree, object, "simulator", page->simulator);
    if (with_example) {
        json_put(tree, object, "elsewhere", words_json(tree, page));
        put_text(tree, object, "soc", page->soc);
        put_text(tree, object, "example", page->example);
    }
    return object;
}
