/* LogSeries: lines of one form that report one block, row or step of a result after the other, and
 * which of them are wrong: "rows 0..127 max_abs 3e-07 ok", "block 4: mismatches 26112". */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SERIES_H
#define PYPTO_LINT_DIAGNOSE_LOG_SERIES_H

#include "base/str.h"

enum { SERIES_NUMBERS = 6, SERIES_TEXT = 160 };

typedef struct LogSeries {
    uint64_t key; /* of the words that its lines have in common; 0: none */
    uint32_t right, wrong;
    uint32_t after;              /* lines that are right after a wrong one */
    bool counts_sizes;           /* "K=1024: …": a longer axis each time */
    bool grows;                  /* both numbers do so far */
    double size, error;          /* of the last line: the first and the last number */
    bool counts_runs;            /* "run 3: …": the same thing again */
    bool counts_steps;           /* "epoch 3: …": training steps, each with its own data */
    bool begins_wrong;           /* the first line is */
    bool is_table;               /* of numbers, without words */
    bool varies;                 /* a number before the last one does */
    uint32_t same;               /* lines with the last number of the first */
    double first, last;          /* of the first line */
    double most[SERIES_NUMBERS]; /* by place in the line: of the numbers of right lines */
    uint64_t line;               /* of the first wrong one, with its order and text */
    uint64_t order;
    char text[SERIES_TEXT + 1];
} LogSeries;

typedef enum SeriesShape {
    SERIES_NONE,  /* too short, all right, all wrong, or without an order in it */
    SERIES_LAST,  /* only the last one is wrong */
    SERIES_FROM,  /* all are wrong from one on that is neither the first nor the last */
    SERIES_FIRST, /* only the first one is */
    SERIES_RATIO, /* a table of numbers whose last column is the same in all lines */
    SERIES_GROWS, /* a line for each size, and the last number grows with it */
    SERIES_MIXED  /* one line for each run of the same thing, and they differ */
} SeriesShape;

/* Takes a line. If it ends the series before it, that one's shape is returned, and `ended` is
 * it. */
SeriesShape log_series_line(LogSeries *series, Str line, uint64_t number, uint64_t order,
                            LogSeries *ended);

/* The shape of the series so far. */
SeriesShape log_series_shape(const LogSeries *series);

#endif
