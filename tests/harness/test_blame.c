/* Tests of blame: a worker's answer, which may be any JSON, and the words for it in both
 * languages. */
#include "document/json.h"
#include "harness/blame/blame.h"

#include "arena_fixture.h"

typedef struct Reading {
    const json_t *root;
    Blame *blame;
} Reading;

static void take(void *argument)
{
    const Reading *reading = argument;
    blame_read(&arena, reading->root, reading->blame);
}

static Blame read_text(const char *text)
{
    Blame blame = {.status = BLAME_NONE};
    json_t *root = json_read_lenient(&arena, str_from(text));
    Reading reading = {root, &blame};
    json_take(&arena, root, take, &reading);
    return blame;
}

static void expect_text(const Blame *blame, Lang lang, const char *expected)
{
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    blame_add(&out, blame, lang);
    assert_string_equal(str_dup(&arena, buf_str(&out)), expected);
}

#define FOUND(confidence, kind, detail)                                                            \
    "{\"status\":\"found\",\"file\":\"modules/x_impl.py\",\"line\":24,\"operation\":\"sum\","      \
    "\"iteration\":[0,3],\"confidence\":\"" confidence "\",\"kind\":\"" kind "\","                 \
    "\"detail\":" detail ",\"candidates\":[{\"file\":\"a.py\",\"line\":7}],\"left_out\":0}"

static void test_found(void **state)
{
    (void)state;
    Blame blame = read_text(FOUND("high", "axis", "{\"axis\":1}"));
    assert_int_equal(blame.status, BLAME_FOUND);
    assert_true(blame.is_sure);
    expect_text(&blame, LANG_EN,
                "modules/x_impl.py:24: sum: the outputs are right when it computes along axis 1, "
                "first seen in iteration 0, 3");
    expect_text(&blame, LANG_ZH,
                "modules/x_impl.py:24：sum: 改为沿轴 1 计算后输出正确，首见于迭代 0, 3");
}

static void test_suspected(void **state)
{
    (void)state;
    Blame blame = read_text(FOUND("low", "missing_tensor", "{\"also\":\"mul\",\"line\":9}"));
    assert_false(blame.is_sure);
    expect_text(&blame, LANG_EN,
                "modules/x_impl.py:24 (suspected): sum: a step is missing near it: mul with the "
                "tensor of line 9, first seen in iteration 0, 3; other candidates: a.py:7");
}

/* Which parameter, and by how much a diagonal is off; without the name, or with text that no name
 * can have, the sentence goes without it. */
static void test_named(void **state)
{
    (void)state;
    Blame blame = read_text(FOUND("high", "diagonal", "{\"step\":-2}"));
    expect_text(&blame, LANG_EN,
                "modules/x_impl.py:24: sum: the outputs are right with diagonal smaller by 2, "
                "first seen in iteration 0, 3");
    expect_text(&blame, LANG_ZH,
                "modules/x_impl.py:24：sum: 参数 diagonal 减小 2 后输出正确，首见于迭代 0, 3");
    blame = read_text(FOUND("high", "source", "{\"parameter\":1,\"name\":\"Weights_2\"}"));
    expect_text(
        &blame, LANG_EN,
        "modules/x_impl.py:24: sum: the outputs are right when it takes its window from the "
        "parameter Weights_2, first seen in iteration 0, 3");
    blame = read_text(FOUND("high", "source", "{\"parameter\":1,\"name\":\"<script>\"}"));
    expect_text(&blame, LANG_EN,
                "modules/x_impl.py:24: sum: the outputs are right when it takes its window from "
                "another parameter, first seen in iteration 0, 3");
}

/* A window that ends too early, and a product whose operands change places: what to look at. */
static void test_advice(void **state)
{
    (void)state;
    Blame blame = read_text(FOUND("low", "cut_short", "{\"axis\":0,\"written\":4,\"left\":5}"));
    expect_text(
        &blame, LANG_EN,
        "modules/x_impl.py:24 (suspected): sum: no write covers the wrong elements: along "
        "axis 0 its last window has 4 of the 5 elements that remain there: look at its valid "
        "shape; other candidates: a.py:7");
    blame = read_text(FOUND("high", "offset", "{\"axis\":1,\"begins\":0,\"right\":16}"));
    expect_text(
        &blame, LANG_EN,
        "modules/x_impl.py:24: sum: the outputs are right when its window begins at 16 along "
        "axis 1, not at 0, first seen in iteration 0, 3");
    blame = read_text(FOUND("high", "operand", "{\"line\":24,\"earlier\":true}"));
    expect_text(&blame, LANG_EN,
                "modules/x_impl.py:24: sum: the outputs are right with the tensor of line 24 of "
                "the iteration before as its operand, first seen in iteration 0, 3");
    blame = read_text("{\"status\":\"found\",\"file\":\"a.py\",\"line\":1,\"kind\":\"order\","
                      "\"operation\":\"matmul\",\"confidence\":\"high\"}");
    expect_text(
        &blame, LANG_EN,
        "a.py:1: matmul: the outputs are right with its two operands exchanged, a_trans and "
        "b_trans as they are");
    expect_text(&blame, LANG_ZH,
                "a.py:1：matmul: 两个操作数对调、a_trans 与 b_trans 不变时输出正确");
}

/* What a kind says when the worker knows more. */
static const struct {
    const char *kind, *detail, *words;
} details[] = {
    {"number", "{\"form\":\"plain\",\"value\":0.5}", "with 0.5 as the scalar here"},
    {"number", "{\"form\":\"one_over\",\"extent\":80}", "with 1/80 as the scalar here"},
    {"number", "{\"form\":\"one_over_less\",\"extent\":80}", "with 1/(80 - 1) as the scalar"},
    {"number", "{\"form\":\"times\",\"value\":0.001}", "with a scalar about 0.001 times as large"},
    {"number", "{\"form\":\"opposite\"}", "with the opposite sign of the scalar here"},
    {"number", "{\"form\":\"slightly\"}", "that is slightly larger or smaller: compare its digits"},
    {"number", "{\"form\":\"matmul\"}", "with another number here"},
    {"cast_mode", "{\"mode\":5}", "with CAST_TRUNC as the mode of the cast"},
    {"cast_mode", "{\"mode\":17}", "with another rounding mode of the cast"},
    {"count", "{\"count\":2}", "when it keeps 2 elements"},
    {"correction", "{\"form\":\"plain\",\"value\":0.0}",
     "with 0 as the correction of the variance"},
    {"never_read", "{\"name\":\"key\",\"axis\":1,\"written\":64,\"left\":75}",
     "its windows of the parameter key end at 64 of 75 along axis 1, and nothing reads the rest"},
    {"unpacked", "{}", "it binds the function's results in another order"},
    {"steps", "{}", "when this step and the one before it are swapped"},
    {"extent", "{\"axis\":1}", "its window is larger along axis 1: it reads too few elements"},
    {"scalar", "{\"expression\":\"min(rows - at, ROWS)\",\"expression_now\":\"ROWS\"}",
     "with a scalar such as min(rows - at, ROWS) here instead of ROWS"},
    {"scalar", "{\"expression\":\"x[0]\",\"expression_now\":\"rows\"}",
     "with another value of the scalar here"},
    {"scalar", "{}", "with another value of the scalar here"},
    {"results", "{}", "with two results of the helper swapped"},
    {"not_carried", "{}", "when the next iteration reads this result"},
    {"begins_once", "{}", "is initialized in each iteration of the outer loop"},
    {"begins_again", "{}", "keeps its value here: it is initialized too often"},
    {"never_ran", "{}", "the loop that should fill its operand runs no iterations"},
    {"never_used", "{}", "one tensor of a list is never read, while the others are"},
    {"transposed", "{\"operands\":[false,true]}", "with its second operand transposed"},
    {"transposed", "{}", "with its result transposed"},
    {"grouping", "{\"formula\":\"((a - c) * b)\",\"instead_of\":\"((a - b) * c)\"}",
     "with (a - c) * b instead of (a - b) * c (a, b, c"},
    {"grouping", "{\"formula\":\"0.125\",\"instead_of\":\"(a - b)\"}", "with other parentheses"},
    {"operand", "{\"line\":21,\"name\":\"now\",\"by\":\"add\",\"earlier\":true}",
     "with now (line 21) of the iteration before as its operand"},
    {"operand", "{\"line\":24,\"by\":\"mul\"}", "with the result of mul in the same line as its"},
    {"argument", "{\"line\":21,\"name\":\"seen\",\"by\":\"view\"}",
     "with seen (line 21) as an argument of this call"},
    {"unread", "{\"name\":\"start\"}",
     "with elements of the parameter start here, which nothing reads"},
    {"unread_step", "{\"also\":\"add\",\"name\":\"bias\"}",
     "a step is missing near it: add with the parameter bias, which nothing reads"},
    {"begin", "{\"axis\":0,\"begins\":3,\"right\":2}",
     "when its window begins at 2 along axis 0, not at 3"},
    {"end", "{\"axis\":0,\"begins\":3,\"right\":4}",
     "when its window has 4 valid elements along axis 0, not 3"},
    {"arguments", "{}", "with two arguments of this call swapped"},
    {"missing_tensor", "{\"also\":\"mul\",\"line\":9,\"by\":\"exp\"}",
     "mul with the result of exp in line 9"},
    {"unmatched",
     "{\"inputs\":[{\"shape\":[16,64],\"dtype\":\"DT_FP32\"},{\"shape\":[16,1],"
     "\"dtype\":\"DT_FP16\"}],\"made\":{\"shape\":[16,64],\"dtype\":\"DT_FP32\"}}",
     "its inputs ([16, 64] FP32, [16, 1] FP16) are right, its result ([16, 64] FP32) is wrong"},
    {"never_written", "{\"how\":\"few\",\"axis\":0,\"count\":3,\"written\":48,\"left\":64}",
     "along axis 0 its last window (of 3) ends at 48 of 64: look how often the loop runs"},
    {"never_written", "{\"how\":\"skipped\"}", "look at the condition around it"},
    {"target", "{\"name\":\"delta\"}", "when it writes into the parameter delta"},
    {"write_offset", "{\"axis\":1}", "when it writes elsewhere along axis 1"},
    {"partly_written", "{\"axis\":1,\"written\":64,\"left\":72}", "have 64 of 72 elements"},
    {"repeated", "{}", "one tensor appears twice and another one is missing"},
    {"returned", "{\"name\":\"weight\"}", "the wrapper returns the parameter weight unchanged"},
    {"unread_parameter", "{\"name\":\"start\"}",
     "reads the parameter start: something else is used in its place"},
    {"passed", "{\"name\":\"bias\"}",
     "passes the elements of the parameter bias here in their original order"},
    {"never_written", "{\"how\":\"apart\",\"axis\":1}", "its windows leave gaps along axis 1"},
    {"never_written", "{\"how\":\"0.125 is X\"}", "look how often the loop runs, and at offsets"},
};

static void test_details(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        Str text = str_format(&arena,
                              "{\"status\":\"found\",\"file\":\"a.py\",\"line\":24,\"operation\":"
                              "\"mul\",\"kind\":\"%s\",\"detail\":%s}",
                              details[i].kind, details[i].detail);
        Blame blame = read_text(str_dup(&arena, text));
        Buf out = {.arena = &arena};
        blame_add_words(&out, &blame, LANG_EN);
        const char *words = str_dup(&arena, buf_str(&out));
        if (strstr(words, details[i].words) == NULL) {
            fail_msg("%s: %s", details[i].words, words);
        }
    }
}

/* Names of loops, and where the operation's result is wrong. */
static void test_places(void **state)
{
    (void)state;
    Blame blame = read_text(
        "{\"status\":\"found\",\"file\":\"a.py\",\"line\":24,\"operation\":\"sum\",\"kind\":\"axis\","
        "\"detail\":{\"axis\":1},\"confidence\":\"high\",\"iteration\":[1,0],\"loops\":[\"head\",\"i\"],"
        "\"result\":{\"place\":\"last\",\"place_axis\":0,\"likeness\":\"factor\",\"number\":2,"
        "\"first\":[9,0],\"last\":[11,15],\"worst\":[10,3],\"axes\":["
        "{\"extent\":12,\"hit\":3,\"run\":3,\"period\":0,\"runs\":1,\"ranges\":[[9,11]]},"
        "{\"extent\":16,\"hit\":16,\"run\":16,\"period\":0,\"runs\":1,\"ranges\":[[0,15]]}]}}");
    expect_text(&blame, LANG_EN,
                "a.py:24: sum: the outputs are right when it computes along axis 1, first seen at "
                "head = 1, i = 0");
    Buf out = {.arena = &arena};
    assert_true(blame_add_result(&out, &blame, LANG_EN));
    assert_string_equal(str_dup(&arena, buf_str(&out)),
                        "only the last rows: rows 9..11 of 12, all 16 columns; it is the reference "
                        "times 2");
    blame = read_text(FOUND("high", "axis", "{\"axis\":1}"));
    assert_false(blame_add_result(&out, &blame, LANG_EN));
}

static void test_unsure(void **state)
{
    (void)state;
    Blame blame = read_text("{\"status\":\"unsure\",\"why\":\"several\",\"left_out\":2,"
                            "\"unmatched\":[{\"file\":\"a.py\",\"line\":9}],"
                            "\"candidates\":[{\"file\":\"a.py\",\"line\":7},{\"line\":1}]}");
    assert_int_equal(blame.status, BLAME_UNSURE);
    expect_text(
        &blame, LANG_EN,
        "not sure: the reference lacks the results of several operations whose inputs it has; "
        "candidates: a.py:7; no equal in the reference: a.py:9; 2 tensors beyond the limits were "
        "not checked");
    blame = read_text("{\"status\":\"unsure\",\"why\":\"my own words\"}");
    expect_text(&blame, LANG_EN, "not sure");
}

/* Why there was no search, and what to do. */
static void test_no_search(void **state)
{
    (void)state;
    Blame blame = {.status = BLAME_REMOTE};
    expect_text(&blame, LANG_EN,
                "not searched on a cluster; run the case with --case and --blame on this machine");
    expect_text(&blame, LANG_ZH, "集群上不查找；请在本机用 --case 与 --blame 运行该用例");
    blame.status = BLAME_SKIPPED;
    expect_text(&blame, LANG_EN,
                "not searched, because the case is slow; --blame searches all the same");
}

static void test_writers(void **state)
{
    (void)state;
    Blame blame = read_text("{\"status\":\"unsure\",\"writers\":[{\"output\":1,\"file\":\"a.py\","
                            "\"line\":7,\"operation\":\"assemble\",\"iteration\":[2,0]},"
                            "{\"output\":-1,\"file\":\"a.py\",\"line\":7},{\"output\":0},3]}");
    assert_int_equal(blame.writer_count, 1);
    assert_int_equal(blame.writers[0].output, 1);
    Buf out = {.arena = &arena};
    blame_add_writer(&out, &blame.writers[0], LANG_EN);
    assert_string_equal(str_dup(&arena, buf_str(&out)), "a.py:7: assemble, iteration 2, 0");
}

/* Whatever the worker says, no line is named without a place and a kind that exists, and no text of
 * its own gets through. */
static void test_untrusted(void **state)
{
    (void)state;
    assert_int_equal(read_text("[]").status, BLAME_NONE);
    assert_int_equal(read_text("{\"status\":7}").status, BLAME_NONE);
    assert_int_equal(read_text(FOUND("high", "secret", "{}")).status, BLAME_UNSURE);
    assert_int_equal(read_text("{\"status\":\"found\",\"kind\":\"axis\"}").status, BLAME_UNSURE);
    Blame blame = read_text(FOUND("high", "operation", "{\"instead\":\"0.125 is X\"}"));
    assert_int_equal(blame.detail.other.length, 0);
    blame = read_text("{\"status\":\"found\",\"file\":\"a.py\",\"line\":1,\"kind\":\"order\","
                      "\"operation\":[],\"iteration\":[1,2,3,4,5,6,7,8,9,10,11],"
                      "\"candidates\":[1,2,3,4,5,6,7,8,9,10]}");
    assert_int_equal(blame.status, BLAME_FOUND);
    assert_int_equal(blame.loops.count, BLAME_MOST_LOOPS);
    assert_int_equal(blame.candidate_count, 0);
    assert_false(blame.is_sure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_suspected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_advice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_details, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unsure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_writers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_untrusted, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
