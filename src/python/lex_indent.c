/* Lexer, indentation: columns, blocks, and what must follow a colon.
 *
 * A column is counted twice, as CPython does: with tabs to multiples of eight, and with tabs as one
 * column. Where the two ways disagree about which line is deeper, the indentation is
 * inconsistent. */
#include "python/lex.h"

/* The leading white space of a logical line. */
typedef struct Margin {
    Indent indent;
    size_t from, to;  /* the characters that count */
    bool continued;   /* a backslash-newline was in it */
    bool from_margin; /* … at column 0 */
} Margin;

static void measure(const Lexer *lexer, size_t from, size_t to, Indent *indent)
{
    *indent = (Indent){0, 0};
    for (size_t i = from; i < to; i++) {
        if (lexer->text[i] == ' ') {
            indent->column++;
            indent->alternate++;
        } else if (lexer->text[i] == '\t') {
            indent->column = (indent->column / 8 + 1) * 8;
            indent->alternate++;
        } else {
            *indent = (Indent){0, 0};
        }
    }
}

/* The end of the white space from `from` to lexer->at, without the blank that stands for the CR of
 * a backslash before CR LF (lex_copy_text). */
static size_t margin_end(const Lexer *lexer, size_t from)
{
    size_t at = lexer->at;
    bool moved = at > from && at < lexer->end && lexer->text[at] == '\\' &&
                 lexer->source->text.at[at] == '\r';
    return moved ? at - 1 : at;
}

/* Passes the white space at lexer->at. Indentation cannot be split: of several lines joined by
 * backslashes the first with any indentation counts. */
static Margin pass_margin(Lexer *lexer)
{
    Margin margin = {.from = lexer->at};
    for (;;) {
        size_t from = lexer->at;
        while (is_blank(lexer->text[lexer->at])) {
            lexer->at++;
        }
        if (margin.indent.column == 0) {
            margin.from = from;
            margin.to = margin_end(lexer, from);
            measure(lexer, from, margin.to, &margin.indent);
        }
        if (lexer->text[lexer->at] != '\\' || lexer->text[lexer->at + 1] != '\n' ||
            lexer->at >= lexer->end) {
            return margin;
        }
        margin.continued = true;
        margin.from_margin |= margin.indent.column == 0;
        lex_backslash(lexer);
    }
}

/* Writes the white space that counts right before the token; form feeds, which set the column back
 * to 0, fill what is before it. */
static void write_margin(Lexer *lexer, size_t start, Margin margin)
{
    size_t length = margin.to - margin.from;
    memmove(lexer->text + lexer->at - length, lexer->text + margin.from, length);
    memset(lexer->text + start, '\f', lexer->at - length - start);
}

static void push_indent(Lexer *lexer, Indent indent)
{
    if (lexer->indent_count < LEX_MAX_INDENTS) {
        lexer->indents[lexer->indent_count++] = indent;
    }
}

static void inconsistent(Lexer *lexer, size_t start)
{
    lex_error(lexer, start, lexer->at, "inconsistent use of tabs and spaces in indentation",
              "缩进中混用了制表符和空格，且不一致");
}

static void indent_block(Lexer *lexer, size_t start, Indent indent)
{
    if (lexer->block == BLOCK_NONE) {
        lex_error(lexer, start, lexer->at, "unexpected indent", "意外的缩进");
    } else if (lexer->indent_count == LEX_MAX_INDENTS) {
        lex_error(lexer, start, lexer->at, "too many levels of indentation", "缩进层数过多");
        lexer->indent_count--;
    } else if (indent.alternate <= lexer->indents[lexer->indent_count - 1].alternate) {
        inconsistent(lexer, start);
    }
    push_indent(lexer, indent);
}

static void dedent_block(Lexer *lexer, size_t start, Indent indent)
{
    while (lexer->indents[lexer->indent_count - 1].column > indent.column) {
        lexer->indent_count--;
    }
    Indent top = lexer->indents[lexer->indent_count - 1];
    if (top.column != indent.column) {
        if (lexer->block != BLOCK_ANY) {
            lex_error(lexer, start, lexer->at,
                      "unindent does not match any outer indentation level",
                      "取消缩进后的位置与任何外层缩进都不一致");
        }
        push_indent(lexer, indent);
    } else if (top.alternate != indent.alternate) {
        inconsistent(lexer, start);
    }
}

static void expect_block(Lexer *lexer, size_t start, size_t end)
{
    lex_error(lexer, start, end, "expected an indented block", "此处应有缩进的代码块");
}

static void apply_indent(Lexer *lexer, size_t start, Indent indent)
{
    Indent top = lexer->indents[lexer->indent_count - 1];
    lexer->broken = false;
    if (lexer->block == BLOCK_OPENED && indent.column <= top.column) {
        expect_block(lexer, lexer->at, lexer->at + 1);
    }
    if (indent.column == top.column) {
        if (indent.alternate != top.alternate) {
            inconsistent(lexer, start);
        }
    } else if (indent.column > top.column) {
        indent_block(lexer, start, indent);
    } else {
        dedent_block(lexer, start, indent);
    }
    lexer->block = BLOCK_NONE;
}

bool lex_begin_line(Lexer *lexer)
{
    while (lexer->at < lexer->end) {
        size_t start = lexer->at;
        lexer->line_start = start;
        Margin margin = pass_margin(lexer);
        char c = lexer->text[lexer->at];
        if (c == '#') {
            lex_comment(lexer);
            c = '\n';
        }
        if (c == '\n') {
            lexer->at++;
            continue;
        }
        if (lexer->at >= lexer->end) {
            break;
        }
        if (margin.continued) {
            /* Python 3.8 takes the column before a backslash in column 0, later ones that of the
             * next line. Both are accepted. */
            Indent top = lexer->indents[lexer->indent_count - 1];
            if (margin.from_margin && margin.indent.column > top.column &&
                lexer->block == BLOCK_NONE) {
                margin = (Margin){.from = lexer->at, .to = lexer->at};
            }
            write_margin(lexer, start, margin);
        }
        apply_indent(lexer, start, margin.indent);
        lexer->first_start = lexer->at;
        lexer->first_end = SIZE_MAX;
        lexer->saw_colon = false;
        lexer->saw_adjacent = false;
        lexer->adjacent_at = SIZE_MAX;
        lexer->previous = PREVIOUS_NONE;
        lexer->previous_end = lexer->at;
        return true;
    }
    return false;
}

void lex_end_line(Lexer *lexer)
{
    lexer->brackets_unsure = false;
    if (lexer->broken) {
        lexer->block = BLOCK_ANY;
        return;
    }
    Str first = str_slice(lexer->source->text, lexer->first_start, lexer->first_end);
    bool ends_in_colon = lexer->previous == PREVIOUS_COLON;
    if (lexer->saw_colon && !ends_in_colon) {
        lexer->block = BLOCK_NONE;
        return;
    }
    unsigned keyword = lex_keyword(first.at, first.length);
    if (ends_in_colon) {
        bool is_header =
            keyword & KEYWORD_COMPOUND || str_is(first, "match") || str_is(first, "case");
        lexer->block = is_header ? BLOCK_OPENED : BLOCK_ANY;
        if (!is_header) {
            lex_error(lexer, lexer->previous_start, lexer->previous_end, "invalid syntax",
                      "语法错误");
        }
        return;
    }
    lexer->block = BLOCK_NONE;
    if (keyword & KEYWORD_COMPOUND) {
        lex_error(lexer, lexer->previous_end, lexer->previous_end, "expected ':'", "此处应为 ':'");
        lexer->block = BLOCK_ANY;
    }
}

void lex_end_text(Lexer *lexer)
{
    if (lexer->bracket_count > 0) {
        lex_error_unclosed(lexer);
    } else if (lexer->block == BLOCK_OPENED) {
        expect_block(lexer, lexer->end, lexer->end);
    }
}
