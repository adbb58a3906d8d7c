/* Hovers: the page of a rule, the documentation of a pypto name, the inferred type of a value. */
#include "report/report_common.h"
#include "server/caret.h"
#include "server/linting.h"
#include "server/name_facts.h"

/* --- rules */

/* Adds a section of a page, from its heading to the next one, without the comments for tests. */
static void add_section(Buf *out, const RulePage *rule, Lang lang, Str heading)
{
    Str page = str_from(page_markdown(rule, lang));
    Str begin = page_language(rule, lang) == LANG_ZH ? page_heading_zh(heading) : heading;
    size_t at = str_find(page, begin, 0);
    if (at == SIZE_MAX) {
        return;
    }
    size_t end = str_find(page, STR("\n## "), at + 1);
    Str section = str_slice(page, at, end);
    for (size_t line = 0; line < section.length;) {
        size_t stop = str_find(section, STR("\n"), line);
        stop = stop == SIZE_MAX ? section.length : stop + 1;
        Str text = str_slice(section, line, stop);
        if (!str_starts(text, STR("<!--"))) {
            buf_add(out, text);
        }
        line = stop;
    }
    buf_add(out, STR("\n"));
}

static void add_rule(Buf *out, const Rule *rule, Lang lang)
{
    const RulePage *page = rule_page(rule->id);
    buf_addf(out, "### %s %.*s\n\n", rule->id, STR_ARG(rule_title(rule, lang)));
    if (page != NULL) {
        add_section(out, page, lang, STR("## Why"));
        add_section(out, page, lang, STR("## Wrong"));
        add_section(out, page, lang, STR("## Right"));
    }
}

static void add_rules_at(Linting *linting, Buf *out, Position place)
{
    const RunResult *result = linting->result;
    Strs told = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            Str path = linting_path(linting, op, finding->file);
            Str id = str_from(finding->rule->id);
            if (!str_equal(path, linting->work->path) || strs_have(&told, id)) {
                continue;
            }
            Range range = linting_range(linting, path, finding->region);
            if (ranges_meet(range, (Range){place, place})) {
                VEC_PUSH(linting->work->arena, &told, id);
                add_rule(out, finding->rule, result->lang);
            }
        }
    }
}

/* --- names */

static const char *colon(Lang lang)
{
    return lang == LANG_ZH ? "：" : ": ";
}

static void add_line(Buf *out, Lang lang, Text head, const char *text)
{
    if (*text != '\0') {
        buf_addf(out, "- %s%s%s\n", text_in(lang, head), colon(lang), text);
    }
}

static void add_words(Buf *out, Lang lang, Text head, const char *words)
{
    if (*words != '\0') {
        buf_addf(out, "- %s%s`%s`\n", text_in(lang, head), colon(lang), words);
    }
}

/* Adds a call with its required arguments. */
static void add_example(Buf *out, const NameFacts *facts, Lang lang)
{
    Str call = str_from(facts->call);
    size_t open = str_find(call, STR("("), 0);
    if (open == SIZE_MAX) {
        return;
    }
    Str rest = str_slice(call, open + 1, call.length - 1);
    Buf arguments = {.arena = out->arena};
    for (size_t at = 0; at < rest.length;) {
        size_t end = str_find(rest, STR(","), at);
        Str part = str_trim(str_slice(rest, at, end));
        at = end == SIZE_MAX ? rest.length : end + 1;
        if (part.length == 0 || part.at[0] == '*' || str_contains(part, STR("="))) {
            break;
        }
        buf_addf(&arguments, "%s%.*s", arguments.length > 0 ? ", " : "", STR_ARG(part));
    }
    if (arguments.length > 0) {
        buf_addf(out,
                 text_in(lang, (Text){"\nExample: `pypto.%s(%s)`\n", "\n示例：`pypto.%s(%s)`\n"}),
                 facts->name, arguments.at);
    }
}

static void add_name(Buf *out, const NameFacts *facts, Lang lang)
{
    const char *prefix = strrchr(facts->name, '.');
    size_t length = prefix == NULL ? 0 : (size_t)(prefix + 1 - facts->name);
    if (*facts->call != '\0') {
        buf_addf(out, "```python\npypto.%.*s%s\n```\n", (int)length, facts->name, facts->call);
    } else {
        buf_addf(out, "```python\npypto.%s\n```\n", facts->name);
    }
    if (*facts->meaning != '\0') {
        buf_addf(out, "%s\n\n", facts->meaning);
    }
    add_words(out, lang, (Text){"data types", "数据类型"}, facts->dtypes);
    add_words(out, lang, (Text){"also on the Ascend 950", "Ascend 950 另外支持"}, facts->dtypes950);
    add_line(out, lang, (Text){"axes", "维数"}, facts->rank);
    add_line(out, lang, (Text){"limits", "限制"}, facts->limits);
    add_words(out, lang, (Text){"members", "成员"}, facts->members);
    add_line(out, lang, (Text){"since PyPTO", "始于 PyPTO"}, facts->since);
    add_line(out, lang, (Text){"until PyPTO", "止于 PyPTO"}, facts->until);
    add_example(out, facts, lang);
}

/* --- what is known of values */

static bool is_inside(const ShownType *type, const ShownType *other)
{
    const Region *a = &type->region;
    const Region *b = &other->region;
    return a->line > b->line || (a->line == b->line && a->column >= b->column);
}

static const ShownType *find_type(Linting *linting, Position place)
{
    const RunResult *result = linting->result;
    const ShownType *found = NULL;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->types.count; k++) {
            const ShownType *type = &op->semantics->types.items[k];
            Str path = linting_path(linting, op, type->file);
            bool here =
                str_equal(path, linting->work->path) &&
                ranges_meet(linting_range(linting, path, type->region), (Range){place, place});
            if (here && (found == NULL || is_inside(type, found))) {
                found = type;
            }
        }
    }
    return found;
}

static void add_fact(Buf *out, Lang lang, Text head, Str text)
{
    if (text.length > 0) {
        buf_addf(out, "- %s%s`%.*s`\n", text_in(lang, head), colon(lang), STR_ARG(text));
    }
}

static void add_type(Buf *out, const ShownType *type, Lang lang)
{
    Str name = type->name.length > 0 ? type->name : type->source;
    bool unknown = strcmp(type->kind, "unknown") == 0;
    buf_addf(out, "`%.*s`%s%s\n\n", STR_ARG(name), colon(lang),
             unknown ? text_in(lang, (Text){"unknown", "未知"}) : type->kind);
    add_fact(out, lang, (Text){"shape", "形状"}, type->shape);
    add_fact(out, lang, (Text){"dtype", "数据类型"}, type->dtype);
    add_fact(out, lang, (Text){"value", "值"}, type->value);
    add_fact(out, lang, (Text){"tile", "tile"}, type->tile);
    if (type->ub > 0) {
        buf_addf(out,
                 text_in(lang, (Text){"- bytes of one tile in UB: %lld\n",
                                      "- 单个 tile 在 UB 中的字节数：%lld\n"}),
                 (long long)type->ub);
    }
}

/* --- together */

void hover_job(Work *work)
{
    Buf text = {.arena = work->arena};
    Source source;
    Strs paths = {0};
    if (!work_source(work, work->path, &source)) {
        buf_add(work->out, STR("null"));
        return;
    }
    VEC_PUSH(work->arena, &paths, work->path);
    Request request = linting_request(work, paths);
    request.what.show_types = true;
    Linting linting;
    linting_begin(&linting, work, &request);
    Position place = work_position(json_object_get(work->params, "position"));
    uint32_t offset = work_offset(work, &source);
    Caret caret = caret_at(source.text, offset);
    Str name;
    if (!caret.in_text && below_pypto(source.text, caret.chain, &name)) {
        const NameFacts *facts = name_facts_find(name);
        if (facts != NULL) {
            add_name(&text, facts, linting.result->lang);
        }
    }
    const ShownType *type = find_type(&linting, place);
    if (type != NULL) {
        buf_add(&text, text.length > 0 ? STR("\n") : STR(""));
        add_type(&text, type, linting.result->lang);
    }
    buf_add(&text, text.length > 0 ? STR("\n") : STR(""));
    add_rules_at(&linting, &text, place);
    linting_end(&linting);
    if (text.length == 0) {
        buf_add(work->out, STR("null"));
        return;
    }
    buf_addf(work->out, "{\"contents\":{\"kind\":\"%s\",\"value\":",
             work->facts->markdown ? "markdown" : "plaintext");
    json_add_string(work->out, buf_str(&text));
    buf_add(work->out, STR("}}"));
}
