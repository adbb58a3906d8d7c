/* Lexer, brackets: the stack of open ones, and what closes what. */
#include "python/lex.h"

void lex_open(Lexer *lexer)
{
    if (lexer->text[lexer->at] == '[') {
        lex_adapt_subscript(lexer);
    }
    if (lexer->bracket_count == LEX_MAX_BRACKETS) {
        lex_error(lexer, lexer->at, lexer->at + 1, "too many nested parentheses",
                  "括号嵌套层数过多");
        lexer->brackets_unsure = true;
    } else {
        lexer->brackets[lexer->bracket_count++] = (Bracket){lexer->text[lexer->at], lexer->at, 0};
    }
    lexer->at++;
    lex_set_previous(lexer, PREVIOUS_OPERATOR, lexer->at - 1);
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
                  "右括号 '%c' 与左括号 '%c'（第 %u 行）不匹配", close, top.open, open_line);
    }
    uint32_t match = lexer->bracket_count;
    while (match > base && closing_of(lexer->brackets[match - 1].open) != close) {
        match--;
    }
    lexer->bracket_count = match > base ? match - 1 : lexer->bracket_count - 1;
}

void lex_close(Lexer *lexer)
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
    lex_set_previous(lexer, PREVIOUS_CLOSE, lexer->at - 1);
}
