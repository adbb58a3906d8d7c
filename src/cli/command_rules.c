/* `rules`: every rule, and the retired ids. */
#include "base/fence.h"
#include "cli/cli.h"
#include "harness/judge/advice_table.h"
#include "lint/product_codes.h"
#include "report/page.h"
#include "report/page_finding.h"
#include "report/report_common.h"

void rule_words(Buf *out)
{
    buf_addf(out, "%s\n%s\n", rule_ol00.id, rule_ol00.name);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        buf_addf(out, "%s\n%s\n", rule_registry[i]->id, rule_registry[i]->name);
    }
}

typedef struct RulesOptions {
    unsigned json; /* text or json */
    Str html;      /* --html, or empty */
    Lang lang;
} RulesOptions;

static const Option rows[] = {
    CHOICE_ROW(RulesOptions, json, "--format", "text|json", "format of the list", "列表的格式"),
    TEXT_ROW(RulesOptions, html, "--html", "FILE",
             "write a page with all rules and the simulator's checks there instead",
             "改为写出一个网页文件，包含所有规则和模拟器的检查"),
    LANG_ROW(RulesOptions, lang),
};

const OptionTable rules_options = OPTION_TABLE(rows, .most_words = 0);

static const char *title_of(const Rule *rule, Lang lang)
{
    const RulePage *page = rule_page(rule->id);
    if (page == NULL) {
        return "";
    }
    return lang == LANG_ZH ? page->title_zh : page->title;
}

static const char *fix_name(FixClass fix)
{
    return fix == FIX_SAFE ? "safe" : fix == FIX_SUGGEST ? "suggest" : "none";
}

static void add_stages(Buf *out, unsigned stages)
{
    for (unsigned n = 1; n <= 7; n++) {
        buf_add_char(out, (stages & STAGE(n)) != 0 ? (char)('0' + n) : '-');
    }
}

static int name_width(void)
{
    size_t width = strlen(rule_ol00.name);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        size_t length = strlen(rule_registry[i]->name);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void add_row(Buf *out, const Rule *rule, Lang lang)
{
    const char *effort = effort_name(rule->effort);
    buf_addf(out, "%s  %s  %s  %-2s  ", rule->id, severity_name(rule->severity),
             dimension_name(rule->dimension), *effort == '\0' ? "-" : effort);
    add_stages(out, rule->stages);
    buf_addf(out, "  %-6s  %-7s  %-*s  %s\n", target_name(rule->target), fix_name(rule->fix),
             name_width(), rule->name, title_of(rule, lang));
}

static int print_text(Arena *arena, Lang lang)
{
    Buf out = {.arena = arena};
    int padding = name_width() + 2 - (int)strlen("name");
    buf_addf(&out,
             lang == LANG_ZH ? "编号  级别 维度 代价 阶段     对象    修复     名称%*s标题\n"
                             : "id    sev dim eff stages   target  fix      name%*stitle\n",
             padding, "");
    add_row(&out, &rule_ol00, lang);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        add_row(&out, rule_registry[i], lang);
    }
    for (uint32_t i = 0; i < retired_rule_count; i++) {
        buf_addf(&out, "%s  %s\n", retired_rules[i].id, text_in(lang, retired_rules[i].text));
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

static json_t *rule_json(JsonTree *tree, const Rule *rule)
{
    const char *effort = effort_name(rule->effort);
    json_t *stages = json_array();
    for (int n = 1; n <= 7; n++) {
        if ((rule->stages & STAGE(n)) != 0) {
            json_append(tree, stages, json_integer(n));
        }
    }
    json_t *object = json_object();
    json_put(tree, object, "id", json_string(rule->id));
    json_put(tree, object, "name", json_string(rule->name));
    json_put(tree, object, "severity", json_string(severity_name(rule->severity)));
    json_put(tree, object, "dimension", json_string(dimension_name(rule->dimension)));
    if (*effort != '\0') {
        json_put(tree, object, "effort", json_string(effort));
    }
    json_put(tree, object, "stages", stages);
    json_put(tree, object, "target", json_string(target_name(rule->target)));
    json_put(tree, object, "title", json_string(title_of(rule, LANG_EN)));
    json_put(tree, object, "title_zh", json_string(title_of(rule, LANG_ZH)));
    json_put(tree, object, "fixable", json_boolean(rule->fix == FIX_SAFE));
    json_put(tree, object, "fix", json_string(fix_name(rule->fix)));
    return object;
}

static json_t *retired_json(JsonTree *tree, const RetiredRule *rule)
{
    json_t *object = json_object();
    json_put(tree, object, "id", json_string(rule->id));
    json_put(tree, object, "state", json_string(rule->text.en));
    json_put(tree, object, "state_zh", json_string(rule->text.zh));
    return object;
}

static int print_json(Arena *arena)
{
    JsonTree tree = {false};
    json_t *rules = json_array();
    json_append(&tree, rules, rule_json(&tree, &rule_ol00));
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        json_append(&tree, rules, rule_json(&tree, rule_registry[i]));
    }
    json_t *retired = json_array();
    for (uint32_t i = 0; i < retired_rule_count; i++) {
        json_append(&tree, retired, retired_json(&tree, &retired_rules[i]));
    }
    json_t *root = json_object();
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "rules", rules);
    json_put(&tree, root, "retired", retired);
    return json_print(arena, &tree, root) ? EXIT_CLEAN : EXIT_ERROR;
}

static void add_codes(Buf *out, Lang lang)
{
    buf_addf(out, "<section data-group>\n<h2>%s</h2>\n<p class=\"soft\">%s</p>\n",
             words(lang, "Errors of PyPTO that the simulator and the rules KS name",
                   "模拟器与 KS 规则给出的 PyPTO 错误"),
             words(lang, "pypto-lint explain CODE says more.",
                   "pypto-lint explain 代码 给出更多说明。"));
    const ProductCode *code;
    for (size_t i = 0; (code = product_code_at(i)) != NULL; i++) {
        buf_add(out, STR("<p class=\"text\" data-item data-severity=\"error\" data-fix=\"none\">"
                         "<span class=\"code\">"));
        for (int version = 0; version <= PRODUCT_9_2; version++) {
            if (code->numbers[version] != 0) {
                buf_addf(out, "%06X (%s) ", code->numbers[version], product_version_names[version]);
            }
        }
        xml_add(out, str_from(code->name == NULL ? "" : code->name));
        buf_add(out, STR("</span><br>"));
        xml_add(out, str_from(text_in(lang, code->meaning)));
        buf_add(out, STR("</p>\n"));
    }
    buf_add(out, STR("</section>\n"));
}

/* What the simulator warns of, beside the errors of PyPTO. */
static void add_warnings(Buf *out, Lang lang)
{
    buf_addf(out, "<section data-group>\n<h2>%s</h2>\n<p class=\"soft\">%s</p>\n",
             words(lang, "Warnings of the simulator", "模拟器的警告"),
             words(lang, "run, test and verify give them with the name in brackets.",
                   "run、test 和 verify 会给出它们，名称在方括号中。"));
    for (const AdviceRow *row = advice_table; row->name != NULL; row++) {
        if (row->kind == ADVICE_FINDING) {
            buf_addf(out,
                     "<p class=\"text\" data-item data-severity=\"warning\" data-fix=\"none\">"
                     "<span class=\"code\">%s</span><br>",
                     row->name);
            xml_add(out, str_from(text_in(lang, row->words)));
            buf_add(out, STR("</p>\n"));
        }
    }
    buf_add(out, STR("</section>\n"));
}

static int write_page(Arena *arena, Str file, Lang lang)
{
    static const char *const severities[] = {"S0", "S1", "S2", "S3", "error", "warning"};
    static const char *const stages[] = {"1", "2", "3", "4", "5", "6", "7"};
    static const char *const fixes[] = {"safe", "suggest", "none"};
    const PageChoice choices[] = {{"severity", {"Severity", "级别"}, severities, 6},
                                  {"stage", {"Stage", "阶段"}, stages, 7},
                                  {"fix", {"Fix", "修复"}, fixes, 3}};
    Buf out = {.arena = arena};
    PageHead head = {.title = str_from(words(lang, "Rules of pypto-lint", "pypto-lint 的规则")),
                     .lang = lang == LANG_ZH ? "zh-CN" : "en",
                     .script = "filter.js"};
    page_begin(&out, &head);
    page_controls_add(&out, choices, sizeof choices / sizeof *choices, lang);
    buf_addf(&out, "<section data-group>\n<h2>%s</h2>\n", words(lang, "Rules", "规则"));
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        page_rule_add(&out, rule_registry[i], lang, true);
    }
    buf_add(&out, STR("</section>\n"));
    add_codes(&out, lang);
    add_warnings(&out, lang);
    page_end(&out, &head);
    Str error = STR("");
    return fence_write(arena, STR(""), str_dup(arena, file), buf_str(&out), &error)
               ? EXIT_CLEAN
               : print_error("%.*s: %.*s", STR_ARG(file), STR_ARG(error));
}

int command_rules(const Command *self, Arena *arena, int argc, char **argv)
{
    RulesOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (options.html.length > 0) {
        return write_page(arena, options.html, options.lang);
    }
    return options.json != 0 ? print_json(arena) : print_text(arena, options.lang);
}
