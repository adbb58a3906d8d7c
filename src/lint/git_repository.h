/* GitRepository: the repository that contains a folder, found by our own search, and a directory of
 * our own through which git reads it.
 *
 * Without --git-dir, git looks for a repository itself and takes any folder with the files HEAD,
 * config, objects and refs for one: files that a clone can contain like all others. And whatever
 * repository it uses, it obeys its `config`, which may name programs in a dozen places. So git
 * never looks for a repository, and never sees the settings of one: it gets our directory
 * (--git-dir) with our settings, in which `refs` leads to the repository's, and the place of its
 * objects. */
#ifndef PYPTO_LINT_LINT_GIT_REPOSITORY_H
#define PYPTO_LINT_LINT_GIT_REPOSITORY_H

#include "base/str.h"

enum { GIT_OWN_PATH = 256 };

typedef struct GitRepository {
    Str top;                /* of the work tree, absolute, without symlinks */
    Str dir;                /* `.git`, or where the file `.git` leads */
    Str common;             /* what its worktrees share; `dir` itself in most */
    char own[GIT_OWN_PATH]; /* our directory while it exists (git_repository_open), else empty */
} GitRepository;

typedef enum RepositoryFound {
    REPOSITORY_FOUND,
    REPOSITORY_NONE,   /* there is no `.git` */
    REPOSITORY_BROKEN, /* a file `.git` leads to no repository */
    REPOSITORY_ODD,    /* `.git` is something else, or a folder without HEAD */
} RepositoryFound;

/* Looks at the `.git` of this very folder (absolute, without symlinks): a folder with a HEAD, or a
 * file that names one, as worktrees and submodules have. In the arena. */
RepositoryFound git_repository_at(Arena *arena, Str folder, GitRepository *repository);
/* The same from `folder` upwards. */
RepositoryFound git_repository_find(Arena *arena, Str folder, GitRepository *repository);

/* Makes our directory, in $TMPDIR or /tmp, readable for the user only. False with errno, and
 * nothing left over. Git may read through it and write objects and refs, no more. */
bool git_repository_open(Arena *arena, GitRepository *repository);
/* Takes it away again; no memory is needed. */
void git_repository_close(GitRepository *repository);

/* The index that git is to use: that of the repository, or the one that git names (GIT_INDEX_FILE)
 * when it calls us as a hook of this repository. */
Str git_repository_index(Arena *arena, const GitRepository *repository);

#endif
