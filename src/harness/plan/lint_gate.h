/* Lint gate: what the linter says about the files that a verification is about to execute
 * (docs/kernel-authors/verify.md, "The lint gate"). */
#ifndef PYPTO_LINT_HARNESS_PLAN_LINT_GATE_H
#define PYPTO_LINT_HARNESS_PLAN_LINT_GATE_H

#include "lint/request.h"

/* How many findings of a rule there are. */
typedef struct LintRuleCount {
    const Rule *rule;
    uint32_t count;
} LintRuleCount;

typedef struct LintGate {
    uint32_t blocking;        /* findings with FAIL of a rule of severity S0 or S1 */
    uint32_t warnings;        /* all other findings */
    VEC(LintRuleCount) rules; /* those with findings, in the order of the catalogue */
    bool only_tile;           /* every blocking finding is about tile shapes */
    Str first;  /* the first blocking finding: "file:line: id message"; empty without one */
    Strs lines; /* all blocking findings in this form */
    Str error;  /* why something could not be checked, one line; empty = all was */
} LintGate;

/* Files to check: the implementation and those that are executed with it. Only findings in these
 * files count. Absolute paths. */
typedef struct LintFiles {
    Str op_dir;
    Str impl;      /* may be empty, and may lie outside op_dir */
    Str impl_as;   /* the file of op_dir that it replaces: rules check it under this name */
    bool inspects; /* a wrapper that takes more than the contract says is not blocked */
    Strs others;
    Lang lang;
} LintFiles;

/* Does it keep the run from starting? */
static inline bool lint_gate_stops(const LintGate *gate)
{
    return gate->blocking > 0 || gate->error.length > 0;
}

/* Everything in the arena; starts no program. As in a gate, suppressing comments do not count. */
void lint_gate_check(LintGate *gate, Arena *arena, const LintFiles *files);

#endif
