/* Diagnosis: the causes that a log names, the likeliest first, and how certain each is.
 *
 * A text that names its cause comes before one that merely says that something failed, and an
 * earlier one before a later one, since errors cause further errors. A cause counts as certain only
 * when nothing in the log suggests another one. */
#ifndef PYPTO_LINT_DIAGNOSE_DIAGNOSIS_H
#define PYPTO_LINT_DIAGNOSE_DIAGNOSIS_H

#include "diagnose/log_scan.h"

typedef enum CauseReason {
    REASON_NAMED,       /* the text is printed for this cause only */
    REASON_OPEN,        /* it names the cause, which comes about in several ways */
    REASON_EVIDENCE,    /* the same, and another line says in which way */
    REASON_PASSING,     /* the line has the words, but is not called an error */
    REASON_FOREIGN,     /* the words are PyPTO's, and nothing else in the log is */
    REASON_WENT_ON,     /* the run goes on after it, is repeated, or another one fails later */
    REASON_USUAL,       /* it has this cause more often than not */
    REASON_SYMPTOM,     /* it says that something failed, not why */
    REASON_PLAYED_DOWN, /* the program that printed it calls it a warning */
    REASON_OVERCOME,    /* the log goes on after it with a step that went well */
    REASON_HANDLED,     /* the program handled this exception, and another one followed */
    REASON_RIVAL,       /* another error names another cause */
    REASON_UNEXPLAINED, /* an earlier error is one that nothing here explains */
    REASON_EXCEPTION,   /* the run ended with an exception that nothing here explains */
} CauseReason;
Text cause_reason_text(CauseReason reason);

typedef struct Cause {
    const LogMatch *match;
    const LogSeen *evidence; /* a line that says which way the cause came about, or NULL */
    bool is_certain;
    CauseReason reason;
    LogPlace place; /* that of the match, else one named elsewhere in the log */
    bool is_place_elsewhere;
} Cause;

enum { DIAGNOSIS_MOST_CAUSES = 6 };

typedef struct Diagnosis {
    Cause causes[DIAGNOSIS_MOST_CAUSES];
    uint32_t count;
    uint32_t more;     /* causes for which there was no room */
    bool has_error;    /* a line says that something failed */
    bool is_overcome;  /* but later runs went well, and nothing failed after them */
    bool needs_digest; /* no cause is more than a symptom, or an exception is not explained */
    int status;        /* exit status: 0 no error is left, 1 no cause known, else by category */
} Diagnosis;

Diagnosis diagnosis_of(const LogScan *scan);

/* What happened, as a clause, and what to do: as the evidence says, else as the pattern does. */
Text cause_text(const Cause *cause);
Text cause_change(const Cause *cause);
/* Who has to act: as the evidence says where it does, else as the pattern does. */
DiagnosisCategory cause_category(const Cause *cause);

#endif
