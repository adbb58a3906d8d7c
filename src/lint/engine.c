/* Engine: one unit of work from its files to sorted findings. */
#include "lint/engine.h"

#include "base/clock.h"
#include "base/io_error.h"
#include "base/path.h"
#include "lint/finding_order.h"
#include "lint/operator_open.h"
#include "lint/rule_sets.h"
#include "lint/semantics.h"
#include "lint/strays.h"
#include "lint/unchecked.h"
#include "operator/state.h"

/* Memory of one unit, the parser's aside. */
#define UNIT_BUDGET ((size_t)1 << 30)

static void add_notice(Unit *unit, Str file, Str message, bool is_error)
{
    Notice notice = {file, message, is_error};
    VEC_PUSH(&unit->arena, &unit->notices, notice);
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
    if (op->edited.length == 0 || (rule->needs & NEEDS_OWN_EDIT) == 0) {
        return false;
    }
    Str own = rule->target == TARGET_GOLDEN ? operator_artifact(op, KIND_GOLDEN)
                                            : operator_artifact(op, KIND_TEST);
    return !str_equal(op->edited, own);
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

/* Hooks and the Python linter's command line have their own form of answer: no remarks there. */
static bool takes_remarks(const Unit *unit)
{
    return unit->request->who.hook == HOOK_NONE && !unit->request->who.upstream;
}

static double now_ms(void)
{
    return (double)clock_ns() / 1e6;
}

static void run_rule(Unit *unit, Operator *op, const Rule *rule, Lang lang)
{
    RuleRun run = {.rule = rule, .op = op, .arena = &unit->arena, .lang = lang};
    double start = now_ms();
    Text reason;
    if (!rule_is_due(rule, op)) {
        rule_skip(&run, "does not apply at stage %d", "不适用于阶段 %d", op->stage);
    } else if (is_about_other_file(rule, op)) {
        rule_skip(&run, "the edited file is not the one that this rule is about",
                  "被编辑的文件不是该规则检查的文件");
    } else if (lacks_input(rule, op, &reason)) {
        rule_skip(&run, "%s", "%s", text_in(lang, reason));
    } else {
        call_rule(&run);
    }
    if (run.skipped && run.notable && takes_remarks(unit)) {
        Text format = {"%s did not run: %.*s", "%s 未运行：%.*s"};
        Str message =
            str_format(&unit->arena, text_in(lang, format), rule->id, STR_ARG(run.reason));
        add_notice(unit, STR(""), message, false);
    }
    RuleResult result = {rule, worst_status(&run), run.reason, run.skipped && run.notable,
                         now_ms() - start};
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

static void suppress(Unit *unit, Operator *op, Lang lang, const Config *config)
{
    const Request *request = unit->request;
    OperatorResult *result = &unit->result;
    bool strict = request_is_strict(request);
    if (strict && !config->allow_suppressions_in_gates) {
        uint32_t count =
            takes_remarks(unit) ? suppressions_count(result, op->arena, &op->python, config) : 0;
        if (count > 0) {
            Text format = {"a gate looks past suppressing comments: %u of the findings have one",
                           "门禁不考虑抑制注释：其中 %u 个问题有抑制注释"};
            Str message = str_format(op->arena, text_in(lang, format), count);
            add_notice(unit, STR(""), message, false);
        }
        return;
    }
    bool part = op->scope != SCOPE_DEFAULT || op->edited.length > 0;
    if (part && !op->loose) {
        suppressions_apply_partly(result, op->arena, &op->python, config, &unit->notices, lang);
        return;
    }
    suppressions_apply(result, op->arena, &op->python, config, &unit->notices, lang,
                       request->what.remove_unused ? &unit->suppression_edits : NULL);
}

/* Nothing was checked, which must not read as "nothing found". */
static void note_missing(Unit *unit, const Operator *op, Lang lang)
{
    if (takes_remarks(unit) && op->scope == SCOPE_FILE && unit->text == NULL &&
        !operator_has_file(op, op->file)) {
        Text text = {"no such file, or no regular one", "没有这个文件，或不是普通文件"};
        add_notice(unit, op->file, str_from(text_in(lang, text)), true);
    }
}

/* Does any rule judge the operator at its stage? */
static bool any_is_due(const Rules *rules, Operator *op)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        if (rule_is_due(rules->items[i], op)) {
            return true;
        }
    }
    return false;
}

/* A broken state file must not look like a clean operator, nor like one whose stage is known. With
 * a stage from the command line `check` does without it, and OL24 judges it. */
static void notice_state(Unit *unit, const Operator *op, Lang lang)
{
    if (op->state_error.length == 0 || !takes_remarks(unit)) {
        return; /* hooks have looked already */
    }
    bool needed = unit->request->what.gate || op->stage_guessed;
    Text format = {"broken, so the stage is not known: %.*s; " STATE_ADVICE,
                   "已损坏，因此阶段未知：%.*s；" STATE_ADVICE_ZH};
    Str message = str_format(op->arena, text_in(lang, format), STR_ARG(op->state_error));
    add_notice(unit, STR(STATE_PATH), message, needed);
}

/* A guess that leaves nothing to run; that must not look like a clean operator. The hooks are
 * silent then. */
static void notice_stage(Unit *unit, Operator *op, const Rules *rules, Lang lang)
{
    if (unit->request->what.has_stage || !takes_remarks(unit) || op->state_error.length > 0 ||
        op->stage != 0 || any_is_due(rules, op)) {
        return;
    }
    Text format = {"operator '%.*s': there is no state file and no file from which the stage could "
                   "be inferred, so nothing was checked; give --stage, or see pypto-lint doctor",
                   "算子 '%.*s'：没有状态文件，也没有可推断阶段的文件，因此未做任何检查；请指定 "
                   "--stage，或运行 pypto-lint doctor"};
    Str message = str_format(op->arena, text_in(lang, format), STR_ARG(op->name));
    /* Nobody names a folder to have it passed over. */
    bool named = unit->request->what.op_dir.length > 0 && op->scope == SCOPE_DEFAULT;
    add_notice(unit, STR(""), message, named);
}

/* A gate whose rules, named by hand, all belong to other stages would pass whatever is there. */
static void notice_gate(Unit *unit, Operator *op, const Rules *rules, Lang lang)
{
    if (!unit->request->what.gate || !takes_remarks(unit) || op->state_error.length > 0 ||
        rules->count == 0 || any_is_due(rules, op)) {
        return;
    }
    Text format = {"none of the selected rules belongs to stage %d, so nothing was checked",
                   "选中的规则都不属于阶段 %d，因此未做任何检查"};
    Str message = str_format(op->arena, text_in(lang, format), op->stage);
    add_notice(unit, STR(""), message, true);
}

/* A misspelt decorator leaves most rules without anything to look at. */
static void notice_kernels(Unit *unit, Operator *op, const Rules *rules, Lang lang)
{
    bool parsed = false;
    for (uint32_t i = 0; i < op->scan.count; i++) {
        if (op->scan.items[i]->kernels.count > 0) {
            return;
        }
        parsed = parsed || op->scan.items[i]->parsed.module != NULL;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        const Rule *rule = rules->items[i];
        count += (rule->needs & NEEDS_KERNEL) != 0 && rule_is_due(rule, op);
    }
    /* A loose file may be named that has nothing to do with kernels. */
    bool meant = !op->loose || operator_may_hold_kernel(op);
    if (!parsed || !meant || count == 0 || !takes_remarks(unit)) {
        return;
    }
    Text format = {"no function is decorated with @pypto.frontend.jit, so the rules about kernels "
                   "(%u) did not run",
                   "没有函数使用 @pypto.frontend.jit 装饰，因此关于 kernel 的规则（%u 条）未运行"};
    Str message = str_format(op->arena, text_in(lang, format), count);
    if (op->loose) {
        add_notice(unit, op->file, message, false);
        return;
    }
    Text head = {"operator '%.*s': %.*s", "算子 '%.*s'：%.*s"};
    message = str_format(op->arena, text_in(lang, head), STR_ARG(op->name), STR_ARG(message));
    add_notice(unit, STR(""), message, false);
}

/* A stage gate from construction on that saw no implementation, golden or test has judged nothing
 * of it: where no rule fails for that, it does not pass either. */
static void require_artifacts(Unit *unit, Operator *op, Lang lang)
{
    const Request *request = unit->request;
    enum { BUILD_STAGE = 5 };
    bool whole = request->what.gate && !request->who.upstream &&
                 request->what.set == SET_STAGE_GATE && request->what.rules.count == 0 &&
                 op->stage >= BUILD_STAGE;
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        const Finding *finding = unit->result.findings.items[i];
        whole = whole && (finding->status != STATUS_FAIL || finding->rule->severity > S1);
    }
    Str paths[] = {operator_artifact(op, KIND_IMPL), operator_artifact(op, KIND_GOLDEN),
                   operator_artifact(op, KIND_TEST)};
    for (size_t i = 0; whole && i < sizeof paths / sizeof *paths; i++) {
        const PyFile *file = operator_python(op, paths[i]);
        bool missing = file->parsed.status == PARSE_ABSENT;
        if (!missing && !file->is_stub) {
            continue;
        }
        Text format = missing ? (Text){"missing, so the gate of stage %d has not judged it",
                                       "缺失，阶段 %d 的门禁未能对其判定"}
                              : (Text){"still a pending stub, so the gate of stage %d has not "
                                       "judged it",
                                       "仍是待实现桩，阶段 %d 的门禁未能对其判定"};
        add_notice(unit, paths[i], str_format(op->arena, text_in(lang, format), op->stage), true);
    }
}

static void lint(Unit *unit)
{
    const Config *config = &unit->settings->config;
    Lang lang = unit->request->who.lang;
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
    result->phase = op->phase == 0 ? STR("") : str_format(op->arena, "M%d", op->phase);
    notice_state(unit, op, lang);
    Rules rules = select_rules(op->arena, unit->request, config, op);
    notice_stage(unit, op, &rules, lang);
    notice_gate(unit, op, &rules, lang);
    operator_read_artifacts(op);
    notice_kernels(unit, op, &rules, lang);
    for (uint32_t i = 0; i < rules.count; i++) {
        run_rule(unit, op, rules.items[i], lang);
    }
    if (select_ol00(unit->request, config)) {
        run_rule(unit, op, &rule_ol00, lang);
    }
    bool mild = config->semantics == SEMANTICS_WARN ||
                (config->semantics == SEMANTICS_UNSET && unit->request->who.upstream);
    semantics_settle(result, mild);
    findings_sort(&result->findings);
    drop_ignored_paths(unit, config);
    suppress(unit, op, lang, config);
    bool strict = request_is_strict(unit->request);
    note_unchecked(&unit->notices, op, unit->text, strict, lang);
    note_missing(unit, op, lang);
    require_artifacts(unit, op, lang);
    if (takes_remarks(unit) && op->scope == SCOPE_DEFAULT && !op->loose) {
        note_strays(&unit->notices, op, lang);
    }
    for (uint32_t i = 0; i < op->python.count; i++) {
        result->files += op->python.items[i]->parsed.status != PARSE_ABSENT;
    }
    for (uint32_t i = 0; i < op->documents.count; i++) {
        result->files += op->documents.items[i]->exists;
    }
}

/* Notices about files name them as the report shows them. */
static void show_notice_paths(Unit *unit)
{
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        Notice *notice = &unit->notices.items[i];
        if (notice->file.length > 0 && notice->file.at[0] != '/') {
            notice->file = path_join(&unit->arena, unit->shown_dir, notice->file);
        }
    }
}

/* What the system refused on the way, unless the unit is known to have failed. */
static void note_io_error(Unit *unit)
{
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        if (unit->notices.items[i].is_error) {
            io_error_drop();
            return;
        }
    }
    Str path;
    Str reason;
    if (io_error_take(&unit->arena, &path, &reason)) {
        add_notice(unit, path, reason, true);
    }
}

void unit_run(Unit *unit)
{
    double start = now_ms();
    jmp_buf env;
    arena_init(&unit->arena, UNIT_BUDGET);
    const Caller *who = &unit->request->who;
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
        note_io_error(unit);
    } else {
        io_error_drop();
        unit->out_of_memory = true;
        unit->nothing = true;
    }
    unit->arena.guard = NULL;
    if (unit->nothing && unit->notices.count == 0) {
        /* Most files of a large tree; the whole run would hold their trees else. */
        arena_free(&unit->arena);
        unit->result = (OperatorResult){0};
    }
    unit->result.duration_ms = now_ms() - start;
}
