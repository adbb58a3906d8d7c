/* Lexer: what Python's tokenizer would reject, where the comments are, and a cleaned copy to parse.
 *
 * The parser of the syntax tree is forgiving: it takes `08`, an unknown escape, a bad dedent. This
 * pass is the strict one. It reads the text once, linear in its length. */
#ifndef PYPTO_LINT_PYTHON_LEXER_H
#define PYPTO_LINT_PYTHON_LEXER_H

#include "python/source.h"

/* Python allows 200 nested brackets and 100 indentation levels (Parser/tokenizer.c: MAXLEVEL,
 * MAXINDENT). */
enum { LEX_MAX_BRACKETS = 200, LEX_MAX_INDENTS = 100 };

typedef struct LexGap {
    uint32_t start, end; /* bytes; `end` is the first after it */
} LexGap;

typedef struct Lexed {
    SyntaxErrors errors; /* in source order; at most 100 are kept */
    Comments comments;
    /* Same length as the text, same offsets, and a NUL after the end: comments and
     * backslash-newlines outside strings are blanks, line ends outside and inside strings are LF.
     * The CR of a CR LF becomes a blank, before the backslash if one escapes the line end: take
     * string values from the text, not from here. Where a backslash-newline stands in indentation,
     * form feeds (which set the column back to 0) come before the white space that counts; a
     * leading U+FEFF becomes form feeds too. The parser takes time quadratic in runs of comments
     * and continuation lines, so it never sees them. */
    char *clean;
    VEC(uint32_t) stars;    /* offsets of unary `*` that `clean` has a blank for, ascending */
    VEC(uint32_t) newlines; /* offsets of the line ends that end a logical line, ascending */
    VEC(LexGap) gaps;       /* parts of `clean` that are not to be parsed, ascending (skim.h) */
} Lexed;

/* Reads source->text from source->text_start on. The text must be valid UTF-8 without NUL (the
 * caller checks). Everything is in the arena. */
void python_lex(Lexed *lexed, Arena *arena, const Source *source);

#endif
