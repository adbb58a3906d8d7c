/* Narrow: see narrow.h. */
#include "lint/narrow.h"

#include "base/path.h"

static const char *words(const Narrow *narrow, const char *en, const char *zh)
{
    return text_in(narrow->request->lang, (Text){en, zh});
}

static void add_notice(Narrow *narrow, Str file, Str message, bool is_error)
{
    Notice notice = {file, message, is_error};
    VEC_PUSH(narrow->arena, narrow->notices, notice);
}

/* The folder whose repository is asked: that of what is to be linted. */
static const char *git_folder(Arena *arena, const Request *request)
{
    Str path = request->op_dir.length > 0 ? request->op_dir
               : request->paths.count > 0 ? request->paths.items[0]
                                          : STR(".");
    const char *folder = str_dup(arena, path);
    if (file_is_directory(folder)) {
        return folder;
    }
    Str above = path_folder(path);
    return above.length == 0 ? "." : str_dup(arena, above);
}

bool narrow_begin(Narrow *narrow, Arena *arena, const Request *request, Notices *notices)
{
    *narrow = (Narrow){.arena = arena, .request = request, .notices = notices};
    Str error = STR("");
    bool strict = request->gate || request->hook != HOOK_NONE;
    if (changes_wanted(request)) {
        if (!changes_read(&narrow->changes, arena, request, git_folder(arena, request), &error)) {
            add_notice(narrow, STR(""), error, true);
            return false;
        }
        narrow->has_changes = true;
    }
    if (request->baseline.length > 0 && strict) {
        const char *text = words(narrow, "a gate looks past the baseline", "门禁不使用基线");
        add_notice(narrow, request->baseline, str_from(text), false);
    } else if (request->baseline.length > 0) {
        if (!baseline_read(&narrow->baseline, arena, request, &error)) {
            add_notice(narrow, STR(""), error, true);
            return false;
        }
        narrow->has_baseline = true;
    }
    return true;
}

bool narrow_wants(Narrow *narrow, Str path, bool is_folder)
{
    if (!narrow->has_changes) {
        return true;
    }
    Str real = path_real(narrow->arena, path);
    Str below;
    if (real.length == 0) {
        return true; /* whoever lints it says what is wrong */
    }
    if (!str_equal(real, narrow->changes.top) && !path_below(narrow->changes.top, real, &below)) {
        const char *text = words(narrow, "not in the git repository %.*s", "不在 git 仓库 %.*s 中");
        add_notice(narrow, path, str_format(narrow->arena, text, STR_ARG(narrow->changes.top)),
                   true);
        return false;
    }
    return changes_touch(&narrow->changes, real, is_folder);
}

static void drop_old_lines(Narrow *narrow, Unit *unit)
{
    Findings *findings = &unit->result.findings;
    Str folder = path_real(narrow->arena, unit->dir);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = findings->items[i];
        if (changes_keep(&narrow->changes, path_join(narrow->arena, folder, finding->file),
                         finding)) {
            findings->items[kept++] = finding;
        }
    }
    bool changed = kept != findings->count;
    findings->count = kept;
    if (changed) {
        result_update_statuses(&unit->result);
    }
}

void narrow_unit(Narrow *narrow, Unit *unit)
{
    if (unit->nothing || unit->out_of_memory) {
        return;
    }
    /* The baseline first: it counts equal findings from the top of the file. */
    if (narrow->has_baseline) {
        baseline_apply(&narrow->baseline, unit);
    }
    if (narrow->has_changes && narrow->request->new_only) {
        drop_old_lines(narrow, unit);
    }
}

void narrow_end(Narrow *narrow, uint32_t units)
{
    const Request *request = narrow->request;
    if (narrow->has_changes && units == 0) {
        const char *text = words(narrow, "nothing to check: no operator and no kernel file changed",
                                 "无需检查：没有算子或 kernel 文件改动");
        add_notice(narrow, STR(""), str_from(text), false);
    }
    const Baseline *baseline = &narrow->baseline;
    if (!narrow->has_baseline || request->update_baseline) {
        return;
    }
    if (baseline->left_out > 0) {
        const char *text = words(narrow, "%u finding(s) left out, as the baseline lists them",
                                 "基线中列出的 %u 个问题未报告");
        add_notice(narrow, request->baseline, str_format(narrow->arena, text, baseline->left_out),
                   false);
    }
    uint32_t stale = request->phase == 0 && !request->design ? baseline_stale(baseline) : 0;
    if (stale > 0) {
        const char *text = words(
            narrow, "%u finding(s) of the baseline are gone; --update-baseline takes them out",
            "基线中的 %u 个问题已不存在；--update-baseline 会将其删除");
        add_notice(narrow, request->baseline, str_format(narrow->arena, text, stale), false);
    }
}

void narrow_update(Narrow *narrow)
{
    if (!narrow->has_baseline || !narrow->request->update_baseline) {
        return;
    }
    BaselineUpdate update;
    Str error = STR("");
    if (!baseline_write(&narrow->baseline, &update, &error)) {
        add_notice(narrow, STR(""), error, true);
        return;
    }
    const char *text = words(narrow, "the baseline has %u finding(s): %u new, %u gone",
                             "基线中有 %u 个问题：新增 %u 个，删除 %u 个");
    add_notice(narrow, narrow->request->baseline,
               str_format(narrow->arena, text, update.entries, update.added, update.removed),
               false);
}
