/* Lexer, errors: one for each broken line, so that one mistake does not bring a flood. */
#include "python/lex.h"

#include "base/utf8.h"

#include <stdlib.h>

unsigned lex_line(const Lexer *lexer, size_t offset)
{
    return source_line(lexer->source, (uint32_t)offset);
}

void lex_error(Lexer *lexer, size_t start, size_t end, const char *en, const char *zh, ...)
{
    lexer->broken = true;
    SyntaxErrors *errors = &lexer->out->errors;
    if (errors->count >= LEX_MAX_ERRORS ||
        (errors->count > 0 && start >= lexer->reported_from && start < lexer->reported_to)) {
        return;
    }
    size_t length = lexer->source->text.length;
    start = start > length ? length : start;
    end = end > length ? length : end;
    uint32_t line = source_line(lexer->source, (uint32_t)start);
    lexer->reported_from = lexer->source->line_starts[line - 1];
    lexer->reported_to =
        line < lexer->source->line_count ? lexer->source->line_starts[line] : SIZE_MAX;
    va_list args;
    va_list args_zh;
    va_start(args, zh);
    va_copy(args_zh, args);
    SyntaxError error = {
        .start = (uint32_t)start,
        .end = (uint32_t)end,
        .message = str_vformat(lexer->arena, en, args),
        .message_zh = str_vformat(lexer->arena, zh, args_zh),
    };
    va_end(args_zh);
    va_end(args);
    VEC_PUSH(lexer->arena, errors, error);
}

/* Control, format, separator and unassigned characters that a person cannot see. */
static bool is_printable(uint32_t c)
{
    static const uint32_t hidden[][2] = {
        {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x61C, 0x61C},      {0x1680, 0x1680},
        {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},    {0x3000, 0x3000},
        {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xE0000, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        if (c >= hidden[i][0] && c <= hidden[i][1]) {
            return false;
        }
    }
    return true;
}

void lex_error_character(Lexer *lexer, size_t at)
{
    size_t next = at;
    uint32_t c = utf8_next(lexer->source->text, &next);
    if (!is_printable(c)) {
        lex_error(lexer, at, next, "invalid non-printable character U+%04X",
                  "非法的不可见字符 U+%04X", (unsigned)c);
        return;
    }
    lex_error(lexer, at, next, "invalid character '%.*s' (U+%04X)", "非法字符 '%.*s'(U+%04X)",
              (int)(next - at), lexer->source->text.at + at, (unsigned)c);
}

void lex_error_unclosed(Lexer *lexer)
{
    SyntaxErrors *errors = &lexer->out->errors;
    Bracket bracket = lexer->brackets[lexer->bracket_count - 1];
    lexer->bracket_count = 0;
    /* The missing bracket makes the next statement stand beside an operand: that is no second
     * error. */
    if (lexer->adjacent_at != SIZE_MAX && errors->count > 0 &&
        errors->items[errors->count - 1].start == lexer->adjacent_at) {
        errors->count--;
        lexer->reported_to = 0;
    }
    lexer->adjacent_at = SIZE_MAX;
    if (!lexer->brackets_unsure) {
        lex_error(lexer, bracket.at, bracket.at + 1, "'%c' was never closed", "'%c' 没有闭合",
                  bracket.open);
    }
    lexer->brackets_unsure = false;
}

static bool is_operand_name(const Lexer *lexer, size_t start, size_t end)
{
    return (lex_keyword(lexer->text + start, end - start) & (KEYWORD_WORD | KEYWORD_SOFT)) == 0;
}

static void report_adjacent(Lexer *lexer, size_t start, size_t end)
{
    Str before = str_slice(lexer->source->text, lexer->previous_start, lexer->previous_end);
    bool old_statement = lexer->previous_start == lexer->first_start &&
                         (str_is(before, "print") || str_is(before, "exec"));
    if (old_statement) {
        lex_error(lexer, lexer->previous_start, end,
                  "Missing parentheses in call to '%.*s'. Did you mean %.*s(...)?",
                  "调用 '%.*s' 缺少括号，应写作 %.*s(...)", STR_ARG(before), STR_ARG(before));
    } else if (lexer->bracket_count == 0 || lexer->fstring_count > 0) {
        lex_error(lexer, start, end, "invalid syntax", "语法错误");
    } else {
        uint32_t count = lexer->out->errors.count;
        lex_error(lexer, lexer->previous_start, end, "invalid syntax. Perhaps you forgot a comma?",
                  "语法错误，可能缺少逗号");
        if (lexer->out->errors.count > count && lexer->previous_end <= lexer->line_start) {
            lexer->adjacent_at = lexer->previous_start;
        }
    }
}

bool lex_check_adjacent(Lexer *lexer, size_t start, size_t end)
{
    bool is_name =
        class_of(lexer->text[start]) <= CLASS_HIGH && class_of(lexer->text[end - 1]) <= CLASS_DIGIT;
    if (is_name && lex_keyword(lexer->text + start, end - start) & KEYWORD_WORD) {
        return false;
    }
    if (lexer->previous == PREVIOUS_NAME &&
        !is_operand_name(lexer, lexer->previous_start, lexer->previous_end)) {
        return false;
    }
    const FString *fstring = lex_fstring(lexer);
    if (fstring != NULL && !fstring->triple && lexer->previous_end <= lexer->line_start) {
        lex_resume_at_line(lexer); /* the f-string's last line had no `}` and no quote */
        return true;
    }
    if (!lexer->saw_adjacent && !lexer->brackets_unsure) {
        lexer->saw_adjacent = true;
        report_adjacent(lexer, start, end);
    }
    return false;
}

static int compare_errors(const void *a, const void *b)
{
    const SyntaxError *left = a;
    const SyntaxError *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

void lex_sort_errors(Lexer *lexer)
{
    SyntaxErrors *errors = &lexer->out->errors;
    if (errors->count > 1) {
        qsort(errors->items, errors->count, sizeof *errors->items, compare_errors);
    }
}
