/* JSON text: see json_text.h. */
#include "report/json_text.h"

#include "base/lapse.h"
#include "base/utf8.h"
#include "report/terminal.h"

#include <stdlib.h>

static json_t *repaired(Str text)
{
    char *copy = malloc(text.length * 3 + 1);
    if (copy == NULL) {
        return NULL;
    }
    size_t length = 0;
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        uint32_t code_point = utf8_next(text, &offset);
        size_t size = offset - start;
        bool broken = code_point == 0xFFFD && size == 1;
        memcpy(copy + length, broken ? "\xEF\xBF\xBD" : text.at + start, broken ? 3 : size);
        length += broken ? 3 : size;
    }
    json_t *value = json_stringn(copy, length);
    free(copy);
    return value;
}

json_t *json_text(Str text)
{
    json_t *value = json_stringn(text.at == NULL ? "" : text.at, text.length);
    return value == NULL && text.length > 0 ? repaired(text) : value;
}

/* Appends JSON text; what a terminal would obey or hide, which can only be in strings, as \u
 * escapes. */
static void add_visible(Buf *out, Str text)
{
    size_t done = 0;
    size_t offset = 0;
    while (offset < text.length) {
        size_t start = offset;
        uint32_t code_point = utf8_next(text, &offset);
        if (code_point >= 0x7F && code_point_is_hidden(code_point)) {
            buf_add(out, str_slice(text, done, start));
            terminal_add_json(out, code_point);
            done = offset;
        }
    }
    buf_add(out, str_slice(text, done, text.length));
}

typedef struct Adding {
    Buf *out;
    const char *text;
} Adding;

static void add_line(void *argument)
{
    const Adding *adding = argument;
    add_visible(adding->out, str_from(adding->text));
    buf_add_char(adding->out, '\n');
}

bool json_add_tree(Buf *out, json_t *root, size_t flags)
{
    char *text = root == NULL ? NULL : json_dumps(root, flags);
    json_decref(root);
    if (text == NULL) {
        return false;
    }
    Adding adding = {out, text};
    /* The writer goes on after it has failed to add a key. */
    bool good = !lapse_is_pending() && arena_try(out->arena, add_line, &adding);
    json_free_t release;
    json_get_alloc_funcs(NULL, &release); /* free() only as long as nobody has replaced it */
    release(text);
    return good;
}
