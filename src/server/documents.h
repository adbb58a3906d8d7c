/* Documents: those that the client has open. */
#ifndef PYPTO_LINT_SERVER_DOCUMENTS_H
#define PYPTO_LINT_SERVER_DOCUMENTS_H

#include "server/text.h"

typedef struct OpenDocument {
    char *uri;  /* as the client spells it; malloc */
    char *path; /* absolute; malloc */
    EditedText text;
    int64_t version;
    uint64_t change; /* value of Documents.changes when the text last changed */
    bool lost;       /* its text was too long or memory ran out */
} OpenDocument;

typedef struct Documents {
    OpenDocument *items; /* malloc */
    uint32_t count, capacity;
    uint64_t changes; /* counts all changes so far */
} Documents;

OpenDocument *documents_by_uri(const Documents *documents, Str uri);
OpenDocument *documents_by_path(const Documents *documents, Str path);
/* Opens a document, or sets the text of an open one. NULL when memory runs out; if only the text
 * cannot be kept, the document is `lost`. Pointers are valid until the next open or close. */
OpenDocument *documents_open(Documents *documents, Str uri, Str path, int64_t version, Str text);
void documents_close(Documents *documents, OpenDocument *document);
void documents_free(Documents *documents);

#endif
