/* Request: what to lint and how, as the command line or a hook asks for it. */
#ifndef PYPTO_LINT_LINT_REQUEST_H
#define PYPTO_LINT_LINT_REQUEST_H

#include "lint/config.h"

/* One source given as text instead of a file (standard input). */
typedef struct TextSource {
    Str path; /* its name and place */
    Str text;
} TextSource;

typedef struct Request {
    Strs paths;             /* empty = the working directory */
    Str op_dir;             /* --op-dir, or empty */
    int stage;              /* 0 = from the state file or the artifacts */
    int phase;              /* k of M_k, or 0 */
    Str file;               /* --file, or empty */
    const TextSource *text; /* standard input, or NULL */
    Strs rules, ignore;     /* selectors of --rules and --ignore */
    Str config;             /* --config, or empty: the nearest file */
    bool no_config;
    bool gate;   /* stage, phase or design gate: suppressions do not count unless configured */
    bool design; /* only the design gate's rules */
    bool has_fail_on, has_lang, fail_never;
    Severity fail_on;
    Lang lang;
    unsigned jobs; /* 0 = the processors this process may use */
} Request;

/* Does all of it. Everything is in `arena` except what the units of work hold, which run_free gives
 * back. Never fails: what goes wrong is a notice, and exit_status says so. */
typedef struct Run Run;
Run *run_check(const Request *request, Arena *arena);
const RunResult *run_result(const Run *run);
void run_free(Run *run);

#endif
