/* OL07: pypto imported in a form other than `import pypto`, or not at all.
 *
 * One spelling everywhere keeps checks, searches and edits reliable. Looks at the import statements
 * that are direct children of the module. */
#include "rules/imports.h"

/* One file under check; the fixer is set up with the first violation. */
typedef struct ImportCheck {
    RuleRun *run;
    const PyFile *file;
    ImportFixer fixer;
    bool has_fixer;
    bool is_satisfied; /* the import was found, or a wrong form of it */
    VEC(WrongImport) wrong;
} ImportCheck;

static const ImportFixer *get_fixer(ImportCheck *check)
{
    if (!check->has_fixer) {
        import_fixer_init(&check->fixer, check->run->arena, check->file);
        check->has_fixer = true;
    }
    return &check->fixer;
}

static void add_wrong(ImportCheck *check, Finding *finding, NodeId statement, NodeId alias)
{
    WrongImport wrong = {statement, alias, finding};
    import_fixer_rewrite(get_fixer(check), check->run, finding, statement, alias);
    VEC_PUSH(check->run->arena, &check->wrong, wrong);
}

static void check_import(ImportCheck *check, NodeId statement)
{
    const Module *module = pyfile_module(check->file);
    NodeId alias = node_child(module, statement, ROLE_NAME);
    for (; alias != NO_NODE; alias = node_next(module, alias)) {
        Str name = node_name(module, alias), as_name = alias_asname(module, alias);
        if (!is_pypto_module(name)) {
            continue;
        }
        check->is_satisfied = true;
        if (str_is(name, "pypto") && as_name.length == 0) {
            continue;
        }
        Finding *finding = report(check->run, STATUS_FAIL, at_focus(check->file, statement, alias),
                                  "non-canonical PyPTO import in %.*s: 'import %.*s%s%.*s'",
                                  "非正规 PyPTO 导入（%.*s）：'import %.*s%s%.*s'",
                                  STR_ARG(pyfile_path(check->file)), STR_ARG(name),
                                  as_name.length == 0 ? "" : " as ", STR_ARG(as_name));
        add_wrong(check, finding, statement, alias);
    }
}

static void check_from(ImportCheck *check, NodeId statement)
{
    const Module *module = pyfile_module(check->file);
    Str name = node_name(module, statement);
    if (!is_pypto_module(name)) {
        return;
    }
    check->is_satisfied = true;
    Buf dots = {.arena = check->run->arena};
    for (uint32_t i = 0; i < node_at(module, statement)->extra; i++) {
        buf_add_char(&dots, '.');
    }
    NodeId first = node_child(module, statement, ROLE_NAME);
    bool star = str_is(node_name(module, first), "*");
    Span span = import_module_span(module, statement);
    Finding *finding = report(
        check->run, STATUS_FAIL, at_focus_range(check->file, statement, span.start, span.end),
        "non-canonical PyPTO import in %.*s: 'from %.*s%.*s import %s'",
        "非正规 PyPTO 导入（%.*s）：'from %.*s%.*s import %s'", STR_ARG(pyfile_path(check->file)),
        STR_ARG(buf_str(&dots)), STR_ARG(name), star ? "*" : "…");
    add_wrong(check, finding, statement, NO_NODE);
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    ImportCheck check = {.run = run, .file = file};
    NodeId first = node_child(module, 0, ROLE_BODY);
    for (NodeId id = first; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_IMPORT)) {
            check_import(&check, id);
        } else if (node_is(module, id, NODE_IMPORT_FROM)) {
            check_from(&check, id);
        }
    }
    if (check.wrong.count > 0) {
        import_fixer_merge(get_fixer(&check), run, check.wrong.items, check.wrong.count);
    }
    if (check.is_satisfied) {
        return;
    }
    Place place = first == NO_NODE ? at_first_line(file) : at_node(file, first);
    Finding *finding =
        report(run, STATUS_FAIL, place, "'import pypto' is missing at the top level of %.*s",
               "%.*s 的模块顶层缺少 'import pypto'", STR_ARG(pyfile_path(file)));
    import_fixer_insert(get_fixer(&check), run, finding);
}

const Rule ol07 = {
    .id = "OL07",
    .name = "irregular-pypto-import",
    .order = 7,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_PARSED,
    .hint = {"Write 'import pypto' at the top of the file and spell every use as 'pypto.…'.",
             "在文件顶部写 'import pypto'，所有用法都写成 'pypto.…'。"},
    .check_file = check_file,
};
