/* A temporary folder and an arena for tests that need files. */
#ifndef PYPTO_LINT_TESTS_TREE_FIXTURE_H
#define PYPTO_LINT_TESTS_TREE_FIXTURE_H

#include "base/file.h"

typedef struct Tree {
    Arena arena;
    Str top; /* real path of the temporary folder */
} Tree;

/* cmocka set-up and tear-down: `*state` is a Tree; the folder is removed with all in it. */
int tree_set_up(void **state);
int tree_tear_down(void **state);

/* Path below the top ("" = the top itself). */
Str tree_path(Tree *tree, const char *relative);
/* Makes a file, and the folders above it. A path that ends in a slash makes a folder. */
void tree_add(Tree *tree, const char *relative, const char *content);
/* Do permissions hold for us? Not for root, unless it has given up the right to pass over them. */
bool tree_permissions_bind(Tree *tree);
/* How many file descriptors this process has open, for tests that none is left. */
int open_descriptors(void);
/* Makes a symlink, and the folders above it. */
void tree_link(Tree *tree, const char *relative, const char *target);

#endif
