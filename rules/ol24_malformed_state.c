/* OL24: the state file is missing, is not a JSON object, lacks a required key, or holds a field of
 * the wrong type; a file without max_stage is of version 1 (WARN).
 *
 * Looks at .orchestrator_state.json: presence of keys and the types of three fields, no values. */
#include "rules/common.h"
#include "rules/documents.h"

/* Offers the missing operator_name, which is the name of the directory. The values of the other
 * keys only the workflow knows. */
static void add_name(RuleRun *run, Finding *finding)
{
    const Document *document = operator_document(run->op, STR(STATE_PATH));
    Str text = document->source.text;
    size_t open = str_find(text, STR("{"), 0);
    if (!is_plain_name(run->op->name) || !document->readable || open == SIZE_MAX) {
        return;
    }
    size_t next = open + 1;
    while (next < text.length && strchr(" \t\r\n", text.at[next]) != NULL) {
        next++;
    }
    bool empty = next < text.length && text.at[next] == '}';
    Str blank = str_slice(text, open + 1, next);
    uint32_t at = (uint32_t)(open + 1);
    finding_take_source(finding, &document->source);
    finding_edit(run, finding, FIX_SUGGEST, at, at,
                 str_format(run->arena, "%.*s\"operator_name\": \"%.*s\"%s", STR_ARG(blank),
                            STR_ARG(run->op->name), empty ? "" : ","));
}

static bool check_required(RuleRun *run, const OperatorState *state)
{
    const struct {
        const char *key;
        const StateField *field;
    } required[] = {{"operator_name", &state->name},
                    {"current_stage", &state->stage},
                    {"stage_status", &state->stage_status}};
    bool complete = true;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        if (required[i].field->kind == STATE_ABSENT) {
            complete = false;
            Finding *finding = report(run, STATUS_FAIL, at_file(STR(STATE_PATH)),
                                      STATE_PATH " lacks the required key '%s'",
                                      STATE_PATH " 缺少必需的键 '%s'", required[i].key);
            if (required[i].field == &state->name) {
                add_name(run, finding);
            }
        }
    }
    return complete;
}

static const char *kind_in(const RuleRun *run, StateKind kind)
{
    return run->lang == LANG_ZH ? state_kind_name_zh(kind) : state_kind_name(kind);
}

static void check_phases(RuleRun *run, const OperatorState *state)
{
    const StateField *phases = &state->phases;
    if (phases->kind == STATE_ABSENT) {
        return;
    }
    Place place = at_state_line(run, phases->line);
    if (phases->kind != STATE_OBJECT) {
        report(run, STATUS_FAIL, place,
               STATE_PATH ": stage5_phases is %s, expected an object with phase_status",
               STATE_PATH "：stage5_phases 是%s，应为含 phase_status 的对象",
               kind_in(run, phases->kind));
    } else if (state->phase_status.kind == STATE_ABSENT) {
        report(run, STATUS_FAIL, place, STATE_PATH ": stage5_phases lacks the key 'phase_status'",
               STATE_PATH "：stage5_phases 缺少键 'phase_status'");
    }
}

static void check_kind(RuleRun *run, const char *key, const StateField *field, StateKind wanted)
{
    if (field->kind != STATE_ABSENT && field->kind != wanted) {
        report(run, STATUS_FAIL, at_state_line(run, field->line),
               STATE_PATH ": %s is %s, expected %s", STATE_PATH "：%s 是%s，应为%s", key,
               kind_in(run, field->kind), kind_in(run, wanted));
    }
}

static void check(RuleRun *run)
{
    const OperatorState *state = operator_state(run->op);
    if (!state->exists && run->op->stop_hook) {
        rule_skip(run, STATE_PATH " does not exist; the stop hook does not ask for one",
                  STATE_PATH " 不存在；stop 钩子不要求该文件");
        return;
    }
    if (report_broken_state(run, state) || !check_required(run, state)) {
        return;
    }
    if (state->max_stage.kind == STATE_ABSENT) {
        report(run, STATUS_WARN, at_file(STR(STATE_PATH)),
               STATE_PATH " is of version 1: it has no max_stage",
               STATE_PATH " 是 v1 版本：没有 max_stage");
        return;
    }
    check_phases(run, state);
    check_kind(run, "rollback_history", &state->rollback_history, STATE_ARRAY);
    check_kind(run, "artifact_hashes", &state->artifact_hashes, STATE_OBJECT);
}

const Rule ol24 = {
    .id = "OL24",
    .name = "malformed-state",
    .order = 24,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(1) | STAGE(2) | STAGE(3) | STAGE(4) | STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_GATE,
    .fix = FIX_SUGGEST,
    .hint =
        {"Initialise or repair the state with the workflow's tool state_transition. Without "
         "the workflow a person writes the file, for an operator 'softmax': " STATE_EXAMPLE,
         "用工作流的工具 state_transition 初始化或修复状态。不使用工作流时，由人编写该文件，例如算子 softmax：" STATE_EXAMPLE},
    .check = check,
};
