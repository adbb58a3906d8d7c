/* Takes what lines say of runs that go on, are tried again, or went well; see log_success.h. */
#include "diagnose/log_success.h"

#include "base/ascii.h"
#include "diagnose/log_ending.h"
#include "diagnose/log_markers.h"

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

/* Takes what the line says of the whole run, and whether its work is done. */
static void take_ending(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    LogEnding ending = (work->signs & 1U << SIGN_ENDED) != 0 ? log_ending(line) : ENDING_NONE;
    bool finished = (work->signs & 1U << SIGN_FINISH) != 0 && !work->reports_error;
    work->file.is_drill = work->file.is_drill || (work->signs & 1U << SIGN_DRILL) != 0;
    work->file.success = finished || ending != ENDING_NONE ? scan->order : work->file.success;
    bool well = ending == ENDING_WELL || (ending == ENDING_DRILL && work->file.is_drill) ||
                (ending == ENDING_TESTS && !log_runs_has_counted(runs)) ||
                (ending == ENDING_STATUS && !log_runs_is_grave(runs));
    if (ending == ENDING_SCRIPT) {
        log_runs_all_answered(runs, scan->order);
    } else if (well) {
        log_runs_answered(runs);
        log_runs_success(runs, scan->order);
    }
}

/* "139" as the answer to `echo $?`: a signal, a time limit or no such command, and often the only
 * line that says so. Lower ones may be an answer (`grep`, `diff`). */
static bool is_bad_status(Str line)
{
    enum { LEAST = 126, MOST_DIGITS = 3, TEN = 10 };
    line = str_trim(line);
    int number = 0;
    for (size_t i = 0; i < line.length && number >= 0; i++) {
        number = is_digit(line.at[i]) ? number * TEN + (line.at[i] - '0') : -1;
        number = i < MOST_DIGITS ? number : -1;
    }
    return number >= LEAST;
}

void log_success(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    take_retry(scan, line);
    if (work->file.status_asked + 1 == scan->order && is_bad_status(line)) {
        work->reports_error = true;
        work->meaning.most = STRENGTH_CERTAIN;
        log_runs_error(&work->file.runs, scan->order);
        log_runs_hard(&work->file.runs);
    }
    LogSuccess success = work->reports_error ? LOG_NO_SUCCESS : work->meaning.success;
    bool asked = work->file.status_asked + 1 == scan->order && str_is(str_trim(line), "0") &&
                 log_runs_has_status(&work->file.runs);
    bool sums_up = work->meaning.sums_up;
    if (work->file.runs.in_session && !sums_up) {
        success = LOG_NO_SUCCESS; /* of one test, or of a program that a test starts */
    }
    success = asked ? LOG_RUN_SUCCESS : success;
    work->file.success = success != LOG_NO_SUCCESS ? scan->order : work->file.success;
    bool retried = success == LOG_STEP_SUCCESS && log_runs_retried(&work->file.runs);
    if (success == LOG_RUN_SUCCESS || retried) {
        if (retried || asked || log_runs_retried(&work->file.runs)) {
            log_runs_answered(&work->file.runs);
        }
        log_runs_success(&work->file.runs, scan->order);
    } else if ((work->signs & 1U << SIGN_PROGRESS) != 0 && !work->reports_error &&
               !scan->trace.at_exception) {
        log_runs_progress(&work->file.runs, scan->order);
    }
    take_ending(scan, line);
    if (sums_up) {
        log_runs_summary(&work->file.runs);
    }
    work->file.step_success = success == LOG_STEP_SUCCESS ? scan->order : work->file.step_success;
    if (has_mark(work, MARK_STATUS) && !str_contains(line, STR(";"))) {
        work->file.status_asked = scan->order; /* not of what stands before it on its line */
    }
}
