/* OL18: a test file that lacks the import of the implementation or of the golden.
 *
 * Without one of them nothing meaningful is compared. Looks at every import in `test_<op>.py`, at
 * any depth. */
#include "rules/common.h"
#include "rules/imports.h"

/* Is the dotted module name `expected`, or does it end with a dot and `expected`? */
static bool module_matches(Str dotted, Str expected)
{
    if (!str_ends(dotted, expected)) {
        return false;
    }
    size_t rest = dotted.length - expected.length;
    return rest == 0 || dotted.at[rest - 1] == '.';
}

static bool imports_module(const Module *module, Str expected)
{
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        if (module_matches(alias_module(module, aliases.ids[i]), expected)) {
            return true;
        }
    }
    return false;
}

/* The last top-level import, or the first line. */
static Place import_place(const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeId last = NO_NODE;
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_IMPORT) || node_is(module, id, NODE_IMPORT_FROM)) {
            last = id;
        }
    }
    return last == NO_NODE ? at_first_line(file) : at_node(file, last);
}

static void check(RuleRun *run)
{
    static const struct {
        FileKind kind;
        const char *function;
        Text what;
    } expected[] = {
        {KIND_IMPL, "_wrapper", {"implementation", "实现"}},
        {KIND_GOLDEN, "_golden", {"golden", " golden "}},
    };
    const PyFile *file = test_file(run);
    if (skip_unparsed(run, file)) {
        return;
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Str op = run->op->name;
        Str name = artifact_name(run->arena, expected[i].kind, op);
        if (imports_module(pyfile_module(file), name)) {
            continue;
        }
        Finding *finding = report(run, STATUS_FAIL, import_place(file),
                                  "test file %.*s does not import the %s module '%.*s'",
                                  "测试文件 %.*s 没有导入%s模块 '%.*s'", STR_ARG(pyfile_path(file)),
                                  text_in(run->lang, expected[i].what), STR_ARG(name));
        finding_hint(run, finding, "Add 'from %.*s import %.*s%s'.",
                     "添加 'from %.*s import %.*s%s'。", STR_ARG(name), STR_ARG(op),
                     expected[i].function);
        if (node_child(pyfile_module(file), 0, ROLE_BODY) != NO_NODE && is_plain_name(op)) {
            uint32_t at;
            Str line = str_format(run->arena, "from %.*s import %.*s%s", STR_ARG(name), STR_ARG(op),
                                  expected[i].function);
            Str insert = import_insertion(run->arena, pyfile_module(file), line, &at);
            finding_edit(run, finding, FIX_SUGGEST, at, at, insert);
        }
    }
}

const Rule ol18 = {
    .id = "OL18",
    .name = "missing-test-import",
    .order = 19,
    .severity = S1,
    .dimension = D3,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_SUGGEST,
    .needs = NEEDS_OWN_EDIT,
    .hint =
        {"Add 'from <op>_impl import <op>_wrapper' and 'from <op>_golden import <op>_golden'.",
         "添加 'from <op>_impl import <op>_wrapper' 和 'from <op>_golden import <op>_golden'。"},
    .check = check,
};
