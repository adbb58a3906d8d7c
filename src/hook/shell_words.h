/* Shell words: the simple commands of a command line, as far as it takes to see what they write.
 *
 * Knows quotes, here-documents, redirections, substitutions, assignments and loops over words; not
 * functions, arithmetic or expansion of file names. Text with mistakes is read to its end all the
 * same. One pass, no recursion: substitutions are handed out as text. */
#ifndef PYPTO_LINT_HOOK_SHELL_WORDS_H
#define PYPTO_LINT_HOOK_SHELL_WORDS_H

#include "hook/hook.h"

/* One simple command. All texts are without quotes; variables that are known are put in. */
typedef struct ShellCommand {
    Strs words;   /* without assignments and words such as `if` or `do` before it */
    Strs targets; /* files that redirections write */
    Str input;    /* here-documents and here-strings; may be empty */
} ShellCommand;

typedef struct ShellVariable {
    Str name, value;
} ShellVariable;

typedef struct ShellText {
    VEC(ShellCommand) commands;
    Strs nested; /* commands in $(…), `…`, <(…) and >(…) */
    VEC(ShellVariable) variables;
} ShellText;

/* Splits a text into commands, which are appended. Variables of `shell` are known; `unknown` is
 * the value of those that a loop takes from another command. All in the arena. */
void shell_split(ShellText *shell, Arena *arena, Str text, Str unknown);

/* Does the word begin with a hyphen, and not end there? */
bool shell_is_option(Str word);
/* Is one of these characters in the text? */
bool shell_has_any(Str text, const char *set);

#endif
