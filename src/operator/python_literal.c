/* Python literals: what ast.literal_eval makes of lists, tuples, mappings, sets, numbers, strings
 * and the three constants. Anything else (complex numbers, bytes) is no literal here.
 * Nesting is limited. */
#include "operator/front_matter.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "operator/text.h"

typedef struct Literal {
    Arena *arena;
    Str text;
    size_t at;
    uint32_t line;
    unsigned depth;
} Literal;

static const Value *read_value(Literal *literal);

static char peek(const Literal *literal)
{
    return literal->at < literal->text.length ? literal->text.at[literal->at] : '\0';
}

/* White space and comments. */
static void skip_blanks(Literal *literal)
{
    char c;
    bool comment = false;
    while ((c = peek(literal)) == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '#' ||
           (comment && literal->at < literal->text.length)) {
        comment = c != '\n' && (comment || c == '#');
        literal->at++;
    }
}

static bool take(Literal *literal, char c)
{
    skip_blanks(literal);
    if (c == '\0' || peek(literal) != c) {
        return false;
    }
    literal->at++;
    return true;
}

static bool is_name_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* --- strings */

static void add_code_point(Buf *out, uint32_t c)
{
    /* A lone surrogate has no UTF-8. */
    utf8_add(out, c >= 0xd800 && c <= 0xdfff ? 0xfffd : c);
}

static unsigned digit_value(char c, unsigned base)
{
    unsigned value = is_digit(c)            ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                            : 99;
    return value < base ? value : 99;
}

/* Exactly `count` hexadecimal digits. */
static bool hex_escape(Literal *literal, unsigned count, Buf *out)
{
    uint32_t c = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = digit_value(peek(literal), 16);
        if (digit > 15) {
            return false;
        }
        c = c * 16 + digit;
        literal->at++;
    }
    if (c > 0x10ffff) {
        return false;
    }
    add_code_point(out, c);
    return true;
}

/* After a backslash. */
static bool read_escape(Literal *literal, Buf *out)
{
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    char c = peek(literal);
    const char *simple = c == '\0' ? NULL : strchr(from, c);
    if (simple != NULL) {
        literal->at++;
        buf_add_char(out, to[simple - from]);
        return true;
    }
    if (digit_value(c, 8) < 8) {
        uint32_t value = 0;
        for (unsigned i = 0; i < 3 && digit_value(peek(literal), 8) < 8; i++) {
            value = value * 8 + digit_value(peek(literal), 8);
            literal->at++;
        }
        add_code_point(out, value);
        return true;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        literal->at++;
        return hex_escape(literal, c == 'x' ? 2 : c == 'u' ? 4 : 8, out);
    }
    if (c == '\n') {
        literal->at++;
        return true;
    }
    if (c == '\0' || c == 'N') {
        return false;
    }
    buf_add_char(out,
                 '\\'); /* unknown escapes keep their backslash; the character follows as text */
    return true;
}

static bool read_quoted(Literal *literal, Buf *out)
{
    char quote = peek(literal);
    Str rest = str_slice(literal->text, literal->at, literal->text.length);
    bool triple = rest.length >= 3 && rest.at[1] == quote && rest.at[2] == quote;
    literal->at += triple ? 3 : 1;
    while (literal->at < literal->text.length) {
        char c = literal->text.at[literal->at];
        if (c == quote) {
            rest = str_slice(literal->text, literal->at, literal->text.length);
            if (!triple || (rest.length >= 3 && rest.at[1] == quote && rest.at[2] == quote)) {
                literal->at += triple ? 3 : 1;
                return true;
            }
        }
        literal->at++;
        if (c == '\0' || (c == '\n' && !triple)) {
            return false;
        }
        if (c != '\\') {
            buf_add_char(out, c);
        } else if (!read_escape(literal, out)) {
            return false;
        }
    }
    return false;
}

/* One or more quoted strings side by side. */
static const Value *read_strings(Literal *literal)
{
    Buf out = {.arena = literal->arena};
    buf_add(&out, STR(""));
    while (peek(literal) == '"' || peek(literal) == '\'') {
        if (!read_quoted(literal, &out)) {
            return NULL;
        }
        skip_blanks(literal);
    }
    return value_string(literal->arena, buf_str(&out), literal->line);
}

/* --- numbers */

/* Digits of `base` with single `_` between them (or in front, after a prefix). */
static bool is_integer(Str digits, unsigned base, bool prefixed)
{
    bool was_digit = prefixed, any = false;
    for (size_t i = 0; i < digits.length; i++) {
        bool digit = digit_value(digits.at[i], base) < base;
        if (!digit && (digits.at[i] != '_' || !was_digit)) {
            return false;
        }
        was_digit = digit;
        any |= digit;
    }
    return any && was_digit;
}

static const Value *number_value(Literal *literal, Str text, bool negative)
{
    Arena *arena = literal->arena;
    static const char marks[] = "xXoObB";
    static const unsigned bases[] = {16, 16, 8, 8, 2, 2};
    const char *mark = text.length > 2 && text.at[0] == '0' && text.at[1] != '\0'
                           ? strchr(marks, text.at[1])
                           : NULL;
    if (mark != NULL) {
        unsigned base = bases[mark - marks];
        Str digits = str_slice(text, 2, text.length);
        return is_integer(digits, base, true)
                   ? value_int(arena, text, digits, base, negative, literal->line)
                   : NULL;
    }
    if (is_integer(text, 10, false)) {
        const Value *value = value_int(arena, text, text, 10, negative, literal->line);
        bool leading_zero = text.length > 1 && text.at[0] == '0';
        return leading_zero && value->integer != 0 ? NULL : value;
    }
    double number;
    if (text.length == 0 || !(is_digit(text.at[0]) || text.at[0] == '.') ||
        !text_to_real(text, &number)) {
        return NULL;
    }
    return value_real(arena, text, negative ? -number : number, literal->line);
}

static const Value *read_number(Literal *literal)
{
    bool negative = peek(literal) == '-';
    if (negative || peek(literal) == '+') {
        literal->at++;
        skip_blanks(literal);
    }
    size_t start = literal->at;
    bool hex = false;
    for (char c; is_name_char(c = peek(literal)) || c == '.' || c == '+' || c == '-';
         literal->at++) {
        char before = literal->at > start ? literal->text.at[literal->at - 1] : '\0';
        hex |= c == 'x' || c == 'X';
        bool exponent = !hex && (before == 'e' || before == 'E');
        if ((c == '+' || c == '-') && !exponent) {
            break;
        }
    }
    return number_value(literal, str_slice(literal->text, start, literal->at), negative);
}

/* --- the rest */

static const Value *read_constant(Literal *literal)
{
    size_t start = literal->at;
    while (is_name_char(peek(literal))) {
        literal->at++;
    }
    Str name = str_slice(literal->text, start, literal->at);
    if (str_is(name, "None")) {
        return value_new(literal->arena, VALUE_NULL, literal->line);
    }
    if (str_is(name, "True") || str_is(name, "False")) {
        return value_bool(literal->arena, str_is(name, "True"), literal->line);
    }
    return NULL;
}

/* Elements up to `close`; the opening bracket has been taken. */
static const Value *read_elements(Literal *literal, char close)
{
    ValueBuilder list;
    value_begin(&list, literal->arena, VALUE_LIST, literal->line);
    bool comma = true;
    while (!take(literal, close)) {
        const Value *item = comma ? read_value(literal) : NULL;
        if (item == NULL) {
            return NULL;
        }
        value_add(&list, item);
        comma = take(literal, ',');
    }
    if (close == ')') {
        bool in_parentheses = list.value->count == 1 && !comma;
        if (in_parentheses) {
            return list.value->items[0];
        }
        list.value->is_tuple = true;
    }
    return value_finish(&list);
}

/* A mapping or a set; the brace has been taken. */
static const Value *read_braces(Literal *literal)
{
    ValueBuilder parts = {0};
    bool comma = true;
    while (!take(literal, '}')) {
        const Value *key = comma ? read_value(literal) : NULL;
        if (key == NULL || !value_is_key(key)) {
            return NULL;
        }
        bool pair = take(literal, ':');
        if (parts.value == NULL) {
            value_begin(&parts, literal->arena, pair ? VALUE_MAPPING : VALUE_SET, literal->line);
        }
        if (pair != (parts.value->kind == VALUE_MAPPING)) {
            return NULL;
        }
        if (pair) {
            const Value *value = read_value(literal);
            if (value == NULL) {
                return NULL;
            }
            value_add_entry(&parts, key, value);
        } else {
            value_add(&parts, key);
        }
        comma = take(literal, ',');
    }
    if (parts.value == NULL) {
        value_begin(&parts, literal->arena, VALUE_MAPPING, literal->line);
    }
    return value_finish(&parts);
}

static const Value *read_value(Literal *literal)
{
    if (literal->depth >= VALUE_MAX_DEPTH) {
        return NULL;
    }
    literal->depth++;
    skip_blanks(literal);
    const Value *value;
    char c = peek(literal);
    if (take(literal, '[')) {
        value = read_elements(literal, ']');
    } else if (take(literal, '(')) {
        value = read_elements(literal, ')');
    } else if (take(literal, '{')) {
        value = read_braces(literal);
    } else if (c == '"' || c == '\'') {
        value = read_strings(literal);
    } else if (is_digit(c) || c == '.' || c == '+' || c == '-') {
        value = read_number(literal);
    } else {
        value = read_constant(literal);
    }
    literal->depth--;
    return value;
}

const Value *python_literal(Arena *arena, Str text, uint32_t line)
{
    Literal literal = {arena, text_trim(text), 0, line, 0};
    const Value *first = read_value(&literal);
    skip_blanks(&literal);
    if (first == NULL || literal.at == literal.text.length) {
        return first;
    }
    /* `[1], [2]` is a tuple without parentheses. */
    ValueBuilder tuple;
    value_begin(&tuple, arena, VALUE_LIST, line);
    tuple.value->is_tuple = true;
    for (const Value *item = first; item != NULL; item = read_value(&literal)) {
        value_add(&tuple, item);
        bool comma = take(&literal, ',');
        skip_blanks(&literal);
        if (literal.at == literal.text.length) {
            return value_finish(&tuple);
        }
        if (!comma) {
            return NULL;
        }
    }
    return NULL;
}
