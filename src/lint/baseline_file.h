/* The file of a baseline: JSON with one entry a line, so that a diff shows which findings came and
 * went. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_BASELINE_FILE_H
#define PYPTO_LINT_LINT_BASELINE_FILE_H

#include "lint/baseline.h"

enum { BASELINE_VERSION = 1, BASELINE_MAX_FILE = 64 * 1024 * 1024 };

/* Reads the entries in the order of the file. A file that is not there has none, if it `may_lack`.
 * False with the reason in `*error`. `path` terminated; everything in the arena. */
bool baseline_load(BaselineEntries *entries, Arena *arena, Str path, bool may_lack, Lang lang,
                   Str *error);
/* Replaces the file in one step, unless it already has this content. */
bool baseline_save(const BaselineEntries *entries, Arena *arena, Str path, Str *error);

#endif
