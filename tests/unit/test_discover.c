/* Tests of discovery: which folders are operators, what a walk finds and skips, what named paths
 * mean. */
#include "lint/discover.h"
#include "operator/state.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define KERNEL "import pypto\n\n\n@pypto.frontend.jit\ndef k(a):\n    pass\n"

/* What discovery finds, one item a line, with the top's path cut off: "O custom/a", "O a: x y" with
 * files, "F a.py" (named: "N a.py"), then notices "! place" (errors "E place"). */
static const char *found_as_text(Tree *tree, const char *const *names)
{
    Strs paths = {0};
    for (; *names != NULL; names++) {
        Str path = tree_path(tree, *names);
        VEC_PUSH(&tree->arena, &paths, path);
    }
    Discovered found;
    Notices notices = {.arena = &tree->arena};
    DiscoverOptions options = {.max_file = 4096};
    bool good = discover(&found, &tree->arena, paths, options, &notices);
    Buf text = {.arena = &tree->arena};
    buf_add(&text, STR(""));
    size_t skip = tree->top.length + 1;
    for (uint32_t i = 0; i < found.count; i++) {
        const DiscoveredItem *item = &found.items[i];
        const char *kind = item->kind == DISCOVERED_OPERATOR ? "O" : item->named ? "N" : "F";
        assert_true(item->whole || item->files.count > 0 || item->kind == DISCOVERED_FILE);
        buf_addf(&text, "%s %s", kind, item->path.length < skip ? "." : item->path.at + skip);
        for (uint32_t j = 0; j < item->files.count; j++) {
            buf_addf(&text, "%s%.*s", j == 0 ? ": " : " ", STR_ARG(item->files.items[j]));
        }
        buf_addf(&text, "\n");
    }
    bool error = false;
    for (uint32_t i = 0; i < notices.count; i++) {
        const Notice *notice = &notices.items[i];
        error = error || notice->is_error;
        buf_addf(&text, "%s %.*s\n", notice->is_error ? "E" : "!",
                 STR_ARG(str_slice(notice->file, skip, notice->file.length)));
    }
    assert_int_equal(good, !error);
    return text.at;
}

#define FOUND(tree, ...) found_as_text(tree, (const char *const[]){__VA_ARGS__, NULL})

static void add_operator(Tree *tree, const char *folder, const char *name)
{
    Arena *arena = &tree->arena;
    tree_add(tree, str_format(arena, "%s/%s_impl.py", folder, name).at, KERNEL);
    tree_add(tree, str_format(arena, "%s/DESIGN.md", folder).at, "");
}

static void test_operator_folder(void **state)
{
    Tree *tree = *state;
    Arena *arena = &tree->arena;
    tree_add(tree, "a/a_impl.py", "");
    assert_false(is_operator_folder(arena, tree_path(tree, "a"))); /* one name only */
    tree_add(tree, "a/test_a.py", "");
    assert_true(is_operator_folder(arena, tree_path(tree, "a")));
    tree_add(tree, "b/README.md", "");
    tree_add(tree, "b/DESIGN.md", ""); /* a repository's root: no name of the operator's own */
    assert_false(is_operator_folder(arena, tree_path(tree, "b")));
    tree_add(tree, "c/" STATE_PATH, "");
    assert_true(is_operator_folder(arena, tree_path(tree, "c")));

    Str dir;
    tree_add(tree, "c/1/2/3/4/5/6/7/8/", "");
    assert_true(operator_of_folder(arena, tree_path(tree, "c/1/2/3/4/5/6/7"), &dir));
    assert_true(str_equal(dir, tree_path(tree, "c")));
    assert_false(operator_of_folder(arena, tree_path(tree, "c/1/2/3/4/5/6/7/8"), &dir));
}

static void check_file(Tree *tree, const char *file, const char *dir, const char *name)
{
    Str found_dir;
    Str found_name;
    bool found = operator_of_file(&tree->arena, tree_path(tree, file), &found_dir, &found_name);
    assert_int_equal(found, dir != NULL);
    if (found) {
        assert_true(str_equal(found_dir, tree_path(tree, dir)));
        assert_true(str_is(found_name, name));
    }
}

static void test_operator_of_file(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "s/" STATE_PATH, "");
    check_file(tree, "s/anything.txt", "s", "s");
    check_file(tree, "s/modules/x.py", "s", "s");
    check_file(tree, "s/eval/x.py", NULL, NULL);
    add_operator(tree, "a", "a");
    check_file(tree, "a/a_impl.py", "a", "a");
    check_file(tree, "a/test_a.py", "a", "a"); /* need not exist */
    check_file(tree, "a/modules/a_module1_impl.py", "a", "a");
    check_file(tree, "a/DESIGN.md", NULL, NULL); /* no name in its name, no state file */
    add_operator(tree, "folder", "op");
    check_file(tree, "folder/op_golden.py", "folder", "op");
    check_file(tree, "folder/other_golden.py", NULL, NULL);
    check_file(tree, "folder/_impl.py", NULL, NULL); /* an empty name is none */
}

static void test_walk(void **state)
{
    Tree *tree = *state;
    add_operator(tree, "custom/b", "b");
    add_operator(tree, "custom/a", "a");
    tree_add(tree, "custom/a/extra.py", KERNEL); /* belongs to the operator */
    add_operator(tree, "custom/a/nested", "nested");
    tree_add(tree, "loose/k.py", KERNEL);
    tree_add(tree, "loose/alias.py", "from pypto.frontend import jit as j\n");
    tree_add(tree, "loose/plain.py", "x = 1\n");
    tree_add(tree, "loose/k.txt", KERNEL);
    tree_add(tree, ".hidden/k.py", KERNEL);
    tree_add(tree, "node_modules/p/k.py", KERNEL);
    tree_add(tree, "env/pyvenv.cfg", "");
    tree_add(tree, "env/lib/k.py", KERNEL);
    assert_string_equal(FOUND(tree, ""),
                        "O custom/a\nO custom/b\nF loose/alias.py\nF loose/k.py\n");
    /* Named, nothing is skipped. */
    assert_string_equal(FOUND(tree, ".hidden"), "F .hidden/k.py\n");
    assert_string_equal(FOUND(tree, "env"), "F env/lib/k.py\n");
    assert_string_equal(FOUND(tree, "custom/a"), "O custom/a\n");
    assert_string_equal(FOUND(tree, "custom/a/", "custom", "custom/a"), "O custom/a\nO custom/b\n");
}

static void test_named_files(void **state)
{
    Tree *tree = *state;
    add_operator(tree, "a", "a");
    tree_add(tree, "a/modules/a_module1_impl.py", KERNEL);
    tree_add(tree, "a/modules/notes.txt", "");
    tree_add(tree, "a/eval/module_interfaces.yaml", "");
    tree_add(tree, "plain.py", "x = 1\n");
    tree_add(tree, "notes.md", "");
    assert_string_equal(FOUND(tree, "a/a_impl.py"), "O a: a_impl.py\n");
    assert_string_equal(FOUND(tree, "a/modules/a_module1_impl.py", "a/a_impl.py", "a/a_impl.py"),
                        "O a: a_impl.py modules/a_module1_impl.py\n");
    assert_string_equal(FOUND(tree, "a/modules"), "O a: modules/a_module1_impl.py\n");
    assert_string_equal(FOUND(tree, "a/DESIGN.md", "a/eval/module_interfaces.yaml"),
                        "O a: DESIGN.md eval/module_interfaces.yaml\n");
    assert_string_equal(FOUND(tree, "a/a_impl.py", "a"), "O a\n"); /* the whole is more */
    assert_string_equal(FOUND(tree, "plain.py", "plain.py", ""), "O a\nN plain.py\n");
    assert_string_equal(FOUND(tree, "notes.md"), "! notes.md\n");
    assert_string_equal(FOUND(tree, "missing.py", "a"), "O a\nE missing.py\n");
    assert_string_equal(FOUND(tree, "plain.py/"), "E plain.py/\n");
    assert_int_equal(mkfifo(tree_path(tree, "pipe").at, 0600), 0);
    assert_string_equal(FOUND(tree, "pipe"), "E pipe\n");
}

/* Paths relative to the working directory, as most are. */
static void test_relative(void **state)
{
    Tree *tree = *state;
    add_operator(tree, "a", "a");
    tree_add(tree, "a/modules/a_module1_impl.py", KERNEL);
    static const struct {
        const char *from, *path, *shown;
    } cases[] = {
        {"", "a/a_impl.py", "a"},
        {"", "./a/a_impl.py", "./a"},
        {"", ".", "a"},
        {"a", "a_impl.py", "."},
        {"a", ".", "."},
        {"a/modules", ".", ".."},
        {"a", "modules/a_module1_impl.py", "."},
        {"a/modules", "a_module1_impl.py", ".."},
        {"a/modules", "../modules/a_module1_impl.py", ".."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(chdir(tree_path(tree, cases[i].from).at), 0);
        Strs paths = {0};
        VEC_PUSH(&tree->arena, &paths, str_from(cases[i].path));
        Discovered found;
        Notices notices = {.arena = &tree->arena};
        assert_true(
            discover(&found, &tree->arena, paths, (DiscoverOptions){.max_file = 4096}, &notices));
        assert_int_equal(found.count, 1);
        assert_string_equal(found.items[0].path.at, cases[i].shown);
        assert_true(str_equal(found.items[0].real, tree_path(tree, "a")));
        assert_true(str_is(found.items[0].name, "a"));
    }
    assert_int_equal(chdir("/"), 0);
}

static void test_two_operators_in_one_folder(void **state)
{
    Tree *tree = *state;
    add_operator(tree, "folder", "p");
    add_operator(tree, "folder", "q");
    assert_string_equal(FOUND(tree, "folder/q_impl.py", "folder/p_impl.py"),
                        "O folder: p_impl.py\nO folder: q_impl.py\n");
}

static void test_symlinks(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "in/z/k.py", KERNEL);
    tree_add(tree, "in/.hid/h.py", KERNEL);
    tree_add(tree, "out/k.py", KERNEL);
    tree_link(tree, "in/a", "z");    /* reached under its real name */
    tree_link(tree, "in/b", ".hid"); /* only reached so */
    tree_link(tree, "in/loop", ".");
    tree_link(tree, "in/z/up", "../.."); /* leaves the tree */
    tree_link(tree, "in/o", "../out");
    tree_link(tree, "in/f.py", "../out/k.py");
    tree_link(tree, "in/g.py", "z/k.py");
    tree_link(tree, "in/dangling.py", "nowhere");
    tree_link(tree, "in/self", "self");
    add_operator(tree, "in/op", "op");
    tree_add(tree, "in/op/modules/m.py", KERNEL);
    tree_link(tree, "in/m.py", "op/modules/m.py"); /* the operator answers for it */
    assert_string_equal(FOUND(tree, "in"), "F in/b/h.py\nO in/op\nF in/z/k.py\n");
    assert_string_equal(FOUND(tree, "in/o"), "F in/o/k.py\n");
    assert_string_equal(FOUND(tree, "in/f.py"), "N in/f.py\n");
}

static void test_gitignore(void **state)
{
    Tree *tree = *state;
    tree_add(tree, ".gitignore", "build/\n*_gen.py\n");
    tree_add(tree, "src/build/k.py", KERNEL);
    tree_add(tree, "src/k_gen.py", KERNEL);
    tree_add(tree, "src/k.py", KERNEL);
    tree_add(tree, "src/.gitignore", "!k_gen.py\n/local.py\n");
    tree_add(tree, "src/local.py", KERNEL);
    tree_add(tree, "src/secret.py", KERNEL);
    add_operator(tree, "build/op", "op");
    /* Outside a repository nothing is ignored. */
    assert_string_equal(
        FOUND(tree, "src"),
        "F src/build/k.py\nF src/k.py\nF src/k_gen.py\nF src/local.py\nF src/secret.py\n");
    tree_add(tree, ".git/HEAD", "ref: refs/heads/main\n");
    tree_add(tree, ".git/info/exclude", "secret.py\n");
    assert_string_equal(FOUND(tree, "src"), "F src/k.py\nF src/k_gen.py\n");
    assert_string_equal(FOUND(tree, ""), "F src/k.py\nF src/k_gen.py\n");
    /* Named, what is ignored counts. */
    assert_string_equal(FOUND(tree, "build/op"), "O build/op\n");
    assert_string_equal(FOUND(tree, "src/build"), "F src/build/k.py\n");
    assert_string_equal(FOUND(tree, "src/local.py"), "N src/local.py\n");
    /* A repository inside starts anew; its .git may be a file. */
    tree_add(tree, "sub/k_gen.py", KERNEL);
    tree_add(tree, "sub/own.py", KERNEL);
    assert_string_equal(FOUND(tree, "sub"), "F sub/own.py\n");
    tree_add(tree, "sub/.git", "gitdir: ../.git/modules/sub\n");
    tree_add(tree, ".git/modules/sub/HEAD", "ref: refs/heads/main\n");
    tree_add(tree, ".git/modules/sub/info/exclude", "own.py\n");
    assert_string_equal(FOUND(tree, "sub"), "F sub/k_gen.py\n");
}

static void test_unreadable(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "a.py", KERNEL);
    tree_add(tree, "large.py", KERNEL);
    tree_add(tree, "other.py", "x = 1\n"); /* large, too, but no kernel */
    assert_int_equal(truncate(tree_path(tree, "large.py").at, 5000), 0);
    assert_int_equal(truncate(tree_path(tree, "other.py").at, 5000), 0);
    tree_add(tree, "locked/k.py", KERNEL);
    assert_int_equal(chmod(tree_path(tree, "locked").at, 0), 0);
    bool root = !tree_permissions_bind(tree); /* may read anything */
    assert_string_equal(FOUND(tree, ""), root ? "F a.py\nF locked/k.py\n! large.py\n"
                                              : "F a.py\n! large.py\n! locked\n");
}

/* Deeper than any path may be long: a notice, no crash. */
static void test_deep(void **state)
{
    Tree *tree = *state;
    enum { LEVELS = 30 };
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(chdir(tree->top.at), 0);
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(mkdir(name, 0777), 0);
        assert_int_equal(chdir(name), 0);
    }
    const char *text = FOUND(tree, "");
    assert_int_equal(text[0], '!');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one */
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(rmdir(name), 0);
    }
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_operator_folder),
        TEST(test_operator_of_file),
        TEST(test_walk),
        TEST(test_named_files),
        TEST(test_relative),
        TEST(test_two_operators_in_one_folder),
        TEST(test_symlinks),
        TEST(test_gitignore),
        TEST(test_unreadable),
        TEST(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
