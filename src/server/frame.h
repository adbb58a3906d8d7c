/* Frame: messages in a stream of bytes, each after headers that state its length. */
#ifndef PYPTO_LINT_SERVER_FRAME_H
#define PYPTO_LINT_SERVER_FRAME_H

#include "base/str.h"

enum {
    FRAME_MOST_HEADERS = 8 * 1024,
    FRAME_MOST_BYTES = 128 * 1024 * 1024,
};

/* Bytes that have been read; the first `used` of them are consumed. */
typedef struct FrameReader {
    char *at; /* malloc */
    size_t length, capacity, used;
} FrameReader;

typedef enum FrameStatus {
    FRAME_NONE,   /* no complete message yet */
    FRAME_WHOLE,  /* a message */
    FRAME_BROKEN, /* it is impossible to tell where the next message begins */
} FrameStatus;

/* Room for at least `wanted` bytes after those already read; NULL when memory runs out. Report with
 * frame_filled how many were read into it. */
char *frame_room(FrameReader *reader, size_t wanted);
static inline void frame_filled(FrameReader *reader, size_t count)
{
    reader->length += count;
}
/* Takes the next message, which is valid until the next frame_room. `*error` says in English why
 * the stream is broken, else it is NULL. */
FrameStatus frame_next(FrameReader *reader, Str *message, const char **error);
void frame_free(FrameReader *reader);

#endif
