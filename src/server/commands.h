/* Commands that a client may ask for, when its user chooses them: they run this program on the
 * user's kernels. */
#ifndef PYPTO_LINT_SERVER_COMMANDS_H
#define PYPTO_LINT_SERVER_COMMANDS_H

#include "server/server.h"

#include <poll.h>

typedef struct ProgramCommand {
    const char *name; /* in the protocol */
    const char *title, *title_zh;
    const char *words[3]; /* of the command line, before the path */
    bool takes_folder;    /* an operator directory, else a Python file */
} ProgramCommand;

enum { COMMAND_RUN, COMMAND_VERIFY };
extern const ProgramCommand program_commands[];
extern const size_t program_command_count;

/* Reads what a program has printed, and answers the client's request when it has ended. */
void program_step(Server *server, Program *program);
/* Kills all running programs. */
void programs_end(Server *server);

#endif
