/* Tests of selection: which rules options, settings, scopes and gates ask for. */
#include "lint/select.h"

#include "py_fixture.h"

static Strs list(Arena *arena, const char *words)
{
    Strs strs = {0};
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        Str word = {words, length};
        VEC_PUSH(arena, &strs, word);
        words += length + (words[length] == ' ');
    }
    return strs;
}

static Rules selected(Arena *arena, const Request *request, const Config *config, Operator *op)
{
    op->arena = arena;
    return select_rules(arena, request, config, op);
}

static bool holds(const Rules *rules, const char *id)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        if (strcmp(rules->items[i]->id, id) == 0) {
            return true;
        }
    }
    return false;
}

static void assert_holds(const Rules *rules, const char *ids, bool expected)
{
    char id[5] = "";
    for (; *ids != '\0'; ids += 4 + (ids[4] == ' ')) {
        memcpy(id, ids, 4);
        if (holds(rules, id) != expected) {
            fail_msg("%s is %s", id, expected ? "missing" : "there");
        }
    }
}

static void assert_catalogue_order(const Rules *rules)
{
    for (uint32_t i = 1; i < rules->count; i++) {
        assert_true(rules->items[i - 1]->order < rules->items[i]->order);
    }
}

static void test_all(void **state)
{
    Arena *arena = *state;
    Rules rules = selected(arena, &(Request){0}, &(Config){0}, &(Operator){0});
    assert_int_equal(rules.count, rule_registry_count);
    assert_true(rules.count >= 30);
    assert_catalogue_order(&rules);
    assert_holds(&rules, "OL00", false); /* it is asked for by select_ol00 */
}

static void test_rules_option(void **state)
{
    Arena *arena = *state;
    Operator op = {0};
    Request request = {.what.rules = list(arena, "OL48 OL01")};
    Rules rules = selected(arena, &request, &(Config){0}, &op);
    assert_int_equal(rules.count, 2);
    assert_string_equal(rules.items[0]->id, "OL01"); /* order of the catalogue, not of the option */
    assert_string_equal(rules.items[1]->id, "OL48");
    request.what.rules = list(arena, "OL4");
    rules = selected(arena, &request, &(Config){0}, &op);
    assert_holds(&rules, "OL45 OL46 OL47 OL48 OL49", true);
    assert_holds(&rules, "OL04 OL23", false);
    for (uint32_t i = 0; i < rules.count; i++) {
        assert_memory_equal(rules.items[i]->id, "OL4", 3);
    }
    request.what.rules = list(arena, "D3");
    rules = selected(arena, &request, &(Config){0}, &op);
    assert_int_equal(rules.count, 4);
    assert_holds(&rules, "OL15 OL16 OL17 OL18", true);
    request.what.rules = list(arena, "D3 OL16");
    assert_int_equal(selected(arena, &request, &(Config){0}, &op).count, 4);
    request.what.rules = list(arena, "OL27"); /* retired: accepted, and names nothing */
    assert_int_equal(selected(arena, &request, &(Config){0}, &op).count, 0);
    request.what.rules = list(arena, "ALL");
    assert_int_equal(selected(arena, &request, &(Config){0}, &op).count, rule_registry_count);
}

static void test_ignore_option(void **state)
{
    Arena *arena = *state;
    Request request = {.what.ignore = list(arena, "D1 OL15")};
    Rules rules = selected(arena, &request, &(Config){0}, &(Operator){0});
    assert_holds(&rules, "OL16 OL17 OL18 OL60", true);
    assert_holds(&rules, "OL15 OL01 OL48", false);
    request.what.rules = list(arena, "D3"); /* --ignore takes from --rules */
    rules = selected(arena, &request, &(Config){0}, &(Operator){0});
    assert_int_equal(rules.count, 3);
}

/* An option always wins over the settings file. */
static void test_settings(void **state)
{
    Arena *arena = *state;
    Config config = {.select = list(arena, "D3 OL48"), .ignore = list(arena, "OL16")};
    Request request = {0};
    Rules rules = selected(arena, &request, &config, &(Operator){0});
    assert_holds(&rules, "OL15 OL17 OL18 OL48", true);
    assert_int_equal(rules.count, 4);
    request.what.rules = list(arena, "OL16");
    assert_int_equal(selected(arena, &request, &config, &(Operator){0}).count, 1);
    request = (Request){.what.ignore = list(arena, "OL15")};
    assert_int_equal(selected(arena, &request, &config, &(Operator){0}).count, 3);
}

/* After an edit of one file: the rules about its kind. */
static void test_file_scope(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *file, *there, *not_there;
    } cases[] = {
        {"soft_impl.py",
         "OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL16 OL23 OL25 OL26 OL28 OL29 OL48 OL49 OL55 "
         "OL56 OL57 OL58 "
         "OL61 OL62",
         "OL15 OL17 OL18 OL60"},
        {"test_x_impl.py", "OL01 OL48", "OL17 OL18 OL60"}, /* the end of the name comes first */
        {"modules/soft_module1_impl.py", "OL01 OL48", "OL17 OL15"},
        {"soft_golden.py", "OL15", "OL01 OL17 OL60 OL61"},
        {"test_soft.py", "OL17 OL18 OL60", "OL01 OL15 OL16"},
        {"DESIGN.md", "OL55 OL56", "OL01 OL15 OL17"},
        {"README.md", "", "OL01 OL15 OL17 OL55 OL56 OL61"},
        {"helper.py", "", "OL01 OL15 OL17 OL55"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Operator op = {.scope = SCOPE_FILE, .file = str_from(cases[i].file)};
        Rules rules = selected(arena, &(Request){0}, &(Config){0}, &op);
        assert_holds(&rules, cases[i].there, true);
        assert_holds(&rules, cases[i].not_there, false);
        assert_catalogue_order(&rules);
    }
}

static void test_gates(void **state)
{
    Arena *arena = *state;
    Operator op = {.scope = SCOPE_PHASE, .phase = 2};
    Request request = {.what = {.phase = 2, .gate = true}};
    Rules rules = selected(arena, &request, &(Config){0}, &op);
    assert_holds(&rules,
                 "OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL23 OL16 OL25 OL26 OL28 OL29 OL45 OL46 "
                 "OL47 OL48 OL49 "
                 "OL56 OL57 OL58 OL52 OL62 OL55",
                 true);
    assert_holds(&rules, "OL15 OL17 OL18 OL60 OL61", false);
    for (uint32_t i = 0; i < rules.count; i++) {
        const Rule *rule = rules.items[i];
        assert_true(rule->target == TARGET_IMPL || strcmp(rule->id, "OL53") == 0 ||
                    strcmp(rule->id, "OL54") == 0);
    }
    request = (Request){.what = {.design = true, .gate = true}};
    rules = selected(arena, &request, &(Config){0}, &(Operator){0});
    assert_holds(&rules, "OL55 OL56", true);
    assert_true(rules.count <= 3); /* and OL12 */
    assert_holds(&rules, "OL01 OL15", false);
}

/* A loose file has no siblings: rules that need them are not for it. */
static void test_loose(void **state)
{
    Arena *arena = *state;
    Operator op = {.scope = SCOPE_FILE, .file = STR("kernel.py"), .loose = true};
    Rules rules = selected(arena, &(Request){0}, &(Config){0}, &op);
    assert_holds(&rules, "OL01 OL02 OL48 OL57", true); /* any name counts as an implementation */
    assert_holds(&rules, "OL15 OL17 OL18 OL60 OL61", false);
    op.file = STR("x_golden.py");
    rules = selected(arena, &(Request){0}, &(Config){0}, &op);
    assert_holds(&rules, "OL15", true);
    assert_holds(&rules, "OL01", false);
    op.file = STR("test_x.py");
    rules = selected(arena, &(Request){0}, &(Config){0}, &op);
    assert_holds(&rules, "OL17", true);
    assert_holds(&rules, "OL60", false);
}

static void test_file_kinds(void **state)
{
    (void)state;
    assert_int_equal(file_kind(STR("a_impl.py")), KIND_IMPL);
    assert_int_equal(file_kind(STR("test_a_impl.py")), KIND_IMPL);
    assert_int_equal(file_kind(STR("a_golden.py")), KIND_GOLDEN);
    assert_int_equal(file_kind(STR("test_a_golden.py")), KIND_GOLDEN);
    assert_int_equal(file_kind(STR("test_.py")), KIND_TEST);
    assert_int_equal(file_kind(STR("SPEC.md")), KIND_SPEC);
    assert_int_equal(file_kind(STR("DESIGN.md")), KIND_DESIGN);
    static const char *const others[] = {"",           "a.py",       "spec.md",   "impl.py",
                                         "test_a.txt", "a_impl.pyc", "atest_a.py"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(file_kind(str_from(others[i])), KIND_NONE);
    }
}

static void test_selectors(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *text;
        bool good;
        const char *message;
    } cases[] = {
        {"OL48", true, ""},
        {"OL", true, ""},
        {"OL0", true, ""},
        {"D1", true, ""},
        {"ALL", true, ""},
        {"OL00", true, ""},
        {"OL27", true, "never assigned"},
        {"OL38", true, "OL25"},
        {"OL99", false, "OL99"},
        {"ol48", true, ""},
        {"0L48", false, "OL48"},
        {"D6", false, "D1 to D5"},
        {"D", false, "\"D\""},
        {"OL481", false, "OL481"},
        {"S0", false, "S0"},
        {"", false, "no rule"},
        {"O", false, "no rule"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str message;
        assert_int_equal(selector_check(str_from(cases[i].text), arena, LANG_EN, &message),
                         cases[i].good);
        assert_true(str_contains(message, str_from(cases[i].message)));
        assert_int_equal(message.length == 0, cases[i].message[0] == '\0');
    }
    Str message;
    assert_true(selector_check(STR("OL27"), arena, LANG_ZH, &message));
    assert_true(str_contains(message, STR("从未分配")));
}

static void test_ol00(void **state)
{
    Arena *arena = *state;
    Request request = {0};
    Config config = {0};
    assert_true(select_ol00(&request, &config));
    request.what.rules = list(arena, "OL48"); /* a file that does not parse is always reported */
    assert_true(select_ol00(&request, &config));
    request.what.ignore = list(arena, "OL00");
    assert_false(select_ol00(&request, &config));
    request = (Request){0};
    config.ignore = list(arena, "OL0");
    assert_false(select_ol00(&request, &config));
    request.what.rules = list(arena, "OL00");
    assert_true(select_ol00(&request, &config));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all),      TEST(test_rules_option), TEST(test_ignore_option),
        TEST(test_settings), TEST(test_file_scope),   TEST(test_gates),
        TEST(test_loose),    TEST(test_file_kinds),   TEST(test_selectors),
        TEST(test_ol00),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
