/* Baseline: findings that were there before, listed in a file, which a run leaves out. Private to
 * src/lint; for users: docs/ci/configuration.md.
 *
 * An entry is a fingerprint (fingerprint.h) of a file as named from the folder of the baseline. A
 * file that does not parse (OL00) is never in it. */
#ifndef PYPTO_LINT_LINT_BASELINE_H
#define PYPTO_LINT_LINT_BASELINE_H

#include "lint/engine.h"
#include "lint/fingerprint.h"

typedef struct BaselineEntry {
    Str file; /* from the folder of the baseline, `/`, valid UTF-8 */
    Str rule;
    Fingerprint print;
    Str text;     /* first line that the finding is about, for readers of the file */
    bool used;    /* this run found it */
    bool covered; /* this run would have found it */
} BaselineEntry;
typedef VEC(BaselineEntry) BaselineEntries;

typedef struct Baseline {
    Arena *arena;
    Str path;   /* terminated */
    Str folder; /* absolute, without symlinks */
    bool update;
    BaselineEntries old;   /* as read, sorted, each once */
    BaselineEntries found; /* update: what the run found */
    uint32_t left_out;     /* findings */
} Baseline;

/* Reads the file of a request; with --update-baseline it need not exist. False with the reason in
 * `*error`. In the arena. */
bool baseline_read(Baseline *baseline, Arena *arena, const Request *request, Str *error);

/* Takes the findings that are in the baseline (update: all) out of the unit's result. */
void baseline_apply(Baseline *baseline, Unit *unit);

/* How many entries this run should have found and did not. */
uint32_t baseline_stale(const Baseline *baseline);

/* What an update changed. */
typedef struct BaselineUpdate {
    uint32_t entries, added, removed;
} BaselineUpdate;

/* Writes what was found, and the entries about what was not looked at this time (other operators,
 * rules that did not run) as long as their folder exists; one entry a line, sorted. Nothing is
 * written when nothing changed. False with the reason in `*error`. */
bool baseline_write(Baseline *baseline, BaselineUpdate *update, Str *error);

#endif
