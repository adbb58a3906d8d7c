/* Options as rows of a table, from which reading, help and completions are made.
 *
 * `--name value`, `--name=value`, `-j value`, `-jvalue`, flags without a value. When an option is
 * given twice, the last one counts, unless its reader collects them. */
#ifndef PYPTO_LINT_CLI_OPTION_H
#define PYPTO_LINT_CLI_OPTION_H

#include "lint/rule.h"

#include <stddef.h>

/* What becomes of the value, and so the type of the option's member. */
typedef enum OptionKind {
    OPTION_FLAG,     /* bool: set; the option takes no value */
    OPTION_TEXT,     /* Str: the value, which may not be empty */
    OPTION_OPTIONAL, /* Str: the value, given with `=` only; "all" without one */
    OPTION_NUMBER,   /* uint32_t: decimal digits */
    OPTION_WORD,     /* Str: one of the option's words */
    OPTION_CHOICE,   /* an enum: which of its words it is, from 0 on */
    OPTION_READ,     /* whatever `read` does with it */
} OptionKind;

/* Takes a value into `options`; `offset` is the row's. False with the reason in `*error`. */
typedef bool OptionReader(void *options, Arena *arena, Str value, Str *error);

/* Appends the words that the value may be, one a line, for completions and help. */
typedef void OptionWords(Buf *out);

typedef struct Option {
    const char *name;     /* with its dashes; other spellings before it: "-y, --yes" */
    const char *argument; /* shown in help; NULL for a flag */
    OptionKind kind;
    size_t offset;      /* of its member in the command's struct of options */
    Text help;          /* English NULL: the words; with a ";" first: after the words */
    OptionReader *read; /* OPTION_READ */
    OptionWords *words; /* NULL: those in `argument`, which has them as "one|two|three" */
} Option;

typedef struct OptionTable {
    const Option *rows;
    size_t count;
    OptionWords *words;   /* that may be the other arguments; NULL: files */
    uint32_t most_words;  /* how many there may be */
    bool program_follows; /* at the first word or -m, which begin a program's command line */
} OptionTable;

#define OPTION_TABLE(list, ...)                                                                    \
    {                                                                                              \
        .rows = (list), .count = sizeof(list) / sizeof *(list), __VA_ARGS__                        \
    }

/* Rows. `Type` is the struct of options, `member` its member. */
#define OPTION_ROW(Type, member, shown, value, what, en, zh)                                       \
    {                                                                                              \
        .name = (shown), .argument = (value), .kind = (what), .offset = offsetof(Type, member),    \
        .help = {                                                                                  \
            en,                                                                                    \
            zh                                                                                     \
        }                                                                                          \
    }
#define FLAG_ROW(Type, member, name, en, zh)                                                       \
    OPTION_ROW(Type, member, name, NULL, OPTION_FLAG, en, zh)
#define TEXT_ROW(Type, member, name, argument, en, zh)                                             \
    OPTION_ROW(Type, member, name, argument, OPTION_TEXT, en, zh)
#define OPTIONAL_ROW(Type, member, name, argument, en, zh)                                         \
    OPTION_ROW(Type, member, name, "[=" argument "]", OPTION_OPTIONAL, en, zh)
#define NUMBER_ROW(Type, member, name, argument, en, zh)                                           \
    OPTION_ROW(Type, member, name, argument, OPTION_NUMBER, en, zh)
#define WORD_ROW(Type, member, name, argument, en, zh)                                             \
    OPTION_ROW(Type, member, name, argument, OPTION_WORD, en, zh)
#define CHOICE_ROW(Type, member, name, argument, en, zh)                                           \
    OPTION_ROW(Type, member, name, argument, OPTION_CHOICE, en, zh)
#define LANG_ROW(Type, member)                                                                     \
    CHOICE_ROW(Type, member, "--lang", "en|zh", "language of messages", "消息的语言")
#define READ_ROW(reader, shown, value, en, zh)                                                     \
    {                                                                                              \
        .name = (shown), .argument = (value), .kind = OPTION_READ, .read = (reader), .help = {     \
            en,                                                                                    \
            zh                                                                                     \
        }                                                                                          \
    }

/* Must it have a value? */
bool option_takes_value(const Option *option);

/* Takes the option at argv[*index], with its value; `*index` moves to the last argument that it
 * used. False with the reason in `*error`, which is empty when there is no such option. */
bool option_take(const OptionTable *table, Arena *arena, void *options, int argc, char **argv,
                 int *index, Str *error);

/* Reads a number of decimal digits that is at most `most`. */
bool option_number(Str text, uint32_t most, uint32_t *number);

/* The help of an option with its words, as "a, b or c". In the arena. */
Str option_help(const Option *option, Arena *arena, Lang lang);

/* Words with commas between them, as in "a, b or c"; in Chinese "a、b 或 c". In the arena. */
Str option_words_text(OptionWords *words, Arena *arena, Lang lang);

/* The words that the value may be, one a line; empty when it may be anything. In the arena. */
Str option_words(const Option *option, Arena *arena);

/* Appends a line for each option. */
void option_table_help(const OptionTable *table, Buf *out, Lang lang);

#endif
