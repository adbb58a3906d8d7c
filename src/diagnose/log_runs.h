/* LogRuns: the runs that a log shows one after the other (commands after a prompt, sections of a
 * job, sessions of a test program), and whether each succeeded in the end. A run that passes clears
 * failures of the same command earlier in the log, but not those of other runs. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_RUNS_H
#define PYPTO_LINT_DIAGNOSE_LOG_RUNS_H

#include "diagnose/log_commands.h"

/* Runs that are kept apart. Any further runs share the last place and are never cleared. */
enum { LOG_MOST_RUNS = 128 };

/* One run and its results. Executions are numbered in the order in which the commands run. */
typedef struct LogRun {
    uint64_t key;     /* of its command, heading or session */
    uint64_t subject; /* the package that its command installs; 0: none */
    bool prepares;    /* its command only shows or prepares something */
    bool has_worked;  /* since its last error and in its last execution, it did some of its work */
    uint32_t entered; /* its last execution */
    /* Orders of lines; 0: none. */
    uint64_t error, success;
    uint64_t raised;    /* the last error that no script ignores on purpose */
    uint64_t tolerated; /* the last error before a `|| true` */
    uint64_t progress;  /* the last line that shows the run at work */
    /* The last execution with any error, and with errors of these kinds; 0: none. */
    uint32_t failed;
    uint32_t hard;    /* it is certainly an error */
    uint32_t grave;   /* an exception or a likely cause */
    uint32_t counted; /* a count of failures */
    uint32_t certain; /* it comes back whatever is tried */
} LogRun;

/* The last command. */
typedef struct LogCommand {
    uint64_t key;       /* a heading replaces it */
    uint32_t execution; /* the one that it began; 0: no command so far */
    CommandKind kind;
    CommandShape shape;
    bool shows_plog; /* it shows a log of CANN */
    bool is_traced;  /* `set -x` shows it */
    bool has_limit;  /* it has a time limit (`timeout 60 x`) */
    bool asks_late;  /* it prints a status at its end (`x; echo $?`) */
} LogCommand;

/* The last success of any run. */
typedef struct LogWell {
    uint64_t order; /* 0: none */
    uint32_t execution;
    bool is_sum; /* a summary of cases */
} LogWell;

typedef struct LogRuns {
    LogRun run[LOG_MOST_RUNS];
    uint32_t count, now; /* the run that the last line belongs to */
    uint32_t execution;
    LogCommand command;
    LogWell well;
    uint64_t well_at_work; /* order of the last success of a run that does its own work; 0: none */
    uint64_t last_error;   /* order of the last error, see log_runs_last_error; 0: none */
    uint32_t last_failed;  /* the execution with that error */
    uint32_t interrupted;  /* the run that a quotation interrupts, plus 1; 0: none */
    uint32_t interrupted_execution;
    bool answered_well; /* `echo $?` gave 0 after the last command that does its own work */
    bool in_session;    /* of a test program, which ends with a summary */
    uint64_t retry;     /* order of the last line that reports a retry; 0: none */
    uint64_t folder;    /* changes with each `cd` */
    uint32_t headings;  /* so far */
    uint32_t sessions;  /* of test programs since the last command */
} LogRuns;

/* The run that the last line belongs to. */
static inline const LogRun *log_runs_now(const LogRuns *runs)
{
    return &runs->run[runs->now];
}

/* Lines before the first command are a run of their own. */
void log_runs_begin(LogRuns *runs);

/* Begins a run with a command of this kind, or with a heading. The same heading may come several
 * times in one job, and one step does not clear another. */
void log_runs_command(LogRuns *runs, Str line, Str command, CommandKind kind);
void log_runs_heading(LogRuns *runs);

/* `|| true` after a command that failed: the script does not need it. If it raised an exception,
 * that is believed only once something else succeeds. */
void log_runs_tolerated(LogRuns *runs);

/* Does the last command print text written earlier (`cat`, `history`), other than a log of CANN? */
bool log_runs_shows_text(const LogRuns *runs);

/* Enters or leaves a quotation ("> …"), which counts as shown text. */
void log_runs_quote(LogRuns *runs, bool is_quoted);

/* May the line be a command? In shown text, `+` or `>` at the start marks a diff or a quotation. */
bool log_runs_may_begin(const LogRuns *runs, Str line);

/* Does the last command print documentation, or the log of a run that ended with 0? Neither reports
 * a failure. */
bool log_runs_mutes(const LogRuns *runs);

/* A session of a test program begins, or its summary follows. */
void log_runs_session(LogRuns *runs);
void log_runs_summary(LogRuns *runs);

/* The current run reports an error or a success in the line with this order. */
void log_runs_error(LogRuns *runs, uint64_t order);
void log_runs_success(LogRuns *runs, uint64_t order);

/* The last error is certainly one. A later success in the same execution does not clear it, as it
 * may come from another program, unless log_runs_answered is called. */
void log_runs_hard(LogRuns *runs);

/* The last error comes back whatever is tried, so a retry does not clear it. */
void log_runs_certain(LogRuns *runs);

/* The last error is an exception or a likely cause, or counts failures. Was there such an error in
 * this execution? A count of failures is grave, too. */
void log_runs_grave(LogRuns *runs);
void log_runs_counted(LogRuns *runs);
bool log_runs_is_grave(const LogRuns *runs);
bool log_runs_has_counted(const LogRuns *runs);

/* The error with this order is an exception, or another one that no script ignores on purpose. */
void log_runs_raised(LogRuns *runs, uint64_t order);

/* The script or job that ran all commands so far succeeded, in the line with this order. If only
 * the script itself says so (`exit 0`), exceptions that no success follows remain failures. */
void log_runs_all_answered(LogRuns *runs, uint64_t order, bool by_others);

/* Is there an exception that no success follows? */
bool log_runs_has_raised(const LogRuns *runs);

/* The last command reports that all its steps succeeded. Each step has a heading and is therefore a
 * run of its own; without a command, all runs are steps. */
void log_runs_command_answered(LogRuns *runs, uint64_t order);

/* Call it at the end of the log. Clears errors of commands that only show or prepare something, if
 * real work succeeded after them and none failed. */
void log_runs_end(LogRuns *runs);

/* pip has installed a package, which clears failed attempts to install the same one. */
void log_runs_installed(LogRuns *runs, uint64_t order);

/* `echo $?` gave 0 for the last command, so errors in its log did not make it fail. */
void log_runs_answered_well(LogRuns *runs);

/* The last success was a summary of cases. */
void log_runs_summed(LogRuns *runs);

/* Has anything succeeded since `order`, in another execution or as a summary of cases? */
bool log_runs_well_since(const LogRuns *runs, uint64_t order, uint32_t execution);

/* An error in the last few lines is ignored on purpose. */
void log_runs_ignored(LogRuns *runs, uint64_t order);

/* The failures counted in this execution were only cases that had not run yet. */
void log_runs_uncounted(LogRuns *runs);

/* The program itself reports success in spite of its errors, by its exit status or after a retry:
 * the next success clears them. */
void log_runs_answered(LogRuns *runs);

/* The current run did some of its work. */
void log_runs_worked(LogRuns *runs);

/* Did the run work on after its last error, without counting failures? A later report of success
 * then takes the error into account. */
bool log_runs_resumed(const LogRuns *runs);

/* The line with this order shows the current run at work. Was a run at work after `order`? */
void log_runs_progress(LogRuns *runs, uint64_t order);
bool log_runs_went_on(const LogRuns *runs, uint32_t run, uint64_t order);

/* Remembers the last error of all runs, except for reports that a job failed and for the output of
 * commands that only look at the system. */
void log_runs_last_error(LogRuns *runs, Str line, uint64_t order);

/* Did the log leave this execution of `run` after `order`: was the run executed again, or did
 * another command fail later? Then errors up to `order` may not explain how the log ends. */
bool log_runs_left(const LogRuns *runs, uint32_t run, uint32_t execution, uint64_t order);

/* The line with this order reports a retry. It is about an error in the same line or, if it names
 * nothing else (`it`), directly before. */
void log_runs_retry(LogRuns *runs, uint64_t order, bool it);

/* Has the current run tried again since its last error? Then the next success clears it. */
bool log_runs_retried(const LogRuns *runs);

/* Is there a run whose last outcome is an error? */
bool log_runs_failed(const LogRuns *runs);

/* Did a run succeed, and does none end with an error? */
bool log_runs_well(const LogRuns *runs);

#endif
