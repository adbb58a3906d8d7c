/* Scans a log for patterns; see log_scan.h. */
#include "diagnose/log_scan.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "diagnose/glob.h"
#include "diagnose/log_calm.h"
#include "operator/text.h"

enum {
    LEVEL_COLUMNS = 160, /* the level of a message is near the start of its line */
    PLACE_LINES = 6,     /* a place named up to so many lines after an error belongs to it */
};

/* What makes a line worth a closer look, apart from the patterns. */
typedef enum Marker {
    MARK_TRACEBACK,
    MARK_ERROR,
    MARK_STACK,
    MARK_PYTHON_FILE,
} Marker;

static const struct {
    const char *text;
    Marker marker;
} markers[] = {
    {"(most recent call", MARK_TRACEBACK},
    {"Error:", MARK_ERROR},
    {"Exception:", MARK_ERROR},
    {"[ERROR]", MARK_ERROR},
    {"[CRITICAL]", MARK_ERROR},
    {"ERROR ", MARK_ERROR},
    {"ErrCode", MARK_ERROR},
    {"error code", MARK_ERROR},
    {"errorcode", MARK_ERROR},
    {"error:", MARK_ERROR},
    {"fatal", MARK_ERROR},
    {"failed", MARK_ERROR},
    {"CHECK FAILED", MARK_ERROR},
    {"ASSERT FAILED", MARK_ERROR},
    {"terminate called", MARK_ERROR},
    {"core dumped", MARK_ERROR},
    {"Exited with", MARK_ERROR},
    {"non-zero exit", MARK_ERROR},
    {"失败", MARK_ERROR},
    {"错误", MARK_ERROR},
    {"异常", MARK_ERROR},
    {"报错", MARK_ERROR},
    {"+0x", MARK_STACK},
    {"frame #", MARK_STACK},
    {".py", MARK_PYTHON_FILE},
};
enum { MARKERS = sizeof markers / sizeof *markers };

typedef struct Alternative {
    Str glob;
    uint32_t pattern;
    bool is_name, wants_error;
} Alternative;

struct LogForms {
    Anchors anchors;
    VEC(Alternative) alternatives; /* words of `anchors`, after the markers */
};

typedef struct ScanWork {
    const LogForms *forms;
    VEC(uint32_t) hits; /* alternatives whose anchor is in this line */
    uint32_t *seen;     /* by alternative: the `stamp` of the last line with its anchor */
    uint32_t *judged;   /* by pattern: the `stamp` of the last line that matches it */
    uint32_t stamp;
    unsigned marks;
    LogMatch *waiting; /* the last match without a place; NULL = none */
    uint64_t waiting_until;
    LogLines lines;
} ScanWork;

static void add_globs(Arena *arena, LogForms *forms, Strs *words, uint32_t pattern)
{
    enum { MOST_ANCHOR = 16 }; /* tells enough; the automaton grows with the length */
    Str globs = str_from(patterns[pattern].globs), glob;
    for (size_t at = 0; text_next_line(globs, &at, &glob);) {
        Alternative alternative = {glob, pattern, log_glob_is_name(glob), glob_wants_error(glob)};
        VEC_PUSH(arena, &forms->alternatives, alternative);
        VEC_PUSH(arena, words, str_slice(glob_anchor(glob), 0, MOST_ANCHOR));
    }
}

const LogForms *log_forms(Arena *arena)
{
    LogForms *forms = ARENA_NEW(arena, LogForms);
    Strs words = {0};
    for (size_t i = 0; i < MARKERS; i++) {
        VEC_PUSH(arena, &words, str_from(markers[i].text));
    }
    for (uint32_t i = 0; i < pattern_count; i++) {
        add_globs(arena, forms, &words, i);
    }
    anchors_build(&forms->anchors, arena, &words);
    return forms;
}

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
    return scan;
}

static void found(void *context, uint32_t word)
{
    LogScan *scan = context;
    ScanWork *work = scan->work;
    if (word < MARKERS) {
        work->marks |= 1U << markers[word].marker;
        return;
    }
    uint32_t alternative = word - MARKERS;
    if (work->seen[alternative] != work->stamp) {
        work->seen[alternative] = work->stamp;
        VEC_PUSH(scan->arena, &work->hits, alternative);
    }
}

/* The highest strength that a match in this line can have: what the program itself calls a warning
 * is at most a symptom, and an informational message is not an error at all. Only pip's warnings
 * about the network say why its errors follow: a version that it does not find may well exist. What
 * CANN thinks possible is not what happened, and CMake looks for much that it does not need. */
static Strength most_strength(Str line)
{
    static const char *const quiet[] = {"[INFO]", "[DEBUG]", "[EVENT]", "[TRACE]",
                                        " INFO ", " DEBUG ", "INFO:",   "DEBUG:"};
    static const char *const warnings[] = {"[WARNING]", "[WARN]", " WARNING ",
                                           "WARNING:", "Warning:"};
    static const char *const hints[] = {
        "Possible Cause:", "Possible Reason:", "Solution:", "可能原因：", "解决方法：", "-- "};
    Str head = str_slice(line, 0, LEVEL_COLUMNS);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (str_starts(str_trim(head), str_from(hints[i]))) {
            return STRENGTH_NONE;
        }
    }
    if (str_contains(head, STR("[ERROR]")) ||
        str_contains(line, STR(" after connection broken by "))) {
        return STRENGTH_CERTAIN;
    }
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        if (str_contains(head, str_from(quiet[i]))) {
            return STRENGTH_NONE;
        }
    }
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        if (str_contains(head, str_from(warnings[i]))) {
            return STRENGTH_SYMPTOM;
        }
    }
    return STRENGTH_CERTAIN;
}

/* Does the line say that there was no error ("12 passed, 0 failed")? */
static bool says_none(Str line)
{
    static const char *const texts[] = {", 0 failed",    "failed: 0",   "failed=0",     ", 0 error",
                                        "errors: 0",     "no error",    "失败 0",       "失败：0",
                                        "失败: 0",       "0 失败",      "0 个失败",     "0 个错误",
                                        "无错误",        "没有错误",    "无异常",       "没有异常",
                                        "without error", "with code 0", "with status 0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t at = text_find_folded(line, str_from(texts[i]), 0);
        size_t end = at == SIZE_MAX ? 0 : at + strlen(texts[i]);
        if (end > 0 &&
            (end == line.length || !is_word_char(line.at[end]) || !is_digit(line.at[end - 1]))) {
            return true;
        }
    }
    return false;
}

static Str kept(Arena *arena, Str line)
{
    Buf out = {.arena = arena};
    utf8_add_text(&out, str_slice(str_trim(line), 0, DIGEST_TEXT));
    return buf_str(&out);
}

static void take_match(LogScan *scan, uint32_t pattern, Str line, uint64_t number, Strength most)
{
    LogMatch *match = &scan->matches[pattern];
    if (scan->trace.state == TRACE_EXCEPTION) {
        scan->exception_known = true;
    }
    Strength own = patterns[pattern].strength;
    Strength strength = own < most ? own : most;
    match->count++;
    if (match->count > 1 && strength <= match->strength) {
        return;
    }
    match->pattern = &patterns[pattern];
    match->strength = strength;
    match->is_played_down = strength < own;
    match->order = scan->order;
    match->line = number;
    match->file = scan->file;
    match->text = kept(scan->arena, line);
    match->place = scan->trace.state == TRACE_EXCEPTION ? scan->trace.frame
                                                        : log_place_in(line, scan->trace.kernel);
    if (match->place.rank == PLACE_NONE && strength > STRENGTH_SYMPTOM) {
        scan->work->waiting = match;
        scan->work->waiting_until = scan->order + PLACE_LINES;
    }
}

static bool has_mark(const LogScan *scan, Marker marker)
{
    return (scan->work->marks & 1U << marker) != 0;
}

static bool reports_error(const LogScan *scan, Str line)
{
    bool error = has_mark(scan, MARK_ERROR) || log_digest_is_error(line);
    return error && !says_none(line) && log_calm(line) == LOG_NOT_CALM && !log_denies_errors(line);
}

/* Does the line have the words of the alternative, and mean them? */
static bool says(const Alternative *one, Str line)
{
    GlobSpan span;
    if (!glob_find(one->glob, line, &span)) {
        return false;
    }
    if (str_contains(one->glob, STR("not*"))) {
        span.last = span.begin; /* the negation is the error: "driver*not*loaded" */
    }
    return one->is_name || !log_is_denied(line, span);
}

/* Takes a match for each pattern that matches the line; several globs of one pattern may. */
static void judge_hits(LogScan *scan, Str line, uint64_t number)
{
    ScanWork *work = scan->work;
    if (work->hits.count == 0) {
        return;
    }
    Strength most = most_strength(line);
    LogCalm calm = log_calm(line);
    bool error = reports_error(scan, line) || log_counts_failures(line);
    for (uint32_t i = 0; i < work->hits.count; i++) {
        const Alternative *one = &work->forms->alternatives.items[work->hits.items[i]];
        bool plain = one->wants_error || patterns[one->pattern].level == ROW_WORDS;
        bool counts = (error || !plain) && (one->is_name ? calm != LOG_CALM : calm == LOG_NOT_CALM);
        if (counts && work->judged[one->pattern] != work->stamp && says(one, line)) {
            take_match(scan, one->pattern, line, number, most);
            work->judged[one->pattern] = work->stamp;
        }
    }
    work->hits.count = 0;
}

static void take_place(LogScan *scan, Str line)
{
    ScanWork *work = scan->work;
    LogPlace place = log_place_in(line, scan->trace.kernel);
    if (place.rank > scan->first_place.rank) {
        scan->first_place = place;
    }
    bool waits = work->waiting != NULL && scan->order <= work->waiting_until;
    if (waits && place.rank > work->waiting->place.rank) {
        work->waiting->place = place;
    }
}

static void take_exception(LogScan *scan, Str line, uint64_t number)
{
    Str text = str_slice(str_trim(line), 0, DIGEST_TEXT);
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

static void take_line(void *context, Str line, uint64_t number, bool first)
{
    LogScan *scan = context;
    ScanWork *work = scan->work;
    scan->order++;
    work->stamp = (uint32_t)scan->order;
    work->marks = 0;
    anchors_scan(&work->forms->anchors, line, found, scan);
    bool shown_source = first && log_trace_line(&scan->trace, line);
    if (shown_source) {
        work->hits.count = 0;
        return;
    }
    if (scan->trace.at_exception) {
        take_exception(scan, line, number);
    }
    judge_hits(scan, line, number);
    if (reports_error(scan, line) && most_strength(line) > STRENGTH_SYMPTOM) {
        log_digest_error(scan->digest, scan->file, number, line);
        log_digest_codes(scan->digest, line);
    }
    if (has_mark(scan, MARK_STACK) || (line.length > 1 && line.at[0] == '#')) {
        log_digest_frame(scan->digest, line);
    }
    if (has_mark(scan, MARK_PYTHON_FILE)) {
        take_place(scan, line);
    }
}

void log_scan_file(LogScan *scan, Str name)
{
    scan->file = str_copy(scan->arena, name);
    scan->files++;
    scan->trace.state = TRACE_OUTSIDE;
    log_lines_begin(&scan->work->lines, take_line, scan);
}

void log_scan_add(LogScan *scan, const char *bytes, size_t count)
{
    scan->bytes += count;
    log_lines_add(&scan->work->lines, bytes, count);
}

void log_scan_file_end(LogScan *scan)
{
    log_lines_end(&scan->work->lines);
    scan->binary_bytes += scan->work->lines.nuls;
}
