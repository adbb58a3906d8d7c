/* Lexer, f-strings: their text, their replacement fields, their format specs.
 *
 * Python 3.12 reads the fields as ordinary tokens, so a field may hold any quotes, backslashes,
 * comments and line ends; before, a field was what stood between the braces of one string token.
 * What either takes is taken. The token loop reads the expressions; this file reads the rest. */
#include "python/lex.h"

void lex_fstring_open(Lexer *lexer, FString fstring)
{
    if (lexer->fstrings == NULL) {
        lexer->fstrings = ARENA_ARRAY(lexer->arena, FString, LEX_MAX_FSTRINGS);
    }
    if (lexer->fstring_count == LEX_MAX_FSTRINGS) {
        lex_error(lexer, fstring.start, lexer->at, "too many nested f-strings",
                  "f-string 嵌套层数过多");
        lex_fstring_abandon(lexer);
        return;
    }
    lexer->fstrings[lexer->fstring_count++] = fstring;
}

static void end_fstring(Lexer *lexer)
{
    lexer->previous = PREVIOUS_STRING;
    lexer->previous_start = lex_fstring(lexer)->start;
    lexer->previous_end = lexer->at;
    lexer->fstring_count--;
}

void lex_fstring_abandon(Lexer *lexer)
{
    FString *fstring = lex_fstring(lexer);
    FStringField *field = fstring_field(fstring);
    if (field != NULL) {
        lex_error(lexer, field->open, field->open + 1, "f-string: expecting '}'",
                  "f-string：缺少 '}'");
    } else if (fstring->triple) {
        lex_error(lexer, fstring->start, fstring->start + 1,
                  "unterminated triple-quoted f-string literal (detected at line %u)",
                  "三引号 f-string 没有结束（检测到第 %u 行）", lex_line(lexer, lexer->at));
    } else {
        lex_error(lexer, fstring->start, fstring->start + 1,
                  "unterminated f-string literal (detected at line %u)",
                  "f-string 没有结束（检测到第 %u 行）", lex_line(lexer, lexer->at));
    }
    FString *outer = &lexer->fstrings[0];
    if (outer->field_count > 0) {
        lexer->bracket_count = outer->fields[0].bracket_base;
    }
    lexer->fstring_count = 0;
    lexer->previous = PREVIOUS_STRING;
    lexer->previous_start = outer->start;
    lexer->previous_end = lexer->at;
    if (lexer->text[lexer->at] != '\n') {
        lex_skip_line(lexer, lexer->at);
    }
    lexer->brackets_unsure = true;
}

static void open_field(Lexer *lexer, FString *fstring)
{
    if (fstring->field_count == LEX_MAX_FIELDS) {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: expressions nested too deeply",
                  "f-string：表达式嵌套过深");
        lex_fstring_abandon(lexer);
        return;
    }
    fstring->fields[fstring->field_count++] =
        (FStringField){.open = lexer->at, .bracket_base = lexer->bracket_count};
    lexer->at++;
    lexer->previous = PREVIOUS_NONE;
    lexer->previous_end = lexer->at;
}

/* A `}` in the text: closes the field whose format spec this is, or is one of a pair. */
static void close_brace(Lexer *lexer, FString *fstring)
{
    if (fstring->field_count > 0) {
        fstring->field_count--;
        lexer->at++;
    } else if (lexer->text[lexer->at + 1] == '}') {
        lexer->at += 2;
    } else {
        lex_error(lexer, lexer->at, lexer->at + 1, "f-string: single '}' is not allowed",
                  "f-string：不允许单独的 '}'");
        lexer->at++;
    }
}

/* A line end in the text of a single-quoted f-string. Python 3.12 takes one in a format spec when
 * the field closes next. */
static bool line_end_before_brace(Lexer *lexer, const FString *fstring)
{
    size_t at = lexer->at;
    while (at < lexer->end && (is_blank(lexer->text[at]) || lexer->text[at] == '\n')) {
        at++;
    }
    if (fstring->field_count == 0 || lexer->text[at] != '}') {
        return false;
    }
    lexer->at = at;
    return true;
}

static size_t text_backslash(Lexer *lexer, const FString *fstring, size_t at)
{
    char next = lexer->text[at + 1];
    if (next == '{' || next == '}') {
        return at + 1;
    }
    size_t end = fstring->raw ? at + 2 : lex_escape(lexer, at, false);
    if (lexer->text[end - 1] == '\n') {
        lexer->line_start = end;
    }
    return end;
}

void lex_fstring_text(Lexer *lexer)
{
    FString *fstring = lex_fstring(lexer);
    const char *text = lexer->text;
    size_t at = lexer->at;
    for (;;) {
        char c = text[at];
        while (c != fstring->quote && c != '\\' && c != '\n' && c != '{' && c != '}') {
            c = text[++at];
        }
        lexer->at = at;
        if (at >= lexer->end) {
            lexer->at = lexer->end;
            lex_fstring_abandon(lexer);
            return;
        }
        if (c == '\\') {
            at = text_backslash(lexer, fstring, at);
            at = at < lexer->end ? at : lexer->end;
        } else if (c == '{' && text[at + 1] == '{' && fstring->field_count == 0) {
            at += 2;
        } else if (c == '{') {
            open_field(lexer, fstring);
            return;
        } else if (c == '}') {
            close_brace(lexer, fstring);
            at = lexer->at;
            if (!lex_in_fstring_text(lexer)) {
                return;
            }
        } else if (c == '\n' && fstring->triple) {
            lexer->line_start = ++at;
        } else if (c == '\n') {
            if (!line_end_before_brace(lexer, fstring)) {
                lex_fstring_abandon(lexer);
                return;
            }
            at = lexer->at;
        } else if (fstring->triple && (text[at + 1] != c || text[at + 2] != c)) {
            at++;
        } else {
            if (fstring->field_count > 0) {
                size_t open = fstring_field(fstring)->open;
                lex_error(lexer, open, open + 1, "f-string: expecting '}'", "f-string：缺少 '}'");
            }
            lexer->at = at + (fstring->triple ? 3 : 1);
            end_fstring(lexer);
            return;
        }
    }
}

static FStringField *field_at_own_level(Lexer *lexer)
{
    FString *fstring = lex_fstring(lexer);
    FStringField *field = fstring == NULL ? NULL : fstring_field(fstring);
    return field != NULL && field->bracket_base == lexer->bracket_count ? field : NULL;
}

static void check_expression(Lexer *lexer)
{
    if (lexer->previous == PREVIOUS_NONE) {
        char c = lexer->text[lexer->at];
        lex_error(lexer, lexer->at, lexer->at + 1,
                  "f-string: valid expression required before '%c'", "f-string:'%c' 之前缺少表达式",
                  c);
    }
}

bool lex_field_close(Lexer *lexer)
{
    FStringField *field = field_at_own_level(lexer);
    if (field == NULL || lexer->text[lexer->at] != '}') {
        return false;
    }
    check_expression(lexer);
    lexer->at++;
    lex_fstring(lexer)->field_count--;
    return true;
}

bool lex_field_colon(Lexer *lexer)
{
    FStringField *field = field_at_own_level(lexer);
    if (field == NULL) {
        return false;
    }
    check_expression(lexer);
    if (field->saw_lambda) {
        lex_error(lexer, field->open, lexer->at + 1,
                  "f-string: lambda expressions are not allowed without parentheses",
                  "f-string:lambda 表达式必须加括号");
    }
    field->in_spec = true;
    lexer->at++;
    return true;
}

bool lex_field_bang(Lexer *lexer)
{
    FStringField *field = field_at_own_level(lexer);
    if (field == NULL) {
        return false;
    }
    check_expression(lexer);
    size_t start = ++lexer->at;
    while (class_of(lexer->text[lexer->at]) <= CLASS_DIGIT) {
        lexer->at++;
    }
    size_t length = lexer->at - start;
    char c = lexer->text[start];
    if (length == 0 && is_blank(c)) {
        lex_error(lexer, start, start + 1,
                  "f-string: conversion type must come right after the exclamation mark",
                  "f-string：转换类型必须紧跟在感叹号之后");
    } else if (length == 0) {
        lex_error(lexer, start, start + 1, "f-string: missing conversion character",
                  "f-string：缺少转换字符");
    } else if (length != 1 || (c != 's' && c != 'r' && c != 'a')) {
        lex_error(lexer, start, lexer->at,
                  "f-string: invalid conversion character '%.*s': expected 's', 'r', or 'a'",
                  "f-string：无效的转换字符 '%.*s'，应为 's'、'r' 或 'a'",
                  (int)(length > 40 ? 40 : length), lexer->text + start);
    }
    field->state = FIELD_CONVERTED;
    lexer->previous = PREVIOUS_OPERATOR;
    lexer->previous_start = start;
    lexer->previous_end = lexer->at;
    return true;
}

bool lex_field_cut_off(Lexer *lexer, size_t start)
{
    FString *fstring = lex_fstring(lexer);
    size_t at = lexer->at;
    char quote = lexer->text[at];
    bool triple = lexer->text[at + 1] == quote && lexer->text[at + 2] == quote;
    if (start != at || quote != fstring->quote || triple != fstring->triple ||
        lexer->previous < PREVIOUS_NAME || lexer->previous >= PREVIOUS_STRING) {
        return false;
    }
    if (lexer->previous == PREVIOUS_NAME) {
        Str name = str_slice(lexer->source->text, lexer->previous_start, lexer->previous_end);
        if (lex_keyword(name.at, name.length) & KEYWORD_WORD) {
            return false;
        }
    }
    FStringField *field = fstring_field(fstring);
    lex_error(lexer, field->open, field->open + 1, "f-string: expecting '}'", "f-string：缺少 '}'");
    lexer->bracket_count = fstring->fields[0].bracket_base;
    lexer->at += triple ? 3 : 1;
    end_fstring(lexer);
    return true;
}
