/* Text: the content of an open document, which the client changes piece by piece. */
#ifndef PYPTO_LINT_SERVER_TEXT_H
#define PYPTO_LINT_SERVER_TEXT_H

#include "server/position.h"

enum { TEXT_MOST_BYTES = 64 * 1024 * 1024 }; /* of a document; longer ones are not kept */

typedef struct EditedText {
    char *at; /* malloc; not terminated */
    size_t length, capacity;
    /* A line near the last change: most changes are close to the one before. */
    uint32_t near_line;
    size_t near_start;
} EditedText;

/* Sets the whole text. False when it is too long or memory runs out; the text is then empty. */
bool text_set(EditedText *text, Str content);
/* Replaces a range. An end before the start, and places beyond a line or the text, count as the
 * nearest valid place. False for the same reasons as text_set; the text is then unchanged. */
bool text_replace(EditedText *text, Range range, Str content, Encoding encoding);
void text_free(EditedText *text);

static inline Str text_str(const EditedText *text)
{
    return (Str){text->at == NULL ? "" : text->at, text->length};
}

#endif
