/* The table of clients and how one is recognised; see client.h. */
#include "clients/client.h"

#include <stdlib.h>

#define CLIENT(name) extern const Client client_##name;
#include "clients/clients.def"
#undef CLIENT

const Client *const clients[CLIENT_COUNT] = {
#define CLIENT(name) &client_##name,
#include "clients/clients.def"
};

const Client *client_find(Str name)
{
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (str_is(name, clients[i]->name)) {
            return clients[i];
        }
    }
    return NULL;
}

static bool runs_here(const Client *client)
{
    const char *value = client->variable == NULL ? NULL : getenv(client->variable);
    return value != NULL && *value != '\0';
}

const Client *client_of_event(const json_t *root)
{
    const Client *found = NULL;
    ClientSign best = SIGN_NONE;
    for (int i = 0; i < CLIENT_COUNT; i++) {
        ClientSign sign = clients[i]->sign == NULL ? SIGN_NONE : clients[i]->sign(root);
        if (sign > best) {
            best = sign;
            found = clients[i];
        }
    }
    for (int i = 0; i < CLIENT_COUNT && found == NULL; i++) {
        found = runs_here(clients[i]) ? clients[i] : NULL;
    }
    return found;
}

bool client_is_shell_tool(Str tool)
{
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (STR_IS_ANY(tool, clients[i]->shell_tools)) {
            return true;
        }
    }
    return false;
}

Str client_names(Arena *arena, bool with_hooks, const char *between)
{
    Buf out = {.arena = arena};
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (!with_hooks || clients[i]->sign != NULL) {
            buf_addf(&out, "%s%s", out.length > 0 ? between : "", clients[i]->name);
        }
    }
    return buf_str(&out);
}
