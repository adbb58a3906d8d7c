/* Inside of the lexer: the state that its files share. Nobody else includes this.
 *
 * The text being read is the cleaned copy itself: line ends are LF from the start, comments and
 * continuations turn into blanks once they have been read. An LF and a NUL stand after the end, so
 * a scan that stops at LF needs no bounds check. */
#ifndef PYPTO_LINT_PYTHON_LEX_H
#define PYPTO_LINT_PYTHON_LEX_H

#include "base/ascii.h"
#include "python/lexer.h"

/* Up to CLASS_DIGIT: may stand inside a name. Up to CLASS_HIGH: may begin one. */
typedef enum CharClass {
    CLASS_NAME,
    CLASS_HIGH, /* any byte of a character beyond ASCII */
    CLASS_DIGIT,
    CLASS_BLANK,
    CLASS_NEWLINE,
    CLASS_QUOTE,
    CLASS_OPEN,
    CLASS_CLOSE,
    CLASS_COLON,
    CLASS_DOT,
    CLASS_BANG,
    CLASS_OPERATOR,  /* may be part of a longer operator */
    CLASS_SEPARATOR, /* , ; ~ */
    CLASS_HASH,
    CLASS_BACKSLASH,
    CLASS_ILLEGAL,
} CharClass;

extern const uint8_t lex_class[256];

static inline CharClass class_of(char c)
{
    return (CharClass)lex_class[(unsigned char)c];
}

/* What the token before was, as far as the next one depends on it. */
typedef enum Previous {
    PREVIOUS_NONE, /* the logical line, or the replacement field, begins */
    PREVIOUS_OPERATOR,
    PREVIOUS_COLON,
    PREVIOUS_NAME, /* and every later one ends an operand */
    PREVIOUS_NUMBER,
    PREVIOUS_CLOSE,
    PREVIOUS_STRING,
    PREVIOUS_BYTES,
} Previous;

/* What the logical line before says about the indentation of the next. */
typedef enum Block {
    BLOCK_NONE,   /* no deeper line may follow */
    BLOCK_OPENED, /* a deeper line must follow */
    BLOCK_ANY,    /* it was broken: anything goes */
} Block;

typedef struct Bracket {
    char open;
    size_t at;
    uint32_t lambdas; /* directly in it: lambdas whose colon has not come */
} Bracket;

typedef struct Indent {
    size_t column, alternate; /* tabs to multiples of eight; tabs as one column */
} Indent;

enum {
    LEX_MAX_ERRORS = 100,
    LEX_MAX_FSTRINGS = 150, /* as CPython */
    LEX_MAX_FIELDS = 3,     /* replacement fields inside format specs: `{a:{b:{c}}}` */
};

typedef enum FieldState {
    FIELD_EXPRESSION,
    FIELD_SHOWN,     /* after `=`: only `!`, `:` or `}` may follow */
    FIELD_CONVERTED, /* after `!r`: only `:` or `}` may follow */
} FieldState;

/* A replacement field that has been opened and not closed. */
typedef struct FStringField {
    size_t open;           /* its `{` */
    uint32_t bracket_base; /* how many brackets were open then */
    bool in_spec;          /* its `:` has been passed */
    bool saw_lambda;       /* `lambda` outside brackets */
    FieldState state;
} FStringField;

typedef struct FString {
    size_t start; /* of the prefix */
    char quote;
    bool triple, raw;
    uint32_t field_count;
    FStringField fields[LEX_MAX_FIELDS];
} FString;

typedef struct Lexer {
    Lexed *out;
    Arena *arena;
    const Source *source;
    char *text; /* out->clean while it is being made */
    size_t at, end;
    size_t line_start; /* of the physical line */

    Previous previous;
    size_t previous_start, previous_end;

    /* The logical line: its first token, whether a colon stood outside brackets, whether an error
     * did. */
    size_t first_start, first_end;
    bool saw_colon, broken;
    char before_name; /* PREVIOUS_NAME: first character of the operator before it, else NUL */
    Block block;

    Bracket brackets[LEX_MAX_BRACKETS];
    uint32_t bracket_count;
    bool brackets_unsure; /* an error may have swallowed brackets: do not complain about them */
    bool saw_adjacent;    /* two operands side by side have been reported in this logical line */
    size_t adjacent_at;   /* where, when they stand in brackets on two lines; else SIZE_MAX */

    Indent indents[LEX_MAX_INDENTS]; /* [0] is the margin */
    uint32_t indent_count;

    uint32_t lambdas; /* outside brackets: as in Bracket */
    /* In the logical line: `if` stood outside brackets; it is, or has, a type alias. */
    bool saw_guard, in_alias;
    bool judged_type_list; /* the answer for the bracket judged_at */
    size_t judged_at;      /* a bracket, or SIZE_MAX */
    size_t blank_from;     /* of a type parameter's default that is being blanked; else SIZE_MAX */

    FString *fstrings; /* innermost last; NULL until one is met */
    uint32_t fstring_count;

    size_t reported_from, reported_to; /* the physical line of the last error */
} Lexer;

/* The f-string being read, or NULL; its innermost open field, or NULL. */
static inline FString *lex_fstring(Lexer *lexer)
{
    return lexer->fstring_count == 0 ? NULL : &lexer->fstrings[lexer->fstring_count - 1];
}
static inline FStringField *fstring_field(FString *fstring)
{
    return fstring->field_count == 0 ? NULL : &fstring->fields[fstring->field_count - 1];
}
/* True when the text at hand is that of an f-string, not an expression in it. */
static inline bool lex_in_fstring_text(Lexer *lexer)
{
    FString *fstring = lex_fstring(lexer);
    return fstring != NULL && (fstring->field_count == 0 || fstring_field(fstring)->in_spec);
}

/* lex_error.c */

/* Records an error at the byte range, unless the physical line of `start` has one already or there
 * are enough. `zh` takes the same arguments as `en`, in the same order. */
void lex_error(Lexer *lexer, size_t start, size_t end, const char *en, const char *zh, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* Line number of an offset, for messages. */
unsigned lex_line(const Lexer *lexer, size_t offset);
/* "invalid character" for the code point at `at`. */
void lex_error_character(Lexer *lexer, size_t at);
/* A bracket that is never closed: the innermost one. Takes all brackets away. */
void lex_error_unclosed(Lexer *lexer);
/* Two operands side by side: the token from `start` to `end` follows one. Does nothing when that is
 * fine: keywords, and the soft keywords `match`, `case` and `type`. True when reading has resumed
 * at the line's start: then the token is not to be dealt with. */
bool lex_check_adjacent(Lexer *lexer, size_t start, size_t end);
/* Sorts the errors by place. */
void lex_sort_errors(Lexer *lexer);

/* lex_name.c */

typedef enum Keyword {
    KEYWORD_NONE = 0,
    KEYWORD_WORD = 1,      /* a keyword other than None, True and False, which are operands */
    KEYWORD_COMPOUND = 2,  /* begins a line that ends in, or has, a colon */
    KEYWORD_STATEMENT = 4, /* never part of an expression */
    KEYWORD_SUFFIX = 8,    /* may follow a number without a blank */
    KEYWORD_LAMBDA = 16,
    KEYWORD_SOFT = 32, /* match, case, type: may be followed by an operand */
} Keyword;

/* Flags of Keyword for a name. */
unsigned lex_keyword(const char *name, size_t length);
/* Offset of the first character that may not be there in an identifier, or `end`. */
size_t lex_identifier_error(const char *text, size_t start, size_t end);

/* lex_adapt.c: a name, a colon, a single `*` has been read; a `[` is about to be. */
void lex_adapt_name(Lexer *lexer, size_t start, size_t end);
void lex_adapt_colon(Lexer *lexer);
void lex_adapt_star(Lexer *lexer, size_t at);
void lex_adapt_subscript(Lexer *lexer);
/* A single `=`, a colon; then the comma or bracket that ends the type parameter. */
void lex_adapt_type_default(Lexer *lexer, size_t at);
void lex_adapt_type_bound(Lexer *lexer, size_t at);
void lex_adapt_type_end(Lexer *lexer, size_t at);

/* lex_number.c: reads the number at lexer->at, which is a digit or a dot before a digit. */
void lex_number(Lexer *lexer);

/* lex_string.c: reads the string whose prefix begins at `start` and whose quote is at lexer->at. */
void lex_string(Lexer *lexer, size_t start);
/* Checks the escape whose backslash is at `at`; returns the offset after what it covers. */
size_t lex_escape(Lexer *lexer, size_t at, bool bytes);
/* The line is broken off: nothing after lexer->at counts up to the line end. Brackets that the
 * skipped text would have closed are closed. */
void lex_skip_line(Lexer *lexer, size_t from);

/* lex_fstring.c */

/* Begins an f-string; lexer->at is after its opening quote. */
void lex_fstring_open(Lexer *lexer, FString fstring);
/* Reads text of the f-string up to the next field, its end, or an error. */
void lex_fstring_text(Lexer *lexer);
/* The tokens that mean something else in a field, at its own level. Each returns true when it took
 * the character at lexer->at. */
bool lex_field_close(Lexer *lexer);
bool lex_field_colon(Lexer *lexer);
bool lex_field_bang(Lexer *lexer);
/* A quote in a field that can only be the end of the f-string itself: the field is not closed. */
bool lex_field_cut_off(Lexer *lexer, size_t start);
/* The f-strings being read are broken: forgets them and their brackets. */
void lex_fstring_abandon(Lexer *lexer);

/* lex_indent.c */

/* Passes blank lines and comments, then the indentation of a logical line, to its first token.
 * False at the end of the text. */
bool lex_begin_line(Lexer *lexer);
/* The logical line ends before lexer->at: does it have its colon, what must follow? */
void lex_end_line(Lexer *lexer);
/* The text ends. */
void lex_end_text(Lexer *lexer);

/* lex_text.c: the copy of a text that is read, two bytes longer. */
char *lex_copy_text(Arena *arena, Str text);

/* lex_bracket.c: the bracket at lexer->at. */
void lex_open(Lexer *lexer);
void lex_close(Lexer *lexer);

/* A token from `start` to lexer->at has been read. */
static inline void lex_set_previous(Lexer *lexer, Previous previous, size_t start)
{
    lexer->previous = previous;
    lexer->previous_start = start;
    lexer->previous_end = lexer->at;
}

/* lexer.c: the comment at lexer->at; the backslash at lexer->at, outside strings. */
void lex_comment(Lexer *lexer);
void lex_backslash(Lexer *lexer);
/* The token that comes first on this physical line begins a statement, so what was open before is
 * broken: goes back to the start of the line, which begins a new logical one. */
void lex_resume_at_line(Lexer *lexer);

#endif
