/* Fixing: writes the edits of a linted unit into its files. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_FIX_H
#define PYPTO_LINT_LINT_FIX_H

#include "lint/engine.h"
#include "lint/fix_edits.h"

/* What a whole `--fix` knows, over all rounds. */
typedef struct Fixing {
    Arena *arena; /* outlives the runs of the rounds */
    const Request *request;
    Fixes fixes;
    Strs written;  /* real paths of the files rewritten, with repetitions */
    Strs given_up; /* real paths that are not tried again; a notice says why */
    Notices notices;
    bool only_look;    /* nothing is written: is there something to do? */
    FixedTexts *texts; /* nothing is written: the texts are added here; NULL: files are */
} Fixing;

/* Applies the safe edits of the unit's findings and its suppression edits, as the request wants
 * them. Edits of one finding are applied together or not at all; a finding whose edits touch those
 * of an earlier one waits. A file that is not what was linted any more waits, too. True when
 * something changed (fixing->only_look: would change) or waits: lint again. */
bool fix_unit(Fixing *fixing, const Unit *unit);

/* Sets fixes.files from `written`. */
void fixing_count_files(Fixing *fixing);

#endif
