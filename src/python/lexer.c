/* Lexer: the token loop. See lexer.h for what it is for and lex.h for how its parts fit together.
 *
 * Tokens are not kept. The loop only remembers what kind the last one was; brackets, indentation
 * and f-strings have explicit stacks, so nothing here recurses. */
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
static char *copy_text(Arena *arena, Str text)
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

static bool is_own_line(const Lexer *lexer, size_t at)
{
    const char *text = lexer->source->text.at;
    while (at > lexer->source->text_start && is_blank(text[at - 1])) {
        at--;
    }
    return at == lexer->source->text_start || text[at - 1] == '\n' || text[at - 1] == '\r';
}

void lex_comment(Lexer *lexer)
{
    size_t start = lexer->at;
    char *line_end = memchr(lexer->text + start, '\n', lexer->end + 1 - start);
    lexer->at = (size_t)(line_end - lexer->text);
    memset(lexer->text + start, ' ', lexer->at - start);
    size_t end = lexer->at;
    if (end > start && lexer->source->text.at[end - 1] == '\r') {
        end--;
    }
    Comment comment = {(uint32_t)start, (uint32_t)end, is_own_line(lexer, start)};
    VEC_PUSH(lexer->arena, &lexer->out->comments, comment);
}

void lex_backslash(Lexer *lexer)
{
    size_t at = lexer->at;
    if (lexer->text[at + 1] != '\n') {
        lex_error(lexer, at, at + 1, "unexpected character after line continuation character",
                  "续行符 '\\' 后面有多余字符");
        lexer->at++;
        return;
    }
    if (at + 2 >= lexer->end) {
        lex_error(lexer, at, at + 1,
                  "unexpected EOF while parsing: nothing follows the line continuation",
                  "续行符 '\\' 之后文件意外结束");
        lexer->brackets_unsure = true;
        lexer->broken = true;
    } else {
        lexer->text[at + 1] = ' ';
    }
    lexer->text[at] = ' ';
    lexer->at = at + 2 < lexer->end ? at + 2 : lexer->end;
    lexer->line_start = lexer->at;
}

static void set_previous(Lexer *lexer, Previous previous, size_t start)
{
    lexer->previous = previous;
    lexer->previous_start = start;
    lexer->previous_end = lexer->at;
}

void lex_resume_at_line(Lexer *lexer)
{
    if (lexer->fstring_count > 0) {
        lex_fstring_abandon(lexer);
    }
    if (lexer->bracket_count > 0) {
        lex_error_unclosed(lexer);
    }
    lexer->broken = true;
    lex_end_line(lexer);
    lexer->at = lexer->line_start;
    lex_begin_line(lexer);
}

static bool is_string_prefix(const char *text, size_t length)
{
    char first = (char)(text[0] | 0x20);
    if (length == 1) {
        return first == 'r' || first == 'b' || first == 'u' || first == 'f';
    }
    char second = (char)(text[1] | 0x20);
    return length == 2 && ((first == 'r' && (second == 'b' || second == 'f')) ||
                           (second == 'r' && (first == 'b' || first == 'f')));
}

static void scan_name(Lexer *lexer)
{
    const char *text = lexer->text;
    size_t start = lexer->at;
    size_t at = start;
    unsigned bits = 0;
    do {
        bits |= (unsigned char)text[at++];
    } while (lex_class[(unsigned char)text[at]] <= CLASS_DIGIT);
    lexer->at = at;
    if (at - start <= 2 && class_of(text[at]) == CLASS_QUOTE &&
        is_string_prefix(text + start, at - start)) {
        lex_string(lexer, start);
        return;
    }
    if (bits >= 0x80) {
        size_t wrong = lex_identifier_error(text, start, at);
        if (wrong != at) {
            lex_error_character(lexer, wrong);
            set_previous(lexer, PREVIOUS_OPERATOR, start);
            return;
        }
    }
    bool nested = lexer->bracket_count > 0 || lexer->fstring_count > 0;
    if (nested) {
        unsigned keyword = lex_keyword(text + start, at - start);
        if (keyword & KEYWORD_STATEMENT && lexer->previous_end <= lexer->line_start) {
            lex_resume_at_line(lexer);
            return;
        }
        FString *fstring = keyword & KEYWORD_LAMBDA ? lex_fstring(lexer) : NULL;
        if (fstring != NULL && lexer->bracket_count == fstring_field(fstring)->bracket_base) {
            fstring_field(fstring)->saw_lambda = true;
        }
    }
    if (lexer->previous >= PREVIOUS_NAME && lex_check_adjacent(lexer, start, at)) {
        return;
    }
    lex_adapt_name(lexer, start, at);
    set_previous(lexer, PREVIOUS_NAME, start);
}

static void scan_open(Lexer *lexer)
{
    if (lexer->bracket_count == LEX_MAX_BRACKETS) {
        lex_error(lexer, lexer->at, lexer->at + 1, "too many nested parentheses",
                  "括号嵌套层数过多");
        lexer->brackets_unsure = true;
    } else {
        lexer->brackets[lexer->bracket_count++] = (Bracket){lexer->text[lexer->at], lexer->at};
    }
    lexer->at++;
    set_previous(lexer, PREVIOUS_OPERATOR, lexer->at - 1);
}

static char closing_of(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* The bracket at lexer->at does not close the innermost one. */
static void close_wrongly(Lexer *lexer, uint32_t base)
{
    char close = lexer->text[lexer->at];
    if (lexer->brackets_unsure) {
        if (lexer->bracket_count > base) {
            lexer->bracket_count--;
        }
        return;
    }
    if (lexer->bracket_count == base) {
        lex_error(lexer, lexer->at, lexer->at + 1, "unmatched '%c'", "多余的右括号 '%c'", close);
        return;
    }
    Bracket top = lexer->brackets[lexer->bracket_count - 1];
    unsigned open_line = lex_line(lexer, top.at);
    if (open_line == lex_line(lexer, lexer->at)) {
        lex_error(lexer, lexer->at, lexer->at + 1,
                  "closing parenthesis '%c' does not match opening parenthesis '%c'",
                  "右括号 '%c' 与左括号 '%c' 不匹配", close, top.open);
    } else {
        lex_error(lexer, lexer->at, lexer->at + 1,
                  "closing parenthesis '%c' does not match opening parenthesis '%c' on line %u",
                  "右括号 '%c' 与左括号 '%c'(第 %u 行)不匹配", close, top.open, open_line);
    }
    uint32_t match = lexer->bracket_count;
    while (match > base && closing_of(lexer->brackets[match - 1].open) != close) {
        match--;
    }
    lexer->bracket_count = match > base ? match - 1 : lexer->bracket_count - 1;
}

static void scan_close(Lexer *lexer)
{
    lex_adapt_type_end(lexer, lexer->at);
    FString *fstring = lex_fstring(lexer);
    uint32_t base = fstring == NULL ? 0 : fstring_field(fstring)->bracket_base;
    uint32_t count = lexer->bracket_count;
    if (count > base && closing_of(lexer->brackets[count - 1].open) == lexer->text[lexer->at]) {
        lexer->bracket_count--;
    } else if (lex_field_close(lexer)) {
        return;
    } else {
        close_wrongly(lexer, base);
    }
    if (lexer->bracket_count == 0) {
        lexer->adjacent_at = SIZE_MAX;
    }
    lexer->at++;
    set_previous(lexer, PREVIOUS_CLOSE, lexer->at - 1);
}

/* Operators of several characters matter only where a part of one would mean something else. */
static void scan_operator(Lexer *lexer)
{
    const char *text = lexer->text + lexer->at;
    size_t start = lexer->at;
    size_t length = 1;
    char c = text[0];
    if (c == '<' && text[1] == '>') {
        lex_error(lexer, start, start + 2, "invalid syntax: '<>' is not an operator, use '!='",
                  "语法错误:'<>' 不是运算符,请使用 '!='");
        length = 2;
    } else {
        if (text[1] == c && (c == '*' || c == '/' || c == '<' || c == '>')) {
            length = 2;
        }
        if (text[length] == '=') {
            length++;
        } else if (c == '-' && text[1] == '>') {
            length = 2;
        }
    }
    FString *fstring = c == '=' && length == 1 ? lex_fstring(lexer) : NULL;
    if (fstring != NULL && fstring_field(fstring)->bracket_base == lexer->bracket_count) {
        Field *field = fstring_field(fstring);
        if (lexer->previous == PREVIOUS_NONE) {
            lex_error(lexer, start, start + 1, "f-string: valid expression required before '='",
                      "f-string:'=' 之前缺少表达式");
        }
        field->state = FIELD_SHOWN;
    }
    if (c == '*' && length == 1) {
        lex_adapt_star(lexer, start);
    } else if (c == '=' && length == 1 && lexer->bracket_count == 1) {
        lex_adapt_type_default(lexer, start);
    }
    lexer->at += length;
    set_previous(lexer, PREVIOUS_OPERATOR, start);
}

static void scan_colon(Lexer *lexer)
{
    if (lexer->fstring_count > 0 && lex_field_colon(lexer)) {
        return;
    }
    size_t start = lexer->at++;
    if (lexer->text[lexer->at] == '=') {
        lexer->at++;
        set_previous(lexer, PREVIOUS_OPERATOR, start);
        return;
    }
    lex_adapt_colon(lexer);
    if (lexer->bracket_count == 1) {
        lex_adapt_type_bound(lexer, start);
    }
    if (lexer->bracket_count == 0 && lexer->fstring_count == 0) {
        lexer->saw_colon = true;
    }
    set_previous(lexer, PREVIOUS_COLON, start);
}

static void scan_bang(Lexer *lexer)
{
    size_t start = lexer->at;
    if (lexer->text[start + 1] == '=') {
        lexer->at += 2;
    } else if (lexer->fstring_count > 0 && lex_field_bang(lexer)) {
        return;
    } else {
        lex_error_character(lexer, start);
        lexer->at++;
    }
    set_previous(lexer, PREVIOUS_OPERATOR, start);
}

static void scan_dot(Lexer *lexer)
{
    if (is_digit(lexer->text[lexer->at + 1])) {
        lex_number(lexer);
        return;
    }
    size_t start = lexer->at++;
    if (lexer->text[lexer->at] == '.' && lexer->text[lexer->at + 1] == '.') {
        lexer->at += 2;
    }
    set_previous(lexer, PREVIOUS_OPERATOR, start);
}

/* After `=` or `!r` in a field nothing but a conversion, its spec or its end may come. */
static void check_field_state(Lexer *lexer)
{
    Field *field = fstring_field(lex_fstring(lexer));
    char c = lexer->text[lexer->at];
    if (field->state == FIELD_EXPRESSION || field->bracket_base != lexer->bracket_count ||
        is_blank(c) || strchr("\n#\\}:", c) != NULL) {
        return;
    }
    if (field->state == FIELD_CONVERTED) {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: expecting ':' or '}'",
                  "f-string:此处应为 ':' 或 '}'");
    } else if (c != '!' || lexer->text[lexer->at + 1] == '=') {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: expecting '!', or ':', or '}'",
                  "f-string:此处应为 '!'、':' 或 '}'");
    }
    field->state = FIELD_EXPRESSION;
}

/* One token, or white space, or a comment. */
static void scan_token(Lexer *lexer)
{
    if (lexer->fstring_count > 0) {
        check_field_state(lexer);
    }
    switch (class_of(lexer->text[lexer->at])) {
    case CLASS_NAME:
    case CLASS_HIGH:
        scan_name(lexer);
        break;
    case CLASS_DIGIT:
        lex_number(lexer);
        break;
    case CLASS_BLANK:
    case CLASS_NEWLINE: /* inside brackets or a field */
        lexer->at++;
        if (lexer->text[lexer->at - 1] == '\n') {
            lexer->line_start = lexer->at;
        }
        break;
    case CLASS_QUOTE:
        lex_string(lexer, lexer->at);
        break;
    case CLASS_OPEN:
        scan_open(lexer);
        break;
    case CLASS_CLOSE:
        scan_close(lexer);
        break;
    case CLASS_COLON:
        scan_colon(lexer);
        break;
    case CLASS_DOT:
        scan_dot(lexer);
        break;
    case CLASS_BANG:
        scan_bang(lexer);
        break;
    case CLASS_OPERATOR:
        scan_operator(lexer);
        break;
    case CLASS_SEPARATOR:
        if (lexer->text[lexer->at] == ',') {
            lex_adapt_type_end(lexer, lexer->at);
        }
        lexer->at++;
        set_previous(lexer, PREVIOUS_OPERATOR, lexer->at - 1);
        break;
    case CLASS_HASH:
        lex_comment(lexer);
        break;
    case CLASS_BACKSLASH:
        lex_backslash(lexer);
        break;
    case CLASS_ILLEGAL:
        lex_error_character(lexer, lexer->at++);
        break;
    }
}

/* From the first token of a logical line to behind its line end. */
static void scan_line(Lexer *lexer)
{
    for (;;) {
        if (lexer->fstring_count > 0) {
            if (lexer->at >= lexer->end) {
                lex_fstring_abandon(lexer);
                continue;
            }
            if (lex_in_fstring_text(lexer)) {
                lex_fstring_text(lexer);
                continue;
            }
        } else if (lexer->text[lexer->at] == '\n' && lexer->bracket_count == 0) {
            lex_end_line(lexer);
            VEC_PUSH(lexer->arena, &lexer->out->newlines, (uint32_t)lexer->at);
            lexer->in_lambda = false;
            lexer->blank_from = SIZE_MAX;
            lexer->at++;
            lexer->line_start = lexer->at;
            return;
        } else if (lexer->at >= lexer->end) {
            return; /* inside brackets: lex_end_text complains */
        }
        scan_token(lexer);
        if (lexer->first_end == SIZE_MAX && lexer->at > lexer->first_start) {
            lexer->first_end = lexer->at;
        }
    }
}

void python_lex(Lexed *lexed, Arena *arena, const Source *source)
{
    *lexed = (Lexed){.clean = copy_text(arena, source->text)};
    Lexer *lexer = ARENA_NEW(arena, Lexer);
    lexer->out = lexed;
    lexer->arena = arena;
    lexer->source = source;
    lexer->text = lexed->clean;
    lexer->at = source->text_start;
    lexer->line_start = lexer->at;
    lexer->end = source->text.length;
    lexer->indent_count = 1;
    lexer->adjacent_at = SIZE_MAX;
    lexer->blank_from = SIZE_MAX;
    /* The parser measures no indentation at a form feed, wherever the U+FEFF would put it. */
    memset(lexed->clean, '\f', source->text_start);
    while (lex_begin_line(lexer)) {
        scan_line(lexer);
    }
    lex_end_text(lexer);
    lex_sort_errors(lexer);
    lexed->clean[source->text.length] = '\0';
}
