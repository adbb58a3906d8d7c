/* The hooks of Claude Code, Codex and Gemini CLI: entries in a JSON file of one shape,
 * {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}. */
#ifndef PYPTO_LINT_INIT_JSON_HOOKS_H
#define PYPTO_LINT_INIT_JSON_HOOKS_H

#include "document/json_document.h"

typedef struct HooksChange {
    Str text;          /* the whole file afterwards; as before when nothing was to be done */
    const char *wrong; /* the member that has not the shape above ("" = the root), else NULL */
    bool twice;        /* `wrong` is there more than once */
    bool empty;        /* afterwards: nothing is left in it */
    uint32_t foreign; /* calls of the program in a form that we do not write; they are left alone */
} HooksChange;

/* Adds what is missing of `wanted` (the text of one of our files in hooks/). `program`: the shell
 * word that calls the linter. An event for which the program is called already gets no second
 * call; a call that an older version wrote becomes ours. */
HooksChange hooks_add(Arena *arena, const JsonDocument *settings, Str wanted, Str program);

/* `wanted` as a file of its own. */
Str hooks_new(Arena *arena, Str wanted, Str program);

/* Takes the calls of the program out, with containers that hold nothing else. */
HooksChange hooks_remove(Arena *arena, const JsonDocument *settings);

#endif
