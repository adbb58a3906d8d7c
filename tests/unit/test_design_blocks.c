/* Tests of the Python blocks of DESIGN.md: fences, tags, line numbers, what is dropped. */
#include "operator/operator.h"

#include "tree_fixture.h"

#include "py_fixture.h"

/* Blocks of a document as "LINE:first statement's text", separated by "|"; LINE is that
 * statement's. */
static const char *blocks(Tree *tree, const char *text)
{
    tree_add(tree, "soft/DESIGN.md", text);
    Operator *op = ARENA_NEW(&tree->arena, Operator);
    op->arena = &tree->arena;
    op->dir = tree_path(tree, "soft");
    op->name = STR("soft");
    op->max_file = 1 << 20;
    const DesignBlocks *list = operator_design_blocks(op);
    assert_ptr_equal(list, operator_design_blocks(op));
    Buf out = {.arena = &tree->arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < list->count; i++) {
        const Module *module = pyfile_module(&list->items[i].file);
        assert_ptr_equal(module->source, &list->items[i].file.parsed.source);
        NodeId first = node_first(module, 0);
        if (first == NO_NODE) {
            buf_addf(&out, "%sempty", i == 0 ? "" : "|");
            continue;
        }
        buf_addf(&out, "%s%u:%.*s", i == 0 ? "" : "|", node_line(module, first),
                 STR_ARG(node_text(module, first)));
    }
    return out.at;
}

static void test_tags(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, "```python\na\n```\n"), "2:a");
    assert_string_equal(blocks(tree, "```\na\n```\n"), "2:a");
    assert_string_equal(blocks(tree, "```PY\na\n```\n"), "2:a");
    assert_string_equal(blocks(tree, "```Python3\na\n```\n"), "2:a");
    assert_string_equal(blocks(tree, "```python title=\"x\" `y`\na\n```\n"), "2:a");
    assert_string_equal(blocks(tree, "```py.x\na\n```\n"), "2:a"); /* the tag ends at the dot */
    assert_string_equal(blocks(tree, "``` cpp\na\n```\n"),
                        "2:a"); /* the tag is empty: a blank follows */
    assert_string_equal(blocks(tree, "```{python}\na\n```\n"), "2:a"); /* and here a brace */
    assert_string_equal(blocks(tree, "```python-repl\na\n```\n"), "");
    assert_string_equal(blocks(tree, "```python_3\na\n```\n"), "");
    assert_string_equal(blocks(tree, "```c++\na\n```\n"), "");
    assert_string_equal(blocks(tree, "```json\na\n```\n```py\nb\n```\n"), "5:b");
}

static void test_fences(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, " ```python\na\n ```\n"), ""); /* indented */
    assert_string_equal(blocks(tree, "~~~python\na\n~~~\n"), "");
    assert_string_equal(blocks(tree, "text ```python\na\n```\nb\n"),
                        ""); /* that one opens, and never closes */
    assert_string_equal(blocks(tree, "```python\na\n```"),
                        "2:a"); /* closed at the end of the file */
    assert_string_equal(blocks(tree, "```python\na\n``` \t\n"), "2:a");
    assert_string_equal(blocks(tree, "```python\na\n"), ""); /* never closed */
    assert_string_equal(blocks(tree, "```python"), "");
    assert_string_equal(blocks(tree, "```python\n"), "");
    assert_string_equal(blocks(tree, "```python\n```"), "");
    assert_string_equal(blocks(tree, ""), "");
    assert_string_equal(blocks(tree, "```python\na\n ```\n"),
                        ""); /* an indented fence closes nothing */
}

/* Three backticks and text, or four backticks, close nothing; the body then does not parse. */
static void test_closing(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, "```python\na\n```x\n```\n"), "");
    assert_string_equal(blocks(tree, "```python\na\n````\n```\n"), "");
    assert_string_equal(blocks(tree, "```python\na\n```x\n```\n```\nb\n```\n"), "6:b");
    /* Four backticks open with an empty tag. The inner fence of three closes; its body holds the
     * inner opening fence and is dropped. Then the last fence opens a block that is never
     * closed. */
    assert_string_equal(blocks(tree, "````\n```python\na\n```\n````\n"), "");
    assert_string_equal(blocks(tree, "````\na\n```\n```python\nb\n```\n"), "2:a|5:b");
}

/* A fence closed on the very next line is not an empty block: the search goes on. */
static void test_no_empty_block(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, "```python\n```\n"), "");
    /* The body is "```\ntext\n```python\na\n": no Python. Scanning goes on behind the last
     * fence. */
    assert_string_equal(blocks(tree, "```python\n```\ntext\n```python\na\n```\n```\nb\n```\n"),
                        "8:b");
    assert_string_equal(blocks(tree, "```python\n\n```\n"), ""); /* a blank body */
    assert_string_equal(blocks(tree, "```python\n \t\n```\n"), "");
    assert_string_equal(blocks(tree, "```python\n# c\n```\n"), "empty"); /* a comment is a module */
}

static void test_dropped(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, "```python\nfor each row:\n    do it\n```\n```\na\n```\n"),
                        "6:a");
    assert_string_equal(blocks(tree, "```python\n  a\n```\n"),
                        ""); /* indented code does not parse on its own */
    assert_string_equal(blocks(tree, "```python\na\n```\ntext\n```text\nb\n```\n```py\nc\n```\n"),
                        "2:a|9:c");
}

static void test_lines_and_newlines(void **state)
{
    Tree *tree = *state;
    assert_string_equal(blocks(tree, "# T\r\n\r\n```python\r\n\r\na\r\n```\r\n"), "5:a");
    assert_string_equal(blocks(tree, "# T\r\r```python\ra\r```\r"), "4:a");
    assert_string_equal(blocks(tree, "算子\n```python\n'算'\n```\n"), "3:'算'");
}

/* Each block has its own aliases. */
static void test_own_aliases(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/DESIGN.md", "```python\nimport pypto as pt\n```\n```python\npt.x\n```\n");
    Operator op = {.arena = &tree->arena,
                   .dir = tree_path(tree, "soft"),
                   .name = STR("soft"),
                   .max_file = 4096};
    const DesignBlocks *list = operator_design_blocks(&op);
    assert_int_equal(list->count, 2);
    assert_string_equal(py_strs(&tree->arena, list->items[0].file.aliases), "pt pypto");
    assert_string_equal(py_strs(&tree->arena, list->items[1].file.aliases), "pypto");
    assert_str(pyfile_path(&list->items[1].file), "DESIGN.md");
}

static void test_many_blocks(void **state)
{
    Tree *tree = *state;
    Buf text = {.arena = &tree->arena};
    for (int i = 0; i < 500; i++) {
        buf_addf(&text, "```py\nx%d\n```\n", i);
    }
    const char *found = blocks(tree, text.at);
    assert_memory_equal(found, "2:x0|5:x1|8:x2|", 15);
    assert_non_null(strstr(found, "|1499:x499"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tags),           TEST(test_fences),      TEST(test_closing),
        TEST(test_no_empty_block), TEST(test_dropped),     TEST(test_lines_and_newlines),
        TEST(test_own_aliases),    TEST(test_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
