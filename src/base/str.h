/* Str: text as bytes with a length, not owned and not terminated. Names and source slices are
 * Str. */
#ifndef PYPTO_LINT_BASE_STR_H
#define PYPTO_LINT_BASE_STR_H

#include "base/vec.h"

#include <stdarg.h>
#include <string.h>

typedef struct Str {
    const char *at;
    size_t length;
} Str;

/* A Str of a string literal; a Str of a terminated string; both without copying. */
#define STR(literal) ((Str){"" literal, sizeof(literal) - 1})
static inline Str str_from(const char *text)
{
    return (Str){text, strlen(text)};
}

/* For printf: `"%.*s", STR_ARG(name)`. */
#define STR_ARG(str) ((int)(str).length), ((str).at == NULL ? "" : (str).at)

static inline bool str_equal(Str a, Str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}
static inline bool str_is(Str a, const char *text)
{
    return str_equal(a, str_from(text));
}
/* Is it one of `count` words? NULL among them matches nothing. */
bool str_is_any(Str text, const char *const *words, size_t count);
#define STR_IS_ANY(text, words) str_is_any((text), (words), sizeof(words) / sizeof *(words))
/* Is it one of the words in `words`, with single blanks between them? */
bool str_is_word(Str text, const char *words);
bool str_starts(Str text, Str prefix);
bool str_ends(Str text, Str suffix);
bool str_contains(Str text, Str part);
/* The part from `start` to `end` (byte offsets, clipped to the text). */
Str str_slice(Str text, size_t start, size_t end);
/* Without ASCII white space at both ends. */
Str str_trim(Str text);
/* <0, 0, >0 by bytes, which for valid UTF-8 is by code point. */
int str_compare(Str a, Str b);
/* Index of the first `part` at or after `from`, or SIZE_MAX. */
size_t str_find(Str text, Str part, size_t from);
/* A terminated copy in the arena. */
char *str_dup(Arena *arena, Str text);
static inline Str str_copy(Arena *arena, Str text)
{
    return (Str){str_dup(arena, text), text.length};
}
/* Text made from a printf format, terminated, in the arena. */
Str str_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
Str str_vformat(Arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

typedef VEC(Str) Strs;

bool strs_have(const Strs *list, Str text);
/* Sorts the list and drops duplicates; afterwards strs_sorted_have can search it. */
void strs_sort_unique(Strs *list);
bool strs_sorted_have(const Strs *sorted, Str text);

/* Buf: text that grows, in an arena. Always terminated after the first append. */
typedef struct Buf {
    Arena *arena;
    char *at;
    size_t length, capacity;
} Buf;

void buf_add(Buf *buf, Str text);
void buf_add_char(Buf *buf, char c);
void buf_addf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(Buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
static inline Str buf_str(const Buf *buf)
{
    return (Str){buf->at == NULL ? "" : buf->at, buf->length};
}

#endif
