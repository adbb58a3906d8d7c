/* Changes: which files, and which of their lines, differ from a git revision or are staged. Private
 * to src/lint; for users: docs/command-line.md. */
#ifndef PYPTO_LINT_LINT_CHANGES_H
#define PYPTO_LINT_LINT_CHANGES_H

#include "lint/request.h"

typedef struct LineRange {
    uint32_t first, last; /* from 1, both included */
} LineRange;

typedef struct ChangedFile {
    Str path;             /* absolute, without symlinks */
    bool all;             /* new for git: every line counts */
    VEC(LineRange) lines; /* ascending; only with request->what.new_only */
} ChangedFile;

typedef struct Changes {
    Str top;                /* of the repository, absolute, without symlinks */
    VEC(ChangedFile) files; /* by path, each once; deleted ones, too */
} Changes;

/* Does the request ask for this? */
bool changes_wanted(const Request *request);
/* Asks git, in the repository that holds `folder` (terminated). False with the reason in `*error`.
 * In the arena. */
bool changes_read(Changes *changes, Arena *arena, const Request *request, const char *folder,
                  Str *error);
/* Fills `changes`, whose `top` is set, from what git printed: `diff --raw -z`, perhaps with a patch
 * after it, and `ls-files --others -z`. */
void changes_parse(Changes *changes, Arena *arena, Str diff, Str untracked);
/* Is this file changed, or anything below this folder? `real`: absolute, without symlinks. */
bool changes_touch(const Changes *changes, Str real, bool is_folder);
/* Does a finding in this file belong to changed lines? Findings about whole files, and about files
 * that do not parse, always count. */
bool changes_keep(const Changes *changes, Str real, const Finding *finding);

#endif
