/* Request: what to lint and how, as the command line or a hook asks for it. */
#ifndef PYPTO_LINT_LINT_REQUEST_H
#define PYPTO_LINT_LINT_REQUEST_H

#include "lint/config.h"

/* One source given as text instead of a file (standard input). */
typedef struct TextSource {
    Str path; /* its name and place */
    Str text;
} TextSource;

/* A hook that asks: what it may do, and whom it may blame, differs from a gate. */
typedef enum HookKind {
    HOOK_NONE,
    HOOK_POST_EDIT, /* about one file: `edited` */
    HOOK_STOP,
} HookKind;

/* What is to be checked, by which rules, and what is left out of the answer. */
typedef struct Question {
    Strs paths;           /* empty = the working directory */
    bool whole_operators; /* named files stand for their operators; see DiscoverOptions.whole */
    Str op_dir;           /* --op-dir, or empty */
    Str file;             /* --file, or empty */
    Str edited;           /* HOOK_POST_EDIT: the edited file, relative to op_dir; rules about other
                               files are SKIP */
    const TextSource *text;     /* standard input, or NULL */
    int stage;                  /* 0 = from the state file or the artifacts, unless has_stage */
    bool has_stage;             /* `stage` counts whatever it is */
    bool stage_guessed;         /* nobody said `stage`: a file that is there is judged at any */
    int phase;                  /* k of M_k, or 0 */
    RuleSet set;                /* which rules it is about, `rules` aside */
    Strs rules, ignore;         /* selectors of --rules and --ignore */
    Strs select, extend_select; /* of --select and --extend-select */
    Profile profile;            /* --profile */
    bool gate;    /* stage, phase or design gate: suppressions do not count unless configured */
    bool design;  /* only the design gate's rules */
    Str baseline; /* --baseline, or empty; gates and hooks look past it */
    bool update_baseline;
    Str changed_since; /* --changed-since, or empty: only what differs from this revision */
    bool staged;       /* --staged: only what is in git's index */
    bool new_only;     /* with one of them: only findings on changed lines */
    bool fix;          /* run_fix: apply safe fixes */
    bool suggestions;  /* with it: those that are suggestions, too */
    bool show_types;   /* what is known of assignments and calls of kernels is part of the result */
    bool statistics;   /* so is how far the evaluation of kernels came */
    bool add_suppressions; /* run_fix: write comments for findings below S0 … */
    Str reason;            /* … with this text */
    bool show_files;       /* the files that were read are part of the result */
    bool remove_unused;    /* run_fix: take unused suppressions out */
} Question;

/* Who asks: the form of the answer, and what may be done for it. */
typedef struct Caller {
    HookKind hook; /* like a gate, suppressions do not count; Python is never started */
    /* As the Python linter does it, its hooks too: no OL00 but after an edit; `op_dir` need not
     * exist. */
    bool upstream;
    bool has_lang, has_fail_on, fail_never;
    Lang lang;
    Severity fail_on;
    Str config; /* --config, or empty: the nearest file */
    bool no_config;
    Str python;    /* --python, or empty */
    Str pypto;     /* --pypto, or empty */
    bool no_exec;  /* never start a Python interpreter (else only gates do) */
    unsigned jobs; /* 0 = the processors this process may use */
    /* Called in the calling thread now and then, with how many units are done; NULL = nobody. */
    void (*progress)(void *progress_context, uint32_t done, uint32_t count);
    void *progress_context;
} Caller;

typedef struct Request {
    Question what;
    Caller who;
} Request;

/* A gate or a hook: suppressing comments do not count, and nothing may stay unsaid. */
static inline bool request_is_strict(const Request *request)
{
    return request->what.gate || request->who.hook != HOOK_NONE;
}

/* Lints what the request asks for. What other runs of the same plan have read is not read again.
 * Everything is in the plan's arena except what the units of work hold, which run_free gives back.
 * Never fails: what goes wrong is a notice, and exit_status says so. */
typedef struct Run Run;
typedef struct Plan Plan;
Run *run_check(const Request *request, Plan *plan);
const RunResult *run_result(const Run *run);
void run_free(Run *run);

/* What run_fix did. */
typedef struct Fixes {
    uint32_t findings;     /* fixed */
    uint32_t suppressions; /* comments removed or shortened */
    uint32_t refused;      /* findings that no comment was written for */
    uint32_t files;        /* rewritten, each counted once */
    bool unfinished;       /* something is left that could be fixed */
    bool partial;          /* the scope was too small to call a suppression unused */
} Fixes;

/* Lints, applies what `fix` and `remove_unused` of the question ask for, and lints again, until
 * there is nothing to apply, at most FIX_ROUNDS times. The result is that of the last lint; what
 * could not be written is an error notice in it. */
enum { FIX_ROUNDS = 10 };
Run *run_fix(const Request *request, Plan *plan, Fixes *fixes);

/* A file with its fixes. */
typedef struct FixedText {
    Str path; /* as the system names it */
    Str before, after;
} FixedText;
typedef VEC(FixedText) FixedTexts;

/* The same without writing: `*texts` becomes what the files would be, each file once. The result is
 * that of the first lint, for a text given in place of a file that of the last. */
Run *run_fix_texts(const Request *request, Plan *plan, Fixes *fixes, FixedTexts *texts);

#endif
