/* Suppressions: comments of the form `# pypto-lint: ignore[OL48] reason`. Which findings a comment
 * applies to is described for users in docs/ci/configuration.md. */
#ifndef PYPTO_LINT_LINT_SUPPRESS_H
#define PYPTO_LINT_LINT_SUPPRESS_H

#include "lint/config.h"

/* More suppressing comments in one file, or selectors in one comment, are not read (there is a
 * notice): they are tried one after the other for every finding. */
enum { SUPPRESS_MAX_COMMENTS = 500, SUPPRESS_MAX_SELECTORS = 32 };

/* One selector in the brackets. */
typedef struct SuppressedRules {
    Str selector; /* id, prefix or name */
    bool known;   /* names a rule; else there has been a notice about it */
    bool used;    /* took a finding out */
    bool refused; /* would have taken an S0 finding out */
    bool unused;  /* did nothing although its rules ran */
} SuppressedRules;

/* One comment that suppresses. */
typedef struct Suppression {
    uint32_t start, end;            /* of the directive in the text, bytes, from its `#` */
    uint32_t list_start, list_end;  /* between the brackets */
    uint32_t first_line, last_line; /* findings on these lines; 0, UINT32_MAX for the file */
    uint32_t statement_line;        /* and on this one; 0 = none */
    bool own_line;                  /* nothing else on its line */
    VEC(SuppressedRules) rules;     /* never empty */
    Str reason;                     /* text after the brackets, trimmed; may be empty */
} Suppression;
typedef VEC(Suppression) Suppressions;

/* An edit that takes an unused suppression, or the unused selectors of one, out of a file. */
typedef struct SuppressionEdit {
    const PyFile *file;
    Edit edit;
} SuppressionEdit;
typedef VEC(SuppressionEdit) SuppressionEdits;

/* Reads the suppressing comments of a file. Only comments count, never strings.
 * - `ignore[...]` after code: its line; and the first line of the statement (of a compound
 *   statement: the header) that ends on this line.
 * - `ignore[...]` on a line of its own: all lines of the next statement (compound: of its header,
 * decorators included); inside a statement: the next line of code in it.
 * - `ignore-file[...]` anywhere: the whole file.
 * In a file that does not parse there are no statements, only lines. Malformed comments (no
 * brackets, unknown rule, misspelt directive) add a notice. */
void suppressions_read(Suppressions *list, Arena *arena, const PyFile *file, Notices *notices);

/* Takes suppressed findings out of result->findings, sets the statuses of their rules anew, and
 * adds a notice for each suppression that did nothing although its rules ran (status other than
 * SKIP before) and for each that named an S0 rule in vain: S0 findings stay unless
 * config->allow_s0_suppressions. The edits that remove what is unused go to `edits` (NULL: not
 * wanted), file by file, ascending, disjoint. `files`: the files in whose comments to look. */
void suppressions_apply(OperatorResult *result, Arena *arena, const PyFiles *files,
                        const Config *config, Notices *notices, SuppressionEdits *edits);

/* The same for a run in which rules did not see every file they are about (file or phase scope):
 * nothing is reported as unused, since a comment in another file may well be needed. */
void suppressions_apply_partly(OperatorResult *result, Arena *arena, const PyFiles *files,
                               const Config *config, Notices *notices);

/* How many findings would be taken out. Changes nothing. */
uint32_t suppressions_count(const OperatorResult *result, Arena *arena, const PyFiles *files,
                            const Config *config);

#endif
