/* Tests of the same-file call graphs: M (module-level defs) and N (every function, shadowed by
 * name). */
#include "py_fixture.h"

static const char *reach(Arena *arena, const PyFile *file, NodeList nodes, const char *start)
{
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < file->functions.count; i++) {
        if (str_is(node_name(module, file->functions.ids[i]), start)) {
            return py_names(arena, module, graph_reach(file, arena, nodes, file->functions.ids[i]));
        }
    }
    fail_msg("no function %s", start);
    return NULL;
}

static void test_nodes(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(arena, "def a(): pass\n" /* line 1 */
                                        "async def b(): pass\n"
                                        "class C:\n"
                                        "    def a(self): pass\n" /* 4: deeper, wins in N */
                                        "    def m(self):\n"
                                        "        def a(): pass\n" /* 6: deepest, wins in N */
                                        "if x:\n"
                                        "    def c(): pass\n"
                                        "def d(): pass\n"
                                        "def d(): pass\n"); /* 10: the later of two */
    const Module *module = pyfile_module(file);
    assert_string_equal(py_names(arena, module, file->functions_m), "a d");
    assert_string_equal(py_names(arena, module, file->functions_n), "a b c d m");
    assert_int_equal(node_line(module, graph_find(file, file->functions_m, STR("a"))), 1);
    assert_int_equal(node_line(module, graph_find(file, file->functions_n, STR("a"))), 6);
    assert_int_equal(node_line(module, graph_find(file, file->functions_m, STR("d"))), 10);
    assert_int_equal(node_line(module, graph_find(file, file->functions_n, STR("d"))), 10);
    assert_int_equal(graph_find(file, file->functions_m, STR("b")), NO_NODE);
    assert_int_equal(graph_find(file, file->functions_m, STR("c")), NO_NODE);
    assert_int_equal(graph_find(file, file->functions_n, STR("zz")), NO_NODE);
    assert_int_equal(graph_find(file, file->functions_n, STR("")), NO_NODE);
}

/* Level order, not source order, decides: the module-level function comes last in the text, the
 * nested one wins all the same. */
static void test_shadowing(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(arena, "def outer():\n"
                                        "    def helper(): nested_leaf()\n"
                                        "def helper(): top_leaf()\n"
                                        "def start(): helper()\n"
                                        "def nested_leaf(): pass\n"
                                        "def top_leaf(): pass\n");
    assert_string_equal(reach(arena, file, file->functions_n, "start"), "start helper nested_leaf");
    assert_string_equal(reach(arena, file, file->functions_m, "start"), "start helper top_leaf");
}

static void test_edges(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(
        arena, "def start(p=by_default()):\n"
               "    x = [by_comprehension() for _ in y]\n"
               "    def nested(): by_nested()\n"
               "    f = lambda: by_lambda()\n"
               "    obj.by_attribute()\n"
               "    use(by_value)\n"
               "    by_chain()()\n"
               "    f'{by_fstring()}'\n"
               "    'by_string()'\n"
               "def by_default(): pass\ndef by_comprehension(): pass\ndef by_nested(): pass\n"
               "def by_lambda(): pass\ndef by_attribute(): pass\ndef by_value(): pass\n"
               "def by_chain(): pass\ndef by_fstring(): pass\ndef by_string(): pass\n"
               "@by_decorator()\ndef decorated(): pass\ndef by_decorator(): pass\n");
    const char *names = reach(arena, file, file->functions_m, "start");
    static const char *const reached[] = {"by_default", "by_comprehension", "by_nested",
                                          "by_lambda",  "by_chain",         "by_fstring"};
    static const char *const others[] = {"by_attribute", "by_value", "by_string", "decorated"};
    for (size_t i = 0; i < sizeof reached / sizeof *reached; i++) {
        assert_non_null(strstr(names, reached[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_null(strstr(names, others[i]));
    }
    assert_string_equal(reach(arena, file, file->functions_m, "decorated"),
                        "decorated by_decorator");
    /* The nested function is a node of N, and it is called by nobody. */
    assert_null(strstr(reach(arena, file, file->functions_n, "start"), " nested"));
}

/* Cycles end; each function is there once; no cut-off however long the chain is. */
static void test_cycles_and_chains(void **state)
{
    Arena *arena = *state;
    const PyFile *file =
        py_read(arena, "def a(): b(); a()\ndef b(): a(); c()\ndef c(): b(); c()\n");
    assert_string_equal(reach(arena, file, file->functions_m, "b"), "b a c");
    assert_string_equal(reach(arena, file, file->functions_n, "c"), "c b a");
    Buf text = {.arena = arena};
    for (int i = 0; i < 3000; i++) {
        buf_addf(&text, "def f%04d():\n    f%04d()\n", i, i + 1);
    }
    file = py_read(arena, text.at);
    NodeList all = graph_reach(file, arena, file->functions_n, file->functions.ids[0]);
    assert_int_equal(all.count, 3000);
    assert_str(node_name(pyfile_module(file), all.ids[2999]), "f2999");
    assert_int_equal(graph_reach(file, arena, file->functions_m, file->functions.ids[2990]).count,
                     10);
}

/* A start that is no node (a method, for graph M) is explored; its name is visited then, so the
 * function that the name stands for is not. */
static void test_start_outside(void **state)
{
    Arena *arena = *state;
    const PyFile *file =
        py_read(arena, "class C:\n    def run(self): helper(); run()\n"
                       "def helper(): leaf()\ndef leaf(): pass\ndef run(): other()\n"
                       "def other(): pass\n");
    const Module *module = pyfile_module(file);
    NodeId method = file->functions.ids[0];
    assert_str(node_name(module, method), "run");
    NodeList all = graph_reach(file, arena, file->functions_m, method);
    assert_string_equal(py_names(arena, module, all), "run helper leaf");
    assert_int_equal(all.ids[0], method);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nodes),         TEST(test_shadowing),
        TEST(test_edges),         TEST(test_cycles_and_chains),
        TEST(test_start_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
