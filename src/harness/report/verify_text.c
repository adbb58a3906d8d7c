/* The verdict as text; see verify.h. */
#include "harness/verify.h"

#include "base/utf8.h"
#include "harness/judge/verify_advice.h"
#include "harness/plan/verify_place.h"
#include "harness/report/texts.h"
#include "harness/report/warning_text.h"
#include "report/terminal.h"

#include <stdio.h>

enum {
    MOST_CASES = 10,  /* that are shown with their outputs */
    MOST_LEAVES = 20, /* of one case and mode */
    MOST_LINES = 10,  /* of the linter */
    NUMBER_SIZE = 32,
    SHAPE_SIZE = 96,
};

typedef struct Writing {
    Buf *out;
    const Verification *verification;
    Lang lang;
} Writing;

static void say(Writing *writing, Text text)
{
    buf_add(writing->out, str_from(text_in(writing->lang, text)));
}

static void add_text(Writing *writing, Str text)
{
    terminal_add(writing->out, text);
}

/* --- outputs */

static void format_metric(Metric metric, char text[NUMBER_SIZE])
{
    if (metric.known) {
        snprintf(text, NUMBER_SIZE, "%.6g", metric.value);
    } else {
        snprintf(text, NUMBER_SIZE, "-");
    }
}

static void format_shape(const LeafShape *shape, char text[SHAPE_SIZE])
{
    size_t length = (size_t)snprintf(text, SHAPE_SIZE, shape->known ? "[" : "-");
    for (uint32_t i = 0; shape->known && i < shape->rank && length < SHAPE_SIZE - 24; i++) {
        length += (size_t)snprintf(text + length, SHAPE_SIZE - length, "%s%lld", i == 0 ? "" : ", ",
                                   (long long)shape->extents[i]);
    }
    snprintf(text + length, SHAPE_SIZE - length, shape->known ? "]" : "");
}

/* Pads to `width` columns after `start`. */
static void pad(Writing *writing, size_t start, size_t width)
{
    Str line = buf_str(writing->out);
    size_t used = 0;
    for (size_t at = start; at < line.length;) {
        used += code_point_width(utf8_next(line, &at));
    }
    for (; used < width; used++) {
        buf_add_char(writing->out, ' ');
    }
}

/* Below an output that differs: its name, where, and what it looks like there. */
static void add_places(Writing *writing, const Leaf *leaf)
{
    if (leaf->all_close || leaf->places == NULL) {
        return;
    }
    Buf likeness = {.arena = writing->out->arena};
    leaf_places_add_likeness(&likeness, leaf->places, leaf->equals, writing->lang);
    buf_add(writing->out, STR("        "));
    if (leaf->output.length > 0) {
        add_text(writing, leaf->output);
        say(writing, (Text){": ", "："});
    }
    leaf_places_add_where(writing->out, leaf->places, writing->lang);
    say(writing, (Text){"; ", "；"});
    leaf_places_add_indices(writing->out, leaf->places, writing->lang);
    if (likeness.length > 0) {
        buf_add(writing->out, STR("\n        "));
        add_text(writing, buf_str(&likeness));
    }
    buf_add_char(writing->out, '\n');
}

static void add_leaf(Writing *writing, const Leaf *leaf)
{
    char shape[SHAPE_SIZE];
    char expected[SHAPE_SIZE];
    char absolute[NUMBER_SIZE];
    char relative[NUMBER_SIZE];
    format_shape(&leaf->shape, shape);
    format_shape(&leaf->expected_shape, expected);
    format_metric(leaf->max_abs_diff, absolute);
    format_metric(leaf->max_rel_diff, relative);
    size_t start = writing->out->length;
    buf_add(writing->out, leaf->all_close ? STR("      ok   ") : STR("    ! "));
    pad(writing, start, 8);
    add_text(writing, leaf->name);
    pad(writing, start, 20);
    buf_addf(writing->out, " %s ", shape);
    add_text(writing, leaf->dtype.length > 0 ? leaf->dtype : STR("-"));
    pad(writing, start, 46);
    if (leaf->structure.length > 0) {
        buf_add_char(writing->out, ' ');
        add_text(writing, leaf->structure);
        buf_addf(writing->out, "; %s %s ",
                 text_in(writing->lang, (Text){"the reference has", "参考实现为"}), expected);
        add_text(writing, leaf->expected_dtype.length > 0 ? leaf->expected_dtype : STR("-"));
    } else {
        buf_addf(writing->out, " %-12s %-12s %llu/%llu", absolute, relative,
                 (unsigned long long)leaf->out_of_tolerance, (unsigned long long)leaf->elements);
        if (leaf->never.length > 0) {
            buf_add(writing->out, STR(", "));
            add_text(writing, writing->lang == LANG_ZH ? leaf->never_zh : leaf->never);
        }
        if (leaf->nonfinite > 0) {
            buf_addf(writing->out, ", NaN/Inf: %llu", (unsigned long long)leaf->nonfinite);
        }
    }
    buf_add_char(writing->out, '\n');
    add_places(writing, leaf);
}

static void add_leaves(Writing *writing, const CaseResult *case_result)
{
    if (case_result->leaves.count == 0) {
        return;
    }
    size_t start = writing->out->length;
    buf_add(writing->out, STR("        "));
    say(writing, (Text){"output", "输出"});
    pad(writing, start, 21);
    say(writing, (Text){"shape, dtype", "shape、dtype"});
    pad(writing, start, 47);
    say(writing,
        (Text){"max abs      max rel      beyond tolerance", "最大绝对差   最大相对差   超差个数"});
    buf_add_char(writing->out, '\n');
    for (uint32_t i = 0; i < case_result->leaves.count && i < MOST_LEAVES; i++) {
        add_leaf(writing, &case_result->leaves.items[i]);
    }
    if (case_result->leaves.count > MOST_LEAVES) {
        buf_addf(writing->out, "        … +%u\n", case_result->leaves.count - MOST_LEAVES);
    }
}

/* --- cases */

/* "precision", "runtime, host_crash": the second only where it says more. */
static void add_categories(Writing *writing, Category category, VerdictCategory route)
{
    const char *first = category_name(category);
    const char *second = verdict_category_name(route);
    buf_addf(writing->out, "%s%s%s", first, strcmp(first, second) == 0 ? "" : ", ",
             strcmp(first, second) == 0 ? "" : second);
}

/* Where the result of the blamed operation is wrong, in a line of its own. */
static void add_result_of_line(Writing *writing, const Blame *blame)
{
    Buf text = {.arena = writing->out->arena};
    if (blame_add_result(&text, blame, writing->lang)) {
        say(writing, (Text){"        its result is wrong: ", "        其结果的错误："});
        buf_add(writing->out, buf_str(&text));
        buf_add_char(writing->out, '\n');
    }
}

static void add_case_result(Writing *writing, Mode mode, const CaseResult *case_result)
{
    buf_addf(writing->out, "    %s: %s", mode_name(mode), verdict_name(case_result->verdict));
    if (case_result->verdict == VERDICT_FAIL || case_result->verdict == VERDICT_ERROR) {
        buf_add(writing->out, STR(" ("));
        add_categories(writing, case_result->category, case_result->route);
        buf_add(writing->out, STR("): "));
        add_text(writing, summary_text(writing->out->arena, writing->lang, case_result));
    }
    buf_add_char(writing->out, '\n');
    if (case_result->verdict == VERDICT_FAIL) {
        add_leaves(writing, case_result);
    }
    if (case_result->blame.status != BLAME_NONE) {
        say(writing, (Text){"      blame: ", "      定位："});
        blame_add(writing->out, &case_result->blame, writing->lang);
        buf_add_char(writing->out, '\n');
        add_result_of_line(writing, &case_result->blame);
    }
}

static bool is_failing(const Check *check)
{
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (check->verdicts[mode] >= VERDICT_FAIL) {
            return true;
        }
    }
    return false;
}

static void add_check(Writing *writing, const Check *check)
{
    const SuiteCase *source = check->result->source;
    buf_add(writing->out, STR("  "));
    add_text(writing, source->id);
    if (source->level.length > 0) {
        buf_add(writing->out, STR(" ("));
        add_text(writing, source->level);
        buf_add(writing->out, STR(")"));
    }
    buf_add_char(writing->out, '\n');
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (writing->verification->modes[mode]) {
            add_case_result(writing, mode, &check->result->by_mode[mode]);
        }
    }
}

static void add_failing(Writing *writing)
{
    const Judgement *judgement = &writing->verification->judgement;
    size_t failing = 0;
    for (size_t i = 0; i < judgement->count; i++) {
        if (is_failing(&judgement->checks[i])) {
            failing++;
            if (failing <= MOST_CASES) {
                add_check(writing, &judgement->checks[i]);
            }
        }
    }
    if (failing > MOST_CASES) {
        Text more = {"  … and %zu more failing case(s), see the report\n",
                     "  …… 另有 %zu 个失败的用例，见报告\n"};
        buf_addf(writing->out, text_in(writing->lang, more), failing - MOST_CASES);
    }
}

/* --- warnings: of the cases that ran, each sentence once */

static void add_warnings(Writing *writing)
{
    const Verification *verification = writing->verification;
    Strs said = {0};
    for (size_t i = 0; i < verification->judgement.count && said.count < MOST_LINES; i++) {
        const CaseModes *result = &verification->results[i];
        for (Mode mode = 0; mode < MODE_COUNT; mode++) {
            const CaseResult *case_result = &result->by_mode[mode];
            for (uint32_t k = 0; k < case_result->warnings.count && said.count < MOST_LINES; k++) {
                Str sentence = case_result->warnings.items[k];
                if (!strs_add(writing->out->arena, &said, sentence)) {
                    continue;
                }
                say(writing, (Text){"  warning: ", "  警告："});
                add_text(writing, result->source->id);
                buf_addf(writing->out, " %s: ", mode_name(mode));
                add_text(writing, warning_text(writing->out->arena, writing->lang, sentence));
                buf_add_char(writing->out, '\n');
            }
        }
    }
}

/* Warnings of the simulator in all cases, each once for a line of the kernel. */
static void add_findings(Writing *writing)
{
    Arena *arena = writing->out->arena;
    SimFindings findings = verification_findings(arena, writing->verification);
    for (uint32_t i = 0; i < findings.count && i < MOST_LINES; i++) {
        const SimFinding *finding = &findings.items[i];
        say(writing,
            finding->is_note ? (Text){"  note: ", "  提示："} : (Text){"  warning: ", "  警告："});
        add_text(writing, sim_finding_text(arena, finding, writing->lang));
        buf_add(writing->out, STR(" ("));
        if (finding->count > 1) {
            buf_addf(writing->out,
                     text_in(writing->lang, (Text){"%u cases, first ", "%u 个用例，首个为 "}),
                     finding->count);
        }
        add_text(writing, finding->first);
        buf_add_char(writing->out, ')');
        buf_add_char(writing->out, '\n');
    }
    if (findings.count > MOST_LINES) {
        buf_addf(writing->out, "  … +%u\n", findings.count - MOST_LINES);
    }
}

/* --- head and end */

static void add_head(Writing *writing)
{
    const Verification *verification = writing->verification;
    const Judgement *judgement = &verification->judgement;
    add_text(writing, verification->op_name);
    if (verification->kind == RESULT_OF_SELF_TEST) {
        say(writing, (Text){", self-test of the composed reference", "，组合参考实现自检"});
    }
    buf_addf(writing->out, " M%u: %s\n", verification->module, verdict_name(judgement->status));
    if (verification->kind == RESULT_OF_TESTS && verification->suite.length == 0) {
        say(writing, (Text){"  there is no suite (eval/" SUITE_NAME "): the operator's tests ran\n",
                            "  没有用例集（eval/" SUITE_NAME "）：运行了算子自身的测试\n"});
    }
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        const Unavailable *why = &judgement->unavailable[mode];
        if (verification->modes[mode] && judgement->modes[mode] == VERDICT_SKIPPED &&
            why->reason.length > 0) {
            buf_addf(writing->out, "  %s: SKIPPED: ", mode_name(mode));
            add_text(writing, why->reason);
            if (why->symptom != NULL) {
                buf_add(writing->out, STR("; "));
                say(writing, why->symptom->recipe);
            }
            buf_add_char(writing->out, '\n');
        }
    }
}

static void add_lint(Writing *writing)
{
    const Verification *verification = writing->verification;
    const LintGate *gate = &verification->lint;
    for (uint32_t i = 0; i < gate->lines.count && i < MOST_LINES; i++) {
        buf_add(writing->out, STR("  "));
        terminal_add_start(writing->out, gate->lines.items[i]);
        buf_add_char(writing->out, '\n');
    }
    if (gate->lines.count > MOST_LINES) {
        buf_addf(writing->out, "  … +%u\n", gate->lines.count - MOST_LINES);
    }
    if (gate->blocking > 0 && verification->asked.no_lint_gate) {
        say(writing, (Text){"  the lint gate was bypassed (--no-lint-gate)\n",
                            "  已绕过检查（--no-lint-gate）\n"});
    }
}

static void add_first(Writing *writing)
{
    const Verification *verification = writing->verification;
    const FirstFailure *first = &verification->judgement.first;
    if (!first->present) {
        return;
    }
    say(writing, (Text){"First failure: ", "第一个失败："});
    /* The summary of a case was printed with the case. */
    add_text(writing, first->result != NULL
                          ? first->result->source->id
                          : first_summary_text(writing->out->arena, writing->lang, first));
    buf_add(writing->out, STR("\n  "));
    say(writing, (Text){"category ", "类别 "});
    add_categories(writing, first->category, first->route);
    buf_addf(writing->out, "%s M%u%s %s\n", text_in(writing->lang, (Text){"; boundary", "；边界"}),
             verification->module, text_in(writing->lang, (Text){"; fingerprint", "；指纹"}),
             fingerprint_name(first->fingerprint));
    if (first->result != NULL) {
        buf_add(writing->out, STR("  "));
        buf_add(writing->out, fingerprint_meaning(writing->out->arena, first, writing->lang));
        buf_add_char(writing->out, '\n');
    }
    if (first->has_drift_onset) {
        buf_addf(writing->out, "  %s %lld\n",
                 text_in(writing->lang, (Text){"drift from iteration", "从该迭代开始偏离："}),
                 (long long)first->drift_onset_iter);
    }
    if (first->cpu_reproducer_candidate) {
        say(writing,
            (Text){"  the relative difference is far below rtol: the tolerance may be wrong, not "
                   "the kernel\n",
                   "  相对差远小于 rtol：可能是容差有误，而不是 kernel\n"});
    }
    bool wrote = first->result != NULL && first->result->by_mode[first->mode].log.length > 0;
    if (wrote && verification->log_path.length > 0) {
        say(writing,
            (Text){"  what the kernel's process wrote itself: ", "  kernel 进程自身的输出："});
        add_text(writing, verification->log_path);
        buf_add_char(writing->out, '\n');
    }
    const CasePatterns *patterns = &verification->judgement.patterns;
    for (uint32_t i = 0; i < patterns->count; i++) {
        say(writing, (Text){"  pattern: ", "  规律："});
        case_pattern_add(writing->out, &patterns->items[i], writing->lang);
        buf_add_char(writing->out, '\n');
    }
    say(writing, (Text){"What to do: ", "怎么办："});
    buf_add(writing->out, verify_advice(writing->out->arena, first, writing->lang));
    buf_add_char(writing->out, '\n');
}

void verify_text(Buf *out, const Verification *verification, Lang lang)
{
    Writing writing = {.out = out, .verification = verification, .lang = lang};
    add_head(&writing);
    add_lint(&writing);
    add_failing(&writing);
    add_warnings(&writing);
    add_findings(&writing);
    add_first(&writing);
}
