/* OL44: the active phase lacks its kernel, its reference or its test.
 *
 * Looks at stage5_phases.active_phase in .orchestrator_state.json, at module_count in MEMORY.md or
 * DESIGN.md (an operator of one module has no phases), and at the names in modules/. */
#include "operator/memory.h"
#include "operator/state.h"
#include "rules/common.h"

/* The suffix of a later phase is longer than a file name can be. */
enum { MAX_PHASE = 120 };

static void check_files(RuleRun *run, int phase)
{
    static const struct {
        const char *before, *behind;
    } files[] = {{"", "_impl.py"}, {"", "_golden.py"}, {"test_", ".py"}};
    Str suffix = phase <= MAX_PHASE ? phase_suffix(run->arena, phase)
                                    : str_format(run->arena, "123…%d", phase);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Str path = str_format(run->arena, "modules/%s%.*s_module%.*s%s", files[i].before,
                              STR_ARG(run->op->name), STR_ARG(suffix), files[i].behind);
        if (phase > MAX_PHASE || !operator_has_file(run->op, path)) {
            report(run, STATUS_FAIL, at_file(path),
                   "the active phase is M%d (suffix %.*s), but %.*s does not exist",
                   "当前阶段为 M%d（后缀 %.*s），但 %.*s 不存在", phase, STR_ARG(suffix),
                   STR_ARG(path));
        }
    }
}

static bool is_empty(StateField field)
{
    switch (field.kind) {
    case STATE_ABSENT:
    case STATE_NULL:
        return true;
    case STATE_STRING:
        return field.text.length == 0;
    default:
        return false;
    }
}

static void check_phase(RuleRun *run, StateField active)
{
    int phase = active.kind == STATE_STRING ? phase_parse(active.text) : 0;
    if (phase == 0) {
        bool zh = run->lang == LANG_ZH;
        Str value = shorten(run, active.text);
        const char *kind = zh ? state_kind_name_zh(active.kind) : state_kind_name(active.kind);
        Finding *finding =
            report(run, STATUS_FAIL, at_file(STR(STATE_PATH)),
                   "stage5_phases.active_phase in %s is '%.*s' (%s), not a phase M1, M2, …",
                   "%s 的 stage5_phases.active_phase 为 '%.*s'（%s），不是 M1、M2 之类的阶段",
                   STATE_PATH, STR_ARG(value), kind);
        finding_hint(run, finding,
                     "Let the orchestrator start the phase with state_transition; never edit the "
                     "state file.",
                     "由编排者用 state_transition 启动阶段；不要手工修改状态文件。");
        return;
    }
    Str folder = path_join(run->arena, run->op->dir, STR("modules"));
    if (!file_is_directory(folder.at)) {
        Str active_name = active.text;
        report(run, STATUS_FAIL, at_file(STR("modules")),
               "the active phase is %.*s, but there is no folder modules",
               "当前阶段为 %.*s，但没有 modules 目录", STR_ARG(active_name));
        return;
    }
    check_files(run, phase);
}

static void check(RuleRun *run)
{
    OperatorState state = state_read(run->arena, run->op->dir);
    if (!state.exists) {
        rule_skip(run, "%s does not exist", "%s 不存在", STATE_PATH);
        return;
    }
    if (!state.json_valid) {
        Finding *finding = report(run, STATUS_FAIL, at_file(STR(STATE_PATH)),
                                  "%s is not valid JSON: %.*s (line %u, column %u)",
                                  "%s 不是有效的 JSON：%.*s（第 %u 行，第 %u 列）", STATE_PATH,
                                  STR_ARG(state.json_error), state.json_line, state.json_column);
        finding_hint(run, finding, "Restore the state file; only state_transition may write it.",
                     "恢复状态文件；只有 state_transition 可以写它。");
        return;
    }
    if (state.phases.kind != STATE_OBJECT || is_empty(state.active_phase)) {
        rule_skip(run, "no phase is active", "当前没有活动阶段");
        return;
    }
    Str memory = operator_document(run->op, STR("MEMORY.md"))->text;
    Str design = operator_document(run->op, STR("DESIGN.md"))->text;
    ModuleCount modules = module_count_read(memory, design);
    if (modules.known && modules.count == 1) {
        rule_skip(run, "module_count is 1: the operator has no phases",
                  "module_count 为 1：该算子没有阶段");
        return;
    }
    check_phase(run, state.active_phase);
}

const Rule ol44 = {
    .id = "OL44",
    .order = 40,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(5),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Create the missing file of the active phase in modules/; suffixes are cumulative "
             "(M3: 123).",
             "在 modules/ 中补齐当前阶段缺少的文件；后缀是累积的（M3 为 123）。"},
    .check = check,
};
