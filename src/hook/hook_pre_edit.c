/* pre-edit: before a file is written or a shell command runs. Nobody may edit the state file, a
 * module out of its turn, or a file outside of the project. At stage 6 a kernel is committed first,
 * so that a failed attempt can be undone. */
#include "base/path.h"
#include "hook/hook_block.h"
#include "hook/hook_git.h"
#include "hook/hook_guard.h"
#include "hook/hook_place.h"
#include "hook/hook_steps.h"
#include "lint/discover.h"
#include "lint/plan.h"
#include "report/terminal.h"

#include <sys/stat.h>

static const Text state_edit = {
    HOOK_PREFIX " 禁止直接修改 " STATE_PATH
                ": the state file is not to be edited. Only the tool state_transition changes it.",
    HOOK_PREFIX " 禁止直接修改 " STATE_PATH "。该文件只能通过 state_transition 工具变更。"};
static const Text state_write = {
    HOOK_PREFIX " 禁止通过 bash/shell 直接写入 " STATE_PATH
                ": no shell command may write the state file. Only the tool state_transition "
                "changes it; cat, grep, head and their like may read it.",
    HOOK_PREFIX " 禁止通过 bash/shell 直接写入 " STATE_PATH
                "。该文件只能通过 state_transition 工具变更；可用 cat、grep、head 等读取。"};
static const Text artifact_write = {
    HOOK_PREFIX " 禁止通过 bash/shell 写入算子产物文件: what a shell command writes to *_impl.py, "
                "*_golden.py or test_*.py escapes the check after an edit. Use the editing tools "
                "(Write, Edit) for these files.",
    HOOK_PREFIX " 禁止通过 bash/shell 写入算子产物文件（*_impl.py、*_golden.py、test_*.py）："
                "shell 写入会绕过写入后的检查。请使用编辑工具（Write、Edit）。"};

static void refuse(HookOutcome *outcome, const HookCall *call, Text text)
{
    *outcome =
        (HookOutcome){.decision = DECIDE_BLOCK, .reason = str_from(text_in(call->lang, text))};
}

/* By its own name, or through a link of another name. */
static bool is_state_file(Arena *arena, Str path)
{
    struct stat info;
    if (str_is(path_name(path), STATE_PATH)) {
        return true;
    }
    return file_lstat(path.at, &info) && S_ISLNK(info.st_mode) &&
           str_is(path_name(path_real(arena, path)), STATE_PATH);
}

/* While the state file is broken nothing else is judged, so the editing tools may repair it. */
static bool is_under_repair(Plan *plan, Str path)
{
    if (!str_is(path_name(path), STATE_PATH)) {
        return false; /* a link of another name */
    }
    Str dir = path_folder(path);
    dir = str_copy(plan->arena, dir);
    return state_error(plan->arena, plan_state(plan, dir)).en.length > 0;
}

/* Settings may call the hook before every tool. A tool that is not listed here may write. */
static bool only_reads(Str tool)
{
    static const char *const names[] = {"Read",
                                        "NotebookRead",
                                        "Grep",
                                        "Glob",
                                        "LS",
                                        "read",
                                        "grep",
                                        "glob",
                                        "list",
                                        "read_file",
                                        "read_many_files",
                                        "list_directory",
                                        "list_dir",
                                        "search_file_content"};
    return STR_IS_ANY(tool, names);
}

static void back_up(Plan *plan, Str path)
{
    Arena *arena = plan->arena;
    Str dir;
    Str name;
    if (!str_ends(path, STR(IMPL_END)) || !operator_of_file(arena, path, &dir, &name)) {
        return;
    }
    dir = str_copy(arena, dir);
    const OperatorState *state = plan_state(plan, dir);
    if (!state->exists || state->current_stage != 6) {
        return;
    }
    Buf message = {.arena = arena};
    buf_add(&message, STR("backup: "));
    terminal_add(&message, path_name(path));
    buf_addf(&message, " before stage6 attempt %lld", state->stage_5_retries + 1LL);
    hook_git_backup(arena, dir, path, buf_str(&message));
}

void hook_pre_edit(HookOutcome *outcome, Arena *arena, const HookCall *call, const HookEvent *event)
{
    if (!call->old_form && event->has_command && client_is_shell_tool(event->tool)) {
        Str cwd = hook_path(arena, call, event->cwd.length > 0 ? event->cwd : call->working_dir);
        if (guard_writes_artifact(arena, call, event->command, cwd)) {
            refuse(outcome, call, artifact_write);
        } else if (guard_writes_state(arena, call, event->command)) {
            refuse(outcome, call, state_write);
        }
        return;
    }
    if (!call->old_form && only_reads(event->tool)) {
        return;
    }
    if (event->many_files && str_contains(event->command, STR(STATE_PATH))) {
        refuse(outcome, call, state_edit); /* it may be among those that were not looked at */
        return;
    }
    Strs paths = {0};
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    for (uint32_t i = 0; i < event->files.count; i++) {
        Str path = hook_path(arena, call, event->files.items[i]);
        if (is_state_file(arena, path) && !is_under_repair(&plan, path)) {
            refuse(outcome, call, state_edit);
            return;
        }
        Str reason = call->old_form ? STR("") : hook_place_refusal(&plan, call, event, path);
        if (reason.length > 0) {
            *outcome = (HookOutcome){.decision = DECIDE_BLOCK, .reason = reason};
            return;
        }
        VEC_PUSH(arena, &paths, path);
    }
    for (uint32_t i = 0; i < paths.count; i++) {
        back_up(&plan, paths.items[i]);
    }
}
