/* The table of hooks; see hook_facts.h. */
#include "clients/hook_facts.h"

#include <stddef.h>

const HookFacts hook_facts[HOOK_NAME_COUNT + 1] = {
    [HOOK_NAME_POST_EDIT] = {"post-edit", "post-edit", "PostToolUse", 17, 18, 20},
    [HOOK_NAME_PRE_EDIT] = {"pre-edit", "pre-edit-backup", "PreToolUse", 13, 14, 15},
    [HOOK_NAME_POST_BASH] = {"post-bash", "post-bash", "PostToolUse", 8, 9, 10},
    [HOOK_NAME_STOP] = {"stop", "stop", "Stop", 27, 28, 30},
    [HOOK_NAME_SESSION_START] = {"session-start", NULL, "SessionStart", 7, 8, 10},
    [HOOK_NAME_UNKNOWN] = {"hook", NULL, "", 7, 8, 10},
};
