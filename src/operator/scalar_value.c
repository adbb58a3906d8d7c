/* The scalar grammar of front matter that is read line by line, and of quoted collections:
 * forgiving, the first form that matches wins. */
#include "operator/front_matter.h"

#include "base/ascii.h"
#include "operator/text.h"

static bool is_wrapped(Str text, char open, char close)
{
    return text.length >= 2 && text.at[0] == open && text.at[text.length - 1] == close;
}

static Str inside(Str text)
{
    return text_trim(str_slice(text, 1, text.length - 1));
}

/* Optional sign and digits from the beginning: their end, or 0. */
static size_t digits_end(Str text)
{
    size_t at = text.length > 0 && (text.at[0] == '+' || text.at[0] == '-') ? 1 : 0, start = at;
    while (at < text.length && is_digit(text.at[at])) {
        at++;
    }
    return at > start ? at : 0;
}

/* An integer or a real number, or NULL. */
static const Value *read_number(Arena *arena, Str text, uint32_t line)
{
    size_t end = digits_end(text);
    if (end == 0) {
        return NULL;
    }
    bool sign = !is_digit(text.at[0]);
    if (end == text.length) {
        return value_int(arena, text, str_slice(text, sign ? 1 : 0, end), 10, text.at[0] == '-',
                         line);
    }
    size_t at = end;
    if (text.at[at] == '.') {
        at++;
        size_t fraction = at;
        while (at < text.length && is_digit(text.at[at])) {
            at++;
        }
        if (at == fraction) {
            return NULL;
        }
    }
    if (at < text.length && (text.at[at] == 'e' || text.at[at] == 'E')) {
        size_t exponent = digits_end(str_slice(text, at + 1, text.length));
        at = exponent == 0 ? at : at + 1 + exponent;
    }
    double number;
    return at == text.length && text_to_real(text, &number) ? value_real(arena, text, number, line)
                                                            : NULL;
}

/* The next piece up to a comma, trimmed. False when there is none left; `*at` begins at 0. */
static bool next_piece(Str text, size_t *at, Str *piece)
{
    if (*at > text.length) {
        return false;
    }
    size_t comma = str_find(text, STR(","), *at);
    size_t end = comma == SIZE_MAX ? text.length : comma;
    *piece = text_trim(str_slice(text, *at, end));
    *at = end + 1;
    return true;
}

static const Value *scalar(Arena *arena, Str text, uint32_t line, unsigned depth);
static const Value *read_list(Arena *arena, Str text, uint32_t line, unsigned depth);

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static const Value *list_piece(Arena *arena, Str piece, uint32_t line, unsigned depth)
{
    if (is_wrapped(piece, '[', ']') && depth < VALUE_MAX_DEPTH) {
        return read_list(arena, piece, line, depth + 1);
    }
    if (piece.length > 0 && is_quote(piece.at[0]) && is_quote(piece.at[piece.length - 1])) {
        Str content = piece.length < 2 ? STR("") : str_slice(piece, 1, piece.length - 1);
        return value_string(arena, content, line);
    }
    const Value *number = read_number(arena, piece, line);
    return number != NULL ? number : value_string(arena, piece, line);
}

/* Parsing takes time, also what fails, and brackets within brackets would ask for it over and over:
 * a few levels are enough for all that people write. */
static const Value *literal_of(Arena *arena, Str text, uint32_t line, unsigned depth)
{
    enum { MOST_LEVELS = 4 };
    return depth < MOST_LEVELS ? python_literal(arena, text, line) : NULL;
}

/* `[…]`: a Python literal, or the pieces between commas. */
static const Value *read_list(Arena *arena, Str text, uint32_t line, unsigned depth)
{
    const Value *literal = literal_of(arena, text, line, depth);
    if (literal != NULL) {
        return literal;
    }
    ValueBuilder list;
    value_begin(&list, arena, VALUE_LIST, line);
    Str content = inside(text), piece;
    for (size_t at = 0; content.length > 0 && next_piece(content, &at, &piece);) {
        value_add(&list, list_piece(arena, piece, line, depth));
    }
    return value_finish(&list);
}

/* Without quotes at both ends, however many. */
static Str strip_quotes(Str text)
{
    while (text.length > 0 && is_quote(text.at[0])) {
        text = str_slice(text, 1, text.length);
    }
    while (text.length > 0 && is_quote(text.at[text.length - 1])) {
        text.length--;
    }
    return text;
}

/* `{…}`: a Python literal, or `key: value` between commas; a piece without colon makes it the text
 * itself. */
static const Value *read_mapping(Arena *arena, Str text, uint32_t line, unsigned depth)
{
    const Value *literal = literal_of(arena, text, line, depth);
    if (literal != NULL) {
        return literal;
    }
    ValueBuilder mapping;
    value_begin(&mapping, arena, VALUE_MAPPING, line);
    Str content = inside(text), piece;
    for (size_t at = 0; content.length > 0 && next_piece(content, &at, &piece);) {
        size_t colon = str_find(piece, STR(":"), 0);
        if (colon == SIZE_MAX) {
            return value_string(arena, text, line);
        }
        Str key = strip_quotes(text_trim(str_slice(piece, 0, colon)));
        const Value *value =
            scalar(arena, str_slice(piece, colon + 1, piece.length), line, depth + 1);
        value_add_entry(&mapping, value_string(arena, key, line), value);
    }
    return value_finish(&mapping);
}

static bool is_word(Str text, const char *word)
{
    return text.length == strlen(word) && text_find_folded(text, str_from(word), 0) == 0;
}

static const Value *scalar(Arena *arena, Str text, uint32_t line, unsigned depth)
{
    text = text_trim(text);
    if (text.length == 0 || str_is(text, "null") || str_is(text, "None")) {
        return value_new(arena, VALUE_NULL, line);
    }
    if (is_word(text, "true") || is_word(text, "false")) {
        return value_bool(arena, is_word(text, "true"), line);
    }
    bool may_nest = depth < VALUE_MAX_DEPTH;
    if (may_nest && is_wrapped(text, '[', ']')) {
        return read_list(arena, text, line, depth + 1);
    }
    if (may_nest && is_wrapped(text, '{', '}')) {
        return read_mapping(arena, text, line, depth + 1);
    }
    const Value *number = read_number(arena, text, line);
    if (number != NULL) {
        return number;
    }
    if (!may_nest || !str_contains(text, STR(","))) {
        return value_string(arena, text, line);
    }
    ValueBuilder list;
    value_begin(&list, arena, VALUE_LIST, line);
    Str piece;
    for (size_t at = 0; next_piece(text, &at, &piece);) {
        if (piece.length > 0) {
            value_add(&list, scalar(arena, piece, line, depth + 1));
        }
    }
    return value_finish(&list);
}

const Value *scalar_value(Arena *arena, Str text, uint32_t line)
{
    return scalar(arena, text, line, 0);
}
