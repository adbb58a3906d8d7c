/* Which files of a folder hold a profile. */
#ifndef PYPTO_LINT_PERF_FIND_H
#define PYPTO_LINT_PERF_FIND_H

#include "base/str.h"
#include "base/vec.h"

/* Folders within folders, and entries of all of them, that are looked at. */
enum { PERF_FOLDER_DEPTH = 4, PERF_MOST_ENTRIES = 20000 };

typedef struct PerfFiles {
    Str trace;   /* terminated; empty = there is none */
    Strs others; /* further traces, and files of a profile in forms that are not known */
    bool is_cut; /* there were more entries than are looked at */
} PerfFiles;

/* Looks in `folder` and below it, not through links. The trace is the newest merged_swimlane.json,
 * else the newest JSON file with "swimlane" or "trace" in its name. */
void perf_find(PerfFiles *files, Arena *arena, Str folder);

#endif
