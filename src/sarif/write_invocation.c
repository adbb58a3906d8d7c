/*
 * How the tool ran: exit code, arguments, and notifications, those about cuts included. */
#include "writer.h"

#include "uri.h"

/* What follows the number of things that were cut. */
typedef struct CutText {
    const char *english;
    const char *chinese;
} CutText;

/* Indexed by SarifCut. */
static const CutText cut_texts[] = {
    [SARIF_CUT_RESULTS] = {"results were left out: the limit of a run was reached, and the most "
                           "severe were kept.",
                           "条结果被省略：已达到单次运行的上限，保留了最严重的结果。"},
    [SARIF_CUT_RULES] = {"rules without results were left out: the limit of a run was reached.",
                         "条没有结果的规则被省略：已达到单次运行的上限。"},
    [SARIF_CUT_TAGS] = {"tags of rules were left out: a rule has at most 20.",
                        "个规则标签被省略：每条规则最多 20 个。"},
    [SARIF_CUT_TEXTS] = {"descriptions of rules were shortened to 1024 characters.",
                         "条规则描述被截短为 1024 个字符。"},
    [SARIF_CUT_RELATED] = {"related locations were left out: a result has at most 999.",
                           "个相关位置被省略：每条结果最多 999 个。"},
    [SARIF_CUT_FLOW_STEPS] = {"code flow steps were left out: a result has at most 10000.",
                              "个代码流步骤被省略：每条结果最多 10000 个。"},
    [SARIF_CUT_FIXES] = {"fixes were left out: a result has at most 32.",
                         "个修复被省略：每条结果最多 32 个。"},
    [SARIF_CUT_SNIPPETS] = {"snippets were left out: they were longer than 8192 bytes.",
                            "个代码片段被省略：长度超过 8192 字节。"},
};

_Static_assert(sizeof cut_texts / sizeof *cut_texts == SARIF_CUT_COUNT, "a text for each cut");
_Static_assert(SARIF_MAX_TAGS == 20 && SARIF_MAX_DESCRIPTION == 1024 && SARIF_MAX_RELATED == 999 &&
                   SARIF_MAX_FLOW_STEPS == 10000 && SARIF_MAX_FIXES == 32 &&
                   SARIF_MAX_SNIPPET_SIZE == 8192,
               "the limits named in cut_texts");

static void write_descriptor(const SarifWriter *writer, SarifText id)
{
    SarifJson *json = writer->json;
    const SarifTool *tool = &writer->run->tool;
    size_t index = 0;
    while (index < tool->notification_count &&
           !sarif_text_equal(tool->notifications[index].id, id)) {
        index++;
    }
    bool listed =
        index < tool->notification_count ||
        (sarif_has_cuts(writer->plan) && sarif_text_equal(id, SARIF_TEXT(SARIF_LIMIT_ID)));
    sarif_json_member_open(json, "descriptor", '{');
    sarif_json_member(json, "id", id);
    if (listed) { /* that of the limits follows the caller's */
        sarif_json_member_unsigned(json, "index", index);
    }
    sarif_json_close(json, '}');
}

static void write_associated_rule(const SarifWriter *writer, SarifText id)
{
    SarifJson *json = writer->json;
    size_t index = sarif_plan_rule(writer->plan, id);
    sarif_json_member_open(json, "associatedRule", '{');
    sarif_json_member(json, "id", id);
    if (index != SARIF_NO_INDEX) {
        sarif_json_member_unsigned(json, "index", index);
    }
    sarif_json_close(json, '}');
}

static void write_notification(const SarifWriter *writer, const SarifNotification *notification)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_json_member(json, "level", sarif_text(sarif_level_name(notification->level)));
    if (notification->descriptor_id.size > 0) {
        write_descriptor(writer, notification->descriptor_id);
    }
    if (notification->rule_id.size > 0) {
        write_associated_rule(writer, notification->rule_id);
    }
    sarif_json_member_message(
        json, "message",
        sarif_text_or(notification->message,
                      sarif_text_or(notification->descriptor_id, sarif_no_message(writer->run))));
    if (notification->location.path.size > 0) {
        sarif_json_member_open(json, "locations", '[');
        sarif_json_open(json, '{');
        sarif_write_location_members(writer, &notification->location);
        sarif_json_close(json, '}');
        sarif_json_close(json, ']');
    }
    sarif_json_close(json, '}');
}

static void write_cut(const SarifWriter *writer, size_t cut)
{
    SarifJson *json = writer->json;
    bool chinese = sarif_is_chinese(writer->run);
    sarif_json_open(json, '{');
    sarif_json_member(json, "level",
                      cut == SARIF_CUT_RESULTS ? SARIF_TEXT("warning") : SARIF_TEXT("note"));
    write_descriptor(writer, SARIF_TEXT(SARIF_LIMIT_ID));
    sarif_json_member_open(json, "message", '{');
    sarif_json_key(json, "text");
    sarif_json_string_begin(json);
    sarif_json_string_add_number(json, writer->plan->cut[cut]);
    sarif_json_string_add(json, SARIF_TEXT(" "));
    sarif_json_string_add(json,
                          sarif_text(chinese ? cut_texts[cut].chinese : cut_texts[cut].english));
    sarif_json_string_end(json);
    sarif_json_close(json, '}');
    sarif_json_close(json, '}');
}

static void write_notifications(const SarifWriter *writer, const SarifInvocation *invocation,
                                bool with_cuts)
{
    SarifJson *json = writer->json;
    bool cuts = with_cuts && sarif_has_cuts(writer->plan);
    if (invocation->notification_count == 0 && !cuts) {
        return;
    }
    sarif_json_member_open(json, "toolExecutionNotifications", '[');
    for (size_t i = 0; i < invocation->notification_count; i++) {
        write_notification(writer, &invocation->notifications[i]);
    }
    for (size_t cut = 0; cuts && cut < SARIF_CUT_COUNT; cut++) {
        if (writer->plan->cut[cut] > 0) {
            write_cut(writer, cut);
        }
    }
    sarif_json_close(json, ']');
}

static void write_working_directory(SarifJson *json, SarifText path)
{
    if (path.size == 0) {
        return;
    }
    sarif_json_member_open(json, "workingDirectory", '{');
    sarif_json_key(json, "uri");
    sarif_json_string_begin(json);
    sarif_uri_add_path(json, path, true);
    sarif_json_string_end(json);
    sarif_json_close(json, '}');
}

static void write_invocation(const SarifWriter *writer, const SarifInvocation *invocation,
                             bool with_cuts)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_json_member(json, "commandLine", invocation->command_line);
    sarif_json_member_texts(json, "arguments", invocation->arguments, invocation->argument_count);
    sarif_json_member(json, "startTimeUtc", invocation->start_time_utc);
    sarif_json_member(json, "endTimeUtc", invocation->end_time_utc);
    if (invocation->has_exit_code) {
        sarif_json_key(json, "exitCode");
        sarif_json_integer(json, invocation->exit_code);
    }
    sarif_json_member(json, "exitCodeDescription", invocation->exit_code_description);
    sarif_json_key(json, "executionSuccessful");
    sarif_json_boolean(json, invocation->execution_successful);
    write_working_directory(json, invocation->working_directory);
    write_notifications(writer, invocation, with_cuts);
    sarif_json_close(json, '}');
}

void sarif_write_invocations(const SarifWriter *writer)
{
    const SarifRun *run = writer->run;
    bool only_cuts = run->invocation_count == 0 && sarif_has_cuts(writer->plan);
    if (run->invocation_count == 0 && !only_cuts) {
        return;
    }
    sarif_json_member_open(writer->json, "invocations", '[');
    if (only_cuts) {
        write_invocation(writer, &(SarifInvocation){.execution_successful = true}, true);
    }
    for (size_t i = 0; i < run->invocation_count; i++) {
        write_invocation(writer, &run->invocations[i], i == 0);
    }
    sarif_json_close(writer->json, ']');
}
