/* ClientFacts: the client's capabilities, and the settings of the server. */
#ifndef PYPTO_LINT_SERVER_CLIENT_FACTS_H
#define PYPTO_LINT_SERVER_CLIENT_FACTS_H

#include "server/position.h"

/* How diagnostics reach a client that can pull them; all other clients get them pushed. */
typedef enum DiagnosticsWay {
    WAY_BOTH, /* pushed always, and given to a client that pulls */
    WAY_PUSH,
    WAY_PULL,
    WAY_AUTO, /* pushed until the client's first pull, since it may show both side by side */
} DiagnosticsWay;

typedef struct ClientFacts {
    Encoding encoding;
    Lang lang;
    bool has_lang;      /* `lang` overrides the language of settings files */
    DiagnosticsWay way; /* WAY_PUSH for a client that cannot pull */
    bool offers_pull;
    bool takes_related, takes_code_description, takes_data, takes_unnecessary;
    bool takes_related_documents;           /* in the answer to a pull */
    bool takes_versioned_edits;             /* WorkspaceEdit.documentChanges */
    bool takes_action_literals;             /* code actions that are not commands */
    bool takes_progress;                    /* window/workDoneProgress/create */
    bool takes_watchers;                    /* dynamic registration */
    bool takes_refresh, takes_hint_refresh; /* workspace/diagnostic/refresh, …/inlayHint/refresh */
    bool markdown;                          /* in hovers */
    bool inlay_hints;
    int64_t check_ms; /* milliseconds that a check may take */
    Str docs_uri;     /* where docs/rules/ is published, or empty */
} ClientFacts;

#endif
