/* Event: what a client says about a tool call. A value of the wrong type counts as absent, and so
 * does a path with a NUL in it.
 *
 * Most clients copied the form of the first in clients.def, which event.c reads. A client's own
 * file reads what differs. */
#ifndef PYPTO_LINT_CLIENTS_EVENT_H
#define PYPTO_LINT_CLIENTS_EVENT_H

#include "base/vec.h"
#include "clients/hook_facts.h"
#include "document/json.h"

typedef struct Client Client;

/* Further files of one patch are not read. */
enum { EVENT_MAX_FILES = 200 };

typedef struct HookEvent {
    const Client *client;   /* NULL: unknown */
    Str name;               /* the client's name of the event, or empty */
    Str tool;               /* name of the tool, or empty */
    Strs files;             /* written by the tool, as given; relative ones of a patch below `cwd`;
                            * before an edit also those that it deletes or moves away */
    Strs gone_specs;        /* after an edit: each SPEC.md that a patch deleted or moved away */
    Str command;            /* of the shell, or the text of a patch */
    Str out, err;           /* of a shell command */
    long long exit_code;    /* of a shell command, 0 by default */
    Str old_text, new_text; /* of an edit of SPEC.md that replaces one text by another once; else
                             * both empty */
    Str cwd;                /* or empty */
    Str session;            /* or empty */
    bool broken;            /* not a JSON object */
    bool many_files;        /* there were more than EVENT_MAX_FILES */
    bool has_command;       /* the event has a `command` */
    bool tool_failed;       /* Claude Code's event about a tool call that failed */
    bool has_result;        /* the event has the whole output of the tool */
    bool no_exit_code;      /* the client does not report it */
    bool stop_hook_active;  /* the agent only continues because a stop hook blocked */
} HookEvent;

/* Reads the fields; blank text is an event without any. Strings are copied to the arena, file
 * contents are not read. `client` NULL: recognised by the event and the environment. In the old
 * form only the fields that the Python linter knows are read. */
void event_read(HookEvent *event, Arena *arena, Str text, HookName hook, const Client *client,
                bool old_form);

/* --- for the clients' files */

/* The object under the key, or NULL. */
const json_t *event_object(const json_t *object, const char *key);
/* Reads the file and the command from the arguments of a tool. */
void event_read_input(HookEvent *event, Arena *arena, const json_t *input, bool old_form);
/* Can it be the path of a file: not empty, without NUL, shorter than PATH_MAX? */
bool event_is_path(Str path);
/* The number after `label` at the start of the line, without its sign; 0 if there is none, 1 for
 * the name of a signal. */
long long event_number(Str line, const char *label);

#endif
