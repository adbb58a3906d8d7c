/* The summary of a job on GitHub: a Markdown table beside the annotations. */
#ifndef PYPTO_LINT_REPORT_GITHUB_SUMMARY_H
#define PYPTO_LINT_REPORT_GITHUB_SUMMARY_H

#include "report/report.h"

/* Appends it. Whatever comes from the linted files is text there: no markup, link or mention. */
void github_summary_add(Buf *out, const RunResult *result, const ReportOptions *options);

#endif
