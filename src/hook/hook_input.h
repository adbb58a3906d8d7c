/* Hook input: the text of the event, from standard input or the environment. */
#ifndef PYPTO_LINT_HOOK_HOOK_INPUT_H
#define PYPTO_LINT_HOOK_HOOK_INPUT_H

#include "base/str.h"

/* Most bytes of an event, which has the whole text that the agent writes, often twice. */
enum { HOOK_INPUT_LIMIT = 256 * 1024 * 1024 };
/* The longest pause of the writer, and the longest time for all of it. */
enum { HOOK_INPUT_PAUSE_MS = 5000, HOOK_INPUT_TOTAL_MS = 8000 };

typedef enum HookInputState {
    HOOK_INPUT_COMPLETE,
    HOOK_INPUT_LATE,      /* the writer did not end in time: `text` is what had come */
    HOOK_INPUT_TOO_LARGE, /* `text` is empty */
} HookInputState;

typedef struct HookInput {
    HookInputState state;
    char *memory; /* of the text, for free(); may be NULL */
    Str text;     /* blank when there is no event */
} HookInput;

/* Reads `fd` to its end, or takes `variable` (may be NULL): a closed descriptor or a terminal means
 * the variable. With a non-blank variable the descriptor counts only if it is readable at once and
 * not blank; without one, this waits for the descriptor. */
HookInput hook_input_read(int fd, const char *variable);

#endif
