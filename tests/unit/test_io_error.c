/* What is an I/O error, and what is not: faults of the system against facts about files. */
#include "base/file.h"
#include "base/io_error.h"

#include "tree_fixture.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect_none(Arena *arena)
{
    Str path;
    Str reason;
    assert_false(io_error_is_pending());
    assert_false(io_error_take(arena, &path, &reason));
}

static void test_first_stays(void **state)
{
    Tree *tree = *state;
    Str path;
    Str reason;
    expect_none(&tree->arena);
    io_error_note("a/b", EIO);
    io_error_note("c", ENOMEM);
    assert_true(io_error_is_pending());
    assert_true(io_error_take(&tree->arena, &path, &reason));
    assert_true(str_is(path, "a/b"));
    assert_true(str_is(reason, "Input/output error"));
    expect_none(&tree->arena);
    io_error_note(NULL, ENOMEM);
    assert_true(io_error_take(&tree->arena, &path, &reason));
    assert_true(str_is(path, ""));
    assert_true(str_is(reason, "Cannot allocate memory"));
    io_error_note(NULL, ENOMEM);
    io_error_drop();
    expect_none(&tree->arena);
}

static void test_long_path_is_cut(void **state)
{
    Tree *tree = *state;
    char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    Str path;
    Str reason;
    io_error_note(name, EMFILE);
    assert_true(io_error_take(&tree->arena, &path, &reason));
    assert_int_equal(path.length, 1023);
    assert_memory_equal(path.at, name, path.length);
}

/* What a tree may well hold is none: callers report that, or take it as it is. */
static void test_facts_are_none(void **state)
{
    Tree *tree = *state;
    static const int facts[] = {0,      ENOENT, ENOTDIR, EACCES,       EPERM,
                                EISDIR, ELOOP,  EROFS,   ENAMETOOLONG, EINVAL};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        io_error_note("a", facts[i]);
        expect_none(&tree->arena);
    }
    Str text;
    Str error;
    DirEntries entries;
    tree_add(tree, "file", "");
    tree_link(tree, "loop", "loop");
    file_read(&tree->arena, tree_path(tree, "none").at, 9, &text, &error);
    file_read(&tree->arena, tree->top.at, 9, &text, &error);
    assert_false(file_is_regular(tree_path(tree, "file/below").at));
    assert_false(file_is_directory(tree_path(tree, "loop").at));
    assert_false(directory_list(&tree->arena, tree_path(tree, "none").at, &entries));
    assert_int_equal(path_real(&tree->arena, tree_path(tree, "none")).length, 0);
    expect_none(&tree->arena);
}

static void test_memory(void **state)
{
    Tree *tree = *state;
    void *block = io_error_malloc(10);
    assert_non_null(block);
    free(block);
    expect_none(&tree->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_stays, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_long_path_is_cut, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_facts_are_none, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_memory, tree_set_up, tree_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
