/* Hook answer: what a hook found out, as the JSON that the client acts on. */
#ifndef PYPTO_LINT_HOOK_HOOK_ANSWER_H
#define PYPTO_LINT_HOOK_HOOK_ANSWER_H

#include "hook/hook_event.h"

typedef enum Decision {
    DECIDE_NOTHING, /* only the context is told */
    DECIDE_ALLOW,   /* the same; the old form says "allow" */
    DECIDE_BLOCK,
} Decision;

typedef struct Outcome {
    Decision decision;
    Str reason;       /* of a block */
    Str context;      /* or empty */
    bool tool_failed; /* the event is the one about a failed tool call */
    bool to_user;     /* show `context` to the user, not to the agent: it would go on */
    bool to_both;     /* show `context` to the user as well as to the agent */
    Str event_name;   /* of an event that no hook here is for; else empty */
} Outcome;

/* No output when nothing is decided and there is neither a context nor a remark about the call. */
HookAnswer hook_answer(Arena *arena, const HookCall *call, HookClient client,
                       const Outcome *outcome);

#endif
