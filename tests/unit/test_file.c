/* Tests of files: reading whole, special files, listing, atomic writing. */
#include "base/file.h"

#include "tree_fixture.h"

#include "py_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_reading(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    Str text;
    Str error;
    tree_add(tree, "a.txt", "hello\n");
    const char *path = tree_path(tree, "a.txt").at;
    assert_int_equal(file_read(arena, path, 100, &text, &error), FILE_OK);
    assert_str(text, "hello\n");
    assert_int_equal(text.at[text.length], '\0');
    assert_int_equal(file_read(arena, path, 6, &text, NULL),
                     FILE_OK); /* the limit itself is fine */
    assert_int_equal(file_read(arena, path, 5, &text, &error), FILE_TOO_LARGE);
    assert_str(error, "file too large");
    tree_add(tree, "empty", "");
    assert_int_equal(file_read(arena, tree_path(tree, "empty").at, 0, &text, NULL), FILE_OK);
    assert_int_equal(text.length, 0);
    /* Files of /proc say they have no bytes. */
    assert_int_equal(file_read(arena, "/proc/self/status", 1 << 20, &text, NULL), FILE_OK);
    assert_true(text.length > 100 && str_starts(text, STR("Name:")));
}

static void test_not_files(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    Str text;
    Str error = STR("");
    assert_int_equal(file_read(arena, tree_path(tree, "none").at, 9, &text, &error), FILE_MISSING);
    assert_str(error, "No such file or directory");
    tree_add(tree, "f", "");
    assert_int_equal(file_read(arena, tree_path(tree, "f/below").at, 9, &text, NULL), FILE_MISSING);
    assert_int_equal(file_read(arena, tree->top.at, 9, &text, &error), FILE_NOT_REGULAR);
    assert_str(error, "not a regular file");
    assert_int_equal(mkfifo(tree_path(tree, "pipe").at, 0600), 0);
    /* Nobody writes to it: this must come back at once. */
    assert_int_equal(file_read(arena, tree_path(tree, "pipe").at, 9, &text, NULL),
                     FILE_NOT_REGULAR);
    assert_int_equal(file_read(arena, "/dev/zero", 9, &text, NULL), FILE_NOT_REGULAR);
    tree_link(tree, "dangling", "nowhere");
    assert_int_equal(file_read(arena, tree_path(tree, "dangling").at, 9, &text, NULL),
                     FILE_MISSING);
    tree_link(tree, "loop", "loop");
    assert_int_equal(file_read(arena, tree_path(tree, "loop").at, 9, &text, &error), FILE_ERROR);
    assert_true(error.length > 0);
    if (tree_permissions_bind(tree)) {
        assert_int_equal(chmod(tree_path(tree, "f").at, 0), 0);
        assert_int_equal(file_read(arena, tree_path(tree, "f").at, 9, &text, &error), FILE_ERROR);
        assert_str(error, "Permission denied");
    }
    assert_false(file_is_regular(tree->top.at));
    assert_true(file_is_directory(tree->top.at));
    assert_false(file_is_directory(tree_path(tree, "f").at));
    assert_false(file_is_regular(tree_path(tree, "pipe").at));
}

static void test_descriptor(void **state)
{
    Tree *tree = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc\0def", 7), 7);
    close(ends[1]);
    Str text;
    assert_int_equal(file_read_fd(&tree->arena, ends[0], 100, &text, NULL), FILE_OK);
    assert_int_equal(text.length, 7);
    assert_memory_equal(text.at, "abc\0def", 7);
    close(ends[0]);
    int zero = open("/dev/zero", O_RDONLY);
    assert_int_equal(file_read_fd(&tree->arena, zero, 100000, &text, NULL), FILE_TOO_LARGE);
    close(zero);
    Str error = STR("");
    assert_int_equal(file_read_fd(&tree->arena, zero, 100, &text, &error), FILE_ERROR);
    assert_str(error, "Bad file descriptor");
}

static void test_listing(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "d/b", "");
    tree_add(tree, "d/a_", "");
    tree_add(tree, "d/a1", "");
    tree_add(tree, "d/.hidden", "");
    tree_add(tree, "d/Z/", "");
    tree_link(tree, "d/link", "Z");
    DirEntries entries;
    assert_true(directory_list(&tree->arena, tree_path(tree, "d").at, &entries));
    static const char *const names[] = {".hidden", "Z", "a1", "a_", "b", "link"};
    assert_int_equal(entries.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_str(entries.items[i].name, names[i]);
        assert_int_equal(entries.items[i].is_directory, i == 1);
        assert_int_equal(entries.items[i].is_symlink, i == 5);
        assert_int_equal(entries.items[i].is_regular, i != 1 && i != 5);
    }
    assert_false(directory_list(&tree->arena, tree_path(tree, "none").at, &entries));
    assert_false(directory_list(&tree->arena, tree_path(tree, "d/b").at, &entries));
}

static uint32_t count_entries(Tree *tree)
{
    DirEntries entries;
    assert_true(directory_list(&tree->arena, tree->top.at, &entries));
    return entries.count;
}

static void test_atomic_write(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    const char *path = tree_path(tree, "report.json").at;
    Str error = STR("");
    Str text;
    mode_t mask = umask(027);
    assert_true(file_write_atomic(arena, path, STR("one\0two"), &error));
    umask(mask);
    assert_int_equal(file_read(arena, path, 100, &text, NULL), FILE_OK);
    assert_int_equal(text.length, 7);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640); /* as any new file under that mask */
    assert_true(file_write_atomic(arena, path, STR(""), &error));
    assert_int_equal(file_read(arena, path, 100, &text, NULL), FILE_OK);
    assert_int_equal(text.length, 0);
    assert_int_equal(count_entries(tree), 1); /* no temporary file is left */
}

/* An existing file keeps its mode, whatever the mask, wider and narrower than usual. */
static void test_write_keeps_mode(void **state)
{
    Tree *tree = *state;
    static const mode_t modes[] = {0600, 0640, 0666, 0755};
    tree_add(tree, "report", "old");
    const char *path = tree_path(tree, "report").at;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        Str error = STR("");
        assert_int_equal(chmod(path, modes[i]), 0);
        mode_t mask = umask(022);
        assert_true(file_write_atomic(&tree->arena, path, STR("new"), &error));
        assert_int_equal(umask(mask), 022); /* nor is the mask changed */
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 07777, modes[i]);
        Str text;
        assert_int_equal(file_read(&tree->arena, path, 100, &text, NULL), FILE_OK);
        assert_str(text, "new");
    }
    assert_int_equal(count_entries(tree), 1);
}

/* Memory that runs out while a file or a folder is open: it is closed all the same. */
static void test_nothing_left_open(void **state)
{
    Tree *tree = *state;
    Buf text = {.arena = &tree->arena};
    for (int i = 0; i < 20000; i++) {
        buf_addf(&text, "%d\n", i);
    }
    tree_add(tree, "d/long", text.at);
    for (int i = 0; i < 300; i++) {
        tree_add(tree, str_format(&tree->arena, "d/entry_with_quite_a_long_name_%d", i).at, "");
    }
    Str file = tree_path(tree, "d/long"), folder = tree_path(tree, "d");
    int before = open_descriptors();
    static unsigned reached;
    reached = 0;
    for (int round = 0; round < 6; round++) {
        Arena small;
        jmp_buf env;
        arena_init(&small, 16384);
        if (OOM_GUARD(&small, env)) {
            if (round % 2 == 0) {
                Str content;
                file_read(&small, file.at, 1 << 20, &content, NULL);
            } else {
                DirEntries entries;
                directory_list(&small, folder.at, &entries);
            }
            reached++;
        }
        arena_free(&small);
    }
    assert_int_equal(reached, 0);
    assert_int_equal(open_descriptors(), before);
}

static void test_failed_write(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    Str error = STR("");
    assert_false(file_write_atomic(arena, tree_path(tree, "none/report").at, STR("x"), &error));
    assert_str(error, "No such file or directory");
    tree_add(tree, "folder/keep", "");
    assert_false(file_write_atomic(arena, tree_path(tree, "folder").at, STR("x"), &error));
    assert_true(file_is_directory(tree_path(tree, "folder").at));
    assert_int_equal(count_entries(tree), 1);
    if (tree_permissions_bind(tree)) {
        assert_int_equal(chmod(tree_path(tree, "folder").at, 0500), 0);
        assert_false(file_write_atomic(arena, tree_path(tree, "folder/keep").at, STR("x"), &error));
        assert_str(error, "Permission denied");
        /* A folder that cannot be listed takes files all the same. */
        assert_int_equal(chmod(tree_path(tree, "folder").at, 0300), 0);
        assert_true(file_write_atomic(arena, tree_path(tree, "folder/keep").at, STR("x"), &error));
        assert_int_equal(chmod(tree_path(tree, "folder").at, 0700), 0);
    }
}

static void test_join(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    assert_str(path_join(arena, STR("a"), STR("b")), "a/b");
    assert_str(path_join(arena, STR("a/"), STR("b/c")), "a/b/c");
    assert_str(path_join(arena, STR("."), STR("b")), "b");
    assert_str(path_join(arena, STR(""), STR("b")), "b");
    assert_str(path_join(arena, STR("/"), STR("b")), "/b");
    Str part = {"abcdef", 3};
    Str joined = path_join(arena, STR("."), part);
    assert_string_equal(joined.at, "abc"); /* terminated, though the part is not */
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reading), TEST(test_not_files),        TEST(test_descriptor),
        TEST(test_listing), TEST(test_atomic_write),     TEST(test_failed_write),
        TEST(test_join),    TEST(test_write_keeps_mode), TEST(test_nothing_left_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
