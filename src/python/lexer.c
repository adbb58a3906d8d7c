/* Lexer: the token loop. See lexer.h for what it is for and lex.h for how its parts fit together.
 *
 * Tokens are not kept. The loop only remembers what kind the last one was; brackets, indentation
 * and f-strings have explicit stacks, so nothing here recurses. */
#include "python/lex.h"

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
    lexer->text[lexer->at - 1] = '\n';
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
            lex_set_previous(lexer, PREVIOUS_OPERATOR, start);
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
    bool operand = lexer->previous == PREVIOUS_OPERATOR || lexer->previous == PREVIOUS_COLON;
    lexer->before_name = operand ? lexer->source->text.at[lexer->previous_start] : '\0';
    lex_set_previous(lexer, PREVIOUS_NAME, start);
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
                  "语法错误：'<>' 不是运算符，请使用 '!='");
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
        FStringField *field = fstring_field(fstring);
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
    lex_set_previous(lexer, PREVIOUS_OPERATOR, start);
}

static void scan_colon(Lexer *lexer)
{
    if (lexer->fstring_count > 0 && lex_field_colon(lexer)) {
        return;
    }
    size_t start = lexer->at++;
    if (lexer->text[lexer->at] == '=') {
        lexer->at++;
        lex_set_previous(lexer, PREVIOUS_OPERATOR, start);
        return;
    }
    lex_adapt_colon(lexer);
    if (lexer->bracket_count == 1) {
        lex_adapt_type_bound(lexer, start);
    }
    if (lexer->bracket_count == 0 && lexer->fstring_count == 0) {
        lexer->saw_colon = true;
    }
    lex_set_previous(lexer, PREVIOUS_COLON, start);
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
    lex_set_previous(lexer, PREVIOUS_OPERATOR, start);
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
    lex_set_previous(lexer, PREVIOUS_OPERATOR, start);
}

/* After `=` or `!r` in a field nothing but a conversion, its spec or its end may come. */
static void check_field_state(Lexer *lexer)
{
    FStringField *field = fstring_field(lex_fstring(lexer));
    char c = lexer->text[lexer->at];
    if (field->state == FIELD_EXPRESSION || field->bracket_base != lexer->bracket_count ||
        is_blank(c) || strchr("\n#\\}:", c) != NULL) {
        return;
    }
    if (field->state == FIELD_CONVERTED) {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: expecting ':' or '}'",
                  "f-string：此处应为 ':' 或 '}'");
    } else if (c != '!' || lexer->text[lexer->at + 1] == '=') {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: expecting '!', or ':', or '}'",
                  "f-string：此处应为 '!'、':' 或 '}'");
    }
    field->state = FIELD_EXPRESSION;
}

/* White space; a line end only inside brackets, where it is a blank: the parser would take less
 * indentation after it for the end of the block, wherever the bracket cannot close. */
static void pass_blank(Lexer *lexer)
{
    size_t at = lexer->at++;
    if (lexer->text[at] == '\n') {
        lexer->text[at] = ' ';
        lexer->line_start = lexer->at;
    }
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
        pass_blank(lexer);
        break;
    case CLASS_QUOTE:
        lex_string(lexer, lexer->at);
        break;
    case CLASS_OPEN:
        lex_open(lexer);
        break;
    case CLASS_CLOSE:
        lex_close(lexer);
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
        lex_set_previous(lexer, PREVIOUS_OPERATOR, lexer->at - 1);
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

/* From the first token of a logical line past its line end. */
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
            lexer->lambdas = 0;
            lexer->saw_guard = lexer->in_alias = false;
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
    *lexed = (Lexed){.clean = lex_copy_text(arena, source->text)};
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
    lexer->judged_at = SIZE_MAX;
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
