/* OL01: an implementation file without a JIT kernel, or with more than one.
 *
 * The build finds the kernel by the literal decorator `pypto.frontend.jit`; an alias hides it from
 * all but this program, whose other rules judge the kernel all the same.
 * Looks at each parsed implementation file on its own. */
#include "rules/common.h"
#include "rules/imports.h"

/* A decorator without the calls around it: `pp.frontend.jit` of `@pp.frontend.jit(…)`. */
static NodeId decorator_chain(const Module *module, NodeId decorator, uint32_t *calls)
{
    for (*calls = 0; node_is(module, decorator, NODE_CALL); (*calls)++) {
        decorator = call_func(module, decorator);
    }
    return decorator;
}

/* Is the last name of the chain `jit`? Its dotted text shows whether the rest is a chain of
 * names. */
static bool ends_in_jit(const Module *module, NodeId chain)
{
    return (node_is(module, chain, NODE_ATTRIBUTE) || node_is(module, chain, NODE_NAME)) &&
           str_is(node_name(module, chain), "jit");
}

/* The first decorator in the source that looks like a JIT decorator, or NO_NODE. */
static NodeId find_lookalike(RuleRun *run, const Module *module)
{
    static const NodeKind kinds[] = {NODE_FUNCTION_DEF, NODE_ASYNC_FUNCTION_DEF, NODE_CLASS_DEF};
    NodeId found = NO_NODE;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList list = module_nodes(module, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            NodeId decorator = node_child(module, list.ids[i], ROLE_DECORATOR);
            for (; decorator != NO_NODE; decorator = node_next(module, decorator)) {
                uint32_t calls;
                NodeId chain = decorator_chain(module, decorator, &calls);
                if (ends_in_jit(module, chain) &&
                    (found == NO_NODE ||
                     node_at(module, decorator)->start < node_at(module, found)->start) &&
                    node_dotted(module, chain, run->arena).length > 0) {
                    found = decorator;
                }
            }
        }
    }
    return found;
}

/* The top-level import that binds `name` and so introduced the alias; its statement in
 * `*statement`. `*alias` is the item of an `import`, NO_NODE for a `from`. False when there is
 * none. */
static bool find_import(const Module *module, Str name, NodeId *statement, NodeId *alias)
{
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        bool from = node_is(module, id, NODE_IMPORT_FROM);
        if (!from && !node_is(module, id, NODE_IMPORT)) {
            continue;
        }
        NodeId item = node_child(module, id, ROLE_NAME);
        for (; item != NO_NODE; item = node_next(module, item)) {
            Str imported = node_name(module, from ? id : item);
            if (is_pypto_module(imported) && str_equal(alias_bound_name(module, item), name)) {
                *statement = id;
                *alias = from ? NO_NODE : item;
                return true;
            }
        }
    }
    return false;
}

/* Offers the rewrite of the import when that alone makes the decorator the accepted one. */
static void offer_rewrite(RuleRun *run, const PyFile *file, Finding *finding, Str spelled)
{
    const Module *module = pyfile_module(file);
    size_t dot = str_find(spelled, STR("."), 0);
    Str root = dot == SIZE_MAX ? spelled : str_slice(spelled, 0, dot);
    Str rest = str_slice(spelled, root.length, spelled.length);
    NodeId statement, alias;
    if (!find_import(module, root, &statement, &alias) || str_is(root, "pypto")) {
        return;
    }
    Str path = node_name(module, alias == NO_NODE ? statement : alias);
    if (alias == NO_NODE) {
        NodeId item = node_child(module, statement, ROLE_NAME);
        while (!str_equal(alias_bound_name(module, item), root)) {
            item = node_next(module, item);
        }
        Str name = node_name(module, item);
        path = str_format(run->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(name));
    }
    if (!str_is(str_format(run->arena, "%.*s%.*s", STR_ARG(path), STR_ARG(rest)),
                "pypto.frontend.jit")) {
        return;
    }
    ImportFixer fixer;
    import_fixer_init(&fixer, run->arena, file);
    import_fixer_rewrite(&fixer, run, finding, statement, alias);
}

/* What is wrong is the import that made the alias; the kernel is as it should be. */
static void hint_import(RuleRun *run, const PyFile *file, Finding *finding, Str spelled, Str name)
{
    const Module *module = pyfile_module(file);
    size_t dot = str_find(spelled, STR("."), 0);
    Str root = dot == SIZE_MAX ? spelled : str_slice(spelled, 0, dot);
    NodeId statement, alias;
    if (str_is(root, "pypto") || !find_import(module, root, &statement, &alias)) {
        return;
    }
    Str text = excerpt(run, file, statement);
    uint32_t line = source_line(&file->parsed.source, node_at(module, statement)->start);
    finding_hint(run, finding,
                 "Write 'import pypto' instead of '%.*s' (line %u), '@pypto.frontend.jit' above "
                 "'%.*s', and 'pypto.…' for every other use.",
                 "把 '%.*s'（第 %u 行）改为 'import pypto'，'%.*s' 的装饰器改为 "
                 "'@pypto.frontend.jit'，其余用法都写成 'pypto.…'。",
                 STR_ARG(text), line, STR_ARG(name));
}

/* The product of 9.2 takes it; the operator workflow does not find it. */
static void report_short_form(RuleRun *run, const PyFile *file, NodeId decorator, NodeId chain,
                              Str name)
{
    Finding *finding = report(
        run, STATUS_FAIL, at_node(file, decorator),
        "%.*s has no JIT kernel for the operator workflow: '@pypto.jit' on '%.*s' is the same "
        "decorator since PyPTO 9.2, but the workflow looks for '@pypto.frontend.jit'",
        "算子流程在 %.*s 中找不到 JIT kernel：'@pypto.jit'（修饰 '%.*s'）自 PyPTO 9.2 "
        "起是同一个装饰器，但流程只查找 '@pypto.frontend.jit'",
        STR_ARG(pyfile_path(file)), STR_ARG(name));
    const Node *node = node_at(pyfile_module(file), chain);
    finding_edit(run, finding, FIX_SUGGEST, node->start, node->end, STR("pypto.frontend.jit"));
}

static void report_missing(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    Str path = pyfile_path(file);
    NodeId decorator = find_lookalike(run, module);
    if (decorator == NO_NODE) {
        report(run, STATUS_FAIL, at_first_line(file),
               "%.*s has no JIT kernel: no function is decorated '@pypto.frontend.jit'",
               "%.*s 中没有 JIT kernel：没有任何函数使用装饰器 '@pypto.frontend.jit'",
               STR_ARG(path));
        return;
    }
    uint32_t calls;
    NodeId chain = decorator_chain(module, decorator, &calls);
    Str spelled = node_dotted(module, chain, run->arena);
    NodeId owner = node_at(module, decorator)->parent;
    Str name = node_name(module, owner);
    if (str_is(spelled, "pypto.jit") && node_is(module, owner, NODE_FUNCTION_DEF) && calls <= 1) {
        report_short_form(run, file, decorator, chain, name);
        return;
    }
    if (!str_is(spelled, "pypto.frontend.jit")) {
        Finding *finding =
            report(run, STATUS_FAIL, at_node(file, decorator),
                   "%.*s has no JIT kernel: '@%.*s' on '%.*s' is not recognised, the only accepted "
                   "spelling is '@pypto.frontend.jit'",
                   "%.*s 中没有 JIT kernel：'@%.*s'（修饰 '%.*s'）不被识别，唯一接受的写法是 "
                   "'@pypto.frontend.jit'",
                   STR_ARG(path), STR_ARG(spelled), STR_ARG(name));
        hint_import(run, file, finding, spelled, name);
        if (node_is(module, owner, NODE_FUNCTION_DEF) && calls <= 1) {
            offer_rewrite(run, file, finding, spelled);
        }
        return;
    }
    if (node_is(module, owner, NODE_FUNCTION_DEF)) {
        report(run, STATUS_FAIL, at_node(file, decorator),
               "%.*s has no JIT kernel: the decorator of '%.*s' is called more than once, only "
               "'@pypto.frontend.jit' and '@pypto.frontend.jit(...)' are accepted",
               "%.*s 中没有 JIT kernel：'%.*s' 的装饰器被多次调用，只接受 '@pypto.frontend.jit' 或 "
               "'@pypto.frontend.jit(...)'",
               STR_ARG(path), STR_ARG(name));
        return;
    }
    report(run, STATUS_FAIL, at_node(file, decorator),
           "%.*s has no JIT kernel: '@pypto.frontend.jit' works only on a plain 'def', and '%.*s' "
           "is not one",
           "%.*s 中没有 JIT kernel：'@pypto.frontend.jit' 只能修饰普通 'def'，而 '%.*s' 不是",
           STR_ARG(path), STR_ARG(name));
}

static void check_file(RuleRun *run, const PyFile *file)
{
    if (file->kernels.count == file->aliased) {
        report_missing(run, file); /* an alias is wrong, however many there are */
    }
    if (file->kernels.count < 2) {
        return;
    }
    Str names = function_names(run, file, file->kernels);
    Finding *finding = report(run, STATUS_FAIL, at_node(file, file->kernels.ids[0]),
                              "%.*s has %u JIT kernels: %.*s; exactly one is allowed",
                              "%.*s 中有 %u 个 JIT kernel：%.*s；只允许一个",
                              STR_ARG(pyfile_path(file)), file->kernels.count, STR_ARG(names));
    for (uint32_t i = 1; i < file->kernels.count; i++) {
        NodeId kernel = file->kernels.ids[i];
        Str name = node_name(pyfile_module(file), kernel);
        finding_related(run, finding, at_node(file, kernel), "another JIT kernel: '%.*s'",
                        "另一个 JIT kernel：'%.*s'", STR_ARG(name));
    }
}

const Rule ol01 = {
    .id = "OL01",
    .name = "missing-or-extra-jit-entry",
    .order = 1,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_PARSED,
    .hint = {"Keep a single kernel decorated '@pypto.frontend.jit' (arguments allowed) and turn "
             "further entries into plain helper functions.",
             "只保留一个用 '@pypto.frontend.jit' 修饰的 "
             "kernel（可带参数），其余入口改为普通辅助函数。"},
    .check_file = check_file,
};
