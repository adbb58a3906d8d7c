/* What the scan of a log knows while it runs: shared by log_scan.c, which reads the lines, and
 * log_match.c, which keeps what matched. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_WORK_H
#define PYPTO_LINT_DIAGNOSE_LOG_WORK_H

#include "diagnose/log_facts.h"
#include "diagnose/log_markers.h"
#include "diagnose/log_meaning.h"
#include "diagnose/log_runs.h"
#include "diagnose/log_scan.h"
#include "diagnose/log_series.h"
#include "diagnose/log_status.h"
#include "diagnose/own_report.h"

typedef struct Alternative {
    Str glob;
    uint32_t pattern;
    bool is_name, wants_error;
} Alternative;

struct LogForms {
    Anchors anchors;
    VEC(Alternative) alternatives; /* words of `anchors` after the markers and the signs */
};

/* What is known about the file being read; none of it outlives the file. */
typedef struct FileState {
    uint64_t head_until; /* what follows a line that is called an error belongs to it */
    uint64_t begin, success, step_success; /* orders: before the file, of its last ones */
    bool may_warn;          /* the last line is a warning that may show the traceback after it */
    bool is_warned;         /* a warning or a line for debugging shows the last traceback */
    bool in_commit;         /* below the heading of a commit, whose text is indented */
    bool is_drill;          /* a line says that errors are made on purpose */
    bool uncaught;          /* a line reports an error without saying that the program caught it */
    bool pod_succeeded;     /* the events that follow happened earlier */
    bool expects;           /* below "Expected:" of a doctest: the error is expected */
    uint64_t known;         /* order of the last line that a pattern knows */
    uint64_t unknown;       /* and of the last line called an error that none knows */
    uint32_t unknown_in;    /* the execution that it is in */
    bool unknown_announces; /* it is the only one, and says no more than that something failed */
    uint64_t number;        /* of the last line; empty ones are not counted in orders */
    uint64_t status_asked;  /* the order of the last line that asks for a status */
    bool asks_first;        /* it asks for the status of the first command of a pipe */
    LogStatusForm status_form;
    uint64_t ran_tests; /* order of unittest's last "Ran 3 tests in 0.4s"; its result follows */
    bool recap_failed;  /* a host in ansible's last recap failed */
    uint64_t good_sum;  /* order of the last good sum */
    LogSum short_sum;   /* "3/4 passed" so far; LOG_SUM_NONE: none */
    uint64_t verdict;   /* order of the last line that ends with PASS or OK */
    /* A status that `x; echo $?` may have printed, and the order and number of its line. */
    uint64_t late_order, late_line;
    int late_status;
    LogRuns runs;
    OwnReport own;
    LogMatch *waiting; /* the last match without a place; NULL = none */
    uint64_t waiting_until, shown_until;
    LogMatch *coded;            /* the match of a code in the last line; NULL = none */
    uint32_t commands, command; /* of all prompts, and the one that the line belongs to: LogSeen */
    uint64_t command_order;
    int command_device; /* the device that this command queries; -1: none */
    LogFacts facts;
    LogSeries series;
    LogLines lines;
} FileState;

typedef struct ScanWork {
    const LogForms *forms;
    VEC(uint32_t) hits; /* alternatives whose anchor is in this line */
    uint32_t *seen;     /* by alternative: the `stamp` of the last line with its anchor */
    uint32_t *judged;   /* by pattern: the `stamp` of the last line that matches it */
    Strength *taken;    /* by pattern: the strength that it has in that line */
    uint64_t *effort;   /* by pattern: bytes of lines compared with its forms */
    LogSeen *evidence;  /* by pattern: the last line with this evidence */
    uint64_t evidence_effort;
    uint32_t stamp, cut_stamp; /* of this line; of the last one that was cut */
    unsigned marks;
    LogSigns signs;
    Str whole;                        /* the line, including the prefix of a launcher */
    bool is_of_rank;                  /* the prefix names one of several processes */
    Str command;                      /* after the prompt at the start of this line; empty: none */
    CommandKind command_kind;         /* COMMAND_NONE: no command */
    bool reports_error, called_error; /* called one: by how the line begins */
    bool under_head;     /* explains a line shortly before it that is called an error */
    bool is_own;         /* the match is the program's own report of an error */
    LineMeaning meaning; /* of a line with a form, a word for an error or one for success */
    OwnLine own_line;    /* what the line is among this program's own reports */
    FileState file;
} ScanWork;

/* Does the line have a word of this kind? */
static inline bool scan_has_mark(const ScanWork *work, Marker marker)
{
    return (work->marks & 1U << marker) != 0;
}

static inline bool scan_has_sign(const ScanWork *work, LogSignClass class)
{
    return (work->signs & 1U << class) != 0;
}

#endif
