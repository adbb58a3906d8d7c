/* LogRuns: the runs that a log shows one after the other (commands behind a prompt, sections of a
 * job, sessions of a test program), and whether each went well in the end. A run that passes says
 * nothing of another one, and something of the same command earlier in the log. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_RUNS_H
#define PYPTO_LINT_DIAGNOSE_LOG_RUNS_H

#include "diagnose/log_commands.h"

/* Runs with names of their own; those beyond share one place, and are never called overcome. */
enum { LOG_MOST_RUNS = 128 };

typedef struct LogRuns {
    /* By run: what it is known by, and the orders of its last error and success; 0: none. */
    uint64_t key[LOG_MOST_RUNS], error[LOG_MOST_RUNS], success[LOG_MOST_RUNS];
    uint32_t failed_in[LOG_MOST_RUNS]; /* by run: the execution with its last error; 0: none */
    uint64_t subject[LOG_MOST_RUNS]; /* by run: the package that pip installs; 0: another command */
    uint32_t worked[LOG_MOST_RUNS];  /* by run: lines of work that was done since its last error */
    uint64_t progress[LOG_MOST_RUNS]; /* by run: the order of the last line of work that went on */
    uint32_t hard[LOG_MOST_RUNS]; /* by run: the execution with its last certain error; 0: none */
    uint32_t execution;           /* counts the commands, each time that they are run */
    uint32_t entered[LOG_MOST_RUNS]; /* by run: its last execution */
    CommandKind kind;                /* of the last command */
    bool shows_plog;                 /* that command shows a log of CANN */
    uint64_t last_error;             /* order of the last error, see log_runs_last_error; 0: none */
    uint32_t last_failed;            /* the execution with that error */
    uint32_t
        grave[LOG_MOST_RUNS]; /* by run: the last execution with an exception or likely cause */
    uint32_t counted[LOG_MOST_RUNS]; /* the same for counted failures */
    uint32_t certain[LOG_MOST_RUNS]; /* the same for an error that recurs whatever is tried */
    uint64_t raised[LOG_MOST_RUNS];  /* order of the last error that no script ignores on purpose */
    uint64_t tolerated[LOG_MOST_RUNS]; /* order of the last error before a `|| true` */
    uint64_t well;                     /* order of the last success of any run */
    uint32_t well_execution;           /* the execution with that success */
    bool well_summed;                  /* it was a summary of cases */
    bool prepares[LOG_MOST_RUNS];      /* by run: its command shows or prepares something */
    uint32_t quoting;                  /* the run that a quotation interrupts, plus 1; 0: none */
    uint32_t quoting_execution;        /* and its execution */
    bool is_traced;                    /* the last command is one that `set -x` shows */
    uint64_t well_at_work; /* order of the last success of a run that does work of its own */
    bool timed;            /* the last command has a time limit (`timeout 60 x`) */
    bool asks_late;        /* it prints a status at its end (`x; echo $?`) */
    bool answered_well;    /* `echo $?` gave 0 after the last command that did work of its own */
    bool in_session;       /* of a test program, which sums up what happened in it */
    bool is_compound;      /* the last command is several, and its status that of one of them */
    uint64_t retry;        /* the order of the last line that tries again what failed; 0: none */
    uint32_t headings;     /* so many so far */
    uint32_t count, now;   /* the run that the last line belongs to */
    uint64_t command;      /* the key of the last command */
    uint32_t commanded;    /* the execution that began with it; 0: no command so far */
    uint64_t folder;       /* changes with each `cd` */
    uint32_t sessions;     /* of test programs since that command */
} LogRuns;

/* What comes before the first command is a run of its own. */
void log_runs_begin(LogRuns *runs);

/* Takes a line that may be a heading, or has that command (log_command_of). `echo $?` begins no
 * run: it asks how the last one ended. */
void log_runs_line(LogRuns *runs, Str line, Str command);

/* Does the last command print text written earlier (`cat`, `history`), other than a log of CANN? */
bool log_runs_shows_text(const LogRuns *runs);

/* Is the line quoted from elsewhere ("> …")? Then it is text that is shown. */
void log_runs_quote(LogRuns *runs, bool is_quoted);

/* May the line be a command? What begins with a sign in a text that is shown is a line of a diff or
 * a quotation. */
bool log_runs_may_begin(const LogRuns *runs, Str line);

/* Does it print a manual, or the log of a run that ended with 0? No line of these is a failure. */
bool log_runs_mutes(const LogRuns *runs);

/* A session of a test program begins, or is summed up. */
void log_runs_session(LogRuns *runs);
void log_runs_summary(LogRuns *runs);

/* An error or a success of the run that is going on, at a line's order. */
void log_runs_error(LogRuns *runs, uint64_t order);
void log_runs_success(LogRuns *runs, uint64_t order);

/* The last error is certainly one. What succeeds later within one execution of a command may be
 * another program and says nothing of it, unless log_runs_answered. */
void log_runs_hard(LogRuns *runs);

/* The last error comes again whatever is tried: no retry answers for it. */
void log_runs_certain(LogRuns *runs);

/* The last error is an exception or names a likely cause; failures were counted. Was that so in
 * this execution of the run? */
void log_runs_grave(LogRuns *runs);
void log_runs_counted(LogRuns *runs);
bool log_runs_is_grave(const LogRuns *runs);
bool log_runs_has_counted(const LogRuns *runs);

/* The last error is an exception, or another one that no script ignores on purpose. */
void log_runs_raised(LogRuns *runs, uint64_t order);

/* The script or job that ran all commands so far succeeded, at a line's order. If only the script
 * itself says so (`exit 0`), exceptions after which nothing succeeded remain failures. */
void log_runs_all_answered(LogRuns *runs, uint64_t order, bool by_others);

/* Is there an exception after which nothing has succeeded? */
bool log_runs_has_raised(const LogRuns *runs);

/* The last command says that all its steps went well; their headings make them runs of their own.
 * Without a command, all runs are steps. */
void log_runs_command_answered(LogRuns *runs, uint64_t order);

/* At the end of the log: errors of a look or a preparation are over if a run that did work went
 * well after them, and no run that did work failed. */
void log_runs_end(LogRuns *runs);

/* pip has installed a package: other attempts to install the same one are over. */
void log_runs_installed(LogRuns *runs, uint64_t order);

/* `echo $?` gave 0 for the last command: errors in its log did not make it fail. */
void log_runs_answered_well(LogRuns *runs);

/* The last success was a summary of cases. */
void log_runs_summed(LogRuns *runs);

/* Has there been a success since `order`, in an execution other than this one or as a summary of
 * cases? */
bool log_runs_well_since(const LogRuns *runs, uint64_t order, uint32_t execution);

/* make ignores an error of the last few lines. */
void log_runs_ignored(LogRuns *runs, uint64_t order);

/* The failures counted in this execution were only cases that had not run yet. */
void log_runs_uncounted(LogRuns *runs);

/* The program itself says how the run ended, in spite of its errors: the answer to `echo $?`, or a
 * retry that it reported. */
void log_runs_answered(LogRuns *runs);

/* A line says that the run did some of its work. */
void log_runs_worked(LogRuns *runs);

/* Did the run do work after its last error, and count no failures? What says then that all went
 * well knows of the error. */
bool log_runs_resumed(const LogRuns *runs);

/* The run that is going on does its work at a line's order; did a run so after `order`? */
void log_runs_progress(LogRuns *runs, uint64_t order);
bool log_runs_went_on(const LogRuns *runs, uint32_t run, uint64_t order);

/* Takes an error as the last one of all runs, unless it only sums up that a job failed, or a
 * command that only looks at the system printed it. */
void log_runs_last_error(LogRuns *runs, Str line, uint64_t order);

/* Is what `run` did in one of its executions, up to `order`, over: was it executed again, or did
 * another command fail later? Then it need not be why the log ends as it does. */
bool log_runs_left(const LogRuns *runs, uint32_t run, uint32_t execution, uint64_t order);

/* The run says at a line's order that it tries again. That is about an error of the same line, and,
 * where nothing else is named that is tried again (`it`), about one directly before. */
void log_runs_retry(LogRuns *runs, uint64_t order, bool it);

/* Is the answer to `echo $?` that of all that the last command did? Not so in `make | tee log`. */
bool log_runs_has_status(const LogRuns *runs);

/* Has the run that is going on tried again since its last error? What succeeds then is what failed
 * before. */
bool log_runs_retried(const LogRuns *runs);

/* Is there a run whose last outcome is an error? */
bool log_runs_failed(const LogRuns *runs);

/* Is there one that went well, and none whose last outcome is an error? */
bool log_runs_well(const LogRuns *runs);

#endif
