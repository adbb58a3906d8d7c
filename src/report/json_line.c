/* JSON on one line; see json_line.h. */
#include "report/json_line.h"

#include "base/utf8.h"
#include "report/terminal.h"

enum { REPLACEMENT = 0xFFFD };

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void json_line_string(Buf *out, Str text)
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
        } else if (code_point_is_hidden(code_point)) {
            terminal_add_json(out, code_point);
        } else {
            buf_add(out, str_slice(text, start, offset));
        }
    }
    buf_add_char(out, '"');
}
