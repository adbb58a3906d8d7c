/* Completion scripts, one file a shell. They are made from the tables of commands and options, so
 * they name what this version of the program knows. */
#ifndef PYPTO_LINT_CLI_COMPLETIONS_H
#define PYPTO_LINT_CLI_COMPLETIONS_H

#include "cli/command.h"

/* What completes the value of an option. */
typedef enum ValueKind {
    VALUE_NONE, /* a flag has none */
    VALUE_ANY,  /* anything, so nothing to offer */
    VALUE_FILE,
    VALUE_DIRECTORY,
    VALUE_WORD, /* one of the option's words */
    VALUE_LIST, /* some of them, with commas between */
} ValueKind;

typedef struct Value {
    ValueKind kind;
    Str words; /* with blanks between */
} Value;

Value option_value(const Option *option, Arena *arena);

/* The words that the arguments of a command may be, with blanks between; empty: files. */
Str command_words(const Command *command, Arena *arena);

/* Moves on to the next spelling in "-y, --yes"; `*at` begins at 0. False at the end. */
bool option_spelling(const Option *option, size_t *at, Str *spelling);

/* Append the script for a shell. */
typedef void CompletionScript(Buf *out);
CompletionScript completions_bash, completions_zsh, completions_fish;

#endif
