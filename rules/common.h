/* Common: what several rules share. A helper lives here when at least two rules use it; one that a
 * single rule needs stays in the rule's file. */
#ifndef PYPTO_LINT_RULES_COMMON_H
#define PYPTO_LINT_RULES_COMMON_H

#include "lint/rule.h"
#include "operator/interfaces.h"
#include "operator/schema.h"

/* If the file has a syntax error: reports a FAIL at its first place, with the parser's text, and
 * returns true. A file that is missing or cannot be read is not a syntax error. For rules that fail
 * on files that do not parse. */
bool report_unparsable(RuleRun *run, const PyFile *file);

/* "'a', 'b', 'c'": the names of functions for a message, at most eight of them and then "…". */
Str function_names(RuleRun *run, const PyFile *file, NodeList functions);

/* The same for a list of names, at most sixteen; "none" for an empty one. */
Str quoted_names(RuleRun *run, Strs names);

/* `text` for a message, at most 60 code points and then "…". */
Str shorten(RuleRun *run, Str text);

/* True for a call of `torch.NAME` with one of these names; false for other nodes and NO_NODE. */
bool is_torch_call(const Module *module, NodeId call, const char *const *names, size_t count);

/* The test file of the operator, `test_<op>.py`. */
const PyFile *test_file(RuleRun *run);

/* If the file is missing, empty or unparsable: makes the rule SKIP with that reason and returns
 * true. For rules about one fixed file. */
bool skip_unparsed(RuleRun *run, const PyFile *file);

/* If the file is missing, empty or cannot be read: makes the rule SKIP with that reason and returns
 * true. For rules about the text of one fixed file, which need not parse. */
bool skip_textless(RuleRun *run, const PyFile *file);

/* Reads module_interfaces.yaml, which the operator owns. If it cannot be used, or there is no
 * implementation file to compare with it: makes the rule SKIP with that reason and returns true. */
bool skip_without_contract(RuleRun *run, Interfaces *interfaces);

/* Reports every error in the front matter of a document as a FAIL at its key; true when there is
 * one. */
bool report_schema(RuleRun *run, SchemaKind kind, const Document *document);

/* For rules of the workflow: is the file to be looked at? Outside of operator directories the rule
 * is skipped, with the reason; after an edit only the edited file counts. */
bool is_workflow_file(RuleRun *run, const PyFile *file);

/* Letters, digits and `_`, no digit first: what may be written into Python or YAML as it is. */
bool is_plain_name(Str name);

#endif
