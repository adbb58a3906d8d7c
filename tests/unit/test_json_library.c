/* Which library keeps the trees: what the program needs of it, and what cJSON makes of the same.
 * docs/internals/json-library.md draws the conclusion. The second half needs cJSON's header; when
 * one of its assertions fails, cJSON has changed and the page needs another look. */
#include "document/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef HAS_CJSON
#include <cjson/cJSON.h>
#endif

#define BEYOND "9007199254740993" /* 2^53 + 1: no double is this number */
#define LIST   "[" BEYOND "]"

static Arena arena;

/* A case reaches its worker through a tree: seeds and sizes must arrive as written. */
static void test_integers(void **state)
{
    (void)state;
    json_t *root = json_read(&arena, STR(LIST), 0, NULL);
    assert_true(json_is_integer(json_array_get(root, 0)));
    assert_true(json_integer_value(json_array_get(root, 0)) == INT64_C(9007199254740993));
    JsonTree tree = {.arena = &arena};
    assert_string_equal(json_line(&tree, root).at, LIST "\n");
    root = json_read(&arena, STR("[9223372036854775807, 1.0, 1]"), 0, NULL);
    assert_true(json_integer_value(json_array_get(root, 0)) == INT64_MAX);
    assert_true(json_is_real(json_array_get(root, 1)));
    assert_false(json_is_real(json_array_get(root, 2)));
    json_decref(root);
}

/* Events give hooks commands and paths: what follows a NUL must be seen. */
static void test_nul(void **state)
{
    (void)state;
    json_t *root = json_read_lenient(&arena, STR("[\"a_impl.py\\u0000.txt\"]"));
    assert_int_equal(json_string_length(json_array_get(root, 0)), 14);
    JsonTree tree = {.arena = &arena};
    assert_string_equal(json_line(&tree, root).at, "[\"a_impl.py\\u0000.txt\"]\n");
}

/* Names of files may be any bytes; a report must be UTF-8 all the same. */
static void test_utf8(void **state)
{
    (void)state;
    JsonTree tree = {.arena = &arena};
    json_t *root = json_array();
    json_append(&tree, root, json_text(STR("caf\xE9.py")));
    assert_string_equal(json_line(&tree, root).at, "[\"caf\xEF\xBF\xBD.py\"]\n");
    assert_null(json_stringn("caf\xE9", 4)); /* the library refuses what is not */
}

/* A value that could not be made, or not be put anywhere, is given back and noticed. */
static void test_failed_steps(void **state)
{
    (void)state;
    JsonTree tree = {.arena = &arena};
    json_t *root = json_object();
    json_put(&tree, root, "a", NULL);
    assert_true(tree.failed);
    tree.failed = false;
    json_put(&tree, NULL, "a", json_integer(1)); /* a leak here fails under the sanitizer */
    assert_true(tree.failed);
    Buf out = {.arena = &arena};
    assert_false(json_add_built(&out, &tree, root, JSON_COMPACT));
}

#ifdef HAS_CJSON
static void test_cjson(void **state)
{
    (void)state;
    /* Numbers are doubles: 2^53 + 1 comes out as 2^53, and 1.0 is not apart from 1. */
    cJSON *root = cJSON_Parse("[" BEYOND ", 1.0, 1]");
    assert_true(cJSON_GetArrayItem(root, 0)->valuedouble == 9007199254740992.0);
    char *text = cJSON_PrintUnformatted(root);
    assert_null(strstr(text, BEYOND));
    assert_non_null(strstr(text, ",1,1]"));
    cJSON_free(text);
    cJSON_Delete(root);
    /* Strings have no length: NUL ends them. */
    root = cJSON_Parse("[\"a_impl.py\\u0000.txt\"]");
    assert_true(root == NULL || strcmp(cJSON_GetArrayItem(root, 0)->valuestring, "a_impl.py") == 0);
    cJSON_Delete(root);
    /* What is not UTF-8 is printed as it is. */
    root = cJSON_CreateString("caf\xE9");
    text = cJSON_PrintUnformatted(root);
    assert_string_equal(text, "\"caf\xE9\"");
    cJSON_free(text);
    cJSON_Delete(root);
}
#endif

int main(void)
{
    arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_nul),
        cmocka_unit_test(test_utf8),     cmocka_unit_test(test_failed_steps),
#ifdef HAS_CJSON
        cmocka_unit_test(test_cjson),
#endif
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
