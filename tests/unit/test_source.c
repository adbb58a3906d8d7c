/* Tests of Source: lines at every kind of line end, columns in code points. */
#include "python/source.h"

#include "py_fixture.h"

static Source *source_of(Arena *arena, const char *text)
{
    Source *source = ARENA_NEW(arena, Source);
    source_init(source, arena, STR("a.py"), str_from(text));
    return source;
}

static void test_line_ends(void **state)
{
    /* offsets: a0 LF1 b2 CR3 LF4 CR5 c6 CR7 CR8 LF9 d10 */
    const Source *source = source_of(*state, "a\nb\r\n\rc\r\r\nd");
    assert_int_equal(source->line_count, 6);
    assert_int_equal(source_line(source, 0), 1);
    assert_int_equal(source_line(source, 1), 1); /* a line end belongs to its line */
    assert_int_equal(source_line(source, 2), 2);
    assert_int_equal(source_line(source, 4), 2);
    assert_int_equal(source_line(source, 5), 3); /* an empty line */
    assert_int_equal(source_line(source, 6), 4);
    assert_int_equal(source_line(source, 8), 5);
    assert_int_equal(source_line(source, 9), 5);
    assert_int_equal(source_line(source, 10), 6);
    assert_int_equal(source_line(source, 11), 6);
    assert_int_equal(source_line(source, 4000), 6);
    assert_str(source_line_text(source, 1), "a");
    assert_str(source_line_text(source, 2), "b");
    assert_str(source_line_text(source, 3), "");
    assert_str(source_line_text(source, 4), "c");
    assert_str(source_line_text(source, 5), "");
    assert_str(source_line_text(source, 6), "d");
    assert_str(source_line_text(source, 0), "");
    assert_str(source_line_text(source, 7), "");
    assert_str(source_line_text(source, UINT32_MAX), "");
}

static void test_empty_and_final_newline(void **state)
{
    const Source *empty = source_of(*state, "");
    assert_int_equal(empty->line_count, 1);
    assert_int_equal(source_line(empty, 0), 1);
    assert_int_equal(source_column(empty, 0), 1);
    assert_str(source_line_text(empty, 1), "");
    const Source *one = source_of(*state, "x\n");
    assert_int_equal(one->line_count, 2);
    assert_int_equal(source_line(one, 2), 2);
    assert_int_equal(source_column(one, 2), 1);
}

/* "é" has two bytes, "子" three, "😀" four: each is one column. A tab is one, too. */
static void test_columns(void **state)
{
    const Source *source = source_of(*state, "x = 'é子😀'\t# 算\r\ny");
    assert_int_equal(source_column(source, 0), 1);
    assert_int_equal(source_column(source, 5), 6);   /* é */
    assert_int_equal(source_column(source, 7), 7);   /* 子 */
    assert_int_equal(source_column(source, 10), 8);  /* 😀 */
    assert_int_equal(source_column(source, 14), 9);  /* ' */
    assert_int_equal(source_column(source, 15), 10); /* tab */
    assert_int_equal(source_column(source, 16), 11); /* # */
    assert_int_equal(source_column(source, 18), 13); /* 算 */
    assert_int_equal(source_column(source, 21), 14); /* after it */
    assert_int_equal(source_column(source, 23), 1);  /* y */
}

/* Asking out of order gives the same as asking in order: the count is remembered between calls. */
static void test_columns_in_any_order(void **state)
{
    Arena *arena = *state;
    Buf text = {.arena = arena};
    for (int i = 0; i < 300; i++) {
        buf_add(&text, STR("子a")); /* four bytes, two columns */
        if (i % 100 == 99) {
            buf_add(&text, STR("\n"));
        }
    }
    const Source *source = source_of(arena, text.at);
    uint32_t seed = 7;
    for (int i = 0; i < 5000; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t line = (seed >> 8) % 3;
        uint32_t pair = (seed >> 16) % 100;
        uint32_t offset = line * 401 + pair * 4;
        assert_int_equal(source_column(source, offset), pair * 2 + 1);
        assert_int_equal(source_column(source, offset + 3), pair * 2 + 2);
        assert_int_equal(source_line(source, offset), line + 1);
    }
}

static void test_byte_order_mark(void **state)
{
    const Source *source = source_of(*state, "\xEF\xBB\xBFimport pypto\nx");
    assert_int_equal(source->text_start, 3);
    assert_int_equal(source_column(source, 0), 1);
    assert_int_equal(source_column(source, 3), 1);
    assert_int_equal(source_column(source, 10), 8); /* pypto */
    assert_str(source_line_text(source, 1), "import pypto");
    assert_int_equal(source_line(source, 16), 2);
    assert_int_equal(source_column(source, 16), 1);
    /* Only at the beginning of the text. */
    const Source *later = source_of(*state, "x\n\xEF\xBB\xBFy");
    assert_int_equal(later->text_start, 0);
    assert_int_equal(source_column(later, 5), 2);
}

/* A block of a document counts the document's lines; columns are its own. */
static void test_line_offset(void **state)
{
    Source *source = source_of(*state, "a\nbc\n");
    source->line_offset = 40;
    assert_int_equal(source_line(source, 0), 41);
    assert_int_equal(source_line(source, 3), 42);
    assert_int_equal(source_column(source, 3), 2);
    assert_str(source_line_text(source, 42), "bc");
    assert_str(source_line_text(source, 40), "");
    assert_str(source_line_text(source, 2), "");
    assert_str(source_line_text(source, 44), "");
}

static void test_slice(void **state)
{
    const Source *source = source_of(*state, "abcdef");
    assert_str(source_slice(source, 1, 3), "bc");
    assert_str(source_slice(source, 4, 100), "ef");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_line_ends),       TEST(test_empty_and_final_newline),
        TEST(test_columns),         TEST(test_columns_in_any_order),
        TEST(test_byte_order_mark), TEST(test_line_offset),
        TEST(test_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
