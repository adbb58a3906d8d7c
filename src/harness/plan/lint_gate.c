/* The lint gate; see lint_gate.h. */
#include "harness/plan/lint_gate.h"

#include "lint/plan.h"
#include "operator/artifact.h"
#include "report/report_common.h"

enum {
    LEAST_STAGE = 5, /* rules about kernels differ in these two stages only */
    MOST_STAGE = 6,
    LINT_LIMIT = 64 * 1024 * 1024, /* bytes of an implementation */
};

typedef struct Checking {
    LintGate *gate;
    Arena *arena;
    Plan *plan;
    const LintFiles *files;
    Str shown; /* the name of the current file; empty: as its findings name it */
    uint32_t counts[RULE_ORDERS];
    const Rule *rules[RULE_ORDERS];
} Checking;

/* Rules about the implementation differ in stage 6 alone: there a kernel may be tuned. */
static int stage_of(Plan *plan, Str op_dir)
{
    const OperatorState *state = plan_state(plan, op_dir);
    return state->exists && state->valid && state->current_stage >= MOST_STAGE ? MOST_STAGE
                                                                               : LEAST_STAGE;
}

/* A finding as one line. The message of a finding in a reference may quote its source, which must
 * not be seen (docs/kernel-authors/verify-report.md, "Redaction"), so there the rule's title is
 * shown. */
static Str say(const Checking *checking, const Finding *finding, bool may_quote)
{
    Str what = may_quote ? finding->message : rule_title(finding->rule, checking->files->lang);
    Str file = checking->shown.length > 0 ? checking->shown : finding->file;
    return finding->region.line == 0
               ? str_format(checking->arena, "%.*s: %s %.*s", STR_ARG(file), finding->rule->id,
                            STR_ARG(what))
               : str_format(checking->arena, "%.*s:%u: %s %.*s", STR_ARG(file),
                            finding->region.line, finding->rule->id, STR_ARG(what));
}

static void count_finding(Checking *checking, const Finding *finding, bool may_quote)
{
    LintGate *gate = checking->gate;
    const Rule *rule = finding->rule;
    checking->counts[rule->order]++;
    checking->rules[rule->order] = rule;
    bool excused = checking->files->inspects && (rule->sets & IN(SET_PARAMETERS)) != 0;
    if (finding->status != STATUS_FAIL || rule->severity > S1 || excused) {
        gate->warnings++;
        return;
    }
    Str line = say(checking, finding, may_quote);
    VEC_PUSH(checking->arena, &gate->lines, line);
    gate->first = gate->blocking == 0 ? line : gate->first;
    gate->blocking++;
    gate->only_tile = gate->only_tile && (rule->sets & IN(SET_TILE)) != 0;
}

/* Takes findings and errors of a run. Only findings in the file `own` (relative; empty = any)
 * count: what a rule finds in a document does not keep the implementation from running. */
static void take_result(Checking *checking, const RunResult *result, Str own, bool may_quote)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t j = 0; j < op->findings.count; j++) {
            const Finding *finding = op->findings.items[j];
            if (own.length == 0 || str_equal(finding->file, own)) {
                count_finding(checking, finding, may_quote);
            }
        }
    }
    for (uint32_t i = 0; i < result->notices.count && checking->gate->error.length == 0; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            checking->gate->error =
                str_format(checking->arena, "%.*s%s%.*s", STR_ARG(notice->file),
                           notice->file.length > 0 ? ": " : "", STR_ARG(notice->message));
        }
    }
}

/* The findings lie in the memory of the run, which is freed here: what is kept is copied. */
static void run_request(Checking *checking, const Request *request, Str own, bool may_quote)
{
    Run *run = run_check(request, checking->plan);
    take_result(checking, run_result(run), own, may_quote);
    run_free(run);
}

static Request make_request(const Checking *checking)
{
    return (Request){.what.gate = true,
                     .who = {.no_exec = true,
                             .has_lang = true,
                             .lang = checking->files->lang,
                             .has_fail_on = true,
                             .fail_on = S1,
                             .jobs = 1}};
}

/* The path within the operator directory; empty when it is not there. */
static Str inside(const LintFiles *files, Str path)
{
    size_t length = files->op_dir.length;
    bool is_inside =
        path.length > length + 1 && str_starts(path, files->op_dir) && path.at[length] == '/';
    return is_inside ? str_slice(path, length + 1, path.length) : STR("");
}

static void check_file(Checking *checking, Str path, int stage, bool may_quote)
{
    Request request = make_request(checking);
    Str relative = inside(checking->files, path);
    if (relative.length > 0) {
        request.what.op_dir = checking->files->op_dir;
        request.what.file = relative;
        request.what.stage = stage;
        request.what.has_stage = true;
    } else {
        VEC_PUSH(checking->arena, &request.what.paths, path);
    }
    run_request(checking, &request, relative, may_quote);
}

/* Rules go by file names, so an implementation with another name is checked under the name of the
 * file that it replaces. */
static void check_as(Checking *checking, Str path, Str as, int stage)
{
    TextSource text = {.path = as};
    Str error = STR("");
    if (artifact_read(checking->arena, path, LINT_LIMIT, &text.text, &error) != FILE_OK) {
        checking->gate->error = str_format(checking->arena, "%.*s: cannot be read", STR_ARG(path));
        return;
    }
    Request request = make_request(checking);
    request.what.text = &text;
    request.what.op_dir = checking->files->op_dir;
    request.what.stage = stage;
    request.what.has_stage = true;
    Str relative = inside(checking->files, path);
    checking->shown = relative.length > 0 ? relative : path;
    run_request(checking, &request, inside(checking->files, as), true);
    checking->shown = STR("");
}

void lint_gate_check(LintGate *gate, Arena *arena, const LintFiles *files)
{
    *gate = (LintGate){.only_tile = true};
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    Checking checking = {.gate = gate, .arena = arena, .plan = &plan, .files = files};
    int stage = stage_of(&plan, files->op_dir);
    bool renamed = files->impl_as.length > 0 && !str_equal(files->impl, files->impl_as);
    if (files->impl.length > 0 && renamed) {
        check_as(&checking, files->impl, files->impl_as, stage);
    } else if (files->impl.length > 0) {
        check_file(&checking, files->impl, stage, true);
    }
    for (uint32_t i = 0; i < files->others.count; i++) {
        check_file(&checking, files->others.items[i], stage, false);
    }
    for (uint32_t i = 0; i < RULE_ORDERS; i++) {
        if (checking.counts[i] > 0) {
            LintRuleCount count = {checking.rules[i], checking.counts[i]};
            VEC_PUSH(arena, &gate->rules, count);
        }
    }
    gate->only_tile = gate->only_tile && gate->blocking > 0;
}
