/* .pre-commit-config.yaml: a block between two marking comments, among the items of `repos`. The
 * text around it stays as it is; libyaml says where the block belongs and whether the result is
 * sound. */
#ifndef PYPTO_LINT_INIT_PRE_COMMIT_H
#define PYPTO_LINT_INIT_PRE_COMMIT_H

#include "base/str.h"

typedef enum PreCommitProblem {
    PRE_COMMIT_GOOD,
    PRE_COMMIT_BROKEN,     /* not YAML, more than one document, or not a mapping */
    PRE_COMMIT_NO_LIST,    /* `repos` is not a list of items on lines of their own */
    PRE_COMMIT_BAD_MARKS,  /* the marking comments are not one pair */
    PRE_COMMIT_LEFT_EMPTY, /* without the block, a `repos` that is not ours would have no items */
} PreCommitProblem;

typedef struct PreCommitChange {
    PreCommitProblem problem;
    Str text;     /* the whole file afterwards; as before when nothing was to be done */
    bool foreign; /* the hook is there, but not in a block of ours */
    bool empty;   /* afterwards: nothing is left in it */
} PreCommitChange;

/* Adds the block of `wanted` (the text of our file in hooks/) unless the hook is there. */
PreCommitChange pre_commit_add(Arena *arena, Str text, Str wanted);
/* Removes the block, and a line `repos:` right above it with nothing else below. */
PreCommitChange pre_commit_remove(Arena *arena, Str text, Str wanted);

#endif
