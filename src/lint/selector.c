/* Selectors: how options, settings and comments name rules, in capitals or small letters. */
#include "lint/config.h"

#include "base/ascii.h"
#include "lint/suggest.h"

#include <strings.h>

/* `word` is ASCII. */
static bool is_word(Str text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.at, word, text.length) == 0;
}

const Text *retired_rule(Str id)
{
    for (uint32_t i = 0; i < retired_rule_count; i++) {
        if (is_word(id, retired_rules[i].id)) {
            return &retired_rules[i].text;
        }
    }
    return NULL;
}

bool selector_is_id(Str selector)
{
    Str prefix = str_slice(selector, 0, 2);
    if (selector.length < 2 || selector.length > 4 ||
        (!is_word(prefix, "OL") && !is_word(prefix, "KS"))) {
        return false;
    }
    for (size_t i = 2; i < selector.length; i++) {
        if (!is_digit(selector.at[i])) {
            return false;
        }
    }
    return true;
}

static bool is_dimension_form(Str selector)
{
    return selector.length == 2 && is_word(str_slice(selector, 0, 1), "D") &&
           is_digit(selector.at[1]);
}

bool selector_matches(Str selector, const Rule *rule)
{
    if (selector_is_id(selector)) {
        return strncasecmp(rule->id, selector.at, selector.length) == 0;
    }
    if (is_dimension_form(selector)) {
        return (int)rule->dimension == selector.at[1] - '0';
    }
    return is_word(selector, "ALL") || (rule->name != NULL && is_word(selector, rule->name));
}

const Rule *rule_named(Str name)
{
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        if (rule->name != NULL && is_word(name, rule->name)) {
            return rule;
        }
    }
    return is_word(name, rule_ol00.name) ? &rule_ol00 : NULL;
}

static bool matches_some_rule(Str selector)
{
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        if (selector_matches(selector, rule_registry[i])) {
            return true;
        }
    }
    return selector_matches(selector, &rule_ol00);
}

/* The id or name that a misspelt one was meant to be: right but for one letter, or for two of a
 * name. A wrong number has no best guess. */
static const char *nearest_word(Str selector)
{
    const char *word = "ALL";
    if (edit_distance(selector, str_from(word), 1) <= 1) {
        return word;
    }
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        if (rule->name != NULL && selector.length >= 6 &&
            edit_distance(selector, str_from(rule->name), 2) <= 2) {
            return rule->name;
        }
        /* "OL-48", "0L48" */
        bool by_id = selector.length >= 4 && str_ends(selector, str_from(rule->id + 2)) &&
                     edit_distance(selector, str_from(rule->id), 1) <= 1;
        if (by_id) {
            return rule->id;
        }
    }
    return NULL;
}

bool selector_check(Str selector, Arena *arena, Lang lang, Str *message)
{
    *message = STR("");
    const Text *text = retired_rule(selector);
    if (text != NULL) {
        *message = str_from(text_in(lang, *text));
        return true;
    }
    if (matches_some_rule(selector)) {
        return true;
    }
    const char *nearest = nearest_word(selector);
    Buf buf = {.arena = arena};
    if (is_dimension_form(selector)) {
        buf_addf(&buf,
                 text_in(lang, (Text){"unknown dimension \"%.*s\": there are D1 to D5",
                                      "未知维度 \"%.*s\"：只有 D1 至 D5"}),
                 STR_ARG(selector));
    } else {
        buf_addf(&buf,
                 text_in(lang, (Text){"no rule is named \"%.*s\"", "没有名为 \"%.*s\" 的规则"}),
                 STR_ARG(str_slice(selector, 0, 80)));
    }
    if (nearest != NULL) {
        buf_addf(&buf, text_in(lang, (Text){"; did you mean \"%s\"?", "；是否想写 \"%s\"？"}),
                 nearest);
    }
    *message = buf_str(&buf);
    return false;
}
