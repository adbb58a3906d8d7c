/* Lenient JSON: what is read in place of what other readers refuse, as json.h promises. */
#include "document/json.h"

#include "document/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Case {
    const char *text, *as; /* NULL: refused */
} Case;

static const Case cases[] = {
    {"[9223372036854775807, 9223372036854775808]", "[9223372036854775807,9223372036854775807]"},
    {"[-9223372036854775808, -9223372036854775809]", "[-9223372036854775808,-9223372036854775808]"},
    {"[1e400, -1.5E+400, 1e-400]", "[1e308,-1e308,0.0]"},
    {"[NaN, Infinity, -Infinity]", "[null,null,null]"},
    {"[NaN, \"NaN\", \"Infinity 1e400\"]", "[null,\"NaN\",\"Infinity 1e400\"]"},
    {"{\"a\\u0000\" : 1}", "{\"a\\uFFFD\":1}"},
    {"[\"\\u0000\"]", "[\"\\u0000\"]"},
    {"[\"\\ud800\", \"\\udc00x\"]", "[\"\\uFFFD\",\"\\uFFFDx\"]"},
    {"[\"\\ud83d\\ude00\", NaN]", "[\"\\uD83D\\uDE00\",null]"},
    {"[\"\xff\"]", "[\"\\uFFFD\"]"},
    {"\xEF\xBB\xBF[1]", "[1]"},
    {"[nan]", NULL},
    {"[01]", NULL},
    {"[1.]", NULL},
    {"[1e]", NULL},
    {"[1NaN]", NULL},
    {"[NaN", NULL},
    {"[\"NaN]", NULL},
    {"[NaN \"a\" 1]", NULL},
    {"[\"\\", NULL},
    {"[\"\\u", NULL},
    {"[\"\\ud800", NULL},
    {"", NULL},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena;
        arena_init(&arena, 0);
        json_t *root = json_read_lenient(&arena, str_from(cases[i].text));
        if (cases[i].as == NULL) {
            assert_null(root);
        } else {
            assert_non_null(root);
            json_t *wanted = json_loads(cases[i].as, JSON_ALLOW_NUL, NULL);
            assert_true(json_equal(root, wanted));
            json_decref(wanted);
        }
        json_decref(root);
        arena_free(&arena);
    }
}

static json_t *read_deep(Arena *arena, size_t levels, size_t closed)
{
    char *text = arena_alloc(arena, levels + closed);
    memset(text, '[', levels);
    memset(text + levels, ']', closed);
    return json_read_lenient(arena, (Str){text, levels + closed});
}

static void test_depth(void **state)
{
    (void)state;
    static const size_t depths[] = {1, 999, 1000, 1001, 2048, 2049, 100000};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        Arena arena;
        arena_init(&arena, 0);
        json_t *root = read_deep(&arena, depths[i], depths[i]);
        assert_true(json_is_array(root));
        json_decref(root);
        assert_null(read_deep(&arena, depths[i], depths[i] - 1));
        assert_null(read_deep(&arena, depths[i], depths[i] + 1));
        arena_free(&arena);
    }
}

static void test_parts(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    Str text = json_decode(&arena, STR("a\\n\\\"\\\\\\/\\u0041\\ud83d\\ude00\\ud800."));
    assert_string_equal(text.at, "a\n\"\\/A\xF0\x9F\x98\x80\xEF\xBF\xBD.");
    static const struct {
        const char *text;
        size_t end;
    } numbers[] = {{"0", 1},    {"-12.5e+3,", 8}, {"01", 1},  {"1.", 1}, {"1e", 1},
                   {"1e+", 1},  {"-", 0},         {".5", 0},  {"", 0},   {"1.5E7x", 5},
                   {"-0.0", 4}, {"+1", 0},        {"1e5.", 3}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        JsonReader reader;
        json_begin(&reader, str_from(numbers[i].text), JSON_AS_SPECIFIED, 1);
        bool read = json_next(&reader);
        assert_int_equal(read ? reader.value.length : 0, numbers[i].end);
        assert_true(!read || reader.token == JSON_TOKEN_NUMBER);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
