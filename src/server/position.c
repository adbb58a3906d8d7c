/* Converts positions of the protocol; see position.h. */
#include "server/position.h"

#include "base/utf8.h"

const char *encoding_name(Encoding encoding)
{
    static const char *const names[] = {
        [ENCODING_UTF16] = "utf-16", [ENCODING_UTF8] = "utf-8", [ENCODING_UTF32] = "utf-32"};
    return names[encoding];
}

/* How many units the character from `start` to `end` has. */
static uint32_t units_of(Encoding encoding, uint32_t code_point, size_t start, size_t end)
{
    switch (encoding) {
    case ENCODING_UTF8:
        return (uint32_t)(end - start);
    case ENCODING_UTF16:
        return code_point > 0xFFFF ? 2 : 1;
    case ENCODING_UTF32:
    default:
        return 1;
    }
}

uint32_t encoding_count(Encoding encoding, Str text)
{
    if (encoding == ENCODING_UTF8) {
        return (uint32_t)text.length;
    }
    uint32_t units = 0;
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        uint32_t code_point = utf8_next(text, &at);
        units += units_of(encoding, code_point, start, at);
    }
    return units;
}

size_t encoding_offset(Encoding encoding, Str line, uint32_t units)
{
    size_t at = 0;
    while (at < line.length) {
        size_t start = at;
        uint32_t code_point = utf8_next(line, &at);
        uint32_t width = units_of(encoding, code_point, start, at);
        if (width > units) {
            return start;
        }
        units -= width;
    }
    return at;
}

/* The start of the line after the one that begins at `start`, or SIZE_MAX. */
static size_t next_line(Str text, size_t start)
{
    const char *from = text.at + start;
    size_t left = text.length - start;
    const char *feed = left == 0 ? NULL : memchr(from, '\n', left);
    size_t until = feed == NULL ? left : (size_t)(feed - from);
    const char *back = until == 0 ? NULL : memchr(from, '\r', until);
    if (back == NULL) {
        return feed == NULL ? SIZE_MAX : start + until + 1;
    }
    size_t end = (size_t)(back - text.at) + 1;
    return end + (end < text.length && text.at[end] == '\n');
}

bool line_forward(Str text, uint32_t line, size_t *start, size_t *before)
{
    for (; line > 0; line--) {
        size_t next = next_line(text, *start);
        if (next == SIZE_MAX) {
            return false;
        }
        *before = *start;
        *start = next;
    }
    return true;
}

Str line_at(Str text, size_t start)
{
    size_t end = next_line(text, start);
    end = end == SIZE_MAX ? text.length : end;
    while (end > start && (text.at[end - 1] == '\n' || text.at[end - 1] == '\r')) {
        end--;
    }
    return str_slice(text, start, end);
}

/* --- in a source */

static Str source_line_bytes(const Source *source, uint32_t line)
{
    return line < source->line_count ? line_at(source->text, source->line_starts[line]) : STR("");
}

Position position_of(const Source *source, uint32_t offset, Encoding encoding)
{
    uint32_t line = source_line(source, offset) - 1 - source->line_offset;
    uint32_t start = source->line_starts[line];
    size_t inside = offset > start ? offset - start : 0;
    Str before = str_slice(source_line_bytes(source, line), 0, inside);
    return (Position){line, encoding_count(encoding, before)};
}

uint32_t position_offset(const Source *source, Position position, Encoding encoding)
{
    if (position.line >= source->line_count) {
        return (uint32_t)source->text.length;
    }
    Str line = source_line_bytes(source, position.line);
    return source->line_starts[position.line] +
           (uint32_t)encoding_offset(encoding, line, position.character);
}

/* `column` from 1, in code points; a leading U+FEFF does not count there. */
static Position position_at(const Source *source, uint32_t line, uint32_t column, Encoding encoding)
{
    if (line > source->line_count) {
        return position_of(source, (uint32_t)source->text.length, encoding);
    }
    Str text = source_line_bytes(source, line - 1);
    uint32_t skipped = line == 1 ? source->text_start : 0;
    Str counted = str_slice(text, skipped, text.length);
    size_t inside = encoding_offset(ENCODING_UTF32, counted, column - 1);
    return (Position){line - 1, encoding_count(encoding, str_slice(text, 0, skipped + inside))};
}

static bool position_before(Position a, Position b)
{
    return a.line < b.line || (a.line == b.line && a.character < b.character);
}

Range range_of(const Source *source, Region region, Encoding encoding)
{
    if (region.line == 0) {
        return (Range){0};
    }
    uint32_t column = region.column == 0 ? 1 : region.column;
    uint32_t end_line = region.end_line == 0 ? region.line : region.end_line;
    uint32_t end_column = region.end_column == 0 ? column : region.end_column;
    Range range = {position_at(source, region.line, column, encoding),
                   position_at(source, end_line, end_column, encoding)};
    if (position_before(range.end, range.start)) {
        range.end = range.start;
    }
    return range;
}

bool ranges_meet(Range a, Range b)
{
    return !position_before(a.end, b.start) && !position_before(b.end, a.start);
}
