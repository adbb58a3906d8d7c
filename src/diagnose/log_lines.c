/* Splits a log into lines of text; see log_lines.h. */
#include "diagnose/log_lines.h"

#include "base/utf8.h"

enum { ESCAPE = 0x1B, DELETE = 0x7F };
enum { NO_ESCAPE, ESCAPE_BEGUN, ESCAPE_PARAMETERS, ESCAPE_TEXT };

void log_lines_begin(LogLines *lines, LogLine *line, void *context)
{
    lines->line = line;
    lines->context = context;
    lines->encoding = LOG_UNKNOWN;
    lines->number = 1;
    lines->length = lines->probed = 0;
    lines->nuls = 0;
    lines->escape = NO_ESCAPE;
    lines->going_on = lines->has_half = false;
    lines->surrogate = 0;
}

static void give(LogLines *lines)
{
    lines->line(lines->context, (Str){lines->text, lines->length}, lines->number, !lines->going_on);
}

static void end_line(LogLines *lines)
{
    if (lines->length > 0) {
        give(lines);
    }
    lines->length = 0;
    lines->going_on = false;
}

static void add_plain(LogLines *lines, const char *bytes, size_t count)
{
    while (count > 0) {
        if (lines->length == LOG_PIECE) {
            give(lines);
            memmove(lines->text, lines->text + LOG_PIECE - LOG_OVERLAP, LOG_OVERLAP);
            lines->length = LOG_OVERLAP;
            lines->going_on = true;
        }
        size_t room = LOG_PIECE - lines->length;
        size_t part = count < room ? count : room;
        memcpy(lines->text + lines->length, bytes, part);
        lines->length += part;
        bytes += part;
        count -= part;
    }
}

static bool is_plain(unsigned char c)
{
    return (c >= ' ' && c != DELETE) || c == '\t';
}

/* ESC [ … letter, ESC ] … BEL, ESC letter. */
static void pass_escape(LogLines *lines, unsigned char c)
{
    switch (lines->escape) {
    case ESCAPE_BEGUN:
        lines->escape = c == '[' ? ESCAPE_PARAMETERS : c == ']' ? ESCAPE_TEXT : NO_ESCAPE;
        break;
    case ESCAPE_PARAMETERS:
        lines->escape = c >= '@' && c <= '~' ? NO_ESCAPE : ESCAPE_PARAMETERS;
        break;
    default: /* ends with BEL or with ESC \ */
        lines->escape = c == '\a' ? NO_ESCAPE : c == ESCAPE ? ESCAPE_BEGUN : ESCAPE_TEXT;
    }
}

static void add_special(LogLines *lines, unsigned char c)
{
    if (c == '\n') {
        end_line(lines);
        lines->number++;
    } else if (c == '\r') { /* what comes next is written over the line, which editors count once */
        end_line(lines);
    } else if (c == ESCAPE) {
        lines->escape = ESCAPE_BEGUN;
    } else if (c == '\0') {
        lines->nuls++;
        add_plain(lines, " ", 1);
    }
}

static void add_bytes(LogLines *lines, const char *bytes, size_t count)
{
    for (size_t at = 0; at < count;) {
        unsigned char c = (unsigned char)bytes[at];
        if (lines->escape != NO_ESCAPE && c != '\n') {
            pass_escape(lines, c);
            at++;
            continue;
        }
        lines->escape = NO_ESCAPE; /* a sequence ends with its line at the latest */
        size_t end = at;
        while (end < count && is_plain((unsigned char)bytes[end])) {
            end++;
        }
        if (end > at) {
            add_plain(lines, bytes + at, end - at);
            at = end;
        } else {
            add_special(lines, c);
            at++;
        }
    }
}

static void add_unit(LogLines *lines, uint16_t unit)
{
    enum { HIGH = 0xD800, LOW = 0xDC00, PAIRS_END = 0xE000, PLANES = 0x10000, HALF_BITS = 10 };
    char store[8];
    uint32_t code = unit;
    if (unit >= HIGH && unit < LOW) {
        lines->surrogate = unit;
        return;
    }
    if (unit >= LOW && unit < PAIRS_END && lines->surrogate != 0) {
        code = PLANES + ((uint32_t)(lines->surrogate - HIGH) << HALF_BITS) + (unit - LOW);
    }
    lines->surrogate = 0;
    Buf out = {.at = store,
               .capacity = sizeof store}; /* a character fits, so nothing is allocated */
    utf8_add(&out, code);
    add_bytes(lines, out.at, out.length);
}

static void add_utf16(LogLines *lines, const char *bytes, size_t count)
{
    bool little = lines->encoding == LOG_UTF16_LE;
    for (size_t i = 0; i < count; i++) {
        uint16_t byte = (unsigned char)bytes[i];
        if (!lines->has_half) {
            lines->half = byte;
            lines->has_half = true;
            continue;
        }
        lines->has_half = false;
        add_unit(lines, (uint16_t)(little ? lines->half | byte << 8 : lines->half << 8 | byte));
    }
}

static void add_decoded(LogLines *lines, const char *bytes, size_t count)
{
    if (lines->encoding == LOG_BYTES) {
        add_bytes(lines, bytes, count);
    } else {
        add_utf16(lines, bytes, count);
    }
}

/* Decides on the encoding: by a byte order mark, else by zeros in every other byte. */
static void judge(LogLines *lines)
{
    const unsigned char *at = (const unsigned char *)lines->probe;
    size_t count = lines->probed, skip = 0, zeros[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        zeros[i % 2] += at[i] == 0;
    }
    lines->encoding = LOG_BYTES;
    /* Before text without a single zero the two bytes are strays: UTF-16 has some in each line. */
    bool wide = zeros[0] + zeros[1] > 0 || count <= 4;
    if (wide && count >= 2 && at[0] == 0xFF && at[1] == 0xFE) {
        lines->encoding = LOG_UTF16_LE;
        skip = 2;
    } else if (wide && count >= 2 && at[0] == 0xFE && at[1] == 0xFF) {
        lines->encoding = LOG_UTF16_BE;
        skip = 2;
    } else if (count >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        skip = 3;
    } else if (count >= 8 && zeros[1] * 5 >= count * 2 && zeros[0] * 20 <= count) {
        lines->encoding = LOG_UTF16_LE; /* 80 % of the odd bytes, and nearly none of the even */
    } else if (count >= 8 && zeros[0] * 5 >= count * 2 && zeros[1] * 20 <= count) {
        lines->encoding = LOG_UTF16_BE;
    }
    add_decoded(lines, lines->probe + skip, count - skip);
}

void log_lines_add(LogLines *lines, const char *bytes, size_t count)
{
    if (lines->encoding == LOG_UNKNOWN) {
        size_t room = LOG_PROBE - lines->probed;
        size_t part = count < room ? count : room;
        memcpy(lines->probe + lines->probed, bytes, part);
        lines->probed += part;
        bytes += part;
        count -= part;
        if (lines->probed < LOG_PROBE) {
            return;
        }
        judge(lines);
    }
    if (count > 0) {
        add_decoded(lines, bytes, count);
    }
}

void log_lines_end(LogLines *lines)
{
    if (lines->encoding == LOG_UNKNOWN) {
        judge(lines);
    }
    if (lines->length > 0) {
        give(lines);
    }
}
