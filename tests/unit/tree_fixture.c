/* A temporary folder and an arena for tests that need files. */
#include "tree_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

int tree_set_up(void **state)
{
    char name[] = "/tmp/pypto-lint-test-XXXXXX";
    Tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL || mkdtemp(name) == NULL) {
        free(tree);
        return -1;
    }
    arena_init(&tree->arena, 0);
    char *real = realpath(name, NULL);
    tree->top = str_from(str_dup(&tree->arena, str_from(real)));
    free(real);
    *state = tree;
    return 0;
}

/* Empties a folder. The trees of the tests are flat enough for recursion. */
static void clear(Tree *tree, Str folder)
{
    DirEntries entries;
    chmod(folder.at, 0700);
    assert_true(directory_list(&tree->arena, folder.at, &entries));
    for (uint32_t i = 0; i < entries.count; i++) {
        Str path = path_join(&tree->arena, folder, entries.items[i].name);
        if (entries.items[i].is_directory) {
            clear(tree, path);
        } else {
            assert_int_equal(unlink(path.at), 0);
        }
    }
    assert_int_equal(rmdir(folder.at), 0);
}

int tree_tear_down(void **state)
{
    Tree *tree = *state;
    clear(tree, tree->top);
    arena_free(&tree->arena);
    free(tree);
    return 0;
}

Str tree_path(Tree *tree, const char *relative)
{
    return *relative == '\0' ? tree->top : path_join(&tree->arena, tree->top, str_from(relative));
}

static void make_folders(Tree *tree, const char *path)
{
    for (const char *at = path + tree->top.length + 1; (at = strchr(at, '/')) != NULL; at++) {
        char *folder = str_dup(&tree->arena, (Str){path, (size_t)(at - path)});
        mkdir(folder, 0777);
    }
}

void tree_add(Tree *tree, const char *relative, const char *content)
{
    Str path = tree_path(tree, relative);
    make_folders(tree, path.at);
    if (path.at[path.length - 1] == '/') {
        return;
    }
    FILE *file = fopen(path.at, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

void tree_link(Tree *tree, const char *relative, const char *target)
{
    Str path = tree_path(tree, relative);
    make_folders(tree, path.at);
    assert_int_equal(symlink(target, path.at), 0);
}

bool tree_permissions_bind(Tree *tree)
{
    tree_add(tree, "closed", "");
    const char *path = tree_path(tree, "closed").at;
    bool bind = chmod(path, 0) == 0 && access(path, R_OK) != 0;
    unlink(path);
    return bind;
}

int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++) {
        count += fcntl(fd, F_GETFD) >= 0;
    }
    return count;
}
