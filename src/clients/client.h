/* Client: a program that calls the linter by itself, one file each (clients.def lists them). The
 * file says all that is particular to it; what is left out is as in the first. */
#ifndef PYPTO_LINT_CLIENTS_CLIENT_H
#define PYPTO_LINT_CLIENTS_CLIENT_H

#include "clients/answer.h"
#include "lint/rule.h"

/* How surely an event is the client's. */
typedef enum ClientSign {
    SIGN_NONE,
    SIGN_SHARED, /* others may send the like */
    SIGN_OWN,
} ClientSign;

typedef enum SettingsFormat {
    SETTINGS_HOOKS,    /* entries in a JSON file: init/json_hooks.h */
    SETTINGS_BLOCK,    /* a block in .pre-commit-config.yaml: init/pre_commit.h */
    SETTINGS_OWN_FILE, /* a file of our own, which users do not change */
    SETTINGS_STARTER,  /* a file that users change to their liking */
} SettingsFormat;

enum { MAX_SIGNS = 3, MAX_CALLS = 8, MAX_SHELL_TOOLS = 4, MAX_CONTEXT_EVENTS = 6 };

/* One call of a hook: SETTINGS_HOOKS. */
typedef struct HookSetting {
    const char *event; /* the client's name */
    HookName hook;
    const char *tools; /* "Write|Edit"; NULL: the event is not about a tool */
} HookSetting;

typedef struct Client {
    const char *name;  /* for --client */
    const char *title; /* in sentences */

    /* --- its events; a client without `sign` sends none */

    ClientSign (*sign)(const json_t *event);
    const char *variable; /* of the environment, where the client runs; or NULL */
    const char *shell_tools[MAX_SHELL_TOOLS];
    /* What its events say in a way of its own: the call (before or `after` the tool has run), and
     * the result of a shell command. May be NULL. Called after the common fields are read, and not
     * in the old form. */
    void (*read_call)(HookEvent *event, Arena *arena, const json_t *root, bool after);
    void (*read_result)(HookEvent *event, Arena *arena, const json_t *root);

    /* --- its answers */

    /* Appends an answer in a form of its own; NULL: the common one (answer.c). */
    void (*answer)(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome);
    bool takes_permission; /* before a tool call a block is also a permissionDecision */
    bool plain_stop;       /* at the end it takes no hookSpecificOutput */
    const char *context_events[MAX_CONTEXT_EVENTS]; /* that take hookSpecificOutput */
    bool goes_on_when_told; /* at its end, an agent that gets a context goes on */

    /* --- its settings */

    SettingsFormat format;
    const char *path; /* in a project */
    /* For --user, NULL without: the file below the folder that the variable names, else below
     * `user_folder` in the home folder. */
    const char *user_variable, *user_folder, *user_path;
    /* The client is used in a project that has one of these. */
    const char *signs[MAX_SIGNS];
    Text next; /* what the user does after `init` */
    /* SETTINGS_HOOKS: calls of one event follow one another. */
    HookSetting calls[MAX_CALLS];
    bool calls_unnamed;   /* no --client in them: `sign` always finds it */
    bool hooks_named;     /* each hook has a "name" */
    bool in_milliseconds; /* the time limits */
    /* The others: the file of hooks/ to install. What is the address of pypto-lint in it
     * (init/address.h), and the file to install when there is none; NULL without. */
    const char *file, *placeholder, *file_without_address;
    /* All hooks are switched off when this member of the settings ("object.key"), or of the TOML
     * file `off_file` beside them, has this value. NULL: there is no such switch. */
    const char *off_key, *off_value, *off_file;
} Client;

#define CLIENT(name) CLIENT_INDEX_##name,
enum {
#include "clients/clients.def"
    CLIENT_COUNT
};
#undef CLIENT
extern const Client *const clients[CLIENT_COUNT];

/* The client of that name, or NULL. */
const Client *client_find(Str name);
/* The client that sent the event: the event says more than the environment, which clients inherit
 * that others start. NULL: unknown. */
const Client *client_of_event(const json_t *root);
/* Does some client have a tool of this name for shell commands? */
bool client_is_shell_tool(Str tool);
/* The names with `between` between them; only of those that call hooks, or all. */
Str client_names(Arena *arena, bool with_hooks, const char *between);

#endif
