/* `rules`: every rule, and the retired ids. */
#include "cli/cli.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const retired_ids[] = {"OL27", "OL35", "OL36", "OL38"};
enum { RETIRED_COUNT = sizeof retired_ids / sizeof *retired_ids };

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

static void add_row(Buf *out, const Rule *rule, Lang lang)
{
    const char *effort = effort_name(rule->effort);
    buf_addf(out, "%s  %s  %s  %-2s  ", rule->id, severity_name(rule->severity),
             dimension_name(rule->dimension), *effort == '\0' ? "-" : effort);
    add_stages(out, rule->stages);
    buf_addf(out, "  %-6s  %-7s  %s\n", target_name(rule->target), fix_name(rule->fix),
             title_of(rule, lang));
}

static int print_text(Arena *arena, Lang lang)
{
    Buf out = {.arena = arena};
    buf_add(&out, lang == LANG_ZH ? STR("编号  级别 维度 代价 阶段     对象    修复     标题\n")
                                  : STR("id    sev dim eff stages   target  fix      title\n"));
    add_row(&out, &rule_ol00, lang);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        add_row(&out, rule_registry[i], lang);
    }
    for (int i = 0; i < RETIRED_COUNT; i++) {
        const Text *text = retired_rule(str_from(retired_ids[i]));
        buf_addf(&out, "%s  %s\n", retired_ids[i], text_in(lang, *text));
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_TROUBLE;
}

static json_t *rule_json(const Rule *rule)
{
    const RulePage *page = rule_page(rule->id);
    json_t *stages = json_array();
    for (int n = 1; n <= 7; n++) {
        if ((rule->stages & STAGE(n)) != 0) {
            json_array_append_new(stages, json_integer(n));
        }
    }
    const char *effort = effort_name(rule->effort);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s*, s:o, s:s, s:s, s:s, s:b, s:s}", "id", rule->id, "name",
        page == NULL ? "" : page->name, "severity", severity_name(rule->severity), "dimension",
        dimension_name(rule->dimension), "effort", *effort == '\0' ? NULL : effort, "stages",
        stages, "target", target_name(rule->target), "title", title_of(rule, LANG_EN), "title_zh",
        title_of(rule, LANG_ZH), "fixable", rule->fix == FIX_SAFE, "fix", fix_name(rule->fix));
}

static int print_json(void)
{
    json_t *rules = json_array();
    json_array_append_new(rules, rule_json(&rule_ol00));
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        json_array_append_new(rules, rule_json(rule_registry[i]));
    }
    json_t *retired = json_array();
    for (int i = 0; i < RETIRED_COUNT; i++) {
        const Text *text = retired_rule(str_from(retired_ids[i]));
        json_array_append_new(retired, json_pack("{s:s, s:s, s:s}", "id", retired_ids[i], "state",
                                                 text->en, "state_zh", text->zh));
    }
    json_t *root =
        json_pack("{s:i, s:o, s:o}", "schema_version", 1, "rules", rules, "retired", retired);
    char *text = root == NULL ? NULL : json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    if (text == NULL) {
        return trouble("out of memory");
    }
    bool good = print_all(str_from(text)) && print_all(STR("\n"));
    free(text);
    return good ? EXIT_CLEAN : EXIT_TROUBLE;
}

int command_rules(Arena *arena, int argc, char **argv)
{
    Lang lang = default_lang();
    bool json = false;
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        Str value = STR("");
        size_t equals = str_find(argument, STR("="), 0);
        if (equals != SIZE_MAX) {
            value = str_slice(argument, equals + 1, argument.length);
            argument = str_slice(argument, 0, equals);
        }
        bool takes_value = str_is(argument, "--format") || str_is(argument, "--lang");
        if (takes_value && equals == SIZE_MAX && i + 1 < argc) {
            value = str_from(argv[++i]);
        }
        if (str_is(argument, "--format") && (str_is(value, "text") || str_is(value, "json"))) {
            json = str_is(value, "json");
        } else if (str_is(argument, "--lang") && (str_is(value, "en") || str_is(value, "zh"))) {
            lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
        } else if (str_is(argument, "--help") || str_is(argument, "-h")) {
            char *words[] = {(char[]){"rules"}, NULL};
            return command_help(arena, 1, words);
        } else {
            return trouble("usage: pypto-lint rules [--format text|json] [--lang en|zh]");
        }
    }
    return json ? print_json() : print_text(arena, lang);
}
