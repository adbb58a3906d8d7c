/* Keys about single rules (`profile`, `severity`, `options`) and about places (`exclude`), and what
 * they come to. */
#include "lint/config_schema.h"

#include "base/path.h"
#include "lint/gitignore.h"
#include "lint/suggest.h"

#include <stdlib.h>

typedef ConfigReading Reading;

bool config_read_profile(Reading *reading, const char *name, const Value *value)
{
    static const char *const words[] = {"operator", "kernel"};
    int word = config_word(reading, name, value, words, 2);
    reading->config->profile = (Profile)(PROFILE_OPERATOR + word);
    return word >= 0;
}

/* --- severity */

bool config_read_severity(Reading *reading, const char *name, const Value *value)
{
    static const char *const words[] = {"S0", "S1", "S2", "S3"};
    if (value->kind != VALUE_MAPPING) {
        return config_wrong_kind(reading, name, value, VALUE_MAPPING);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const Value *key = value->entries[i].key;
        SeverityEntry entry = {.selector = key->text};
        Str message;
        if (!selector_check(key->text, reading->arena, reading->lang, &message)) {
            return config_fail(reading, key->line, "in \"%s\": %.*s", "\"%s\"：%.*s", name,
                               STR_ARG(message));
        }
        int word = config_word(reading, key->text.at, value->entries[i].value, words, 4);
        if (word < 0) {
            return false;
        }
        entry.severity = (Severity)word;
        VEC_PUSH(reading->arena, &reading->config->severities, entry);
    }
    return true;
}

const Rule *config_rule(const Config *config, Arena *arena, const Rule *rule)
{
    /* What does not parse was not checked: no setting makes that smaller. */
    for (uint32_t i = rule == &rule_ol00 ? 0 : config->severities.count; i > 0; i--) {
        const SeverityEntry *entry = &config->severities.items[i - 1];
        if (!selector_matches(entry->selector, rule)) {
            continue;
        }
        if (entry->severity == rule->severity) {
            return rule;
        }
        Rule *changed = ARENA_NEW(arena, Rule);
        *changed = *rule;
        changed->severity = entry->severity;
        return changed;
    }
    return rule;
}

/* --- options */

/* The rule with options that a whole id or a name stands for, or NULL. */
static const Rule *rule_of(Str selector)
{
    const Rule *rule = rule_named(selector);
    for (uint32_t i = 0; i < rule_registry_count && rule == NULL; i++) {
        bool whole = selector_is_id(selector) && selector.length == strlen(rule_registry[i]->id);
        rule = whole && selector_matches(selector, rule_registry[i]) ? rule_registry[i] : NULL;
    }
    return rule != NULL && rule->options != NULL ? rule : NULL;
}

static bool unknown_option(Reading *reading, const Rule *rule, const Value *key)
{
    enum { MOST_OPTIONS = 8 };
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    while (count < MOST_OPTIONS && rule->options[count].name != NULL) {
        names[count] = rule->options[count].name;
        count++;
    }
    const char *nearest = suggest(key->text, names, count);
    return config_fail(reading, key->line, "%s has no option \"%.*s\"; did you mean \"%s\"?",
                       "%s 没有选项 \"%.*s\"；是否想写 \"%s\"？", rule->id,
                       STR_ARG(str_slice(key->text, 0, 80)), nearest == NULL ? names[0] : nearest);
}

static bool read_number(Reading *reading, const RuleOption *option, const Value *value,
                        double *number)
{
    bool good = value->kind == VALUE_STRING && value->is_plain &&
                text_to_real(value->text, number) && *number >= option->least &&
                *number <= option->most;
    Str shown = value->kind == VALUE_STRING ? str_slice(value->text, 0, 80) : STR("…");
    return good ||
           config_fail(reading, value->line, "\"%s\" must be a number from %g to %g, not \"%.*s\"",
                       "\"%s\" 必须是 %g 到 %g 的数，而不是 \"%.*s\"", option->name, option->least,
                       option->most, STR_ARG(shown));
}

static bool read_option(Reading *reading, const Rule *rule, const Value *key, const Value *value)
{
    const RuleOption *option = rule->options;
    while (option->name != NULL && !str_is(key->text, option->name)) {
        option++;
    }
    if (option->name == NULL) {
        return unknown_option(reading, rule, key);
    }
    OptionEntry entry = {.rule = rule, .name = option->name};
    for (uint32_t i = 0; i < reading->config->options.count; i++) {
        const OptionEntry *other = &reading->config->options.items[i];
        if (other->rule == rule && strcmp(other->name, option->name) == 0) {
            return config_fail(reading, key->line, "key \"%s\" is repeated", "键 \"%s\" 重复",
                               option->name);
        }
    }
    bool good = read_number(reading, option, value, &entry.number);
    VEC_PUSH(reading->arena, &reading->config->options, entry);
    return good;
}

bool config_read_options(Reading *reading, const char *name, const Value *value)
{
    if (value->kind != VALUE_MAPPING) {
        return config_wrong_kind(reading, name, value, VALUE_MAPPING);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const Value *key = value->entries[i].key;
        const Value *options = value->entries[i].value;
        const Rule *rule = rule_of(key->text);
        if (rule == NULL) {
            return config_fail(reading, key->line, "in \"%s\": no rule \"%.*s\" has options",
                               "\"%s\"：规则 \"%.*s\" 没有选项", name,
                               STR_ARG(str_slice(key->text, 0, 80)));
        }
        if (options->kind != VALUE_MAPPING) {
            return config_wrong_kind(reading, key->text.at, options, VALUE_MAPPING);
        }
        for (uint32_t k = 0; k < options->count; k++) {
            if (!read_option(reading, rule, options->entries[k].key, options->entries[k].value)) {
                return false;
            }
        }
    }
    return true;
}

static const OptionEntry *option_entry(const RuleRun *run, const char *option)
{
    const Config *config = run->settings;
    for (uint32_t i = 0; config != NULL && i < config->options.count; i++) {
        const OptionEntry *entry = &config->options.items[i];
        if (strcmp(entry->rule->id, run->rule->id) == 0 && strcmp(entry->name, option) == 0) {
            return entry;
        }
    }
    return NULL;
}

double rule_number(const RuleRun *run, const char *option)
{
    const OptionEntry *entry = option_entry(run, option);
    const RuleOption *known = run->rule->options;
    while (strcmp(known->name, option) != 0) {
        known++;
    }
    return entry == NULL ? known->standard : entry->number;
}

/* --- places */

static bool read_patterns(Reading *reading, const char *name, const Value *value, Strs *patterns)
{
    if (value->kind != VALUE_LIST) {
        return config_wrong_kind(reading, name, value, VALUE_LIST);
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const Value *item = value->items[i];
        IgnorePattern pattern;
        if (item->kind != VALUE_STRING) {
            return config_wrong_kind(reading, name, item, VALUE_STRING);
        }
        if (!ignore_pattern_read(&pattern, item->text) || pattern.negated) {
            return config_fail(reading, item->line, "in \"%s\": \"%.*s\" is not a usable pattern",
                               "\"%s\"：\"%.*s\" 不是可用的模式", name,
                               STR_ARG(str_slice(item->text, 0, 80)));
        }
        VEC_PUSH(reading->arena, patterns, item->text);
    }
    return true;
}

bool config_read_exclude(Reading *reading, const char *name, const Value *value)
{
    reading->config->has_exclude = true;
    return read_patterns(reading, name, value, &reading->config->exclude);
}

bool config_read_extend_exclude(Reading *reading, const char *name, const Value *value)
{
    return read_patterns(reading, name, value, &reading->config->extend_exclude);
}

static bool any_pattern(const Strs *patterns, Str path, bool is_folder)
{
    for (uint32_t i = 0; i < patterns->count; i++) {
        IgnorePattern pattern;
        if (ignore_pattern_read(&pattern, patterns->items[i]) &&
            ignore_pattern_matches(&pattern, path, is_folder)) {
            return true;
        }
    }
    return false;
}

bool config_excludes(const Config *config, Str path, bool is_folder)
{
    Str relative;
    if (config->exclude.count + config->extend_exclude.count == 0 ||
        !path_below(config->folder, path, &relative)) {
        return false;
    }
    return any_pattern(&config->exclude, relative, is_folder) ||
           any_pattern(&config->extend_exclude, relative, is_folder);
}
