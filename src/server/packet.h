/* Packet: a list of texts and numbers that server and workers exchange through a pipe. */
#ifndef PYPTO_LINT_SERVER_PACKET_H
#define PYPTO_LINT_SERVER_PACKET_H

#include "base/str.h"

/* A packet begins with its length in bytes, not counting this head. packet_end fills it in. */
void packet_begin(Buf *out);
void packet_add(Buf *out, Str text);
void packet_add_number(Buf *out, uint64_t number);
void packet_end(Buf *out);

enum { PACKET_HEAD = sizeof(uint64_t) };
/* The length in the head: of what follows it. */
uint64_t packet_length(const char *head);

/* Reads what follows the head, item by item. */
typedef struct PacketReader {
    Str rest;
    bool broken; /* it ended too early; items read since then are empty */
} PacketReader;
Str packet_text(PacketReader *reader);
uint64_t packet_number(PacketReader *reader);

#endif
