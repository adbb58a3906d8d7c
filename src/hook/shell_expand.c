/* Shell expand; see shell_expand.h. */
#include "hook/shell_expand.h"

#include "base/ascii.h"
#include "base/utf8.h"

enum { MAX_WORD = 1024, MAX_WORDS = 64 };

/* --- braces */

/* Finds the first group that has a comma and no group within, and the places of its braces. Braces
 * of groups without a comma become ordinary characters. */
static bool find_group(char *word, size_t length, size_t *open, size_t *close)
{
    for (size_t at = 0; at < length; at++) {
        if (word[at] != BRACE_CLOSE) {
            continue;
        }
        bool comma = false;
        size_t start = at;
        while (start > 0 && word[start] != BRACE_OPEN) {
            start--;
            comma = comma || word[start] == BRACE_COMMA;
        }
        if (word[start] == BRACE_OPEN && comma) {
            *open = start;
            *close = at;
            return true;
        }
        word[start] = word[start] == BRACE_OPEN ? '{' : word[start];
        word[at] = '}';
    }
    return false;
}

static void add_plain(Strs *out, Arena *arena, char *word, size_t length)
{
    static const char plain[] = {[BRACE_OPEN] = '{', [BRACE_COMMA] = ',', [BRACE_CLOSE] = '}'};
    for (size_t i = 0; i < length; i++) {
        word[i] = word[i] >= BRACE_OPEN && word[i] <= BRACE_CLOSE ? plain[(int)word[i]] : word[i];
    }
    Str text = {word, length};
    VEC_PUSH(arena, out, text);
}

void shell_expand_braces(Strs *out, Arena *arena, Str word, size_t *room)
{
    Strs todo = {0};
    VEC_PUSH(arena, &todo, word);
    for (uint32_t i = 0; i < todo.count; i++) {
        size_t length = todo.items[i].length, open = 0, close = 0;
        char *text = str_dup(arena, todo.items[i]);
        bool group = length <= MAX_WORD && todo.count < MAX_WORDS && MAX_WORD * MAX_WORDS < *room &&
                     find_group(text, length, &open, &close);
        if (!group) {
            add_plain(out, arena, text, length);
            continue;
        }
        for (size_t start = open + 1, at = start; at <= close; at++) {
            if (text[at] == BRACE_COMMA || at == close) {
                Str made = str_format(arena, "%.*s%.*s%.*s", (int)open, text, (int)(at - start),
                                      text + start, (int)(length - close - 1), text + close + 1);
                *room -= made.length;
                VEC_PUSH(arena, &todo, made);
                start = at + 1;
            }
        }
    }
}

/* --- escapes */

/* The number in at most `most` digits of that base at `*at`, which is moved past them. */
static uint32_t read_digits(Str text, size_t *at, int most, int base)
{
    uint32_t value = 0;
    for (int i = 0; i < most && *at < text.length; i++, (*at)++) {
        int digit = hex_digit(text.at[*at]);
        if (digit < 0 || digit >= base) {
            break;
        }
        value = value * (uint32_t)base + (uint32_t)digit;
    }
    return value;
}

size_t shell_add_escape(Buf *out, Str text, size_t at)
{
    static const char letters[] = "abeEfnrtv", controls[] = "\a\b\033\033\f\n\r\t\v";
    if (at >= text.length) {
        return at;
    }
    char c = text.at[at];
    const char *letter = c == '\0' ? NULL : strchr(letters, c);
    int most = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    bool octal = c >= '0' && c <= '7';
    size_t end = at + (most > 0);
    uint32_t value = most > 0 ? read_digits(text, &end, most, 16) : read_digits(text, &end, 3, 8);
    if (octal || end > at + 1) {
        utf8_add(out, c == 'u' || c == 'U' ? value % 0x110000 : value % 0x100);
        return end;
    }
    if (most > 0) {
        buf_add_char(out, '\\'); /* without digits it stays */
    }
    buf_add_char(out, letter == NULL ? c : controls[letter - letters]);
    return at + 1;
}
