/*
 * The tool: its names, and the descriptors of its rules and of its kinds of notification. */
#include "writer.h"

#include "limits.h"
#include "uri.h"
#include "utf8.h"

SarifText sarif_text_or(SarifText text, SarifText other)
{
    return text.size > 0 ? text : other;
}

const char *sarif_level_name(SarifLevel level)
{
    switch (level) {
    case SARIF_NONE:
        return "none";
    case SARIF_NOTE:
        return "note";
    case SARIF_ERROR:
        return "error";
    case SARIF_DEFAULT_LEVEL:
    case SARIF_WARNING:
    default:
        return "warning";
    }
}

bool sarif_is_chinese(const SarifRun *run)
{
    SarifText language = run->language;
    return language.size >= 2 && language.data[0] == 'z' && language.data[1] == 'h';
}

SarifText sarif_no_message(const SarifRun *run)
{
    return sarif_is_chinese(run) ? SARIF_TEXT("未提供说明。") : SARIF_TEXT("No message was given.");
}

bool sarif_has_cuts(const SarifPlan *plan)
{
    for (size_t i = 0; i < SARIF_CUT_COUNT; i++) {
        if (plan->cut[i] > 0) {
            return true;
        }
    }
    return false;
}

void sarif_add_rule_id(const SarifWriter *writer, size_t rule)
{
    SarifText id = writer->run->rules[rule].id;
    sarif_json_string_add(writer->json, sarif_text_or(id, SARIF_TEXT("unnamed-rule-")));
    if (id.size == 0) {
        sarif_json_string_add_number(writer->json, rule + 1);
    }
}

static bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool is_lower_or_digit(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

typedef struct Name {
    char data[SARIF_MAX_NAME];
    size_t size;
} Name;

/*
 * Appends text in PascalCase as validators understand it: every capital is followed by a lower-case
 * letter or a digit, so "IOError" becomes "IoError". Other characters only part words. */
static void name_append(Name *name, SarifText text)
{
    bool word_start = true;
    for (size_t i = 0; i < text.size && name->size < sizeof name->data; i++) {
        char byte = text.data[i];
        if (!is_upper(byte) && !is_lower_or_digit(byte)) {
            word_start = true;
            continue;
        }
        bool after_capital = name->size > 0 && is_upper(name->data[name->size - 1]);
        bool capital = (word_start || is_upper(byte)) && !after_capital;
        if (capital && byte >= 'a' && byte <= 'z') {
            byte = (char)(byte - 'a' + 'A');
        } else if (!capital && is_upper(byte)) {
            byte = (char)(byte - 'A' + 'a');
        }
        name->data[name->size++] = byte;
        word_start = false;
    }
    char *last = name->size > 0 ? &name->data[name->size - 1] : NULL;
    if (last != NULL && name->size > 1 && is_upper(*last)) {
        *last = (char)(*last - 'A' + 'a');
    }
}

/* The name must differ from the id, begin with a letter and have two characters. */
static void make_name(Name *name, const SarifRule *rule)
{
    name->size = 0;
    name_append(name, rule->name);
    if (name->size == 0) {
        name_append(name, rule->id);
    }
    SarifText made = {name->data, name->size};
    if (name->size < 2 || !is_upper(name->data[0]) || sarif_text_equal(made, rule->id)) {
        Name plain = *name;
        name->size = 0;
        name_append(name, SARIF_TEXT("Rule"));
        name_append(name, (SarifText){plain.data, plain.size});
    }
}

/* A description within GitHub's limit; what is cut ends in an ellipsis. */
static void write_description(SarifJson *json, const char *key, SarifText text)
{
    size_t fitting = sarif_utf8_prefix(text, SARIF_MAX_DESCRIPTION);
    sarif_json_member_open(json, key, '{');
    sarif_json_key(json, "text");
    sarif_json_string_begin(json);
    if (fitting < text.size) {
        text.size = sarif_utf8_prefix(text, SARIF_MAX_DESCRIPTION - 1);
        sarif_json_string_add(json, text);
        sarif_json_string_add(json, SARIF_TEXT("\xE2\x80\xA6"));
    } else {
        sarif_json_string_add(json, text);
    }
    sarif_json_string_end(json);
    sarif_json_close(json, '}');
}

static void write_help(SarifJson *json, const SarifRule *rule, SarifText fallback)
{
    SarifText text = sarif_text_or(sarif_text_or(rule->help_text, rule->help_markdown), fallback);
    sarif_json_member_open(json, "help", '{');
    sarif_json_member(json, "text", text);
    sarif_json_member(json, "markdown", rule->help_markdown);
    sarif_json_close(json, '}');
}

static void write_message_strings(SarifJson *json, const SarifRule *rule)
{
    if (rule->message_count == 0) {
        return;
    }
    sarif_json_member_open(json, "messageStrings", '{');
    for (size_t i = 0; i < rule->message_count; i++) {
        sarif_json_text_key(json, rule->messages[i].key);
        sarif_json_open(json, '{');
        sarif_json_member(json, "text", sarif_text_or(rule->messages[i].value, SARIF_TEXT("{0}")));
        sarif_json_close(json, '}');
    }
    sarif_json_close(json, '}');
}

static const char *problem_severity(SarifLevel level)
{
    switch (level) {
    case SARIF_ERROR:
        return "error";
    case SARIF_NOTE:
    case SARIF_NONE:
        return "recommendation";
    case SARIF_DEFAULT_LEVEL:
    case SARIF_WARNING:
    default:
        return "warning";
    }
}

static const char *precision_name(SarifPrecision precision)
{
    static const char *const names[] = {
        [SARIF_NO_PRECISION] = NULL,     [SARIF_LOW] = "low",
        [SARIF_MEDIUM] = "medium",       [SARIF_HIGH] = "high",
        [SARIF_VERY_HIGH] = "very-high",
    };
    return (size_t)precision < sizeof names / sizeof *names ? names[precision] : NULL;
}

static void write_rule_properties(const SarifWriter *writer, const SarifRule *rule)
{
    SarifJson *json = writer->json;
    SarifTagList tags;
    sarif_tags_collect(rule, &tags);
    sarif_json_member_open(json, "properties", '{');
    sarif_json_member_texts(json, "tags", tags.tags, tags.count);
    sarif_json_member(json, "precision", sarif_text(precision_name(rule->precision)));
    sarif_json_member(json, "problem.severity", sarif_text(problem_severity(rule->level)));
    sarif_write_property_members(writer, rule->properties);
    sarif_json_close(json, '}');
}

/* Everything of a descriptor but its id, which the caller has written. */
static void write_rule_members(const SarifWriter *writer, const SarifRule *rule)
{
    SarifJson *json = writer->json;
    Name name;
    make_name(&name, rule);
    SarifText named = {name.data, name.size};
    SarifText brief = sarif_text_or(sarif_text_or(rule->short_description, rule->full_description),
                                    sarif_text_or(rule->name, named));
    SarifText full = sarif_text_or(rule->full_description, brief);
    sarif_json_member(json, "name", named);
    write_description(json, "shortDescription", brief);
    write_description(json, "fullDescription", full);
    write_message_strings(json, rule);
    write_help(json, rule, full);
    sarif_json_member_uri(json, "helpUri",
                          sarif_text_or(rule->help_uri, writer->run->tool.information_uri));
    sarif_json_member_open(json, "defaultConfiguration", '{');
    sarif_json_member(json, "level", sarif_text(sarif_level_name(rule->level)));
    sarif_json_close(json, '}');
    write_rule_properties(writer, rule);
}

static void write_rules(const SarifWriter *writer)
{
    SarifJson *json = writer->json;
    sarif_json_member_open(json, "rules", '[');
    for (size_t i = 0; i < writer->run->rule_count; i++) {
        if (writer->plan->rule_place[i] == SARIF_NO_INDEX) {
            continue;
        }
        sarif_json_open(json, '{');
        sarif_json_key(json, "id");
        sarif_json_string_begin(json);
        sarif_add_rule_id(writer, i);
        sarif_json_string_end(json);
        write_rule_members(writer, &writer->run->rules[i]);
        sarif_json_close(json, '}');
    }
    sarif_json_close(json, ']');
}

static void write_notification_kind(const SarifWriter *writer, const SarifRule *kind)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_json_key(json, "id");
    sarif_json_text(json, sarif_text_or(kind->id, SARIF_TEXT("unnamed-notification")));
    write_rule_members(writer, kind);
    sarif_json_close(json, '}');
}

static SarifRule limit_kind(bool chinese)
{
    return (SarifRule){
        .id = SARIF_TEXT(SARIF_LIMIT_ID),
        .name = SARIF_TEXT("LogLimit"),
        .short_description = chinese ? SARIF_TEXT("日志达到上限，部分内容被省略。")
                                     : SARIF_TEXT("A limit of the log was reached."),
        .full_description =
            chinese ? SARIF_TEXT("GitHub 拒收超过上限的日志，超出的部分已被省略。")
                    : SARIF_TEXT("GitHub rejects a log above its limits; what was over one of them "
                                 "has been left out."),
        .level = SARIF_WARNING,
    };
}

static void write_notification_kinds(const SarifWriter *writer)
{
    const SarifTool *tool = &writer->run->tool;
    bool cuts = sarif_has_cuts(writer->plan);
    if (tool->notification_count == 0 && !cuts) {
        return;
    }
    sarif_json_member_open(writer->json, "notifications", '[');
    for (size_t i = 0; i < tool->notification_count; i++) {
        write_notification_kind(writer, &tool->notifications[i]);
    }
    if (cuts) {
        SarifRule kind = limit_kind(sarif_is_chinese(writer->run));
        write_notification_kind(writer, &kind);
    }
    sarif_json_close(writer->json, ']');
}

void sarif_write_tool(const SarifWriter *writer)
{
    SarifJson *json = writer->json;
    const SarifTool *tool = &writer->run->tool;
    sarif_json_member_open(json, "tool", '{');
    sarif_json_member_open(json, "driver", '{');
    sarif_json_member(json, "name", sarif_text_or(tool->name, SARIF_TEXT("unnamed-tool")));
    sarif_json_member(json, "fullName", tool->full_name);
    sarif_json_member(json, "organization", tool->organization);
    sarif_json_member(json, "version", tool->version);
    sarif_json_member(json, "semanticVersion", tool->semantic_version);
    sarif_json_member_uri(json, "informationUri", tool->information_uri);
    write_rules(writer);
    write_notification_kinds(writer);
    sarif_json_close(json, '}');
    sarif_json_close(json, '}');
}
