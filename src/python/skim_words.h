/* Words and brackets of a cleaned text (lexer.h), read without a parser: for skim.c and
 * skim_lines.c. */
#ifndef PYPTO_LINT_PYTHON_SKIM_WORDS_H
#define PYPTO_LINT_PYTHON_SKIM_WORDS_H

#include "python/lex.h"

/* A logical line that is not blank: where its physical line, its first token and its line end
 * stand (bytes). */
typedef struct SkimLine {
    uint32_t start, at, end;
} SkimLine;

/* The words of a part of the text one after the other. */
typedef struct Words {
    const char *text;   /* cleaned */
    const char *source; /* as written: cleaning rewrites some words (lex_adapt.c) */
    uint32_t at, end;
    const LexGap *gaps, *gaps_end; /* that are passed over; ascending, none begins before `at` */
    char quote;                    /* the string around `at`: its quotation mark … */
    int quotes;                    /* … and how many; 0 = none */
    Str word;                      /* as written */
    uint32_t start;                /* its offset */
    bool member;                   /* after a dot */
} Words;

/* Reads the next word, in strings too; false at the end. */
bool words_next(Words *words);

static inline bool is_word(char c)
{
    return lex_class[(unsigned char)c] <= CLASS_DIGIT;
}

static inline uint32_t word_end(const char *text, uint32_t at, uint32_t end)
{
    while (at < end && is_word(text[at])) {
        at++;
    }
    return at;
}

static inline uint32_t pass_blanks(const char *text, uint32_t at, uint32_t end)
{
    while (at < end && is_blank(text[at])) {
        at++;
    }
    return at;
}

/* Takes `word` with the blanks around it; false when another one stands there. */
bool skim_take(const char *text, uint32_t *at, uint32_t end, const char *word);

/* A set of words that may also hold a word which was never added. */
typedef struct Marks {
    uint64_t bits[4];
} Marks;

static inline uint8_t mark_number(Str word)
{
    return (uint8_t)((unsigned char)word.at[0] * 7U +
                     (unsigned char)word.at[word.length - 1] * 29U + word.length * 3);
}

static inline void marks_add(Marks *marks, Str word)
{
    uint8_t number = mark_number(word);
    marks->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline bool marks_have(const Marks *marks, Str word)
{
    uint8_t number = mark_number(word);
    return marks->bits[number / 64] >> number % 64 & 1;
}

/* Does the line begin with that word? */
static inline bool skim_is_first(const char *text, const SkimLine *line, const char *word)
{
    uint32_t at = line->at;
    return skim_take(text, &at, line->end, word);
}

/* The bracket that closes the one at `at`, or `end`. */
uint32_t skim_close(const char *text, uint32_t at, uint32_t end);

/* The end of the string that begins with the quotation mark at `at`. */
uint32_t skim_string_end(const char *text, uint32_t at, uint32_t end);

#endif
