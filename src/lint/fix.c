/* Fixing: from the findings of a unit to rewritten files; see fix.h.
 *
 * What was linted and what is on disk may differ by the time an edit is applied: every file is read
 * again and must be the text that the edits are about. */
#include "lint/fix.h"

#include "base/fence.h"
#include "base/path.h"
#include "base/utf8.h"

#include <stdlib.h>

/* The edits of one finding or of one suppression. */
typedef struct Group {
    Str file; /* relative to the unit's folder */
    uint32_t order;
    bool is_suppression;
    const Source *source; /* of the edits' offsets */
    const Edit *edits;
    uint32_t count;
    const char *rule; /* id, NULL for a suppression */
} Group;
typedef VEC(Group) Groups;

/* One file that is being fixed. */
typedef struct FixedFile {
    const PyFile *python; /* one of the two is NULL */
    const Document *document;
    Str real;      /* on disk */
    Str raw;       /* as it is there now */
    Source source; /* of `raw`, documents only */
} FixedFile;

/* --- collecting */

static int by_file(const void *a, const void *b)
{
    const Group *x = a;
    const Group *y = b;
    int order = str_compare(x->file, y->file);
    return order != 0 ? order : x->order < y->order ? -1 : x->order > y->order;
}

static Groups collect(const Fixing *fixing, const Unit *unit)
{
    Groups groups = {0};
    const Findings *findings = &unit->result.findings;
    for (uint32_t i = 0; fixing->request->what.fix && i < findings->count; i++) {
        const Finding *finding = findings->items[i];
        bool wanted = finding->fix == FIX_SAFE ||
                      (finding->fix == FIX_SUGGEST && fixing->request->what.suggestions);
        if (!wanted || finding->edits.count == 0 || finding->source == NULL) {
            continue;
        }
        /* Findings of loose files are named from the working directory. */
        Group group = {.file = unit->loose ? unit->file : finding->file,
                       .order = groups.count,
                       .source = finding->source,
                       .edits = finding->edits.items,
                       .count = finding->edits.count,
                       .rule = finding->rule->id};
        VEC_PUSH(fixing->arena, &groups, group);
    }
    for (uint32_t i = 0; i < unit->suppression_edits.count; i++) {
        const SuppressionEdit *entry = &unit->suppression_edits.items[i];
        Group group = {.file = pyfile_path(entry->file),
                       .order = groups.count,
                       .is_suppression = true,
                       .source = &entry->file->parsed.source,
                       .edits = &entry->edit,
                       .count = 1};
        VEC_PUSH(fixing->arena, &groups, group);
    }
    if (groups.count > 1) {
        qsort(groups.items, groups.count, sizeof *groups.items, by_file);
    }
    return groups;
}

/* --- the file on disk */

/* Is `raw` the text, but for its line ends? */
static bool is_normalised(Str raw, Str text)
{
    size_t at = 0;
    for (size_t i = 0; i < raw.length; i++) {
        char c = raw.at[i];
        if (c == '\r') {
            c = '\n';
            i += i + 1 < raw.length && raw.at[i + 1] == '\n' ? 1 : 0;
        }
        if (at == text.length || text.at[at++] != c) {
            return false;
        }
    }
    return at == text.length;
}

static void find_linted(FixedFile *target, const Operator *op, Str file)
{
    for (uint32_t i = 0; i < op->python.count && target->python == NULL; i++) {
        if (str_equal(pyfile_path(op->python.items[i]), file)) {
            target->python = op->python.items[i];
        }
    }
    for (uint32_t i = 0; i < op->documents.count && target->python == NULL; i++) {
        if (str_equal(op->documents.items[i]->path, file)) {
            target->document = op->documents.items[i];
        }
    }
}

/* The text that was given in place of a file. False for other files, which stay as they are. */
static bool open_text(FixedFile *target, const Unit *unit, Str file)
{
    find_linted(target, unit->op, file);
    target->real = unit->text->path;
    target->raw = unit->text->text;
    return target->python != NULL && str_equal(target->raw, target->python->parsed.source.text);
}

/* Reads the file anew. False when it is not what was linted. */
static bool open_target(FixedFile *target, const Fixing *fixing, const Unit *unit, Str file)
{
    Arena *arena = fixing->arena;
    find_linted(target, unit->op, file);
    target->real = path_real(arena, path_join(arena, unit->dir, file));
    if (target->real.length == 0 || (target->python == NULL && target->document == NULL) ||
        fence_read(arena, fence_of(arena, unit->dir), target->real.at, unit->op->max_file,
                   &target->raw, NULL) != FILE_OK) {
        return false;
    }
    if (target->python != NULL) {
        return str_equal(target->raw, target->python->parsed.source.text);
    }
    source_init(&target->source, arena, file, target->raw);
    target->source.text_start = 0; /* a document's U+FEFF counts as a column */
    return is_normalised(target->raw, target->document->text);
}

/* --- edits in the file's own bytes */

/* Byte offset of a line and a column, or SIZE_MAX. */
static size_t offset_of(const Source *source, uint32_t line, uint32_t column)
{
    if (line == 0 || line > source->line_count || column == 0) {
        return SIZE_MAX;
    }
    size_t offset = source->line_starts[line - 1];
    for (uint32_t i = 1; i < column; i++) {
        if (offset >= source->text.length) {
            return SIZE_MAX;
        }
        utf8_next(source->text, &offset);
    }
    return offset;
}

/* An edit of a block of the document, in the document's bytes; the text that it replaces must be
 * the same in both. */
static bool place_in_document(Splice *splice, const FixedFile *target, const Group *group,
                              const Edit *edit)
{
    size_t start = offset_of(&target->source, edit->region.line, edit->region.column);
    size_t end = offset_of(&target->source, edit->region.end_line, edit->region.end_column);
    if (start == SIZE_MAX || end == SIZE_MAX || start > end) {
        return false;
    }
    splice->start = (uint32_t)start;
    splice->end = (uint32_t)end;
    return is_normalised(str_slice(target->raw, start, end),
                         source_slice(group->source, edit->start, edit->end));
}

static bool add_group(EditPlan *plan, const FixedFile *target, const Group *group)
{
    Splices splices = {0};
    for (uint32_t i = 0; i < group->count; i++) {
        const Edit *edit = &group->edits[i];
        Splice splice = {edit->start, edit->end, edit->text, i};
        if (target->document != NULL && !place_in_document(&splice, target, group, edit)) {
            return false;
        }
        VEC_PUSH(plan->arena, &splices, splice);
    }
    return edit_plan_add(plan, &splices);
}

/* --- writing */

/* Python that parsed must still do so: an edit that breaks it is a mistake of ours. Nor may the
 * last statement go: an empty file is a finding of its own. */
static bool still_parses(const Fixing *fixing, const FixedFile *target, Str text)
{
    if (target->python == NULL || pyfile_module(target->python) == NULL) {
        return true;
    }
    if (str_trim(text).length == 0) {
        return false;
    }
    Arena scratch;
    arena_init(&scratch, 0);
    scratch.guard = fixing->arena->guard;
    Parsed parsed;
    python_parse(&parsed, &scratch, target->real, text);
    bool good = parsed.status != PARSE_ERROR;
    arena_free(&scratch);
    return good;
}

/* Keeps the text instead of writing it. */
static void keep_text(Fixing *fixing, const FixedFile *target, Str text)
{
    for (uint32_t i = 0; i < fixing->texts->count; i++) {
        if (str_equal(fixing->texts->items[i].path, target->real)) {
            fixing->texts->items[i].after = text;
            return;
        }
    }
    FixedText fixed = {target->real, target->raw, text};
    VEC_PUSH(fixing->arena, fixing->texts, fixed);
}

/* Writes the planned text; false with a notice when that cannot be done. */
static bool write_target(Fixing *fixing, const FixedFile *target, EditPlan *plan, Str rules)
{
    Arena *arena = fixing->arena;
    Str text = edit_plan_text(plan);
    Str error = STR("");
    bool good = still_parses(fixing, target, text);
    if (!good) {
        notice_add(&fixing->notices, target->real, false,
                   "left as it is: its fixes would break or empty it (%.*s)",
                   "保持不变：修复会破坏或清空该文件（%.*s）", STR_ARG(rules));
    } else if (fixing->texts != NULL) {
        keep_text(fixing, target, text);
    } else if (!file_write_atomic(arena, target->real.at, text, &error)) {
        notice_add(&fixing->notices, target->real, true, "cannot write the fixes: %.*s",
                   "无法写入修复：%.*s", STR_ARG(error));
        good = false;
    }
    VEC_PUSH(arena, good ? &fixing->written : &fixing->given_up, target->real);
    return good;
}

/* Applies groups[0 … count-1], all of one file. True when it changed or waits. */
static bool fix_file(Fixing *fixing, const Unit *unit, const Group *groups, uint32_t count)
{
    FixedFile target = {0};
    if (unit->text != NULL && !open_text(&target, unit, groups[0].file)) {
        return false;
    }
    if (unit->text == NULL && !open_target(&target, fixing, unit, groups[0].file)) {
        return true; /* changed since: the next round sees what it is now */
    }
    if (strs_have(&fixing->given_up, target.real)) {
        return false;
    }
    EditPlan plan;
    edit_plan_init(&plan, fixing->arena, target.raw);
    uint32_t findings = 0;
    uint32_t suppressions = 0;
    Buf rules = {.arena = fixing->arena};
    for (uint32_t i = 0; i < count; i++) {
        if (!add_group(&plan, &target, &groups[i])) {
            continue;
        }
        suppressions += groups[i].is_suppression;
        findings += !groups[i].is_suppression;
        if (!groups[i].is_suppression && !str_contains(buf_str(&rules), str_from(groups[i].rule))) {
            buf_addf(&rules, "%s%s", rules.length == 0 ? "" : ", ", groups[i].rule);
        }
    }
    if (findings + suppressions > 0 && fixing->only_look) {
        return still_parses(fixing, &target, edit_plan_text(&plan));
    }
    if (findings + suppressions == 0 || !write_target(fixing, &target, &plan, buf_str(&rules))) {
        return false;
    }
    fixing->fixes.findings += findings;
    fixing->fixes.suppressions += suppressions;
    return true;
}

bool fix_unit(Fixing *fixing, const Unit *unit)
{
    if (unit->nothing || unit->out_of_memory || unit->op == NULL ||
        (unit->text != NULL && fixing->texts == NULL)) {
        return false;
    }
    if (unit->op->scope != SCOPE_DEFAULT && !unit->loose) {
        fixing->fixes.partial = true;
    }
    Groups groups = collect(fixing, unit);
    bool again = false;
    uint32_t end;
    for (uint32_t start = 0; start < groups.count; start = end) {
        end = start + 1;
        while (end < groups.count && str_equal(groups.items[end].file, groups.items[start].file)) {
            end++;
        }
        again = fix_file(fixing, unit, &groups.items[start], end - start) || again;
    }
    return again;
}

void fixing_count_files(Fixing *fixing)
{
    strs_sort_unique(&fixing->written);
    fixing->fixes.files = fixing->written.count;
}
