/* Tests of UTF-8: the borders of well-formed sequences (Unicode standard, table 3-7) and
 * counting. */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_valid_borders(void **state)
{
    (void)state;
    static const struct {
        Str text;
        uint32_t value;
    } cases[] = {
        {{"\0", 1}, 0x0},
        {{"\x7F", 1}, 0x7F},
        {{"\xC2\x80", 2}, 0x80},
        {{"\xDF\xBF", 2}, 0x7FF},
        {{"\xE0\xA0\x80", 3}, 0x800},
        {{"\xED\x9F\xBF", 3}, 0xD7FF},
        {{"\xEE\x80\x80", 3}, 0xE000},
        {{"\xEF\xBF\xBF", 3}, 0xFFFF},
        {{"\xF0\x90\x80\x80", 4}, 0x10000},
        {{"\xF4\x8F\xBF\xBF", 4}, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(utf8_first_error(cases[i].text), SIZE_MAX);
        assert_int_equal(utf8_count(cases[i].text), 1);
        size_t offset = 0;
        assert_int_equal(utf8_next(cases[i].text, &offset), cases[i].value);
        assert_int_equal(offset, cases[i].text.length);
    }
}

static void test_invalid(void **state)
{
    (void)state;
    static const Str cases[] = {
        {"\x80", 1},             /* continuation alone */
        {"\xC0\xAF", 2},         /* overlong "/" */
        {"\xC1\xBF", 2},         /* overlong */
        {"\xE0\x9F\xBF", 3},     /* overlong */
        {"\xED\xA0\x80", 3},     /* surrogate U+D800 */
        {"\xED\xBF\xBF", 3},     /* surrogate U+DFFF */
        {"\xF0\x8F\xBF\xBF", 4}, /* overlong */
        {"\xF4\x90\x80\x80", 4}, /* U+110000 */
        {"\xF5\x80\x80\x80", 4},
        {"\xFF", 1},
        {"\xC2", 1}, /* cut short */
        {"\xE4\xBD", 2},
        {"\xF0\x9F\x98", 3},
        {"\xC2\x41", 2}, /* followed by ASCII */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(utf8_first_error(cases[i]), 0);
        size_t offset = 0;
        assert_int_equal(utf8_next(cases[i], &offset), 0xFFFD);
        assert_int_equal(offset, 1);
    }
}

/* The error is found wherever it is, also after a run of ASCII that is read by words. */
static void test_place_of_error(void **state)
{
    (void)state;
    char text[41];
    for (size_t place = 0; place < 40; place++) {
        memset(text, 'a', sizeof text);
        text[place] = '\xFE';
        assert_int_equal(utf8_first_error((Str){text, 40}), place);
        assert_int_equal(utf8_first_error((Str){text, place}), SIZE_MAX);
    }
}

static void test_count(void **state)
{
    (void)state;
    assert_int_equal(utf8_count(STR("")), 0);
    assert_int_equal(utf8_count(STR("kernel")), 6);
    assert_int_equal(utf8_count(STR("算子 é😀")), 5);
    assert_int_equal(utf8_count(STR("e\xCC\x81")),
                     2); /* combining accent: a code point of its own */
    assert_int_equal(utf8_count(STR("a\xFF\xFE"
                                    "b")),
                     4);
    assert_int_equal(utf8_count(STR("\xE4\xBD"
                                    "a")),
                     3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_borders),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_place_of_error),
        cmocka_unit_test(test_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
