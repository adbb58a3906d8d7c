/* Options of a command as a table, from which reading and help are made.
 *
 * `--name value`, `--name=value`, flags without a value; behind `--` everything is a word. Of an
 * option given twice the last one counts. */
#ifndef PYPTO_LINT_CLI_COMMAND_OPTIONS_H
#define PYPTO_LINT_CLI_COMMAND_OPTIONS_H

#include "cli/cli.h"

typedef enum OptionKind {
    OPTION_TEXT,   /* Str; an empty value is wrong usage */
    OPTION_FLAG,   /* bool */
    OPTION_NUMBER, /* uint32_t, decimal digits */
} OptionKind;

typedef struct CommandOption {
    const char *name;     /* with its dashes */
    const char *argument; /* shown in help; NULL for a flag */
    OptionKind kind;
    size_t offset; /* of its member in the command's struct of options */
    Text help;
} CommandOption;

typedef struct CommandOptions {
    const char *command; /* for messages */
    const CommandOption *table;
    size_t count;
    uint32_t most_words;  /* positional arguments that the command takes */
    bool program_follows; /* at the first word or -m, which begin a program's command line */
} CommandOptions;

typedef VEC(char *) Words;

/* Reads the arguments into `*options`, the rest into `*words`; `*help` is set for --help and -h.
 * False after a message: wrong usage. */
bool command_options_read(const CommandOptions *known, Arena *arena, void *options, Words *words,
                          bool *help, int argc, char **argv);

/* Appends a line for each option. */
void command_options_help(const CommandOptions *known, Buf *out, Lang lang);

/* Prints the help of the command; the exit status. */
int command_show_help(Arena *arena, const char *command);

#endif
