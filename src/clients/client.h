/* Client: a program that calls the linter by itself. Each has one file (clients.def lists them),
 * which contains everything particular to it; fields left out mean the common behaviour. */
#ifndef PYPTO_LINT_CLIENTS_CLIENT_H
#define PYPTO_LINT_CLIENTS_CLIENT_H

#include "clients/answer.h"
#include "lint/rule.h"

/* How certain it is that an event comes from the client. */
typedef enum ClientSign {
    SIGN_NONE,
    SIGN_SHARED, /* other clients may send the same */
    SIGN_OWN,
} ClientSign;

typedef enum SettingsFormat {
    SETTINGS_HOOKS,    /* entries in a JSON file: init/json_hooks.h */
    SETTINGS_BLOCK,    /* a block in .pre-commit-config.yaml: init/pre_commit.h */
    SETTINGS_OWN_FILE, /* a file of our own, which users are not meant to change */
    SETTINGS_STARTER,  /* a file for users to adapt */
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
    const char *variable; /* environment variable that the client sets; or NULL */
    const char *shell_tools[MAX_SHELL_TOOLS];
    /* Read what its events say in a form of its own: the call (before or `after` the tool has run),
     * and the result of a shell command. May be NULL. Called after the common fields are read, but
     * not for the old form. */
    void (*read_call)(HookEvent *event, Arena *arena, const json_t *root, bool after);
    void (*read_result)(HookEvent *event, Arena *arena, const json_t *root);

    /* --- its answers */

    /* Appends an answer in a form of its own; NULL: the common one (answer.c). */
    void (*answer)(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome);
    bool takes_permission; /* to block a tool call, it also needs a permissionDecision */
    bool plain_stop;       /* its stop event does not accept hookSpecificOutput */
    const char *context_events[MAX_CONTEXT_EVENTS]; /* events that accept hookSpecificOutput */
    bool goes_on_when_told; /* a context in the answer to a stop event makes the agent continue */

    /* --- its settings */

    SettingsFormat format;
    const char *path; /* in a project */
    /* For --user, or NULL: the file is below the folder that the variable names, else below
     * `user_folder` in the home folder. */
    const char *user_variable, *user_folder, *user_path;
    /* A project that has one of these uses the client. */
    const char *signs[MAX_SIGNS];
    Text next; /* what the user has to do after `init` */
    /* SETTINGS_HOOKS: the calls; those of one event are adjacent. */
    HookSetting calls[MAX_CALLS];
    bool calls_unnamed;   /* no --client in them, because `sign` always recognises it */
    bool hooks_named;     /* each hook has a "name" */
    bool in_milliseconds; /* the time limits */
    /* Other formats: the file of hooks/ to install, the text in it that the address of pypto-lint
     * replaces (init/address.h), and the file to install if there is no address; or NULL. */
    const char *file, *placeholder, *file_without_address;
    /* The member ("object.key") of the settings, or of the TOML file `off_file` beside them, that
     * switches all hooks off when it has this value. NULL: there is none. */
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
/* The client that sent the event, or NULL. The event counts more than the environment, which a
 * client inherits if another one started it. */
const Client *client_of_event(const json_t *root);
/* Does any client have a tool of this name for shell commands? */
bool client_is_shell_tool(Str tool);
/* The names of all clients, or only of those that call hooks, separated by `between`; in the
 * arena. */
Str client_names(Arena *arena, bool with_hooks, const char *between);

#endif
