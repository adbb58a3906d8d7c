/* Sending: messages wait here until the client reads them. */
#include "server/server.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes that may wait: a client that leaves more unread has hung. */
enum { MOST_WAITING = 512 * 1024 * 1024 };

static bool make_room(Server *server, size_t more)
{
    if (server->out_sent > 0 && server->out_sent == server->out_length) {
        server->out_sent = server->out_length = 0;
    }
    size_t wanted = server->out_length + more;
    bool roomy = server->out_capacity > 1024 * 1024 && wanted < server->out_capacity / 8;
    if (wanted <= server->out_capacity && !roomy) {
        return true;
    }
    if (server->out_sent > 0) {
        memmove(server->outbox, server->outbox + server->out_sent,
                server->out_length - server->out_sent);
    }
    server->out_length -= server->out_sent;
    server->out_sent = 0;
    wanted = server->out_length + more + server->out_length / 2;
    char *grown = wanted > MOST_WAITING ? NULL : realloc(server->outbox, wanted);
    if (grown != NULL) {
        server->outbox = grown;
        server->out_capacity = wanted;
    }
    return grown != NULL;
}

void server_flush(Server *server)
{
    while (server->out_sent < server->out_length && server->fault == NULL) {
        ssize_t wrote = write(server->out, server->outbox + server->out_sent,
                              server->out_length - server->out_sent);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        if (wrote <= 0) {
            server->fault = "the client cannot be written to";
            return;
        }
        server->out_sent += (size_t)wrote;
    }
}

/* Queues a message after those that wait. */
static void send_message(Server *server, Str message)
{
    Str head = str_format(&server->arena, "Content-Length: %zu\r\n\r\n", message.length);
    if (server->fault != NULL) {
        return;
    }
    if (!make_room(server, head.length + message.length)) {
        server->fault = "the client takes no messages, and memory ran out";
        return;
    }
    memcpy(server->outbox + server->out_length, head.at, head.length);
    memcpy(server->outbox + server->out_length + head.length, message.at, message.length);
    server->out_length += head.length + message.length;
    server_flush(server);
}

void server_answer(Server *server, const char *id, Str result)
{
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", id);
    buf_add(&out, result);
    buf_add_char(&out, '}');
    send_message(server, buf_str(&out));
}

void server_refuse(Server *server, const char *id, int code, const char *message)
{
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":", id, code);
    json_add_string(&out, str_from(message));
    buf_add(&out, STR("}}"));
    send_message(server, buf_str(&out));
}

void server_notify(Server *server, const char *method, Str params)
{
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":", method);
    buf_add(&out, params);
    buf_add_char(&out, '}');
    send_message(server, buf_str(&out));
}

void server_ask(Server *server, const char *method, Str params)
{
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":\"pypto-lint/%llu\",\"method\":\"%s\"",
             (unsigned long long)++server->next_id, method);
    if (params.length > 0) {
        buf_add(&out, STR(",\"params\":"));
        buf_add(&out, params);
    }
    buf_add_char(&out, '}');
    send_message(server, buf_str(&out));
}

void server_log(Server *server, int type, Str message)
{
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"type\":%d,\"message\":", type);
    json_add_string(&out, message);
    buf_add_char(&out, '}');
    server_notify(server, "window/logMessage", buf_str(&out));
}
