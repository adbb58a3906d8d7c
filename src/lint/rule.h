/* Rule: what a rule is, and how it reports. A rule is one file in rules/ with one `const Rule
 * olNN`, one page docs/rules/OLNN.md and one folder of fixtures; see
 * docs/internals/adding-a-rule.md. */
#ifndef PYPTO_LINT_LINT_RULE_H
#define PYPTO_LINT_LINT_RULE_H

#include "operator/operator.h"

typedef enum Severity { S0, S1, S2, S3 } Severity;
typedef enum Dimension { D1 = 1, D2, D3, D4, D5 } Dimension;
typedef enum Effort { EFFORT_UNSET, E1, E2, E3 } Effort;
typedef enum Target { TARGET_IMPL, TARGET_GOLDEN, TARGET_TEST, TARGET_GATE } Target;
typedef enum Status { STATUS_SKIP, STATUS_PASS, STATUS_INFO, STATUS_WARN, STATUS_FAIL } Status;
typedef enum FixClass { FIX_NONE, FIX_SUGGEST, FIX_SAFE } FixClass;
/* Which rules run when nobody selects some. */
typedef enum Profile {
    PROFILE_UNSET,    /* kernel for loose files and in the product's repository, else operator */
    PROFILE_OPERATOR, /* all that fit: those about the workflow, too */
    PROFILE_KERNEL,   /* what is wrong in any PyPTO code: SET_KERNEL */
} Profile;
typedef enum Lang { LANG_EN, LANG_ZH } Lang;

/* Bit of a stage in Rule.stages. */
#define STAGE(n) (1u << (n))

/* The same text in English and Chinese. */
typedef struct Text {
    const char *en, *zh;
} Text;

/* Named groups of rules that gates, hooks and the old command line run (docs/agents/gates.md). */
typedef enum RuleSet {
    SET_SCOPE,      /* all that fit the scope; those of other stages are SKIP */
    SET_STAGE_GATE, /* gates: only rules of the gate's stage */
    SET_PHASE_GATE, /* with every rule whose target is an implementation file */
    SET_DESIGN_GATE,
    SET_IMPL,   /* the rest: members of other stages are SKIP */
    SET_GOLDEN, /* every rule with this target */
    SET_TEST,   /* likewise */
    SET_CONSISTENCY,
    SET_SPEC,
    SET_DESIGN,
    SET_PYTHON,     /* judges any Python file of an operator, whatever it is for */
    SET_PARAMETERS, /* about what a wrapper takes: `verify --inspect` adds to it */
    /* About tile shapes: `verify` names the cause so (docs/kernel-authors/verify.md, "The lint
     * gate"). */
    SET_TILE,
    SET_KERNEL, /* the profile `kernel`: no convention of the workflow, but wrong in any code */
} RuleSet;

/* Bit of a set in Rule.sets. */
#define IN(set) (1u << (set))

/* What a rule needs to be called; else the engine leaves it out or answers SKIP
 * (docs/internals/python-model.md, "SKIP"). */
enum {
    NEEDS_FILES = 1,  /* S-EMPTY: the scan set must not be empty */
    NEEDS_PARSED = 2, /* S-UNPARSED: some file of it must have parsed */
    NEEDS_KERNEL = 4, /* S-NOJIT: some parsed file must have a kernel; check_file sees only those */
    NEEDS_EVALUATED = 32, /* as NEEDS_KERNEL, but a kernel that a call of jit makes will do */
    NEEDS_OPERATOR = 8,   /* other files than the one it judges: left out for a loose file */
    NEEDS_OWN_EDIT = 16, /* after an edit, the edited file must be the golden or test it is about */
};

/* A number of a rule that settings may change. A list of them ends with a name of NULL. */
typedef struct RuleOption {
    const char *name;
    double standard, least, most;
    Text help;
} RuleOption;

typedef struct RuleRun RuleRun;

enum { RULE_ORDERS = 256 }; /* Rule.order is a byte, another for every rule */

typedef struct Rule {
    const char *id;   /* "OL48" */
    const char *name; /* "tile-not-constant": means the same wherever an id may stand */
    uint8_t order;    /* place in the catalogue: the order of reports */
    Severity severity;
    Dimension dimension;
    Effort effort;
    unsigned stages; /* STAGE(5) | STAGE(6) */
    Target target;
    unsigned sets; /* IN(SET_IMPL) | …: the sets that it is in, besides those its target implies */
    FixClass fix;  /* the best class that its findings may carry */
    unsigned needs;  /* NEEDS_… */
    bool holds_gate; /* a FAIL holds up our gates as one of S1 does, whatever the severity */
    /* A finding is dropped where one of these rules ("OL05 OL25*") reports the same line, or, with
     * a `*` after the id, the same file. NULL: none. */
    const char *yields_to;
    const RuleOption *options; /* NULL: none */
    Text hint; /* what to write instead; used when a finding brings no hint of its own */
    /* Exactly one of the three. check_kernel: once for every kernel of a parsed file. check_file:
     * once for every parsed file of the scan set. Both in scan order. check: once for the
     * operator. */
    void (*check_kernel)(RuleRun *run, const PyFile *file, NodeId kernel);
    void (*check_file)(RuleRun *run, const PyFile *file);
    void (*check)(RuleRun *run);
} Rule;

/* A half-open range of lines and columns, from 1, columns in code points; all zero for a whole
 * file. */
typedef struct Region {
    uint32_t line, column, end_line, end_column;
} Region;

typedef struct Edit {
    uint32_t start, end; /* byte range in `source` of the finding */
    Region region;
    Str text; /* replaces it */
} Edit;

typedef struct Related {
    Str file;
    Region region;
    Str message;
} Related;

typedef struct Finding {
    const Rule *rule;
    Status status; /* INFO, WARN or FAIL */
    Str file;      /* relative to the operator directory */
    Region region;
    const Source *source; /* of `file`, for excerpts; NULL when there is none */
    uint32_t start;       /* byte offset of the region in `source` */
    uint32_t base;        /* in a block of a document: where the block begins in `source` */
    Str message;          /* in the language of the run, one line */
    Str identity;         /* of a finding about a whole file: its names, the same in every language;
                     else empty */
    Str hint;
    VEC(Related) related;
    VEC(Edit) edits;
    FixClass fix; /* class of `edits`; FIX_NONE without */
    bool yields;  /* to findings of the rules KS on its line */
} Finding;
typedef VEC(Finding *) Findings;

/* One rule at work on one operator. Read `op` and `rule`; the rest belongs to the engine. */
struct RuleRun {
    const Rule *rule;
    Operator *op;
    const struct Config *settings; /* for rule_number; NULL: none */
    Arena *arena;                  /* lives until the report is written */
    Lang lang;
    Findings findings;
    bool skipped;
    bool notable; /* the reader should know of the SKIP: a notice tells it, too */
    Str reason;   /* of the SKIP */
};

/* --- places */

/* Where a finding is: an anchor, whose line is the reported line, and a focus that narrows the
 * columns when it starts on that line (else it is added as a related place). Built by the functions
 * below. */
typedef struct Place {
    Str file;
    const Source *source;                        /* NULL: whole file */
    uint32_t start, end, focus_start, focus_end; /* bytes; focus_end 0 = no focus */
} Place;

/* A node; functions and classes count by their name token, for/while by their header. */
Place at_node(const PyFile *file, NodeId anchor);
Place at_focus(const PyFile *file, NodeId anchor, NodeId focus);
/* A node, with a byte range of the same file as focus. */
Place at_focus_range(const PyFile *file, NodeId anchor, uint32_t start, uint32_t end);
Place at_range(const PyFile *file, uint32_t start, uint32_t end);
/* First line of the file (its whole text as range). */
Place at_first_line(const PyFile *file);
/* A whole file, line 0. */
Place at_file(Str path);
/* A line (from 1) of a document; line 0 is the whole file. */
Place at_document_line(const Document *document, uint32_t line);

/* --- reporting */

/* Adds a finding. `en` and `zh` are printf formats taking the same arguments in the same order. A
 * message is one line that says what is wrong with the evidence; it must contain file-independent
 * facts only (the reports show file and line), except that it names the file when callers look for
 * it. */
Finding *report(RuleRun *run, Status status, Place place, const char *en, const char *zh, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* Replaces the rule's hint for this finding. */
void finding_hint(RuleRun *run, Finding *finding, const char *en, const char *zh, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));
/* Adds a related place. */
void finding_related(RuleRun *run, Finding *finding, Place place, const char *en, const char *zh,
                     ...) __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* Adds an edit of class `fix` in the finding's own file; all edits of a finding are applied
 * together. */
void finding_edit(RuleRun *run, Finding *finding, FixClass fix, uint32_t start, uint32_t end,
                  Str text);
/* Where the edits of a finding about a whole file are. */
static inline void finding_take_source(Finding *finding, const Source *source)
{
    finding->source = source;
}
/* The rule does not apply: status SKIP with this reason (only without findings). */
void rule_skip(RuleRun *run, const char *en, const char *zh, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
/* An option of the rule: as the settings have it, else its standard. */
double rule_number(const RuleRun *run, const char *option);
/* Text in the language of the run. */
const char *text_in(Lang lang, Text text);
/* Lines and columns of a byte range. */
Region finding_region(const Source *source, uint32_t start, uint32_t end);
/* Source text of a node for use in a message: one line, at most 60 code points, cut with "…". */
Str excerpt(RuleRun *run, const PyFile *file, NodeId id);

#endif
