/* Whether a line shows that a run is still at work, or announces an error. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_PROGRESS_H
#define PYPTO_LINT_DIAGNOSE_LOG_PROGRESS_H

#include "base/str.h"

/* Does the line, which reports no error, show that its program works: a line of information (but
 * for CANN's own, and for what a program says when it ends), a count of what is done ("epoch 4
 * finished", "request 12"), a measured time, the outcome of a test program, or a remark that the
 * error was expected? After an error it says that the run did not end there. */
bool log_is_work(Str line);

/* Does the line show that some work is done: a count of steps, a measured time, a good outcome? */
bool log_is_work_done(Str line);

/* "caught RuntimeError: out of memory": does the program say that it handles the exception? Not so
 * "Caught RuntimeError in worker 0", which passes on the exception of another process. */
bool log_is_caught(Str line);

/* Does an error say no more than that something failed ("request failed"), as loggers do before a
 * traceback? */
bool log_announces(Str line);

#endif
