/* Frame: messages in a stream of bytes, each behind headers that tell its length. */
#ifndef PYPTO_LINT_SERVER_FRAME_H
#define PYPTO_LINT_SERVER_FRAME_H

#include "base/str.h"

enum {
    FRAME_MOST_HEADERS = 8 * 1024,
    FRAME_MOST_BYTES = 128 * 1024 * 1024,
};

/* Bytes that have come and are not used up. */
typedef struct FrameReader {
    char *at; /* malloc */
    size_t length, capacity, used;
} FrameReader;

typedef enum FrameStatus {
    FRAME_NONE,   /* more bytes are needed */
    FRAME_WHOLE,  /* a message */
    FRAME_BROKEN, /* no way to tell where the next message begins */
} FrameStatus;

/* Room for at least `wanted` bytes behind what is there; NULL when memory runs out. frame_filled
 * says how many have come. */
char *frame_room(FrameReader *reader, size_t wanted);
static inline void frame_filled(FrameReader *reader, size_t count)
{
    reader->length += count;
}
/* The next message; it stays valid until frame_room. `*error` says in English why it is broken. */
FrameStatus frame_next(FrameReader *reader, Str *message, const char **error);
void frame_free(FrameReader *reader);

#endif
