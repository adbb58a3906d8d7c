/* Source: line table and positions. */
#include "python/source.h"

void source_init(Source *source, Arena *arena, Str path, Str text)
{
    *source = (Source){.path = path, .text = text};
    source->columns = ARENA_NEW(arena, Columns);
    source->columns->arena = arena;
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

enum { COLUMN_STEP = 512 };

/* Characters that begin in [start, end): bytes that continue none. */
static uint32_t count_characters(Str text, uint32_t start, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = start; i < end && i < text.length; i++) {
        count += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    }
    return count;
}

static void fill_columns(const Source *source)
{
    size_t steps = source->text.length / COLUMN_STEP + 1;
    uint32_t *at = arena_alloc(source->columns->arena, steps * sizeof *at);
    uint32_t line = 0;
    uint32_t column = 0;
    uint32_t counted = 0; /* up to here `column` has been counted */
    for (size_t i = 0; i < steps; i++) {
        uint32_t offset = (uint32_t)(i * COLUMN_STEP);
        while (line + 1 < source->line_count && source->line_starts[line + 1] <= offset) {
            line++;
            column = 0;
            counted = source->line_starts[line];
        }
        column += count_characters(source->text, counted, offset);
        counted = offset;
        at[i] = column;
    }
    source->columns->at = at;
}

uint32_t source_column(const Source *source, uint32_t offset)
{
    uint32_t start = source->line_starts[line_index(source, offset)];
    uint32_t bom = start < source->text_start ? 1 : 0;
    uint32_t step = offset / COLUMN_STEP;
    uint32_t column = 0;
    if (step * COLUMN_STEP > start) {
        if (source->columns->at == NULL) {
            fill_columns(source);
        }
        column = source->columns->at[step];
        start = step * COLUMN_STEP;
    }
    column += count_characters(source->text, start, offset);
    return column < bom ? 1 : column - bom + 1;
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
