/* Edits the text of an open document; see text.h. */
#include "server/text.h"

#include <stdlib.h>

static bool make_room(EditedText *text, size_t length)
{
    if (length > TEXT_MOST_BYTES) {
        return false;
    }
    /* A text that has become much shorter returns memory. */
    if (length <= text->capacity && length + 4096 > text->capacity / 4) {
        return true;
    }
    size_t wanted = length + length / 4 + 64;
    char *grown = realloc(text->at, wanted);
    if (grown == NULL) {
        return length <= text->capacity;
    }
    text->at = grown;
    text->capacity = wanted;
    return true;
}

bool text_set(EditedText *text, Str content)
{
    text->length = 0;
    text->near_line = 0;
    text->near_start = 0;
    if (!make_room(text, content.length)) {
        return false;
    }
    if (content.length > 0) {
        memcpy(text->at, content.at, content.length);
    }
    text->length = content.length;
    return true;
}

/* The offset of a position. `*line` and `*before` are the number and the start of the line before
 * it, which a change at the position cannot move. */
static size_t offset_of(const EditedText *text, Position position, Encoding encoding,
                        uint32_t *line, size_t *before)
{
    Str all = text_str(text);
    bool far = position.line < text->near_line;
    size_t start = far ? 0 : text->near_start;
    uint32_t from = far ? 0 : text->near_line;
    *before = start;
    if (!line_forward(all, position.line - from, &start, before)) {
        *line = 0;
        *before = 0;
        return all.length;
    }
    *line = position.line > from ? position.line - 1 : from;
    return start + encoding_offset(encoding, line_at(all, start), position.character);
}

bool text_replace(EditedText *text, Range range, Str content, Encoding encoding)
{
    uint32_t line, ignored;
    size_t before, unused;
    size_t start = offset_of(text, range.start, encoding, &line, &before);
    size_t end = offset_of(text, range.end, encoding, &ignored, &unused);
    end = end < start ? start : end;
    size_t after = text->length - end;
    size_t length = start + content.length + after;
    size_t room = length > text->length ? length : text->length;
    if (!make_room(text, room)) {
        return false;
    }
    if (after > 0) {
        memmove(text->at + start + content.length, text->at + end, after);
    }
    if (content.length > 0) {
        memcpy(text->at + start, content.at, content.length);
    }
    text->length = length;
    /* The start of the changed line itself may move: a CR before it may become CR LF. */
    bool known = line < range.start.line;
    text->near_line = known ? line : 0;
    text->near_start = known ? before : 0;
    return true;
}

void text_free(EditedText *text)
{
    free(text->at);
    *text = (EditedText){0};
}
