/* Tests of the scan set: which implementation files are examined, in which order, in each scope. */
#include "operator/scan_set.h"

#include "tree_fixture.h"

#include "py_fixture.h"

#include <unistd.h>

static Operator *operator_at(Tree *tree, const char *dir)
{
    Operator *op = ARENA_NEW(&tree->arena, Operator);
    op->arena = &tree->arena;
    op->dir = tree_path(tree, dir);
    op->name = path_basename(op->dir);
    op->max_file = 4096;
    return op;
}

static const char *scanned(Operator *op)
{
    scan_set_fill(op);
    Buf names = {.arena = op->arena};
    buf_add(&names, STR(""));
    for (uint32_t i = 0; i < op->scan.count; i++) {
        buf_addf(&names, "%s%.*s", i == 0 ? "" : " ", STR_ARG(pyfile_path(op->scan.items[i])));
    }
    return names.at;
}

static void test_phase_suffix(void **state)
{
    Tree *tree = *state;
    assert_str(phase_suffix(&tree->arena, 1), "1");
    assert_str(phase_suffix(&tree->arena, 2), "12");
    assert_str(phase_suffix(&tree->arena, 3), "123");
    assert_str(phase_suffix(&tree->arena, 10), "12345678910");
}

/* The integrated file first, then the modules by code point: "_" sorts after the digits. */
static void test_default(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module1_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module12_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module123_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_moduleZ_impl.py",
             "x = (\n"); /* unparsable files belong to it */
    tree_add(tree, "soft/modules/soft_module12_golden.py", "x = 1\n");
    tree_add(tree, "soft/modules/test_soft_module1_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module1_impl.pyc", "x = 1\n");
    tree_add(tree, "soft/modules/deep/soft_module9_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module8_impl.py/", ""); /* a folder of that name */
    tree_add(tree, "soft/other_impl.py", "x = 1\n");
    assert_string_equal(
        scanned(operator_at(tree, "soft")),
        "soft_impl.py modules/soft_module123_impl.py modules/soft_module12_impl.py "
        "modules/soft_module1_impl.py modules/soft_moduleZ_impl.py modules/soft_module_impl.py");
}

static void test_nothing_there(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/README.md", "");
    assert_string_equal(scanned(operator_at(tree, "soft")), "");
    tree_add(tree, "soft/modules", "a file, not a folder");
    assert_string_equal(scanned(operator_at(tree, "soft")), "");
    tree_add(tree, "soft/soft_impl.py", ""); /* zero bytes: a regular file, absent for parsing */
    Operator *op = operator_at(tree, "soft");
    assert_string_equal(scanned(op), "soft_impl.py");
    assert_int_equal(op->scan.items[0]->parsed.status, PARSE_ABSENT);
}

static void test_pending_stub(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", "# PYPTO_PENDING_STUB\n");
    tree_add(tree, "soft/modules/soft_module1_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module12_impl.py", "'''\nPYPTO_PENDING_STUB\n'''\n");
    assert_string_equal(scanned(operator_at(tree, "soft")), "modules/soft_module1_impl.py");
    Operator *op = operator_at(tree, "soft");
    op->scope = SCOPE_PHASE;
    op->phase = 2;
    assert_string_equal(scanned(op), "");
    op = operator_at(tree, "soft");
    op->scope = SCOPE_FILE;
    op->file = STR("soft_impl.py");
    assert_string_equal(scanned(op), "");
}

static void test_phase_and_file(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module1_impl.py", "x = 1\n");
    tree_add(tree, "soft/modules/soft_module12_impl.py", "x = 1\n");
    tree_add(tree, "soft/notes.txt", "x = 1\n");
    Operator *op = operator_at(tree, "soft");
    op->scope = SCOPE_PHASE;
    op->phase = 2;
    assert_string_equal(scanned(op), "modules/soft_module12_impl.py");
    op->phase = 3;
    assert_string_equal(scanned(op), "");
    op->scope = SCOPE_FILE;
    op->file = STR("modules/soft_module1_impl.py");
    assert_string_equal(scanned(op), "modules/soft_module1_impl.py");
    op->file = STR("notes.txt"); /* whatever its name is */
    assert_string_equal(scanned(op), "notes.txt");
    op->file = STR("missing.py");
    assert_string_equal(scanned(op), "");
    op->file = STR("modules");
    assert_string_equal(scanned(op), "");
}

/* The name decides, not the folder: a state file may say another one. */
static void test_other_name(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "dir/soft_impl.py", "x = 1\n");
    tree_add(tree, "dir/dir_impl.py", "x = 1\n");
    Operator *op = operator_at(tree, "dir");
    op->name = STR("soft");
    assert_string_equal(scanned(op), "soft_impl.py");
}

/* A file that is there and cannot be read counts as unparsable: a gate must not take it for
 * missing. */
static void test_too_large(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", "x = 1\n");
    Operator *op = operator_at(tree, "soft");
    op->max_file = 5;
    assert_string_equal(scanned(op), "soft_impl.py");
    assert_int_equal(op->scan.items[0]->parsed.status, PARSE_ERROR);
    assert_int_equal(op->scan.items[0]->parsed.errors.count, 1);
    op = operator_at(tree, "soft");
    op->max_file = 6;
    assert_string_equal(scanned(op), "soft_impl.py");
    assert_int_equal(op->scan.items[0]->parsed.status, PARSE_OK);
}

static void test_files_and_documents(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "soft/soft_impl.py", "x = 1\n");
    tree_add(tree, "soft/DESIGN.md", "a\r\nb\rc\n");
    tree_add(tree, "soft/BAD.md", "a\xFF\n");
    tree_add(tree, "soft/FOLDER.md/", "");
    Operator *op = operator_at(tree, "soft");
    assert_ptr_equal(operator_python(op, STR("soft_impl.py")),
                     operator_python(op, STR("soft_impl.py")));
    assert_int_equal(operator_python(op, STR("none.py"))->parsed.status, PARSE_ABSENT);
    assert_true(operator_has_file(op, STR("DESIGN.md")));
    assert_false(operator_has_file(op, STR("FOLDER.md")));
    const Document *design = operator_document(op, STR("DESIGN.md"));
    assert_true(design->exists && design->readable);
    assert_str(design->text, "a\nb\nc\n");
    const Document *bad = operator_document(op, STR("BAD.md"));
    assert_true(bad->exists);
    assert_false(bad->readable);
    assert_str(bad->text, "");
    assert_false(operator_document(op, STR("NONE.md"))->exists);
    assert_false(operator_document(op, STR("FOLDER.md"))->exists);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_phase_suffix),   TEST(test_default),
        TEST(test_nothing_there),  TEST(test_pending_stub),
        TEST(test_phase_and_file), TEST(test_other_name),
        TEST(test_too_large),      TEST(test_files_and_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
