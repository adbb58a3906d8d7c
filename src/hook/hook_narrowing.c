/* Hook narrowing; see hook_narrowing.h. */
#include "hook/hook_narrowing.h"

#include "base/fence.h"
#include "base/utf8.h"
#include "operator/front_matter.h"
#include "operator/text.h"

#define DTYPES "supported_dtypes"

enum { MAX_SPEC = 4 * 1024 * 1024, MAX_DTYPES = 256 };

/* The place of a text that occurs once (overlapping places count), or SIZE_MAX. */
static size_t only_place(Str text, Str part)
{
    size_t at = part.length == 0 ? SIZE_MAX : str_find(text, part, 0);
    return at != SIZE_MAX && str_find(text, part, at + 1) == SIZE_MAX ? at : SIZE_MAX;
}

/* The text before the edit; false when it is not certain. All texts have line feeds, because an
 * editor that shows its agent line feeds in a file with CR LF also sends them. */
static bool text_before(Arena *arena, const HookEvent *event, Str after, Str *before)
{
    Str old = text_with_line_feeds(arena, event->old_text);
    Str new = text_with_line_feeds(arena, event->new_text);
    size_t at = only_place(after, new);
    if (at == SIZE_MAX) {
        return false;
    }
    Buf buf = {.arena = arena};
    buf_add(&buf, str_slice(after, 0, at));
    buf_add(&buf, old);
    buf_add(&buf, str_slice(after, at + new.length, after.length));
    *before = buf_str(&buf);
    return only_place(*before, old) == at;
}

static bool has_dtype(const Value *list, const Value *dtype)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (value_equals(list->items[i], dtype)) {
            return true;
        }
    }
    return false;
}

/* A part of the old list that lacks at least one of its data types and names none twice. */
static bool is_smaller(const Value *before, const Value *after)
{
    if (!value_is(before, VALUE_LIST) || !value_is(after, VALUE_LIST) || after->count == 0 ||
        before->count > MAX_DTYPES || after->count >= before->count) {
        return false;
    }
    for (uint32_t i = 0; i < after->count; i++) {
        const Value *dtype = after->items[i];
        bool twice = false;
        for (uint32_t k = 0; k < i; k++) {
            twice = twice || value_equals(after->items[k], dtype);
        }
        if (twice || dtype->kind != VALUE_STRING || text_trim(dtype->text).length == 0 ||
            !has_dtype(before, dtype)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < before->count; i++) {
        if (!has_dtype(after, before->items[i])) {
            return true;
        }
    }
    return false; /* the old list named some twice */
}

static bool is_narrower(const FrontMatter *before, const FrontMatter *after)
{
    const Value *old = before->metadata, *new = after->metadata;
    if (!before->recognised || !after->recognised || before->yaml_failed || after->yaml_failed ||
        old->count != new->count || !str_equal(before->body, after->body)) {
        return false;
    }
    bool smaller = false;
    for (uint32_t i = 0; i < old->count; i++) {
        const ValueEntry *was = &old->entries[i], *is = &new->entries[i];
        if (!value_equals(was->key, is->key)) {
            return false;
        }
        if (value_is(was->key, VALUE_STRING) && str_is(was->key->text, DTYPES)) {
            smaller = is_smaller(was->value, is->value);
        } else if (!value_equals(was->value, is->value)) {
            return false;
        }
    }
    return smaller;
}

bool hook_edit_narrows_dtypes(Plan *plan, const HookEvent *event, const EditCheck *check)
{
    Arena *arena = plan->arena;
    Str after, before, reason = STR("");
    if (event->files.count != 1 || event->new_text.length == 0 || event->old_text.length == 0 ||
        fence_read(arena, fence_of(arena, check->dir), check->path.at, MAX_SPEC, &after, &reason) !=
            FILE_OK ||
        utf8_first_error(after) != SIZE_MAX) {
        return false;
    }
    after = text_with_line_feeds(arena, after);
    if (!text_before(arena, event, after, &before)) {
        return false;
    }
    FrontMatter old = front_matter_read(arena, before);
    FrontMatter new = front_matter_read(arena, after);
    return is_narrower(&old, &new);
}
