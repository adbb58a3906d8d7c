/* Keeps the runs of a log apart; see log_runs.h. */
#include "diagnose/log_runs.h"

#include "base/ascii.h"

enum { PROMPT_COLUMNS = 80 }; /* a longer prompt is none */

/* FNV-1a, going on from another key. */
static uint64_t mix(uint64_t key, const void *bytes, size_t count)
{
    const uint64_t prime = 0x100000001B3U;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        key = (key ^ at[i]) * prime;
    }
    return key;
}

static uint64_t key_of(Str text)
{
    const uint64_t basis = 0xCBF29CE484222325U;
    return mix(basis, text.at, text.length);
}

void log_runs_begin(LogRuns *runs)
{
    memset(runs, 0, sizeof *runs);
    runs->count = 1;
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
    runs->retry = 0;
}

/* "root@node:/w# make", "(venv) [ma-user ~]$ make": where the command begins, or SIZE_MAX. A
 * comment or a price has neither a user nor brackets before its sign. */
static size_t after_prompt(Str line)
{
    Str head = str_slice(line, 0, PROMPT_COLUMNS);
    size_t dollar = str_find(head, STR("$ "), 0), hash = str_find(head, STR("# "), 0);
    size_t at = dollar < hash ? dollar : hash;
    if (at == SIZE_MAX || at == 0) {
        return SIZE_MAX;
    }
    Str user = str_slice(head, 0, at);
    bool is_prompt = user.at[0] == '[' || user.at[0] == '(' || str_contains(user, STR("@"));
    return is_prompt ? at + 2 : SIZE_MAX;
}

/* The command or the heading that the line begins a run with; empty: none. */
static Str command_of(Str line)
{
    static const char *const marks[] = {"$ ",        "+ ",        "++ ",   "❯ ",   "➜ ",  "● Bash(",
                                        "##[group]", "::group::", "Step ", "==> ", "=== "};
    line = str_trim(line);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (str_starts(line, str_from(marks[i]))) {
            return str_trim(str_slice(line, strlen(marks[i]), line.length));
        }
    }
    size_t at = after_prompt(line);
    return at == SIZE_MAX ? STR("") : str_trim(str_slice(line, at, line.length));
}

void log_runs_line(LogRuns *runs, Str line)
{
    Str command = command_of(line);
    if (command.length == 0 || str_starts(command, STR("echo $?")) ||
        str_contains(command, STR(" passed"))) { /* pytest's summary in a narrow window */
        return;
    }
    /* The same command in another folder is another run; a prompt may have the folder. */
    bool moves = str_starts(command, STR("cd ")) || str_starts(command, STR("pushd "));
    runs->folder = moves ? mix(runs->folder, command.at, command.length) : runs->folder;
    Str whole = str_trim(line);
    runs->command = mix(key_of(whole), &runs->folder, sizeof runs->folder);
    runs->sessions = 0;
    enter(runs, runs->command);
}

void log_runs_session(LogRuns *runs)
{
    runs->sessions++;
    enter(runs, mix(runs->command, &runs->sessions, sizeof runs->sessions));
}

void log_runs_error(LogRuns *runs, uint64_t order)
{
    runs->error[runs->now] = order;
}

void log_runs_success(LogRuns *runs, uint64_t order)
{
    enum { SHARED = LOG_MOST_RUNS - 1 };
    if (runs->now != SHARED) {
        runs->success[runs->now] = order;
    }
}

void log_runs_retry(LogRuns *runs, uint64_t order)
{
    runs->retry = order;
}

bool log_runs_retried(const LogRuns *runs)
{
    return runs->retry > 0 && runs->retry >= runs->error[runs->now];
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
