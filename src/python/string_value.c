/* Values of string constants: parts joined, escapes decoded. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "python/ast.h"

typedef struct Reader {
    Str text;
    size_t at;
} Reader;

static bool more(const Reader *reader)
{
    return reader->at < reader->text.length;
}

static char peek(const Reader *reader)
{
    return more(reader) ? reader->text.at[reader->at] : '\0';
}

static uint32_t read_digits(Reader *reader, int base, int most)
{
    uint32_t value = 0;
    for (int i = 0; i < most && more(reader); i++) {
        int digit = hex_digit(peek(reader));
        if (digit < 0 || digit >= base) {
            break;
        }
        value = value * (uint32_t)base + (uint32_t)digit;
        reader->at++;
    }
    return value;
}

/* One escape; `reader` is just after the backslash. `\N{…}` stays as it is written. */
static void read_escape(Reader *reader, Buf *out)
{
    static const char plain[] = "\\'\"abfnrtv";
    static const char values[] = "\\'\"\a\b\f\n\r\t\v";
    char c = peek(reader);
    const char *known = c == '\0' ? NULL : strchr(plain, c);
    if (known != NULL) {
        buf_add_char(out, values[known - plain]);
        reader->at++;
    } else if (c >= '0' && c <= '7') {
        utf8_add(out, read_digits(reader, 8, 3));
    } else if (c == 'x' || c == 'u' || c == 'U') {
        reader->at++;
        utf8_add(out, read_digits(reader, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8));
    } else if (c == '\n') {
        reader->at++;
    } else {
        buf_add_char(out, '\\');
    }
}

static void decode(Reader *reader, size_t end, bool raw, Buf *out)
{
    while (reader->at < end) {
        char c = reader->text.at[reader->at++];
        if (c == '\\' && !raw) {
            read_escape(reader, out);
        } else {
            buf_add_char(out, c);
        }
    }
}

/* Reads one literal with prefix and quotes; false when there is none. */
static bool read_literal(Reader *reader, Buf *out)
{
    while (more(reader) && peek(reader) != '"' && peek(reader) != '\'') {
        char c = peek(reader);
        if (c == '#') { /* a comment between the parts */
            while (more(reader) && peek(reader) != '\n') {
                reader->at++;
            }
        } else {
            reader->at++;
        }
    }
    if (!more(reader)) {
        return false;
    }
    bool raw =
        reader->at > 0 && ((reader->text.at[reader->at - 1] | 0x20) == 'r' ||
                           (reader->at > 1 && (reader->text.at[reader->at - 2] | 0x20) == 'r'));
    char quote = peek(reader);
    size_t width = reader->at + 2 < reader->text.length &&
                           reader->text.at[reader->at + 1] == quote &&
                           reader->text.at[reader->at + 2] == quote
                       ? 3
                       : 1;
    size_t start = reader->at + width;
    size_t end = start;
    while (end + width <= reader->text.length) {
        if (reader->text.at[end] == '\\') {
            end += 2;
            continue;
        }
        if (reader->text.at[end] == quote &&
            (width == 1 || memcmp(reader->text.at + end, reader->text.at + start - 3, 3) == 0)) {
            break;
        }
        end++;
    }
    reader->at = start;
    decode(reader, end < reader->text.length ? end : reader->text.length, raw, out);
    reader->at = end + width;
    return true;
}

bool node_string(const Module *module, NodeId id, Arena *arena, Str *value)
{
    if (!node_is(module, id, NODE_CONSTANT) || node_at(module, id)->op != CONSTANT_STR) {
        return false;
    }
    Buf out = {.arena = arena};
    Reader reader = {.text = node_text(module, id)};
    if (node_at(module, id)->extra == 1) { /* text of an f-string */
        decode(&reader, reader.text.length, false, &out);
    } else {
        while (read_literal(&reader, &out)) {
        }
    }
    *value = buf_str(&out);
    return true;
}
