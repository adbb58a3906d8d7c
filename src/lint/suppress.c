/* Suppressions: applying them to findings, and saying which of them did nothing. */
#include "lint/suppress.h"

#include "base/search.h"
#include "lint/suppress_edit.h"

#include <stdlib.h>

typedef struct FileSuppressions {
    const PyFile *file;
    Suppressions list;
} FileSuppressions;
typedef VEC(FileSuppressions) SuppressionTable; /* sorted by path, one entry a file */

typedef struct Apply {
    Arena *arena;
    OperatorResult *result;
    const Config *config;
    Notices *notices;
    SuppressionTable table;
    bool partly; /* nothing may be called unused */
    bool ran[RULE_ORDERS];
} Apply;

static int by_path(const void *a, const void *b)
{
    const FileSuppressions *left = a;
    const FileSuppressions *right = b;
    return str_compare(pyfile_path(left->file), pyfile_path(right->file));
}

static void read_table(Apply *apply, const PyFiles *files)
{
    VEC(FileSuppressions) sorted = {0};
    for (uint32_t i = 0; i < files->count; i++) {
        FileSuppressions entry = {.file = files->items[i]};
        VEC_PUSH(apply->arena, &sorted, entry);
    }
    if (sorted.count > 1) {
        qsort(sorted.items, sorted.count, sizeof *sorted.items, by_path);
    }
    for (uint32_t i = 0; i < sorted.count; i++) {
        FileSuppressions *entry = &sorted.items[i];
        if (i > 0 && by_path(entry, entry - 1) == 0) {
            continue;
        }
        suppressions_read(&entry->list, apply->arena, entry->file, apply->notices);
        if (entry->list.count > 0) {
            VEC_PUSH(apply->arena, &apply->table, *entry);
        }
    }
}

static Suppressions *table_find(const Apply *apply, Str path)
{
    FileSuppressions *entries = apply->table.items;
    uint32_t at;
    LOWER_BOUND(at, apply->table.count, str_compare(pyfile_path(entries[at].file), path) < 0);
    bool found = at < apply->table.count && str_equal(pyfile_path(entries[at].file), path);
    return found ? &entries[at].list : NULL;
}

static bool covers(const Suppression *suppression, uint32_t line)
{
    return (line >= suppression->first_line && line <= suppression->last_line) ||
           (line != 0 && line == suppression->statement_line);
}

/* Does a comment take the finding out? The first that does counts as used: a second one is of no
 * use. */
static bool is_suppressed(const Apply *apply, const Finding *finding)
{
    Suppressions *list = table_find(apply, finding->file);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        Suppression *suppression = &list->items[i];
        if (!covers(suppression, finding->region.line)) {
            continue;
        }
        for (uint32_t j = 0; j < suppression->rules.count; j++) {
            SuppressedRules *rules = &suppression->rules.items[j];
            if (!rules->known || !selector_matches(rules->selector, finding->rule)) {
                continue;
            }
            if (finding->rule->severity != S0 || apply->config->allow_s0_suppressions) {
                rules->used = true;
                return true;
            }
            rules->refused = true;
        }
    }
    return false;
}

static void drop_suppressed(Apply *apply)
{
    Findings *findings = &apply->result->findings;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        if (!is_suppressed(apply, findings->items[i])) {
            findings->items[kept++] = findings->items[i];
        }
    }
    if (kept < findings->count) {
        findings->count = kept;
        result_update_statuses(apply->result);
    }
}

/* Did every rule that the selector names run? Else nobody knows whether the comment is needed. */
static bool all_ran(const Apply *apply, Str selector)
{
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        if (selector_matches(selector, rule) && !apply->ran[rule->order]) {
            return false;
        }
    }
    return true;
}

static void note(const Apply *apply, const FileSuppressions *entry, const Suppression *suppression,
                 Text format, Str rules)
{
    uint32_t line = source_line(&entry->file->parsed.source, suppression->start);
    notice_add(apply->notices, pyfile_path(entry->file), false, format.en, format.zh, line,
               STR_ARG(rules));
    notice_at(apply->notices, line);
}

/* Reports what one suppression did not do. True when something in it is unused. */
static bool report_one(const Apply *apply, const FileSuppressions *entry, Suppression *suppression)
{
    Buf unused = {.arena = apply->arena};
    Buf refused = {.arena = apply->arena};
    for (uint32_t i = 0; i < suppression->rules.count; i++) {
        SuppressedRules *rules = &suppression->rules.items[i];
        if (rules->used || !rules->known) {
            continue;
        }
        rules->unused = !rules->refused && !apply->partly && all_ran(apply, rules->selector);
        if (rules->refused || rules->unused) {
            Buf *list = rules->refused ? &refused : &unused;
            buf_addf(list, "%s%.*s", list->length == 0 ? "" : ", ", STR_ARG(rules->selector));
        }
    }
    if (refused.length > 0) {
        note(apply, entry, suppression,
             (Text){"line %u: findings of severity S0 are not suppressed (%.*s); "
                    "see allow-s0-suppressions",
                    "第 %u 行：S0 级问题不能被抑制（%.*s）；参见 allow-s0-suppressions"},
             buf_str(&refused));
    }
    if (unused.length > 0) {
        note(apply, entry, suppression,
             (Text){"line %u: unused suppression of %.*s", "第 %u 行：对 %.*s 的抑制未被使用"},
             buf_str(&unused));
    }
    return unused.length > 0;
}

static void report_useless(const Apply *apply, SuppressionEdits *edits)
{
    for (uint32_t i = 0; i < apply->table.count; i++) {
        FileSuppressions *entry = &apply->table.items[i];
        for (uint32_t j = 0; j < entry->list.count; j++) {
            Suppression *suppression = &entry->list.items[j];
            if (report_one(apply, entry, suppression) && edits != NULL) {
                SuppressionEdit edit = {.file = entry->file};
                edit.edit =
                    suppression_edit(apply->arena, &entry->file->parsed.source, suppression);
                VEC_PUSH(apply->arena, edits, edit);
            }
        }
    }
}

/* Reads the comments, filters the findings; the state for what may be reported then. */
static Apply *begin(OperatorResult *result, Arena *arena, const PyFiles *files,
                    const Config *config, Notices *notices)
{
    Apply *apply = ARENA_NEW(arena, Apply);
    apply->arena = arena;
    apply->result = result;
    apply->config = config;
    apply->notices = notices;
    for (uint32_t i = 0; i < result->rules.count; i++) {
        const RuleResult *entry = &result->rules.items[i];
        apply->ran[entry->rule->order] = entry->status != STATUS_SKIP;
    }
    read_table(apply, files);
    drop_suppressed(apply);
    return apply;
}

void suppressions_apply(OperatorResult *result, Arena *arena, const PyFiles *files,
                        const Config *config, Notices *notices, SuppressionEdits *edits)
{
    report_useless(begin(result, arena, files, config, notices), edits);
}

void suppressions_apply_partly(OperatorResult *result, Arena *arena, const PyFiles *files,
                               const Config *config, Notices *notices)
{
    Apply *apply = begin(result, arena, files, config, notices);
    apply->partly = true;
    report_useless(apply, NULL);
}

uint32_t suppressions_count(const OperatorResult *result, Arena *arena, const PyFiles *files,
                            const Config *config)
{
    Notices unwanted = {.arena = arena};
    Apply apply = {.arena = arena, .config = config, .notices = &unwanted};
    read_table(&apply, files);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->findings.count; i++) {
        count += is_suppressed(&apply, result->findings.items[i]);
    }
    return count;
}
