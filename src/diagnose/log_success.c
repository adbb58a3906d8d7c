/* Takes what lines say of runs that go on, are tried again, or went well; see log_success.h. */
#include "diagnose/log_success.h"

#include "base/ascii.h"
#include "diagnose/log_ending.h"
#include "diagnose/log_markers.h"
#include "diagnose/log_progress.h"
#include "operator/text.h"

#include <stdio.h>

static bool has_mark(const ScanWork *work, Marker marker)
{
    return (work->marks & 1U << marker) != 0;
}

static void take_retry(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    /* What pip tries again is its connection. */
    if (has_mark(work, MARK_RETRY) && !str_contains(line, STR("Retry(total="))) {
        log_runs_retry(&work->file.runs, scan->order, log_retries_it(line));
    }
}

/* The line by itself reports a failure. */
static void fail(LogScan *scan)
{
    ScanWork *work = scan->work;
    work->reports_error = true;
    work->meaning.most = STRENGTH_CERTAIN;
    log_runs_error(&work->file.runs, scan->order);
    log_runs_hard(&work->file.runs);
}

/* "training finished successfully": does a program say so that caught all of its exceptions and did
 * work after the last one? */
static bool ends_after_caught(const ScanWork *work, Str line)
{
    bool says = str_contains(line, STR(" finished successfully")) ||
                str_contains(line, STR(" completed successfully"));
    return says && !work->file.uncaught && !work->is_of_rank && log_runs_resumed(&work->file.runs);
}

/* "fault injection: disabled", "error_inject=0" */
static bool says_off(Str line)
{
    static const char *const words[] = {"disabled", " off", "false", "none", "not ", "=0", ": 0"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++) {
        found = text_contains_folded(line, str_from(words[i]));
    }
    return found || str_contains(line, STR("关闭")) || str_contains(line, STR("未启用"));
}

/* Takes what the line says of the whole run, and whether its work is done. Does it say that the run
 * ended with 0? */
static bool take_ending(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    bool ended = (work->signs & 1U << SIGN_ENDED) != 0 && !work->is_of_rank;
    LogEnding ending = ended ? log_ending(line) : ENDING_NONE;
    bool finished = (work->signs & 1U << SIGN_FINISH) != 0 && !work->reports_error;
    bool drill = (work->signs & 1U << SIGN_DRILL) != 0 && !says_off(line);
    work->file.is_drill = work->file.is_drill || drill;
    work->file.success = finished || ending != ENDING_NONE ? scan->order : work->file.success;
    bool well = ending == ENDING_WELL || (ending == ENDING_DRILL && work->file.is_drill) ||
                (ending == ENDING_TESTS && !log_runs_has_counted(runs)) ||
                (ending == ENDING_STATUS && (!log_runs_is_grave(runs) || log_runs_resumed(runs)));
    well = well || (finished && ends_after_caught(work, line));
    work->file.recap_failed =
        ending == ENDING_HOST_FAILED || (work->file.recap_failed && ending != ENDING_RECAP);
    if (ending == ENDING_HOST_FAILED) {
        fail(scan);
    } else if (ending == ENDING_IMAGE || (ending == ENDING_HOST && !work->file.recap_failed)) {
        log_runs_command_answered(runs, scan->order);
    } else if (ending == ENDING_SCRIPT || ending == ENDING_JOB || ending == ENDING_POD) {
        /* A pod that has completed may be another one than the one that raised. */
        bool by_others =
            ending == ENDING_JOB || (ending == ENDING_POD && !log_runs_has_raised(runs));
        log_runs_all_answered(runs, scan->order, by_others);
    } else if (ending == ENDING_IGNORED) {
        log_runs_ignored(runs, scan->order);
    } else if (well) {
        log_runs_answered(runs);
        log_runs_success(runs, scan->order);
        if (ending == ENDING_STATUS) {
            log_runs_summed(runs);
        }
    }
    return ending == ENDING_STATUS;
}

typedef enum Unittest { UNITTEST_NONE, UNITTEST_OK, UNITTEST_FAILED } Unittest;

/* "OK", "OK (skipped=1)" or "FAILED (errors=1)" below "Ran 3 tests in 0.4s". */
static Unittest unittest_of(ScanWork *work, uint64_t order, Str line)
{
    enum { NEAR = 2 };
    if (line.length == 0 || strchr("ROF", line.at[0]) == NULL) {
        return UNITTEST_NONE;
    }
    line = str_trim(line);
    if (str_starts(line, STR("Ran ")) && str_contains(line, STR(" test")) &&
        !str_starts(line, STR("Ran 0 "))) {
        work->file.ran_tests = order;
    }
    bool ok = str_is(line, "OK") || str_starts(line, STR("OK ("));
    bool ran = work->file.ran_tests > 0 && work->file.ran_tests + NEAR >= order;
    return ran && ok                                  ? UNITTEST_OK
           : ran && str_starts(line, STR("FAILED (")) ? UNITTEST_FAILED
                                                      : UNITTEST_NONE;
}

/* Takes a summary of cases. If not all have passed, the run failed, unless the same count is
 * complete later. A summary without failures clears errors that the run reported on its way, but
 * not an exception or a likely cause, which may come from another program in this run. */
static void take_sum(LogScan *scan, LogSum sum)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    if (runs->in_session || (work->reports_error && sum.kind == LOG_SUM_GOOD)) {
        return;
    }
    if (sum.kind != LOG_SUM_GOOD) {
        bool only = sum.kind == LOG_SUM_SHORT && !log_runs_has_counted(runs);
        work->file.short_sum = only ? sum : (LogSum){.kind = LOG_SUM_NONE};
        fail(scan);
        log_runs_counted(runs);
        return;
    }
    const LogSum *before = &work->file.short_sum;
    if (before->kind != LOG_SUM_NONE && sum.total == before->total && sum.key == before->key) {
        log_runs_uncounted(runs);
        work->file.short_sum.kind = LOG_SUM_NONE;
    }
    /* One sum after another is no work of the cases that raised. */
    bool resumed = log_runs_resumed(runs) && work->file.good_sum <= runs->error[runs->now];
    work->file.good_sum = scan->order;
    if (!log_runs_is_grave(runs) || resumed || work->file.is_drill) {
        log_runs_answered(runs);
    }
    log_runs_success(runs, scan->order);
    log_runs_summed(runs);
    if (work->file.is_drill) {
        log_runs_all_answered(runs, scan->order, true);
    }
    work->file.success = scan->order;
}

/* Does the status mean a signal, a time limit or a missing command? Often no other line does. Lower
 * ones may be results (`grep`, `diff`). */
static bool is_bad(const LogRuns *runs, int status)
{
    enum { LEAST_BAD = 126, TIME_LIMIT = 124 };
    return status >= LEAST_BAD || (status == TIME_LIMIT && runs->timed);
}

/* Is the answer the status of what the last command did? */
static bool has_status(const ScanWork *work)
{
    return work->file.asks_first || log_runs_has_status(&work->file.runs);
}

/* The answer to `echo $?`; -1: none. */
static int take_status(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    bool asked = work->file.status_asked > 0 && work->file.status_asked + 1 == scan->order;
    int status = asked ? log_status_of(&work->file.status_form, line) : -1;
    if (is_bad(runs, status)) {
        fail(scan);
    }
    if (status == 0 && has_status(work)) {
        log_runs_answered_well(runs);
    }
    /* `x; echo $?`: counts if the command prints nothing more (log_success_settle). */
    static const LogStatusForm bare = {"", ""};
    int late = runs->asks_late ? log_status_of(&bare, line) : -1;
    if (is_bad(runs, late)) {
        work->file.late_order = scan->order;
        work->file.late_line = work->file.number;
        work->file.late_status = late;
    }
    return status;
}

/* "Hello world: PASS", "OK" */
static bool is_verdict(const ScanWork *work, Str line)
{
    static const char *const ends[] = {" PASS", " PASSED", " OK", " ok", " SUCCESS"};
    bool found = false;
    line = str_trim(line);
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !found; i++) {
        Str word = str_from(ends[i] + 1);
        found = str_equal(line, word) || str_ends(line, str_from(ends[i]));
    }
    bool attribute = str_contains(line, STR(" : ")); /* "Health Status     : OK" */
    found = (found && !attribute) || work->meaning.says_none;
    return found && !work->reports_error && !work->is_of_rank && work->command.length == 0;
}

/* The last line of a command's output says how it ended. A command that failed before did its work
 * this time, without an error. */
static void settle_verdict(ScanWork *work, uint64_t last)
{
    LogRuns *runs = &work->file.runs;
    bool commanded = runs->kind != COMMAND_NONE && runs->failed_in[runs->now] != runs->execution;
    bool said = work->file.verdict > 0 && work->file.verdict == last;
    bool repeated = runs->error[runs->now] > 0 && runs->worked[runs->now] > 0;
    if (commanded && (said || repeated)) {
        log_runs_success(runs, last);
    }
}

void log_success_settle(LogScan *scan, uint64_t last)
{
    ScanWork *work = scan->work;
    char text[8];
    settle_verdict(work, last);
    if (work->file.late_order == 0 || work->file.late_order != last) {
        return;
    }
    log_runs_error(&work->file.runs, last);
    log_runs_hard(&work->file.runs);
    snprintf(text, sizeof text, "%d", work->file.late_status);
    log_digest_error(scan->digest, scan->file, work->file.late_line, str_from(text));
    work->file.late_order = 0;
}

/* Takes a line that only asks for a status. In `x; echo $?`, the status is that of `x`. */
static void take_question(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    Str command = work->command.length == 0 ? str_trim(line) : work->command;
    if (has_mark(work, MARK_STATUS) && log_asks_status(command)) {
        work->file.status_asked = scan->order;
        work->file.asks_first = log_asks_first(command);
        log_status_form(&work->file.status_form, command);
    }
}

/* Does the line show that the run did some of its work, after an error? */
static bool has_worked(const ScanWork *work, Str line)
{
    const LogSigns verdicts = 1U << SIGN_VERDICT | 1U << SIGN_OUTCOME | 1U << SIGN_OUTCOME_LAST |
                              1U << SIGN_OUTCOME_FIRST;
    const LogRuns *runs = &work->file.runs;
    if (work->reports_error || work->is_of_rank || runs->error[runs->now] == 0 ||
        runs->worked[runs->now] > 0) {
        return false;
    }
    bool judged = (work->signs & verdicts) != 0;
    return log_is_work_done(line) || (work->signs & 1U << SIGN_PROGRESS) != 0 ||
           (judged && log_meaning(line, work->signs).calm == LOG_CALM);
}

void log_success(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    take_retry(scan, line);
    int status = take_status(scan, line);
    LogSuccess success = work->reports_error ? LOG_NO_SUCCESS : work->meaning.success;
    bool asked = status == 0 && has_status(work);
    Unittest result = unittest_of(work, scan->order, line);
    bool unittest = result == UNITTEST_OK;
    bool sums_up = work->meaning.sums_up || result != UNITTEST_NONE;
    if (runs->in_session && !sums_up) {
        success = LOG_NO_SUCCESS; /* of one test, or of a program that a test starts */
    }
    if ((success == LOG_RUN_SUCCESS && work->command.length > 0) || work->is_of_rank) {
        success = LOG_NO_SUCCESS; /* `+ exit 0` is a command, and one rank is not the run */
    }
    success = asked || (unittest && runs->in_session) ? LOG_RUN_SUCCESS : success;
    work->file.success = success != LOG_NO_SUCCESS ? scan->order : work->file.success;
    bool retried = success == LOG_STEP_SUCCESS && log_runs_retried(runs);
    LogSum sum = unittest ? (LogSum){.kind = LOG_SUM_GOOD} : work->meaning.sum;
    sum.kind = work->is_of_rank && sum.kind == LOG_SUM_GOOD ? LOG_SUM_NONE : sum.kind;
    if (success == LOG_RUN_SUCCESS || retried) {
        bool ends = work->meaning.sums_up || log_ending(line) != ENDING_NONE;
        if (retried || asked || log_runs_retried(runs) || (ends && log_runs_resumed(runs))) {
            log_runs_answered(runs);
        }
        log_runs_success(runs, scan->order);
    } else if (sum.kind == LOG_SUM_NONE && (work->signs & 1U << SIGN_PROGRESS) != 0 &&
               !work->reports_error && !scan->trace.at_exception) {
        log_runs_progress(runs, scan->order);
    }
    if (sum.kind != LOG_SUM_NONE) {
        take_sum(scan, sum);
    }
    bool ended = take_ending(scan, line);
    bool worked = has_worked(work, line);
    if (worked && log_runs_retried(runs)) { /* what was tried again went well */
        log_runs_answered(runs);
        log_runs_success(runs, scan->order);
    }
    /* After an error of this execution, "process exited with code 0" may be of another process. */
    bool over = ended && runs->failed_in[runs->now] != runs->execution;
    if (over || sum.kind == LOG_SUM_GOOD || success == LOG_RUN_SUCCESS || worked) {
        log_runs_worked(runs);
    }
    if (sums_up) {
        log_runs_summary(runs);
    }
    if (success == LOG_STEP_SUCCESS && str_starts(str_trim(line), STR("Successfully installed"))) {
        log_runs_installed(runs, scan->order);
    }
    work->file.verdict = is_verdict(work, line) ? scan->order : work->file.verdict;
    work->file.step_success = success == LOG_STEP_SUCCESS ? scan->order : work->file.step_success;
    take_question(scan, line);
}
