/* Shell quotes: variables, quoted text and substitutions within a word; see shell_lexer.h. */
#include "hook/shell_lexer.h"

/* So that no text grows beyond measure. */
enum { MAX_VARIABLES = 64, MAX_VALUE = 1024 };

/* --- variables */

void shell_set_variable(Lexer *lexer, Str name, Str value)
{
    ShellVariable variable = {name, value};
    if (name.length > 0 && value.length <= MAX_VALUE &&
        lexer->shell->variables.count < MAX_VARIABLES) {
        VEC_PUSH(lexer->arena, &lexer->shell->variables, variable);
    }
}

/* The newest value; false when there is none. */
static bool find_variable(const Lexer *lexer, Str name, Str *value)
{
    for (uint32_t i = lexer->shell->variables.count; i > 0; i--) {
        if (str_equal(lexer->shell->variables.items[i - 1].name, name)) {
            *value = lexer->shell->variables.items[i - 1].value;
            return true;
        }
    }
    return false;
}

/* At the operator in ${NAME:-…}: is the text after it taken, which is the default when the variable
 * has no value and the alternative (+) when it may have one? */
static bool takes_default(const Lexer *lexer, bool known, Str value)
{
    bool colon = at(lexer, 0) == ':';
    char sign = at(lexer, colon ? 1 : 0);
    bool absent = !known || (colon && value.length == 0);
    return sign == '+' || ((sign == '-' || sign == '=') && absent);
}

/* To the place after the `}` that ends the `${` before. */
static void skip_braces(Lexer *lexer)
{
    for (size_t depth = 1; depth > 0 && lexer->at < lexer->text.length; lexer->at++) {
        depth += at(lexer, 0) == '{';
        depth -= at(lexer, 0) == '}';
    }
}

/* At `$`: NAME or {NAME…}. An unknown one stays as it is written; a default is read like the rest
 * of the word, up to its `}`. */
static void read_variable(Lexer *lexer)
{
    size_t start = lexer->at;
    bool braces = at(lexer, 1) == '{';
    lexer->at += braces ? 2 : 1;
    size_t name_start = lexer->at;
    while (is_word_char(at(lexer, 0))) {
        lexer->at++;
    }
    Str name = str_slice(lexer->text, name_start, lexer->at), value = STR("");
    bool known = find_variable(lexer, name, &value) && value.length <= lexer->room;
    lexer->in_word = true;
    if (braces && name.length > 0 && takes_default(lexer, known, value)) {
        lexer->at += at(lexer, 0) == ':' ? 2 : 1;
        lexer->defaults++;
        return;
    }
    if (braces) {
        skip_braces(lexer);
    }
    if (known) {
        lexer->room -= value.length;
    } else {
        value = str_slice(lexer->text, start, lexer->at);
    }
    buf_add(&lexer->word, value);
}

bool shell_ends_default(Lexer *lexer)
{
    bool end = at(lexer, 0) == '}' && lexer->defaults > 0;
    lexer->defaults -= end;
    lexer->at += end;
    return end;
}

/* --- quotes and substitutions */

/* Moves to the end of the quoted text that begins here. */
static void skip_quoted(Lexer *lexer, char quote)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != quote) {
        lexer->at += quote != '\'' && at(lexer, 0) == '\\' ? 2 : 1;
    }
    lexer->at++;
}

/* A text in brackets, which begins at an opening one; handed out. */
void shell_read_nested(Lexer *lexer)
{
    size_t start = lexer->at + 1, depth = 0;
    while (lexer->at < lexer->text.length) {
        char c = at(lexer, 0);
        if (c == '\'' || c == '"' || c == '`') {
            skip_quoted(lexer, c);
            continue;
        }
        lexer->at += c == '\\' ? 2 : 1;
        depth += c == '(';
        depth -= c == ')';
        if (depth == 0) {
            break;
        }
    }
    Str inner = str_slice(lexer->text, start, lexer->at - (depth == 0));
    VEC_PUSH(lexer->arena, &lexer->shell->nested, inner);
    lexer->in_word = true;
}

void shell_read_backquoted(Lexer *lexer)
{
    size_t start = lexer->at + 1;
    skip_quoted(lexer, '`');
    size_t end = lexer->at > lexer->text.length ? lexer->text.length : lexer->at - 1;
    Str inner = str_slice(lexer->text, start, end);
    VEC_PUSH(lexer->arena, &lexer->shell->nested, inner);
    lexer->in_word = true;
}

static void read_double_quoted(Lexer *lexer)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != '"') {
        char c = at(lexer, 0);
        if (c == '$') {
            shell_read_dollar(lexer);
        } else if (c == '`') {
            shell_read_backquoted(lexer);
        } else if (!shell_ends_default(lexer)) {
            bool escape =
                c == '\\' && at(lexer, 1) != '\0' && strchr("$`\"\\\n", at(lexer, 1)) != NULL;
            add(lexer, at(lexer, escape ? 1 : 0));
            lexer->at += escape ? 2 : 1;
        }
    }
    lexer->at++;
}

void shell_read_single_quoted(Lexer *lexer, bool escapes)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != '\'') {
        if (escapes && at(lexer, 0) == '\\') {
            lexer->at = shell_add_escape(&lexer->word, lexer->text, lexer->at + 1);
        } else {
            add(lexer, at(lexer, 0));
            lexer->at++;
        }
    }
    lexer->at++;
}

void shell_read_dollar(Lexer *lexer)
{
    char next = at(lexer, 1);
    if (next == '(') {
        lexer->at++;
        shell_read_nested(lexer);
    } else if (next == '{' || is_word_char(next)) {
        read_variable(lexer);
    } else {
        add(lexer, '$');
        lexer->at++;
    }
}

void shell_read_quoted(Lexer *lexer, char quote)
{
    lexer->in_word = lexer->quoted = true;
    if (quote == '"') {
        read_double_quoted(lexer);
    } else {
        shell_read_single_quoted(lexer, false);
    }
}
