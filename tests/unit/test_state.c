/* Tests of the state file and of the stage that is inferred without it. */
#include "operator/state.h"

#include "tree_fixture.h"

#include "py_fixture.h"

#define STATE ".orchestrator_state.json"

static void test_reading(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    OperatorState read = state_read(arena, tree->top);
    assert_false(read.exists || read.valid);
    assert_int_equal(read.current_stage, 0);
    static const struct {
        const char *text;
        bool valid;
        const char *name;
        int stage;
    } cases[] = {
        {"{}", true, "", 0},
        {"{\"operator_name\": \"soft\", \"current_stage\": 5}", true, "soft", 5},
        {"{\"operator_name\": 7, \"current_stage\": \"6\"}", true, "", 6},
        {"{\"current_stage\": \" 4 \"}", true, "", 4},
        {"{\"current_stage\": 3.9}", true, "", 3},
        {"{\"current_stage\": true}", true, "", 1},
        {"{\"current_stage\": \"five\"}", true, "", 0},
        {"{\"current_stage\": \"\"}", true, "", 0},
        {"{\"current_stage\": null}", true, "", 0},
        {"{\"current_stage\": 99999999999}", true, "", 0},
        {"{\"current_stage\": 1e300}", true, "", 0},
        {"{\"current_stage\": [5]}", true, "", 0},
        {"[]", false, "", 0},
        {"5", false, "", 0},
        {"{\"operator_name\": ", false, "", 0},
        {"", false, "", 0},
        {"\xFF", false, "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree_add(tree, STATE, cases[i].text);
        read = state_read(arena, tree->top);
        assert_true(read.exists);
        assert_int_equal(read.valid, cases[i].valid);
        assert_str(read.operator_name, cases[i].name);
        assert_int_equal(read.current_stage, cases[i].stage);
    }
}

static void test_deep_json(void **state)
{
    Tree *tree = *state;
    Buf text = {.arena = &tree->arena};
    for (int i = 0; i < 100000; i++) {
        buf_add(&text, STR("["));
    }
    tree_add(tree, STATE, text.at);
    OperatorState read = state_read(&tree->arena, tree->top);
    assert_true(read.exists);
    assert_false(read.valid);
}

static void test_stage_from_artifacts(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    Str dir = tree_path(tree, "soft");
    Str name = STR("soft");
    tree_add(tree, "soft/notes.txt", "");
    assert_int_equal(stage_from_artifacts(arena, dir, name), 0);
    tree_add(tree, "soft/SPEC.md", "");
    assert_int_equal(stage_from_artifacts(arena, dir, name), 2);
    tree_add(tree, "soft/API_REPORT.md", "");
    assert_int_equal(stage_from_artifacts(arena, dir, name), 3);
    tree_add(tree, "soft/soft_golden.py", "");
    assert_int_equal(stage_from_artifacts(arena, dir, name), 4);
    tree_add(tree, "soft/soft_impl.py", ""); /* one of impl, test, README is not enough */
    assert_int_equal(stage_from_artifacts(arena, dir, name), 4);
    tree_add(tree, "soft/README.md", "");
    assert_int_equal(stage_from_artifacts(arena, dir, name), 5);
    assert_int_equal(stage_from_artifacts(arena, dir, STR("other")), 3);
    assert_int_equal(stage_from_artifacts(arena, STR("/no/such/folder"), name), 0);
}

static void test_stage_from_file(void **state)
{
    (void)state;
    assert_int_equal(stage_from_file(STR("SPEC.md")), 1);
    assert_int_equal(stage_from_file(STR("API_REPORT.md")), 2);
    assert_int_equal(stage_from_file(STR("x_golden.py")), 3);
    assert_int_equal(stage_from_file(STR("test_x_golden.py")), 3);
    assert_int_equal(stage_from_file(STR("DESIGN.md")), 4);
    assert_int_equal(stage_from_file(STR("x_impl.py")), 5);
    assert_int_equal(stage_from_file(STR("test_x.py")), 5);
    assert_int_equal(stage_from_file(STR("x.py")), 0);
    assert_int_equal(stage_from_file(STR("")), 0);
}

static void test_directory_name(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    tree_add(tree, "soft/modules/", "");
    tree_link(tree, "link", "soft");
    assert_str(directory_name(arena, tree_path(tree, "soft")), "soft");
    assert_str(directory_name(arena, tree_path(tree, "soft/modules/..")), "soft");
    assert_str(directory_name(arena, tree_path(tree, "link")), "soft");
    assert_str(directory_name(arena, STR("/no/such/dir")), "dir");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reading),         TEST(test_deep_json),      TEST(test_stage_from_artifacts),
        TEST(test_stage_from_file), TEST(test_directory_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
