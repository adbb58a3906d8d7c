/* The commands of the program, made from commands.def. */
#ifndef PYPTO_LINT_CLI_COMMANDS_H
#define PYPTO_LINT_CLI_COMMANDS_H

#include "cli/command.h"

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
