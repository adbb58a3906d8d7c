/* Hook place; see hook_place.h. */
#include "hook/hook_place.h"

#include "base/fence.h"
#include "base/path.h"
#include "hook/hook_block.h"
#include "hook/hook_steps.h"
#include "lint/discover.h"
#include "operator/interfaces.h"
#include "operator/state.h"
#include "report/terminal.h"

#include <stdlib.h>

enum { BUILD_STAGE = 5, MAX_OPERATORS = 256 };

/* A path from the event, as a message may show it. */
static Str shown(Arena *arena, Str path)
{
    Buf buf = {.arena = arena};
    terminal_add(&buf, path);
    return buf_str(&buf);
}

/* --- modules */

/* The module that a file of modules/ belongs to, the last one that it holds; 0: none. */
static int module_of(Arena *arena, Str op, Str file)
{
    Str base = path_basename(file);
    if (!str_is(path_basename(path_folder(file)), "modules") || !artifact_is_code(base)) {
        return 0;
    }
    Str stem = artifact_stem(base), start = artifact_base(arena, op, STR(""));
    if (!str_starts(stem, start)) {
        return 0;
    }
    return (int)suffix_module_count(str_slice(stem, start.length, stem.length));
}

/* While the modules of an operator are built, one after the other, a file belongs to the active
 * phase or is left alone. */
static Str module_refusal(Plan *plan, const HookCall *call, Str path)
{
    Arena *arena = plan->arena;
    Str dir, folder_name;
    if (!str_contains(path, STR("/modules/")) || !artifact_is_code(path_basename(path)) ||
        !operator_of_file(arena, path, &dir, &folder_name)) {
        return STR("");
    }
    dir = str_copy(arena, dir);
    const OperatorState *state = plan_state(plan, dir);
    if (!state->exists || state->current_stage != BUILD_STAGE ||
        state->active_phase.kind != STATE_STRING) {
        return STR("");
    }
    Str op = state->operator_name.length > 0 ? state->operator_name : directory_name(arena, dir);
    int active = phase_parse(state->active_phase.text), module = module_of(arena, op, path);
    if (active == 0 || module == 0 || module == active) {
        return STR("");
    }
    Text early = {
        "%.*s belongs to module M%d, which is frozen: phase M%d is active. If the mistake "
        "is in M%d, report it; state_transition takes the operator back to its phase.",
        "%.*s 属于模块 M%d，已冻结：当前阶段为 M%d。若错误在 M%d 中，请上报，由 "
        "state_transition 退回该阶段。"};
    Text late = {"%.*s belongs to module M%d, but phase M%d is active. Finish that phase first; "
                 "state_transition(start_phase) begins M%d.",
                 "%.*s 属于模块 M%d，但当前阶段为 M%d。请先完成当前阶段；M%d 由 "
                 "state_transition(start_phase) 开始。"};
    return str_format(arena, text_in(call->lang, module < active ? early : late),
                      STR_ARG(shown(arena, path_basename(path))), module, active, module);
}

/* --- outside */

static bool is_at_or_below(Str folder, Str path)
{
    Str relative;
    return folder.length > 0 && (str_equal(folder, path) || path_below(folder, path, &relative));
}

/* `custom/<op>/…` gives the folder that holds `custom`; else empty. */
static Str above_custom(Str folder)
{
    for (Str at = folder; at.length > 1; at = path_folder(at)) {
        if (str_is(path_basename(at), "custom")) {
            return path_folder(at);
        }
    }
    return STR("");
}

/* Has the folder a `custom` with an operator that the workflow keeps a state of? */
static bool has_operators(Arena *arena, Str folder)
{
    DirEntries entries;
    Str custom = path_join(arena, folder, STR("custom"));
    if (folder.length == 0 || !directory_list(arena, custom.at, &entries)) {
        return false;
    }
    for (uint32_t i = 0; i < entries.count && i < MAX_OPERATORS; i++) {
        Str op = path_join(arena, custom, entries.items[i].name);
        if (file_is_regular(path_join(arena, op, STR(STATE_PATH)).at)) {
            return true;
        }
    }
    return false;
}

/* Clients keep their notes, plans and settings in hidden folders of the user's home. */
static bool is_of_the_client(Arena *arena, Str path)
{
    const char *home = getenv("HOME");
    Str relative;
    return home != NULL && path_is_absolute(str_from(home)) &&
           path_below(path_absolute(arena, str_from(home)), path, &relative) &&
           str_starts(relative, STR("."));
}

static Str outside_refusal(Plan *plan, const HookCall *call, const HookEvent *event, Str path)
{
    Arena *arena = plan->arena;
    Str given = event->cwd.length > 0 ? event->cwd : call->working_dir;
    Str cwd = hook_path(arena, call, given);
    if (is_at_or_below(cwd, path)) {
        return STR("");
    }
    const char *project = getenv("CLAUDE_PROJECT_DIR");
    Str dir = STR("");
    bool in_operator = operator_of_folder(arena, cwd, &dir);
    Str roots[] = {in_operator ? str_copy(arena, dir) : STR(""), above_custom(cwd),
                   repository_top(arena, cwd),
                   project != NULL ? path_absolute(arena, str_from(project)) : STR("")};
    bool workflow = has_operators(arena, cwd) ||
                    (in_operator && file_is_regular(path_join(arena, dir, STR(STATE_PATH)).at));
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (is_at_or_below(roots[i], path)) {
            return STR("");
        }
        workflow = workflow || has_operators(arena, roots[i]);
    }
    Str real = path_real(arena, path_folder(path)), real_cwd = path_real(arena, cwd);
    if (!workflow || is_of_the_client(arena, path) ||
        (real.length > 0 && is_at_or_below(real_cwd, real))) {
        return STR("");
    }
    Text text = {"%.*s lies outside the working directory %.*s. The workflow writes below it only; "
                 "scratch files belong into custom/<op>/eval/_debug/.",
                 "%.*s 位于工作目录 %.*s 之外。工作流只写入该目录之内；临时文件请放到 "
                 "custom/<op>/eval/_debug/。"};
    return str_format(arena, text_in(call->lang, text), STR_ARG(shown(arena, path)),
                      STR_ARG(shown(arena, cwd)));
}

Str hook_place_refusal(Plan *plan, const HookCall *call, const HookEvent *event, Str path)
{
    Str reason = outside_refusal(plan, call, event, path);
    reason = reason.length > 0 ? reason : module_refusal(plan, call, path);
    return reason.length == 0 ? reason
                              : str_format(plan->arena, HOOK_PREFIX " %.*s", STR_ARG(reason));
}
