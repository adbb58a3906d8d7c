/* LogStatusForm: a command that prints the exit status of the previous one (`echo "rc=$?"`), and
 * the line that it prints. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_STATUS_H
#define PYPTO_LINT_DIAGNOSE_LOG_STATUS_H

#include "base/str.h"

enum { LOG_STATUS_FORM = 48 };

/* The text around the number in the answer. */
typedef struct LogStatusForm {
    char before[LOG_STATUS_FORM], after[LOG_STATUS_FORM];
} LogStatusForm;

/* Does the command print the status, and do nothing else? */
bool log_asks_status(Str command);

/* Derives the form of the answer from such a command. */
void log_status_form(LogStatusForm *form, Str command);

/* The status in a line of that form; -1 for any other line. */
int log_status_of(const LogStatusForm *form, Str line);

/* Does it ask for the status of the first command of a pipe (`${PIPESTATUS[0]}`)? */
bool log_asks_first(Str command);

#endif
