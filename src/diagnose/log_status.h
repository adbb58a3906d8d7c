/* LogStatus: a command that asks how the one before ended (`echo $?`, `echo "rc=$?"`), and the line
 * that answers. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_STATUS_H
#define PYPTO_LINT_DIAGNOSE_LOG_STATUS_H

#include "base/str.h"

enum { LOG_STATUS_FORM = 48 };

/* What the answer has around its number. */
typedef struct LogStatusForm {
    char before[LOG_STATUS_FORM], after[LOG_STATUS_FORM];
} LogStatusForm;

/* Does the command ask for a status, and nothing else? */
bool log_asks_status(Str command);

/* Takes the form of the answer from such a command. */
void log_status_form(LogStatusForm *form, Str command);

/* The status in a line of that form; -1: it is no answer. */
int log_status_of(const LogStatusForm *form, Str line);

#endif
