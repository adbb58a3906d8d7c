/* Blame: which line of a kernel makes the outputs of a failing case wrong. The worker searches
 * (docs/internals/blame.md); this folder reads its answer as untrusted data and puts it into
 * words. */
#ifndef PYPTO_LINT_HARNESS_BLAME_BLAME_H
#define PYPTO_LINT_HARNESS_BLAME_BLAME_H

#include "harness/judge/sim_findings.h"

typedef enum BlameStatus {
    BLAME_NONE,    /* there was no search */
    BLAME_SKIPPED, /* the search would have taken too long; --blame forces it */
    BLAME_REMOTE,  /* there is no search on a cluster */
    BLAME_UNSURE,  /* no line, or several: `candidates` */
    BLAME_FOUND,   /* `place` */
} BlameStatus;

enum {
    BLAME_MOST_LOOPS = 8,
    BLAME_MOST_CANDIDATES = 8,
    BLAME_MOST_WORD = 32, /* bytes of the name of an operation */
    BLAME_MOST_WRITERS = 8,
    BLAME_MOST_ERRORS = 8,
    BLAME_MOST_FLAGS = 6,
    BLAME_MOST_STEP = 1000,
};

/* What a line adds to the error of the outputs, compared with the same run in double precision. */
typedef struct BlameError {
    SourcePlace place; /* line 0 = none */
    Str operation;
    int64_t iteration;           /* of the innermost loop; -1 = outside of loops */
    double added, inherited;     /* relative, 0 to 10^6 */
    Str flags[BLAME_MOST_FLAGS]; /* "cancellation", … as `run --precision` says them */
    uint32_t flag_count;
} BlameError;

typedef struct BlamePrecision {
    bool is_known;     /* the run in double precision is complete */
    bool is_wrong;     /* rounding alone puts an output beyond its dtype's tolerance */
    BlameError beyond; /* the first result beyond its tolerance */
    BlameError lines[BLAME_MOST_ERRORS]; /* the largest first */
    uint32_t line_count;
} BlamePrecision;

/* Who wrote the worst element of a wrong output. */
typedef struct BlameWriter {
    uint32_t output; /* number of the leaf */
    SourcePlace place;
    Str operation; /* empty = unknown */
    int64_t iteration[BLAME_MOST_LOOPS];
    uint32_t loops;
} BlameWriter;

typedef struct Blame {
    BlameStatus status;
    bool is_sure; /* BLAME_FOUND: changing that line makes the outputs right */
    SourcePlace place;
    Str operation;                       /* "sum"; empty = unknown */
    int64_t iteration[BLAME_MOST_LOOPS]; /* indices of the loops around it, outermost first */
    uint32_t loops;
    Str kind;           /* a row of blame_words.c: "axis"; empty = unknown */
    Str other;          /* the operation that was meant or is missing; empty = none */
    int64_t axis, line; /* of the change; -1 = none */
    int64_t step;       /* what is added to a diagonal; 0 = not known */
    /* Of elements along `axis`; -1 = none. */
    int64_t written, remaining; /* a window has these, of those that remain there */
    int64_t begins, right;      /* where its window begins, and where it should */
    bool is_earlier;            /* what `line` made in the iteration before is meant */
    Str parameter;              /* whose window it is meant to take; empty = not known */
    SourcePlace candidates[BLAME_MOST_CANDIDATES];
    uint32_t candidate_count;
    BlameWriter writers[BLAME_MOST_WRITERS];
    uint32_t writer_count;
    Str pattern;        /* which iterations are wrong: "first", "from", "last"; empty = others */
    int64_t pattern_at; /* the first wrong one */
    BlamePrecision precision;
    uint64_t left_out; /* tensors beyond the limits */
} Blame;

/* Reads `blame` of a worker's result; the status is BLAME_NONE if it is not an object. The texts
 * are copied into the arena. */
void blame_read(Arena *arena, const json_t *from, Blame *blame);

/* Appends "modules/x_impl.py:24: sum: …" without a line end; nothing for BLAME_NONE. */
void blame_add(Buf *out, const Blame *blame, Lang lang);

/* Appends "modules/x_impl.py:72: assemble, iteration 3". */
void blame_add_writer(Buf *out, const BlameWriter *writer, Lang lang);

/* blame_precision.c: reads `precision` of a worker's answer; appends a clause if rounding alone
 * makes an output wrong; makes checks[].blame.precision of the report, null when it is not
 * known. */
void blame_precision_read(Arena *arena, const json_t *from, BlamePrecision *precision);
void blame_precision_add(Buf *out, const BlamePrecision *precision, Lang lang);
json_t *blame_precision_json(JsonTree *tree, const BlamePrecision *precision);

/* checks[].blame of the report; NULL when memory ran out. */
json_t *blame_json(JsonTree *tree, const Blame *blame);

/* blame_words.c: what is wrong with the line. In the text {o} is replaced by `other`, {a} by
 * `axis`, {l} by `line`, {s} by `step`, {n} by `parameter`, {w} by `written`, {r} by
 * `remaining`, {b} by `begins` and {t} by `right`. NULL for an unknown kind. */
typedef struct BlameWords {
    const char *kind;
    Text text;
} BlameWords;
const BlameWords *blame_words(Str kind);
/* Appends what is wrong with the line of BLAME_FOUND: its row with everything filled in. */
void blame_add_words(Buf *out, const Blame *blame, Lang lang);

#endif
