/* Splits a stream into messages; see frame.h. */
#include "server/frame.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <strings.h>

char *frame_room(FrameReader *reader, size_t wanted)
{
    if (reader->used > 0) {
        reader->length -= reader->used;
        memmove(reader->at, reader->at + reader->used, reader->length);
        reader->used = 0;
    }
    /* After a large message the buffer shrinks again. */
    bool roomy = reader->capacity > 1024 * 1024 && reader->length < reader->capacity / 8;
    if (reader->capacity - reader->length < wanted || roomy) {
        size_t capacity = reader->length + wanted + reader->length / 2;
        char *grown = realloc(reader->at, capacity);
        if (grown == NULL) {
            return NULL;
        }
        reader->at = grown;
        reader->capacity = capacity;
    }
    return reader->at + reader->length;
}

/* The value of a header if it has this name (given with its colon); false for other headers. */
static bool header_value(Str line, Str name, Str *value)
{
    if (line.length < name.length || strncasecmp(line.at, name.at, name.length) != 0) {
        return false;
    }
    *value = str_trim(str_slice(line, name.length, line.length));
    return true;
}

static bool read_length(Str value, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (!is_digit(value.at[i]) || *length > FRAME_MOST_BYTES) {
            return false;
        }
        *length = *length * 10 + (size_t)(value.at[i] - '0');
    }
    return value.length > 0 && *length <= FRAME_MOST_BYTES;
}

/* Reads the header lines. Returns what is wrong with them, or NULL. */
static const char *read_headers(Str headers, size_t *length)
{
    bool known = false;
    for (size_t at = 0; at < headers.length;) {
        size_t end = str_find(headers, STR("\r\n"), at);
        Str line = str_slice(headers, at, end);
        Str value;
        at = end == SIZE_MAX ? headers.length : end + 2;
        if (memchr(line.at, ':', line.length) == NULL) {
            return "a header without a colon";
        }
        if (!header_value(line, STR("Content-Length:"), &value)) {
            continue; /* Content-Type, and headers of later versions */
        }
        if (known) {
            return "Content-Length occurs twice";
        }
        if (!read_length(value, length)) {
            return "Content-Length is not a valid size of a message";
        }
        known = true;
    }
    return known ? NULL : "no Content-Length before the message";
}

FrameStatus frame_next(FrameReader *reader, Str *message, const char **error)
{
    Str rest = str_slice((Str){reader->at, reader->length}, reader->used, reader->length);
    size_t end = rest.length == 0 ? SIZE_MAX : str_find(rest, STR("\r\n\r\n"), 0);
    size_t headers = end == SIZE_MAX ? rest.length : end;
    *error = NULL;
    if (headers > FRAME_MOST_HEADERS) {
        *error = "headers without an end";
        return FRAME_BROKEN;
    }
    if (end == SIZE_MAX) {
        return FRAME_NONE;
    }
    size_t length = 0;
    *error = read_headers(str_slice(rest, 0, end), &length);
    if (*error != NULL) {
        return FRAME_BROKEN;
    }
    size_t start = end + 4;
    if (rest.length - start < length) {
        return FRAME_NONE;
    }
    *message = str_slice(rest, start, start + length);
    reader->used += start + length;
    return FRAME_WHOLE;
}

void frame_free(FrameReader *reader)
{
    free(reader->at);
    *reader = (FrameReader){0};
}
