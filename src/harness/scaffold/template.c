/* Templates; see template.h. */
#include "harness/scaffold/template.h"

#include "operator/text.h"

static const Str mark = {"@@", 2};

static Str find_template(const char *name)
{
    for (uint32_t i = 0; i < template_file_count; i++) {
        if (strcmp(template_files[i].name, name) == 0) {
            return str_from(template_files[i].text);
        }
    }
    return STR("no such template\n");
}

static Str find_value(const TemplateValue *values, Str name)
{
    for (; values->name != NULL; values++) {
        if (str_is(name, values->name)) {
            return values->text;
        }
    }
    return STR("no such value");
}

/* Appends a line; `*left_out`: it was only a place, which has an empty value. */
static void add_line(Buf *out, Str line, const TemplateValue *values, bool *left_out)
{
    size_t at = 0;
    *left_out = false;
    while (at < line.length) {
        size_t start = str_find(line, mark, at);
        size_t end = start == SIZE_MAX ? SIZE_MAX : str_find(line, mark, start + mark.length);
        if (end == SIZE_MAX) {
            break;
        }
        buf_add(out, str_slice(line, at, start));
        Str value = find_value(values, str_slice(line, start + mark.length, end));
        buf_add(out, value);
        at = end + mark.length;
        *left_out = start == 0 && at == line.length && value.length == 0;
    }
    buf_add(out, str_slice(line, at, line.length));
}

Str template_fill(Arena *arena, const char *name, const TemplateValue *values)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    Str line, text = find_template(name);
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        bool left_out;
        add_line(&out, line, values, &left_out);
        if (!left_out) {
            buf_add_char(&out, '\n');
        }
    }
    return buf_str(&out);
}
