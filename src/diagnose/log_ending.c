/* Recognises lines that report an end; see log_ending.h. */
#include "diagnose/log_ending.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Does `before` end with the main program of the log ("train exit code: 0"), rather than with
 * something that runs beside or after it ("cleanup: exit code 0")? */
static bool is_main_program(Str before)
{
    static const char *const names[] = {
        "train",   "training", "python",    "python3",   "main",      "job",     "run",
        "script",  "test",     "tests",     "pytest",    "bench",     "eval",    "program",
        "infer",   "with",     "benchmark", "inference", "done",      "all",     "evaluation",
        "workers", "ranks",    "processes", "finished",  "completed", "process", "command",
        "ok",      "success",  "passed",    "pass"};
    static const char *const beside[] = {"cleanup", "clean-up", "monitor", "upload", "teardown",
                                         "sidecar", "watchdog", "helper",  "backup", "notif"};
    static const char *const chinese[] = {"通过", "成功", "完成", "结束"};
    if (HAS_FOLDED(beside, before)) {
        return false;
    }
    before = str_trim(before);
    while (before.length > 0 && strchr("[,:;-", before.at[before.length - 1]) != NULL) {
        before = str_trim(str_slice(before, 0, before.length - 1));
    }
    size_t begin = before.length;
    while (begin > 0 && (is_word_char(before.at[begin - 1]))) {
        begin--;
    }
    Str word = str_slice(before, begin, before.length);
    return before.length == 0 || WORD_IN(names, word) || ENDS_WITH(chinese, before);
}

/* "exit code: 0" with nothing but punctuation after it. */
static bool ends_with_zero(Str line)
{
    static const char *const forms[] = {
#define END_ZERO(text) text,
#define END_WELL(text)
#include "diagnose/log_ends.def"
#undef END_ZERO
#undef END_WELL
    };
    bool found = false;
    for (size_t i = 0; i < COUNT(forms) && !found; i++) {
        size_t at = str_find(line, str_from(forms[i]), 0);
        size_t end = at + strlen(forms[i]);
        bool last =
            at != SIZE_MAX &&
            (end == line.length || (end + 1 == line.length && strchr(".)]", line.at[end]) != NULL));
        found = last && is_main_program(str_slice(line, 0, at));
    }
    return found;
}

/* "train-0   0/1   Completed   0   120m": a successful pod in the output of `kubectl get pod`. */
static bool is_completed_pod(Str line)
{
    size_t at = str_find(line, STR(" Completed "), 0), slash = str_find(line, STR("/"), 0);
    return at != SIZE_MAX && slash > 0 && slash < at && is_digit(line.at[slash - 1]) &&
           is_digit(line.at[slash + 1]);
}

/* "Pipeline #12 passed with warnings": all steps succeeded, except those that are allowed to
 * fail. */
static bool is_job_success(Str line)
{
    static const char *const begins[] = {"Pipeline #", "Build #"};
    static const char *const good[] = {" passed", " succeeded"};
    return str_is(line, "Finished: SUCCESS") || str_is(line, "Job succeeded") ||
           (STARTS_WITH(begins, line) && HAS_TEXT(good, line) && !str_contains(line, STR("not ")));
}

/* "#11 naming to docker.io/x done", "Successfully tagged x:1": docker has built an image. */
static bool is_image(Str line)
{
    return str_starts(line, STR("Successfully tagged ")) ||
           (str_starts(line, STR("#")) && str_contains(line, STR(" naming to ")) &&
            str_ends(line, STR(" done")));
}

/* "[tune] best (64, 64)": a search has a result, even if some of its candidates failed. */
static bool is_search_result(Str line)
{
    static const char *const searches[] = {"tune", "tuning", "search", "sweep", "candidate"};
    size_t end = str_starts(line, STR("[")) ? str_find(line, STR("] "), 0) : SIZE_MAX;
    bool search = end != SIZE_MAX && HAS_FOLDED(searches, str_slice(line, 0, end));
    Str rest = search ? str_slice(line, end + 2, line.length) : STR("");
    return str_starts(rest, STR("best ")) || str_starts(rest, STR("best:"));
}

/* "SUCCEEDED after 1 restart", "x.service: Deactivated successfully" */
static bool is_group_success(Str line)
{
    static const char *const texts[] = {
#define END_ZERO(text)
#define END_WELL(text) text,
#include "diagnose/log_ends.def"
#undef END_ZERO
#undef END_WELL
    };
    return HAS_TEXT(texts, line);
}

/* "host : ok=5 changed=2 unreachable=0 failed=0 …" below "PLAY RECAP ***". */
static LogEnding recap_ending(Str line)
{
    bool row = str_contains(line, STR(" ok=")) && str_contains(line, STR(" unreachable="));
    bool well = str_contains(line, STR(" unreachable=0 ")) && str_contains(line, STR(" failed=0 "));
    return str_starts(line, STR("PLAY RECAP")) ? ENDING_RECAP
           : !row                              ? ENDING_NONE
           : well                              ? ENDING_HOST
                                               : ENDING_HOST_FAILED;
}

LogEnding log_ending(Str line)
{
    line = str_trim(line);
    LogEnding recap = recap_ending(line);
    if (recap != ENDING_NONE) {
        return recap;
    }
    if (str_is(line, "+ exit 0")) { /* "++ exit 0" ends a subshell */
        return ENDING_SCRIPT;
    }
    if (is_job_success(line)) {
        return ENDING_JOB;
    }
    if (is_completed_pod(line)) {
        return ENDING_POD;
    }
    if (is_image(line)) {
        return ENDING_IMAGE;
    }
    if (str_is(line, "...ignoring") || str_ends(line, STR("(allowed to fail)")) ||
        str_ends(line, STR("(continue-on-error)")) ||
        (str_starts(line, STR("make")) && str_ends(line, STR(" (ignored)")))) {
        return ENDING_IGNORED;
    }
    if (str_starts(line, STR("[  PASSED  ] "))) {
        return line.at[strlen("[  PASSED  ] ")] == '0' ? ENDING_NONE : ENDING_TESTS;
    }
    if (is_group_success(line)) {
        return ENDING_WELL;
    }
    if (str_contains(line, STR("verdict: PASS"))) {
        return ENDING_DRILL;
    }
    return ends_with_zero(line) || is_search_result(line) ? ENDING_STATUS : ENDING_NONE;
}

bool log_pod_succeeded(Str line)
{
    return (str_starts(line, STR("Status:")) || str_starts(line, STR("Phase:"))) &&
           str_ends(str_trim(line), STR(" Succeeded"));
}

bool log_is_pod_warning(Str line)
{
    return str_starts(str_trim(line), STR("Warning  "));
}
