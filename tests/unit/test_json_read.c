/* Reading JSON with and without memory: a tree, a fault of the text, or the arena's guard. */
#include "document/json.h"

#include "base/io_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

static void test_trees_and_faults(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    JsonFault error;
    json_t *other = json_pack("[i, i]", 1, 2); /* blocks that are older than those of the reading */
    json_t *root = json_read(&arena, STR("{\"a\": [1, \"two\", null]}"), 0, &error);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_array_get(json_object_get(root, "a"), 1)), "two");
    json_decref(other);
    json_decref(root);
    assert_null(json_read(&arena, STR("{\"a\": }"), 0, &error));
    assert_int_equal(error.line, 1);
    assert_null(json_read(&arena, (Str){NULL, 0}, 0, NULL));
    assert_false(io_error_is_pending());
    arena_free(&arena);
}

/* A sanitizer has memory of its own, and ends the process when there is no more. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZER
#endif
#endif

/* A text that needs more memory than the process may have. */
static void test_no_memory(void **state)
{
    (void)state;
#ifdef UNDER_SANITIZER
    skip();
#endif
    enum { COUNT = 4 * 1024 * 1024 };
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    char *text = arena_alloc(&arena, (size_t)COUNT * 3 + 2);
    size_t length = 0;
    text[length++] = '[';
    for (size_t i = 0; i < COUNT; i++) {
        text[length++] = '[';
        text[length++] = ']';
        text[length++] = i + 1 < COUNT ? ',' : ']';
    }
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
    struct rlimit less = {200 * 1024 * 1024, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &less), 0);
    bool failed = true;
    if (OOM_GUARD(&arena, env)) {
        json_read(&arena, (Str){text, length}, 0, NULL);
        failed = false;
    }
    assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
    assert_true(failed);
    assert_false(io_error_is_pending());
    arena.guard = NULL;
    /* All is given back, and reading works again. */
    json_t *root = json_read(&arena, STR("[1]"), 0, NULL);
    assert_int_equal(json_array_size(root), 1);
    json_decref(root);
    arena_free(&arena);
}

int main(void)
{
    json_memory_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_and_faults),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
