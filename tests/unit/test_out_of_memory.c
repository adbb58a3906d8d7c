/* Memory running out at every point of a small run: the run ends with a notice and status 2, or was
 * not touched by it; it never crashes and never calls the operator clean. */
#include "lint/plan.h"
#include "report/report.h"

#include "tree_fixture.h"

#include "py_fixture.h"

static const char impl[] = "import pypto as pt\n"
                           "N: int = 64  # pypto-lint: ignore[OL99] no such rule\n"
                           "@pypto.frontend.jit\n"
                           "def k(x: pypto.Tensor([pypto.DYN, 128], pypto.DT_FP32), y: int, z):\n"
                           "    x = min(y, 2)\n"
                           "    for i in range(3):\n"
                           "        pypto.set_vec_tile_shapes(y, 2 * N)\n"
                           "    return f'{x!r:>{y}}' 'joined'\n"
                           "def k_wrapper(x):\n"
                           "    for i in range(2):\n"
                           "        k(x, [1, 2], {'a': 1})  # pypto-lint: ignore[OL45]\n";

typedef struct Outcome {
    int status;
    uint32_t findings;
    bool unparsed; /* some file is reported as too large for the parser */
} Outcome;

static void look_at(Outcome *outcome, const RunResult *result)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const Findings *findings = &result->operators.items[i]->findings;
        outcome->findings += findings->count;
        for (uint32_t j = 0; j < findings->count; j++) {
            Str message = findings->items[j]->message;
            outcome->unparsed |= str_contains(message, STR("too large or too deeply nested"));
        }
    }
}

/* One run over the folder; what it came to. Status 2 is what main answers when the outermost arena
 * fails. */
static Outcome run_once(const Request *request, ReportWriter *writer)
{
    static Outcome outcome; /* static: kept over the jump of a failed allocation */
    static Arena arena;
    static Run *run;
    jmp_buf env;
    outcome = (Outcome){.status = 2};
    run = NULL;
    arena_init(&arena, 0);
    if (OOM_GUARD(&arena, env)) {
        Plan plan;
        plan_begin(&plan, &arena, &request->who);
        run = run_check(request, &plan);
        const RunResult *result = run_result(run);
        look_at(&outcome, result);
        Buf out = {.arena = &arena};
        ReportOptions options = {.working_dir = STR("/"),
                                 .version = STR("0"),
                                 .home_uri = STR("https://example.org/"),
                                 .rules_uri = STR("https://example.org/rules/"),
                                 .show_passed = true,
                                 .statistics = true};
        outcome.status = writer(&out, result, &options) ? result->exit_status : 2;
    }
    arena_inject_failure(0);
    if (run != NULL) {
        run_free(run);
    }
    arena_free(&arena);
    return outcome;
}

/* Fails allocation 1, 2, … until the run no longer needs so many. What a failure may lead to:
 * status 2; or the finding that a file is too large for the parser, which has a budget of its own;
 * or nothing. */
static void fail_everywhere(Tree *tree, ReportWriter *writer, unsigned long step)
{
    Request request = {.what = {.op_dir = tree_path(tree, "soft"), .stage = 5}, .who.jobs = 1};
    Outcome wanted = run_once(&request, writer);
    assert_int_equal(wanted.status, 1);
    assert_false(wanted.unparsed);
    assert_true(wanted.findings >= 5);
    unsigned long touched = 0;
    unsigned long untouched = 0;
    int descriptors = open_descriptors();
    for (unsigned long n = 1; untouched < 10; n += step) {
        arena_inject_failure(n);
        Outcome outcome = run_once(&request, writer);
        assert_int_equal(open_descriptors(), descriptors);
        bool complete = outcome.status == 1 && !outcome.unparsed;
        if (complete) {
            assert_int_equal(outcome.findings, wanted.findings);
        } else {
            assert_true(outcome.status == 2 || outcome.unparsed);
        }
        untouched = complete ? untouched + 1 : 0;
        touched += !complete;
        assert_true(n < 100000);
    }
    assert_true(touched >= 5);
}

static void test_every_allocation(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", impl);
    tree_add(tree, "soft/modules/soft_module1_impl.py", "def broken(:\n");
    tree_add(tree, "soft/soft_golden.py", "import torch\nx = x.T\n");
    tree_add(tree, "soft/test_soft.py", "import torch\n");
    tree_add(tree, "soft/MEMORY.md", "- [ ] open\n");
    tree_add(tree, "soft/.pypto-lint.yaml", "ignore: [OL47]\nper-path:\n  'x/': [ALL]\n");
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        fail_everywhere(tree, report_formats[i].write, 1);
    }
}

/* A file that needs many blocks: failures deep inside the parser. */
static void test_large_file(void **state)
{
    Tree *tree = *state;
    Buf text = {.arena = &tree->arena};
    buf_add(&text, str_from(impl));
    for (int i = 0; i < 3000; i++) {
        buf_addf(&text, "def f%d(a, b=[1, (2, 3)], *c):\n    return a.b(c)[%d] + min(a, b)\n", i,
                 i);
    }
    tree_add(tree, "soft/soft_impl.py", text.at);
    tree_add(tree, "soft/README.md", "");
    fail_everywhere(tree, report_json, 1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_every_allocation), TEST(test_large_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
