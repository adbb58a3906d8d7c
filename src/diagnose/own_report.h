/* OwnReport: what this program's own reports in a log say besides the rows of own_report.def: a
 * mode that was skipped did not fail, a report that passed answers for what came with it, and one
 * that failed names the case, the modes and the rules. */
#ifndef PYPTO_LINT_DIAGNOSE_OWN_REPORT_H
#define PYPTO_LINT_DIAGNOSE_OWN_REPORT_H

#include "base/str.h"

enum { OWN_MOST_RULES = 4, OWN_RULE = 4, OWN_NAME = 64 };

typedef struct OwnReport {
    bool has_skipped;    /* a line says that a mode was skipped */
    bool has_begun;      /* a line of a report was seen since the last one ended */
    bool failed_before;  /* the run had failed when it began */
    uint32_t rule_count; /* of those that block */
    char rules[OWN_MOST_RULES][OWN_RULE + 1];
    char case_id[OWN_NAME]; /* the first failing case; empty: not named */
    char modes[OWN_NAME];   /* "sim:FAIL,npu:SKIPPED"; empty: not named */
} OwnReport;

typedef enum OwnLine {
    OWN_OTHER, /* not of a report, or nothing that changes what is known */
    OWN_SKIP,  /* says why a mode was skipped: no failure, whatever its words */
    OWN_PASS,  /* the report ends, and all cases passed */
} OwnLine;

/* Does the line give the outcome of the linter's gate, and that is blocked: `report.lint = {"gate":
 * "blocked", …}`? Programs print it as information. */
bool own_gate_blocked(Str line);

/* Takes the next line. `has_failed`: there is an error in this run before it. */
OwnLine own_report_line(OwnReport *own, Str line, bool has_failed);

/* Case, modes and rules in words, in `out` of `size` bytes; empty when none is known. */
Str own_report_text(const OwnReport *own, char *out, size_t size);

#endif
