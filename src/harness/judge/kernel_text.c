/* Kernel text; see kernel_text.h. */
#include "harness/judge/kernel_text.h"

#include "base/ascii.h"

/* Numbers such as "0.5", "1e-05", "0x7f"; a sign before them is punctuation. */
static size_t end_of_number(Str text, size_t at)
{
    while (at < text.length) {
        char c = text.at[at];
        bool sign = (c == '-' || c == '+') && (text.at[at - 1] | 0x20) == 'e';
        bool point = c == '.' && at + 1 < text.length && is_digit(text.at[at + 1]);
        if (!is_word_char(c) && !point && !sign) {
            break;
        }
        at++;
    }
    return at;
}

static Str first_line(Str text)
{
    text = str_trim(text);
    size_t end = str_find(text, STR("\n"), 0);
    return end == SIZE_MAX ? text : str_slice(text, 0, end);
}

/* Does the output end with the mark for hidden text? */
static bool is_hidden(const Buf *out)
{
    return str_ends(buf_str(out), STR("…")) || str_ends(buf_str(out), STR("… "));
}

static void hide(Buf *out)
{
    if (!is_hidden(out)) {
        buf_add(out, STR("…"));
    }
}

/* Takes one word, number or sign; returns the offset after it. */
static size_t take(Buf *out, Str line, size_t at)
{
    const Str signs = STR(" ,.:;()[]'\"=<>/-+*");
    char c = line.at[at];
    if (is_digit(c)) {
        buf_add_char(out, '#');
        return end_of_number(line, at + 1);
    }
    if (is_letter(c) || c == '_') {
        size_t end = at;
        while (end < line.length && is_word_char(line.at[end])) {
            end++;
        }
        Str word = str_slice(line, at, end);
        if (kernel_word_is_known(word)) {
            buf_add(out, word);
        } else {
            hide(out);
        }
        return end;
    }
    if (memchr(signs.at, c, signs.length) == NULL) {
        hide(out);
    } else if (c != ' ' || !str_ends(buf_str(out), STR(" "))) {
        buf_add_char(out, c);
    }
    return at + 1;
}

Str kernel_text_reduce(Arena *arena, Str text)
{
    Str line = first_line(text);
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t at = 0; at < line.length;) {
        size_t before = out.length;
        at = take(&out, line, at);
        if (out.length > KERNEL_TEXT_LIMIT - 4) {
            out.length = before;
            hide(&out);
            break;
        }
    }
    return str_trim(buf_str(&out));
}

Str kernel_text_name(Arena *arena, Str name)
{
    enum { MOST = 64 };
    const Str signs = STR(" _-[]");
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t i = 0; i < name.length && i < MOST; i++) {
        char c = name.at[i];
        bool known = is_word_char(c) || memchr(signs.at, c, signs.length) != NULL;
        buf_add_char(&out, known ? c : '?');
    }
    return buf_str(&out);
}
