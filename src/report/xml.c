/* Text in XML reports; see xml.h. */
#include "report/xml.h"

#include "base/utf8.h"
#include "report/terminal.h"

void xml_add(Buf *out, Str text)
{
    Buf shown = {.arena = out->arena};
    terminal_add(&shown, text);
    Str visible = buf_str(&shown);
    size_t offset = 0;
    while (offset < visible.length) {
        size_t start = offset;
        uint32_t c = utf8_next(visible, &offset);
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
            buf_addf(out, "&#%u;", c);
        } else if (c == 0xFFFE || c == 0xFFFF) {
            buf_add(out, STR("\xEF\xBF\xBD"));
        } else {
            buf_add(out, str_slice(visible, start, offset));
        }
    }
}

void xml_attribute(Buf *out, const char *name, Str value)
{
    buf_addf(out, " %s=\"", name);
    xml_add(out, value);
    buf_add_char(out, '"');
}
