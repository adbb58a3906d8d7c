/* OL63: the search of stage 7 ended without a reason, or ran undeclared.
 *
 * Looks at `stage7_tuning_mode` in the state file and at `progress.stop_reason` in
 * optimization/search_state.json. The mode `panko` requires that file; without the mode the file
 * must not exist. */
#include "operator/text.h"
#include "rules/documents.h"

#define SEARCH_PATH "optimization/search_state.json"
#define SEARCH_MODE "panko"

/* The file has no place that could be pointed at. */
static void report_file(RuleRun *run, const char *en, const char *zh)
{
    report(run, STATUS_FAIL, at_file(STR(SEARCH_PATH)), SEARCH_PATH " %s", SEARCH_PATH " %s",
           text_in(run->lang, (Text){en, zh}));
}

static void report_undeclared(RuleRun *run, const OperatorState *state)
{
    const StateField *mode = &state->tuning_mode;
    bool zh = run->lang == LANG_ZH;
    Str said = zh ? STR("没有 stage7_tuning_mode") : STR("has no stage7_tuning_mode");
    if (mode->kind != STATE_ABSENT) {
        Str text = str_slice(mode->text, 0, 40);
        said = str_format(run->arena, "%s%.*s%s",
                          zh ? "的 stage7_tuning_mode 为 '" : "sets stage7_tuning_mode to '",
                          STR_ARG(text), "'");
    } else if (!state->exists) {
        said = zh ? STR("不存在") : STR("does not exist");
    }
    Finding *finding =
        report(run, STATUS_FAIL, at_file(STR(SEARCH_PATH)),
               SEARCH_PATH " exists, but " STATE_PATH " %.*s: the search ran undeclared",
               SEARCH_PATH " 存在，但 " STATE_PATH " %.*s：搜索未经声明就已运行", STR_ARG(said));
    finding_hint(run, finding,
                 "Declare the search: set stage7_tuning_mode to \"" SEARCH_MODE
                 "\" with the workflow's tool state_transition, or remove " SEARCH_PATH
                 " when it is left from another attempt.",
                 "声明该搜索：通过工作流的工具 state_transition 将 stage7_tuning_mode 设为 "
                 "\"" SEARCH_MODE "\"；如果 " SEARCH_PATH " 是其他尝试遗留的文件，请删除。");
    if (mode->line > 0) {
        finding_related(run, finding, at_state_line(run, mode->line), "the mode is set here",
                        "此处设置该模式");
    }
}

/* What is wrong with `progress.stop_reason`, as the end of a sentence; both NULL: nothing. */
static Text reason_fault(const StateField *progress, const StateField *reason)
{
    if (progress->kind == STATE_ABSENT) {
        return (Text){"lacks the object 'progress' with the key 'stop_reason'",
                      "缺少含键 'stop_reason' 的对象 'progress'"};
    }
    if (progress->kind != STATE_OBJECT) {
        return (Text){"has a 'progress' that is not an object with the key 'stop_reason'",
                      "的 'progress' 不是含键 'stop_reason' 的对象"};
    }
    if (reason->kind == STATE_ABSENT) {
        return (Text){"has no 'stop_reason' in 'progress'", "的 'progress' 中没有 'stop_reason'"};
    }
    if (reason->kind != STATE_STRING) {
        return (Text){"has a progress.stop_reason that is not a string",
                      "的 progress.stop_reason 不是字符串"};
    }
    if (text_trim(reason->text).length == 0) {
        return (Text){"has a blank progress.stop_reason", "的 progress.stop_reason 为空白"};
    }
    return (Text){0};
}

static void check_reason(RuleRun *run, const Document *search)
{
    StateField progress, reason;
    const StateWish wishes[] = {{NULL, "progress", &progress},
                                {"progress", "stop_reason", &reason}};
    StateFault fault;
    StateKind root =
        state_fields(run->arena, search->text, wishes, sizeof wishes / sizeof *wishes, &fault);
    if (fault.error != NULL) {
        report(run, STATUS_FAIL, at_document_line(search, fault.line),
               SEARCH_PATH " is not JSON: line %u, column %u: %s",
               SEARCH_PATH " 不是 JSON：第 %u 行第 %u 列：%s", fault.line, fault.column,
               fault.error);
        return;
    }
    if (root != STATE_OBJECT) {
        report_file(run, "does not hold a JSON object", "的内容不是 JSON 对象");
        return;
    }
    Text wrong = reason_fault(&progress, &reason);
    if (wrong.en != NULL) {
        report(run, STATUS_FAIL, at_document_line(search, progress.line), SEARCH_PATH " %s",
               SEARCH_PATH " %s", text_in(run->lang, wrong));
    }
}

static void check(RuleRun *run)
{
    const OperatorState *state = operator_state(run->op);
    const Document *search = operator_document(run->op, STR(SEARCH_PATH));
    const StateField *mode = &state->tuning_mode;
    bool declared = mode->kind == STATE_STRING && str_is(mode->text, SEARCH_MODE);
    if (!declared && !search->exists) {
        rule_skip(run, "stage7_tuning_mode is not '" SEARCH_MODE "', and there is no " SEARCH_PATH,
                  "stage7_tuning_mode 不是 '" SEARCH_MODE "'，也没有 " SEARCH_PATH);
        return;
    }
    if (!declared) {
        report_undeclared(run, state);
    }
    if (!search->exists) {
        report_file(run, "does not exist, although stage7_tuning_mode is '" SEARCH_MODE "'",
                    "不存在，但 stage7_tuning_mode 是 '" SEARCH_MODE "'");
    } else if (!search->readable) {
        report_file(run, "cannot be read as UTF-8 text", "无法作为 UTF-8 文本读取");
    } else {
        check_reason(run, search);
    }
}

const Rule ol63 = {
    .id = "OL63",
    .name = "search-without-reason",
    .order = 59,
    .severity = S1,
    .dimension = D2,
    .effort = EFFORT_UNSET,
    .stages = STAGE(7),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Let the search end by one of its own criteria and write why as a string: "
             "{\"progress\": {\"stop_reason\": \"budget of 40 trials used up\"}}.",
             "让搜索按其停止条件结束，并以字符串写明原因："
             "{\"progress\": {\"stop_reason\": \"40 次尝试的预算已用完\"}}。"},
    .check = check,
};
