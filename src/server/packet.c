/* Writes and reads packets; see packet.h. */
#include "server/packet.h"

static void add_raw(Buf *out, uint64_t number)
{
    char bytes[sizeof number];
    memcpy(bytes, &number, sizeof number);
    buf_add(out, (Str){bytes, sizeof number});
}

void packet_begin(Buf *out)
{
    out->length = 0;
    add_raw(out, 0);
}

void packet_add(Buf *out, Str text)
{
    add_raw(out, text.length);
    buf_add(out, text);
}

void packet_add_number(Buf *out, uint64_t number)
{
    add_raw(out, number);
}

void packet_end(Buf *out)
{
    uint64_t length = out->length - PACKET_HEAD;
    memcpy(out->at, &length, sizeof length);
}

uint64_t packet_length(const char *head)
{
    uint64_t length;
    memcpy(&length, head, sizeof length);
    return length;
}

uint64_t packet_number(PacketReader *reader)
{
    uint64_t number = 0;
    if (reader->rest.length < sizeof number) {
        reader->broken = true;
        reader->rest = STR("");
        return 0;
    }
    memcpy(&number, reader->rest.at, sizeof number);
    reader->rest = str_slice(reader->rest, sizeof number, reader->rest.length);
    return number;
}

Str packet_text(PacketReader *reader)
{
    uint64_t length = packet_number(reader);
    if (length > reader->rest.length) {
        reader->broken = true;
        reader->rest = STR("");
    }
    Str text = str_slice(reader->rest, 0, length);
    reader->rest = str_slice(reader->rest, text.length, reader->rest.length);
    return text;
}
