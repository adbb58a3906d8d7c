/* Baseline: which findings are in it; see baseline.h. baseline_file.c has the form of the file. */
#include "lint/baseline.h"

#include "base/path.h"
#include "base/search.h"
#include "base/utf8.h"
#include "lint/baseline_file.h"

#include <stdlib.h>

enum { SHOWN_TEXT = 80 }; /* code points */

/* --- order and search */

static int compare(const BaselineEntry *a, const BaselineEntry *b)
{
    int order = str_compare(a->file, b->file);
    order = order != 0 ? order : str_compare(a->rule, b->rule);
    if (order == 0 && a->print.hash != b->print.hash) {
        order = a->print.hash < b->print.hash ? -1 : 1;
    }
    if (order == 0 && a->print.occurrence != b->print.occurrence) {
        order = a->print.occurrence < b->print.occurrence ? -1 : 1;
    }
    return order;
}

static int by_place(const void *a, const void *b)
{
    return compare(a, b);
}

static void sort_entries(BaselineEntries *entries)
{
    if (entries->count < 2) {
        return;
    }
    qsort(entries->items, entries->count, sizeof *entries->items, by_place);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < entries->count; i++) {
        if (compare(&entries->items[i], &entries->items[kept - 1]) != 0) {
            entries->items[kept++] = entries->items[i];
        }
    }
    entries->count = kept;
}

/* Index of the first entry that is not less than `key`. */
static uint32_t lower_bound(const BaselineEntries *entries, const BaselineEntry *key)
{
    uint32_t low;
    LOWER_BOUND(low, entries->count, compare(&entries->items[low], key) < 0);
    return low;
}

static BaselineEntry *find(const BaselineEntries *entries, const BaselineEntry *key)
{
    uint32_t at = lower_bound(entries, key);
    bool found = at < entries->count && compare(&entries->items[at], key) == 0;
    return found ? &entries->items[at] : NULL;
}

/* --- names */

/* The file is JSON: stray bytes of a name become U+FFFD, in what is written and what is
 * compared. */
static Str valid(Arena *arena, Str text)
{
    if (utf8_first_error(text) == SIZE_MAX) {
        return text;
    }
    Buf out = {.arena = arena};
    utf8_add_text(&out, text);
    return buf_str(&out);
}

/* `path` as seen from `folder`, with as many "../" as it takes; both absolute. "" for the same. */
static Str relative_to(Arena *arena, Str folder, Str path)
{
    size_t common = 0; /* length of the folders that both have */
    size_t i = 0;
    while (i < folder.length && i < path.length && folder.at[i] == path.at[i]) {
        i++;
        bool both =
            (i == folder.length || folder.at[i] == '/') && (i == path.length || path.at[i] == '/');
        common = both ? i : common;
    }
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t at = common; at < folder.length; at++) {
        if (folder.at[at] == '/' && at + 1 < folder.length) {
            buf_add(&out, STR("../"));
        }
    }
    Str rest = str_slice(path, common, path.length);
    buf_add(&out, str_starts(rest, STR("/")) ? str_slice(rest, 1, rest.length) : rest);
    return valid(arena, buf_str(&out));
}

static Str unit_folder(const Baseline *baseline, const Unit *unit)
{
    Str real = path_real(baseline->arena, unit->dir);
    if (real.length == 0) {
        real = path_absolute(baseline->arena, unit->dir);
    }
    return relative_to(baseline->arena, baseline->folder, real);
}

static Str file_in(const Baseline *baseline, Str folder, Str file)
{
    Str path = str_starts(file, STR("/")) ? relative_to(baseline->arena, baseline->folder, file)
                                          : path_join(baseline->arena, folder, file);
    return valid(baseline->arena, path);
}

/* --- reading */

bool baseline_read(Baseline *baseline, Arena *arena, const Request *request, Str *error)
{
    *baseline = (Baseline){.arena = arena, .path = request->what.baseline};
    baseline->update = request->what.update_baseline;
    Str folder = path_folder(path_absolute(arena, request->what.baseline));
    baseline->folder = path_real(arena, folder);
    if (baseline->folder.length == 0) {
        baseline->folder = folder;
    }
    if (!baseline_load(&baseline->old, arena, baseline->path, baseline->update, request->who.lang,
                       error)) {
        return false;
    }
    sort_entries(&baseline->old);
    return true;
}

/* --- applying */

static const RuleResult *rule_result(const Unit *unit, Str id)
{
    for (uint32_t i = 0; i < unit->result.rules.count; i++) {
        if (str_is(id, unit->result.rules.items[i].rule->id)) {
            return &unit->result.rules.items[i];
        }
    }
    return NULL;
}

/* Entries with this file, or, if it ends with a slash or is empty, in this folder. */
static void cover(Baseline *baseline, const Unit *unit, Str prefix, bool covered)
{
    bool folder = prefix.length == 0 || str_ends(prefix, STR("/"));
    BaselineEntry key = {.file = prefix};
    for (uint32_t i = lower_bound(&baseline->old, &key); i < baseline->old.count; i++) {
        BaselineEntry *entry = &baseline->old.items[i];
        if (!(folder ? str_starts(entry->file, prefix) : str_equal(entry->file, prefix))) {
            return;
        }
        const RuleResult *rule = rule_result(unit, entry->rule);
        if (!covered) {
            entry->covered = false;
        } else if (rule != NULL && rule->status != STATUS_SKIP) {
            entry->covered = true;
        }
    }
}

/* What this unit looked at: its folder or its one file, except files that do not parse, where the
 * rules see only a part. */
static void mark_covered(Baseline *baseline, const Unit *unit, Str folder, const Str *files)
{
    Str place = folder;
    if (unit->file.length > 0) {
        place = file_in(baseline, folder, unit->file);
    } else if (folder.length > 0) {
        place = str_format(baseline->arena, "%.*s/", STR_ARG(folder));
    }
    cover(baseline, unit, place, true);
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        bool first = i == 0 || !str_equal(files[i], files[i - 1]);
        if (unit->result.findings.items[i]->rule == &rule_ol00 && first) {
            cover(baseline, unit, files[i], false);
        }
    }
}

static Str shown_text(Arena *arena, const Finding *finding)
{
    Str text = fingerprint_text(arena, finding);
    text = str_slice(text, 0, str_find(text, STR("\n"), 0));
    size_t at = 0;
    for (int i = 0; i < SHOWN_TEXT && at < text.length; i++) {
        utf8_next(text, &at);
    }
    return valid(arena, str_slice(text, 0, at));
}

void baseline_apply(Baseline *baseline, Unit *unit)
{
    Arena *arena = baseline->arena;
    Findings *findings = &unit->result.findings;
    Str folder = unit_folder(baseline, unit);
    Str *files = ARENA_ARRAY(arena, Str, findings->count + 1);
    for (uint32_t i = 0; i < findings->count; i++) {
        files[i] = file_in(baseline, folder, findings->items[i]->file);
    }
    mark_covered(baseline, unit, folder, files);
    const Fingerprint *prints = fingerprints_make(arena, findings, files);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = findings->items[i];
        BaselineEntry entry = {
            .file = files[i], .rule = str_from(finding->rule->id), .print = prints[i]};
        BaselineEntry *known = find(&baseline->old, &entry);
        if (finding->rule == &rule_ol00 || (known == NULL && !baseline->update)) {
            findings->items[kept++] = finding;
            continue;
        }
        if (known != NULL) {
            known->used = true;
        }
        if (baseline->update) {
            entry.text = shown_text(arena, finding);
            VEC_PUSH(arena, &baseline->found, entry);
        }
        baseline->left_out++;
    }
    bool changed = kept != findings->count;
    findings->count = kept;
    if (changed) {
        result_update_statuses(&unit->result);
    }
}

uint32_t baseline_stale(const Baseline *baseline)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < baseline->old.count; i++) {
        count += baseline->old.items[i].covered && !baseline->old.items[i].used;
    }
    return count;
}

/* --- writing */

/* Nothing can be said about it now, but its place and its rule are still there. */
static bool is_elsewhere(const Baseline *baseline, const BaselineEntry *entry)
{
    if (entry->used || entry->covered || rule_find(entry->rule) == NULL) {
        return false;
    }
    Str path = path_join(baseline->arena, baseline->folder, entry->file);
    return file_is_directory(str_dup(baseline->arena, path_folder(path)));
}

bool baseline_write(Baseline *baseline, BaselineUpdate *update, Str *error)
{
    *update = (BaselineUpdate){0};
    BaselineEntries *entries = &baseline->found;
    for (uint32_t i = 0; i < baseline->old.count; i++) {
        if (is_elsewhere(baseline, &baseline->old.items[i])) {
            VEC_PUSH(baseline->arena, entries, baseline->old.items[i]);
        }
    }
    sort_entries(entries);
    uint32_t same = 0;
    for (uint32_t i = 0; i < entries->count; i++) {
        same += find(&baseline->old, &entries->items[i]) != NULL;
    }
    update->entries = entries->count;
    update->added = entries->count - same;
    update->removed = baseline->old.count - same;
    return baseline_save(entries, baseline->arena, baseline->path, error);
}
