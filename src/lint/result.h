/* Result: what a run found, as reports see it. Reports read this and nothing else: never the
 * tree. */
#ifndef PYPTO_LINT_LINT_RESULT_H
#define PYPTO_LINT_LINT_RESULT_H

#include "lint/rule.h"

/* The outcome of a rule in one operator directory. */
typedef struct RuleResult {
    const Rule *rule;
    Status status; /* worst of its findings; else PASS or SKIP */
    Str reason;    /* of a SKIP */
    bool notable;  /* a SKIP that the reader should know of */
    bool later;    /* a SKIP because the operator has not reached the rule's stages */
    double duration_ms;
} RuleResult;

/* Something that could not be checked, or should be known, and is not a finding of a rule. */
typedef struct Notice {
    Str file; /* may be empty */
    Str message;
    bool is_error; /* makes the exit status 2 */
    uint32_t line; /* of a comment that has no effect; 0: the file */
} Notice;

/* A list of them, with where their texts are kept and in which language. */
typedef struct Notices {
    Arena *arena;
    Lang lang;
    Notice *items;
    uint32_t count, capacity;
} Notices;

__attribute__((format(printf, 4, 6), format(printf, 5, 6))) void
notice_add(Notices *notices, Str file, bool is_error, const char *en, const char *zh, ...);
/* The same with a text that is there already. */
void notice_add_text(Notices *notices, Str file, bool is_error, Str message);
/* The line that the last one is about. */
static inline void notice_at(Notices *notices, uint32_t line)
{
    notices->items[notices->count - 1].line = line;
}
bool notices_have_error(const Notices *notices);
/* Adds what the system refused this thread (base/io_error.h), unless an error is known. */
void notices_take_io_error(Notices *notices);

enum { SHOWN_MEMORIES = 6 };

/* What is known of an assignment or a call of a kernel (eval/eval.h, EvalFact). */
typedef struct ShownType {
    Str file;
    Region region;
    Str name;         /* of an assignment; empty for a call */
    Str source;       /* of a call: its text, cut; empty for an assignment */
    const char *kind; /* "tensor", "int", …, "unknown" */
    Str shape, dtype, value, tile;
    int64_t ub; /* bytes in the unified buffer; 0 = not known */
} ShownType;

/* A tile as the call that sets it: "pypto.set_vec_tile_shapes(8, 512)". */
typedef struct ShownTile {
    Str call;
    int64_t needs[SHOWN_MEMORIES]; /* bytes that it takes in UB, L1, L0A, L0B, L0C, BT */
    double tiles;                  /* how many tiles there are */
    double cycles;                 /* of one core, by the cost model of traces */
    double loads, loaded;          /* transactions of MTE2, and their bytes */
    Str change; /* of the tile in force: "8 → 32", "m 16 → 64, kL1 64 → 128" */
} ShownTile;

/* An operation of a kernel with its tile, and with those that it could have. */
typedef struct ShownTiling {
    Str file, kernel, operation;
    Str sizes; /* "[64, 512]": the widest tensor's; of a product "[m, k, n]" */
    Region region;
    int64_t capacity[SHOWN_MEMORIES]; /* 0: not known */
    ShownTile now;
    VEC(ShownTile) options; /* cheapest first */
} ShownTiling;

/* A kernel that the rules KS… did not get through. */
typedef struct UnfinishedKernel {
    Str file, name;
    Region region; /* where they stopped */
    Text why;
    bool out_of_memory; /* that is why */
} UnfinishedKernel;

/* How far the rules KS… came, in numbers. */
typedef struct KernelCounts {
    uint32_t kernels, launches, unfinished;
    uint32_t operations, dtype_known, rank_known, shape_known; /* those of whose tensors … */
} KernelCounts;
void kernel_counts_add(KernelCounts *sum, const KernelCounts *one);

typedef struct SemanticsSummary {
    KernelCounts counts;
    VEC(UnfinishedKernel) unfinished;
    VEC(ShownType) types;     /* with --show-types */
    VEC(ShownTiling) tilings; /* likewise */
} SemanticsSummary;

/* One operator directory, or the loose kernel files outside of all of them (then `loose`). */
typedef struct OperatorResult {
    Str op_name; /* empty for loose files */
    Str op_dir;  /* as findings are relative to it; "." for loose files */
    bool loose;
    int stage;
    Str phase; /* "M2", or empty */
    VEC(RuleResult)
    rules; /* considered rules, catalogue order (OL00 only when it has findings, first) */
    Findings findings;           /* by file, line, column, rule; no duplicates */
    uint32_t files;              /* files read */
    Strs paths;                  /* with --show-files: theirs */
    Str settings;                /* the file that counts; empty without one */
    bool plain;                  /* by the profile `kernel` */
    bool unjudged;               /* no rule applies to the named file alone, whatever is selected */
    SemanticsSummary *semantics; /* NULL: not asked for, or switched off */
    double duration_ms;
} OperatorResult;
typedef VEC(OperatorResult *) OperatorResults;

typedef struct RunResult {
    OperatorResults operators; /* by op_dir */
    Notices notices;
    Lang lang;
    Severity fail_on; /* lowest severity whose FAIL makes the exit status 1 */
    bool fail_never;  /* --fail-on never */
    int exit_status;  /* 0, 1 or 2 */
    Str verdict;      /* of a gate that passes although not all is well, one line; else empty */
    Str beyond;       /* what a run with status 0 says nothing of, whole lines; else empty */
    Str nothing;      /* why nothing at all was checked, in the language of the run; else empty */
} RunResult;

/* Counts of findings (fail, warn, info) and of rules (pass, skip). */
typedef struct Counts {
    uint32_t fail, warn, info, pass, skip;
} Counts;
Counts result_counts(const OperatorResult *result);
/* The sums over all operators. */
KernelCounts result_kernel_counts(const RunResult *result);
/* Sets every rule's status anew after findings were taken out; SKIP stays, OL00 is listed only
 * while it has findings. */
void result_update_statuses(OperatorResult *result);

/* "S0", "D1", "E1" (empty for none), "impl", "FAIL". */
const char *severity_name(Severity severity);
const char *dimension_name(Dimension dimension);
const char *effort_name(Effort effort);
const char *target_name(Target target);
const char *status_name(Status status);

/* The page of a rule, compiled in from docs/rules/ (generated by scripts/make_rule_pages.py). */
typedef struct RulePage {
    const char *id, *name, *title, *title_zh, *severity, *dimension, *effort, *stages, *target,
        *fix, *since;
    const char *markdown;    /* everything after the front matter */
    const char *markdown_zh; /* docs/rules/zh/, or NULL; ask page_markdown() */
} RulePage;
/* Page of a rule id, or NULL. */
const RulePage *rule_page(const char *id);
/* The language of the body when `lang` is asked for: English where there is no Chinese one. */
Lang page_language(const RulePage *page, Lang lang);
/* The body in page_language(page, lang), from its title on. Never NULL. */
const char *page_markdown(const RulePage *page, Lang lang);
/* The heading of a section, "## Why", as Chinese pages have it; any other line unchanged. */
Str page_heading_zh(Str line);

/* All rules in catalogue order, OL00 not among them; and OL00. */
extern const Rule *const rule_registry[];
extern const uint32_t rule_registry_count;
extern const Rule rule_ol00;
/* Ids that name no rule, with the reason (rules/data/retired.c); ascending. */
typedef struct RetiredRule {
    const char *id;
    Text text;
} RetiredRule;
extern const RetiredRule retired_rules[];
extern const uint32_t retired_rule_count;

/* Rule by id ("OL00" included), or NULL. */
const Rule *rule_find(Str id);

#endif
