/* The commands: what the program knows about each. commands.def lists them. */
#ifndef PYPTO_LINT_CLI_COMMAND_H
#define PYPTO_LINT_CLI_COMMAND_H

#include "cli/option.h"

typedef struct Command Command;

/* `argv` is what follows the command's name. Returns the exit status, or EXIT_HELP. */
typedef int CommandRun(const Command *self, Arena *arena, int argc, char **argv);

struct Command {
    const char *name;
    const char *usage; /* what may follow the name */
    Text summary;      /* English NULL: for other programs, listed nowhere */
    const char *page; /* of docs/, where users find more; empty: the list of commands says it all */
    const OptionTable *options;
    CommandRun *run;
};

/* The caller is to show the usage of the command and to exit with EXIT_CLEAN. */
enum { EXIT_HELP = -1 };

/* The arguments that are not options. */
typedef struct Words {
    char **items;
    uint32_t count, capacity;
    uint32_t plain; /* those before `--`; an argument after it is a word whatever it looks like */
} Words;

/* Reads the arguments of a command into `*options`, which its table describes, and `*words`.
 * Returns EXIT_CLEAN, else the status with which the command shall end: EXIT_ERROR after a
 * message, or EXIT_HELP for --help and -h. */
int command_read(const Command *self, Arena *arena, void *options, Words *words, int argc,
                 char **argv);

/* --- the commands of the program, made from commands.def */

#define COMMAND(name, id, ...) COMMAND_##id,
enum {
#include "cli/commands.def"
    COMMAND_COUNT
};
#undef COMMAND
#define COMMAND(name, id, ...)                                                                     \
    extern const OptionTable id##_options;                                                         \
    CommandRun command_##id;
#include "cli/commands.def"
#undef COMMAND

extern const Command commands[COMMAND_COUNT];

/* The command of that name, or NULL. */
const Command *command_find(Str name);

/* Is it shown to people? */
bool command_is_listed(const Command *command);

/* Appends usage, summary and options. */
void command_usage_add(Buf *out, const Command *command, Lang lang);

/* Appends the summary and where users find more. */
void command_summary_add(Buf *out, const Command *command, Lang lang);

#endif
