/* Tests of the suite of cases. */
#include "document/json.h"
#include "harness/plan/suite.h"
#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char two_cases[] =
    "{\"op_name\": \"gate\", \"total_modules\": 3, \"_note\": 1,\n"
    " \"test_cases\": [\n"
    "  {\"id\": \"L1_a\", \"level\": \"L1\", \"shape\": {\"R\": 4}, \"precision\": false},\n"
    "  {\"id\": \"L2_a\", \"level\": 2, \"atol\": 0.01, \"rtol\": 0, \"k\": [1, null]}]}\n";

static bool parse(Tree *tree, const char *text, Suite *suite, Str *error)
{
    *suite = (Suite){.path = STR("suite.json"), .op_name = STR("folder")};
    *error = STR("");
    return suite_parse(&tree->arena, str_from(text), suite, error);
}

static void test_complete(void **state)
{
    Suite suite;
    Str error;
    assert_true(parse(*state, two_cases, &suite, &error));
    assert_true(str_is(suite.op_name, "gate"));
    assert_int_equal(suite.total_modules, 3);
    assert_int_equal(suite.cases.count, 2);
    const SuiteCase *first = &suite.cases.items[0];
    assert_true(str_is(first->id, "L1_a") && str_is(first->level, "L1"));
    assert_false(first->precision);
    assert_true(first->atol == 1e-3 && first->rtol == 1e-3);
    const SuiteCase *second = suite_find(&suite, STR("L2_a"));
    assert_ptr_equal(second, &suite.cases.items[1]);
    assert_true(str_is(second->level, "L2") && second->precision);
    assert_true(second->atol == 0.01 && second->rtol == 0);
    json_t *again = json_loads(second->json.at, 0, NULL);
    json_t *wanted = json_loads("{\"id\": \"L2_a\", \"level\": 2, \"atol\": 0.01, \"rtol\": 0,"
                                " \"k\": [1, null]}",
                                0, NULL);
    assert_true(json_equal(again, wanted));
    assert_true(str_find(second->json, STR("\n"), 0) == SIZE_MAX);
    json_decref(again);
    json_decref(wanted);
    assert_null(suite_find(&suite, STR("L3_a")));
}

static void test_cases_key(void **state)
{
    Suite suite;
    Str error;
    assert_true(parse(*state, "{\"cases\": [{\"id\": 7, \"precision\": null}]}", &suite, &error));
    assert_true(str_is(suite.op_name, "folder"));
    assert_int_equal(suite.total_modules, 0);
    assert_true(str_is(suite.cases.items[0].id, "7"));
    assert_int_equal(suite.cases.items[0].level.length, 0);
    assert_true(suite.cases.items[0].precision);
    assert_true(parse(*state, "{\"cases\": []}", &suite, &error));
    assert_int_equal(suite.cases.count, 0);
}

static void test_levels(void **state)
{
    Tree *tree = *state;
    static const char *const levels[][2] = {
        {"L2", "L2"}, {"l2", "L2"}, {"2", "L2"},        {" L10 ", "L10"},
        {"L", "L"},   {"", ""},     {"smoke", "smoke"}, {"L2b", "L2b"},
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        Str level = suite_level(&tree->arena, str_from(levels[i][0]));
        assert_true(str_is(level, levels[i][1]));
    }
}

static void test_refused(void **state)
{
    static const char *const texts[][2] = {
        {"", "suite.json: not JSON, line 1: "},
        {"{\n \"cases\": [}\n", "suite.json: not JSON, line 2: "},
        {"[]", "suite.json: not a JSON object"},
        {"{}", "suite.json: no list of cases under test_cases (or cases)"},
        {"{\"cases\": {}}", "suite.json: no list of cases"},
        {"{\"cases\": [1]}", "suite.json: case 1 is not an object"},
        {"{\"cases\": [{\"id\": \"a\"}, {}]}", "suite.json: case 2 has no id"},
        {"{\"cases\": [{\"id\": \"\"}]}", "suite.json: the id of case 1 is empty"},
        {"{\"cases\": [{\"id\": \"a\\nb\"}]}", "suite.json: the id of case 1 is empty"},
        {"{\"cases\": [{\"id\": 1.5}]}", "suite.json: case 1 has no id"},
        {"{\"cases\": [{\"id\": \"a\"}, {\"id\": \"a\"}]}", "suite.json: two cases have the id a"},
        {"{\"cases\": [{\"id\": \"a\", \"atol\": \"1e-3\"}]}", "suite.json: case a: atol is not"},
        {"{\"cases\": [{\"id\": \"a\", \"rtol\": -1}]}", "suite.json: case a: rtol is not"},
        {"{\"cases\": [{\"id\": \"a\", \"precision\": 0}]}", "suite.json: case a: precision is"},
        {"{\"cases\": [{\"id\": \"a\", \"level\": []}]}", "suite.json: case a: level is neither"},
        {"{\"cases\": [], \"total_modules\": 0}", "suite.json: total_modules is not"},
        {"{\"cases\": [], \"total_modules\": \"2\"}", "suite.json: total_modules is not"},
        {"{\"cases\": [], \"op_name\": \"../a\"}", "suite.json: op_name is not"},
        {"{\"cases\": [], \"op_name\": 3}", "suite.json: op_name is not"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Suite suite;
        Str error;
        assert_false(parse(*state, texts[i][0], &suite, &error));
        assert_true(str_starts(error, str_from(texts[i][1])));
    }
}

/* All other keys are those of make_inputs: only what can hardly be one of them is refused. */
static void test_misspelt(void **state)
{
    static const char *const wrong[][2] = {
        {"atoll", "atol"},          {"rtoll", "rtol"},          {"Atol", "atol"},
        {"percision", "precision"}, {"Precision", "precision"}, {"lvl", "level"},
        {"Level", "level"},         {"leve", "level"},          {"levels", "level"},
        {"shpae", "shape"},         {"Shape", "shape"},         {"dytpe", "dtype"},
        {"abs_tol", "atol"},        {"seeed", "seed"},          {"precison", "precision"},
    };
    static const char *const fine[] = {
        "shapes",
        "seeds",
        "dtypes",
        "ctol",
        "feed",
        "need",
        "scale",
        "epsilon",
        "causal",
        "level_2",
        "cancellation_stress",
        "ids",
        "steps",
        "tol",
        "type",
        "heads",
        "k",
        "",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Tree *tree = *state;
        Suite suite;
        Str error;
        Str text =
            str_format(&tree->arena, "{\"cases\": [{\"id\": \"a\", \"%s\": 1}]}", wrong[i][0]);
        assert_false(parse(tree, text.at, &suite, &error));
        Str part = str_format(&tree->arena, "case a: no key is called '%s': write '%s'",
                              wrong[i][0], wrong[i][1]);
        assert_true(str_contains(error, part));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        Tree *tree = *state;
        Suite suite;
        Str error;
        Str text = str_format(&tree->arena, "{\"cases\": [{\"id\": \"a\", \"%s\": 1}]}", fine[i]);
        assert_true(parse(tree, text.at, &suite, &error));
    }
}

static void test_file(void **state)
{
    Tree *tree = *state;
    Suite suite;
    Str error = STR("");
    tree_add(tree, "op/eval/suite.json", "{\"cases\": [{\"id\": \"a\"}]}");
    assert_true(suite_read(&tree->arena, tree_path(tree, "op/eval/suite.json"), &suite, &error));
    assert_true(str_equal(suite.op_dir, tree_path(tree, "op")));
    assert_true(str_is(suite.op_name, "op"));
    assert_false(suite_read(&tree->arena, tree_path(tree, "op/eval/none.json"), &suite, &error));
    assert_true(str_ends(error, STR("none.json: no such file")));
    assert_true(str_equal(suite.op_dir, tree_path(tree, "op")));
    assert_false(suite_read(&tree->arena, tree_path(tree, "op/eval"), &suite, &error));
    assert_true(str_ends(error, STR("eval: not a regular file")));
    assert_int_equal(suite_op_dir(&tree->arena, tree_path(tree, "op/no/suite.json")).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete), cmocka_unit_test(test_cases_key),
        cmocka_unit_test(test_levels),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_misspelt), cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, tree_set_up, tree_tear_down);
}
