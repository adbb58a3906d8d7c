/* Warnings and summaries of a case in the reader's language. */
#ifndef PYPTO_LINT_HARNESS_REPORT_WARNING_TEXT_H
#define PYPTO_LINT_HARNESS_REPORT_WARNING_TEXT_H

#include "harness/judge/judgement.h"

/* The sentence in the language, in the arena. Reports keep the English one, and the worker in
 * Python knows no other; an unknown sentence is given back as it is. */
Str warning_text(Arena *arena, Lang lang, Str sentence);

/* The summary of a case, or of the first failure, in the language. */
Str summary_text(Arena *arena, Lang lang, const CaseResult *case_result);
Str first_summary_text(Arena *arena, Lang lang, const FirstFailure *first);

#endif
