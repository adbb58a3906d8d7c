/* What the report formats share: paths, levels, wording, totals. */
#ifndef PYPTO_LINT_REPORT_REPORT_COMMON_H
#define PYPTO_LINT_REPORT_REPORT_COMMON_H

#include "report/report.h"

/* How other programs grade a finding. */
typedef enum Level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } Level;

/* S0 and S1: FAIL error, WARN warning. S2: warning. S3, and every INFO: note. */
Level finding_level(const Finding *finding);
/* Level of a rule's FAIL. */
Level rule_level(const Rule *rule);
/* "error", "warning", "note". */
const char *level_name(Level level);

/* `en` or `zh`. */
const char *words(Lang lang, const char *en, const char *zh);
/* Id and name, as reports show a rule: "OL48 tile-not-constant". In the arena. */
Str rule_label(Arena *arena, const Rule *rule);
/* Title of a rule in the language of the run; its id when it has no page. */
Str rule_title(const Rule *rule, Lang lang);
/* What to do: the finding's own hint, else the rule's; may be empty. */
Str finding_fix_hint(const Finding *finding, Lang lang);

/* Path of a file of an operator as seen from where the program was started. In the arena. */
Str full_path(Arena *arena, const OperatorResult *op, Str file);
/* The same file relative to `working_dir` if it lies below it, else absolute; without "." and "..".
 * With an empty `working_dir`, relative paths stay relative. In the arena. */
Str path_from(Arena *arena, Str working_dir, Str path);
/* Appends a path at the start of a line, for terminals and logs. */
void path_add(Buf *out, Str path);
/* Appends `path:line:column`, or the path alone for a whole file (line 0). */
void place_add(Buf *out, Str path, Region region);

/* Sums over a run. */
typedef struct Totals {
    Counts counts;
    uint32_t findings, operators, files;
    uint32_t errors, warnings; /* findings of these levels */
    uint32_t fixable;          /* findings that --fix repairs */
    uint32_t suggested;        /* findings that --fix repairs with --suggestions only */
    uint32_t rules;            /* different rules that gave an answer (not SKIP) in some operator */
} Totals;
Totals run_totals(const RunResult *result);

/* Was there something that could not be checked? */
bool run_is_incomplete(const RunResult *result);

/* Appends one line a rule with findings: count, id, severity, title; most findings first. */
void statistics_add(Buf *out, const RunResult *result);
/* Appends the line of a gate that passes although not all is well; the last one of a report. */
void verdict_add(Buf *out, const RunResult *result);
/* What a run with status 0 says nothing of, for people and agents. */
void beyond_add(Buf *out, const RunResult *result);
/* Appends "2 fixable with --fix, 1 more with --fix --suggestions"; the second part unless it is
 * 0. */
void fixable_add(Buf *out, Lang lang, const Totals *totals);
/* Appends "3 errors, 1 warning, " and what fixable_add says, a line, when there are findings. */
void tally_add(Buf *out, const RunResult *result);
/* Appends one line for each notice; with `quiet` only for those that are errors. */
void notices_add(Buf *out, const RunResult *result, bool quiet);
/* "3 findings", "1 finding"; in Chinese the noun has one form. */
void count_add(Buf *out, Lang lang, uint32_t count, const char *noun, const char *noun_zh);

#endif
