/* Tests of what is left out of the trees of scripts with tests (python/skim.h). */
#include "python/parse.h"

#include "arena_fixture.h"

/* The skimmed tree of a text that parses. */
static Parsed *skim(const char *text)
{
    Parsed *parsed = ARENA_NEW(&arena, Parsed);
    python_parse_skimmed(parsed, &arena, STR("test_x.py"), str_from(text));
    assert_int_equal(parsed->status, PARSE_OK);
    return parsed;
}

/* The function of that name, or NO_NODE. */
static NodeId function_named(const Parsed *parsed, const char *name)
{
    static const NodeKind kinds[] = {NODE_FUNCTION_DEF, NODE_ASYNC_FUNCTION_DEF};
    for (size_t k = 0; k < 2; k++) {
        NodeList list = module_nodes(parsed->module, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            if (str_is(node_name(parsed->module, list.ids[i]), name)) {
                return list.ids[i];
            }
        }
    }
    return NO_NODE;
}

/* Is the body of the function a lone `...`? */
static bool is_emptied(const Parsed *parsed, const char *name)
{
    NodeId function = function_named(parsed, name);
    assert_int_not_equal(function, NO_NODE);
    NodeId statement = node_child(parsed->module, function, ROLE_BODY);
    NodeId value = node_child(parsed->module, statement, ROLE_VALUE);
    return node_count(parsed->module, function, ROLE_BODY) == 1 && value != NO_NODE &&
           node_is(parsed->module, value, NODE_CONSTANT) &&
           node_at(parsed->module, value)->end - node_at(parsed->module, value)->start == 3;
}

#define HEAD                                                                                       \
    "import argparse\nfrom soft_impl import soft_wrapper\n\n\n"                                    \
    "def check(n):\n    soft_wrapper(n)\n\n\n"                                                     \
    "def test_small():\n    check(16)\n\n\n"
#define MAIN "if __name__ == \"__main__\":\n    main()\n"

static void test_main_is_left_out(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "SIZES = [0, 16]\n\n\ndef options():\n    \"\"\"Reads\nthem.\"\"\"\n"
             "    return argparse.ArgumentParser().parse_args()\n\n\n"
             "def main():\n    if options().all:\n        test_small()\n"
             "    print(\"é\")\n    return 0\n\n\n" MAIN;
    const Parsed *parsed = skim(text);
    assert_int_equal(parsed->skimmed, SKIMMED_TESTS);
    assert_true(is_emptied(parsed, "main"));
    assert_true(is_emptied(parsed, "options"));
    assert_false(is_emptied(parsed, "check"));
    assert_false(is_emptied(parsed, "test_small"));
    assert_int_equal(module_nodes(parsed->module, NODE_IF).count, 0);
    /* What is left is where it was. */
    NodeId main_function = function_named(parsed, "main");
    const char *at = strstr(text, "def main");
    assert_int_equal(node_at(parsed->module, main_function)->start, at - text);
    NodeId check = function_named(parsed, "check");
    assert_true(str_is(node_text(parsed->module, node_child(parsed->module, check, ROLE_BODY)),
                       "soft_wrapper(n)"));
}

static void test_statements_after_main_stay(void **state)
{
    (void)state;
    const Parsed *parsed = skim(HEAD "def main():\n    test_small()\n\n\n" MAIN "LATE = 1\n");
    assert_int_equal(parsed->skimmed, SKIMMED_TESTS);
    assert_true(is_emptied(parsed, "main"));
    NodeList stored = module_nodes(parsed->module, NODE_ASSIGN);
    assert_int_equal(stored.count, 1);
    assert_true(str_is(node_text(parsed->module, stored.ids[0]), "LATE = 1"));
}

/* A direct run that does more than the tests: whoever misses a launch must read it. */
static void test_direct_launch_is_told(void **state)
{
    (void)state;
    static const char *const mains[] = {
        "def main():\n    soft_wrapper(8)\n\n\n" MAIN,
        "def main():\n    check(8)\n\n\n" MAIN,
        "def test_large(n):\n    check(n)\n\n\ndef main():\n    test_large(64)\n\n\n" MAIN,
        "CASES = [test_small]\n\n\ndef main():\n    for case in CASES:\n        case()\n\n\n" MAIN,
        "if __name__ == '__main__':\n    soft_wrapper(8)\n",
    };
    for (size_t i = 0; i < sizeof mains / sizeof *mains; i++) {
        const char *text = str_format(&arena, "%s%s", HEAD, mains[i]).at;
        if (skim(text)->skimmed != SKIMMED_CODE) {
            fail_msg("not told of: %s", mains[i]);
        }
    }
}

static void test_doubtful_files_stay_whole(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "def main():\n    test_small()\n",                                /* nothing to leave out */
        "def main():\n    test_small()\n\n\n" MAIN "else:\n    main()\n", /* both sides */
        "if __name__ == \"__main__\" or check:\n    check(8)\n",          /* another condition */
        "def main():\n    global SIZE\n    SIZE = 3\n\n\n" MAIN,          /* of the whole file */
        "def main():\n    check.level = 3\n\n\n" MAIN,                    /* an attribute */
        "def main():\n    exec('x = 1')\n\n\n" MAIN,                      /* any name */
        "def main():\n    test_small()\n\n\ndef main():\n    pass\n" MAIN, /* which of the two? */
        "def main():\n    run()\n\n\ndef run():\n    test_small()\n\n\n"
        "NAMES = 'run'\n" MAIN,   /* `run` would have no caller */
        "def main(): ...\n" MAIN, /* no body of its own */
        "\fdef main():\n    pass\n" MAIN,
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        const char *text = str_format(&arena, "%s%s", HEAD, rest[i]).at;
        const Parsed *parsed = skim(text);
        NodeId main_function = function_named(parsed, "main");
        bool kept = main_function == NO_NODE || !is_emptied(parsed, "main") || i == 8;
        if (!kept || (i != 0 && module_nodes(parsed->module, NODE_IF).count == 0)) {
            fail_msg("something is missing of: %s", rest[i]);
        }
    }
}

static void test_functions_that_others_may_call_stay(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "def helper():\n    pass\n\n\n",                       /* called by nothing */
        "def helper():\n    pass\n\n\nNAMES = ['helper']\n",   /* by its name */
        "def helper():\n    pass\n\n\nNOTE = f'{helper()}'\n", /* in a field */
        "@register\ndef helper():\n    pass\n\n\n",            /* by the decorator */
        "async def helper():\n    pass\n\n\n",
        "def test_helper():\n    helper()\n\n\ndef helper():\n    pass\n\n\n",
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        bool called = i == 1 || i == 3 || i == 4;
        const char *text = str_format(&arena, "%s%sdef main():\n    %s\n\n\n%s", HEAD, rest[i],
                                      called ? "helper(), test_small()" : "test_small()", MAIN)
                               .at;
        const Parsed *parsed = skim(text);
        NodeId helper = function_named(parsed, "helper");
        if (helper == NO_NODE || is_emptied(parsed, "helper")) {
            fail_msg("empty: %s", rest[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_is_left_out),
        cmocka_unit_test(test_statements_after_main_stay),
        cmocka_unit_test(test_direct_launch_is_told),
        cmocka_unit_test(test_doubtful_files_stay_whole),
        cmocka_unit_test(test_functions_that_others_may_call_stay),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
