/* Keeps what tells how a cause came about; see log_evidence.h. */
#include "diagnose/log_evidence.h"

#include "base/ascii.h"
#include "diagnose/device_number.h"
#include "diagnose/glob.h"
#include "diagnose/log_commands.h"
#include "diagnose/log_facts.h"
#include "diagnose/word_list.h"

enum {
    /* Bytes of lines compared with the forms of one row, after which it is settled; those compared
     * with any, so many and so many for each byte read. Causes have a budget of their own. */
    FOUND_EFFORT = 1 << 20,
    FREE_EFFORT = 16 << 20,
    EFFORT_PER_BYTE = 4,
    COMPARISON_EFFORT = 4,
    FORM_LINES = 20, /* a "form." says more of an error so near to it */
};

/* --- evidence that later lines refute */

static bool is_about_rounding(const Pattern *row)
{
    return log_facts_is_rounding(str_from(row->id));
}

/* Discards evidence seen since the line with the order `from`, or only what is about rounding. */
static void withdraw(LogScan *scan, uint64_t from, bool only_rounding)
{
    for (uint32_t i = 0; i < pattern_count; i++) {
        LogSeen *seen = &scan->work->evidence[i], *kept = &scan->matches[i].seen;
        if (seen->order >= from && (!only_rounding || is_about_rounding(&patterns[i]))) {
            seen->order = 0;
        }
        if (kept->order >= from && (!only_rounding || is_about_rounding(kept->pattern))) {
            kept->order = 0;
        }
    }
}

/* --- commands */

/* The lines that a diff adds do not begin commands. */
static void take_command(LogScan *scan)
{
    FileState *file = &scan->work->file;
    Str command = scan->work->command;
    bool assigns = str_contains(command, STR(" = ")) || str_contains(command, STR("[:] "));
    if (command.length == 0 || assigns || log_asks_status(command)) {
        return;
    }
    file->commands++;
    file->command_device = device_of_command(command);
    file->command = scan->work->command_kind >= COMMAND_SETS_UP ? 0 : file->commands;
    file->command_order = scan->order;
}

/* "bash: /x/set_env.sh: No such file or directory" after its command: that came to nothing. */
static void withdraw_command(LogScan *scan, Str line)
{
    static const char *const shells[] = {"bash:", "-bash:", "sh:", "zsh:", "-sh:", "sudo:"};
    uint64_t order = scan->work->file.command_order;
    if (STARTS_WITH(shells, line) && order > 0 && order + 1 == scan->order) {
        withdraw(scan, order, false);
    }
}

/* --- values */

/* Is what was found switched off, denied or zero: "allow_hf32=False", "memory(MB) : 0", "nan? no"?
 * A zero that the glob spells out is what it looks for. */
static bool is_false(Str glob, Str line, GlobSpan span)
{
    static const char *const answers[] = {"False", "false", "None", "none", "off",
                                          "Off",   "no",    "No",   "\"\"", "''"};
    line = str_trim(line);
    LineMeaning plain = {0};
    if (str_contains(glob, STR("not*"))) {
        span.last = span.begin;
    }
    Str last = str_slice(line, span.last, span.end);
    bool number = str_ends(glob, STR("#")), zero = number && last.length > 0;
    for (size_t i = last.length; i > 0 && is_digit(last.at[i - 1]); i--) {
        zero = zero && last.at[i - 1] == '0';
    }
    bool whole = !number || !str_starts(str_slice(line, span.end, line.length), STR("."));
    if ((zero && whole) || log_is_denied(&plain, line, span)) {
        return true;
    }
    char before = last.length > 0 ? last.at[last.length - 1] : ' ';
    size_t at = span.end;
    bool assigned = before == '=' || before == ':';
    while (at < line.length && strchr(" =:?", line.at[at]) != NULL) {
        assigned = assigned || line.at[at] != ' ';
        at++;
    }
    size_t end = at;
    while (end < line.length && strchr(" ,;)", line.at[end]) == NULL) {
        end++;
    }
    Str value = str_slice(line, at, end);
    return assigned && (value.length == 0 ? str_ends(glob, STR("=*"))
                                          : STR_IS_ANY(value, answers) || str_is(value, "0"));
}

/* Does the line prove what the row claims, beyond having one of its forms? */
static bool is_proved(LogScan *scan, uint32_t pattern, Str line)
{
    Str id = str_from(patterns[pattern].id);
    LogFacts *facts = &scan->work->file.facts;
    bool proved = log_facts_prove(facts, id, line, scan->order);
    if (facts->rounding.withdrawn > 0) {
        withdraw(scan, facts->rounding.withdrawn, true);
    }
    return proved;
}

/* --- evidence and matches */

static bool speaks_of(uint32_t evidence, const LogMatch *match)
{
    Str ids = str_from(patterns[evidence].of), id = str_from(match->pattern->id);
    bool found = false; /* each id has a blank on both sides */
    for (size_t at = str_find(ids, id, 0); at != SIZE_MAX && !found;
         at = str_find(ids, id, at + 1)) {
        found = ids.at[at - 1] == ' ' && ids.at[at + id.length] == ' ';
    }
    return found;
}

/* "13 |     c = pypto.matmul(a, b)": the number, or 0. */
static uint32_t number_shown(Str line)
{
    enum { MOST_DIGITS = 7, TEN = 10 };
    uint32_t number = 0;
    size_t at = 0;
    line = str_trim(line);
    while (at < line.length && at < MOST_DIGITS && is_digit(line.at[at])) {
        number = number * TEN + (uint32_t)(line.at[at++] - '0');
    }
    return str_starts(str_trim(str_slice(line, at, line.length)), STR("|")) ? number : 0;
}

/* A line of the kernel that is shown beside the one with the error says nothing of it. */
static bool is_beside(const LogMatch *match, Str line)
{
    uint32_t number = number_shown(line);
    return number > 0 && match->place.rank != PLACE_NONE && match->place.line != number;
}

/* Of packages that are installed only the one that is missing says something. */
static bool is_of_another_module(const LogMatch *match, Str line)
{
    const Str begin = STR("No module named '");
    size_t at = str_find(match->text, begin, 0);
    if (at == SIZE_MAX || str_starts(line, STR("Location"))) {
        return false;
    }
    Str name = str_slice(match->text, at + begin.length, match->text.length);
    size_t end = 0;
    while (end < name.length && (is_letter(name.at[end]) || is_digit(name.at[end]))) {
        end++; /* "torch" of "torch_npu", which pip calls torch-npu */
    }
    bool lists = str_contains(line, STR("Requirement already")) ||
                 str_contains(line, STR("Successfully installed"));
    return lists && !str_contains(line, str_slice(name, 0, end));
}

static uint64_t distance(const LogMatch *match, uint64_t order)
{
    return order > match->order ? order - match->order : match->order - order;
}

static bool says_little(const Pattern *evidence)
{
    return str_starts(str_from(evidence->id), STR("hint."));
}

/* Lets the match keep the evidence if it is nearer than what it has. */
static void bind(LogScan *scan, LogMatch *match, uint32_t evidence)
{
    const LogSeen *seen = &scan->work->evidence[evidence];
    LogSeen *kept = &match->seen;
    bool one_run = seen->command == 0 || match->command == 0 || seen->command == match->command;
    bool form = str_starts(str_from(patterns[evidence].id), STR("form."));
    uint64_t away = distance(match, seen->order);
    bool earlier = seen->order == kept->order && &patterns[evidence] < kept->pattern;
    bool weak = says_little(&patterns[evidence]);
    bool kept_weak = kept->order > 0 && says_little(kept->pattern);
    bool nearer = kept->order == 0 || away < distance(match, kept->order) || earlier;
    nearer = weak == kept_weak || kept->order == 0 ? nearer : kept_weak;
    if (!one_run || !nearer || (form && away > FORM_LINES) || !speaks_of(evidence, match) ||
        is_beside(match, seen->text) || is_of_another_module(match, seen->text)) {
        return;
    }
    kept->pattern = &patterns[evidence];
    kept->order = seen->order;
    kept->line = seen->line;
    kept->file = seen->file;
    kept->text = log_digest_text(scan->arena, &kept->kept, seen->text);
}

static void take(LogScan *scan, uint32_t pattern, Str line, uint64_t number, uint64_t order)
{
    ScanWork *work = scan->work;
    LogSeen *seen = &work->evidence[pattern];
    seen->order = order;
    seen->line = number;
    seen->file = scan->file;
    seen->command = work->file.command;
    seen->text = log_digest_text(scan->arena, &seen->kept, line);
    for (uint32_t i = 0; i < pattern_count; i++) {
        LogMatch *match = &scan->matches[i];
        if (match->order > work->file.begin && match->pattern != NULL) {
            bind(scan, match, pattern);
        }
    }
}

/* Takes what a report by blocks says as a whole as evidence of its first wrong line. */
static void take_series(LogScan *scan, const LogSeries *series, SeriesShape shape)
{
    static const char *const ids[] = {
        [SERIES_LAST] = "seen.last-block",   [SERIES_FROM] = "seen.from-block",
        [SERIES_FIRST] = "seen.first-block", [SERIES_RATIO] = "seen.ratio",
        [SERIES_GROWS] = "seen.grows",       [SERIES_MIXED] = "seen.race"};
    for (uint32_t i = 0; i < pattern_count; i++) {
        if (shape != SERIES_NONE && str_is(str_from(patterns[i].id), ids[shape])) {
            take(scan, i, str_from(series->text), series->line, series->order);
        }
    }
}

void log_evidence_series(LogScan *scan, Str line, uint64_t number)
{
    LogSeries ended;
    SeriesShape shape =
        log_series_line(&scan->work->file.series, line, number, scan->order, &ended);
    if (shape != SERIES_NONE) {
        take_series(scan, &ended, shape);
    }
}

/* Counts a comparison; false if evidence has had its share of the log. */
static bool may_compare(LogScan *scan, uint32_t pattern, size_t length)
{
    ScanWork *work = scan->work;
    uint64_t effort = length + COMPARISON_EFFORT;
    bool settled = work->effort[pattern] > FOUND_EFFORT && work->evidence[pattern].order > 0;
    if (settled || work->evidence_effort + effort > FREE_EFFORT + EFFORT_PER_BYTE * scan->bytes) {
        scan->lines_cut += !settled && work->cut_stamp != work->stamp;
        work->cut_stamp = settled ? work->cut_stamp : work->stamp;
        return false;
    }
    work->evidence_effort += effort;
    work->effort[pattern] += effort;
    return true;
}

void log_evidence_line(LogScan *scan, Str line, uint64_t number)
{
    ScanWork *work = scan->work;
    uint32_t kept = 0;
    withdraw_command(scan, line);
    take_command(scan);
    for (uint32_t i = 0; i < work->hits.count; i++) {
        const Alternative *one = &work->forms->alternatives.items[work->hits.items[i]];
        GlobSpan span;
        if (patterns[one->pattern].level != ROW_EVIDENCE) {
            work->hits.items[kept++] = work->hits.items[i];
        } else if (may_compare(scan, one->pattern, line.length) &&
                   glob_find(one->glob, line, &span)) {
            scan->matches[one->pattern].count++;
            if (!is_false(one->glob, line, span) && is_proved(scan, one->pattern, line)) {
                take(scan, one->pattern, line, number, scan->order);
            }
        }
    }
    work->hits.count = kept;
}

void log_evidence_match(LogScan *scan, LogMatch *match)
{
    match->command = scan->work->file.command;
    match->seen.order = 0;
    for (uint32_t i = 0; i < pattern_count; i++) {
        if (scan->work->evidence[i].order > scan->work->file.begin) {
            bind(scan, match, i);
        }
    }
}

void log_evidence_file_end(LogScan *scan)
{
    const LogSeries *series = &scan->work->file.series;
    take_series(scan, series, log_series_shape(series));
    for (uint32_t i = 0; i < pattern_count; i++) {
        LogMatch *match = &scan->matches[i];
        if (match->seen.order > scan->work->file.begin && is_beside(match, match->seen.text)) {
            match->seen.order = 0;
        }
    }
}
