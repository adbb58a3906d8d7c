/* Finds out whether a run is at work, tries again or succeeds; see log_success.h. */
#include "diagnose/log_success.h"

#include "base/ascii.h"
#include "diagnose/log_ending.h"
#include "diagnose/log_progress.h"
#include "diagnose/word_list.h"

#include <stdio.h>

static void take_retry(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    /* pip only retries its connection. */
    if (scan_has_mark(work, MARK_RETRY) && !str_contains(line, STR("Retry(total="))) {
        log_runs_retry(&work->file.runs, scan->order, log_retries_it(line));
    }
}

/* The line reports a failure that its words alone do not show. */
static void fail(LogScan *scan)
{
    ScanWork *work = scan->work;
    work->reports_error = true;
    work->meaning.most = STRENGTH_CERTAIN;
    log_runs_error(&work->file.runs, scan->order);
    log_runs_hard(&work->file.runs);
}

/* "training finished successfully": has the program caught all of its exceptions and worked on
 * after the last one? */
static bool ends_after_caught(const ScanWork *work, Str line)
{
    bool says = str_contains(line, STR(" finished successfully")) ||
                str_contains(line, STR(" completed successfully"));
    return says && !work->file.uncaught && !work->is_of_rank && log_runs_resumed(&work->file.runs);
}

/* "fault injection: disabled", "error_inject=0" */
static bool says_off(Str line)
{
    static const char *const words[] = {"disabled", " off", "false", "none",  "not ",
                                        "=0",       ": 0",  "关闭",  "未启用"};
    return HAS_FOLDED(words, line);
}

/* How the program, the job or the script ended, according to the line. One rank does not speak for
 * all. */
static LogEnding ending_of(const ScanWork *work, Str line)
{
    bool maybe = scan_has_sign(work, SIGN_ENDED) && !work->is_of_rank;
    return maybe ? log_ending(line) : ENDING_NONE;
}

/* Does the ending mean that the run succeeded, whatever errors it reported? */
static bool is_success(const ScanWork *work, LogEnding ending)
{
    const LogRuns *runs = &work->file.runs;
    switch (ending) {
    case ENDING_WELL:
        return true;
    case ENDING_DRILL:
        return work->file.is_drill;
    case ENDING_TESTS:
        return !log_runs_has_counted(runs);
    case ENDING_STATUS:
        return !log_runs_is_grave(runs) || log_runs_resumed(runs);
    default:
        return false;
    }
}

static void take_ending(LogScan *scan, Str line, LogEnding ending)
{
    ScanWork *work = scan->work;
    FileState *file = &work->file;
    LogRuns *runs = &file->runs;
    bool finished = scan_has_sign(work, SIGN_FINISH) && !work->reports_error;
    file->is_drill = file->is_drill || (scan_has_sign(work, SIGN_DRILL) && !says_off(line));
    file->success = finished || ending != ENDING_NONE ? scan->order : file->success;
    switch (ending) {
    case ENDING_RECAP:
        file->recap_failed = false;
        break;
    case ENDING_HOST_FAILED:
        file->recap_failed = true;
        fail(scan);
        break;
    case ENDING_HOST:
        if (!file->recap_failed) {
            log_runs_command_answered(runs, scan->order);
        }
        break;
    case ENDING_IMAGE:
        log_runs_command_answered(runs, scan->order);
        break;
    case ENDING_SCRIPT:
        log_runs_all_answered(runs, scan->order, false);
        break;
    case ENDING_JOB:
        log_runs_all_answered(runs, scan->order, true);
        break;
    case ENDING_POD: /* may be a different pod from the one that raised the exception */
        log_runs_all_answered(runs, scan->order, !log_runs_has_raised(runs));
        break;
    case ENDING_IGNORED:
        log_runs_ignored(runs, scan->order);
        break;
    default:
        if (is_success(work, ending) || (finished && ends_after_caught(work, line))) {
            log_runs_answered(runs);
            log_runs_success(runs, scan->order);
            if (ending == ENDING_STATUS) {
                log_runs_summed(runs);
            }
        }
    }
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
    /* An earlier summary since the error does not show that the failed cases worked on. */
    bool resumed = log_runs_resumed(runs) && work->file.good_sum <= log_runs_now(runs)->error;
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
    return status >= LEAST_BAD || (status == TIME_LIMIT && runs->command.has_limit);
}

/* Does `echo $?` give the status of the work that the last command did? Not so after
 * `make | tee log`, unless it asks for the first status of the pipe, nor after
 * `make | tee log; date`. */
static bool has_status(const ScanWork *work)
{
    CommandShape shape = work->file.runs.command.shape;
    return shape == SHAPE_SINGLE || (shape == SHAPE_PIPE && work->file.asks_first);
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
    int late = runs->command.asks_late ? log_status_of(&bare, line) : -1;
    if (is_bad(runs, late)) {
        work->file.late_order = scan->order;
        work->file.late_line = work->file.number;
        work->file.late_status = late;
    }
    return status;
}

/* "Hello world: PASS", "OK"; but not "Health Status     : OK", which is an attribute. */
static bool ends_with_verdict(Str line)
{
    static const char *const ends[] = {" PASS", " PASSED", " OK", " ok", " SUCCESS"};
    bool found = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !found; i++) {
        found = str_is(line, ends[i] + 1) || str_ends(line, str_from(ends[i]));
    }
    return found && !str_contains(line, STR(" : "));
}

static bool is_verdict(const ScanWork *work, Str line)
{
    return !work->reports_error && !work->is_of_rank && work->command.length == 0 &&
           (work->meaning.says_none || ends_with_verdict(str_trim(line)));
}

/* A command succeeded if it reports no error and its last line is a verdict. If it failed earlier,
 * it is enough that it did its work this time. */
static void settle_verdict(ScanWork *work, uint64_t last)
{
    LogRuns *runs = &work->file.runs;
    const LogRun *run = log_runs_now(runs);
    bool commanded = runs->command.kind != COMMAND_NONE && run->failed != runs->execution;
    bool said = work->file.verdict > 0 && work->file.verdict == last;
    bool repeated = run->error > 0 && run->has_worked;
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
    if (scan_has_mark(work, MARK_STATUS) && log_asks_status(command)) {
        work->file.status_asked = scan->order;
        work->file.asks_first = log_asks_first(command);
        log_status_form(&work->file.status_form, command);
    }
}

/* Is the line the first since the run's last error to show that it did some of its work? */
static bool has_worked(const ScanWork *work, Str line)
{
    const LogSigns verdicts = 1U << SIGN_VERDICT | 1U << SIGN_OUTCOME | 1U << SIGN_OUTCOME_LAST |
                              1U << SIGN_OUTCOME_FIRST;
    const LogRun *run = log_runs_now(&work->file.runs);
    if (work->reports_error || work->is_of_rank || run->error == 0 || run->has_worked) {
        return false;
    }
    bool judged = (work->signs & verdicts) != 0;
    return log_is_work_done(line) || scan_has_sign(work, SIGN_PROGRESS) ||
           (judged && log_meaning(line, work->signs).calm == LOG_CALM);
}

/* What a line reports about the run. */
typedef struct Report {
    LogSuccess success;
    LogSum sum;
    LogEnding ending;
    bool sums_up;  /* a session of tests, passed or failed */
    bool answered; /* the answer to `echo $?` is 0 */
} Report;

static Report report_of(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    const LineMeaning *meaning = &work->meaning;
    int status = take_status(scan, line);
    Unittest unittest = unittest_of(work, scan->order, line);
    Report report = {
        .success = meaning->success,
        .sum = unittest == UNITTEST_OK ? (LogSum){.kind = LOG_SUM_GOOD} : meaning->sum,
        .ending = ending_of(work, line),
        .sums_up = meaning->sums_up || unittest != UNITTEST_NONE,
        .answered = status == 0 && has_status(work),
    };
    bool in_session = work->file.runs.in_session;
    /* One rank, one test, or a program that a test starts does not speak for the run. */
    bool is_part = work->is_of_rank || (in_session && !report.sums_up);
    /* `+ exit 0` is a command, not a result. */
    bool is_command = report.success == LOG_RUN_SUCCESS && work->command.length > 0;
    if (work->reports_error || is_part || is_command) {
        report.success = LOG_NO_SUCCESS;
    }
    if (report.answered || (unittest == UNITTEST_OK && in_session)) {
        report.success = LOG_RUN_SUCCESS;
    }
    if (work->is_of_rank && report.sum.kind == LOG_SUM_GOOD) {
        report.sum.kind = LOG_SUM_NONE;
    }
    return report;
}

/* Records the success of the run, or of a step if the run has tried again. False: there is none. */
static bool take_success(LogScan *scan, const Report *report)
{
    LogRuns *runs = &scan->work->file.runs;
    bool retried = log_runs_retried(runs);
    if (report->success == LOG_NO_SUCCESS || (report->success == LOG_STEP_SUCCESS && !retried)) {
        return false;
    }
    bool ends = scan->work->meaning.sums_up || report->ending != ENDING_NONE;
    if (retried || report->answered || (ends && log_runs_resumed(runs))) {
        log_runs_answered(runs);
    }
    log_runs_success(runs, scan->order);
    return true;
}

/* Records work that the run did after an error. If it had tried again, this is the success of the
 * retry. */
static void take_work(LogScan *scan, Str line, const Report *report)
{
    LogRuns *runs = &scan->work->file.runs;
    bool worked = has_worked(scan->work, line);
    if (worked && log_runs_retried(runs)) {
        log_runs_answered(runs);
        log_runs_success(runs, scan->order);
    }
    /* After an error in this execution, "process exited with code 0" may be about another one. */
    bool ended = report->ending == ENDING_STATUS && log_runs_now(runs)->failed != runs->execution;
    if (worked || ended || report->sum.kind == LOG_SUM_GOOD || report->success == LOG_RUN_SUCCESS) {
        log_runs_worked(runs);
    }
}

void log_success(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    FileState *file = &work->file;
    take_retry(scan, line);
    const Report report = report_of(scan, line);
    file->success = report.success != LOG_NO_SUCCESS ? scan->order : file->success;
    file->step_success = report.success == LOG_STEP_SUCCESS ? scan->order : file->step_success;
    bool succeeded = take_success(scan, &report);
    if (report.sum.kind != LOG_SUM_NONE) {
        take_sum(scan, report.sum);
    } else if (!succeeded && scan_has_sign(work, SIGN_PROGRESS) && !work->reports_error &&
               !scan->trace.at_exception) {
        log_runs_progress(&file->runs, scan->order);
    }
    take_ending(scan, line, report.ending);
    take_work(scan, line, &report);
    if (report.sums_up) {
        log_runs_summary(&file->runs);
    }
    if (report.success == LOG_STEP_SUCCESS &&
        str_starts(str_trim(line), STR("Successfully installed"))) {
        log_runs_installed(&file->runs, scan->order);
    }
    file->verdict = is_verdict(work, line) ? scan->order : file->verdict;
    take_question(scan, line);
}
