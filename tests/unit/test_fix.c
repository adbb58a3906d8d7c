/* Tests of fixing: which edits go together, edits in blocks of documents, files that change while
 * they are being fixed. What `--fix` makes of whole operators is tested in tests/cli. */
#include "lint/fix.h"

#include "py_fixture.h"
#include "tree_fixture.h"

/* --- plans of edits */

/* "START-END:TEXT" edits of one finding, separated by blanks; `_` in a text stands for a line
 * end. */
static Splices edits(Arena *arena, const char *text)
{
    Splices splices = {0};
    while (*text != '\0') {
        Splice splice = {0};
        char *end;
        splice.start = (uint32_t)strtoul(text, &end, 10);
        splice.end = (uint32_t)strtoul(end + 1, &end, 10);
        Buf buf = {.arena = arena};
        buf_add(&buf, STR(""));
        for (end++; *end != '\0' && *end != ' '; end++) {
            buf_add_char(&buf, *end == '_' ? '\n' : *end);
        }
        splice.text = buf_str(&buf);
        VEC_PUSH(arena, &splices, splice);
        text = *end == ' ' ? end + 1 : end;
    }
    return splices;
}

/* "y" or "n" for each finding that is (not) taken, then the text. */
static const char *plan(Tree *tree, const char *text, const char *const *findings)
{
    EditPlan edit_plan;
    Buf out = {.arena = &tree->arena};
    edit_plan_init(&edit_plan, &tree->arena, str_from(text));
    for (; *findings != NULL; findings++) {
        Splices splices = edits(&tree->arena, *findings);
        buf_add(&out, edit_plan_add(&edit_plan, &splices) ? STR("y") : STR("n"));
    }
    buf_add(&out, STR(" "));
    buf_add(&out, edit_plan_text(&edit_plan));
    return out.at;
}
#define PLAN(text, ...) plan(tree, text, (const char *const[]){__VA_ARGS__, NULL})

static void test_separate_edits(void **state)
{
    Tree *tree = *state;
    assert_string_equal(PLAN("abcdef", "1-2:X"), "y aXcdef");
    assert_string_equal(PLAN("abcdef", "4-6:", "0-1:__"), "yy \n\nbcd");
    assert_string_equal(PLAN("abcdef", "6-6:!", "0-0:>"), "yy >abcdef!");
    assert_string_equal(PLAN("abcdef", "0-2:X 4-5:Y"), "y XcdYf");
    assert_string_equal(PLAN("", "0-0:a"), "y a");
}

static void test_touching_edits(void **state)
{
    Tree *tree = *state;
    assert_string_equal(PLAN("abcdef", "0-2:X", "2-4:Y"), "yy XYef"); /* neighbours */
    assert_string_equal(PLAN("abcdef", "0-3:X", "2-4:Y"), "yn Xdef");
    assert_string_equal(PLAN("abcdef", "2-4:Y", "0-6:X"), "yn abYef");
    assert_string_equal(PLAN("abcdef", "1-3:X", "1-3:X"), "yn aXdef"); /* the same twice */
    assert_string_equal(PLAN("abcdef", "1-3:X", "2-2:i"), "yn aXdef"); /* within */
    assert_string_equal(PLAN("abcdef", "2-2:i", "1-3:X"), "yn abicdef");
    assert_string_equal(PLAN("abcdef", "1-3:X", "1-1:i", "3-3:j"), "yyy aiXjdef"); /* at its ends */
    assert_string_equal(PLAN("abcdef", "1-1:i", "1-3:X"), "yy aiXdef");
    assert_string_equal(PLAN("abcdef", "2-2:i", "2-2:j"), "yn abicdef");
    assert_string_equal(PLAN("abcdef", "0-2:X", "2-4:Y", "2-2:i"), "yyy XiYef");
}

static void test_all_or_nothing(void **state)
{
    Tree *tree = *state;
    /* The second finding's first edit is free, its second one is not. */
    assert_string_equal(PLAN("abcdef", "4-5:X", "0-1:Y 4-6:Z", "0-1:W"), "yny WbcdXf");
    assert_string_equal(PLAN("abcdef", "1-4:X 3-5:Y"), "n abcdef"); /* at odds with itself */
    assert_string_equal(PLAN("abcdef", "1-4:X 2-2:Y"), "n abcdef");
    assert_string_equal(PLAN("abcdef", "2-2:x 2-2:y"), "y abxycdef"); /* in their order */
    assert_string_equal(PLAN("abcdef", "5-7:X"), "n abcdef");         /* outside */
    assert_string_equal(PLAN("abcdef", "3-2:X"), "n abcdef");
}

static void test_line_ends(void **state)
{
    Tree *tree = *state;
    assert_string_equal(PLAN("a\r\nb\r\n", "0-0:x_"), "y x\r\na\r\nb\r\n");
    assert_string_equal(PLAN("a\nb\r\n", "0-0:x_"), "y x\na\nb\r\n"); /* the first line decides */
    assert_string_equal(PLAN("a\r\nb", "2-3:_"), "y a\r\nb");         /* only the LF is replaced */
    assert_string_equal(PLAN("a\r\nb", "1-3:_y_"), "y a\r\ny\r\nb");
}

/* --- fixing a unit */

static const char *const loop = "@pypto.frontend.jit\ndef soft_kernel(x):\n"
                                "    for i in pypto.loop(8, unroll_list=[1, 2]):\n"
                                "        pypto.sqrt(x)\n";
static const char *const fixed_loop = "@pypto.frontend.jit\ndef soft_kernel(x):\n"
                                      "    for i in pypto.loop(8, unroll_list=[1]):\n"
                                      "        pypto.sqrt(x)\n";

/* Lints soft/ at stage 4 with OL56 and makes its suggestions safe ones. */
static Unit *lint(Tree *tree, Request *request)
{
    *request = (Request){.what = {.stage = 4, .fix = true}};
    VEC_PUSH(&tree->arena, &request->what.rules, STR("OL56"));
    Unit *unit = ARENA_NEW(&tree->arena, Unit);
    unit->request = request;
    unit->settings = ARENA_NEW(&tree->arena, Settings);
    unit->dir = unit->shown_dir = tree_path(tree, "soft");
    unit_run(unit);
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        unit->result.findings.items[i]->fix = FIX_SAFE;
    }
    return unit;
}

static const char *content(Tree *tree, const char *path)
{
    Str text;
    assert_int_equal(file_read(&tree->arena, tree_path(tree, path).at, 1 << 20, &text, NULL),
                     FILE_OK);
    return text.at;
}

/* What becomes of DESIGN.md. */
static const char *fix_design(Tree *tree, const char *text)
{
    tree_add(tree, "soft/DESIGN.md", text);
    Request request;
    Unit *unit = lint(tree, &request);
    Fixing fixing = {.arena = &tree->arena, .notices.arena = &tree->arena, .request = &request};
    assert_int_equal(unit->result.findings.count, 1);
    assert_true(fix_unit(&fixing, unit));
    assert_int_equal(fixing.fixes.findings, 1);
    assert_int_equal(fixing.notices.count, 0);
    arena_free(&unit->arena);
    return content(tree, "soft/DESIGN.md");
}

/* `text` with `%s` for the loop, and CR LF line ends if asked for. */
static char *document(Tree *tree, const char *before, const char *body, const char *after,
                      bool crlf)
{
    Buf out = {.arena = &tree->arena};
    Str text = str_format(&tree->arena, "%simport pypto\n%s%s", before, body, after);
    for (size_t i = 0; i < text.length; i++) {
        buf_add(&out, crlf && text.at[i] == '\n' ? STR("\r\n") : str_slice(text, i, i + 1));
    }
    return out.at;
}

static void test_blocks_of_a_document(void **state)
{
    Tree *tree = *state;
    const char *const before[] = {"```python\n", "# 设计 — é\n\n文字\n```python\n",
                                  "\xEF\xBB\xBF# 设计\n```\nx = 1\n```\n```python\n"};
    for (int crlf = 0; crlf < 2; crlf++) {
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            const char *text = document(tree, before[i], loop, "```\nAfter 之后\n", crlf != 0);
            const char *wanted =
                document(tree, before[i], fixed_loop, "```\nAfter 之后\n", crlf != 0);
            assert_string_equal(fix_design(tree, text), wanted);
        }
    }
}

static void test_mixed_line_ends(void **state)
{
    Tree *tree = *state;
    char *text = document(tree, "A\r\nB\rC\n```python\n", loop, "```\r\n", false);
    char *wanted = document(tree, "A\r\nB\rC\n```python\n", fixed_loop, "```\r\n", false);
    assert_string_equal(fix_design(tree, text), wanted);
}

/* A file that is not what was linted any more waits for the next round, and stays as it is. */
static void test_changed_meanwhile(void **state)
{
    Tree *tree = *state;
    const char *text = document(tree, "", loop, "", false);
    tree_add(tree, "soft/soft_impl.py", text);
    tree_add(tree, "soft/DESIGN.md", document(tree, "```\n", loop, "```\n", false));
    Request request;
    Unit *unit = lint(tree, &request);
    assert_int_equal(unit->result.findings.count, 2);
    const char *changed = str_format(&tree->arena, "# one more line\n%s", text).at;
    tree_add(tree, "soft/soft_impl.py", changed);
    tree_add(tree, "soft/DESIGN.md", changed);
    Fixing fixing = {.arena = &tree->arena, .notices.arena = &tree->arena, .request = &request};
    assert_true(fix_unit(&fixing, unit));
    assert_int_equal(fixing.fixes.findings, 0);
    assert_int_equal(fixing.written.count, 0);
    assert_string_equal(content(tree, "soft/soft_impl.py"), changed);
    assert_string_equal(content(tree, "soft/DESIGN.md"), changed);
    arena_free(&unit->arena);
}

/* An edit that would break a file is not written; the file is not tried again. */
static void test_broken_by_its_fix(void **state)
{
    Tree *tree = *state;
    const char *text = document(tree, "", loop, "", false);
    tree_add(tree, "soft/soft_impl.py", text);
    Request request;
    Unit *unit = lint(tree, &request);
    assert_int_equal(unit->result.findings.count, 1);
    assert_int_equal(unit->result.findings.items[0]->edits.count, 1);
    unit->result.findings.items[0]->edits.items[0].text = STR("[1");
    Fixing fixing = {.arena = &tree->arena, .notices.arena = &tree->arena, .request = &request};
    assert_false(fix_unit(&fixing, unit));
    assert_int_equal(fixing.notices.count, 1);
    assert_non_null(strstr(fixing.notices.items[0].message.at, "OL56"));
    assert_string_equal(content(tree, "soft/soft_impl.py"), text);
    unit->result.findings.items[0]->edits.items[0].text = STR("[1]");
    assert_false(fix_unit(&fixing, unit));
    assert_int_equal(fixing.notices.count, 1);
    arena_free(&unit->arena);
}

/* Looking for what is left writes nothing, and finds nothing once everything is fixed. */
static void test_only_look(void **state)
{
    Tree *tree = *state;
    const char *text = document(tree, "", loop, "", false);
    tree_add(tree, "soft/soft_impl.py", text);
    Request request;
    Unit *unit = lint(tree, &request);
    Fixing fixing = {.arena = &tree->arena,
                     .notices.arena = &tree->arena,
                     .request = &request,
                     .only_look = true};
    assert_true(fix_unit(&fixing, unit));
    assert_int_equal(fixing.fixes.findings, 0);
    assert_int_equal(fixing.written.count, 0);
    assert_string_equal(content(tree, "soft/soft_impl.py"), text);
    Str kept = unit->result.findings.items[0]->edits.items[0].text;
    unit->result.findings.items[0]->edits.items[0].text = STR("[1");
    assert_false(fix_unit(&fixing, unit)); /* it would be given up */
    unit->result.findings.items[0]->edits.items[0].text = kept;
    fixing.only_look = false;
    assert_true(fix_unit(&fixing, unit));
    arena_free(&unit->arena);
    unit = lint(tree, &request);
    fixing.only_look = true;
    assert_false(fix_unit(&fixing, unit));
    assert_int_equal(fixing.fixes.findings, 1);
    assert_int_equal(fixing.notices.count, 0);
    arena_free(&unit->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_separate_edits, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_touching_edits, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_all_or_nothing, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_line_ends, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_blocks_of_a_document, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_mixed_line_ends, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_changed_meanwhile, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_broken_by_its_fix, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_only_look, tree_set_up, tree_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
