/* Excerpt: the line of source that a finding is about, with carets under the range.
 *
 * Works from the byte offset of the finding outwards, so that its cost does not depend on the
 * length of the line: a minified file may have thousands of findings on one line. */
#include "report/excerpt.h"

#include "report/report_common.h"
#include "report/terminal.h"

#include <stdio.h>

enum {
    MAX_COLUMNS = 100, /* of source that are shown */
    MAX_LEAD = 60,     /* code points from the line start to the range that still fit the window */
    CUT_LEAD = 24,     /* code points shown before the range when the start of the line is cut */
    TAB_STOP = 4,
};

Paint paint_new(bool color)
{
    if (!color) {
        return (Paint){"", "", "", "", "", "", ""};
    }
    return (Paint){.path = "\x1b[1m",
                   .fail = "\x1b[1;31m",
                   .warn = "\x1b[1;33m",
                   .info = "\x1b[1;36m",
                   .frame = "\x1b[34m",
                   .help = "\x1b[36m",
                   .off = "\x1b[0m"};
}

const char *paint_status(const Paint *paint, Status status)
{
    return status == STATUS_FAIL ? paint->fail : status == STATUS_WARN ? paint->warn : paint->info;
}

int excerpt_gutter(const Finding *finding)
{
    int digits = snprintf(NULL, 0, "%u", finding->region.line);
    return digits < 1 ? 1 : digits;
}

/* The offset up to `count` code points before `offset`. */
static size_t step_back(Str line, size_t offset, unsigned count)
{
    while (offset > 0 && count > 0) {
        offset--;
        count -= ((unsigned char)line.at[offset] & 0xC0) != 0x80;
    }
    return offset;
}

static size_t window_start(Str line, size_t offset)
{
    return step_back(line, offset, MAX_LEAD) == 0 ? 0 : step_back(line, offset, CUT_LEAD);
}

static void add_repeated(Buf *out, char c, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_add_char(out, c);
    }
}

/* The source line as shown, and the carets below it. */
typedef struct Drawing {
    Buf source, carets;
    size_t columns;
} Drawing;

static void draw_glyph(Drawing *drawing, Str line, size_t *at, bool marked)
{
    size_t width;
    if (line.at[*at] == '\t') {
        width = TAB_STOP - drawing->columns % TAB_STOP;
        add_repeated(&drawing->source, ' ', width);
        *at += 1;
    } else {
        Glyph glyph = glyph_next(line, at);
        width = glyph.width;
        buf_add(&drawing->source, str_from(glyph.text));
    }
    drawing->columns += width;
    if (marked) {
        add_repeated(&drawing->carets, ' ', drawing->columns - width - drawing->carets.length);
        add_repeated(&drawing->carets, '^', width);
    }
}

/* Draws `line` with `marked` code points from `offset` on underlined, at least one column. */
static void draw_line(Drawing *drawing, Str line, size_t offset, uint32_t marked)
{
    size_t at = window_start(line, offset);
    if (at > 0) {
        buf_add(&drawing->source, STR("…"));
        drawing->columns = 1;
    }
    size_t caret_column = 0;
    while (at < line.length && drawing->columns < MAX_COLUMNS) {
        bool inside = at >= offset && marked > 0;
        if (at == offset) {
            caret_column = drawing->columns;
        }
        draw_glyph(drawing, line, &at, inside);
        marked -= inside;
    }
    if (at < line.length) {
        buf_add(&drawing->source, STR("…"));
    }
    if (drawing->carets.length == 0) {
        add_repeated(&drawing->carets, ' ',
                     offset >= line.length ? drawing->columns : caret_column);
        buf_add_char(&drawing->carets, '^');
    }
}

void excerpt_add(Buf *out, const Finding *finding, const Paint *paint, Lang lang)
{
    const Source *source = finding->source;
    Region region = finding->region;
    if (source == NULL || region.line == 0 || region.line > source->line_count) {
        return;
    }
    Str line = source_line_text(source, region.line);
    size_t line_start = (size_t)(line.at - source->text.at);
    size_t offset = finding->start > line_start ? finding->start - line_start : 0;
    offset = offset > line.length ? line.length : offset;
    bool one_line = region.end_line <= region.line;
    uint32_t marked = !one_line                           ? UINT32_MAX
                      : region.end_column > region.column ? region.end_column - region.column
                                                          : 0;
    Drawing drawing = {.source = {.arena = out->arena}, .carets = {.arena = out->arena}};
    buf_add(&drawing.source, STR(""));
    draw_line(&drawing, line, offset, marked);

    int gutter = excerpt_gutter(finding);
    const char *color = paint_status(paint, finding->status);
    buf_addf(out, "%s%*s |%s\n", paint->frame, gutter, "", paint->off);
    buf_addf(out, "%s%u |%s", paint->frame, region.line, paint->off);
    if (drawing.source.length > 0) {
        buf_add_char(out, ' ');
        buf_add(out, buf_str(&drawing.source));
    }
    buf_addf(out, "\n%s%*s |%s %s", paint->frame, gutter, "", paint->off, color);
    buf_add(out, buf_str(&drawing.carets));
    if (!one_line) {
        buf_addf(out, words(lang, " … to line %u", " … 至第 %u 行"), region.end_line);
    }
    buf_addf(out, "%s\n", paint->off);
}
