/* Lexer, its input: classes of characters, and the copy of the text that is read. */
#include "python/lex.h"

/* Letters for the table below: rows of sixteen. */
#define I        CLASS_ILLEGAL
#define N        CLASS_NAME
#define D        CLASS_DIGIT
#define B        CLASS_BLANK
#define O        CLASS_OPERATOR
#define S        CLASS_SEPARATOR
#define Q        CLASS_QUOTE
#define H        CLASS_HIGH
#define HIGH_ROW H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H

/* clang-format off */
const uint8_t lex_class[256] = {
    I, I, I, I, I, I, I, I, I, B, CLASS_NEWLINE, I, B, I, I, I,
    I, I, I, I, I, I, I, I, I, I, I, I, I, I, I, I,
    B, CLASS_BANG, Q, CLASS_HASH, I, O, O, Q, CLASS_OPEN, CLASS_CLOSE, O, O, S, O, CLASS_DOT, O,
    D, D, D, D, D, D, D, D, D, D, CLASS_COLON, S, O, O, O, I,
    O, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, CLASS_OPEN, CLASS_BACKSLASH, CLASS_CLOSE, O, N,
    I, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, CLASS_OPEN, O, CLASS_CLOSE, S, I,
    HIGH_ROW, HIGH_ROW, HIGH_ROW, HIGH_ROW, HIGH_ROW, HIGH_ROW, HIGH_ROW, HIGH_ROW,
};

/* clang-format on */

#undef I
#undef N
#undef D
#undef B
#undef O
#undef S
#undef Q
#undef H
#undef HIGH_ROW

/* The copy to read: LF line ends. A CR LF becomes blank and LF; after an escaping backslash the
 * blank goes before the backslash, which must stay next to the line end. */
char *lex_copy_text(Arena *arena, Str text)
{
    char *copy = arena_alloc(arena, text.length + 2);
    if (text.length > 0) {
        memcpy(copy, text.at, text.length);
    }
    copy[text.length] = '\n';
    copy[text.length + 1] = '\0';
    size_t backslashes = 0;
    char *cr = text.length == 0 ? NULL : memchr(copy, '\r', text.length);
    for (size_t i = cr == NULL ? text.length : 0; i < text.length; i++) {
        if (copy[i] != '\r') {
            backslashes = copy[i] == '\\' ? backslashes + 1 : 0;
            continue;
        }
        if (i + 1 < text.length && copy[i + 1] == '\n') {
            copy[i] = ' ';
            if (backslashes % 2 == 1) {
                copy[i - 1] = ' ';
                copy[i] = '\\';
            }
        } else {
            copy[i] = '\n';
        }
        backslashes = 0;
    }
    return copy;
}
