/* Scans a log for patterns; see log_scan.h. */
#include "diagnose/log_scan.h"

#include "base/ascii.h"
#include "diagnose/glob.h"
#include "diagnose/log_commands.h"
#include "diagnose/log_doubts.h"
#include "diagnose/log_evidence.h"
#include "diagnose/log_forms.h"
#include "diagnose/log_match.h"
#include "diagnose/log_prefix.h"
#include "diagnose/log_progress.h"
#include "diagnose/log_prompt.h"
#include "diagnose/log_sections.h"
#include "diagnose/log_stated.h"
#include "diagnose/log_success.h"
#include "diagnose/word_list.h"

enum {
    HEAD_LINES = 3, /* so many lines after one that is called an error explain it */
    /* Bytes of lines compared with the forms of one pattern, after which a pattern that was found
     * is not looked for any more: thousands of its lines tell nothing new. */
    FOUND_EFFORT = 1 << 20,
    /* Bytes of lines compared with any forms: so many, and so many for each byte that was read. An
     * ordinary log takes less than one for each byte; a log of nothing but patterns is cut here. */
    FREE_EFFORT = 64 << 20,
    EFFORT_PER_BYTE = 16,
    COMPARISON_EFFORT = 4, /* counted for each comparison besides the line's bytes */
};

LogScan *log_scan_begin(Arena *arena, const LogForms *forms, Str kernel)
{
    LogScan *scan = ARENA_NEW(arena, LogScan);
    ScanWork *work = ARENA_NEW(arena, ScanWork);
    scan->arena = arena;
    scan->work = work;
    scan->matches = ARENA_ARRAY(arena, LogMatch, pattern_count);
    scan->digest = ARENA_NEW(arena, LogDigest);
    log_digest_begin(scan->digest, arena);
    log_trace_begin(&scan->trace, kernel);
    work->forms = forms;
    work->seen = ARENA_ARRAY(arena, uint32_t, forms->alternatives.count);
    work->judged = ARENA_ARRAY(arena, uint32_t, pattern_count);
    work->taken = ARENA_ARRAY(arena, Strength, pattern_count);
    work->effort = ARENA_ARRAY(arena, uint64_t, pattern_count);
    work->evidence = ARENA_ARRAY(arena, LogSeen, pattern_count);
    return scan;
}

/* A level for errors at the start of a line without any word for one: "[E] x", glog's "E0101 x". */
static bool begins_with_error(const LogScan *scan, Str line)
{
    bool glog = line.length > 2 && (line.at[0] == 'E' || line.at[0] == 'F') &&
                is_digit(line.at[1]) && is_digit(line.at[2]);
    return scan_has_sign(scan->work, SIGN_LEVEL_ERROR) ||
           ((glog || scan_has_mark(scan->work, MARK_LEVEL)) &&
            log_head_level(line) == LOG_LEVEL_ERROR);
}

/* `grep -c ERROR plog`, `trap 'echo failed' ERR`: the words of a command that only shows or sets up
 * something are not an error. A prompt never has a word for an error ("[ERROR] task # find
 * failed"). */
static bool is_query(const LogScan *scan, Str line)
{
    static const char *const words[] = {"error", "fail", "fatal", "exception", "abort", "crit"};
    Str command = scan->work->command;
    if (scan->work->command_kind < COMMAND_SETS_UP) {
        return false;
    }
    Str prompt = str_slice(line, 0, str_find(line, command, 0));
    return !HAS_FOLDED(words, prompt);
}

/* Takes the meaning of a line that may matter. */
static void take_meaning(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    bool named = log_digest_is_error(line);
    bool head = named || scan_has_mark(work, MARK_HEAD) || begins_with_error(scan, line);
    bool error = head || scan_has_mark(work, MARK_ERROR);
    work->reports_error = work->called_error = false;
    work->under_head = scan->order <= work->file.head_until;
    work->meaning = (LineMeaning){0};
    if ((error || work->hits.count > 0) && is_query(scan, line)) {
        work->hits.count = 0;
        return;
    }
    if (!error && work->hits.count == 0 && (work->signs & SIGNS_OF_OUTCOME) == 0) {
        return;
    }
    work->meaning = log_meaning(line, work->signs);
    const LineMeaning *meaning = &work->meaning;
    error = error || meaning->counts_failures;
    if (meaning->counts_failures) {
        log_runs_hard(&work->file.runs);
        log_runs_counted(&work->file.runs);
    }
    work->reports_error =
        error && !meaning->says_none && meaning->calm == LOG_NOT_CALM && !meaning->denies;
    work->called_error = named || meaning->level == LOG_LEVEL_ERROR;
    if (work->called_error && work->reports_error && !meaning->is_prose &&
        meaning->most > STRENGTH_SYMPTOM) {
        work->file.head_until = scan->order + HEAD_LINES;
    }
}

static uint64_t most_effort(const LogScan *scan)
{
    return FREE_EFFORT + EFFORT_PER_BYTE * scan->bytes;
}

/* Is there nothing to learn from further lines of this pattern but their number? Not so where the
 * exception of a traceback is to be explained. When half of the effort is spent, the rest is for
 * patterns that were not found yet. */
static bool is_settled(const LogScan *scan, uint32_t pattern)
{
    const LogMatch *match = &scan->matches[pattern];
    bool enough =
        scan->work->effort[pattern] > FOUND_EFFORT || scan->effort > most_effort(scan) / 2;
    bool best = match->strength == patterns[pattern].strength || match->strength >= STRENGTH_LIKELY;
    return enough && match->count > 0 && best && scan->trace.state != TRACE_EXCEPTION;
}

/* Counts the effort of a comparison; false if the log has had its share. */
static bool may_compare(LogScan *scan, uint32_t pattern, size_t length)
{
    uint64_t effort = length + COMPARISON_EFFORT;
    if (scan->effort + effort > most_effort(scan)) {
        return false;
    }
    scan->effort += effort;
    scan->work->effort[pattern] += effort;
    return true;
}

/* Is the match the program's own report? That takes a line that is called an error, or one that
 * consists of the words ("sh: 1: cmake: command not found"), and not one in the text of a
 * docstring or a commit, which is indented as no program indents its errors. */
static bool is_own(const LogScan *scan, Str glob, Str line, GlobSpan span, bool called_error,
                   bool stated)
{
    enum { MOST_INDENT = 4 };
    bool traced = scan->trace.state == TRACE_EXCEPTION;
    size_t indent = 0;
    while (indent < line.length && line.at[indent] == ' ') {
        indent++;
    }
    if (scan->work->file.expects || log_runs_shows_text(&scan->work->file.runs)) {
        return false;
    }
    bool quoted =
        !traced && (indent >= MOST_INDENT || scan->work->file.in_commit) && !scan->work->under_head;
    return stated && !quoted && (called_error || log_is_whole(line, glob, span));
}

/* The strength that the alternative has in the line; STRENGTH_NONE if the line does not have its
 * words, or does not mean them. Words that stand amid others are not certain, unless the program
 * calls the line an error. */
static Strength strength_of(const LogScan *scan, const Alternative *one, Str line)
{
    const ScanWork *work = scan->work;
    GlobSpan span;
    if (!glob_find(one->glob, line, &span)) {
        return STRENGTH_NONE;
    }
    bool called_error = work->called_error || scan->order <= work->file.head_until ||
                        scan->trace.state == TRACE_EXCEPTION;
    bool code = glob_is_code(one->glob), spoken = code && log_is_spoken_of(line, span);
    bool stated = called_error || code || (!one->is_name && log_is_stated(line, span));
    stated = stated && !(work->file.is_warned && scan->trace.state == TRACE_EXCEPTION);
    stated = stated && !work->meaning.is_prose && !log_is_within_quotes(line, span.begin);
    if (str_contains(one->glob, STR("not*"))) {
        span.last = span.begin; /* the negation is the error: "driver*not*loaded" */
    }
    if (!one->is_name && log_is_denied(&work->meaning, line, span)) {
        return STRENGTH_NONE;
    }
    called_error = called_error || (code && work->reports_error);
    scan->work->is_own = !spoken && is_own(scan, one->glob, line, span, called_error, stated);
    Strength most = work->meaning.most;
    return stated || most < STRENGTH_LIKELY ? most : STRENGTH_LIKELY;
}

/* May the alternative count in this line at all? */
static bool may_count(const ScanWork *work, const Alternative *one)
{
    const LineMeaning *meaning = &work->meaning;
    bool settled = work->judged[one->pattern] == work->stamp &&
                   work->taken[one->pattern] >= work->meaning.most;
    bool plain = one->wants_error || patterns[one->pattern].level == ROW_WORDS;
    return (work->reports_error || !plain) &&
           (one->is_name ? meaning->calm != LOG_CALM : meaning->calm == LOG_NOT_CALM) && !settled;
}

/* Takes a match for each pattern in the line: of several forms the most certain one. */
static void judge_hits(LogScan *scan, Str line, uint64_t number)
{
    ScanWork *work = scan->work;
    for (uint32_t i = 0; i < work->hits.count && work->meaning.most > STRENGTH_NONE; i++) {
        const Alternative *one = &work->forms->alternatives.items[work->hits.items[i]];
        uint32_t pattern = one->pattern;
        if (!may_count(work, one)) {
            continue;
        }
        if (is_settled(scan, pattern)) {
            scan->matches[pattern].at_least = true;
            continue;
        }
        if (!may_compare(scan, pattern, line.length)) {
            scan->lines_cut += work->cut_stamp != work->stamp;
            work->cut_stamp = work->stamp;
            break;
        }
        Strength strength = strength_of(scan, one, line);
        bool weaker = work->judged[pattern] == work->stamp && strength <= work->taken[pattern];
        if (strength != STRENGTH_NONE && !weaker) {
            log_match_take(scan, pattern, line, number, strength);
            bool code = glob_is_code(one->glob) && str_contains(line, STR("ErrCode"));
            LogMatch *match = &scan->matches[pattern];
            work->file.coded = code && match->order == scan->order ? match : work->file.coded;
        }
    }
    work->hits.count = 0;
}

static void take_exception(LogScan *scan, uint64_t number)
{
    Str text = str_slice(str_trim(scan->work->whole), 0, DIGEST_TEXT);
    scan->exceptions_unknown += scan->exception_order > 0 && !scan->exception_known;
    memcpy(scan->exception, text.at, text.length);
    scan->exception[text.length] = '\0';
    scan->exception_file = scan->file;
    scan->exception_line = number;
    scan->exception_order = scan->order;
    scan->exception_known = false;
    if (scan->trace.frame.rank > scan->first_place.rank) {
        scan->first_place = scan->trace.frame;
    }
}

/* Does the line report an error, and not as a warning? A line of information reports
 * one if it gives FAILED as an outcome. */
static bool is_told(const ScanWork *work)
{
    const LineMeaning *meaning = &work->meaning;
    bool outcome = meaning->counts_failures && meaning->level == LOG_LEVEL_QUIET &&
                   !scan_has_sign(work, SIGN_DEBUG);
    /* pip warns while it retries; if it gives up, it reports an error. */
    bool download = meaning->is_warning && scan_has_sign(work, SIGN_DOWNLOAD);
    return work->reports_error && !download && (meaning->most > STRENGTH_SYMPTOM || outcome);
}

/* Counts errors and exceptions of the run. Unless the program goes on, a later success may come
 * from something else in the run. */
static void take_error(LogScan *scan, Str line, bool raised)
{
    ScanWork *work = scan->work;
    bool shown = work->file.is_warned && scan->trace.state == TRACE_EXCEPTION;
    bool reported = is_told(work) && !shown && !log_lasts(line);
    raised = raised && !work->file.is_warned && !work->file.in_commit;
    if (reported || raised) {
        log_runs_error(&work->file.runs, scan->order);
        work->file.uncaught = work->file.uncaught || raised || !log_is_caught(line);
        if (work->meaning.most != STRENGTH_LIKELY) {
            log_runs_hard(&work->file.runs);
        }
        if (raised) {
            log_runs_grave(&work->file.runs);
            log_runs_raised(&work->file.runs, scan->order);
        }
    }
}

/* Finds the forms, markers, signs and the command of a line. Returns the line as its program wrote
 * it. */
static Str search(LogScan *scan, Str line, bool first)
{
    ScanWork *work = scan->work;
    LogPrefix prefix = {0};
    if (first) {
        prefix = log_prefix(line);
    }
    scan->order++;
    work->stamp = (uint32_t)scan->order;
    work->marks = work->signs = 0;
    work->whole = line;
    work->is_of_rank = prefix.is_rank;
    log_forms_find(scan, line);
    line = str_slice(line, prefix.length, line.length);
    bool may_begin =
        scan_has_mark(work, MARK_COMMAND) && log_runs_may_begin(&work->file.runs, line);
    work->command = may_begin ? log_command_of(line) : STR("");
    work->command_kind = work->command.length > 0 ? log_command_kind(work->command) : COMMAND_NONE;
    return line;
}

/* Adds the line to the digest if it reports an error or is a frame of a stack. */
static void take_digest(LogScan *scan, Str line, uint64_t number)
{
    if (is_told(scan->work)) {
        log_digest_error(scan->digest, scan->file, number, scan->work->whole);
        log_digest_codes(scan->digest, line);
    }
    if (scan_has_mark(scan->work, MARK_STACK) || (line.length > 1 && line.at[0] == '#')) {
        log_digest_frame(scan->digest, line);
    }
}

static void take_line(void *context, Str line, uint64_t number, bool first)
{
    LogScan *scan = context;
    ScanWork *work = scan->work;
    LogSigns calls = 1U << SIGN_WARNING | 1U << SIGN_DEBUG;
    bool warned = work->file.may_warn; /* by the line before */
    line = search(scan, line, first);
    work->file.may_warn = (work->signs & calls) != 0 && log_tells_of_failure(line);
    log_own_report(scan, line);
    log_evidence_line(scan, work->whole, number);
    bool was_muted = log_runs_mutes(&work->file.runs);
    if (was_muted) {
        log_sections_run(scan, line);
        if (log_runs_mutes(&work->file.runs)) { /* a manual, or the log of a run that passed */
            work->hits.count = 0;
            return;
        }
    }
    if (first) {
        log_evidence_series(scan, line, number);
    }
    if (number > work->file.number + 1 && scan->trace.state == TRACE_EXCEPTION) {
        scan->trace.state = TRACE_OUTSIDE; /* an empty line ends the message */
    }
    work->file.number = number;
    scan->names_pypto = scan->names_pypto || scan_has_mark(work, MARK_PYPTO);
    bool in_trace = scan_has_mark(work, MARK_TRACEBACK) || scan->trace.state != TRACE_OUTSIDE;
    scan->trace.at_exception = scan->trace.at_exception && first && in_trace;
    bool shown_source = first && in_trace && log_trace_line(&scan->trace, line);
    if (shown_source) {
        if (scan->trace.deepest_first && scan_has_mark(work, MARK_PYTHON_FILE)) {
            log_match_place(scan, line); /* no exception follows that would take the place */
        }
        work->hits.count = 0;
        return;
    }
    if (scan_has_mark(work, MARK_TRACEBACK)) {
        work->file.is_warned = warned || (work->signs & calls) != 0;
    }
    bool raised = first && in_trace && scan->trace.at_exception;
    if (raised) {
        take_exception(scan, number);
    }
    log_sections_commit(scan, line);
    if (!was_muted) {
        log_sections_run(scan, line);
    }
    take_meaning(scan, line);
    log_match_message(scan, line);
    judge_hits(scan, line, number);
    if (scan_has_mark(work, MARK_HANDLING)) {
        log_match_handling(scan);
    }
    take_error(scan, line, raised);
    log_success(scan, line);
    log_doubts(scan, line, scan_has_mark(work, MARK_TRACEBACK));
    take_digest(scan, line, number);
    if (scan_has_mark(work, MARK_PYTHON_FILE)) {
        log_match_place(scan, line);
    }
}

void log_scan_file(LogScan *scan, Str name)
{
    scan->file = str_copy(scan->arena, name);
    scan->files++;
    scan->trace.state = TRACE_OUTSIDE;
    scan->work->signs = 0;
    scan->work->file = (FileState){.begin = scan->order, .command_device = -1};
    log_runs_begin(&scan->work->file.runs);
    log_lines_begin(&scan->work->file.lines, take_line, scan);
}

void log_scan_add(LogScan *scan, const char *bytes, size_t count)
{
    scan->bytes += count;
    log_lines_add(&scan->work->file.lines, bytes, count);
}

void log_scan_file_end(LogScan *scan)
{
    log_lines_end(&scan->work->file.lines);
    log_success_settle(scan, scan->order);
    scan->binary_bytes += scan->work->file.lines.nuls;
    log_runs_end(&scan->work->file.runs);
    scan->files_well += log_runs_well(&scan->work->file.runs);
    scan->files_failed += log_runs_failed(&scan->work->file.runs);
    log_match_file_end(scan);
    log_evidence_file_end(scan);
}
