/* Semantics; see semantics.h. */
#include "rules/semantics.h"

#include "lint/config.h"
#include "lint/semantics.h"
#include "rules/ceil_division.h"
#include "rules/data/api.h"
#include "rules/similar.h"
#include "rules/torch_cast.h"

#include <stdlib.h>

/* The nearest of the names that exist, or an empty Str. */
static Str nearest(const EvalFinding *found)
{
    Str best = STR("");
    unsigned edits = SIMILAR_NOT;
    for (uint32_t i = 0; i < found->near.count; i++) {
        unsigned one = similar_edits(found->near.items[i], found->name);
        if (one < edits) {
            edits = one;
            best = found->near.items[i];
        }
    }
    return best;
}

/* What people mean by the name elsewhere, or NULL. */
static const Synonym *synonym_of(const EvalFinding *found)
{
    return found->rule == EVAL_NAME ? synonym_find(found->name) : NULL;
}

/* "Use pypto.mul, as in pypto.mul(x, x) ('pypto-lint api square' says more)." */
static void hint_synonym(RuleRun *run, Finding *finding, const Synonym *synonym)
{
    Buf names = {.arena = run->arena};
    for (size_t i = 0; i < SYNONYM_NAMES && synonym->names[i] != NULL; i++) {
        buf_addf(&names, "%spypto.%s", i == 0 ? "" : ", ", synonym->names[i]);
    }
    Str recipe = synonym->recipe == NULL
                     ? STR("")
                     : str_format(run->arena, run->lang == LANG_ZH ? "，如 %s" : ", as in %s",
                                  synonym->recipe);
    finding_hint(run, finding, "Use %.*s%.*s ('pypto-lint api %s' says more).",
                 "可改用 %.*s%.*s（详见 'pypto-lint api %s'）。", STR_ARG(buf_str(&names)),
                 STR_ARG(recipe), synonym->missing);
}

/* Code that does what the author meant: the conversion in PyPTO for `t.float()` of a tensor, the
 * division of numbers for math.ceil; or an empty Str. `whole` is the call in its place. */
static Str code_instead(RuleRun *run, const PyFile *file, const EvalFinding *found, NodeId *whole)
{
    const Module *module = pyfile_module(file);
    *whole = node_at(module, found->node)->parent;
    if (found->rule == EVAL_VALUE) {
        return ceil_division(run->arena, module, found->node);
    }
    bool member = found->rule == EVAL_NAME && node_is(module, found->node, NODE_ATTRIBUTE) &&
                  pypto_attribute(file, found->node).length == 0;
    return member ? torch_cast(run->arena, module, found->node) : STR("");
}

/* Offers that code instead of the call, where it says all that the call did: a hint leaves out long
 * operands and further arguments. */
static void suggest_code(RuleRun *run, const PyFile *file, Finding *finding, NodeId operand,
                         NodeId whole, Str code)
{
    const Module *module = pyfile_module(file);
    bool arguments =
        node_count(module, whole, ROLE_ARG) + node_count(module, whole, ROLE_KEYWORD) <= 1;
    bool one_line = !str_contains(node_text(module, whole), STR("#"));
    if (!arguments || !one_line || !str_contains(code, node_text(module, operand)) ||
        finding->edits.count > 0) {
        return;
    }
    bool division = node_is(module, node_at(module, operand)->parent, NODE_BIN_OP);
    finding_edit(run, finding, FIX_SUGGEST, node_at(module, whole)->start,
                 node_at(module, whole)->end,
                 division ? str_format(run->arena, "(%.*s)", STR_ARG(code)) : code);
}

/* The list of names may have been replaced (--api): what it has exists. */
static bool is_in_list(const PyFile *file, const EvalFinding *found)
{
    const Api *api = api_current();
    bool imported = node_is(pyfile_module(file), found->node, NODE_ALIAS);
    bool of_package =
        found->rule == EVAL_NAME && (imported || pypto_attribute(file, found->node).length > 0);
    return of_package && (!api->available || api_find(api, found->name) != NULL);
}

/* Offers the nearest name instead of the one that does not exist, where the place is that name and
 * nothing else. */
static void suggest_name(RuleRun *run, const PyFile *file, Finding *finding,
                         const EvalFinding *found, Str near)
{
    const Node *node = node_at(pyfile_module(file), found->node);
    bool part = found->end > found->start;
    uint32_t start = part ? found->start : node->start, end = part ? found->end : node->end;
    if (str_equal(str_slice(pyfile_module(file)->source->text, start, end), found->name)) {
        finding_edit(run, finding, FIX_SUGGEST, start, end, near);
    }
}

/* Is the finding about what was edited? After the edit of another file (a test) only findings that
 * this file brings into the kernel are reported. */
static bool concerns_edit(const RuleRun *run, const PyFile *file, const EvalFinding *found)
{
    return run->op->edited.length == 0 || str_equal(run->op->edited, pyfile_path(file)) ||
           found->foreign;
}

static void report_one(RuleRun *run, const PyFile *file, const EvalFinding *found)
{
    file = found->file == NULL ? file : found->file;
    Place place = found->end > found->start
                      ? at_focus_range(file, found->node, found->start, found->end)
                      : at_node(file, found->node);
    /* Of one file alone: the other one may be edited next. A gate judges what is there. */
    bool one_file = (run->op->scope == SCOPE_FILE && !run->op->gate) || run->op->edited.length > 0;
    bool fails = found->certain && !(found->foreign && one_file);
    bool advice = found->note && !run->op->strict;
    Status status = advice ? STATUS_INFO : fails && !found->note ? STATUS_FAIL : STATUS_WARN;
    Finding *finding = report(run, status, place, "%.*s", "%.*s",
                              STR_ARG(run->lang == LANG_ZH ? found->zh : found->en));
    for (uint32_t i = 0; i < found->related.count; i++) {
        const EvalRelated *one = &found->related.items[i];
        Str text = run->lang == LANG_ZH ? one->zh : one->en;
        finding_related(run, finding, at_node(one->file == NULL ? file : one->file, one->node),
                        "%.*s", "%.*s", STR_ARG(text));
    }
    for (uint32_t i = 0; i < found->edits.count; i++) {
        finding_edit(run, finding, found->safe ? FIX_SAFE : FIX_SUGGEST,
                     found->edits.items[i].start, found->edits.items[i].end,
                     found->edits.items[i].text);
    }
    const Synonym *synonym = synonym_of(found);
    Str near = synonym == NULL ? nearest(found) : STR("");
    if (near.length > 0) {
        suggest_name(run, file, finding, found, near);
    }
    NodeId whole;
    Str code = code_instead(run, file, found, &whole);
    if (code.length > 0) {
        finding_hint(run, finding, "Write %.*s.", "改写为 %.*s。", STR_ARG(code));
        suggest_code(run, file, finding, node_first(pyfile_module(file), found->node), whole, code);
    } else if (found->hint_en.length > 0) {
        finding->hint = run->lang == LANG_ZH ? found->hint_zh : found->hint_en;
    } else if (synonym != NULL) {
        hint_synonym(run, finding, synonym);
    } else if (near.length > 0) {
        finding_hint(run, finding, "Did you mean '%.*s'?", "是否想写 '%.*s'？", STR_ARG(near));
    }
}

const char *hardware_name(size_t index)
{
    return eval_hardware(index);
}

/* --- other files of the operator */

typedef struct Companions {
    RuleRun *run;
    const PyFile *linted;
    Str folder; /* of the linted file, with a slash at the end, or empty */
} Companions;

static const PyFile *companion_at(Companions *companions, Str path, bool skim)
{
    RuleRun *run = companions->run;
    Str text, reason;
    for (uint32_t i = 0; i < run->op->python.count; i++) {
        if (str_equal(pyfile_path(run->op->python.items[i]), path)) {
            return run->op->python.items[i];
        }
    }
    if (!operator_has_file(run->op, path) ||
        operator_read(run->op, path, &text, &reason) != FILE_OK) {
        return NULL;
    }
    PyFile *file = ARENA_NEW(run->arena, PyFile);
    if (skim) {
        pyfile_skim(file, run->arena, path, text);
    } else {
        pyfile_init(file, run->arena, path, text);
    }
    if (companions->linted->accepts_aliases) {
        pyfile_accept_aliases(file);
    }
    return file;
}

/* Modules of the operator, distinguished by their names alone. References are left out: they launch
 * nothing. */
static const PyFile *companion(Companions *companions, Str module, bool skim)
{
    Arena *arena = companions->run->arena;
    Str folders[] = {companions->folder, STR(""), STR("modules/"), STR("eval/")};
    size_t count = companions->run->op->loose ? 1 : sizeof folders / sizeof *folders;
    if (str_ends(module, STR("_golden"))) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        Str path = str_format(arena, "%.*s%.*s.py", STR_ARG(folders[i]), STR_ARG(module));
        const PyFile *file = companion_at(companions, path, skim);
        if (file != NULL && pyfile_module(file) != NULL) {
            return file;
        }
    }
    return NULL;
}

static const PyFile *find_companion(void *context, Str module)
{
    return companion(context, module, false);
}

static const PyFile *find_test(void *context, Str module)
{
    return companion(context, module, true);
}

/* Where the name of a file begins in its path. */
static size_t name_start(Str path)
{
    size_t start = 0;
    for (size_t at = str_find(path, STR("/"), 0); at != SIZE_MAX;
         at = str_find(path, STR("/"), at + 1)) {
        start = at + 1;
    }
    return start;
}

/* The module with the tests of an implementation. */
static Str test_of(RuleRun *run, const PyFile *file)
{
    Str path = pyfile_path(file);
    Str stem = artifact_stem(str_slice(path, name_start(path), path.length));
    return artifact_name(run->arena, KIND_TEST, stem);
}

/* Was a file edited that is neither this one nor its test? */
static bool is_untouched(RuleRun *run, const PyFile *file)
{
    Str edited = run->op->edited;
    if (edited.length == 0 || str_equal(edited, pyfile_path(file))) {
        return false;
    }
    Str name = str_slice(edited, name_start(edited), edited.length);
    return !str_equal(name, str_format(run->arena, "%.*s.py", STR_ARG(test_of(run, file))));
}

static Evaluation evaluate(RuleRun *run, const PyFile *file)
{
    Str path = pyfile_path(file);
    Companions companions = {run, file, str_slice(path, 0, name_start(path))};
    Str test = test_of(run, file);
    EvalFinder finder = {find_companion, &companions, &test, run->op->loose ? 0 : 1, find_test};
    EvalRequest request = {&run->op->product, run->op->soc, &finder, run->op->show_types};
    return eval_file(file, &request, run->arena);
}

static const Evaluation *evaluation_of(RuleRun *run, PyFile *file)
{
    if (file->evaluation == NULL) {
        file->evaluation = ARENA_NEW(run->arena, Evaluation);
        *file->evaluation = evaluate(run, file);
    }
    return file->evaluation;
}

static bool is_evaluated(RuleRun *run, const PyFile *file)
{
    return pyfile_module(file) != NULL && !is_untouched(run, file) &&
           (file->kernels.count > 0 || pyfile_calls_jit(file));
}

/* Does the file use operations or small floats that 910B1 does not have at all? Then it is written
 * for the other chip, even if nobody says so, and what that chip accepts is right. */
static bool is_for_other_chip(const EvalFindings *findings)
{
    static const char *const signs[] = {"on Ascend 950 only", "DT_FP8", "DT_HF8", "DT_FP4"};
    for (uint32_t i = 0; i < findings->count; i++) {
        for (size_t k = 0; findings->items[i].one_chip && k < sizeof signs / sizeof *signs; k++) {
            if (str_contains(findings->items[i].en, str_from(signs[k]))) {
                return true;
            }
        }
    }
    return false;
}

void report_semantics(RuleRun *run, EvalRule rule)
{
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        PyFile *file = run->op->scan.items[i];
        if (!is_evaluated(run, file)) {
            continue;
        }
        const EvalFindings *findings = &evaluation_of(run, file)->findings;
        bool silent = run->op->plain && is_for_other_chip(findings);
        for (uint32_t k = 0; k < findings->count; k++) {
            if (findings->items[k].rule == rule && !(silent && findings->items[k].one_chip) &&
                !is_in_list(file, &findings->items[k]) &&
                concerns_edit(run, file, &findings->items[k])) {
                report_one(run, file, &findings->items[k]);
            }
        }
    }
}

/* --- how far it came */

static void add_unfinished(RuleRun *run, const PyFile *file, const EvalUnfinished *one,
                           SemanticsSummary *summary)
{
    static const Text why[] = {
        [EVAL_NO_LIMIT] = {"what follows depends on something that is not known",
                           "其后的内容取决于未知的值"},
        [EVAL_LIMIT_STEPS] = {"the limit of steps of a kernel", "达到单个 kernel 的步数上限"},
        [EVAL_LIMIT_FILE] = {"the limit of steps of a file", "达到单个文件的步数上限"},
        [EVAL_LIMIT_OPERATIONS] = {"the limit of operations", "达到操作数上限"},
        [EVAL_LIMIT_PATHS] = {"the limit of paths", "达到路径数上限"},
        [EVAL_LIMIT_NESTING] = {"the limit of nesting", "达到嵌套层数上限"},
        [EVAL_LIMIT_MEMORY] = {"the limit of memory", "达到内存上限"},
        [EVAL_LIMIT_UNBOUND] = {"a name in it is bound nowhere", "其中有名称未在任何地方绑定"},
        [EVAL_LIMIT_KERNELS] = {"the limit of kernels and launches of a file",
                                "达到单个文件的 kernel 与调用个数上限"},
    };
    const Module *module = pyfile_module(file);
    const Node *at = node_at(module, one->at == 0 ? one->kernel : one->at);
    UnfinishedKernel kernel = {pyfile_path(file), node_name(module, one->kernel),
                               finding_region(module->source, at->start, at->end), why[one->limit],
                               one->limit == EVAL_LIMIT_MEMORY};
    VEC_PUSH(run->arena, &summary->unfinished, kernel);
}

static void add_type(RuleRun *run, const PyFile *file, const EvalFact *fact,
                     SemanticsSummary *summary)
{
    ShownType type = {.file = pyfile_path(file),
                      .region = finding_region(pyfile_module(file)->source, fact->start, fact->end),
                      .name = fact->name,
                      .source = fact->name.length > 0 ? STR("") : excerpt(run, file, fact->node),
                      .kind = fact->kind,
                      .shape = fact->shape,
                      .dtype = fact->dtype,
                      .value = fact->value,
                      .tile = fact->tile,
                      .ub = fact->ub};
    VEC_PUSH(run->arena, &summary->types, type);
}

static int by_place(const void *left, const void *right)
{
    const EvalFact *a = left, *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->end > b->end ? -1 : a->end < b->end;
}

static ShownTile shown_tile(const EvalTile *tile)
{
    ShownTile shown = {.call = tile->call,
                       .tiles = tile->tiles,
                       .cycles = tile->cycles,
                       .loads = tile->loads,
                       .loaded = tile->loaded,
                       .change = tile->change};
    memcpy(shown.needs, tile->needs, sizeof shown.needs);
    return shown;
}

_Static_assert((int)SHOWN_MEMORIES == (int)EVAL_MEMORIES, "a place for each memory");

static void add_tiling(RuleRun *run, const PyFile *file, const EvalTiling *found,
                       SemanticsSummary *summary)
{
    ShownTiling tiling = {.file = pyfile_path(file),
                          .kernel = found->kernel,
                          .sizes = found->sizes,
                          .operation = str_from(found->operation),
                          .region =
                              finding_region(pyfile_module(file)->source, found->start, found->end),
                          .now = shown_tile(&found->now)};
    memcpy(tiling.capacity, found->capacity, sizeof tiling.capacity);
    for (int i = 0; i < found->count; i++) {
        ShownTile choice = shown_tile(&found->choices[i]);
        VEC_PUSH(run->arena, &tiling.options, choice);
    }
    VEC_PUSH(run->arena, &summary->tilings, tiling);
}

static int by_tiling_place(const void *left, const void *right)
{
    const EvalTiling *a = left, *b = right;
    return a->start != b->start ? (a->start < b->start ? -1 : 1)
                                : strcmp(a->operation, b->operation);
}

SemanticsSummary *semantics_describe(RuleRun *run, bool types)
{
    SemanticsSummary *summary = ARENA_NEW(run->arena, SemanticsSummary);
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        PyFile *file = run->op->scan.items[i];
        if (!is_evaluated(run, file)) {
            continue;
        }
        const Evaluation *done = evaluation_of(run, file);
        const KernelCounts counts = {.kernels = done->kernels,
                                     .launches = done->launches,
                                     .unfinished = done->unfinished.count,
                                     .operations = done->operations,
                                     .dtype_known = done->dtype_known,
                                     .rank_known = done->rank_known,
                                     .shape_known = done->shape_known};
        kernel_counts_add(&summary->counts, &counts);
        for (uint32_t k = 0; k < done->unfinished.count; k++) {
            add_unfinished(run, file, &done->unfinished.items[k], summary);
        }
        if (types && done->facts.count > 1) {
            qsort(done->facts.items, done->facts.count, sizeof *done->facts.items, by_place);
        }
        for (uint32_t k = 0; types && k < done->facts.count; k++) {
            add_type(run, file, &done->facts.items[k], summary);
        }
        if (types && done->tilings.count > 1) {
            qsort(done->tilings.items, done->tilings.count, sizeof *done->tilings.items,
                  by_tiling_place);
        }
        for (uint32_t k = 0; types && k < done->tilings.count; k++) {
            add_tiling(run, file, &done->tilings.items[k], summary);
        }
    }
    return summary;
}
