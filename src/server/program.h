/* Program: a run of this program that the user has asked for. Its output lines go to the client as
 * progress. */
#ifndef PYPTO_LINT_SERVER_PROGRAM_H
#define PYPTO_LINT_SERVER_PROGRAM_H

#include "base/str.h"

#include <sys/types.h>

typedef struct Program {
    struct Program *next;
    pid_t pid;
    int out;          /* its output */
    char *id, *token; /* of the request; of the progress; both JSON */
    bool cancelled;
    int64_t deadline; /* if cancelled: when (clock_ms) its remaining processes are killed */
    char tail[8192];  /* the end of its output */
    size_t tail_length;
    size_t line_start; /* in `tail`: where the incomplete line begins */
} Program;

#endif
