/* Blame: which line of a kernel makes the outputs of a failing case wrong. The worker searches
 * (docs/internals/blame.md); this folder reads its answer as untrusted data and puts it into
 * words. */
#ifndef PYPTO_LINT_HARNESS_BLAME_BLAME_H
#define PYPTO_LINT_HARNESS_BLAME_BLAME_H

#include "harness/judge/leaf_places.h"
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
    BLAME_MOST_INPUTS = 4,
    BLAME_MOST_RANK = 5,
    BLAME_MOST_FORMULA = 40,    /* bytes */
    BLAME_MOST_EXPRESSION = 60, /* the same as _MOST_SHOWN in scalar_edits.py */
    BLAME_MOST_UNMATCHED = 8,
};

/* Indices of the loops around an operation, outermost first, and their names where the kernel's
 * text has them (empty where not). */
typedef struct BlameLoops {
    int64_t at[BLAME_MOST_LOOPS];
    Str names[BLAME_MOST_LOOPS];
    uint32_t count;
} BlameLoops;

typedef struct BlameTensor {
    int64_t shape[BLAME_MOST_RANK];
    uint32_t rank;
    Str dtype; /* "DT_FP32" */
} BlameTensor;

/* What else is known of the change that makes the outputs right (runtime/harness/…/said.py). */
typedef struct BlameDetail {
    Str other;          /* the operation that was meant or is missing; empty = none */
    int64_t axis, line; /* of the change; -1 = none */
    Str by;             /* the operation of that line; empty = not known */
    Str name;           /* of its tensor, or of the parameter that is meant; empty = not known */
    int64_t step;       /* what is added to a diagonal; 0 = not known */
    /* Of elements along `axis`; -1 = none. */
    int64_t written, remaining; /* a window has these, of those that remain there */
    int64_t begins, right;      /* where its window begins, and where it should */
    int64_t count;              /* of windows, or of elements to keep; -1 = not known */
    Str how;            /* windows miss elements: "overlap", "apart", "narrow", "few", or empty */
    bool is_earlier;    /* what `line` made in the iteration before is meant */
    Str form;           /* of a scalar: "times", "one_over" …; empty = not known */
    double value;       /* of "plain" and "times" */
    int64_t extent;     /* of "one_over" and its kin */
    int64_t mode;       /* of a cast; -1 = not known */
    bool transposes[2]; /* which operands of a product */
    /* Of letters and operators, or of the kernel's names; empty = not known. */
    Str formula, instead_of;
    BlameTensor inputs[BLAME_MOST_INPUTS], made;
    uint32_t input_count;
} BlameDetail;

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
    BlameLoops loops;
} BlameWriter;

typedef struct Blame {
    BlameStatus status;
    bool is_sure; /* BLAME_FOUND: changing that line makes the outputs right */
    SourcePlace place;
    Str operation; /* "sum"; empty = unknown */
    BlameLoops loops;
    Str kind; /* a row of blame_words.c: "axis"; empty = unknown */
    Str why;  /* BLAME_UNSURE: why there is no line; may be empty */
    BlameDetail detail;
    const LeafPlaces *result; /* where the operation's result is wrong; NULL = not known */
    SourcePlace candidates[BLAME_MOST_CANDIDATES];
    uint32_t candidate_count;
    SourcePlace
        unmatched[BLAME_MOST_UNMATCHED]; /* lines of whose tensors the reference has no equal */
    uint32_t unmatched_count;
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

/* blame_detail.c: reads `detail` of a worker's answer and the loops of a place; a word of an answer
 * (lower-case letters, digits and _), empty for anything else. In the arena. */
void blame_detail_read(Arena *arena, const json_t *from, BlameDetail *detail);
void blame_loops_read(Arena *arena, const json_t *from, BlameLoops *loops);
Str blame_word_read(Arena *arena, const json_t *object, const char *key);

/* blame_words.c: what is wrong with the line. In the text {o} is replaced by `other`, {a} by
 * `axis`, {m} by the tensor of `line`, {s} by `step`, {n} by the parameter `name`, {w} by
 * `written`, {r} by `remaining`, {b} by `begins`, {t} by `right`, {c} by `count`, {v} by the
 * scalar, {k} by the cast's mode, {f} and {g} by the formulas, {i} by the inputs and {p} by the
 * result. NULL for an unknown kind. */
typedef struct BlameWords {
    const char *kind;
    Text text;
} BlameWords;
const BlameWords *blame_words(Str kind);
/* Appends what is wrong with the line of BLAME_FOUND: its row with everything filled in. */
void blame_add_words(Buf *out, const Blame *blame, Lang lang);
/* Appends where the operation's result is wrong, "only the last rows: rows 9..11 of 12, …", if that
 * is known. False if not. */
bool blame_add_result(Buf *out, const Blame *blame, Lang lang);

#endif
