/* Logs that a device writes beside its trace: how long cores work and wait (bubble logs) and what
 * their counters say (PMU tables). Outside input: what has another form is not taken at all. */
#ifndef PYPTO_LINT_PERF_PROFILE_H
#define PYPTO_LINT_PERF_PROFILE_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* Larger logs are refused; cores beyond the limit are counted. Both bound time and memory. */
enum { PROFILE_MOST_BYTES = 64 << 20, PROFILE_MOST_CORES = 4096 };

typedef enum WaitFigure {
    WAIT_TASKS,       /* a count; the others are microseconds */
    WAIT_WORK,        /* running */
    WAIT_ALL,         /* waiting */
    WAIT_SCHEDULE,    /* of it for a task to be handed out */
    WAIT_PREDECESSOR, /* of it for tasks that this one depends on */
    WAIT_FIGURES
} WaitFigure;

typedef enum CounterFigure {
    COUNTER_TIME,   /* microseconds */
    COUNTER_CYCLES, /* a count; the others are shares */
    COUNTER_VECTOR,
    COUNTER_CUBE,
    COUNTER_SCALAR,
    COUNTER_MTE1,
    COUNTER_MTE2,
    COUNTER_MTE3,
    COUNTER_FIXPIPE,
    COUNTER_ICACHE_MISS,
    COUNTER_FIGURES
} CounterFigure;

/* What a log says of a core or thread. A counter's share is the mean of its rows, weighted by
 * their time or cycles; the other figures are sums. */
typedef struct CoreFigures {
    Str core;
    uint32_t rows;
    double value[COUNTER_FIGURES]; /* by WaitFigure or CounterFigure */
    bool has[COUNTER_FIGURES];     /* the log says it */
    double weight[COUNTER_FIGURES];
} CoreFigures;

typedef struct CoreTable {
    VEC(CoreFigures) cores; /* in the order of the log */
    Map keys;
    uint64_t unread; /* rows or lines that could not be used */
} CoreTable;

/* Reads text that ends with NUL. False when it is not such a log: then the table is empty. */
bool waits_read(CoreTable *table, Arena *arena, Str text);
bool counters_read(CoreTable *table, Arena *arena, Str text);

/* The name in JSON: "work_us", "vec_ratio" … */
const char *wait_name(WaitFigure figure);
const char *counter_name(CounterFigure figure);

/* ---- shared by both readers (private to the folder) ---- */

/* The line at `*at` without its end; false at the end of the text. */
bool profile_line(Str text, size_t *at, Str *line);
/* The figures of a core, made when they are not there; NULL beyond PROFILE_MOST_CORES. */
CoreFigures *profile_core(CoreTable *table, Arena *arena, Str core);
/* The number that the text begins with, blanks aside, and what follows it; false without a finite
 * one that is not negative. */
bool profile_number(Str text, double *value, Str *rest);

#endif
