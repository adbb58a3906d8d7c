/* ClientFacts: what the client has said about itself, and the settings of the server. */
#ifndef PYPTO_LINT_SERVER_CLIENT_FACTS_H
#define PYPTO_LINT_SERVER_CLIENT_FACTS_H

#include "server/position.h"

typedef struct ClientFacts {
    Encoding encoding;
    Lang lang;
    bool has_lang; /* the language counts more than that of the settings files */
    bool pushes;   /* diagnostics are sent without being asked for */
    bool offers_pull;
    bool takes_related, takes_code_description, takes_data, takes_unnecessary;
    bool takes_related_documents;       /* in the answer to a pull */
    bool takes_versioned_edits;         /* WorkspaceEdit.documentChanges */
    bool takes_action_literals;         /* code actions that are not commands */
    bool takes_progress;                /* window/workDoneProgress/create */
    bool takes_watchers, takes_refresh; /* dynamic registration; workspace/diagnostic/refresh */
    bool markdown;                      /* in hovers */
    bool inlay_hints;
    int64_t check_ms; /* a check may take */
    Str docs_uri;     /* where docs/rules/ is published, or empty */
} ClientFacts;

#endif
