/* Hooks as entries in a JSON file of the shape that several clients share,
 * {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}. */
#ifndef PYPTO_LINT_INIT_JSON_HOOKS_H
#define PYPTO_LINT_INIT_JSON_HOOKS_H

#include "document/json_document.h"

typedef struct HooksChange {
    Str text;          /* the whole file afterwards; as before when nothing was to be done */
    const char *wrong; /* the member that is not of the shape above ("" = the root), or NULL */
    bool twice;        /* `wrong` is there more than once */
    bool empty;        /* afterwards: nothing is left in it */
    uint32_t foreign; /* calls of the program in a form that we do not write; they are left alone */
} HooksChange;

/* Adds what is missing of `wanted` (settings_text). `program`: the shell word that calls the
 * linter. An event that calls the program already gets no second call; a call that an older version
 * wrote becomes ours. */
HooksChange hooks_add(Arena *arena, const JsonDocument *settings, Str wanted, Str program);

/* `wanted` as a file of its own. */
Str hooks_new(Arena *arena, Str wanted, Str program);

/* Removes the calls of the program, and containers with nothing else in them. */
HooksChange hooks_remove(Arena *arena, const JsonDocument *settings);

#endif
