/* Takes what speaks against causes; see log_doubts.h. */
#include "diagnose/log_doubts.h"

#include "diagnose/log_ending.h"
#include "diagnose/log_progress.h"

void log_own_report(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    const LogRun *run = log_runs_now(&work->file.runs);
    bool has_failed = run->error > run->success;
    work->own_line = scan_has_mark(work, MARK_OWN)
                         ? own_report_line(&work->file.own, line, has_failed)
                         : OWN_OTHER;
    work->file.pod_succeeded = work->file.pod_succeeded || log_pod_succeeded(line);
    if (work->own_line == OWN_SKIP || (work->file.pod_succeeded && log_is_pod_warning(line))) {
        work->hits.count = 0;
        work->marks = work->signs = 0;
    }
}

/* Keeps an error that no pattern knows, unless it only announces the traceback that begins in the
 * next line ("ERROR serving: request failed"). */
static void take_unknown(LogScan *scan, Str line, bool fails, bool traceback)
{
    ScanWork *work = scan->work;
    bool announces = work->file.unknown + 1 == scan->order && traceback;
    work->file.unknown = announces && work->file.unknown_announces ? 0 : work->file.unknown;
    if (fails && work->called_error && !work->meaning.is_prose && work->file.known != scan->order &&
        !str_contains(line, STR(".py::"))) {
        work->file.unknown_announces = work->file.unknown == 0 && log_announces(line);
        work->file.unknown = scan->order;
        work->file.unknown_in = work->file.runs.execution;
    }
}

void log_doubts(LogScan *scan, Str line, bool traceback)
{
    ScanWork *work = scan->work;
    LogRuns *runs = &work->file.runs;
    Str text = str_trim(line);
    if (work->own_line == OWN_PASS) {
        log_runs_answered(runs);
        log_runs_success(runs, scan->order);
    }
    if (str_is(text, "Expected:") || (work->file.expects && str_starts(text, STR("Got")))) {
        work->file.expects = str_is(text, "Expected:");
    }
    bool fails = work->reports_error && work->meaning.most > STRENGTH_SYMPTOM;
    bool open = log_runs_now(runs)->error > log_runs_now(runs)->progress;
    if (open && !work->reports_error && !scan->trace.at_exception && log_is_work(line)) {
        log_runs_progress(runs, scan->order);
    }
    if (fails) {
        log_runs_last_error(runs, line, scan->order);
    }
    take_unknown(scan, line, fails, traceback);
}
