/* Hook JSON; see hook_json.h. */
#include "hook/hook_json.h"

#include "base/json_read.h"
#include "base/lapse.h"
#include "base/utf8.h"
#include "report/terminal.h"

#include <stdlib.h>

enum { REPLACEMENT = 0xFFFD };

/* --- reading */

/* The four digits behind `\u` at `at`, or UINT32_MAX when there is no such escape. */
static uint32_t escape_at(Str text, size_t at)
{
    if (at + 6 > text.length || text.at[at] != '\\' || text.at[at + 1] != 'u') {
        return UINT32_MAX;
    }
    uint32_t value = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        char c = text.at[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) {
            return UINT32_MAX;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* Copies one escape, with `\ufffd` for half a pair; returns how much of the text it was. */
static size_t repair_escape(Str text, size_t at, char *to, size_t *length)
{
    uint32_t first = escape_at(text, at);
    uint32_t second = escape_at(text, at + 6);
    bool high = first >= 0xD800 && first <= 0xDBFF;
    bool low = first >= 0xDC00 && first <= 0xDFFF;
    bool pair = high && second >= 0xDC00 && second <= 0xDFFF;
    size_t used = pair ? 12 : first != UINT32_MAX ? 6 : at + 1 < text.length ? 2 : 1;
    memcpy(to, text.at + at, used);
    if ((high || low) && !pair) {
        memcpy(to, "\\ufffd", 6);
    }
    *length = used;
    return used;
}

/* The text with what the parser refuses replaced; as long or up to three times as long. The caller
 * frees it; NULL when there is no memory. */
static char *repaired(Str text, size_t *length)
{
    char *copy = lapse_malloc(text.length * 3 + 1);
    size_t to = 0;
    for (size_t at = 0; copy != NULL && at < text.length;) {
        size_t start = at;
        if (text.at[at] == '\\') {
            size_t added = 0;
            at += repair_escape(text, at, copy + to, &added);
            to += added;
            continue;
        }
        uint32_t code_point = utf8_next(text, &at);
        if (code_point == REPLACEMENT && at - start == 1) {
            memcpy(copy + to, "\xEF\xBF\xBD", 3);
            to += 3;
        } else {
            memcpy(copy + to, text.at + start, at - start);
            to += at - start;
        }
    }
    *length = to;
    return copy;
}

json_t *hook_json_read(Arena *arena, Str text)
{
    if (str_starts(text, STR("\xEF\xBB\xBF"))) {
        text = str_slice(text, 3, text.length);
    }
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_t *root = json_read(arena, text, flags, NULL);
    if (root != NULL) {
        return root;
    }
    size_t length = 0;
    char *copy = repaired(text, &length);
    if (copy != NULL) {
        root = json_read(arena, (Str){copy, length}, flags, NULL);
    }
    free(copy);
    return root;
}

/* --- writing */

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void hook_json_add(Buf *out, Str text)
{
    buf_add_char(out, '"');
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        while (offset < text.length && is_plain(text.at[offset])) {
            offset++;
        }
        buf_add(out, str_slice(text, start, offset));
        if (offset == text.length) {
            break;
        }
        start = offset;
        uint32_t code_point = utf8_next(text, &offset);
        if (code_point == REPLACEMENT) {
            buf_add(out, STR("\xEF\xBF\xBD"));
        } else if (code_point == '"' || code_point == '\\') {
            buf_addf(out, "\\%c", (char)code_point);
        } else if (code_point == '\n') {
            buf_add(out, STR("\\n"));
        } else if (code_point_is_hidden(code_point) && code_point <= 0xFFFF) {
            buf_addf(out, "\\u%04x", code_point);
        } else {
            buf_add(out, str_slice(text, start, offset));
        }
    }
    buf_add_char(out, '"');
}
