/* Hook block: the words in which an agent reads the findings. The lines that other programs and
 * agents search for are the same in every language (docs/agents/hooks.md). */
#ifndef PYPTO_LINT_HOOK_HOOK_BLOCK_H
#define PYPTO_LINT_HOOK_HOOK_BLOCK_H

#include "lint/result.h"

#define HOOK_PREFIX "[pypto-op-lint]"

/* Most bytes of a reason and of a context. Claude Code hands over 30,000 characters of the one and
 * about 10,000 of the other; beyond that it shows a preview. The old form has no limit. */
enum { REASON_LIMIT = 28000, CONTEXT_LIMIT = 9000 };

/* A finding and how its file is to be named. */
typedef struct ShownFinding {
    const Finding *finding;
    Str file;
} ShownFinding;

/* A place that could not be checked, and why. */
typedef struct UncheckedPlace {
    Str file;
    Str reason;
    bool elsewhere; /* not in the edited file: shown, but it does not block the edit */
} UncheckedPlace;

/* All that a hook has to say. */
typedef struct HookReport {
    Arena *arena;
    Lang lang;
    bool limited;   /* the limits above apply */
    bool in_reason; /* the reason is shown as well: the context leaves out what is in it */
    VEC(ShownFinding) findings; /* in rule order */
    VEC(UncheckedPlace) unchecked;
    Buf statistics; /* how far kernels were evaluated; may be empty */
    VEC(Str) stuck; /* places where the same rule keeps blocking: "OL04 a_impl.py:31" */
} HookReport;

/* Appends the findings of an operator in rule order. `prefix` goes before the name of each file
 * ("softmax/"), or is empty. */
void hook_report_add(HookReport *report, const OperatorResult *result, Str prefix);
/* Appends a place that could not be checked. */
void hook_report_unchecked(HookReport *report, Str file, Str reason, bool elsewhere);

/* Is it a FAIL of S0 or S1? */
bool finding_blocks(const Finding *finding);
/* Is there a reason to block: such a finding, or a place that could not be checked? */
bool hook_report_blocks(const HookReport *report);

/* Reasons of a block after an edit, and of an agent that wants to stop. */
Str hook_edit_reason(const HookReport *report);
Str hook_stop_reason(const HookReport *report);
/* What the agent should know besides; may be empty. */
Str hook_context(const HookReport *report);

#endif
