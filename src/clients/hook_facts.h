/* The hooks: their names, and how long they may take. */
#ifndef PYPTO_LINT_CLIENTS_HOOK_FACTS_H
#define PYPTO_LINT_CLIENTS_HOOK_FACTS_H

typedef enum HookName {
    HOOK_NAME_POST_EDIT,
    HOOK_NAME_PRE_EDIT,
    HOOK_NAME_POST_BASH,
    HOOK_NAME_STOP,
    HOOK_NAME_SESSION_START,
    HOOK_NAME_UNKNOWN, /* for a hook of a newer version: nothing is checked */
    HOOK_NAME_COUNT = HOOK_NAME_UNKNOWN
} HookName;

typedef struct HookFacts {
    const char *name;     /* as in `pypto-lint hook NAME` */
    const char *old_name; /* as in `--hook NAME`; NULL: none */
    const char *event;    /* Claude Code's name of the event */
    /* Limits in seconds: first the program answers in any case, then the shell around it kills it,
     * and only then the client gives up. */
    unsigned own_limit, shell_limit, client_limit;
} HookFacts;

extern const HookFacts hook_facts[HOOK_NAME_COUNT + 1];

#endif
