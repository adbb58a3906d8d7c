/* Keeps what matched in a log; see log_match.h. */
#include "diagnose/log_match.h"

#include "diagnose/device_number.h"
#include "diagnose/log_evidence.h"
#include "diagnose/log_progress.h"

enum { PLACE_LINES = 6 }; /* a place named up to so many lines after an error belongs to it */

/* What a run got over is not why it failed later; a warning is nothing once anything went well. */
static void overcome(const ScanWork *work, LogMatch *match)
{
    if (match->order <= work->file.begin) {
        return;
    }
    match->went_on =
        log_runs_went_on(&work->file.runs, match->run, match->last) ||
        log_runs_left(&work->file.runs, match->last_run, match->execution, match->last);
    bool over = match->order < work->file.step_success ||
                match->order < work->file.runs.run[match->run].success ||
                (match->is_warning && match->order < work->file.success);
    if (log_lasts(match->text)) {
        over = log_runs_well_since(&work->file.runs, match->last, match->execution);
    }
    if (over) {
        match->is_overcome = true;
        match->strength = match->is_warning                    ? STRENGTH_NONE
                          : match->strength > STRENGTH_SYMPTOM ? STRENGTH_SYMPTOM
                                                               : match->strength;
    }
}

void log_match_handling(LogScan *scan)
{
    for (uint32_t i = 0; i < pattern_count && scan->exception_order > 0; i++) {
        LogMatch *match = &scan->matches[i];
        if (match->order >= scan->exception_order) {
            match->is_handled = true;
            match->strength = match->strength > STRENGTH_LIKELY ? STRENGTH_LIKELY : match->strength;
        }
    }
}

/* The device that the line names, or else the one that its command queries. */
static void take_device(const ScanWork *work, LogMatch *match, Str line)
{
    if (match->device == 0) {
        int named = device_number(line);
        match->device = (named < 0 ? work->file.command_device : named) + 1;
    }
}

/* Adds another line of the same strength to the match. */
static void take_again(const LogScan *scan, LogMatch *match, Str line)
{
    const ScanWork *work = scan->work;
    take_device(work, match, line);
    match->last = scan->order;
    match->last_run = work->file.runs.now;
    match->execution = work->file.runs.execution;
    match->is_own = match->is_own || work->is_own;
    /* A logger prints the message first, then the traceback that ends with it. */
    if (match->place.rank == PLACE_NONE && scan->trace.state == TRACE_EXCEPTION &&
        match->execution == work->file.runs.execution) {
        match->place = scan->trace.frame;
    }
}

/* Is it a failure that no script ignores on purpose? Scripts often ignore those of commands and of
 * the system ("rm: cannot remove 'x'", a cancelled step), but not those that kernels report. */
static bool is_of_kernel(const Pattern *pattern)
{
    return pattern->strength == STRENGTH_CERTAIN ||
           (pattern->level != ROW_WORDS && pattern->category < DIAGNOSIS_OTHER);
}

/* Counts a cause in a line of strength `most` as an error of the run. */
static void take_failure(LogScan *scan, const Pattern *pattern, Strength most, Str line)
{
    Strength own = pattern->strength;
    const LineMeaning *meaning = &scan->work->meaning;
    LogRuns *runs = &scan->work->file.runs;
    if (most > STRENGTH_SYMPTOM && own > STRENGTH_SYMPTOM && !meaning->is_warning) {
        log_runs_error(runs, scan->order);
        log_runs_grave(runs);
        scan->work->file.uncaught |= !log_is_caught(line);
        if (pattern->category == DIAGNOSIS_PRECISION) {
            log_runs_counted(runs); /* other cases that pass do not correct a wrong result */
        }
    }
    if (meaning->most > STRENGTH_LIKELY && own > STRENGTH_SYMPTOM) {
        log_runs_hard(runs);
        if (own == STRENGTH_CERTAIN) {
            log_runs_certain(runs);
        }
        if (is_of_kernel(pattern)) {
            log_runs_raised(runs, scan->order);
        }
    }
}

void log_match_take(LogScan *scan, uint32_t pattern, Str line, uint64_t number, Strength most)
{
    const LineMeaning *meaning = &scan->work->meaning;
    LogMatch *match = &scan->matches[pattern];
    if (scan->trace.state == TRACE_EXCEPTION) {
        scan->exception_known = true;
    }
    Strength own = patterns[pattern].strength;
    Strength strength = own < most ? own : most;
    ScanWork *work = scan->work;
    bool warned = work->file.is_warned && scan->trace.state == TRACE_EXCEPTION;
    bool again = work->judged[pattern] == work->stamp; /* another form of it */
    work->file.known = scan->order;
    work->judged[pattern] = work->stamp;
    work->taken[pattern] = most;
    overcome(work, match);
    match->count += again ? 0 : 1;
    if (!warned && !log_lasts(line)) {
        take_failure(scan, &patterns[pattern], most, line);
    }
    if (match->count > 1 && strength == match->strength) {
        take_again(scan, match, line);
    }
    bool fresh = match->is_overcome && strength == match->strength;
    if (match->count > 1 && !fresh && strength <= match->strength) {
        return;
    }
    match->pattern = &patterns[pattern];
    match->strength = strength;
    match->is_played_down = meaning->most < STRENGTH_LIKELY;
    match->is_warning = meaning->is_warning || match->is_played_down || warned;
    match->is_own = work->is_own;
    match->went_on = false;
    match->is_overcome = match->is_handled = false;
    match->order = match->last = scan->order;
    match->line = number;
    match->run = match->last_run = work->file.runs.now;
    match->execution = work->file.runs.execution;
    match->is_after_unknown =
        work->file.unknown > 0 && work->file.unknown_in == work->file.runs.execution;
    match->file = scan->file;
    match->text = log_digest_text(scan->arena, &match->kept[0], work->whole);
    match->message = STR("");
    match->device = 0;
    take_device(work, match, line);
    match->place = scan->trace.state == TRACE_EXCEPTION ? scan->trace.frame
                                                        : log_place_in(line, scan->trace.kernel);
    log_evidence_match(scan, match);
    scan->work->file.shown_until = scan->order + PLACE_LINES;
    if (match->place.rank == PLACE_NONE && strength > STRENGTH_SYMPTOM) {
        scan->work->file.waiting = match;
        scan->work->file.waiting_until = scan->order + PLACE_LINES;
    }
}

/* "--> softmax_impl.py:52:14", or "softmax_impl.py:52: y = pypto.exp(x)": PyPTO shows the line of
 * the kernel that caused the error, which is deeper than Python's traceback goes. */
static void take_shown_place(LogScan *scan, const LogPlace *place, bool is_arrow)
{
    uint64_t from = scan->work->file.shown_until - PLACE_LINES;
    for (uint32_t i = 0; i < pattern_count; i++) {
        LogMatch *match = &scan->matches[i];
        bool near = match->count > 0 && match->order + PLACE_LINES >= from && match->order <= from;
        if (near && (is_arrow || place->rank > match->place.rank)) {
            match->place = *place;
        }
    }
    scan->work->file.shown_until = 0;
}

void log_match_place(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogPlace place = log_place_in(line, scan->trace.kernel);
    bool is_arrow = str_starts(str_trim(line), STR("-->"));
    bool begins = place.rank >= PLACE_IMPL && str_starts(str_trim(line), str_from(place.file));
    if (place.rank != PLACE_NONE && scan->order <= work->file.shown_until && (is_arrow || begins)) {
        take_shown_place(scan, &place, is_arrow);
    }
    if (place.rank > scan->first_place.rank) {
        scan->first_place = place;
    }
    bool waits = work->file.waiting != NULL && scan->order <= work->file.waiting_until;
    if (waits && place.rank > work->file.waiting->place.rank) {
        work->file.waiting->place = place;
    }
}

void log_match_message(LogScan *scan, Str line)
{
    LogMatch *coded = scan->work->file.coded;
    scan->work->file.coded = NULL;
    line = str_trim(str_starts(line, STR("E ")) ? str_slice(line, 2, line.length) : line);
    bool frame = str_starts(line, STR("func ")) || str_starts(line, STR("-->")) ||
                 str_starts(line, STR("File \""));
    if (coded != NULL && coded->order + 1 == scan->order && !frame) {
        coded->message = log_digest_text(scan->arena, &coded->kept[1], line);
    }
}

void log_match_file_end(LogScan *scan)
{
    enum { MOST_TEXT = 4 * OWN_NAME };
    char text[MOST_TEXT];
    Str report = own_report_text(&scan->work->file.own, text, sizeof text);
    for (uint32_t i = 0; i < pattern_count; i++) {
        LogMatch *match = &scan->matches[i];
        overcome(scan->work, match);
        bool here = match->count > 0 && match->order > scan->work->file.begin;
        if (here && report.length > 0 && str_starts(str_from(patterns[i].id), STR("verify."))) {
            match->message = log_digest_text(scan->arena, &match->kept[1], report);
        }
    }
}
