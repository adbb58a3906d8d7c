/* Tests of globs, and of words that are looked for at once. */
#include "diagnose/anchors.h"
#include "diagnose/glob.h"

#include "arena_fixture.h"

static bool fits(const char *glob, const char *line)
{
    GlobSpan span;
    return glob_find(str_from(glob), str_from(line), &span);
}

static void test_globs(void **state)
{
    (void)state;
    assert_true(fits("killed", "Process Killed."));
    assert_false(fits("killed", "skilled"));
    assert_false(fits("killed", "killedness"));
    assert_true(fits("kill*", "killedness"));
    assert_true(fits("a*c", "x a b c"));
    assert_false(fits("a*c", "c b a"));
    assert_true(fits("dim # of", "dim 12 of 3"));
    assert_false(fits("dim # of", "dim  of 3"));
    assert_true(fits("^Killed$", "  Killed\t"));
    assert_false(fits("^Killed$", "Killed by hand"));
    assert_false(fits("^Killed$", "was Killed"));
    assert_true(fits("Killed$", "Killed, then Killed")); /* not the first one */
    assert_true(fits("@507015", "ret=507015"));
    assert_true(fits("@507015", " 507015 "));
    assert_false(fits("@507015", "took 507015 us"));
    assert_false(fits("@507015", "error 1507015"));
    /* PyPTO's codes have six characters in capitals. */
    assert_true(fits("@F42003", "- reduce ........ F42003"));
    assert_true(fits("@F70*", "ErrCode: F70003!"));
    assert_false(fits("@F70*", "f70eYMv8O+MA4mc"));
    assert_false(fits("@F70*", "code F7000"));
    assert_false(fits("@F42003", "on page F42003 of the list"));
    assert_false(fits("x", ""));
    assert_string_equal(str_dup(&arena, glob_anchor(STR("^ab*cde#fg$"))), "cde");
}

typedef struct Found {
    uint32_t words[16];
    uint32_t count;
} Found;

static void note(void *context, uint32_t word)
{
    Found *found = context;
    assert_true(found->count < 16);
    found->words[found->count++] = word;
}

static void test_anchors(void **state)
{
    (void)state;
    static const char *const texts[] = {"he", "she", "his", "hers", "SHE", "e"};
    Strs words = {0};
    Anchors anchors;
    for (size_t i = 0; i < 6; i++) {
        VEC_PUSH(&arena, &words, str_from(texts[i]));
    }
    anchors_build(&anchors, &arena, &words);
    Found found = {0};
    anchors_scan(&anchors, STR("usHers \xff"), note, &found);
    /* At "she": she and SHE, then he, then e; at the end of "hers": hers. */
    uint32_t expected[] = {4, 1, 0, 5, 3};
    assert_int_equal(found.count, 5);
    assert_memory_equal(found.words, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_globs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_anchors, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
