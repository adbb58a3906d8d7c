/* Reading the part `tolerance` of a worker's result: as told, and whatever else may arrive. */
#include "harness/judge/tolerance.h"

#include "document/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const valid =
    "{\"end\": \"compared\", \"tolerance\": {\"verdict\": \"guilty\", \"leaves\": [{\"name\": "
    "\"out0\", \"verdict\": \"guilty\", \"reason\": \"orders_agree\", \"elements\": 16, "
    "\"max_abs_diff\": 0.5, \"max_rel_diff\": null, \"out_of_tolerance\": 3, \"nonfinite\": 0, "
    "\"worst\": 12.5, \"orders_worst\": 0.25, \"unexplained\": 3, \"unexplained_worst\": 12.5, "
    "\"orders_unexplained\": 0, \"orders_unexplained_worst\": 0.0}], \"orders\": [{\"name\": "
    "\"reversed\", \"leaves\": [{\"max_abs_diff\": 0.125, \"max_rel_diff\": 0.5, "
    "\"out_of_tolerance\": 0, \"nonfinite\": 0, \"worst\": 0.25}]}], \"reductions\": {\"sum\": 2}, "
    "\"not_reordered\": [\"convolution\"]}}";

static void test_valid(void **state)
{
    (void)state;
    Arena arena = {0};
    Tolerance tolerance;
    Str text = str_format(&arena, "{\"at\": \"wrapper\"}\n{\"at\": \"compare\"}\n%s\n", valid);
    assert_true(tolerance_read(&arena, text, &tolerance));
    assert_int_equal(tolerance.verdict, TOLERANCE_GUILTY);
    assert_int_equal(tolerance.leaves.count, 1);
    const ToleranceLeaf *leaf = &tolerance.leaves.items[0];
    assert_true(str_is(leaf->name, "out0"));
    assert_int_equal(leaf->reason, TOLERANCE_ORDERS_AGREE);
    assert_int_equal(leaf->elements, 16);
    assert_true(leaf->kernel.max_abs.known && leaf->kernel.max_abs.value == 0.5);
    assert_false(leaf->kernel.max_rel.known);
    assert_int_equal(leaf->kernel.out_of_tolerance, 3);
    assert_true(leaf->orders_worst.value == 0.25);
    assert_int_equal(leaf->unexplained, 3);
    assert_int_equal(tolerance.orders.count, 1);
    assert_true(tolerance.orders.items[0].leaves.items[0].worst.value == 0.25);
    assert_int_equal(tolerance.reductions.items[0].count, 2);
    assert_true(str_is(tolerance.not_reordered.items[0], "convolution"));
    arena_free(&arena);
}

/* Every reason has a name that is read back, and a sentence. */
static void test_reasons(void **state)
{
    (void)state;
    for (int i = 0; i < TOLERANCE_REASON_COUNT; i++) {
        Arena arena = {0};
        Tolerance tolerance;
        Str text = str_format(&arena,
                              "{\"tolerance\": {\"verdict\": \"innocent\", \"leaves\": [{\"name\": "
                              "\"o\", \"verdict\": \"undecided\", \"reason\": \"%s\"}]}}",
                              tolerance_reason_name((ToleranceReason)i));
        assert_true(tolerance_read(&arena, text, &tolerance));
        assert_int_equal(tolerance.leaves.items[0].reason, i);
        Buf out = {.arena = &arena};
        SuiteCase source = {.id = STR("c"), .atol = 1, .rtol = 1};
        tolerance_text(&out, &tolerance, &source, "sim", i % 2 == 0 ? LANG_EN : LANG_ZH);
        assert_true(str_find(buf_str(&out), STR("(null)"), 0) == SIZE_MAX);
        arena_free(&arena);
    }
}

static void test_broken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{}",
        "[]",
        "{\"tolerance\": 1}",
        "{\"tolerance\": {}}",
        "{\"tolerance\": {\"verdict\": \"innocent\"}}",
        "{\"tolerance\": {\"verdict\": \"innocent\", \"leaves\": []}}",
        "{\"tolerance\": {\"verdict\": \"acquitted\", \"leaves\": [{\"name\": \"o\", \"verdict\": "
        "\"guilty\", \"reason\": \"within\"}]}}",
        "{\"tolerance\": {\"verdict\": \"innocent\", \"leaves\": [1]}}",
        "{\"tolerance\": {\"verdict\": \"innocent\", \"leaves\": [{\"name\": \"o\", \"verdict\": "
        "\"guilty\", \"reason\": \"because\"}]}}",
        "{\"at\": \"wrapper\"}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena arena = {0};
        Tolerance tolerance;
        assert_false(tolerance_read(&arena, str_from(texts[i]), &tolerance));
        arena_free(&arena);
    }
}

/* A worker that died while it wrote. */
static void test_cut(void **state)
{
    (void)state;
    Str whole = str_from(valid);
    for (size_t length = 0; length < whole.length; length++) {
        Arena arena = {0};
        Tolerance tolerance;
        assert_false(tolerance_read(&arena, str_slice(whole, 0, length), &tolerance));
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_cut),
    };
    json_memory_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
