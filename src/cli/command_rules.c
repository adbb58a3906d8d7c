/* `rules`: every rule, and the retired ids. */
#include "cli/cli.h"

void rule_words(Buf *out)
{
    buf_addf(out, "%s\n%s\n", rule_ol00.id, rule_ol00.name);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        buf_addf(out, "%s\n%s\n", rule_registry[i]->id, rule_registry[i]->name);
    }
}

typedef struct RulesOptions {
    unsigned json; /* text or json */
    Lang lang;
} RulesOptions;

static const Option rows[] = {
    CHOICE_ROW(RulesOptions, json, "--format", "text|json", "form of the list", "列表的格式"),
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
    buf_addf(&out, lang == LANG_ZH ? "编号  级别 维度 代价 阶段     对象    修复     名称%*s标题\n"
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

int command_rules(const Command *self, Arena *arena, int argc, char **argv)
{
    RulesOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    return options.json != 0 ? print_json(arena) : print_text(arena, options.lang);
}
