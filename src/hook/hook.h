/* Hooks: what an editor's agent asks around its tool calls, and what it is told. What users see is
 * described in docs/hooks.md; the parts are hook_input (the event's text), hook_event (its fields),
 * one file for each hook, hook_block (the words) and hook_answer (the JSON). */
#ifndef PYPTO_LINT_HOOK_HOOK_H
#define PYPTO_LINT_HOOK_HOOK_H

#include "metrics/metrics.h"

typedef enum HookName {
    HOOK_NAME_POST_EDIT,
    HOOK_NAME_PRE_EDIT,
    HOOK_NAME_POST_BASH,
    HOOK_NAME_STOP,
    HOOK_NAME_SESSION_START, /* in the common form only */
    HOOK_NAME_UNKNOWN,       /* one that a newer version may know; nothing is checked */
} HookName;

/* Who asks. It decides only what the common form of the answer leaves open. */
typedef enum HookClient {
    CLIENT_UNKNOWN, /* to be found out from the event and the environment */
    CLIENT_CLAUDE,
    CLIENT_CODEX,
    CLIENT_GEMINI,
    CLIENT_OPENCODE,
} HookClient;

typedef struct HookCall {
    HookName name;
    bool old_form; /* `--hook`: the Python linter's answers and exit statuses */
    HookClient client;
    Lang lang;
    Str wants;        /* session-start: the version that wrote the settings; may be empty */
    Str remark;       /* about the call itself, told with any answer; may be empty */
    Str working_dir;  /* of the process, absolute */
    Metrics *metrics; /* gets what was run; may be NULL */
} HookCall;

/* What to print and how to exit. Either text may be empty. */
typedef struct HookAnswer {
    Str out, err;
    int status;
} HookAnswer;

/* Reads the event (standard input, else PYPTO_OP_LINT_HOOK_INPUT) and answers it. Never fails: what
 * goes wrong is part of the answer. A crash or a run beyond the time limit of the hook ends the
 * process with an answer of its own on standard output. The texts are in the arena. */
HookAnswer hook_run(Arena *arena, const HookCall *call);

#endif
