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

enum { MAX_SUGGESTIONS = 5, LIKELY_PERCENT = 60, FIX_PERCENT = 85 };

/* Names that people expect, with what exists instead. */
static const struct Substitution {
    const char *missing, *names[4];
} substitutions[] = {
    {"empty", {"zeros", "ones", "full"}},
    {"empty_like", {"zeros", "ones", "full"}},
    {"Empty", {"zeros", "ones", "full"}},
    {"Tensor_", {"Tensor"}},
    {"tensor", {"Tensor"}},
    {"constant", {"full"}},
};

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

typedef struct Candidate {
    const ApiName *api;
    unsigned matches;
    size_t total; /* both lengths together */
} Candidate;

/* What can be said about one missing name. */
typedef struct Advice {
    Str name;
    Str suggestions;         /* "pypto.zeros, pypto.ones", or empty */
    const ApiName *only_fix; /* the one name that is almost the same, or NULL */
} Advice;

typedef struct Check {
    RuleRun *run;
    const Api *api;
    VEC(Advice) advice; /* sorted by name */
} Check;

/* --- suggestions */

/* More alike first, then the greater name. */
static bool is_better(const Candidate *a, const Candidate *b)
{
    uint64_t left = (uint64_t)a->matches * b->total, right = (uint64_t)b->matches * a->total;
    return left != right ? left > right : str_compare(a->api->name, b->api->name) > 0;
}

/* The most similar names of the list, best first; at most MAX_SUGGESTIONS. */
static uint32_t find_similar(const Api *api, Str name, Candidate *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < api->count; i++) {
        Str candidate = api->names[i].name;
        size_t total = candidate.length + name.length;
        if (!similar_enough(similar_bound(candidate, name), total, LIKELY_PERCENT)) {
            continue;
        }
        Candidate item = {&api->names[i], similar_matches(candidate, name), total};
        if (!similar_enough(item.matches, total, LIKELY_PERCENT)) {
            continue;
        }
        uint32_t place = count;
        while (place > 0 && is_better(&item, &found[place - 1])) {
            place--;
        }
        if (place == MAX_SUGGESTIONS) {
            continue;
        }
        count += count < MAX_SUGGESTIONS;
        memmove(&found[place + 1], &found[place], (count - place - 1) * sizeof *found);
        found[place] = item;
    }
    return count;
}

/* Known substitutions that are in the list. */
static uint32_t find_substitutions(const Api *api, Str name, Candidate *found)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof substitutions / sizeof *substitutions; i++) {
        if (!str_is(name, substitutions[i].missing)) {
            continue;
        }
        for (size_t k = 0; k < 4 && substitutions[i].names[k] != NULL; k++) {
            Str candidate = str_from(substitutions[i].names[k]);
            const ApiName *entry = api_find(api, candidate);
            if (entry != NULL) {
                found[count++] = (Candidate){entry, similar_matches(candidate, name),
                                             candidate.length + name.length};
            }
        }
    }
    return count;
}

static bool holds(const Candidate *list, uint32_t count, const ApiName *entry)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].api == entry) {
            return true;
        }
    }
    return false;
}

/* Leaked names and submodules go if a name made to be used remains. */
static uint32_t drop_leaks(Candidate *list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].api->origin == API_OWN) {
            list[kept++] = list[i];
        }
    }
    return kept == 0 ? count : kept;
}

static Advice make_advice(const Check *check, Str name)
{
    Candidate list[2 * MAX_SUGGESTIONS], similar[MAX_SUGGESTIONS];
    uint32_t count = find_substitutions(check->api, name, list);
    uint32_t similar_count = find_similar(check->api, name, similar);
    for (uint32_t i = 0; i < similar_count; i++) {
        if (!holds(list, count, similar[i].api)) {
            list[count++] = similar[i];
        }
    }
    count = drop_leaks(list, count);
    Advice advice = {.name = name};
    Buf buf = {.arena = check->run->arena};
    uint32_t sure = 0;
    for (uint32_t i = 0; i < count && i < MAX_SUGGESTIONS; i++) {
        buf_addf(&buf, "%spypto.%.*s", i == 0 ? "" : ", ", STR_ARG(list[i].api->name));
        if (similar_enough(list[i].matches, list[i].total, FIX_PERCENT)) {
            advice.only_fix = sure == 0 ? list[i].api : NULL;
            sure++;
        }
    }
    advice.suggestions = buf_str(&buf);
    return advice;
}

static int compare_advice(const void *left, const void *right)
{
    const Advice *a = left, *b = right;
    return str_compare(a->name, b->name);
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
    const Node *node = node_at(pyfile_module(file), attribute);
    bool zh = run->lang == LANG_ZH;
    Str similar = advice->suggestions;
    const char *before = similar.length == 0 ? (zh ? "没有相近的名字" : "nothing similar exists")
                                             : (zh ? "可改用：" : "use instead: ");
    Finding *finding =
        report(run, STATUS_FAIL, at_focus_range(file, attribute, node->extra, node->end),
               "pypto.%.*s does not exist; %s%.*s%s (attribute list %.*s)",
               "pypto.%.*s 不存在；%s%.*s%s（属性列表版本 %.*s）", STR_ARG(advice->name), before,
               STR_ARG(similar), note_on(check, advice->name), STR_ARG(check->api->version));
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
        if (name.length > 0 && api_find(check->api, name) == NULL &&
            advice_on(check, name) == NULL) {
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

static void check_python(Check *check, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        return;
    }
    NodeList attributes = module_nodes(module, NODE_ATTRIBUTE);
    collect_advice(check, file, attributes);
    for (uint32_t i = 0; i < attributes.count; i++) {
        Str name = pypto_attribute(file, attributes.ids[i]);
        if (name.length > 0 && api_find(check->api, name) == NULL) {
            report_name(check, file, attributes.ids[i], advice_on(check, name));
        }
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
    Str design = STR("DESIGN.md"), impl = operator_file(op, "_impl.py");
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
    Strs modules = operator_modules(op, prefix, STR("_impl.py"));
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
    .order = 55,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(4) | STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_DESIGN) | IN(SET_DESIGN_GATE),
    .fix = FIX_SUGGEST,
    .hint = {"Replace the name by an API that exists; look it up in the API reference.",
             "改用实际存在的 API，请查阅 API 参考文档。"},
    .check = check,
};
