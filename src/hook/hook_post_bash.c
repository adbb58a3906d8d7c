/* post-bash: what came out of a test run, by the marker that the test printed, so that an agent
 * does not have to read the log for it, and cannot misread it. */
#include "hook/hook_guard.h"
#include "hook/hook_steps.h"
#include "operator/text.h"

typedef struct Verdict {
    const char *name;
    Text explanation;
} Verdict;

static const Verdict failed = {
    "precision_fail",
    {"the output contains the marker [PRECISION_FAIL], which outweighs every other",
     "输出中含有 [PRECISION_FAIL] 标记，优先于其他标记"}};
static const Verdict passed = {
    "precision_pass",
    {"the output contains the marker [PRECISION_PASS], whatever the exit status",
     "输出中含有 [PRECISION_PASS] 标记，与退出状态无关"}};
static const Verdict crashed = {
    "runtime_error", {"the process failed and printed no marker", "进程异常退出，且没有输出标记"}};
static const Verdict silent = {
    "no_marker",
    {"the process ended normally and printed no marker", "进程正常结束，但没有输出标记"}};
/* From clients that do not give the exit status. */
static const Verdict unknown = {"no_marker",
                                {"the output contains no marker; the exit status is not known",
                                 "输出中没有标记，退出状态未知"}};

/* `pypto-lint verify` ends with a status line instead of a marker. */
static const Verdict verify_passed = {
    "precision_pass",
    {"pypto-lint verify says status=PASS", "pypto-lint verify 的结果为 status=PASS"}};
static const Verdict verify_failed = {
    "precision_fail",
    {"pypto-lint verify says status=FAIL", "pypto-lint verify 的结果为 status=FAIL"}};
static const Verdict verify_error = {
    "runtime_error",
    {"pypto-lint verify says status=ERROR", "pypto-lint verify 的结果为 status=ERROR"}};

/* The two streams are one text with a line end between, which no marker can span. */
static bool has(const HookEvent *event, const char *marker)
{
    Str text = str_from(marker);
    return str_contains(event->out, text) || str_contains(event->err, text);
}

/* The verdict of the last such line; NULL without any. */
static const Verdict *judge_verify(Str text)
{
    static const struct {
        const char *text;
        const Verdict *verdict;
    } lines[] = {{"status=PASS ", &verify_passed},
                 {"status=FAIL ", &verify_failed},
                 {"status=ERROR ", &verify_error}};
    const Verdict *found = NULL;
    Str line;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            found = str_starts(line, str_from(lines[i].text)) ? lines[i].verdict : found;
        }
    }
    return found;
}

static const Verdict *judge(const HookEvent *event)
{
    if (has(event, "[PRECISION_FAIL]")) {
        return &failed;
    }
    if (has(event, "[PRECISION_PASS]")) {
        return &passed;
    }
    if (str_contains(event->command, STR("pypto-lint verify"))) {
        /* It prints the line on standard error; some clients have one text for both. */
        const Verdict *verify = judge_verify(event->err);
        verify = verify == NULL ? judge_verify(event->out) : verify;
        if (verify != NULL) {
            return verify;
        }
    }
    if (event->no_exit_code) {
        return &unknown;
    }
    return event->exit_code != 0 ? &crashed : &silent;
}

void hook_post_bash(HookOutcome *outcome, Arena *arena, const HookCall *call,
                    const HookEvent *event)
{
    if (!event->has_command || !event->has_result ||
        !guard_runs_test(arena, call, event->command)) {
        return;
    }
    const Verdict *verdict = judge(event);
    Text format = {"[pypto-op-lint parse-result] %s: %s. Take this verdict as the result of the "
                   "test run; do not interpret the output yourself.",
                   "[pypto-op-lint parse-result] %s：%s。请以此判定作为本次测试的结果，"
                   "不要自行解读输出。"};
    outcome->tool_failed = event->tool_failed;
    outcome->context = str_format(arena, text_in(call->lang, format), verdict->name,
                                  text_in(call->lang, verdict->explanation));
}
