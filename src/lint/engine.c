/* Engine: one unit of work from its files to sorted findings. */
#include "lint/engine.h"

#include "base/clock.h"
#include "base/io_error.h"
#include "base/path.h"
#include "lint/finding_order.h"
#include "lint/operator_open.h"
#include "lint/rule_sets.h"
#include "lint/semantics.h"
#include "lint/unit_notices.h"

/* Memory of one unit, the parser's aside. */
#define UNIT_BUDGET ((size_t)1 << 30)

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
    for (uint32_t i = 0; i < op->scan.count && !kernel && (rule->needs & NEEDS_EVALUATED); i++) {
        kernel = pyfile_module(op->scan.items[i]) != NULL && pyfile_calls_jit(op->scan.items[i]);
    }
    if ((rule->needs & NEEDS_FILES) != 0 && op->scan.count == 0) {
        *reason = (Text){"no implementation file to check", "没有可检查的实现文件"};
        return true;
    }
    if ((rule->needs & NEEDS_PARSED) != 0 && !parsed) {
        *reason = (Text){"no implementation file could be parsed", "没有可解析的实现文件"};
        return true;
    }
    if ((rule->needs & (NEEDS_KERNEL | NEEDS_EVALUATED)) != 0 && !kernel) {
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
    if (op->edited.length == 0 || (rule->needs & NEEDS_OWN_EDIT) == 0) {
        return false;
    }
    Str own = rule->target == TARGET_GOLDEN ? operator_artifact(op, KIND_GOLDEN)
                                            : operator_artifact(op, KIND_TEST);
    return !str_equal(op->edited, own);
}

static void check_kernels(RuleRun *run, const PyFile *file)
{
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        run->rule->check_kernel(run, file, file->kernels.ids[i]);
    }
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
        if (wanted && rule->check_kernel != NULL) {
            check_kernels(run, file);
        } else if (wanted) {
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

/* Does the rule judge whole operators at a later stage, and not at this one? */
static bool is_later(const Rule *rule, Operator *op)
{
    enum { LAST_STAGE = 7 };
    bool later = false;
    for (int stage = op->stage + 1; stage <= LAST_STAGE; stage++) {
        later = later || rule_has_stage(rule, stage);
    }
    return later && !op->loose && op->scope == SCOPE_DEFAULT && !rule_is_due(rule, op);
}

static double now_ms(void)
{
    return (double)clock_ns() / 1e6;
}

static void run_rule(Unit *unit, Operator *op, const Rule *catalogued)
{
    Lang lang = unit->request->who.lang;
    /* The Python linter knows no settings of single rules. */
    const Config *config = unit->request->who.upstream ? NULL : &unit->settings->config;
    const Rule *rule = config == NULL ? catalogued : config_rule(config, &unit->arena, catalogued);
    RuleRun run = {.rule = rule, .op = op, .settings = config, .arena = &unit->arena, .lang = lang};
    double start = now_ms();
    Text reason;
    if (!rule_is_due(rule, op)) {
        rule_skip(&run, "does not apply at stage %d", "不适用于阶段 %d", op->stage);
    } else if (op->bridge && !rule_is_in(rule, SET_CONSISTENCY)) {
        rule_skip(&run,
                  "a bridge file, which imports nothing of pypto: only the rules about "
                  "consistency judge it",
                  "桥接文件，未导入 pypto：仅由一致性规则检查");
    } else if (is_about_other_file(rule, op)) {
        rule_skip(&run, "the edited file is not the one that this rule is about",
                  "被编辑的文件不是该规则检查的文件");
    } else if (lacks_input(rule, op, &reason)) {
        rule_skip(&run, "%s", "%s", text_in(lang, reason));
    } else {
        call_rule(&run);
    }
    if (run.skipped && run.notable && unit_takes_remarks(unit)) {
        notice_add(&unit->notices, STR(""), false, "%s did not run: %.*s", "%s 未运行：%.*s",
                   rule->id, STR_ARG(run.reason));
    }
    RuleResult result = {.rule = rule,
                         .status = worst_status(&run),
                         .reason = run.reason,
                         .notable = run.skipped && run.notable,
                         .later = is_later(rule, op),
                         .duration_ms = now_ms() - start};
    if (rule->order > 0 || run.findings.count > 0) {
        VEC_PUSH(&unit->arena, &unit->result.rules, result);
    }
    for (uint32_t i = 0; i < run.findings.count; i++) {
        VEC_PUSH(&unit->arena, &unit->result.findings, run.findings.items[i]);
    }
}

/* --- the unit */

static void drop_ignored_paths(Unit *unit, const Config *config)
{
    Findings *findings = &unit->result.findings;
    if (config->per_path.count == 0 || unit->request->what.rules.count > 0) {
        return;
    }
    Str folder = path_resolved(&unit->arena, unit->dir);
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

static void suppress(Unit *unit, Operator *op)
{
    const Request *request = unit->request;
    const Config *config = &unit->settings->config;
    OperatorResult *result = &unit->result;
    if (request_is_strict(request) && !config->allow_suppressions_in_gates) {
        uint32_t count = unit_takes_remarks(unit)
                             ? suppressions_count(result, op->arena, &op->python, config)
                             : 0;
        if (count > 0) {
            notice_add(&unit->notices, STR(""), false,
                       "a gate ignores suppressing comments: %u of the findings have one",
                       "门禁不考虑抑制注释：其中 %u 个问题有抑制注释", count);
        }
        return;
    }
    bool part = op->scope != SCOPE_DEFAULT || op->edited.length > 0;
    if (part && !op->loose) {
        suppressions_apply_partly(result, op->arena, &op->python, config, &unit->notices);
        return;
    }
    suppressions_apply(result, op->arena, &op->python, config, &unit->notices,
                       request->what.remove_unused ? &unit->suppression_edits : NULL);
}

static void count_file(Unit *unit, Str path)
{
    unit->result.files++;
    if (unit->request->what.show_files) {
        VEC_PUSH(&unit->arena, &unit->result.paths, path_join(&unit->arena, unit->shown_dir, path));
    }
}

static void count_files(Unit *unit, const Operator *op)
{
    for (uint32_t i = 0; i < op->python.count; i++) {
        if (op->python.items[i]->parsed.status != PARSE_ABSENT) {
            count_file(unit, pyfile_path(op->python.items[i]));
        }
    }
    for (uint32_t i = 0; i < op->documents.count; i++) {
        if (op->documents.items[i]->exists) {
            count_file(unit, op->documents.items[i]->path);
        }
    }
}

/* How far the rules KS… came: when asked for, and where they ran, so that it costs nothing. */
static void describe_semantics(Unit *unit, Operator *op)
{
    const Question *what = &unit->request->what;
    bool ran = false;
    for (uint32_t i = 0; i < unit->result.rules.count; i++) {
        const RuleResult *one = &unit->result.rules.items[i];
        ran = ran || (is_semantics_rule(one->rule) && one->status != STATUS_SKIP);
    }
    bool remarks = ran && unit_takes_remarks(unit);
    if ((what->show_types || what->statistics || remarks) &&
        unit->settings->config.semantics != SEMANTICS_OFF) {
        RuleRun run = {.op = op, .arena = &unit->arena, .lang = unit->request->who.lang};
        unit->result.semantics = semantics_describe(&run, what->show_types);
    }
}

static void lint(Unit *unit)
{
    const Config *config = &unit->settings->config;
    Operator *op = operator_open(unit);
    operator_fill(op, unit->text);
    if (unit->if_kernel && !operator_may_hold_kernel(op)) {
        unit->nothing = true;
        return;
    }
    unit->op = op;
    OperatorResult *result = &unit->result;
    result->op_name = op->name;
    result->op_dir = unit->shown_dir;
    result->loose = unit->loose;
    result->stage = op->stage;
    result->settings = config->path;
    result->plain = op->plain;
    result->phase = op->phase == 0 ? STR("") : str_format(op->arena, "M%d", op->phase);
    Rules rules = select_rules(op->arena, unit->request, config, op);
    result->unjudged = rules.count == 0 && select_has_no_candidate(unit->request, op);
    note_stage(unit, op, &rules);
    operator_read_artifacts(op);
    note_kernels(unit, op, &rules);
    for (uint32_t i = 0; i < rules.count; i++) {
        run_rule(unit, op, rules.items[i]);
    }
    if (select_ol00(unit->request, config)) {
        run_rule(unit, op, &rule_ol00);
    }
    describe_semantics(unit, op);
    /* The Python linter has no such rules: with its flags they are mild, and silent when all is
     * well, unless somebody asks for them. */
    bool unasked = config->semantics == SEMANTICS_UNSET && unit->request->who.upstream &&
                   unit->request->what.rules.count == 0;
    semantics_settle(result, unasked || config->semantics == SEMANTICS_WARN);
    if (unasked) {
        semantics_hide_passed(result);
    }
    findings_sort(&result->findings);
    drop_ignored_paths(unit, config);
    suppress(unit, op);
    note_missing(unit, op);
    count_files(unit, op);
}

/* Notices about files name them as the report shows them. */
static void show_notice_paths(Unit *unit)
{
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        Notice *notice = &unit->notices.items[i];
        if (notice->file.length > 0 && !path_is_absolute(notice->file)) {
            notice->file = path_join(&unit->arena, unit->shown_dir, notice->file);
        }
    }
}

void unit_run(Unit *unit)
{
    double start = now_ms();
    jmp_buf env;
    arena_init(&unit->arena, UNIT_BUDGET);
    const Caller *who = &unit->request->who;
    unit->notices = (Notices){.arena = &unit->arena, .lang = who->lang};
    const Config *config = &unit->settings->config;
    if (unit->settings->error.length > 0) {
        unit->fail_on = S1;
        unit->nothing = true;
    } else if (OOM_GUARD(&unit->arena, env)) {
        unit->fail_on = who->has_fail_on      ? who->fail_on
                        : config->has_fail_on ? config->fail_on
                                              : S1;
        unit->fail_never = who->has_fail_on ? who->fail_never : config->fail_never;
        lint(unit);
        show_notice_paths(unit);
        notices_take_io_error(&unit->notices);
    } else {
        io_error_drop();
        unit->out_of_memory = true;
        unit->nothing = true;
    }
    unit->arena.guard = NULL;
    if (unit->nothing && unit->notices.count == 0) {
        /* These are most files of a large tree; otherwise the whole run would keep their trees. */
        arena_free(&unit->arena);
        unit->result = (OperatorResult){0};
    }
    unit->result.duration_ms = now_ms() - start;
}
