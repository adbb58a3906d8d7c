/* Classes of ASCII characters, whatever the locale. */
#ifndef PYPTO_LINT_BASE_ASCII_H
#define PYPTO_LINT_BASE_ASCII_H

#include <stdbool.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* What an identifier consists of. */
static inline bool is_word_char(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

static inline char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* The value of a hexadecimal digit, or -1. */
static inline int hex_digit(char c)
{
    char lower = lower_case(c);
    return is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* White space within a line, as Python has it. */
static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

/* White space, line ends included. */
static inline bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
