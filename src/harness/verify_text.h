/* Verdict of a verification as text for a reader, and for code scanning. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_TEXT_H
#define PYPTO_LINT_HARNESS_VERIFY_TEXT_H

#include "harness/verify.h"

/* Appends the verdict: what failed, where, by how much, what to do. Without the summary line. */
void verify_text(Buf *out, const Verification *verification, Lang lang);

/* Appends a SARIF log: a result for each failing case, at the wrapper. `working_dir` is what paths
 * are relative to. False when memory ran out. */
bool verify_sarif(Buf *out, const Verification *verification, Str working_dir, Lang lang);

#endif
