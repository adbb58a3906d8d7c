/* Lexer, strings: where they end, and whether their escapes can be decoded.
 *
 * An unknown escape such as `\d` is only a warning in Python, so it is not an error here. `\N{...}`
 * is taken when it has the form of a name: whether Unicode has such a character would need a table
 * of all names. */
#include "python/lex.h"

/* `\x`, `\u`, `\U` need this many hexadecimal digits. */
static size_t check_hex(Lexer *lexer, size_t at, size_t digits, bool bytes)
{
    size_t next = at + 2;
    while (next < at + 2 + digits && hex_digit(lexer->text[next]) >= 0) {
        next++;
    }
    char kind = lexer->text[at + 1];
    if (next < at + 2 + digits) {
        if (bytes) {
            lex_error(lexer, at, next, "(value error) invalid \\x escape", "无效的 \\x 转义");
        } else {
            lex_error(
                lexer, at, next,
                "(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\%c%.*s "
                "escape",
                "(unicode error) 无法解码的转义：\\%c%.*s 不完整", kind, (int)digits, "XXXXXXXX");
        }
    } else if (digits == 8 && (lexer->text[at + 2] != '0' || lexer->text[at + 3] != '0' ||
                               lexer->text[at + 4] > '1' ||
                               (lexer->text[at + 4] == '1' && lexer->text[at + 5] != '0'))) {
        lex_error(
            lexer, at, next,
            "(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character",
            "(unicode error) 无法解码的转义：非法的 Unicode 字符");
    }
    return next;
}

static size_t check_named(Lexer *lexer, size_t at)
{
    const char *text = lexer->text;
    size_t next = at + 2;
    if (text[next] == '{') {
        next++;
        while ((class_of(text[next]) <= CLASS_DIGIT && text[next] > 0 && text[next] != '_') ||
               text[next] == ' ' || text[next] == '-') {
            next++;
        }
        if (text[next] == '}' && next > at + 3) {
            return next + 1;
        }
    }
    lex_error(
        lexer, at, next,
        "(unicode error) 'unicodeescape' codec can't decode bytes: malformed \\N character escape",
        "(unicode error) 无法解码的转义：\\N 字符转义格式错误");
    return next;
}

size_t lex_escape(Lexer *lexer, size_t at, bool bytes)
{
    switch (lexer->text[at + 1]) {
    case 'x':
        return check_hex(lexer, at, 2, bytes);
    case 'u':
        return bytes ? at + 2 : check_hex(lexer, at, 4, false);
    case 'U':
        return bytes ? at + 2 : check_hex(lexer, at, 8, false);
    case 'N':
        return bytes ? at + 2 : check_named(lexer, at);
    default:
        return at + 2;
    }
}

void lex_skip_line(Lexer *lexer, size_t from)
{
    uint32_t opened = 0;
    size_t at = from;
    for (; lexer->text[at] != '\n'; at++) {
        CharClass kind = class_of(lexer->text[at]);
        if (kind == CLASS_OPEN) {
            opened++;
        } else if (kind == CLASS_CLOSE && opened > 0) {
            opened--;
        } else if (kind == CLASS_CLOSE && lexer->bracket_count > 0) {
            lexer->bracket_count--;
        }
    }
    lexer->at = at;
    lexer->brackets_unsure = true;
}

/* The string from `start`, its content from `from`, does not end; lexer->at is where that
 * showed. */
static void unterminated(Lexer *lexer, size_t start, size_t from, bool triple)
{
    unsigned line = lex_line(lexer, lexer->at);
    FString *outer = lex_fstring(lexer);
    bool is_outer_end =
        outer != NULL && outer->quote == lexer->text[from - 1] && outer->triple == triple;
    if (is_outer_end) {
        /* Not a string in the field but the end of the f-string: the field is open. */
        size_t open = fstring_field(outer)->open;
        lex_error(lexer, open, open + 1, "f-string: expecting '}'", "f-string：缺少 '}'");
    } else if (triple) {
        lex_error(lexer, start, from,
                  "unterminated triple-quoted string literal (detected at line %u)",
                  "三引号字符串没有结束（检测到第 %u 行）", line);
    } else {
        lex_error(lexer, start, from, "unterminated string literal (detected at line %u)",
                  "字符串没有结束（检测到第 %u 行）", line);
    }
    if (outer != NULL) {
        lexer->bracket_count = lexer->fstrings[0].fields[0].bracket_base;
        lexer->fstring_count = 0;
    }
    if (triple) {
        lexer->brackets_unsure = true;
        lexer->at = lexer->end;
    } else {
        lex_skip_line(lexer, from);
    }
}

/* Passes a string that is not an f-string, from after its opening quotes. False when it does not
 * end; then lexer->at is where it broke off. `bits` has the bits of all its bytes. */
static bool pass_string(Lexer *lexer, char quote, bool triple, bool raw, bool bytes, unsigned *bits)
{
    const char *text = lexer->text;
    size_t at = lexer->at;
    for (;;) {
        char c = text[at];
        while (c != quote && c != '\\' && c != '\n') {
            *bits |= (unsigned char)c;
            c = text[++at];
        }
        lexer->at = at;
        if (at >= lexer->end) {
            return false;
        }
        if (c == '\\') {
            /* In a raw string the backslash still protects what follows. */
            at = raw ? at + 2 : lex_escape(lexer, at, bytes);
            at = at < lexer->end ? at : lexer->end;
            *bits |= (unsigned char)text[at - 1];
            lexer->line_start = text[at - 1] == '\n' ? at : lexer->line_start;
        } else if (c == '\n') {
            if (!triple) {
                return false;
            }
            lexer->line_start = ++at;
        } else if (!triple) {
            lexer->at = at + 1;
            return true;
        } else if (text[at + 1] == quote && text[at + 2] == quote) {
            lexer->at = at + 3;
            return true;
        } else {
            at++;
        }
    }
}

static void check_bytes(Lexer *lexer, size_t start)
{
    size_t at = start;
    while ((unsigned char)lexer->text[at] < 0x80) {
        at++;
    }
    size_t end = at + 1;
    while (((unsigned char)lexer->text[end] & 0xC0) == 0x80) {
        end++;
    }
    lex_error(lexer, at, end, "bytes can only contain ASCII literal characters",
              "bytes 字面量只能包含 ASCII 字符");
}

/* Strings side by side are joined; bytes and text cannot be. Result as of lex_check_adjacent. */
static bool check_before(Lexer *lexer, size_t start, size_t end, bool bytes)
{
    if (lexer->previous < PREVIOUS_NAME) {
        return false;
    }
    if (lexer->previous < PREVIOUS_STRING) {
        return lex_check_adjacent(lexer, start, end);
    }
    if ((lexer->previous == PREVIOUS_BYTES) != bytes) {
        lex_error(lexer, start, end, "cannot mix bytes and nonbytes literals",
                  "不能把 bytes 字面量与字符串字面量相邻拼接");
    }
    return false;
}

void lex_string(Lexer *lexer, size_t start)
{
    const char *text = lexer->text;
    size_t at = lexer->at;
    bool raw = false;
    bool bytes = false;
    bool formatted = false;
    for (size_t i = start; i < at; i++) {
        char prefix = (char)(text[i] | 0x20);
        raw |= prefix == 'r';
        bytes |= prefix == 'b';
        formatted |= prefix == 'f';
    }
    char quote = text[at];
    bool triple = text[at + 1] == quote && text[at + 2] == quote;
    if (lexer->fstring_count > 0 && lex_field_cut_off(lexer, start)) {
        return;
    }
    lexer->at = at + (triple ? 3 : 1);
    size_t opened = lexer->at;
    if (check_before(lexer, start, opened, bytes)) {
        return;
    }
    if (formatted) {
        lex_fstring_open(lexer,
                         (FString){.start = start, .quote = quote, .triple = triple, .raw = raw});
        return;
    }
    unsigned bits = 0;
    if (!pass_string(lexer, quote, triple, raw, bytes, &bits)) {
        unterminated(lexer, start, opened, triple);
    } else if (bytes && bits >= 0x80) {
        check_bytes(lexer, opened);
    }
    lexer->previous = bytes ? PREVIOUS_BYTES : PREVIOUS_STRING;
    lexer->previous_start = start;
    lexer->previous_end = lexer->at;
}
