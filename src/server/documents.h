/* Documents: what the client has open. */
#ifndef PYPTO_LINT_SERVER_DOCUMENTS_H
#define PYPTO_LINT_SERVER_DOCUMENTS_H

#include "server/text.h"

typedef struct OpenDocument {
    char *uri;  /* as the client writes it; malloc */
    char *path; /* absolute; malloc */
    EditedText text;
    int64_t version;
    uint64_t change; /* of the server's own count: another one for another text */
    bool lost;       /* its text could not be kept */
} OpenDocument;

typedef struct Documents {
    OpenDocument *items; /* malloc */
    uint32_t count, capacity;
    uint64_t changes; /* so far */
} Documents;

OpenDocument *documents_by_uri(const Documents *documents, Str uri);
OpenDocument *documents_by_path(const Documents *documents, Str path);
/* Opens one, or sets the text of one that is open. NULL when memory runs out. */
OpenDocument *documents_open(Documents *documents, Str uri, Str path, int64_t version, Str text);
void documents_close(Documents *documents, OpenDocument *document);
void documents_free(Documents *documents);

#endif
