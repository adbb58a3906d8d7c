/* Shell lexer: what reading words and reading what is quoted in them share. Private to
 * shell_words.c and shell_quote.c. */
#ifndef PYPTO_LINT_HOOK_SHELL_LEXER_H
#define PYPTO_LINT_HOOK_SHELL_LEXER_H

#include "base/ascii.h"
#include "hook/shell_expand.h"
#include "hook/shell_words.h"

typedef enum Pending {
    PENDING_NOTHING,
    PENDING_WRITE, /* the next word is a file that is written */
    PENDING_READ,
    PENDING_DOCUMENT, /* it ends a here-document */
    PENDING_STRING,   /* it is the input */
} Pending;

typedef struct HereDocument {
    uint32_t command;
    Str end;
    bool tabs; /* <<-: tabs before lines do not count */
} HereDocument;

typedef struct Lexer {
    ShellText *shell;
    Arena *arena;
    Str text, unknown;
    size_t at, room;   /* for what is put in: values, words from braces */
    uint32_t defaults; /* open ones: ${NAME:-… */
    ShellCommand command;
    Buf word;
    bool in_word, quoted; /* a part of the word was quoted */
    bool braces;          /* it has unquoted braces */
    bool in_loop;         /* after `for` */
    Pending pending;
    VEC(HereDocument) documents; /* that begin on the next line */
} Lexer;

static inline char at(const Lexer *lexer, size_t offset)
{
    size_t place = lexer->at + offset;
    return place < lexer->text.length ? lexer->text.at[place] : '\0';
}

static inline void add(Lexer *lexer, char c)
{
    bool mark = c >= BRACE_OPEN && c <= BRACE_CLOSE;
    buf_add_char(&lexer->word, mark ? '?' : c);
    lexer->in_word = true;
}

/* Keeps a value, up to a limit. */
void shell_set_variable(Lexer *lexer, Str name, Str value);
/* Is this the end of a default, ${NAME:-…}? Then it is passed over. */
bool shell_ends_default(Lexer *lexer);

/* At an opening bracket, at a backquote: the commands there are handed out. */
void shell_read_nested(Lexer *lexer);
void shell_read_backquoted(Lexer *lexer);
/* At `$`. */
void shell_read_dollar(Lexer *lexer);
/* At a quote. */
void shell_read_quoted(Lexer *lexer, char quote);
void shell_read_single_quoted(Lexer *lexer, bool escapes);

#endif
