/* Finds the files of a profile in a folder. */
#ifndef PYPTO_LINT_PERF_FIND_H
#define PYPTO_LINT_PERF_FIND_H

#include "base/str.h"
#include "base/vec.h"

/* How deep the search goes, and how many directory entries it looks at in all. */
enum { PERF_FOLDER_DEPTH = 4, PERF_MOST_ENTRIES = 20000 };

typedef struct PerfFiles {
    Str trace;   /* NUL-terminated; empty = none */
    Strs others; /* further traces, and profile files in formats that are not read */
    bool is_cut; /* there were more than PERF_MOST_ENTRIES entries */
} PerfFiles;

/* Searches `folder` and below, without following links. The trace is the newest
 * merged_swimlane.json, else the newest JSON file with "swimlane" or "trace" in its name. Paths are
 * in the arena, `others` sorted. A folder that cannot be read counts as empty. */
void perf_find(PerfFiles *files, Arena *arena, Str folder);

#endif
