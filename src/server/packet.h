/* Packet: a list of texts, as server and workers send it through a pipe. */
#ifndef PYPTO_LINT_SERVER_PACKET_H
#define PYPTO_LINT_SERVER_PACKET_H

#include "base/str.h"

/* A packet begins with its length in bytes, that not included. packet_end sets it. */
void packet_begin(Buf *out);
void packet_add(Buf *out, Str text);
void packet_add_number(Buf *out, uint64_t number);
void packet_end(Buf *out);

enum { PACKET_HEAD = sizeof(uint64_t) };
/* The length behind the head. */
uint64_t packet_length(const char *head);

/* What comes after the head, item by item. */
typedef struct PacketReader {
    Str rest;
    bool broken; /* it ended too early, and what was read since is empty */
} PacketReader;
Str packet_text(PacketReader *reader);
uint64_t packet_number(PacketReader *reader);

#endif
