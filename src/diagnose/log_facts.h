/* LogFacts: what one file of a log has said so far, by which evidence that compares two values is
 * checked. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_FACTS_H
#define PYPTO_LINT_DIAGNOSE_LOG_FACTS_H

#include "diagnose/log_rounding.h"
#include "diagnose/log_settings.h"

typedef struct LogFacts {
    char chip[24];                /* the first one that is named */
    char package[12], wanted[12]; /* chips: of the kernels package, of the folder that is missing */
    bool names_arm, names_intel;  /* processors */
    bool tls_on, tls_off;
    bool takes_maximum;    /* the source that is shown */
    double memory;         /* of the device in use, as it was last reported */
    uint64_t rises, falls; /* so many times it was more or less than before */
    int visible;           /* devices, as ASCEND_RT_VISIBLE_DEVICES lists them; 0: not known */
    LogSettings settings;
    LogRounding rounding;
    uint64_t inodes_until; /* the order up to which rows are those of `df -i` */
} LogFacts;

/* Has the line, which has a form of the row of evidence, what the row wants besides? Takes what it
 * says for later lines. */
bool log_facts_prove(LogFacts *facts, Str id, Str line, uint64_t order);

/* Does the row say that a difference is but rounding? `rounding.withdrawn` takes that back. */
bool log_facts_is_rounding(Str id);

#endif
