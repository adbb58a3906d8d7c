/* Guard: one question about a shell command, while it is looked at. Private to hook_guard.c, which
 * follows the command, and guard_program.c, which knows what programs do. */
#ifndef PYPTO_LINT_HOOK_GUARD_H
#define PYPTO_LINT_HOOK_GUARD_H

#include "hook/shell_words.h"

typedef struct Guard {
    Arena *arena;
    const HookCall *call;
    bool state;    /* it is the state file that is guarded, not the artifacts */
    bool mentions; /* there is such a name somewhere in the command */
    Str start;     /* where the command starts, absolute; empty when that is not known */
    Str base;      /* where its parts run, after `cd`; likewise */
    Strs scripts;  /* to be looked at: the command, and those in it */
    int depth;     /* of programs that run others: find -exec */
} Guard;

/* Some guarded name, for what is not known. */
Str guard_name(const Guard *guard);
/* The path of a word, absolute; empty when it is not known. */
Str guard_place(const Guard *guard, Str word);
bool guard_is_in_operator(const Guard *guard, Str path);
/* Is it the name of a guarded file, or one in an option (--output=x_impl.py, of=x_impl.py)? */
bool guard_names(const Guard *guard, Str word);
/* Is there such a name in a text, among the words after the first? */
bool guard_text_names(const Guard *guard, Str text);
bool guard_any_names(Guard *guard, const ShellCommand *command);
/* A script is looked at later. */
void guard_push_script(Guard *guard, Str text);

/* Does the command write a guarded file; does its program, with these words? */
bool guard_command_writes(Guard *guard, const ShellCommand *command);
bool guard_program_writes(Guard *guard, const ShellCommand *command);

#endif
