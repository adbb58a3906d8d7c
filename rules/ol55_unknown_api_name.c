/* OL55: `pypto.<name>` where the package exports no such name.
 *
 * Looks at every attribute of the package in the Python blocks of DESIGN.md, in <op>_impl.py and in
 * the module implementations: whole files, whatever the phase, stubs included. The names come from
 * rules/data. */
#include "rules/bindings.h"
#include "rules/common.h"
#include "rules/data/api.h"
#include "rules/similar.h"

#include <stdlib.h>

enum { MAX_SUGGESTIONS = 3 };

static const Text no_random = {
    "; there is no random or generic tensor constructor: kernels receive raw torch tensors, and "
    "new tensors inside a kernel come from pypto.zeros, pypto.ones or pypto.full",
    "；没有随机或通用的 tensor 构造函数：kernel 直接接收 torch tensor，kernel 内的新 tensor 用 "
    "pypto.zeros、pypto.ones 或 pypto.full 创建",
};
static const Text no_empty = {
    "; allocate in the wrapper with torch.empty or torch.empty_like, initialise inside the kernel "
    "with pypto.zeros, pypto.ones or pypto.full",
    "；wrapper 内用 torch.empty 或 torch.empty_like 分配，kernel 内用 pypto.zeros、pypto.ones 或 "
    "pypto.full 初始化",
};
static const struct Note {
    const char *missing;
    const Text *text;
} notes[] = {
    {"rand", &no_random},
    {"randn", &no_random},
    {"empty", &no_empty},
    {"empty_like", &no_empty},
};

/* What can be said about one missing name. */
typedef struct Advice {
    Str name;
    Str suggestions;         /* "pypto.zeros, pypto.ones", or empty */
    const char *recipe;      /* code with them, or NULL */
    const ApiName *only_fix; /* the one name to put in its place, or NULL */
} Advice;

typedef struct Check {
    RuleRun *run;
    const Api *api;
    VEC(Advice) advice; /* sorted by name */
} Check;

/* --- suggestions */

typedef struct Names {
    const ApiName *items[MAX_SUGGESTIONS];
    uint32_t count;
} Names;

/* Adds the names that people mean by this one elsewhere, as far as the list has them. */
static void add_synonyms(const Api *api, const Synonym *synonym, Names *names)
{
    for (size_t i = 0; i < sizeof synonym->names / sizeof *synonym->names; i++) {
        const char *name = synonym->names[i];
        const ApiName *entry = name == NULL ? NULL : api_find(api, str_from(name));
        if (entry != NULL) {
            names->items[names->count++] = entry;
        }
    }
}

/* Adds the names that it may be a misspelling of: those with the fewest edits. Names that leaked
 * into the package and submodules are never suggested. */
static void add_misspelt(const Api *api, Str name, Names *names)
{
    unsigned best = SIMILAR_NOT;
    for (uint32_t i = 0; i < api->count; i++) {
        const ApiName *entry = &api->names[i];
        unsigned edits = entry->origin == API_OWN ? similar_edits(entry->name, name) : SIMILAR_NOT;
        if (edits < best) {
            best = edits;
            names->count = 0;
        }
        if (edits != SIMILAR_NOT && edits == best && names->count < MAX_SUGGESTIONS) {
            names->items[names->count++] = entry;
        }
    }
}

static Advice make_advice(const Check *check, Str name)
{
    Names names = {.count = 0};
    Advice advice = {.name = name};
    const Synonym *synonym = synonym_find(name);
    if (synonym != NULL) {
        add_synonyms(check->api, synonym, &names);
        advice.recipe = names.count > 0 ? synonym->recipe : NULL;
        advice.only_fix = names.count == 1 && synonym->is_rename ? names.items[0] : NULL;
    }
    if (names.count == 0) {
        add_misspelt(check->api, name, &names);
        advice.only_fix = names.count == 1 ? names.items[0] : NULL;
    }
    Buf buf = {.arena = check->run->arena};
    buf_add(&buf, STR(""));
    for (uint32_t i = 0; i < names.count; i++) {
        buf_addf(&buf, "%spypto.%.*s", i == 0 ? "" : ", ", STR_ARG(names.items[i]->name));
    }
    advice.suggestions = buf_str(&buf);
    return advice;
}

static int compare_advice(const void *left, const void *right)
{
    const Advice *a = left, *b = right;
    return str_compare(a->name, b->name);
}

/* --- which names exist */

/* The installed package, if its names are those that count; else NULL, and the list counts. */
static const InstalledProduct *naming_package(const Check *check)
{
    const Operator *op = check->run->op;
    const InstalledProduct *installed = op->installed;
    return installed != NULL && installed->has_names && !check->api->is_replaced &&
                   installed->version == op->product.version
               ? installed
               : NULL;
}

static bool is_installed_name(const Check *check, Str name)
{
    const InstalledProduct *package = naming_package(check);
    return package != NULL && strs_sorted_have(&package->names, name);
}

static bool is_missing(const Check *check, Str name)
{
    const InstalledProduct *package = naming_package(check);
    bool listed = api_find(check->api, name) != NULL;
    return package == NULL       ? !listed
           : package->is_partial ? !listed && !strs_sorted_have(&package->names, name)
                                 : !strs_sorted_have(&package->names, name);
}

/* --- findings */

static const char *note_on(const Check *check, Str name)
{
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (str_is(name, notes[i].missing)) {
            return text_in(check->run->lang, *notes[i].text);
        }
    }
    return "";
}

static void report_name(Check *check, const PyFile *file, NodeId attribute, const Advice *advice)
{
    RuleRun *run = check->run;
    const InstalledProduct *package = naming_package(check);
    const Node *node = node_at(pyfile_module(file), attribute);
    bool zh = run->lang == LANG_ZH;
    Str similar = advice->suggestions;
    const char *before = similar.length == 0 ? (zh ? "没有已知的替代" : "no replacement is known")
                                             : (zh ? "可改用：" : "use instead: ");
    Str recipe = advice->recipe == NULL
                     ? STR("")
                     : str_format(run->arena, zh ? "，如 %s" : ", as in %s", advice->recipe);
    Finding *finding =
        report(run, STATUS_FAIL, at_focus_range(file, attribute, node->extra, node->end),
               "pypto.%.*s does not exist; %s%.*s%.*s%s (attribute list %.*s)",
               "pypto.%.*s 不存在；%s%.*s%.*s%s（属性列表版本 %.*s）", STR_ARG(advice->name),
               before, STR_ARG(similar), STR_ARG(recipe), note_on(check, advice->name),
               STR_ARG(package != NULL ? package->place : check->api->version));
    if (similar.length == 0) {
        finding_hint(run, finding,
                     "Compose it from operations that exist; 'pypto-lint api' lists them, "
                     "'pypto-lint explain OL55' says where the names come from.",
                     "请用已有的操作组合实现；'pypto-lint api' 列出全部操作，名称来源见 "
                     "'pypto-lint explain OL55'。");
    }
    if (advice->only_fix != NULL) {
        finding_edit(run, finding, FIX_SUGGEST, node->extra, node->end, advice->only_fix->name);
    }
}

/* The advice on a name, or NULL if none was made yet. */
static const Advice *advice_on(const Check *check, Str name)
{
    Advice key = {.name = name};
    if (check->advice.count == 0) {
        return NULL;
    }
    return bsearch(&key, check->advice.items, check->advice.count, sizeof key, compare_advice);
}

/* Makes the advice for all missing names of a file that have none yet. */
static void collect_advice(Check *check, const PyFile *file, NodeList attributes)
{
    VEC(Advice) missing = {0};
    Arena *arena = check->run->arena;
    for (uint32_t i = 0; i < attributes.count; i++) {
        Str name = pypto_attribute(file, attributes.ids[i]);
        if (name.length > 0 && is_missing(check, name) && advice_on(check, name) == NULL) {
            Advice advice = {.name = name};
            VEC_PUSH(arena, &missing, advice);
        }
    }
    if (missing.count == 0) {
        return;
    }
    qsort(missing.items, missing.count, sizeof *missing.items, compare_advice);
    for (uint32_t i = 0; i < missing.count; i++) {
        if (i == 0 || !str_equal(missing.items[i].name, missing.items[i - 1].name)) {
            VEC_PUSH(arena, &check->advice, make_advice(check, missing.items[i].name));
        }
    }
    qsort(check->advice.items, check->advice.count, sizeof *check->advice.items, compare_advice);
}

/* --- versions */

/* Does an expression look for a name, or for the version: hasattr(…), getattr(…), …version(…)? */
static bool asks_for_name(const Module *module, NodeId test)
{
    NodeList calls = nodes_in(module, test, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str name = call_name(module, calls.ids[i]);
        name = name.length > 0 ? name : call_attribute(module, calls.ids[i]);
        static const char *const words[] = {"hasattr", "getattr", "version"};
        if (STR_IS_ANY(name, words)) {
            return true;
        }
    }
    return false;
}

/* Does a handler of the `try` take what a missing name raises? */
static bool catches_missing_name(const Module *module, NodeId id)
{
    static const char *const words[] = {"AttributeError", "ImportError", "Exception",
                                        "BaseException"};
    for (NodeId handler = node_child(module, id, ROLE_HANDLER); handler != NO_NODE;
         handler = node_next(module, handler)) {
        NodeId type = node_child(module, handler, ROLE_TYPE);
        NodeList names = type == NO_NODE ? (NodeList){0} : nodes_in(module, type, NODE_NAME);
        bool taken = type == NO_NODE;
        for (uint32_t i = 0; i < names.count; i++) {
            taken = taken || STR_IS_ANY(node_name(module, names.ids[i]), words);
        }
        if (taken) {
            return true;
        }
    }
    return false;
}

/* Does the program ask for the version, or for a name, around the node? */
static bool is_guarded(const Module *module, NodeId id)
{
    for (const Node *node = node_at(module, id); node->parent != NO_NODE;
         node = node_at(module, node->parent)) {
        NodeKind parent = node_kind(module, node->parent);
        bool asked = (parent == NODE_IF || parent == NODE_IF_EXP) &&
                     asks_for_name(module, node_child(module, node->parent, ROLE_TEST));
        if (asked || (parent == NODE_TRY && node->role == ROLE_BODY &&
                      catches_missing_name(module, node->parent))) {
            return true;
        }
    }
    return false;
}

/* Reports a name that only the other version has: FAIL when the version that counts is known, else
 * WARN. */
static void report_version(Check *check, const PyFile *file, NodeId attribute, const ApiName *entry)
{
    RuleRun *run = check->run;
    const Node *node = node_at(pyfile_module(file), attribute);
    const Product *product = &run->op->product;
    bool newer = entry->since > PRODUCT_9_1;
    const char *version = product_version_names[newer ? entry->since : entry->until];
    Place place = at_focus_range(file, attribute, node->extra, node->end);
    Finding *finding;
    if (product->source == PRODUCT_ASSUMED) {
        finding = report(run, STATUS_WARN, place,
                         newer ? "pypto.%.*s exists only since PyPTO %s"
                               : "pypto.%.*s exists only up to PyPTO %s",
                         newer ? "pypto.%.*s 仅自 PyPTO %s 起存在" : "pypto.%.*s 仅存在到 PyPTO %s",
                         STR_ARG(entry->name), version);
    } else {
        Str why = product_text(run->arena, product, run->lang == LANG_ZH);
        finding = report(run, STATUS_FAIL, place,
                         newer ? "pypto.%.*s exists since PyPTO %s; the version here is %.*s"
                               : "pypto.%.*s exists up to PyPTO %s; the version here is %.*s",
                         newer ? "pypto.%.*s 自 PyPTO %s 起存在；此处版本为 %.*s"
                               : "pypto.%.*s 只存在到 PyPTO %s；此处版本为 %.*s",
                         STR_ARG(entry->name), version, STR_ARG(why));
    }
    finding_hint(run, finding,
                 "Use what both versions have, ask hasattr(pypto, \"%.*s\"), or say which version "
                 "it is: `pypto: \"9.1\"` or `pypto: \"9.2\"` in .pypto-lint.yaml.",
                 "请使用两个版本都有的接口，或先用 hasattr(pypto, \"%.*s\") 判断，或在 "
                 ".pypto-lint.yaml 中写明 `pypto: \"9.1\"` 或 `pypto: \"9.2\"`。",
                 STR_ARG(entry->name));
}

/* Does every version that it may be have the name? One that nobody has named may be any. */
static bool is_of_version(const Product *product, const ApiName *entry)
{
    return product->source == PRODUCT_ASSUMED
               ? entry->since == PRODUCT_9_1 && entry->until == PRODUCT_9_2
               : entry->since <= product->version && product->version <= entry->until;
}

static void check_name(Check *check, const PyFile *file, NodeId attribute)
{
    Str name = pypto_attribute(file, attribute);
    if (name.length == 0 || is_installed_name(check, name)) {
        return;
    }
    const ApiName *entry = api_find(check->api, name);
    const Operator *op = check->run->op;
    bool judged = entry != NULL && !op->upstream && !check->api->is_replaced;
    if (judged && !is_of_version(&op->product, entry)) {
        if (!is_guarded(pyfile_module(file), attribute)) {
            report_version(check, file, attribute, entry);
        }
    } else if (is_missing(check, name)) {
        report_name(check, file, attribute, advice_on(check, name));
    }
}

static void check_python(Check *check, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        return;
    }
    NodeList attributes = module_nodes(module, NODE_ATTRIBUTE);
    collect_advice(check, file, attributes);
    for (uint32_t i = 0; i < attributes.count; i++) {
        check_name(check, file, attributes.ids[i]);
    }
}

/* Without a file scope everything is a target, else what has the same base name. */
static bool is_target(const Operator *op, Str path)
{
    return op->scope != SCOPE_FILE || str_equal(path_basename(op->file), path_basename(path));
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    Check state = {.run = run, .api = api_current()};
    if (!state.api->available) {
        rule_skip(run, "no attribute list: the pypto package counts as not importable",
                  "没有属性列表：视为无法导入 pypto 包");
        return;
    }
    bool has_target = false;
    Str design = STR("DESIGN.md"), impl = operator_artifact(op, KIND_IMPL);
    if (is_target(op, design) && operator_has_file(op, design)) {
        has_target = true;
        const DesignBlocks *blocks = operator_design_blocks(op);
        for (uint32_t i = 0; i < blocks->count; i++) {
            check_python(&state, &blocks->items[i].file);
        }
    }
    if (is_target(op, impl) && operator_has_file(op, impl)) {
        has_target = true;
        check_python(&state, operator_python(op, impl));
    }
    Str prefix = str_format(run->arena, "%.*s_module", STR_ARG(op->name));
    Strs modules = operator_modules(op, prefix, STR(IMPL_END));
    for (uint32_t i = 0; i < modules.count; i++) {
        if (is_target(op, modules.items[i])) {
            has_target = true;
            check_python(&state, operator_python(op, modules.items[i]));
        }
    }
    if (!has_target) {
        rule_skip(run, "neither DESIGN.md nor an implementation file to look at",
                  "没有可检查的 DESIGN.md 或实现文件");
    }
}

const Rule ol55 = {
    .id = "OL55",
    .name = "unknown-pypto-name",
    .order = 55,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(4) | STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_DESIGN) | IN(SET_DESIGN_GATE),
    .fix = FIX_SUGGEST,
    .hint = {"Replace the name by an API that exists; look it up in the API reference.",
             "改用实际存在的 API，请查阅 API 参考文档。"},
    .check = check,
};
