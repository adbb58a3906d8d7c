/* Terminal: widths of characters, and escapes for those that must not reach a terminal. */
#include "report/terminal.h"

#include "base/search.h"
#include "base/utf8.h"

#include <stdio.h>

typedef struct Range {
    uint32_t first, last;
} Range;

/* Sorted. Unassigned code points within a range count like their neighbours. */
static const Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x18B00, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

/* Sorted. Marks of the scripts that turn up in source code; others count as one column. */
static const Range combining[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},     {0x64B, 0x65F},
    {0x93C, 0x93C},   {0x941, 0x948},   {0x94D, 0x94D},   {0xE31, 0xE31},     {0xE34, 0xE3A},
    {0xE47, 0xE4E},   {0x1AB0, 0x1ACE}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20F0},   {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};

/* Sorted. White space that is not hidden. */
static const Range blank[] = {
    {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

static bool in_ranges(const Range *ranges, size_t count, uint32_t code_point)
{
    size_t low;
    LOWER_BOUND(low, count, code_point > ranges[low].last);
    return low < count && code_point >= ranges[low].first;
}
#define IN(ranges, code_point) in_ranges(ranges, sizeof(ranges) / sizeof(ranges)[0], code_point)

unsigned code_point_width(uint32_t code_point)
{
    if (code_point < 0x300) {
        return 1;
    }
    return IN(combining, code_point) ? 0 : IN(wide, code_point) ? 2 : 1;
}

static Glyph escaped(uint32_t code_point)
{
    Glyph glyph = {0};
    const char *format = code_point <= 0xFF     ? "\\x%02x"
                         : code_point <= 0xFFFF ? "\\u%04x"
                                                : "\\U%08x";
    glyph.width = (uint8_t)snprintf(glyph.text, sizeof glyph.text, format, code_point);
    return glyph;
}

/* GitHub's runner obeys "##[command]" anywhere in a line of its log. */
static bool ends_runner_command(Str text, size_t at)
{
    return at >= 2 && text.at[at] == '[' && text.at[at - 1] == '#' && text.at[at - 2] == '#';
}

Glyph glyph_next(Str text, size_t *offset)
{
    size_t start = *offset;
    uint32_t code_point = utf8_next(text, offset);
    size_t length = *offset - start;
    if (code_point == 0xFFFD && length == 1) {
        return escaped((unsigned char)text.at[start]);
    }
    if (code_point_is_hidden(code_point) || ends_runner_command(text, start)) {
        return escaped(code_point);
    }
    Glyph glyph = {.width = (uint8_t)code_point_width(code_point)};
    memcpy(glyph.text, text.at + start, length);
    return glyph;
}

void terminal_add(Buf *out, Str text)
{
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        while (offset < text.length && text.at[offset] >= ' ' && text.at[offset] <= 'Z') {
            offset++;
        }
        buf_add(out, str_slice(text, start, offset));
        if (offset < text.length) {
            Glyph glyph = glyph_next(text, &offset);
            buf_add(out, str_from(glyph.text));
        }
    }
}

Str terminal_text(Arena *arena, Str text)
{
    Buf out = {.arena = arena};
    size_t done = 0;
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        if (text.at[offset] >= ' ' && text.at[offset] <= '~') {
            offset++;
            continue;
        }
        uint32_t code_point = utf8_next(text, &offset);
        if (code_point != '\n' && code_point_is_hidden(code_point)) {
            buf_add(&out, str_slice(text, done, start));
            buf_add(&out, str_from(escaped(code_point).text));
            done = offset;
        }
    }
    if (done == 0) {
        return text;
    }
    buf_add(&out, str_slice(text, done, text.length));
    return buf_str(&out);
}

bool terminal_is_command(Str text)
{
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        if (!IN(blank, utf8_next(text, &offset))) {
            return str_starts(str_slice(text, start, text.length), STR("::"));
        }
    }
    return false;
}

void terminal_add_start(Buf *out, Str text)
{
    if (terminal_is_command(text)) {
        size_t colon = str_find(text, STR(":"), 0);
        terminal_add(out, str_slice(text, 0, colon));
        buf_add(out, STR("\\x3a"));
        text = str_slice(text, colon + 1, text.length);
    }
    terminal_add(out, text);
}
