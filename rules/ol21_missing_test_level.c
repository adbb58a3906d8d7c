/* OL21: a test without its small-shape level 0 or its production-shape level 1.
 *
 * Looks at `test_<op>.py`: names of the functions directly in the module, and marks anywhere in its
 * text; case does not matter. */
#include "operator/text.h"
#include "rules/common.h"

typedef struct Level {
    const char *names[2]; /* parts of function names */
    const char *marks[3]; /* parts of the text; NULL after the last */
    const char *advice;   /* end of the name that the hint proposes */
    Text shapes;
} Level;

static const Level levels[] = {
    {{"level0", "_l0"},
     {"功能_p0", "func_p0", "test_p0"},
     "l0",
     {"a few small shapes", "少量小 shape"}},
    {{"level1", "_l1"},
     {"性能_p0", "perf_p0", NULL},
     "l1",
     {"the P0 shapes of SPEC.md", "SPEC.md 的 P0 shape"}},
};

static bool has_function(const Module *module, const Level *level)
{
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_FUNCTION_DEF) &&
            (text_contains_folded(node_name(module, id), str_from(level->names[0])) ||
             text_contains_folded(node_name(module, id), str_from(level->names[1])))) {
            return true;
        }
    }
    return false;
}

static bool has_mark(Str text, const Level *level)
{
    for (size_t i = 0; i < sizeof level->marks / sizeof *level->marks; i++) {
        if (level->marks[i] != NULL && text_contains_folded(text, str_from(level->marks[i]))) {
            return true;
        }
    }
    return false;
}

static void check(RuleRun *run)
{
    const PyFile *file = test_file(run);
    if (skip_unparsed(run, file)) {
        return;
    }
    Str path = pyfile_path(file), op = run->op->name;
    for (int i = 0; i < 2; i++) {
        const Level *level = &levels[i];
        if (has_function(pyfile_module(file), level) || has_mark(file->parsed.source.text, level)) {
            continue;
        }
        bool three = level->marks[2] != NULL;
        Finding *finding =
            report(run, STATUS_FAIL, at_file(path),
                   "test file %.*s has no level %d: no top-level function with '%s' or '%s' in its "
                   "name and no mark '%s', '%s'%s%s%s",
                   "测试文件 %.*s 没有 level %d：没有名称含 '%s' 或 '%s' 的顶层函数，"
                   "也没有标记 '%s'、'%s'%s%s%s",
                   STR_ARG(path), i, level->names[0], level->names[1], level->marks[0],
                   level->marks[1], three ? text_in(run->lang, (Text){", '", "、'"}) : "",
                   three ? level->marks[2] : "", three ? "'" : "");
        finding_hint(run, finding, "Add 'def test_%.*s_%s():' with %s.",
                     "添加 'def test_%.*s_%s():'，使用%s。", STR_ARG(op), level->advice,
                     text_in(run->lang, level->shapes));
    }
}

const Rule ol21 = {
    .id = "OL21",
    .name = "missing-test-level",
    .order = 22,
    .severity = S2,
    .dimension = D4,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OWN_EDIT,
    .hint = {"Add test_<op>_l0 with small shapes and test_<op>_l1 with the P0 shapes.",
             "添加使用小 shape 的 test_<op>_l0 和使用 P0 shape 的 test_<op>_l1。"},
    .check = check,
};
