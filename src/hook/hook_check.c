/* Hook check; see hook_check.h. */
#include "hook/hook_check.h"

#include "base/io_error.h"
#include "base/path.h"
#include "lint/discover.h"
#include "lint/rule_sets.h"
#include "report/report_kernels.h"
#include "rules/data/api.h"

#include <errno.h>
#include <sys/stat.h>

/* --- paths */

/* Without ".." by the text alone, for a folder that is not there. */
static Str without_dots(Arena *arena, Str path)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t at = 1; at <= path.length;) {
        size_t end = str_find(path, STR("/"), at);
        end = end == SIZE_MAX ? path.length : end;
        Str part = str_slice(path, at, end);
        at = end + 1;
        if (!str_is(part, "..")) {
            buf_add_char(&out, '/');
            buf_add(&out, part);
            continue;
        }
        while (out.length > 0 && out.at[--out.length] != '/') {
        }
        out.at[out.length] = '\0';
    }
    return out.length == 0 ? STR("/") : buf_str(&out);
}

Str hook_path(Arena *arena, const HookCall *call, Str path)
{
    Str full = path_is_absolute(path) ? path : path_join(arena, call->working_dir, path);
    full = path_absolute(arena, full);
    if (!str_contains(full, STR("/.."))) {
        return full;
    }
    Str folder = path_real(arena, path_folder(full));
    return folder.length > 0 ? path_join(arena, folder, path_name(full))
                             : without_dots(arena, full);
}

bool hook_load_api(HookReport *report)
{
    Str reason = STR("");
    bool good = api_load(report->arena, &reason);
    if (!good) {
        hook_report_unchecked(report, STR(""), reason, false);
    }
    return good;
}

/* --- looking */

static RuleSet set_of(FileKind kind)
{
    static const RuleSet sets[] = {
        [KIND_IMPL] = SET_IMPL, [KIND_GOLDEN] = SET_GOLDEN, [KIND_TEST] = SET_TEST,
        [KIND_SPEC] = SET_SPEC, [KIND_DESIGN] = SET_DESIGN,
    };
    return sets[kind];
}

static bool is_due(Arena *arena, RuleSet set, int stage, Str file)
{
    Rules rules = rule_set_after_edit(arena, set, stage, file);
    for (uint32_t i = 0; i < rules.count; i++) {
        if (rule_has_stage(rules.items[i], stage)) {
            return true;
        }
    }
    return false;
}

/* Why a file that was just written cannot be read, or empty. Rules judge a file that is gone. */
static Str file_error(Arena *arena, const HookCall *call, Str path)
{
    struct stat info;
    if (file_stat(path.at, &info)) {
        Text text = {"not a regular file", "不是普通文件"};
        return S_ISREG(info.st_mode) ? STR("") : str_from(text_in(call->lang, text));
    }
    int code = errno;
    bool gone = code == ENOENT && !file_lstat(path.at, &info);
    if (gone && str_contains(path, STR("\xEF\xBF\xBD"))) {
        Text text = {"not found; its name is not UTF-8", "找不到；文件名不是 UTF-8"};
        return str_from(text_in(call->lang, text));
    }
    return gone || code == ENOTDIR ? STR("") : system_reason(arena, code);
}

Str hook_state_error(Arena *arena, Lang lang, const OperatorState *state)
{
    StateError error = state_error(arena, state);
    if (error.en.length == 0) {
        return STR("");
    }
    Text format = {"%.*s; nothing is judged before it is sound: " STATE_ADVICE
                   " (the editing tools may write it while it is broken)",
                   "%.*s；修复之前不做任何判定：" STATE_ADVICE_ZH "（损坏期间可用编辑工具写入）"};
    return str_format(arena, text_in(lang, format),
                      STR_ARG((lang == LANG_ZH ? error.zh : error.en)));
}

/* The state file itself was written, which is allowed only while it is broken. */
static void look_at_state(EditCheck *check, Plan *plan, const HookCall *call)
{
    Arena *arena = plan->arena;
    check->dir = path_folder(check->path);
    check->dir = str_copy(arena, check->dir);
    check->file = path_name(check->path);
    check->error = hook_state_error(arena, call->lang, plan_state(plan, check->dir));
    check->due = check->error.length > 0;
}

void edit_check_look(EditCheck *check, Plan *plan, const HookCall *call, Str path)
{
    Arena *arena = plan->arena;
    *check = (EditCheck){.path = hook_path(arena, call, path), .dir = STR(""), .error = STR("")};
    Str base = path_name(check->path);
    FileKind kind = file_kind(base);
    Str dir;
    Str name;
    if (str_is(base, STATE_PATH)) {
        look_at_state(check, plan, call);
        return;
    }
    if (kind == KIND_NONE || !operator_of_file(arena, check->path, &dir, &name) ||
        !path_below(dir, check->path, &check->file)) {
        return;
    }
    check->dir = str_copy(arena, dir);
    const OperatorState *state = plan_state(plan, check->dir);
    check->stage = state->exists ? state->current_stage : stage_from_file(base);
    Str reason = hook_state_error(arena, call->lang, state);
    if (reason.length > 0) {
        check->due = true;
        check->error = str_format(arena, "%s: %.*s", STATE_PATH, STR_ARG(reason));
        return;
    }
    check->frozen = kind == KIND_SPEC && check->stage >= 2;
    RuleSet set = set_of(kind);
    check->due = !check->frozen && check->stage != 0 && is_due(arena, set, check->stage, base);
    if (check->due) {
        check->error = file_error(arena, call, check->path);
    }
    check->request = (Request){.what = {.op_dir = check->dir,
                                        .set = set,
                                        .stage = check->stage,
                                        .has_stage = true,
                                        .edited = check->file,
                                        .file = kind == KIND_IMPL ? check->file : STR("")},
                               .who = {.hook = HOOK_POST_EDIT, .jobs = 1, .lang = call->lang}};
}

/* --- running */

Run *hook_check(HookReport *report, Plan *plan, const HookCall *call, const Request *request,
                Str prefix)
{
    Request asked = *request;
    asked.what.statistics = call->statistics;
    asked.who.upstream = call->old_form;
    Run *run = run_check(&asked, plan);
    const RunResult *result = run_result(run);
    report->lang = result->operators.count > 0 ? result->lang : report->lang;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        metrics_add_run(call->metrics, result->operators.items[i], result->lang);
        hook_report_add(report, result->operators.items[i], prefix);
    }
    report->statistics.arena = report->arena;
    kernel_statistics_add(&report->statistics, result);
    return run;
}

void edit_check_run(EditCheck *check, HookReport *report, Plan *plan, const HookCall *call,
                    Str prefix)
{
    if (check->error.length > 0) {
        hook_report_unchecked(report, check->path, check->error, false);
        return;
    }
    check->run = hook_check(report, plan, call, &check->request, prefix);
    const RunResult *result = run_result(check->run);
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        /* Without a file it is about the settings, with the folder about all of it. */
        bool here = notice->file.length == 0 || str_equal(notice->file, check->path) ||
                    str_equal(notice->file, check->dir);
        if (notice->is_error) {
            hook_report_unchecked(report, notice->file, notice->message, !here);
        }
    }
}
