/*
 * Line hashes. The long comparison with exact arithmetic is fingerprint_reference.py; here are the
 * published vectors and the edges of the interface. */
#include "support.h"

static SarifLines *lines_of(SarifText text)
{
    SarifLines *lines;
    assert_int_equal(sarif_lines_create(text, NULL, &lines), SARIF_OK);
    return lines;
}

static void assert_hashes(SarifText text, const char *const *expected, size_t count)
{
    SarifLines *lines = lines_of(text);
    char hash[SARIF_LINE_HASH_SIZE];
    assert_int_equal(sarif_lines_count(lines), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(sarif_lines_hash(lines, i + 1, hash) > 0);
        assert_string_equal(hash, expected[i]);
    }
    sarif_lines_free(lines);
}

/* Values that GitHub's action gives for these texts. */
static void test_vectors(void **state)
{
    static const char *const empty[] = {"c129715d7a2bc9a3:1"};
    static const char *const blanks[] = {"271789c17abda88f:1", "54703d4cd895b18:1",
                                         "180aee12dab6264:1", "a23a3dc5e078b07b:1"};
    (void)state;
    assert_hashes(SARIF_TEXT(""), empty, 1);
    assert_hashes(SARIF_TEXT(" \t"), empty, 1);
    assert_hashes(SARIF_TEXT(" a\nb\n  \t\tc\n d"), blanks, 4);
    assert_hashes(SARIF_TEXT("a\r\nb\rc\n d"), blanks, 4);
}

static void test_occurrences(void **state)
{
    (void)state;
    char hash[SARIF_LINE_HASH_SIZE];
    char text[2 * 300];
    for (size_t i = 0; i < 300; i++) {
        text[2 * i] = 'x';
        text[2 * i + 1] = '\n';
    }
    SarifLines *lines = lines_of((SarifText){text, sizeof text});
    assert_int_equal(sarif_lines_count(lines), 301);
    /* Lines whose window of 100 units (50 lines) stays within the text are alike: 1 … 251. */
    size_t size = sarif_lines_hash(lines, 251, hash);
    assert_string_equal(hash + size - 4, ":251");
    size = sarif_lines_hash(lines, 252, hash);
    assert_string_equal(hash + size - 2, ":1");
    sarif_lines_free(lines);
}

/* An edit more than 100 units below a line leaves its hash alone; one above it always does. */
static void test_stability(void **state)
{
    (void)state;
    char text[400];
    char before[SARIF_LINE_HASH_SIZE], after[SARIF_LINE_HASH_SIZE];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (char)(i % 20 == 19 ? '\n' : 'a' + i % 7 + i / 20 % 13);
    }
    SarifLines *lines = lines_of((SarifText){text, sizeof text});
    sarif_lines_hash(lines, 5, before);
    sarif_lines_free(lines);
    text[3] = '#';   /* line 1 */
    text[199] = '#'; /* 119 after line 5's start */
    lines = lines_of((SarifText){text, sizeof text});
    sarif_lines_hash(lines, 5, after);
    assert_string_equal(before, after);
    sarif_lines_free(lines);
    text[100] = '#'; /* line 6, within the window */
    lines = lines_of((SarifText){text, sizeof text});
    sarif_lines_hash(lines, 5, after);
    assert_string_not_equal(before, after);
    sarif_lines_free(lines);
}

static void test_edges(void **state)
{
    (void)state;
    char hash[SARIF_LINE_HASH_SIZE], first[SARIF_LINE_HASH_SIZE];
    SarifLines *lines = lines_of(SARIF_TEXT("a\nb"));
    assert_true(sarif_lines_hash(lines, 1, first) > 0);
    assert_true(sarif_lines_hash(lines, 0, hash) > 0); /* the whole file */
    assert_string_equal(hash, first);
    assert_int_equal(sarif_lines_hash(lines, 3, hash), 0);
    assert_string_equal(hash, "");
    sarif_lines_free(lines);
    sarif_lines_free(NULL);
    lines = lines_of(SARIF_TEXT("\xEF\xBB\xBF"
                                "a\nb"));
    assert_true(sarif_lines_hash(lines, 1, hash) > 0);
    assert_string_not_equal(hash, first); /* a byte order mark counts */
    sarif_lines_free(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_occurrences),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
