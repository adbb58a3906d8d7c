/* Source watch: are the files that a verification rests on still those that it began with? What is
 * run has the rights of the user: it may write another reference for the cases after it, or a
 * module that the judge would find before the installed one. */
#ifndef PYPTO_LINT_HARNESS_PLAN_SOURCE_WATCH_H
#define PYPTO_LINT_HARNESS_PLAN_SOURCE_WATCH_H

#include "kernel/kernel.h" /* Strs */

#include <sys/stat.h>

typedef struct WatchedFile {
    Str path; /* absolute */
    bool exists;
    struct stat info;
} WatchedFile;

typedef VEC(WatchedFile) SourceWatch;

/* The named files (absolute paths), and what Python could import from the operator's folder,
 * modules/ and eval/, at most 4096 files in all, as they are now. In the arena. */
SourceWatch source_watch(Arena *arena, Str op_dir, const Strs *named);

/* The first file that is new, gone or changed in `now`; empty when there is none. A rewritten
 * file shows in the change time of its inode, which a program cannot set. */
Str source_watch_changed(const SourceWatch *before, const SourceWatch *now);

#endif
