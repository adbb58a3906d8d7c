/* Answer: what a hook found out, as the JSON that the client acts on. */
#ifndef PYPTO_LINT_CLIENTS_ANSWER_H
#define PYPTO_LINT_CLIENTS_ANSWER_H

#include "clients/event.h"

typedef enum Decision {
    DECIDE_NOTHING, /* there is only the context */
    DECIDE_ALLOW,   /* the same; the old form says "allow" */
    DECIDE_BLOCK,
} Decision;

typedef struct HookOutcome {
    Decision decision;
    Str reason;       /* of a block */
    Str context;      /* or empty */
    bool tool_failed; /* the event is the one about a failed tool call */
    bool to_user;     /* show `context` to the user, not to the agent: it would go on */
    bool to_both;     /* show `context` to the user as well as to the agent */
    Str event_name;   /* of an event that belongs to no hook here; else empty */
} HookOutcome;

/* Appends the answer to a client, or to an unknown one (NULL), as one line. */
void answer_add(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome);

/* Appends "key":"value"; for clients whose answers have a form of their own. */
void answer_add_member(Buf *out, const char *key, Str value);

/* The name of the event to be repeated in the answer. */
const char *answer_event_name(HookName hook, const HookOutcome *outcome);

#endif
