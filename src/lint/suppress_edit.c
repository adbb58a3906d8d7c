/* Edits that take unused suppressions out of a file. */
#include "lint/suppress_edit.h"

#include "base/ascii.h"

/* The selectors that stay, as they are written in brackets; empty when none does. */
static Str kept_list(Arena *arena, const Suppression *suppression)
{
    Buf list = {.arena = arena};
    for (uint32_t i = 0; i < suppression->rules.count; i++) {
        const SuppressedRules *rules = &suppression->rules.items[i];
        if (!rules->unused) {
            buf_addf(&list, "%s%.*s", list.length == 0 ? "" : ", ", STR_ARG(rules->selector));
        }
    }
    return buf_str(&list);
}

/* Byte range to delete for the whole comment. */
static void comment_range(const Source *source, const Suppression *suppression, Edit *edit)
{
    const char *text = source->text.at;
    uint32_t line = source_line(source, suppression->start);
    uint32_t line_start = source->line_starts[line - 1];
    if (line_start < source->text_start) {
        line_start = source->text_start;
    }
    uint32_t next_line =
        line < source->line_count ? source->line_starts[line] : (uint32_t)source->text.length;
    edit->start = suppression->start;
    edit->end = suppression->end;
    Str after = str_trim(source_slice(source, suppression->end, next_line));
    if (suppression->own_line && after.length == 0) {
        edit->start = line_start;
        edit->end = next_line;
        return;
    }
    if (after.length > 0) {
        /* Another comment follows and takes this place. */
        while (is_blank(text[edit->end])) {
            edit->end++;
        }
        return;
    }
    while (edit->start > line_start && is_blank(text[edit->start - 1])) {
        edit->start--;
    }
}

static Region region_of(const Source *source, uint32_t start, uint32_t end)
{
    return (Region){source_line(source, start), source_column(source, start),
                    source_line(source, end), source_column(source, end)};
}

Edit suppression_edit(Arena *arena, const Source *source, const Suppression *suppression)
{
    Edit edit = {.text = kept_list(arena, suppression)};
    if (edit.text.length > 0) {
        edit.start = suppression->list_start;
        edit.end = suppression->list_end;
    } else {
        comment_range(source, suppression, &edit);
    }
    edit.region = region_of(source, edit.start, edit.end);
    return edit;
}
