/* Git: the one place from which git is started: with a list of arguments, never a shell, with
 * our own settings instead of the repository's (git_repository.h), within a time, and everything it
 * prints collected. */
#ifndef PYPTO_LINT_LINT_GIT_H
#define PYPTO_LINT_LINT_GIT_H

#include "lint/git_repository.h"
#include "lint/rule.h"

enum { GIT_SECONDS = 30, GIT_MAX_OUTPUT = 256 * 1024 * 1024 };

typedef struct GitCall {
    const GitRepository *repository; /* opened; NULL: in no repository, with the folder / */
    const char *const *arguments;    /* the command and what follows it, NULL after the last */
    Str index;                       /* absolute path of the index; empty: that of our directory */
    int in;                          /* what git reads; 0 = nothing */
    bool as_user;     /* with the user's own settings (who commits), else without any */
    Str committer;    /* with as_user: name, LF, address from elsewhere; empty: as git finds them */
    int64_t end;      /* on base/clock.h's clock; 0 = GIT_SECONDS from now */
    int64_t grace_ms; /* how long git may tidy up when the time is over */
    Lang lang;        /* of `error` */
} GitCall;

/* Runs git and waits for it. True with everything from its standard output when it ended with
 * status 0; else `*error` says what was wrong: git is not there, took too long, or what it
 * complained of. Terminated, in the arena.
 *
 * No hook, alias, pager, editor, filter, text conversion, diff program, file monitor, credential
 * helper or signing program of the repository is started; nothing is fetched, nobody is asked. */
bool git_run(Arena *arena, const GitCall *call, Str *out, Str *error);

#endif
