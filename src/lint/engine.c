/* Engine: one unit of work from its files to sorted findings. */
#include "lint/engine.h"

#include "lint/discover.h"
#include "lint/paths.h"
#include "lint/rule_sets.h"
#include "lint/unchecked.h"
#include "operator/scan_set.h"
#include "operator/state.h"

#include <stdlib.h>
#include <time.h>

/* Files beyond this are not read unless configured: generated code, not kernels. The parser takes
 * up to 100 bytes of memory and 0.2 µs for a byte of source. */
enum { DEFAULT_MAX_FILE = 1024 * 1024 };

/* Memory of one unit, the parser's aside. */
#define UNIT_BUDGET ((size_t)1 << 30)

static void add_notice(Unit *unit, Str file, Str message, bool is_error)
{
    Notice notice = {file, message, is_error};
    VEC_PUSH(&unit->arena, &unit->notices, notice);
}

/* --- configuration */

static Str absolute(Arena *arena, Str path)
{
    char *real = realpath(str_dup(arena, path), NULL);
    Str result = real == NULL ? path_absolute(arena, path) : str_format(arena, "%s", real);
    free(real);
    return result;
}

static bool read_config(Unit *unit, Config *config, Lang lang)
{
    *config = (Config){0};
    const Request *request = unit->request;
    if (request->no_config) {
        return true;
    }
    Str error = STR("");
    bool good =
        request->config.length > 0
            ? config_read(config, &unit->arena, request->config, lang, &error)
            : config_find(config, &unit->arena, absolute(&unit->arena, unit->dir), lang, &error);
    if (!good) {
        add_notice(unit, STR(""), error, true);
    }
    for (uint32_t i = 0; good && i < config->remarks.count; i++) {
        add_notice(unit, config->path, config->remarks.items[i], false);
    }
    return good;
}

/* --- the operator */

static Str loose_name(Str file)
{
    Str base = path_basename(file);
    if (str_starts(base, STR("test_")) && str_ends(base, STR(".py"))) {
        return str_slice(base, 5, base.length - 3);
    }
    if (str_ends(base, STR("_impl.py"))) {
        return str_slice(base, 0, base.length - 8);
    }
    if (str_ends(base, STR("_golden.py"))) {
        return str_slice(base, 0, base.length - 10);
    }
    return str_ends(base, STR(".py")) ? str_slice(base, 0, base.length - 3) : base;
}

static int loose_stage(Str file)
{
    int stage = stage_from_file(path_basename(file));
    return stage == 0 ? 5 : stage;
}

static Operator *open_operator(Unit *unit, const Config *config)
{
    Arena *arena = &unit->arena;
    const Request *request = unit->request;
    Operator *op = ARENA_NEW(arena, Operator);
    op->arena = arena;
    op->dir = unit->dir;
    op->loose = unit->loose;
    op->may_execute = request->gate && !request->no_exec && !unit->loose && unit->text == NULL;
    op->stop_hook = request->hook == HOOK_STOP;
    op->edited = request->edited;
    op->max_file = config->max_file_size == 0 ? DEFAULT_MAX_FILE : config->max_file_size;
    OperatorState state = {0};
    if (unit->loose) {
        op->name = loose_name(unit->file);
        op->stage = loose_stage(unit->file);
    } else {
        state = state_read(arena, unit->dir);
        op->name =
            state.operator_name.length > 0 ? state.operator_name : directory_name(arena, unit->dir);
        op->stage =
            state.exists ? state.current_stage : stage_from_artifacts(arena, unit->dir, op->name);
        if (!state.exists && unit->file.length > 0) {
            op->stage = stage_from_file(path_basename(unit->file));
        }
    }
    if (request->stage != 0 || request->has_stage) {
        op->stage = request->stage;
    } else if (request->phase != 0) {
        op->stage = 5;
    } else if (request->design) {
        op->stage = 4;
    }
    if (unit->file.length > 0) {
        op->scope = SCOPE_FILE;
        op->file = unit->file;
    } else if (request->phase != 0) {
        op->scope = SCOPE_PHASE;
        op->phase = request->phase;
    }
    return op;
}

/* Puts the text from standard input in the place of the file. */
static void take_text(Unit *unit, Operator *op)
{
    if (unit->text == NULL) {
        return;
    }
    if (str_ends(unit->file, STR(".md"))) {
        Document *document = ARENA_NEW(op->arena, Document);
        document->path = unit->file;
        document->exists = document->readable = true;
        document->text = unit->text->text;
        source_init(&document->source, op->arena, unit->file, document->text);
        VEC_PUSH(op->arena, &op->documents, document);
        return;
    }
    PyFile *file = ARENA_NEW(op->arena, PyFile);
    pyfile_init(file, op->arena, unit->file, unit->text->text);
    VEC_PUSH(op->arena, &op->python, file);
    if (!file->is_stub) {
        VEC_PUSH(op->arena, &op->scan, file);
    }
}

/* A decorator whose last name is `jit`, in a file that names pypto: some way of writing a kernel.
 */
static bool uses_jit(const PyFile *file)
{
    const Module *module = pyfile_module(file);
    if (module == NULL || !str_contains(file->parsed.source.text, STR("pypto"))) {
        return false;
    }
    for (uint32_t i = 0; i < file->functions.count; i++) {
        NodeId function = file->functions.ids[i];
        for (NodeId id = node_child(module, function, ROLE_DECORATOR); id != NO_NODE;
             id = node_next(module, id)) {
            NodeId chain = node_is(module, id, NODE_CALL) ? call_func(module, id) : id;
            bool named =
                node_is(module, chain, NODE_NAME) || node_is(module, chain, NODE_ATTRIBUTE);
            if (named && str_is(node_name(module, chain), "jit")) {
                return true;
            }
        }
    }
    return false;
}

/* --- running rules */

/* Why a rule does not run on this scan set; false when it runs. */
static bool lacks_input(const Rule *rule, const Operator *op, Text *reason)
{
    bool parsed = false;
    bool kernel = false;
    for (uint32_t i = 0; i < op->scan.count; i++) {
        parsed = parsed || op->scan.items[i]->parsed.module != NULL;
        kernel = kernel || op->scan.items[i]->kernels.count > 0;
    }
    if ((rule->needs & NEEDS_FILES) != 0 && op->scan.count == 0) {
        *reason = (Text){"no implementation file to check", "没有可检查的实现文件"};
        return true;
    }
    if ((rule->needs & NEEDS_PARSED) != 0 && !parsed) {
        *reason = (Text){"no implementation file could be parsed", "没有可解析的实现文件"};
        return true;
    }
    if ((rule->needs & NEEDS_KERNEL) != 0 && !kernel) {
        *reason = (Text){"no @pypto.frontend.jit kernel in the implementation",
                         "实现中没有 @pypto.frontend.jit kernel"};
        return true;
    }
    return false;
}

/* After an edit, a rule about one fixed file says nothing when another file was edited: a correct
 * edit must not be blocked for what is elsewhere. */
static bool is_about_other_file(const Rule *rule, const Operator *op)
{
    static const char *const test_rules[] = {"OL17", "OL18", "OL19", "OL20",
                                             "OL21", "OL22", "OL42", NULL};
    if (op->edited.length == 0) {
        return false;
    }
    if (strcmp(rule->id, "OL15") == 0) {
        return !str_equal(op->edited, operator_file(op, "_golden.py"));
    }
    for (const char *const *id = test_rules; *id != NULL; id++) {
        if (strcmp(rule->id, *id) == 0) {
            return !str_equal(op->edited, str_format(op->arena, "test_%.*s.py", STR_ARG(op->name)));
        }
    }
    return false;
}

static void call_rule(RuleRun *run)
{
    const Rule *rule = run->rule;
    if (rule->check != NULL) {
        rule->check(run);
        return;
    }
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        const PyFile *file = run->op->scan.items[i];
        bool wanted = file->parsed.module != NULL &&
                      ((rule->needs & NEEDS_KERNEL) == 0 || file->kernels.count > 0);
        if (wanted) {
            rule->check_file(run, file);
        }
    }
}

static Status worst_status(const RuleRun *run)
{
    Status worst = run->skipped ? STATUS_SKIP : STATUS_PASS;
    for (uint32_t i = 0; i < run->findings.count; i++) {
        if (run->findings.items[i]->status > worst) {
            worst = run->findings.items[i]->status;
        }
    }
    return worst;
}

static void run_rule(Unit *unit, Operator *op, const Rule *rule, Lang lang)
{
    RuleRun run = {.rule = rule, .op = op, .arena = &unit->arena, .lang = lang};
    Text reason;
    if (!rule_has_stage(rule, op->stage)) {
        rule_skip(&run, "does not apply at stage %d", "不适用于阶段 %d", op->stage);
    } else if (is_about_other_file(rule, op)) {
        rule_skip(&run, "the edited file is not the one that this rule is about",
                  "被编辑的文件不是该规则检查的文件");
    } else if (lacks_input(rule, op, &reason)) {
        rule_skip(&run, "%s", "%s", text_in(lang, reason));
    } else {
        call_rule(&run);
    }
    RuleResult result = {rule, worst_status(&run), run.reason};
    if (rule->order > 0 || run.findings.count > 0) {
        VEC_PUSH(&unit->arena, &unit->result.rules, result);
    }
    for (uint32_t i = 0; i < run.findings.count; i++) {
        VEC_PUSH(&unit->arena, &unit->result.findings, run.findings.items[i]);
    }
}

/* --- findings: order, duplicates, configuration */

static int compare_regions(const Region *a, const Region *b)
{
    const uint32_t x[] = {a->line, a->column, a->end_line, a->end_column};
    const uint32_t y[] = {b->line, b->column, b->end_line, b->end_column};
    for (int i = 0; i < 2; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const Finding *x = *(const Finding *const *)a;
    const Finding *y = *(const Finding *const *)b;
    int order = str_compare(x->file, y->file);
    if (order == 0) {
        order = compare_regions(&x->region, &y->region);
    }
    if (order == 0) {
        order = strcmp(x->rule->id, y->rule->id);
    }
    if (order == 0 && x->region.end_line != y->region.end_line) {
        order = x->region.end_line < y->region.end_line ? -1 : 1;
    }
    if (order == 0 && x->region.end_column != y->region.end_column) {
        order = x->region.end_column < y->region.end_column ? -1 : 1;
    }
    return order != 0 ? order : str_compare(x->message, y->message);
}

static void sort_findings(Findings *findings)
{
    if (findings->count < 2) {
        return;
    }
    qsort(findings->items, findings->count, sizeof *findings->items, by_place);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < findings->count; i++) {
        if (by_place(&findings->items[i], &findings->items[kept - 1]) != 0) {
            findings->items[kept++] = findings->items[i];
        }
    }
    findings->count = kept;
}

static void drop_ignored_paths(Unit *unit, const Config *config)
{
    Findings *findings = &unit->result.findings;
    if (config->per_path.count == 0 || unit->request->rules.count > 0) {
        return;
    }
    Str folder = absolute(&unit->arena, unit->dir);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = findings->items[i];
        Str path = path_join(&unit->arena, folder, finding->file);
        if (!config_path_ignores(config, path, finding->rule)) {
            findings->items[kept++] = finding;
        }
    }
    bool changed = kept != findings->count;
    findings->count = kept;
    if (changed) {
        result_update_statuses(&unit->result);
    }
}

/* --- the unit */

/* Reads what belongs to the operator whatever rules run, so that a broken file is always noticed.
 */
static void read_artifacts(Operator *op)
{
    if (op->edited.length > 0) {
        if (str_ends(op->edited, STR(".py"))) {
            operator_python(op, op->edited);
        }
        return;
    }
    if (op->scope != SCOPE_DEFAULT || op->loose) {
        return;
    }
    if (op->stage >= 2) {
        operator_python(op, operator_file(op, "_golden.py"));
    }
    if (op->stage >= 5) {
        operator_python(op, str_format(op->arena, "test_%.*s.py", STR_ARG(op->name)));
    }
}

static void suppress(Unit *unit, Operator *op, Lang lang, const Config *config)
{
    const Request *request = unit->request;
    bool strict = request->gate || request->hook != HOOK_NONE;
    if (strict && !config->allow_suppressions_in_gates) {
        return;
    }
    OperatorResult *result = &unit->result;
    bool part = op->scope != SCOPE_DEFAULT || op->edited.length > 0;
    if (part && !op->loose) {
        suppressions_apply_partly(result, op->arena, &op->python, config, &unit->notices, lang);
        return;
    }
    suppressions_apply(result, op->arena, &op->python, config, &unit->notices, lang,
                       request->remove_unused ? &unit->suppression_edits : NULL);
}

static void lint(Unit *unit, Lang lang, const Config *config)
{
    Operator *op = open_operator(unit, config);
    unit->op = op;
    if (unit->text != NULL) {
        take_text(unit, op);
    } else {
        scan_set_fill(op);
    }
    if (unit->if_kernel && (op->scan.count == 0 || !uses_jit(op->scan.items[0]))) {
        unit->nothing = true;
        return;
    }
    OperatorResult *result = &unit->result;
    result->op_name = op->name;
    result->op_dir = unit->shown_dir;
    result->loose = unit->loose;
    result->stage = op->stage;
    result->phase = op->phase == 0 ? STR("") : str_format(op->arena, "M%d", op->phase);
    Rules rules = select_rules(op->arena, unit->request, config, op);
    read_artifacts(op);
    for (uint32_t i = 0; i < rules.count; i++) {
        run_rule(unit, op, rules.items[i], lang);
    }
    if (select_ol00(unit->request, config)) {
        run_rule(unit, op, &rule_ol00, lang);
    }
    sort_findings(&result->findings);
    drop_ignored_paths(unit, config);
    suppress(unit, op, lang, config);
    bool strict = unit->request->gate || unit->request->hook != HOOK_NONE;
    note_unchecked(&unit->notices, op, strict, lang);
    for (uint32_t i = 0; i < op->python.count; i++) {
        result->files += op->python.items[i]->parsed.status != PARSE_ABSENT;
    }
    for (uint32_t i = 0; i < op->documents.count; i++) {
        result->files += op->documents.items[i]->exists;
    }
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Notices about files name them as the report shows them. */
static void show_notice_paths(Unit *unit, uint32_t from)
{
    for (uint32_t i = from; i < unit->notices.count; i++) {
        Notice *notice = &unit->notices.items[i];
        if (notice->file.length > 0 && notice->file.at[0] != '/') {
            notice->file = path_join(&unit->arena, unit->shown_dir, notice->file);
        }
    }
}

void unit_run(Unit *unit)
{
    double start = now_ms();
    jmp_buf env;
    arena_init(&unit->arena, UNIT_BUDGET);
    const Request *request = unit->request;
    if (OOM_GUARD(&unit->arena, env)) {
        Config config;
        unit->fail_on = S1;
        if (read_config(unit, &config, request->lang)) {
            Lang lang = request->has_lang || !config.has_lang ? request->lang : config.lang;
            unit->fail_on = request->has_fail_on ? request->fail_on
                            : config.has_fail_on ? config.fail_on
                                                 : S1;
            unit->fail_never = request->has_fail_on ? request->fail_never : config.fail_never;
            unit->lang = lang;
            uint32_t before = unit->notices.count;
            unit->shared_notices = before;
            lint(unit, lang, &config);
            show_notice_paths(unit, before);
        } else {
            unit->nothing = true;
        }
    } else {
        unit->out_of_memory = true;
        unit->nothing = true;
    }
    unit->arena.guard = NULL;
    unit->result.duration_ms = now_ms() - start;
}
