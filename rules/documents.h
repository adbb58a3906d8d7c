/* Documents: what the rules about the operator's Markdown documents and its state file share. */
#ifndef PYPTO_LINT_RULES_DOCUMENTS_H
#define PYPTO_LINT_RULES_DOCUMENTS_H

#include "lint/rule.h"
#include "operator/markdown.h"
#include "operator/schema.h"
#include "operator/state.h"

enum { CHAPTER_TITLES = 2 };

/* A chapter that a document must have: some heading contains one of these texts, in any case. The
 * Python linter knows the Chinese ones only. */
typedef struct Chapter {
    const char *titles[CHAPTER_TITLES];  /* NULL after the last */
    const char *english[CHAPTER_TITLES]; /* likewise */
} Chapter;

/* Does some heading announce the chapter? */
bool has_chapter(const RuleRun *run, const Headings *headings, const Chapter *chapter);

/* Reports a FAIL for a document that is not a regular file, and returns true. */
bool report_missing_document(RuleRun *run, const Document *document);

/* Reports a FAIL for the document when it is missing, else for each chapter without a heading. */
void check_chapters(RuleRun *run, Str path, const Chapter *chapters, uint32_t count);

/* Line 1 of a document, also of one that cannot be read; the whole file when it does not exist. */
Place at_document_top(const Document *document);

/* Adds to a finding about the document the edit for an error in its front matter: a missing field
 * whose value is known (schema_version, op_name), or a single value that should be a list. Adds
 * nothing for any other error. */
void fix_front_matter(RuleRun *run, Finding *finding, const Document *document,
                      const FrontMatter *front, const SchemaError *error);

/* If PYPTO_OP_LINT_STRICT switches the front matter rules off (it is set to something other than
 * 1): makes the rule SKIP and returns true. */
bool skip_not_strict(RuleRun *run);

/* Reports a FAIL when the state file is missing, is not valid JSON or is not a JSON object, and
 * returns true. */
bool report_broken_state(RuleRun *run, const OperatorState *state);

/* A line of the state file; 0 is the whole file. */
Place at_state_line(RuleRun *run, uint32_t line);

#endif
