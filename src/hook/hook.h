/* Hooks: what an editor's agent asks around its tool calls, and what it reads in return.
 * docs/agents/hooks.md describes what users see. The parts: hook_input (the event's text), clients/
 * (its fields, and the JSON of the answer), one file for each hook, hook_block (the words). */
#ifndef PYPTO_LINT_HOOK_HOOK_H
#define PYPTO_LINT_HOOK_HOOK_H

#include "clients/client.h"
#include "metrics/metrics.h"

typedef struct HookCall {
    HookName name;
    bool old_form;        /* `--hook`: the Python linter's answers and exit statuses */
    const Client *client; /* who asks; NULL: to be found by the event and the environment */
    Lang lang;
    Str wants;        /* session-start: the version that wrote the settings; may be empty */
    Str remark;       /* about the call itself, part of any answer; may be empty */
    Str working_dir;  /* of the process, absolute */
    bool statistics;  /* the answer says how far kernels were evaluated */
    Metrics *metrics; /* gets what was run; may be NULL */
} HookCall;

/* What to print and how to exit. Either text may be empty. */
typedef struct HookAnswer {
    Str out, err;
    int status;
} HookAnswer;

/* Reads the event (standard input, else PYPTO_OP_LINT_HOOK_INPUT) and answers it. Never fails: the
 * answer says what went wrong. A crash or a run beyond the time limit of the hook ends the
 * process with an answer of its own on standard output. The texts are in the arena. */
HookAnswer hook_run(Arena *arena, const HookCall *call);

#endif
