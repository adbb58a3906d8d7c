/* Finds the parts of a log: commands, sessions, quotations, commits; see log_sections.h. */
#include "diagnose/log_sections.h"

#include "base/ascii.h"
#include "diagnose/log_prompt.h"
#include "diagnose/log_status.h"
#include "diagnose/log_success.h"

void log_sections_commit(LogScan *scan, Str line)
{
    enum { LEAST = 7 };
    bool *in_commit = &scan->work->file.in_commit;
    if (scan_has_mark(scan->work, MARK_COMMIT) && str_starts(line, STR("commit "))) {
        Str name = str_slice(line, STR("commit ").length, line.length);
        size_t digits = 0;
        while (digits < name.length && hex_digit(name.at[digits]) >= 0) {
            digits++;
        }
        *in_commit = digits >= LEAST;
    } else if (*in_commit && line.length > 0 && line.at[0] != ' ') {
        *in_commit = str_starts(line, STR("Author:")) || str_starts(line, STR("Date:")) ||
                     str_starts(line, STR("Merge:"));
    }
}

/* Is the line the first result of unittest ("test_a (mod.Tests.test_a) ... ok", "..s."), perhaps
 * with the output of a test after the dots? */
static bool begins_unittest(const LogScan *scan, Str line)
{
    size_t dots = 0;
    while (dots < line.length && strchr(".sx", line.at[dots]) != NULL) {
        dots++;
    }
    bool results = line.length > 0 && line.at[0] == '.' && !str_is(line, "...");
    bool over = dots == line.length || line.at[dots] == '[' ||
                (line.at[dots] >= 'A' && line.at[dots] <= 'Z');
    bool named = scan_has_mark(scan->work, MARK_UNITTEST) && str_starts(line, STR("test"));
    return !scan->work->file.runs.in_session && (named || (results && over));
}

/* The text of the heading if the line is one; else empty. */
static Str heading_of(Str line)
{
    static const char *const marks[] = {"##[group]", "::group::", "Step ", "==> ", "=== "};
    return log_after_mark(str_trim(line), marks, sizeof marks / sizeof *marks);
}

/* Begins a run if the line is a heading or has a command. `echo $?` does not begin one: it asks how
 * the last run ended. */
static void begin_run(LogRuns *runs, Str line, Str command, CommandKind kind)
{
    const Str passed = STR(" passed"); /* in pytest's summary in a narrow window, "=== 3 passed" */
    line = str_trim(line);
    if (runs->in_session && str_ends(line, STR(" ==="))) {
        return; /* pytest's "=== warnings summary ===" */
    }
    if (heading_of(line).length > 0 && !str_contains(line, passed)) {
        log_runs_heading(runs);
    } else if (command.length == 0 || log_asks_status(command) || str_contains(command, passed)) {
        return;
    } else if (str_is(line, "+ true") || str_is(line, "+ :")) {
        log_runs_tolerated(runs);
    } else {
        log_runs_command(runs, line, command, kind);
    }
}

void log_sections_run(LogScan *scan, Str line)
{
    /* pytest marks a line of source with `>` and several blanks */
    bool quoted = str_starts(line, STR("> ")) && scan->work->command.length == 0 &&
                  !log_is_task(line) && line.length > 2 && line.at[2] != ' ';
    log_runs_quote(&scan->work->file.runs, quoted);
    if (scan_has_mark(scan->work, MARK_SESSION) || begins_unittest(scan, line)) {
        log_runs_session(&scan->work->file.runs);
    } else if (scan_has_mark(scan->work, MARK_COMMAND)) {
        if (scan->work->command.length > 0) {
            log_success_settle(scan, scan->order - 1);
        }
        begin_run(&scan->work->file.runs, line, scan->work->command, scan->work->command_kind);
    }
    if (log_is_bare_prompt(line)) {
        log_success_settle(scan, scan->order - 1);
    }
}
