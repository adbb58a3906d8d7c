/* Engine: runs rules over one operator directory or loose file. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_ENGINE_H
#define PYPTO_LINT_LINT_ENGINE_H

#include "lint/plan.h"
#include "lint/select.h"
#include "lint/suppress.h"

/* One unit of work: an operator directory in one scope, or a loose file. Units share nothing. */
typedef struct Unit {
    const Request *request;
    Str dir;       /* operator directory, or the folder of the loose file */
    Str shown_dir; /* as reports name it */
    Str name;      /* operator name, if the caller knows it; may be empty */
    Str file;      /* file scope; loose: the file's name in `dir` */
    bool loose;
    bool if_kernel;         /* loose: only when it may hold a JIT kernel */
    const TextSource *text; /* instead of the file on disk */
    const Settings *settings;
    const OperatorState *state;        /* NULL: loose */
    const InstalledProduct *installed; /* NULL: none */
    /* results */
    Arena arena;
    Notices notices;
    OperatorResult result;
    bool nothing; /* if_kernel and there was none */
    Severity fail_on;
    bool fail_never;
    bool out_of_memory;
    const Operator *op; /* what the findings are about; NULL when nothing was linted */
    SuppressionEdits suppression_edits;
} Unit;

/* Lints the unit in the language of its request; everything it makes is in unit->arena, which is
 * empty when there was nothing and no notice. Never fails. */
void unit_run(Unit *unit);

#endif
