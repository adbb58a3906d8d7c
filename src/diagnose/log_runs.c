/* Keeps the runs of a log apart; see log_runs.h. */
#include "diagnose/log_runs.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/log_prompt.h"
#include "diagnose/log_status.h"

void log_runs_begin(LogRuns *runs)
{
    memset(runs, 0, sizeof *runs);
    runs->count = 1;
    runs->execution = 1;
    runs->entered[0] = 1;
}

static void enter(LogRuns *runs, uint64_t key)
{
    enum { SHARED = LOG_MOST_RUNS - 1 };
    uint32_t at = 0;
    while (at < runs->count && runs->key[at] != key) {
        at++;
    }
    if (at == runs->count && at < SHARED) {
        runs->key[at] = key;
        runs->count++;
    }
    runs->now = at;
    runs->execution++;
    runs->worked[at] = 0;
    runs->entered[at] = runs->execution;
    runs->in_session = false;
    runs->retry = 0;
}

/* The heading that the line is; empty: none. */
static Str heading_of(Str line)
{
    static const char *const marks[] = {"##[group]", "::group::", "Step ", "==> ", "=== "};
    return log_after_mark(str_trim(line), marks, sizeof marks / sizeof *marks);
}

static void take_kind(LogRuns *runs, Str command)
{
    runs->kind = log_command_kind(command);
    runs->shows_plog =
        str_contains(command, STR("plog")) || str_contains(command, STR("ascend/log"));
    runs->answered_well = runs->answered_well && runs->kind != COMMAND_WORKS;
}

/* CANN names its logs after the process and the time: whoever prints one wants that run's log. */
bool log_runs_shows_text(const LogRuns *runs)
{
    return runs->kind >= COMMAND_QUOTES && !runs->shows_plog;
}

void log_runs_quote(LogRuns *runs, bool is_quoted)
{
    if (is_quoted && runs->quoting == 0) {
        uint32_t interrupted = runs->now;
        runs->quoting_execution = runs->execution;
        enter(runs, log_key(STR("> ")));
        runs->prepares[runs->now] = true;
        runs->quoting = interrupted + 1;
    } else if (!is_quoted && runs->quoting > 0) {
        runs->now = runs->quoting - 1;
        runs->execution = runs->quoting_execution;
        runs->quoting = 0;
    }
}

bool log_runs_may_begin(const LogRuns *runs, Str line)
{
    bool sign = str_starts(line, STR("+")) || str_starts(line, STR(">"));
    return !sign || runs->is_traced || runs->kind < COMMAND_QUOTES;
}

bool log_runs_mutes(const LogRuns *runs)
{
    return runs->kind == COMMAND_MANUAL ||
           (runs->kind == COMMAND_QUOTES && runs->shows_plog && runs->answered_well);
}

/* `|| true` after a command that failed: the script does not need it. If it raised an exception,
 * that is believed only once something else succeeds (note_success). */
static void take_tolerated(LogRuns *runs)
{
    uint64_t order = runs->error[runs->now];
    runs->tolerated[runs->now] = order;
    if (order > 0 && runs->raised[runs->now] < order) {
        runs->success[runs->now] = order + 1; /* at this line */
        runs->hard[runs->now] = 0;
    }
}

/* The same heading comes several times in one job, and none of them answers for another. */
static void take_heading(LogRuns *runs)
{
    runs->headings++;
    runs->command = log_key_mix(log_key(STR("")), &runs->headings, sizeof runs->headings);
    runs->sessions = 0;
    runs->is_compound = false;
    enter(runs, runs->command);
}

/* "(venv) $ make": the same command as without the environment's name. */
static Str without_environment(Str line)
{
    size_t end = str_starts(line, STR("(")) ? str_find(line, STR(") "), 0) : SIZE_MAX;
    return end == SIZE_MAX ? line : str_trim(str_slice(line, end + 2, line.length));
}

void log_runs_installed(LogRuns *runs, uint64_t order)
{
    uint64_t subject = runs->subject[runs->now];
    for (uint32_t i = 0; i < runs->count && subject != 0; i++) {
        if (runs->subject[i] == subject && runs->error[i] > 0) {
            runs->success[i] = order;
            runs->hard[i] = 0;
        }
    }
}

void log_runs_line(LogRuns *runs, Str line, Str command)
{
    if (runs->in_session && str_ends(str_trim(line), STR(" ==="))) {
        return; /* pytest's "=== warnings summary ===" in a narrow window */
    }
    if (heading_of(line).length > 0 && !str_contains(line, STR(" passed"))) {
        take_heading(runs);
        return;
    }
    if (command.length == 0 || log_asks_status(command) ||
        str_contains(command, STR(" passed"))) { /* pytest's summary in a narrow window */
        return;
    }
    if (str_is(str_trim(line), "+ true") || str_is(str_trim(line), "+ :")) {
        take_tolerated(runs);
        return;
    }
    /* The same command in another folder is another run; a prompt may have the folder. */
    bool moves = str_starts(command, STR("cd ")) || str_starts(command, STR("pushd "));
    runs->folder = moves ? log_key_mix(runs->folder, command.at, command.length) : runs->folder;
    Str whole = without_environment(str_trim(line));
    runs->command = log_key_mix(log_key(whole), &runs->folder, sizeof runs->folder);
    runs->sessions = 0;
    runs->is_traced = str_starts(whole, STR("+"));
    take_kind(runs, command);
    enter(runs, runs->command);
    runs->commanded = runs->execution;
    runs->prepares[runs->now] = log_command_prepares(command) || log_command_may_fail(command);
    runs->subject[runs->now] = log_command_subject(command);
    runs->is_compound = log_command_is_compound(command);
    runs->timed = str_contains(command, STR("timeout "));
    runs->asks_late = str_ends(command, STR("; echo $?"));
    runs->in_session = !runs->is_compound && (str_contains(command, STR("pytest")) ||
                                              str_contains(command, STR("unittest")));
}

void log_runs_session(LogRuns *runs)
{
    runs->sessions++;
    enter(runs, log_key_mix(runs->command, &runs->sessions, sizeof runs->sessions));
    runs->in_session = true;
}

void log_runs_summary(LogRuns *runs)
{
    runs->in_session = false;
}

void log_runs_error(LogRuns *runs, uint64_t order)
{
    runs->error[runs->now] = order;
    runs->failed_in[runs->now] = runs->execution;
    runs->worked[runs->now] = 0;
}

void log_runs_worked(LogRuns *runs)
{
    runs->worked[runs->now]++;
}

bool log_runs_resumed(const LogRuns *runs)
{
    return runs->worked[runs->now] > 0 && !log_runs_has_counted(runs);
}

/* Records a success, which also confirms that tolerated failures did no harm. */
static void note_success(LogRuns *runs, uint64_t order)
{
    runs->well = order;
    runs->well_execution = runs->execution;
    runs->well_summed = false;
    runs->well_at_work = runs->prepares[runs->now] ? runs->well_at_work : order;
    for (uint32_t i = 0; i < runs->count; i++) {
        bool tolerated = runs->error[i] > 0 && runs->tolerated[i] == runs->error[i];
        runs->success[i] = tolerated ? order : runs->success[i];
    }
}

void log_runs_success(LogRuns *runs, uint64_t order)
{
    enum { SHARED = LOG_MOST_RUNS - 1 };
    bool same = runs->hard[runs->now] == runs->execution && !runs->in_session;
    if (runs->now != SHARED && !same) {
        runs->success[runs->now] = order;
        runs->hard[runs->now] = runs->in_session ? 0 : runs->hard[runs->now];
        note_success(runs, order);
    }
    log_runs_progress(runs, order);
}

void log_runs_hard(LogRuns *runs)
{
    runs->hard[runs->now] = runs->execution;
}

void log_runs_grave(LogRuns *runs)
{
    runs->grave[runs->now] = runs->execution;
}

void log_runs_counted(LogRuns *runs)
{
    runs->counted[runs->now] = runs->execution;
}

bool log_runs_is_grave(const LogRuns *runs)
{
    return runs->grave[runs->now] == runs->execution || log_runs_has_counted(runs);
}

bool log_runs_has_counted(const LogRuns *runs)
{
    return runs->counted[runs->now] == runs->execution;
}

void log_runs_raised(LogRuns *runs, uint64_t order)
{
    runs->raised[runs->now] = order;
}

void log_runs_all_answered(LogRuns *runs, uint64_t order, bool by_others)
{
    for (uint32_t i = 0; i < LOG_MOST_RUNS; i++) {
        bool counted = runs->counted[i] == runs->entered[i] && runs->error[i] > runs->well;
        bool open = !by_others && (counted || runs->raised[i] > runs->well);
        runs->success[i] = runs->error[i] > 0 && !open ? order : runs->success[i];
        runs->hard[i] = open ? runs->hard[i] : 0;
    }
    if (by_others) {
        runs->well = order;
        runs->well_summed = true;
    }
}

bool log_runs_has_raised(const LogRuns *runs)
{
    bool raised = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !raised; i++) {
        raised = runs->raised[i] > runs->well;
    }
    return raised;
}

void log_runs_command_answered(LogRuns *runs, uint64_t order)
{
    for (uint32_t i = 0; i < LOG_MOST_RUNS; i++) {
        if (runs->error[i] > 0 && runs->entered[i] >= runs->commanded) {
            runs->success[i] = order;
            runs->hard[i] = 0;
        }
    }
    runs->well = order;
    runs->well_summed = true;
}

void log_runs_end(LogRuns *runs)
{
    bool failed = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        failed = !runs->prepares[i] && runs->error[i] > runs->success[i];
    }
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        if (runs->prepares[i] && runs->error[i] > 0 && runs->error[i] < runs->well_at_work) {
            runs->success[i] = runs->well_at_work;
        }
    }
}

void log_runs_answered_well(LogRuns *runs)
{
    runs->answered_well = runs->answered_well || runs->kind == COMMAND_WORKS;
}

void log_runs_summed(LogRuns *runs)
{
    runs->well_summed = true;
}

bool log_runs_well_since(const LogRuns *runs, uint64_t order, uint32_t execution)
{
    return runs->well > order && (runs->well_summed || runs->well_execution != execution);
}

void log_runs_ignored(LogRuns *runs, uint64_t order)
{
    enum { NEAR = 3 };
    if (runs->error[runs->now] > 0 && runs->error[runs->now] + NEAR >= order) {
        runs->success[runs->now] = order;
        runs->hard[runs->now] = 0;
    }
}

void log_runs_uncounted(LogRuns *runs)
{
    runs->counted[runs->now] = 0;
    runs->hard[runs->now] = 0;
}

void log_runs_certain(LogRuns *runs)
{
    runs->certain[runs->now] = runs->execution;
}

bool log_runs_has_status(const LogRuns *runs)
{
    return !runs->is_compound;
}

void log_runs_answered(LogRuns *runs)
{
    runs->hard[runs->now] = 0;
}

void log_runs_progress(LogRuns *runs, uint64_t order)
{
    runs->progress[runs->now] = order;
}

bool log_runs_went_on(const LogRuns *runs, uint32_t run, uint64_t order)
{
    return runs->progress[run] > order;
}

void log_runs_last_error(LogRuns *runs, Str line, uint64_t order)
{
    static const char *const sums[] = {"exit code", "exit status", "Job failed", "job failed"};
    bool is_sum = false;
    for (size_t i = 0; i < sizeof sums / sizeof *sums && !is_sum; i++) {
        is_sum = str_contains(line, str_from(sums[i]));
    }
    if (!is_sum && runs->kind < COMMAND_LOOKS) {
        runs->last_error = order;
        runs->last_failed = runs->execution;
    }
}

bool log_runs_left(const LogRuns *runs, uint32_t run, uint32_t execution, uint64_t order)
{
    return runs->entered[run] != execution ||
           (runs->last_error > order && runs->last_failed != execution);
}

void log_runs_retry(LogRuns *runs, uint64_t order, bool it)
{
    enum { NEAR = 2 }; /* lines, with one that belongs to the error */
    uint64_t error = runs->error[runs->now];
    if (error > 0 && (error == order || (it && error + NEAR >= order))) {
        runs->retry = order;
    }
}

bool log_runs_retried(const LogRuns *runs)
{
    return runs->retry > 0 && runs->retry >= runs->error[runs->now] &&
           runs->certain[runs->now] != runs->execution;
}

bool log_runs_failed(const LogRuns *runs)
{
    bool failed = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        failed = runs->error[i] > runs->success[i];
    }
    return failed;
}

bool log_runs_well(const LogRuns *runs)
{
    bool well = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !well; i++) {
        well = runs->success[i] > 0;
    }
    return well && !log_runs_failed(runs);
}
