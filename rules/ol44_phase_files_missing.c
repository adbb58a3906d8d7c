/* OL44: the active phase lacks its kernel, its reference or its test.
 *
 * Looks at stage5_phases.active_phase in .orchestrator_state.json, at module_count in MEMORY.md or
 * DESIGN.md (an operator of one module has no phases), and at the names in modules/. */
#include "operator/memory_document.h"
#include "operator/state.h"
#include "rules/common.h"

/* Above MAX_NAMED messages shorten the names. Above MAX_PHASE no file can have such a name, so the
 * suffix is not even built. */
enum { MAX_NAMED = 120, MAX_PHASE = 999 };

static void report_missing(RuleRun *run, Str active, int phase, Str suffix, Str path)
{
    Str shown_suffix = phase > MAX_NAMED ? shorten(run, suffix) : suffix;
    Str shown_path = phase > MAX_NAMED ? shorten(run, path) : path;
    report(run, STATUS_FAIL, at_file(path),
           "the active phase is %.*s (suffix %.*s), but %.*s does not exist",
           "当前阶段为 %.*s（后缀 %.*s），但 %.*s 不存在", STR_ARG(active), STR_ARG(shown_suffix),
           STR_ARG(shown_path));
}

static void check_files(RuleRun *run, Str active, int phase)
{
    Str suffix = phase <= MAX_PHASE
                     ? phase_suffix(run->arena, phase)
                     : str_format(run->arena, "123…%.*s", (int)active.length - 1, active.at + 1);
    for (int kind = KIND_IMPL; kind <= KIND_TEST; kind++) {
        Str path = operator_module(run->op, (FileKind)kind, suffix);
        if (phase > MAX_PHASE || !operator_has_file(run->op, path)) {
            report_missing(run, active, phase, suffix, path);
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
                     "Start the phase with the workflow's tool state_transition. Without the "
                     "workflow a person sets \"active_phase\": \"M1\", or null when no phase is "
                     "being built.",
                     "用工作流的工具 state_transition 启动阶段。不使用工作流时，由人设置 "
                     "\"active_phase\": \"M1\"；没有正在构建的阶段则为 null。");
        return;
    }
    Str folder = path_join(run->arena, run->op->dir, STR("modules"));
    if (!file_is_directory(folder.at)) {
        Str active_name = active.text;
        report(run, STATUS_FAIL, at_file(STR("modules")),
               "the active phase is %.*s, but the folder modules/ does not exist",
               "当前阶段为 %.*s，但 modules/ 目录不存在", STR_ARG(active_name));
        return;
    }
    check_files(run, shorten(run, active.text), phase);
}

static void check(RuleRun *run)
{
    const OperatorState *state = operator_state(run->op);
    if (!state->exists) {
        rule_skip(run, "%s does not exist", "%s 不存在", STATE_PATH);
        return;
    }
    if (!state->json_valid) {
        Finding *finding = report(run, STATUS_FAIL, at_file(STR(STATE_PATH)),
                                  "%s is not valid JSON: %.*s (line %u, column %u)",
                                  "%s 不是有效的 JSON：%.*s（第 %u 行，第 %u 列）", STATE_PATH,
                                  STR_ARG(state->json_error), state->json_line, state->json_column);
        finding_hint(
            run, finding,
            "Restore the state with the workflow's tool state_transition. Without the "
            "workflow a person makes the file valid JSON again.",
            "用工作流的工具 state_transition 恢复状态。不使用工作流时，由人把该文件改回有效的 "
            "JSON。");
        return;
    }
    if (state->phases.kind != STATE_OBJECT || is_empty(state->active_phase)) {
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
    check_phase(run, state->active_phase);
}

const Rule ol44 = {
    .id = "OL44",
    .name = "phase-files-missing",
    .order = 40,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(5),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Create the missing file of the active phase in modules/: kernel, golden and test of "
             "the modules built so far. The suffix counts them: phase M3 has "
             "<op>_module123_impl.py, <op>_module123_golden.py and test_<op>_module123.py.",
             "在 modules/ 中补齐当前阶段缺少的文件：到该阶段为止各模块的 kernel、golden "
             "和测试。后缀依次列出这些模块：阶段 M3 为 <op>_module123_impl.py、"
             "<op>_module123_golden.py 和 test_<op>_module123.py。"},
    .check = check,
};
