/* Completion scripts, one file a shell. They are made from the tables of commands and options, so
 * they name what this version of the program knows. */
#ifndef PYPTO_LINT_CLI_COMPLETIONS_H
#define PYPTO_LINT_CLI_COMPLETIONS_H

#include "cli/command.h"

/* What completes the value of an option. */
typedef enum CompletionKind {
    COMPLETE_NONE, /* a flag has none */
    COMPLETE_ANY,  /* anything, so nothing to offer */
    COMPLETE_FILE,
    COMPLETE_DIRECTORY,
    COMPLETE_WORD, /* one of the option's words */
    COMPLETE_LIST, /* some of them, with commas between */
} CompletionKind;

typedef struct Completion {
    CompletionKind kind;
    Str words; /* with blanks between */
} Completion;

Completion option_completion(const Option *option, Arena *arena);

/* The words that the arguments of a command may be, with blanks between; empty: files. */
Str command_words(const Command *command, Arena *arena);

/* Moves on to the next spelling in "-y, --yes"; `*at` begins at 0. False at the end. */
bool option_spelling(const Option *option, size_t *at, Str *spelling);

/* Append the script for a shell. */
typedef void CompletionScript(Buf *out);
CompletionScript completions_bash, completions_zsh, completions_fish;

#endif
