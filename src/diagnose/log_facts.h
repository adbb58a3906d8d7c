/* LogFacts: what one file of a log has said so far. Evidence that compares two values is checked
 * against it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_FACTS_H
#define PYPTO_LINT_DIAGNOSE_LOG_FACTS_H

#include "diagnose/log_rounding.h"
#include "diagnose/log_settings.h"
#include "diagnose/log_table.h"

typedef struct LogFacts {
    char chip[24];                /* the first one named */
    char package[12], wanted[12]; /* chips: of the kernels package and of the missing folder */
    bool names_arm, names_intel;  /* processors */
    bool tls_on, tls_off;
    bool takes_maximum;    /* the source shown so far does */
    double memory;         /* last reported use of device memory; 0: none */
    uint64_t rises, falls; /* how often it was more, or less, than before */
    int visible;           /* devices, as ASCEND_RT_VISIBLE_DEVICES lists them; 0: not known */
    LogTable table;
    LogSettings settings;
    LogRounding rounding;
    uint64_t inodes_until; /* the order up to which rows are those of `df -i` */
} LogFacts;

/* Does the line, which matched a form of the row `id`, also prove its claim? Remembers what it says
 * for later lines. */
bool log_facts_prove(LogFacts *facts, Str id, Str line, uint64_t order);

/* Does the row claim that a difference is only rounding? `rounding.withdrawn` refutes such rows. */
bool log_facts_is_rounding(Str id);

#endif
