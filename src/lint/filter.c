/* Filter: see filter.h. */
#include "lint/filter.h"

#include "base/path.h"

/* The folder whose repository is asked: that of what is to be linted. */
static const char *git_folder(Arena *arena, const Request *request)
{
    Str path = request->what.op_dir.length > 0 ? request->what.op_dir
               : request->what.paths.count > 0 ? request->what.paths.items[0]
                                               : STR(".");
    const char *folder = str_dup(arena, path);
    if (file_is_directory(folder)) {
        return folder;
    }
    Str above = path_folder(path);
    return above.length == 0 ? "." : str_dup(arena, above);
}

bool filter_begin(Filter *filter, const Request *request, Notices *notices)
{
    Arena *arena = notices->arena;
    *filter = (Filter){.arena = arena, .request = request, .notices = notices};
    Str error = STR("");
    bool strict = request_is_strict(request);
    if (changes_wanted(request)) {
        if (!changes_read(&filter->changes, arena, request, git_folder(arena, request), &error)) {
            notice_add_text(filter->notices, STR(""), true, error);
            return false;
        }
        filter->has_changes = true;
    }
    if (request->what.baseline.length > 0 && strict) {
        notice_add(notices, request->what.baseline, false, "a gate ignores the baseline",
                   "门禁不使用基线");
    } else if (request->what.baseline.length > 0) {
        if (!baseline_read(&filter->baseline, arena, request, &error)) {
            notice_add_text(filter->notices, STR(""), true, error);
            return false;
        }
        filter->has_baseline = true;
    }
    return true;
}

bool filter_wants(Filter *filter, Str path, bool is_folder)
{
    if (!filter->has_changes) {
        return true;
    }
    Str real = path_real(filter->arena, path);
    Str below;
    if (real.length == 0) {
        return true; /* whoever lints it says what is wrong */
    }
    if (!str_equal(real, filter->changes.top) && !path_below(filter->changes.top, real, &below)) {
        notice_add(filter->notices, path, true, "not in the git repository %.*s",
                   "不在 git 仓库 %.*s 中", STR_ARG(filter->changes.top));
        return false;
    }
    return changes_touch(&filter->changes, real, is_folder);
}

static void drop_old_lines(Filter *filter, Unit *unit)
{
    Findings *findings = &unit->result.findings;
    Str folder = path_real(filter->arena, unit->dir);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = findings->items[i];
        if (changes_keep(&filter->changes, path_join(filter->arena, folder, finding->file),
                         finding)) {
            findings->items[kept++] = finding;
        } else {
            filter->broken_elsewhere += finding->rule->severity == S0;
        }
    }
    bool changed = kept != findings->count;
    findings->count = kept;
    if (changed) {
        result_update_statuses(&unit->result);
    }
}

void filter_unit(Filter *filter, Unit *unit)
{
    if (unit->nothing || unit->out_of_memory) {
        return;
    }
    /* The baseline first: it counts equal findings from the top of the file. */
    if (filter->has_baseline) {
        baseline_apply(&filter->baseline, unit);
    }
    if (filter->has_changes && filter->request->what.new_only) {
        drop_old_lines(filter, unit);
    }
}

void filter_end(Filter *filter, uint32_t units)
{
    const Request *request = filter->request;
    if (filter->has_changes && units == 0) {
        notice_add(filter->notices, STR(""), false,
                   "nothing to check: no operator and no kernel file changed",
                   "无需检查：没有算子或 kernel 文件改动");
    }
    if (filter->broken_elsewhere > 0) {
        notice_add(filter->notices, STR(""), false,
                   "%u finding(s) of severity S0 on lines that did not change; without --new-only "
                   "they are shown",
                   "未改动的行上有 %u 个 S0 级问题；去掉 --new-only 可显示",
                   filter->broken_elsewhere);
    }
    const Baseline *baseline = &filter->baseline;
    if (!filter->has_baseline || request->what.update_baseline) {
        return;
    }
    if (baseline->left_out > 0) {
        notice_add(filter->notices, request->what.baseline, false,
                   "%u finding(s) left out, as the baseline lists them",
                   "基线中列出的 %u 个问题未报告", baseline->left_out);
    }
    uint32_t stale =
        request->what.phase == 0 && !request->what.design ? baseline_stale(baseline) : 0;
    if (stale > 0) {
        notice_add(filter->notices, request->what.baseline, false,
                   "%u finding(s) of the baseline are gone; --update-baseline takes them out",
                   "基线中的 %u 个问题已不存在；--update-baseline 会将其删除", stale);
    }
}

void filter_update(Filter *filter)
{
    if (!filter->has_baseline || !filter->request->what.update_baseline) {
        return;
    }
    BaselineUpdate update;
    Str error = STR("");
    if (!baseline_write(&filter->baseline, &update, &error)) {
        notice_add_text(filter->notices, STR(""), true, error);
        return;
    }
    notice_add(filter->notices, filter->request->what.baseline, false,
               "the baseline has %u finding(s): %u new, %u gone",
               "基线中有 %u 个问题：新增 %u 个，删除 %u 个", update.entries, update.added,
               update.removed);
}
