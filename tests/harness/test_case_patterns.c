/* Tests of patterns over cases: what all wrong cases share and no right one has; and when the cases
 * are too few, or say nothing. */
#include "harness/judge/case_patterns.h"

#include "arena_fixture.h"

enum { MOST_CASES = 8 };

/* A case with the input x of these extents. */
typedef struct Made {
    int64_t rows, columns;
    bool zero_row, is_wrong;
} Made;

static const Leaves *wrong_leaves; /* of all wrong cases */

static CasePatterns find(const Made *made, size_t count)
{
    PatternCase *cases = ARENA_ARRAY(&arena, PatternCase, MOST_CASES);
    for (size_t i = 0; i < count; i++) {
        InputFacts *facts = ARENA_ARRAY(&arena, InputFacts, 1);
        int64_t *extents = ARENA_ARRAY(&arena, int64_t, 2);
        *facts = (InputFacts){0};
        extents[0] = made[i].rows;
        extents[1] = made[i].columns;
        InputFact fact = {STR("x"), {extents, 2, true}, made[i].zero_row};
        VEC_PUSH(&arena, facts, fact);
        cases[i] = (PatternCase){facts, made[i].is_wrong ? wrong_leaves : NULL, made[i].is_wrong};
    }
    return case_patterns_find(&arena, cases, count);
}

static void test_tail(void **unused)
{
    (void)unused;
    const Made made[] = {
        {32, 64, 0, 0}, {48, 64, 0, 0}, {80, 64, 0, 0}, {20, 64, 0, 1}, {41, 64, 0, 1}};
    CasePatterns found = find(made, 5);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].kind, PATTERN_TAIL);
    assert_int_equal(found.items[0].axis, 0);
    assert_int_equal(found.items[0].divisor, 16);
    assert_int_equal(found.items[0].wrong, 2);
    assert_int_equal(found.items[0].right, 3);
}

/* Where only the last rows are wrong, no tail of the columns is to blame. */
static void test_place(void **unused)
{
    (void)unused;
    const Made made[] = {{32, 128, 0, 0}, {48, 256, 0, 0}, {16, 128, 0, 0}, {20, 100, 0, 1}};
    LeafPlaces places = {.rank = 2, .place = advice_row(ADVICE_PLACE, STR("last"))};
    places.axes[0].extent = 20;
    places.axes[1].extent = 100;
    Leaf leaf = {.places = &places};
    const Leaves leaves = {&leaf, 1, 1};
    assert_int_equal(find(made, 4).count, 2);
    wrong_leaves = &leaves;
    CasePatterns found = find(made, 4);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].axis, 0);
    wrong_leaves = NULL;
}

/* Two axes that are alike in all cases are named once. */
static void test_square(void **unused)
{
    (void)unused;
    const Made made[] = {{32, 32, 0, 0}, {48, 48, 0, 0}, {16, 16, 0, 0}, {20, 20, 0, 1}};
    assert_int_equal(find(made, 4).count, 1);
}

static void test_zero_row(void **unused)
{
    (void)unused;
    const Made made[] = {{32, 64, 0, 0}, {48, 64, 0, 0}, {32, 64, 1, 1}};
    CasePatterns found = find(made, 3);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].kind, PATTERN_ZERO_ROW);
    assert_true(str_is(found.items[0].input, "x"));
}

static void test_nothing(void **unused)
{
    (void)unused;
    static const struct {
        Made made[5];
        size_t count;
    } tables[] = {
        {{{32, 64, 0, 0}, {20, 64, 0, 1}}, 2},                                 /* one right case */
        {{{32, 64, 0, 0}, {48, 64, 0, 0}, {20, 64, 0, 1}}, 3},                 /* two of them */
        {{{32, 64, 0, 0}, {48, 64, 0, 0}, {22, 64, 0, 0}, {41, 64, 0, 1}}, 4}, /* all are even */
        {{{32, 64, 0, 0}, {32, 64, 0, 0}, {32, 64, 0, 0}, {20, 64, 0, 1}}, 4}, /* of one extent */
        {{{32, 64, 0, 0}, {48, 64, 0, 0}, {16, 64, 0, 0}, {20, 64, 0, 1}, {64, 64, 0, 1}},
         5}, /* one without tail */
        {{{32, 64, 0, 0}, {48, 64, 0, 0}, {33, 64, 0, 0}, {20, 64, 0, 1}}, 4}, /* right with one */
        {{{32, 64, 0, 0}, {48, 64, 1, 0}, {32, 64, 1, 1}}, 3},                /* right with zeros */
        {{{32, 64, 0, 0}, {48, 64, 0, 0}, {16, 64, 0, 0}}, 3},                /* all right */
        {{{0, 64, 0, 0}, {48, 64, 0, 0}, {16, 64, 0, 0}, {20, 64, 0, 1}}, 4}, /* nothing in it */
        {{{INT64_MAX, 64, 0, 0}, {-5, 64, 0, 0}, {16, 64, 0, 0}, {20, 64, 0, 1}},
         4}, /* not an extent */
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_int_equal(find(tables[i].made, tables[i].count).count, 0);
    }
    assert_int_equal(case_patterns_find(&arena, NULL, 0).count, 0);
}

static void test_words(void **unused)
{
    (void)unused;
    for (PatternKind kind = PATTERN_TAIL; kind <= PATTERN_ZERO_ROW; kind++) {
        CasePattern pattern = {kind, STR("x"), 1, 16, 2, 3};
        Buf english = {.arena = &arena}, chinese = {.arena = &arena};
        case_pattern_add(&english, &pattern, LANG_EN);
        case_pattern_add(&chinese, &pattern, LANG_ZH);
        assert_true(str_starts(buf_str(&english), STR("only with a ")));
        assert_true(str_starts(buf_str(&chinese), STR("仅在有")));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail),    cmocka_unit_test(test_place),
        cmocka_unit_test(test_square),  cmocka_unit_test(test_zero_row),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
