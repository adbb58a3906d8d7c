/* Hook check: one edited file, linted by the rules that an edit of it is about. */
#ifndef PYPTO_LINT_HOOK_HOOK_CHECK_H
#define PYPTO_LINT_HOOK_HOOK_CHECK_H

#include "hook/hook_block.h"
#include "hook/hook_steps.h"
#include "lint/request.h"
#include "operator/state.h"

typedef struct EditCheck {
    Str path;    /* absolute */
    Str dir;     /* operator directory, a part of `path`; empty: nothing to check */
    Str file;    /* relative to `dir` */
    int stage;   /* 0 = unknown: nothing to check */
    bool frozen; /* a SPEC.md that is not to be changed any more */
    bool due;    /* some rule judges such a file at this stage */
    Str trouble; /* why it cannot be checked, or empty */
    Request request;
    Run *run; /* NULL when nothing was run; give back with run_free */
} EditCheck;

/* Finds out what is to be done about the file, and nothing more. */
void edit_check_look(EditCheck *check, Arena *arena, const HookCall *call, Str path);
/* Lints it if it is due. */
void edit_check_run(EditCheck *check, Arena *arena, const HookCall *call);
/* Adds what came out to the report. */
void edit_check_tell(const EditCheck *check, HookReport *report, Str prefix);

/* Why the state file cannot be relied on and how to repair it, in one line; empty when it is sound
 * or missing. */
Str hook_state_trouble(Arena *arena, Lang lang, const OperatorState *state);

/* Loads the table of PyPTO names that a variable may replace; false with the reason when that file
 * is no good. */
bool hook_load_api(Arena *arena, Str *error);

#endif
