/* Tests of texts that stand for files: reading, looking, listing and writing. */
#include "base/fence.h"
#include "base/file.h"
#include "base/overlay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void test_overlay(void **state)
{
    (void)state;
    Arena arena;
    Str text, error = STR("");
    DirEntries entries;
    char folder[] = "/tmp/overlay-XXXXXX";
    arena_init(&arena, 0);
    assert_non_null(mkdtemp(folder));
    Str place = path_real(&arena, str_from(folder));
    Str disk = path_join(&arena, place, STR("disk.py"));
    Str memory = path_join(&arena, place, STR("memory.py"));
    assert_true(file_write_atomic(&arena, disk.at, STR("old"), &error));

    assert_true(overlay_put(disk, STR("new")));
    assert_true(overlay_put(memory, STR("only here")));
    assert_int_equal(file_read(&arena, disk.at, 100, &text, NULL), FILE_OK);
    assert_true(str_is(text, "new"));
    assert_int_equal(fence_read(&arena, STR("/nowhere"), memory.at, 100, &text, NULL), FILE_OK);
    assert_true(str_is(text, "only here"));
    assert_int_equal(file_read(&arena, memory.at, 4, &text, &error), FILE_TOO_LARGE);
    assert_true(file_is_regular(memory.at));
    assert_false(file_is_directory(memory.at));
    assert_true(directory_list(&arena, folder, &entries));
    assert_int_equal(entries.count, 2); /* sorted, each once */
    assert_true(str_is(entries.items[0].name, "disk.py"));
    assert_true(str_is(entries.items[1].name, "memory.py"));
    assert_true(entries.items[1].is_regular);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(file_read(&arena, "memory.py", 100, &text, NULL), FILE_OK);
    assert_true(directory_list(&arena, ".", &entries));
    assert_int_equal(entries.count, 2);

    overlay_drop(disk);
    overlay_drop(memory);
    overlay_drop(memory);
    assert_int_equal(file_read(&arena, disk.at, 100, &text, NULL), FILE_OK);
    assert_true(str_is(text, "old"));
    assert_false(file_exists(memory.at));
    assert_int_equal(overlay_count, 0);

    overlay_capture_writes();
    assert_true(file_write_atomic(&arena, disk.at, STR("captured"), &error));
    assert_int_equal(file_read(&arena, disk.at, 100, &text, NULL), FILE_OK);
    assert_true(str_is(text, "captured"));
    overlay_drop(disk);
    assert_int_equal(file_read(&arena, disk.at, 100, &text, NULL), FILE_OK);
    assert_true(str_is(text, "old")); /* nothing has reached the disk */

    unlink(disk.at);
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_overlay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
