/* Answer: the outcome of a hook, as the JSON that the client acts on. */
#ifndef PYPTO_LINT_CLIENTS_ANSWER_H
#define PYPTO_LINT_CLIENTS_ANSWER_H

#include "clients/event.h"

typedef enum Decision {
    DECIDE_NOTHING, /* only the context matters */
    DECIDE_ALLOW,   /* the same; the old form says "allow" */
    DECIDE_BLOCK,
} Decision;

typedef struct HookOutcome {
    Decision decision;
    Str reason;       /* of a block */
    Str context;      /* or empty */
    bool tool_failed; /* the event is the one about a failed tool call */
    bool to_user;     /* show `context` to the user only: an agent that saw it would continue */
    bool to_both;     /* show `context` to the user as well as to the agent */
    Str event_name;   /* the event's name, if no hook of this program is for it; else empty */
} HookOutcome;

/* Appends the answer as one line. `client` NULL: unknown. */
void answer_add(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome);

/* Appends "key":"value"; for clients whose answers have a form of their own. */
void answer_add_member(Buf *out, const char *key, Str value);

/* The name of the event that the answer has to repeat; not copied. */
const char *answer_event_name(HookName hook, const HookOutcome *outcome);

#endif
