/* Reads how programs, jobs and scripts say that they ended; see log_ending.h. */
#include "diagnose/log_ending.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Is what ends in `before` the program that the log is about ("train exit code: 0"), and not
 * something that runs beside it or after it ("cleanup: exit code 0")? */
static bool is_main_program(Str before)
{
    static const char *const names[] = {"train",  "training",  "python", "python3",   "main",
                                        "job",    "run",       "script", "test",      "tests",
                                        "pytest", "bench",     "eval",   "program",   "inference",
                                        "infer",  "benchmark", "with",   "evaluation"};
    before = str_trim(before);
    size_t begin = before.length;
    while (begin > 0 && (is_word_char(before.at[begin - 1]))) {
        begin--;
    }
    Str word = str_slice(before, begin, before.length);
    return before.length == 0 || WORD_IN(names, word);
}

/* "exit code: 0" with nothing but punctuation after it. */
static bool ends_with_zero(Str line)
{
    static const char *const forms[] = {"exit code: 0",  "exit status: 0", "exit code 0",
                                        "exit status 0", "exit code = 0",  "exit code=0"};
    bool found = false;
    for (size_t i = 0; i < COUNT(forms) && !found; i++) {
        size_t at = str_find(line, str_from(forms[i]), 0);
        size_t end = at + strlen(forms[i]);
        bool last =
            at != SIZE_MAX &&
            (end == line.length || (end + 1 == line.length && strchr(".)", line.at[end]) != NULL));
        found = last && is_main_program(str_slice(line, 0, at));
    }
    return found;
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
    if (str_is(line, "Finished: SUCCESS") || str_is(line, "Job succeeded")) {
        return ENDING_JOB;
    }
    if (str_is(line, "...ignoring") ||
        (str_starts(line, STR("make")) && str_ends(line, STR(" (ignored)")))) {
        return ENDING_IGNORED;
    }
    if (str_starts(line, STR("[  PASSED  ] "))) {
        return line.at[strlen("[  PASSED  ] ")] == '0' ? ENDING_NONE : ENDING_TESTS;
    }
    if (str_contains(line, STR("worker group successfully finished")) ||
        str_contains(line, STR("WorkerState.SUCCEEDED"))) {
        return ENDING_WELL;
    }
    if (str_contains(line, STR("verdict: PASS"))) {
        return ENDING_DRILL;
    }
    return ends_with_zero(line) ? ENDING_STATUS : ENDING_NONE;
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
