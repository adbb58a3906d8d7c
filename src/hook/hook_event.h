/* Hook event: the fields of an event, whichever client sent it. A value of the wrong type counts as
 * absent, and so does a path with a NUL in it. */
#ifndef PYPTO_LINT_HOOK_HOOK_EVENT_H
#define PYPTO_LINT_HOOK_HOOK_EVENT_H

#include "base/vec.h"
#include "hook/hook.h"

/* Most files of one patch that are looked at. */
enum { EVENT_MAX_FILES = 200 };

typedef struct HookEvent {
    HookClient client;     /* never CLIENT_UNKNOWN when something tells */
    bool broken;           /* no JSON object */
    Str name;              /* as the client calls the event, or empty */
    Str tool;              /* name of the tool, or empty */
    Strs files;            /* written by the tool, as given; relative ones of a patch below `cwd`;
                            * before an edit also those that it deletes or moves away */
    Strs gone_specs;       /* after an edit: each SPEC.md that a patch deleted or moved away */
    bool many_files;       /* there were more than EVENT_MAX_FILES */
    bool has_command;      /* a shell command */
    Str command;           /* of the shell, or the text of a patch */
    bool tool_failed;      /* Claude Code's event about a tool call that failed */
    bool has_result;       /* the tool's output is there, as a whole */
    Str out, err;          /* of a shell command */
    bool no_exit_code;     /* the client does not tell it */
    long long exit_code;   /* of a shell command, 0 by default */
    Str cwd;               /* or empty */
    Str session;           /* or empty */
    bool stop_hook_active; /* the agent goes on only because a stop hook blocked */
} HookEvent;

/* Reads the fields; blank text is an event without any. Strings are copied to the arena, file
 * contents are not. In the old form only the fields that the Python linter knows count. */
void hook_event_read(HookEvent *event, Arena *arena, Str text, const HookCall *call);

/* Is this a tool that runs shell commands? In the common form only. */
bool hook_event_is_shell(const HookEvent *event);

#endif
