/* Lexer, numbers: their digits, and what may follow them directly (`1if x else y` is Python). */
#include "python/lex.h"

/* Python refuses to convert longer decimal literals to int (sys.set_int_max_str_digits). */
enum { MAX_DECIMAL_DIGITS = 4300 };

static bool is_digit_of(char c, unsigned base)
{
    if (base == 16) {
        return hex_digit(c) >= 0;
    }
    return c >= '0' && c < (char)('0' + base);
}

/* Passes digits with single underscores between them. False when an underscore has no digit after
 * it. */
static bool pass_digits(Lexer *lexer, unsigned base)
{
    const char *text = lexer->text;
    for (;;) {
        while (is_digit_of(text[lexer->at], base)) {
            lexer->at++;
        }
        if (text[lexer->at] != '_') {
            return true;
        }
        if (!is_digit_of(text[lexer->at + 1], base)) {
            return false;
        }
        lexer->at++;
    }
}

static void pass_name(Lexer *lexer)
{
    while (class_of(lexer->text[lexer->at]) <= CLASS_DIGIT) {
        lexer->at++;
    }
}

static void invalid(Lexer *lexer, size_t start, const char *kind, const char *kind_zh)
{
    pass_name(lexer);
    lex_error(lexer, start, lexer->at, "invalid %.0s%s literal", "无效的%s字面量%.0s", kind_zh,
              kind);
}

/* The number ends at lexer->at: a keyword may follow, any other name may not. */
static void check_end(Lexer *lexer, size_t start, const char *kind, const char *kind_zh)
{
    size_t at = lexer->at;
    if (class_of(lexer->text[at]) > CLASS_DIGIT) {
        return;
    }
    pass_name(lexer);
    if (lex_keyword(lexer->text + at, lexer->at - at) & KEYWORD_SUFFIX) {
        lexer->at = at;
        return;
    }
    size_t wrong = lex_identifier_error(lexer->text, at, lexer->at);
    if (wrong == at) {
        lex_error_character(lexer, wrong);
    } else {
        invalid(lexer, start, kind, kind_zh);
    }
}

static void scan_based(Lexer *lexer, size_t start, unsigned base)
{
    const char *kind = base == 16 ? "hexadecimal" : base == 8 ? "octal" : "binary";
    const char *kind_zh = base == 16 ? "十六进制" : base == 8 ? "八进制" : "二进制";
    lexer->at = start + 2;
    if (lexer->text[lexer->at] == '_') {
        lexer->at++;
    }
    char c = lexer->text[lexer->at];
    if (is_digit(c) && !is_digit_of(c, base)) {
        lex_error(lexer, lexer->at, lexer->at + 1, "invalid digit '%c' in %.0s%s literal",
                  "数字 '%c' 不能出现在%s字面量中%.0s", c, kind_zh, kind);
        pass_name(lexer);
        return;
    }
    if (!is_digit_of(c, base) || !pass_digits(lexer, base)) {
        invalid(lexer, start, kind, kind_zh);
        return;
    }
    c = lexer->text[lexer->at];
    if (is_digit(c)) {
        lex_error(lexer, lexer->at, lexer->at + 1, "invalid digit '%c' in %.0s%s literal",
                  "数字 '%c' 不能出现在%s字面量中%.0s", c, kind_zh, kind);
        pass_name(lexer);
        return;
    }
    check_end(lexer, start, kind, kind_zh);
}

static void check_integer(Lexer *lexer, size_t start)
{
    const char *text = lexer->text;
    size_t digits = 0;
    bool zero = true;
    for (size_t i = start; i < lexer->at; i++) {
        digits += text[i] != '_';
        zero = zero && (text[i] == '0' || text[i] == '_');
    }
    if (text[start] == '0' && !zero) {
        lex_error(
            lexer, start, lexer->at,
            "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
            "octal integers",
            "十进制整数不允许有前导零;八进制请使用 0o 前缀");
        pass_name(lexer);
    } else if (digits > MAX_DECIMAL_DIGITS && !zero) {
        lex_error(
            lexer, start, lexer->at,
            "Exceeds the limit (%d digits) for integer string conversion: value has %zu digits",
            "整数超出转换上限（%d 位）：该值有 %zu 位", (int)MAX_DECIMAL_DIGITS, digits);
    }
}

/* Exponent at lexer->at, if there is one. False after an error. */
static bool pass_exponent(Lexer *lexer, size_t start, bool *is_float)
{
    const char *text = lexer->text;
    size_t at = lexer->at;
    if (text[at] != 'e' && text[at] != 'E') {
        return true;
    }
    bool has_sign = text[at + 1] == '+' || text[at + 1] == '-';
    if (!is_digit(text[at + 1 + has_sign])) {
        if (has_sign) {
            lexer->at += 2;
            invalid(lexer, start, "decimal", "十进制");
        }
        return !has_sign; /* `1else` */
    }
    lexer->at = at + 1 + has_sign;
    *is_float = true;
    if (!pass_digits(lexer, 10)) {
        invalid(lexer, start, "decimal", "十进制");
        return false;
    }
    return true;
}

static void scan_decimal(Lexer *lexer, size_t start)
{
    const char *text = lexer->text;
    bool is_float = false;
    if (!pass_digits(lexer, 10)) {
        invalid(lexer, start, "decimal", "十进制");
        return;
    }
    if (text[lexer->at] == '.') {
        is_float = true;
        lexer->at++;
        if (is_digit(text[lexer->at]) && !pass_digits(lexer, 10)) {
            invalid(lexer, start, "decimal", "十进制");
            return;
        }
    }
    if (!pass_exponent(lexer, start, &is_float)) {
        return;
    }
    if (text[lexer->at] == 'j' || text[lexer->at] == 'J') {
        lexer->at++;
        check_end(lexer, start, "imaginary", "虚数");
        return;
    }
    if (!is_float) {
        check_integer(lexer, start);
    }
    check_end(lexer, start, "decimal", "十进制");
}

void lex_number(Lexer *lexer)
{
    size_t start = lexer->at;
    char prefix = (char)(lexer->text[start + 1] | 0x20);
    bool is_based = lexer->text[start] == '0' && (prefix == 'x' || prefix == 'o' || prefix == 'b');
    if (is_based) {
        scan_based(lexer, start, prefix == 'x' ? 16 : prefix == 'o' ? 8 : 2);
    } else {
        scan_decimal(lexer, start);
    }
    if (lexer->previous >= PREVIOUS_NAME && lex_check_adjacent(lexer, start, lexer->at)) {
        return;
    }
    lexer->previous = PREVIOUS_NUMBER;
    lexer->previous_start = start;
    lexer->previous_end = lexer->at;
}
