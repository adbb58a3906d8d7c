/* The hooks: by what names they are called, and how long they may take. */
#ifndef PYPTO_LINT_CLIENTS_HOOK_FACTS_H
#define PYPTO_LINT_CLIENTS_HOOK_FACTS_H

typedef enum HookName {
    HOOK_NAME_POST_EDIT,
    HOOK_NAME_PRE_EDIT,
    HOOK_NAME_POST_BASH,
    HOOK_NAME_STOP,
    HOOK_NAME_SESSION_START,
    HOOK_NAME_UNKNOWN, /* one that a newer version may know; nothing is checked */
    HOOK_NAME_COUNT = HOOK_NAME_UNKNOWN
} HookName;

typedef struct HookFacts {
    const char *name;     /* as in `pypto-lint hook NAME` */
    const char *old_name; /* as in `--hook NAME`; NULL: not there */
    const char *event;    /* Claude Code's name of the event */
    /* Limits in seconds: the program answers first, then the shell around it, and only then the
     * client gives up on both. */
    unsigned own_limit, shell_limit, client_limit;
} HookFacts;

extern const HookFacts hook_facts[HOOK_NAME_COUNT + 1];

#endif
