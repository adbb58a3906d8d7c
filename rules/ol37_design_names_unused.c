/* OL37: the kernels share hardly any name with the design, so they cannot be read side by side.
 *
 * Looks at the identifiers in the code of DESIGN.md and at the names assigned in the JIT kernels of
 * all implementation files together; fewer than two common names are worth a note. */
#include "operator/extract.h"
#include "rules/common.h"

enum {
    MAX_SHOWN = 5,
};

static const RuleOption options[] = {
    {"common-names",
     2,
     0,
     100,
     {"how many names of DESIGN.md the kernels must use at least",
      "kernel 至少应使用多少个 DESIGN.md 中的名称"}},
    {"design-names",
     3,
     1,
     100,
     {"how many names DESIGN.md must have for the comparison to mean something",
      "DESIGN.md 至少有多少个名称时才比较"}},
    {0},
};

/* Names that say nothing about the design. */
static bool is_dropped(Str name)
{
    static const char *const dropped[] = {"i", "j",   "k",    "n",   "m",      "x",      "y",
                                          "z", "tmp", "temp", "out", "result", "output", "input"};
    return STR_IS_ANY(name, dropped);
}

static void add_assigned(RuleRun *run, const Module *module, NodeId kernel, NodeKind kind,
                         Strs *names)
{
    NodeList statements = nodes_in(module, kernel, kind);
    for (uint32_t i = 0; i < statements.count; i++) {
        NodeId target = node_child(module, statements.ids[i], ROLE_TARGET);
        for (; target != NO_NODE; target = node_next(module, target)) {
            if (node_is(module, target, NODE_NAME) && !is_dropped(node_name(module, target))) {
                VEC_PUSH(run->arena, names, node_name(module, target));
            }
        }
    }
}

/* Collects the names of all files; returns the last file that parsed, NULL if none did. */
static const PyFile *collect_names(RuleRun *run, Strs *names)
{
    const PyFiles *scan = &run->op->scan;
    const PyFile *last = NULL;
    for (uint32_t i = 0; i < scan->count; i++) {
        const Module *module = pyfile_module(scan->items[i]);
        if (module == NULL) {
            continue;
        }
        last = scan->items[i];
        for (uint32_t k = 0; k < last->kernels.count; k++) {
            add_assigned(run, module, last->kernels.ids[k], NODE_ASSIGN, names);
            add_assigned(run, module, last->kernels.ids[k], NODE_ANN_ASSIGN, names);
        }
    }
    strs_sort_unique(names);
    return last;
}

static void report_few(RuleRun *run, const PyFile *file, Strs names, Strs common, unsigned least)
{
    Str path = pyfile_path(file);
    names.count = names.count < MAX_SHOWN ? names.count : MAX_SHOWN;
    Str number = least == 2 ? str_from(text_in(run->lang, (Text){"two", "两"}))
                            : str_format(run->arena, "%u", least);
    Str shown = quoted_names(run, names), shared = quoted_names(run, common);
    report(run, STATUS_INFO, at_file(path),
           "the kernels (last file: %.*s) assign names such as %.*s; names that the code of "
           "DESIGN.md has, too: %.*s; at least %.*s are expected",
           "kernel（最后一个文件：%.*s）中赋值的名称如 %.*s；DESIGN.md 代码中也出现的名称：%.*s；"
           "至少应有%.*s个",
           STR_ARG(path), STR_ARG(shown), STR_ARG(shared), STR_ARG(number));
}

static void check(RuleRun *run)
{
    const Document *design = operator_document(run->op, STR("DESIGN.md"));
    if (design->text.length == 0) {
        rule_skip(run, "DESIGN.md does not exist or is empty", "DESIGN.md 不存在或为空");
        return;
    }
    Strs names = {0}, common = {0};
    const PyFile *last = collect_names(run, &names);
    if (last == NULL) {
        rule_skip(run, "no implementation file to check, or none could be parsed",
                  "没有可检查或可解析的实现文件");
        return;
    }
    Strs identifiers = design_identifiers(run->arena, design->text);
    if (identifiers.count < (uint32_t)rule_number(run, "design-names")) {
        rule_skip(run, "the code of DESIGN.md has only %u identifiers of its own",
                  "DESIGN.md 的代码中只有 %u 个有意义的标识符", identifiers.count);
        return;
    }
    if (names.count == 0) {
        rule_skip(run, "no kernel assigns a name worth comparing", "kernel 中没有可比较的赋值名称");
        return;
    }
    unsigned least = (unsigned)rule_number(run, "common-names");
    for (uint32_t i = 0; i < names.count && common.count < least; i++) {
        if (strs_sorted_have(&identifiers, names.items[i])) {
            VEC_PUSH(run->arena, &common, names.items[i]);
        }
    }
    if (common.count < least) {
        report_few(run, last, names, common, least);
    }
}

const Rule ol37 = {
    .id = "OL37",
    .name = "design-names-unused",
    .order = 34,
    .severity = S3,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .hint = {"Name the intermediate tensors of the kernel as the pseudo-code of DESIGN.md does.",
             "kernel 的中间张量沿用 DESIGN.md 伪代码中的名称。"},
    .options = options,
    .check = check,
};
