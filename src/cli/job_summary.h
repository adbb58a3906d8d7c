/* The summary of a job on GitHub, where the runner wants it. */
#ifndef PYPTO_LINT_CLI_JOB_SUMMARY_H
#define PYPTO_LINT_CLI_JOB_SUMMARY_H

#include "report/report.h"

/* Appends the summary to the file that GITHUB_STEP_SUMMARY names, if it does. A note on standard
 * error when that fails: the annotations say the same. */
void job_summary_write(Arena *arena, const RunResult *result, const ReportOptions *options);

#endif
