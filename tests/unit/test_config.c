/* Tests of the settings file: every key, every kind of mistake, which file applies, selectors. */
#include "lint/config_schema.h"
#include "lint/plan.h"
#include "lint/suggest.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What counts in a folder, read anew. */
static bool config_find(Config *config, Arena *arena, Str folder, Lang lang, Str *error)
{
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    const Settings *settings = plan_settings(&plan, folder, lang);
    *config = settings->config;
    *error = settings->error;
    return error->length == 0;
}

static Config read_good(Tree *tree, const char *text)
{
    Config config;
    Str error = STR("");
    tree_add(tree, CONFIG_FILE_NAME, text);
    if (!config_find(&config, &tree->arena, tree->top, LANG_EN, &error)) {
        fail_msg("%s", error.at);
    }
    return config;
}

/* The text must be refused with "LINE: message". */
static void check_error(Tree *tree, const char *text, const char *expected)
{
    Config config;
    Str error = STR("");
    tree_add(tree, CONFIG_FILE_NAME, text);
    assert_false(config_find(&config, &tree->arena, tree->top, LANG_EN, &error));
    Str path = tree_path(tree, CONFIG_FILE_NAME);
    assert_true(str_starts(error, path));
    assert_string_equal(error.at + path.length + 1, expected);
}

static void test_all_keys(void **state)
{
    Config config = read_good(*state, "# settings\n"
                                      "select: [OL0, D1]\n"
                                      "ignore:\n"
                                      "  - OL48\n"
                                      "  - OL27\n"
                                      "per-path:\n"
                                      "  legacy/: [ALL]\n"
                                      "  '*_old.py': [OL02]\n"
                                      "fail-on: S2\n"
                                      "lang: zh\n"
                                      "max-file-size: 2 MiB\n"
                                      "allow-s0-suppressions: true\n"
                                      "allow-suppressions-in-gates: True\n"
                                      "stop-block: always\n");
    assert_int_equal(config.select.count, 2);
    assert_true(str_is(config.select.items[1], "D1"));
    assert_int_equal(config.ignore.count, 2);
    assert_true(str_is(config.ignore.items[0], "OL48"));
    assert_int_equal(config.remarks.count, 1); /* OL27 */
    assert_int_equal(config.per_path.count, 2);
    assert_true(str_is(config.per_path.items[0].pattern, "legacy/"));
    assert_true(config.has_fail_on && config.fail_on == S2 && !config.fail_never);
    assert_true(config.has_lang && config.lang == LANG_ZH);
    assert_int_equal(config.max_file_size, 2097152);
    assert_true(config.allow_s0_suppressions && config.allow_suppressions_in_gates);
    assert_true(config.stop_block_always);
}

static void test_empty(void **state)
{
    static const char *const texts[] = {"",     "# only a comment\n", "---\n",
                                        "{}\n", "\xEF\xBB\xBF",       "null\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Config config = read_good(*state, texts[i]);
        assert_false(config.has_fail_on || config.has_lang || config.allow_s0_suppressions);
        assert_int_equal(config.max_file_size, 0);
        assert_true(config.path.length > 0);
    }
    assert_true(read_good(*state, "fail-on: never\n").fail_never);
}

static void test_mistakes(void **state)
{
    check_error(*state, "lang: en\nselct: [OL02]\n",
                "2: unknown key \"selct\"; did you mean \"select\"?");
    check_error(*state, "failon: S1\n", "1: unknown key \"failon\"; did you mean \"fail-on\"?");
    check_error(*state, "colour: red\n", "1: unknown key \"colour\"");
    check_error(*state, "select: OL02\n", "1: \"select\" must be a list, not a single value");
    check_error(*state, "select: {OL02: 1}\n", "1: \"select\" must be a list, not a mapping");
    check_error(*state, "select: [[OL02]]\n", "1: \"select\" must be a single value, not a list");
    check_error(*state, "select: []\n", "1: \"select\" is empty: leave it out to select all rules");
    check_error(*state, "ignore:\n", "1: \"ignore\" has no value");
    check_error(*state, "ignore:\n  - OL02\n  - OL97\n",
                "3: in \"ignore\": no rule is named \"OL97\"");
    check_error(*state, "ignore: [0L48]\n",
                "1: in \"ignore\": no rule is named \"0L48\"; did you mean \"OL48\"?");
    check_error(*state, "per-path: [OL02]\n", "1: \"per-path\" must be a mapping, not a list");
    check_error(*state, "per-path:\n  a/: OL02\n", "2: \"a/\" must be a list, not a single value");
    check_error(*state, "per-path:\n  '!a': [OL02]\n",
                "2: in \"per-path\": \"!a\" is not a usable pattern");
    check_error(*state, "fail-on: S4\n",
                "1: \"fail-on\" must be one of S0, S1, S2, S3, never, not \"S4\"");
    check_error(*state, "lang: de\n", "1: \"lang\" must be one of en, zh, not \"de\"");
    check_error(
        *state, "max-file-size: big\n",
        "1: \"max-file-size\" must be a size from 1 byte to 1 GiB such as \"4 MiB\", not \"big\"");
    check_error(*state, "allow-s0-suppressions: yes\n",
                "1: \"allow-s0-suppressions\" must be true or false, not \"yes\"");
    check_error(*state, "allow-s0-suppressions: 'true'\n",
                "1: \"allow-s0-suppressions\" must be true or false, not \"true\" in quotes");
    check_error(*state, "lang: en\nselect: [OL02]\nlang: zh\n",
                "3: key \"lang\" is repeated (first on line 1)");
    check_error(*state, "per-path:\n  a: [OL02]\n  a: [OL02]\n",
                "3: key \"a\" is repeated (first on line 2)");
    check_error(*state, "- OL02\n", "1: the settings must be a mapping, not a list");
    check_error(*state, "OL02\n", "1: the settings must be a mapping, not a single value");
}

static void test_data_only(void **state)
{
    check_error(*state, "lang: &a en\n", "1: tags, anchors and aliases are not supported");
    check_error(*state, "lang: *a\n", "1: tags, anchors and aliases are not supported");
    check_error(*state, "lang: !!python/name:os.system x\n",
                "1: tags, anchors and aliases are not supported");
    check_error(*state, "lang: en\n---\nlang: zh\n", "2: more than one document");
    check_error(*state, "[a]: b\n", "1: a key must be a single value");
    check_error(*state, "select:\n  [[[[[[[[[[[[[[[[OL02]]]]]]]]]]]]]]]]\n",
                "2: nested too deeply");
}

static void test_broken_yaml(void **state)
{
    Tree *tree = *state;
    static const struct {
        const char *text, *line;
    } cases[] = {{"lang: en\nselect: [OL02\nignore: [\n", "3:"},
                 {"a: b: c\n", "1:"},
                 {"lang: en\n\tselect: x\n", "2:"},
                 {"lang: \xff\n", "1:"},
                 {"lang: 'en\n", "2:"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Str error = STR("");
        tree_add(tree, CONFIG_FILE_NAME, cases[i].text);
        assert_false(config_find(&config, &tree->arena, tree->top, LANG_ZH, &error));
        assert_true(str_contains(error, STR("YAML 错误")));
        Str rest = str_slice(error, tree_path(tree, CONFIG_FILE_NAME).length + 1, error.length);
        if (!str_starts(rest, str_from(cases[i].line))) {
            fail_msg("%s", error.at);
        }
    }
}

/* Whatever is cut off or deep: an answer, in time. */
static void test_hostile(void **state)
{
    Tree *tree = *state;
    Buf text = {.arena = &tree->arena};
    for (int i = 0; i < 60000; i++) {
        buf_add(&text, STR("["));
    }
    check_error(tree, text.at, "1: nested too deeply");
    while (text.length <= CONFIG_MAX_BYTES) {
        buf_add(&text, STR("[[[[[[[["));
    }
    check_error(tree, text.at, "1: cannot read the settings: longer than 64 KiB");
    check_error(tree, "? ? ? ? ? ? ? ? ? ? ? ? ? ? ? ? ? ? a\n", "1: a key must be a single value");
}

/* Memory running out at any point leaves nothing behind (seen by the leak checker). */
static void test_no_memory(void **state)
{
    Tree *tree = *state;
    tree_add(tree, CONFIG_FILE_NAME, "select: [OL02, OL48]\nper-path: {a: [OL02]}\n");
    bool done = false;
    unsigned long failures = 0;
    for (unsigned long nth = 1; !done && nth < 1000; nth++) {
        Arena *arena = ARENA_NEW(&tree->arena, Arena);
        jmp_buf env;
        arena_init(arena, 0);
        if (OOM_GUARD(arena, env)) {
            Config config;
            Str error;
            arena_inject_failure(nth);
            done = config_find(&config, arena, tree->top, LANG_EN, &error);
        } else {
            failures++;
        }
        arena_inject_failure(0);
        arena_free(arena);
    }
    assert_true(done);
    assert_true(failures > 0);
}

static void test_which_file(void **state)
{
    Tree *tree = *state;
    Config config;
    Str error;
    tree_add(tree, "repo/.git/HEAD", "");
    tree_add(tree, "repo/a/b/x.py", "");
    tree_add(tree, CONFIG_FILE_NAME, "lang: zh\n");
    assert_true(config_find(&config, &tree->arena, tree_path(tree, "repo/a/b"), LANG_EN, &error));
    assert_true(str_equal(config.path, tree_path(tree, CONFIG_FILE_NAME)));
    tree_add(tree, "repo/a/" CONFIG_FILE_NAME, "fail-on: S0\n");
    assert_true(config_find(&config, &tree->arena, tree_path(tree, "repo/a/b"), LANG_EN, &error));
    assert_true(str_equal(config.path, tree_path(tree, "repo/a/" CONFIG_FILE_NAME)));
    assert_true(config.has_fail_on && !config.has_lang); /* not merged */
    tree_add(tree, "repo/a/b/" CONFIG_FILE_NAME "/", "");
    assert_false(config_find(&config, &tree->arena, tree_path(tree, "repo/a/b"), LANG_EN, &error));
    assert_true(str_ends(error, STR("not a regular file")));
    ConfigFile file;
    config_open(&file, &tree->arena, tree_path(tree, "none.yaml"), false);
    assert_false(config_read(&config, &tree->arena, &file, LANG_EN, &error));
    assert_true(str_ends(error, STR("No such file or directory")));
    tree_add(tree, "other.yaml", "lang: en\n");
    config_open(&file, &tree->arena, tree_path(tree, "other.yaml"), false);
    assert_true(config_read(&config, &tree->arena, &file, LANG_EN, &error));
    assert_true(config.has_lang && str_equal(config.folder, tree->top));
}

static void test_per_path(void **state)
{
    Tree *tree = *state;
    Config config = read_good(tree, "per-path:\n"
                                    "  legacy/: [OL0]\n"
                                    "  /top.py: [ALL]\n"
                                    "  '**/gen/*.py': [D1]\n");
    const Rule *ol02 = rule_find(STR("OL02"));
    const Rule *ol48 = rule_find(STR("OL48"));
    static const struct {
        const char *path;
        bool ol02, ol48;
    } cases[] = {
        {"legacy/a.py", true, false}, {"x/legacy/y/a.py", true, false}, {"legacy", false, false},
        {"top.py", true, true},       {"x/top.py", false, false},       {"x/gen/a.py", true, true},
        {"gen/x/a.py", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str path = tree_path(tree, cases[i].path);
        assert_int_equal(config_path_ignores(&config, path, ol02), cases[i].ol02);
        assert_int_equal(config_path_ignores(&config, path, ol48), cases[i].ol48);
    }
    assert_false(config_path_ignores(&config, STR("/elsewhere/top.py"), ol02));
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes; /* 0 = refused */
    } cases[] = {
        {"1", 1},
        {"65536", 65536},
        {"512 KiB", 524288},
        {"4MiB", 4194304},
        {"1 GiB", 1073741824},
        {"1 MB", 1000000},
        {"7 B", 7},
        {"10 kB", 10000},
        {"0", 0},
        {"", 0},
        {"MiB", 0},
        {"-1", 0},
        {"1.5 MiB", 0},
        {"2 GiB", 0},
        {"99999999999999999999", 0},
        {"18446744073709551617", 0},
        {"4 mib", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t bytes = 0;
        assert_int_equal(config_parse_size(str_from(cases[i].text), &bytes), cases[i].bytes != 0);
        if (cases[i].bytes != 0) {
            assert_int_equal(bytes, cases[i].bytes);
        }
    }
}

static void check_selector(Tree *tree, const char *selector, bool good, const char *message)
{
    Str said;
    assert_int_equal(selector_check(str_from(selector), &tree->arena, LANG_EN, &said), good);
    assert_string_equal(str_dup(&tree->arena, said), message);
}

static void test_selectors(void **state)
{
    const Rule *ol48 = rule_find(STR("OL48"));
    static const char *const matching[] = {"OL48", "OL4", "OL", "D1", "ALL",
                                           "ol48", "Ol4", "ol", "d1", "all"};
    static const char *const others[] = {"OL02", "OL0",   "D2", "",     "O",   "o",
                                         "d2",   "OL480", "D",  "OL4x", "alls"};
    for (size_t i = 0; i < sizeof matching / sizeof *matching; i++) {
        assert_true(selector_matches(str_from(matching[i]), ol48));
        check_selector(*state, matching[i], true, "");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(selector_matches(str_from(others[i]), ol48));
    }
    check_selector(*state, "OL00", true, "");
    check_selector(*state, "OL27", true, "OL27 has no rule: the number was never assigned");
    check_selector(
        *state, "OL38", true,
        "OL38 was withdrawn: its check, a tensor annotation without a dtype, is the WARN of OL25");
    check_selector(*state, "D6", false, "unknown dimension \"D6\": there are D1 to D5");
    check_selector(*state, "al", false, "no rule is named \"al\"; did you mean \"ALL\"?");
    check_selector(*state, "ol27", true, "OL27 has no rule: the number was never assigned");
    check_selector(*state, "0L48", false, "no rule is named \"0L48\"; did you mean \"OL48\"?");
    check_selector(*state, "tile-not-constant", true, "");
    check_selector(*state, "Tile-Not-Constant", true, "");
    check_selector(*state, "tile-not-konstant", false,
                   "no rule is named \"tile-not-konstant\"; did you mean \"tile-not-constant\"?");
    check_selector(*state, "", false, "no rule is named \"\"");
}

static void test_edit_distance(void **state)
{
    (void)state;
    assert_int_equal(edit_distance(STR("kitten"), STR("sitting"), 9), 3);
    assert_int_equal(edit_distance(STR(""), STR("abc"), 9), 3);
    assert_int_equal(edit_distance(STR("ab"), STR("ba"), 9), 1); /* neighbours swapped */
    assert_int_equal(edit_distance(STR("Lang"), STR("lANG"), 9), 0);
    assert_int_equal(edit_distance(STR("abc"), STR("xyz"), 1), 2); /* beyond the limit */
    static const char *const words[] = {"select", "selection", "ignore"};
    assert_string_equal(suggest(STR("slect"), words, 3), "select");
    assert_string_equal(suggest(STR("selecton"), words, 3), "selection");
    assert_null(suggest(STR("output"), words, 3));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_all_keys),    TEST(test_empty),   TEST(test_mistakes),  TEST(test_data_only),
        TEST(test_broken_yaml), TEST(test_hostile), TEST(test_no_memory), TEST(test_which_file),
        TEST(test_per_path),    TEST(test_sizes),   TEST(test_selectors), TEST(test_edit_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
