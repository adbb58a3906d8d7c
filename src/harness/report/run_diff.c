/* Run diff; see run_diff.h. */
#include "harness/report/run_diff.h"

#include "report/terminal.h"

static const struct {
    const char *name;
    Text text;
} kinds[CHANGE_KIND_COUNT] = {
    [CHANGE_BROKE] = {"broke", {"broke", "由通过变为失败"}},
    [CHANGE_NOT_RUN] = {"not run", {"not run this time", "本次未运行"}},
    [CHANGE_VANISHED] = {"vanished", {"is gone from the suite", "已不在用例集中"}},
    [CHANGE_NOT_FINITE] = {"not finite", {"became NaN or infinite", "出现 NaN 或无穷大"}},
    [CHANGE_ERROR_GREW] = {"error grew", {"error grew", "误差变大"}},
    [CHANGE_SLOWER] = {"slower", {"slower", "变慢"}},
    [CHANGE_FIXED] = {"fixed", {"fixed", "由失败变为通过"}},
    [CHANGE_NEW] = {"new", {"new", "新增"}},
    [CHANGE_FINITE] = {"finite", {"is finite again", "不再有 NaN 或无穷大"}},
    [CHANGE_ERROR_SHRANK] = {"error shrank", {"error shrank", "误差变小"}},
    [CHANGE_FASTER] = {"faster", {"faster", "变快"}},
    [CHANGE_UNKNOWN] =
        {"not known",
         {"not known: the baseline has a status that this version does not recognise",
          "未知：基线中的状态是此版本不认识的"}},
};

static const char *change_name(ChangeKind kind)
{
    return kinds[kind].name;
}

static void add(RunDiff *diff, Arena *arena, Change change)
{
    VEC_PUSH(arena, &diff->changes, change);
    diff->counts[change.kind]++;
}

/* --- one case */

static void compare_verdicts(RunDiff *diff, Arena *arena, Str id, const RunCase *before,
                             const RunCase *now)
{
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        Verdict was = before->verdicts[mode], is = now->verdicts[mode];
        bool ran = was != VERDICT_SKIPPED;
        Str word = before->unknown[mode];
        if (word.length > 0) {
            add(diff, arena,
                (Change){.kind = CHANGE_UNKNOWN, .id = id, .mode = mode, .word = word});
        } else if (ran && is == VERDICT_SKIPPED) {
            add(diff, arena,
                (Change){.kind = CHANGE_NOT_RUN, .id = id, .mode = mode, .was = was, .is = is});
        } else if (ran && (was == VERDICT_PASS) != (is == VERDICT_PASS)) {
            ChangeKind kind = is == VERDICT_PASS ? CHANGE_FIXED : CHANGE_BROKE;
            add(diff, arena, (Change){.kind = kind, .id = id, .mode = mode, .was = was, .is = is});
        }
    }
}

/* Is `larger` more than `percent` of `smaller`, and by more than `least`? */
static bool exceeds(double larger, double smaller, int percent, double least)
{
    return larger > smaller * percent / 100.0 && larger - smaller > least;
}

static void compare_numbers(RunDiff *diff, Arena *arena, Change change, ChangeKind worse,
                            ChangeKind better, int percent, double least)
{
    if (!change.before.known || !change.after.known) {
        return;
    }
    double before = change.before.value, after = change.after.value;
    change.kind = exceeds(after, before, percent, least) ? worse : better;
    if (change.kind == worse || exceeds(before, after, percent, least)) {
        add(diff, arena, change);
    }
}

static void compare_case(RunDiff *diff, Arena *arena, Str id, const RunCase *before,
                         const RunCase *now)
{
    compare_verdicts(diff, arena, id, before, now);
    Change error = {
        .id = id, .mode = MODE_COUNT, .before = before->max_abs_diff, .after = now->max_abs_diff};
    if (before->is_finite != now->is_finite && (error.before.known || error.after.known)) {
        error.kind = before->is_finite ? CHANGE_NOT_FINITE : CHANGE_FINITE;
        error.before = error.after = (Metric){0.0, false};
        add(diff, arena, error);
    } else {
        compare_numbers(diff, arena, error, CHANGE_ERROR_GREW, CHANGE_ERROR_SHRANK,
                        DIFF_ERROR_PERCENT, 0);
    }
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        Change time = {
            .id = id, .mode = mode, .before = before->seconds[mode], .after = now->seconds[mode]};
        int noise = mode == MODE_SIM ? DIFF_SLOWER_SIM_MS : DIFF_SLOWER_MS;
        compare_numbers(diff, arena, time, CHANGE_SLOWER, CHANGE_FASTER, DIFF_SLOWER_PERCENT,
                        noise / 1000.0);
    }
}

/* --- all cases */

static bool had_passed(const RunCase *before)
{
    bool passed = false;
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        passed = passed || before->verdicts[mode] == VERDICT_PASS;
    }
    return passed;
}

static bool same(Str before, Str now)
{
    return before.length > 0 && str_equal(before, now);
}

RunDiff run_diff(Arena *arena, const RunRecord *before, const RunRecord *now, bool partial)
{
    RunDiff diff = {.knows_hashes = before->hashes.suite.length > 0 && now->hashes.suite.length > 0,
                    .same_kernel = same(before->hashes.kernel, now->hashes.kernel),
                    .same_suite = same(before->hashes.suite, now->hashes.suite)};
    for (uint32_t i = 0; i < now->cases.count; i++) {
        Str id = now->ids.keys.items[i];
        uint32_t old = map_find(&before->ids, id);
        if (old == MAP_NONE) {
            add(&diff, arena, (Change){.kind = CHANGE_NEW, .id = id, .mode = MODE_COUNT});
        } else {
            compare_case(&diff, arena, id, &before->cases.items[old], &now->cases.items[i]);
        }
    }
    for (uint32_t i = 0; i < before->cases.count && !partial; i++) {
        Str id = before->ids.keys.items[i];
        if (map_find(&now->ids, id) == MAP_NONE) {
            bool passed = had_passed(&before->cases.items[i]);
            add(&diff, arena,
                (Change){.kind = CHANGE_VANISHED, .id = id, .mode = MODE_COUNT, .passed = passed});
        }
    }
    return diff;
}

bool run_diff_lost_cases(const RunDiff *diff)
{
    for (uint32_t i = 0; i < diff->changes.count; i++) {
        if (diff->changes.items[i].kind == CHANGE_VANISHED && diff->changes.items[i].passed) {
            return true;
        }
    }
    return false;
}

bool run_diff_is_flaky(const RunDiff *diff)
{
    static const ChangeKind telling[] = {CHANGE_BROKE,      CHANGE_FIXED,  CHANGE_ERROR_GREW,
                                         CHANGE_NOT_FINITE, CHANGE_FINITE, CHANGE_ERROR_SHRANK};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        count += diff->counts[telling[i]];
    }
    return diff->same_kernel && diff->same_suite && count > 0;
}

/* --- JSON */

static json_t *metric_json(Metric metric)
{
    return metric.known ? json_real(metric.value) : json_null();
}

static json_t *change_json(JsonTree *tree, const Change *change)
{
    json_t *object = json_object();
    json_put(tree, object, "case", json_text(change->id));
    json_put(tree, object, "mode",
             change->mode == MODE_COUNT ? json_null() : json_string(mode_name(change->mode)));
    json_put(tree, object, "change", json_string(change_name(change->kind)));
    if (change->before.known) {
        json_put(tree, object, "before", metric_json(change->before));
        json_put(tree, object, "after", metric_json(change->after));
    }
    if (change->word.length > 0) {
        json_put(tree, object, "before", json_text(change->word));
    }
    if (change->was != change->is) {
        json_put(tree, object, "before", json_string(verdict_name(change->was)));
        json_put(tree, object, "after", json_string(verdict_name(change->is)));
    }
    return object;
}

json_t *run_diff_json(JsonTree *tree, const RunDiff *diff)
{
    json_t *object = json_object(), *counts = json_object(), *changes = json_array();
    for (ChangeKind kind = 0; kind < CHANGE_KIND_COUNT; kind++) {
        json_put(tree, counts, change_name(kind), json_integer(diff->counts[kind]));
    }
    for (uint32_t i = 0; i < diff->changes.count; i++) {
        json_append(tree, changes, change_json(tree, &diff->changes.items[i]));
    }
    json_put(tree, object, "same_kernel",
             diff->knows_hashes ? json_boolean(diff->same_kernel) : json_null());
    json_put(tree, object, "same_suite",
             diff->knows_hashes ? json_boolean(diff->same_suite) : json_null());
    json_put(tree, object, "flaky", json_boolean(run_diff_is_flaky(diff)));
    json_put(tree, object, "counts", counts);
    json_put(tree, object, "changes", changes);
    return object;
}

/* --- text */

static void add_change(Buf *out, const Change *change, Lang lang)
{
    bool time = change->kind == CHANGE_SLOWER || change->kind == CHANGE_FASTER;
    buf_add(out, change->kind < CHANGE_FIXED      ? STR("  - ")
                 : change->kind == CHANGE_UNKNOWN ? STR("  ? ")
                                                  : STR("  + "));
    terminal_add(out, change->id);
    if (change->mode != MODE_COUNT) {
        buf_addf(out, " %s", mode_name(change->mode));
    }
    buf_addf(out, "%s%s", text_in(lang, (Text){": ", "："}),
             text_in(lang, kinds[change->kind].text));
    if (change->before.known) {
        buf_addf(out, time ? ", %.3f s → %.3f s" : ", %.3g → %.3g", change->before.value,
                 change->after.value);
    } else if (change->was != change->is) {
        buf_addf(out, " (%s → %s)", verdict_name(change->was), verdict_name(change->is));
    } else if (change->word.length > 0) {
        buf_add(out, STR(" ("));
        terminal_add(out, change->word);
        buf_add_char(out, ')');
    }
    buf_add_char(out, '\n');
}

static void add_notes(Buf *out, const RunDiff *diff, Lang lang)
{
    if (run_diff_is_flaky(diff)) {
        buf_add(out,
                str_from(text_in(lang, (Text){"  flaky: the kernel and the suite are those of "
                                              "the baseline, the results are not\n",
                                              "  结果不稳定（flaky）：kernel 与用例集和基线完全"
                                              "相同，结果却不同\n"})));
    } else if (diff->knows_hashes && !diff->same_suite) {
        buf_add(out, str_from(text_in(lang, (Text){"  the suite, its inputs or its reference "
                                                   "changed since the baseline\n",
                                                   "  基线之后，用例集、输入或参考实现已修改\n"})));
    }
}

static void add_count(Buf *out, uint32_t count, const char *form)
{
    if (count > 0) {
        buf_addf(out, form, count);
    }
}

static void add_summary(Buf *out, const RunDiff *diff, Lang lang)
{
    uint32_t slower = diff->counts[CHANGE_SLOWER], faster = diff->counts[CHANGE_FASTER];
    uint32_t unknown = diff->counts[CHANGE_UNKNOWN], worse = 0;
    for (ChangeKind kind = 0; kind < CHANGE_FIXED; kind++) {
        worse += diff->counts[kind];
    }
    uint32_t better = diff->changes.count - worse - unknown - faster;
    buf_addf(out,
             text_in(lang, (Text){"Since the baseline: %u worse, %u better or new",
                                  "与基线相比：变差 %u 项，变好或新增 %u 项"}),
             worse - slower, better);
    add_count(out, slower, text_in(lang, (Text){", %u slower", "，变慢 %u 项"}));
    add_count(out, faster, text_in(lang, (Text){", %u faster", "，变快 %u 项"}));
    add_count(out, unknown, text_in(lang, (Text){", %u not known", "，未知 %u 项"}));
    buf_add_char(out, '\n');
}

void run_diff_text(Buf *out, const RunDiff *diff, Lang lang)
{
    enum { MOST_SHOWN = 40 };
    add_summary(out, diff, lang);
    for (uint32_t i = 0; i < diff->changes.count && i < MOST_SHOWN; i++) {
        add_change(out, &diff->changes.items[i], lang);
    }
    if (diff->changes.count > MOST_SHOWN) {
        buf_addf(out, "  … +%u\n", diff->changes.count - MOST_SHOWN);
    }
    add_notes(out, diff, lang);
}
