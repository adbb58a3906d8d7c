/* Hook check: running rules for a hook, and choosing those for one edited file. */
#ifndef PYPTO_LINT_HOOK_HOOK_CHECK_H
#define PYPTO_LINT_HOOK_HOOK_CHECK_H

#include "hook/hook_block.h"
#include "hook/hook_steps.h"
#include "lint/plan.h"

typedef struct EditCheck {
    Str path;    /* absolute */
    Str dir;     /* operator directory, a part of `path`; empty: nothing to check */
    Str file;    /* relative to `dir` */
    int stage;   /* 0 = unknown: nothing to check */
    bool frozen; /* a SPEC.md that must not change any more */
    bool due;    /* some rule judges such a file at this stage */
    Str error;   /* why it cannot be checked, or empty */
    Request request;
    Run *run; /* NULL when nothing was run; free with run_free */
} EditCheck;

/* Finds out what to do about the file, and nothing more. */
void edit_check_look(EditCheck *check, Plan *plan, const HookCall *call, Str path);
/* Lints a file that is due and adds the findings to the report; see hook_report_add. */
void edit_check_run(EditCheck *check, HookReport *report, Plan *plan, const HookCall *call,
                    Str prefix);

/* Runs the request and adds its findings to the report and to the
 * metrics. Free the run with run_free. */
Run *hook_check(HookReport *report, Plan *plan, const HookCall *call, const Request *request,
                Str prefix);

/* Why the state file is unusable and how to repair it, in one line; empty when it is sound or
 * missing. */
Str hook_state_error(Arena *arena, Lang lang, const OperatorState *state);

/* Loads the table of PyPTO names, which a variable may replace; false, with the reason in the
 * report, when that file is broken. */
bool hook_load_api(HookReport *report);

#endif
