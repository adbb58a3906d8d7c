/* Source: line table and positions. */
#include "python/source.h"

#include "base/utf8.h"

void source_init(Source *source, Arena *arena, Str path, Str text)
{
    *source = (Source){.path = path, .text = text};
    source->cache = ARENA_NEW(arena, ColumnCache);
    if (str_starts(text, STR("\xEF\xBB\xBF"))) {
        source->text_start = 3;
    }
    VEC(uint32_t) starts = {0};
    VEC_PUSH(arena, &starts, 0);
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (c != '\n' && c != '\r') {
            continue;
        }
        if (c == '\r' && i + 1 < text.length && text.at[i + 1] == '\n') {
            i++;
        }
        VEC_PUSH(arena, &starts, (uint32_t)(i + 1));
    }
    source->line_starts = starts.items;
    source->line_count = starts.count;
}

/* Index into line_starts of the line that holds an offset. */
static uint32_t line_index(const Source *source, uint32_t offset)
{
    uint32_t low = 0;
    uint32_t high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t source_line(const Source *source, uint32_t offset)
{
    return line_index(source, offset) + 1 + source->line_offset;
}

uint32_t source_column(const Source *source, uint32_t offset)
{
    uint32_t line = line_index(source, offset);
    uint32_t start = source->line_starts[line];
    if (start < source->text_start) {
        start = source->text_start;
    }
    if (offset <= start) {
        return 1;
    }
    ColumnCache *cache = source->cache;
    uint32_t column = 1;
    if (cache->column != 0 && cache->line == line && cache->offset <= offset) {
        column = cache->column;
        start = cache->offset;
    }
    column += (uint32_t)utf8_count(source_slice(source, start, offset));
    *cache = (ColumnCache){line, offset, column};
    return column;
}

Str source_line_text(const Source *source, uint32_t line)
{
    if (line <= source->line_offset || line - source->line_offset > source->line_count) {
        return STR("");
    }
    line -= source->line_offset;
    uint32_t start = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] : source->text.length;
    if (start < source->text_start) {
        start = source->text_start;
    }
    Str text = str_slice(source->text, start, end);
    while (text.length > 0 &&
           (text.at[text.length - 1] == '\n' || text.at[text.length - 1] == '\r')) {
        text.length--;
    }
    return text;
}
