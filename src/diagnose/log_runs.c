/* Keeps the runs of a log apart; see log_runs.h. */
#include "diagnose/log_runs.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/word_list.h"

enum { SHARED = LOG_MOST_RUNS - 1 };

static LogRun *now_of(LogRuns *runs)
{
    return &runs->run[runs->now];
}

static void clear(LogRun *run, uint64_t order)
{
    run->success = order;
    run->hard = 0;
}

void log_runs_begin(LogRuns *runs)
{
    memset(runs, 0, sizeof *runs);
    runs->count = 1;
    runs->execution = 1;
    runs->run[0].entered = 1;
}

static void enter(LogRuns *runs, uint64_t key)
{
    uint32_t at = 0;
    while (at < runs->count && runs->run[at].key != key) {
        at++;
    }
    if (at == runs->count && at < SHARED) {
        runs->run[at].key = key;
        runs->count++;
    }
    runs->now = at;
    runs->execution++;
    runs->run[at].has_worked = false;
    runs->run[at].entered = runs->execution;
    runs->in_session = false;
    runs->retry = 0;
}

/* CANN puts the process and the time into the names of its logs, so a command that prints one shows
 * the log of that very run. */
bool log_runs_shows_text(const LogRuns *runs)
{
    return runs->command.kind >= COMMAND_QUOTES && !runs->command.shows_plog;
}

void log_runs_quote(LogRuns *runs, bool is_quoted)
{
    if (is_quoted && runs->interrupted == 0) {
        uint32_t interrupted = runs->now;
        runs->interrupted_execution = runs->execution;
        enter(runs, log_key(STR("> ")));
        now_of(runs)->prepares = true;
        runs->interrupted = interrupted + 1;
    } else if (!is_quoted && runs->interrupted > 0) {
        runs->now = runs->interrupted - 1;
        runs->execution = runs->interrupted_execution;
        runs->interrupted = 0;
    }
}

bool log_runs_may_begin(const LogRuns *runs, Str line)
{
    bool sign = str_starts(line, STR("+")) || str_starts(line, STR(">"));
    return !sign || runs->command.is_traced || runs->command.kind < COMMAND_QUOTES;
}

bool log_runs_mutes(const LogRuns *runs)
{
    const LogCommand *last = &runs->command;
    return last->kind == COMMAND_MANUAL ||
           (last->kind == COMMAND_QUOTES && last->shows_plog && runs->answered_well);
}

void log_runs_tolerated(LogRuns *runs)
{
    LogRun *run = now_of(runs);
    run->tolerated = run->error;
    if (run->error > 0 && run->raised < run->error) {
        clear(run, run->error + 1); /* at this line */
    }
}

void log_runs_heading(LogRuns *runs)
{
    runs->headings++;
    runs->command.key = log_key_mix(log_key(STR("")), &runs->headings, sizeof runs->headings);
    runs->command.shape = SHAPE_SINGLE;
    runs->sessions = 0;
    enter(runs, runs->command.key);
}

/* "(venv) $ make": the same command as without the environment's name. */
static Str without_environment(Str line)
{
    size_t end = str_starts(line, STR("(")) ? str_find(line, STR(") "), 0) : SIZE_MAX;
    return end == SIZE_MAX ? line : str_trim(str_slice(line, end + 2, line.length));
}

void log_runs_installed(LogRuns *runs, uint64_t order)
{
    uint64_t subject = now_of(runs)->subject;
    for (uint32_t i = 0; i < runs->count && subject != 0; i++) {
        LogRun *run = &runs->run[i];
        if (run->subject == subject && run->error > 0) {
            clear(run, order);
        }
    }
}

void log_runs_command(LogRuns *runs, Str line, Str command, CommandKind kind)
{
    /* The same command in another folder is another run; the prompt may show the folder. */
    bool moves = str_starts(command, STR("cd ")) || str_starts(command, STR("pushd "));
    runs->folder = moves ? log_key_mix(runs->folder, command.at, command.length) : runs->folder;
    Str whole = without_environment(line);
    runs->command = (LogCommand){
        .key = log_key_mix(log_key(whole), &runs->folder, sizeof runs->folder),
        .kind = kind,
        .shows_plog =
            str_contains(command, STR("plog")) || str_contains(command, STR("ascend/log")),
        .is_traced = str_starts(whole, STR("+")),
        .shape = log_command_shape(command),
        .has_limit = str_contains(command, STR("timeout ")),
        .asks_late = str_ends(command, STR("; echo $?")),
    };
    enter(runs, runs->command.key);
    runs->command.execution = runs->execution;
    runs->answered_well = runs->answered_well && runs->command.kind != COMMAND_WORKS;
    runs->sessions = 0;
    runs->in_session =
        runs->command.shape == SHAPE_SINGLE &&
        (str_contains(command, STR("pytest")) || str_contains(command, STR("unittest")));
    LogRun *now = now_of(runs);
    now->prepares = log_command_prepares(command) || log_command_may_fail(command);
    now->subject = log_command_subject(command);
}

void log_runs_session(LogRuns *runs)
{
    runs->sessions++;
    enter(runs, log_key_mix(runs->command.key, &runs->sessions, sizeof runs->sessions));
    runs->in_session = true;
}

void log_runs_summary(LogRuns *runs)
{
    runs->in_session = false;
}

void log_runs_error(LogRuns *runs, uint64_t order)
{
    LogRun *now = now_of(runs);
    now->error = order;
    now->failed = runs->execution;
    now->has_worked = false;
}

void log_runs_worked(LogRuns *runs)
{
    now_of(runs)->has_worked = true;
}

bool log_runs_resumed(const LogRuns *runs)
{
    return log_runs_now(runs)->has_worked && !log_runs_has_counted(runs);
}

/* Records a success, which also confirms that tolerated failures did no harm. */
static void note_success(LogRuns *runs, uint64_t order)
{
    runs->well = (LogWell){.order = order, .execution = runs->execution};
    runs->well_at_work = now_of(runs)->prepares ? runs->well_at_work : order;
    for (uint32_t i = 0; i < runs->count; i++) {
        LogRun *run = &runs->run[i];
        bool tolerated = run->error > 0 && run->tolerated == run->error;
        run->success = tolerated ? order : run->success;
    }
}

void log_runs_success(LogRuns *runs, uint64_t order)
{
    LogRun *now = now_of(runs);
    bool same = now->hard == runs->execution && !runs->in_session;
    if (runs->now != SHARED && !same) {
        now->success = order;
        now->hard = runs->in_session ? 0 : now->hard;
        note_success(runs, order);
    }
    log_runs_progress(runs, order);
}

void log_runs_hard(LogRuns *runs)
{
    now_of(runs)->hard = runs->execution;
}

void log_runs_grave(LogRuns *runs)
{
    now_of(runs)->grave = runs->execution;
}

void log_runs_counted(LogRuns *runs)
{
    now_of(runs)->counted = runs->execution;
}

bool log_runs_is_grave(const LogRuns *runs)
{
    return log_runs_now(runs)->grave == runs->execution || log_runs_has_counted(runs);
}

bool log_runs_has_counted(const LogRuns *runs)
{
    return log_runs_now(runs)->counted == runs->execution;
}

void log_runs_raised(LogRuns *runs, uint64_t order)
{
    now_of(runs)->raised = order;
}

void log_runs_all_answered(LogRuns *runs, uint64_t order, bool by_others)
{
    for (uint32_t i = 0; i < LOG_MOST_RUNS; i++) {
        LogRun *run = &runs->run[i];
        bool counted = run->counted == run->entered && run->error > runs->well.order;
        bool open = !by_others && (counted || run->raised > runs->well.order);
        run->success = run->error > 0 && !open ? order : run->success;
        run->hard = open ? run->hard : 0;
    }
    if (by_others) {
        runs->well.order = order;
        runs->well.is_sum = true;
    }
}

bool log_runs_has_raised(const LogRuns *runs)
{
    bool raised = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !raised; i++) {
        raised = runs->run[i].raised > runs->well.order;
    }
    return raised;
}

void log_runs_command_answered(LogRuns *runs, uint64_t order)
{
    for (uint32_t i = 0; i < LOG_MOST_RUNS; i++) {
        LogRun *run = &runs->run[i];
        if (run->error > 0 && run->entered >= runs->command.execution) {
            clear(run, order);
        }
    }
    runs->well.order = order;
    runs->well.is_sum = true;
}

static bool has_failed(const LogRun *run)
{
    return run->error > run->success;
}

void log_runs_end(LogRuns *runs)
{
    bool failed = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        failed = !runs->run[i].prepares && has_failed(&runs->run[i]);
    }
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        LogRun *run = &runs->run[i];
        if (run->prepares && run->error > 0 && run->error < runs->well_at_work) {
            run->success = runs->well_at_work;
        }
    }
}

void log_runs_answered_well(LogRuns *runs)
{
    runs->answered_well = runs->answered_well || runs->command.kind == COMMAND_WORKS;
}

void log_runs_summed(LogRuns *runs)
{
    runs->well.is_sum = true;
}

bool log_runs_well_since(const LogRuns *runs, uint64_t order, uint32_t execution)
{
    const LogWell *well = &runs->well;
    return well->order > order && (well->is_sum || well->execution != execution);
}

void log_runs_ignored(LogRuns *runs, uint64_t order)
{
    enum { NEAR = 3 };
    LogRun *now = now_of(runs);
    if (now->error > 0 && now->error + NEAR >= order) {
        clear(now, order);
    }
}

void log_runs_uncounted(LogRuns *runs)
{
    now_of(runs)->counted = 0;
    now_of(runs)->hard = 0;
}

void log_runs_certain(LogRuns *runs)
{
    now_of(runs)->certain = runs->execution;
}

void log_runs_answered(LogRuns *runs)
{
    now_of(runs)->hard = 0;
}

void log_runs_progress(LogRuns *runs, uint64_t order)
{
    now_of(runs)->progress = order;
}

bool log_runs_went_on(const LogRuns *runs, uint32_t run, uint64_t order)
{
    return runs->run[run].progress > order;
}

void log_runs_last_error(LogRuns *runs, Str line, uint64_t order)
{
    static const char *const sums[] = {"exit code", "exit status", "Job failed", "job failed"};
    if (!HAS_TEXT(sums, line) && runs->command.kind < COMMAND_LOOKS) {
        runs->last_error = order;
        runs->last_failed = runs->execution;
    }
}

bool log_runs_left(const LogRuns *runs, uint32_t run, uint32_t execution, uint64_t order)
{
    return runs->run[run].entered != execution ||
           (runs->last_error > order && runs->last_failed != execution);
}

void log_runs_retry(LogRuns *runs, uint64_t order, bool it)
{
    enum { NEAR = 2 }; /* lines, including one that belongs to the error */
    uint64_t error = now_of(runs)->error;
    if (error > 0 && (error == order || (it && error + NEAR >= order))) {
        runs->retry = order;
    }
}

bool log_runs_retried(const LogRuns *runs)
{
    const LogRun *now = log_runs_now(runs);
    return runs->retry > 0 && runs->retry >= now->error && now->certain != runs->execution;
}

bool log_runs_failed(const LogRuns *runs)
{
    bool failed = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !failed; i++) {
        failed = has_failed(&runs->run[i]);
    }
    return failed;
}

bool log_runs_well(const LogRuns *runs)
{
    bool well = false;
    for (uint32_t i = 0; i < LOG_MOST_RUNS && !well; i++) {
        well = runs->run[i].success > 0;
    }
    return well && !log_runs_failed(runs);
}
