/* Processes on Windows; see process.h. A process and all that it starts are in one job, which ends
 * them together. */
#include "process/process.h"

#include "base/clock.h"
#include "platform/windows/text.h"

#include <windows.h>

/* What a process was started with, by its number, until it has been waited for. */
enum { MOST_PROCESSES = 64 };
static struct {
    pid_t id; /* 0: free */
    HANDLE process, job;
} running[MOST_PROCESSES];

/* --- the command line */

typedef struct Line {
    wchar_t *at;
    size_t length, capacity;
    bool full;
} Line;

static void add(Line *line, wchar_t c)
{
    if (line->length + 1 >= line->capacity) {
        line->full = true;
        return;
    }
    line->at[line->length++] = c;
    line->at[line->length] = L'\0';
}

/* One word, as CommandLineToArgvW takes lines apart: backslashes count before a quote only. */
static void add_word(Line *line, const wchar_t *word)
{
    if (line->length > 0) {
        add(line, L' ');
    }
    add(line, L'"');
    size_t slashes = 0;
    for (; *word != L'\0'; word++) {
        for (size_t i = 0; *word == L'"' && i <= slashes; i++) {
            add(line, L'\\');
        }
        slashes = *word == L'\\' ? slashes + 1 : 0;
        add(line, *word);
    }
    for (size_t i = 0; i < slashes; i++) {
        add(line, L'\\');
    }
    add(line, L'"');
}

static bool make_line(Line *line, char *const *arguments)
{
    line->capacity = 32767; /* the most that Windows takes */
    line->at = malloc(line->capacity * sizeof *line->at);
    for (size_t i = 0; line->at != NULL && arguments[i] != NULL; i++) {
        wchar_t *word = wide_text(arguments[i]);
        if (word == NULL) {
            line->full = true;
            break;
        }
        add_word(line, word);
        free(word);
    }
    return line->at != NULL && !line->full;
}

/* Entries that end with a NUL each, and one NUL more. */
static wchar_t *make_environment(char *const *entries)
{
    size_t size = 2;
    for (size_t i = 0; entries[i] != NULL; i++) {
        size += strlen(entries[i]) + 1;
    }
    wchar_t *block = calloc(size, sizeof *block);
    wchar_t *at = block;
    for (size_t i = 0; block != NULL && entries[i] != NULL; i++) {
        at +=
            MultiByteToWideChar(CP_UTF8, 0, entries[i], -1, at, (int)(size - (size_t)(at - block)));
    }
    return block;
}

/* --- starting */

/* A handle for the new process to inherit: of the descriptor, or of NUL. */
static HANDLE inherited(int fd, bool reads)
{
    HANDLE copy = INVALID_HANDLE_VALUE;
    if (fd >= 0) {
        DuplicateHandle(GetCurrentProcess(), (HANDLE)_get_osfhandle(fd), GetCurrentProcess(), &copy,
                        0, TRUE, DUPLICATE_SAME_ACCESS);
        return copy;
    }
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    return CreateFileW(L"NUL", reads ? GENERIC_READ : GENERIC_WRITE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit, OPEN_EXISTING, 0, NULL);
}

static HANDLE make_job(void)
{
    HANDLE job = CreateJobObjectW(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    if (job != NULL) {
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    }
    return job;
}

/* The three handles and no others: a pipe's end that a second process inherits would never close.
 * */
static bool create(const wchar_t *program, Line *line, wchar_t *environment, HANDLE handles[3],
                   PROCESS_INFORMATION *made)
{
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    LPPROC_THREAD_ATTRIBUTE_LIST list = malloc(size);
    bool listed = list != NULL && InitializeProcThreadAttributeList(list, 1, 0, &size);
    STARTUPINFOEXW how = {.StartupInfo = {.cb = sizeof how,
                                          .dwFlags = STARTF_USESTDHANDLES,
                                          .hStdInput = handles[0],
                                          .hStdOutput = handles[1],
                                          .hStdError = handles[2]},
                          .lpAttributeList = list};
    bool good = listed &&
                UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
                                          3 * sizeof *handles, NULL, NULL) &&
                CreateProcessW(program, line->at, NULL, NULL, TRUE,
                               CREATE_NO_WINDOW | CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT |
                                   EXTENDED_STARTUPINFO_PRESENT,
                               environment, NULL, &how.StartupInfo, made);
    if (!good) {
        fail_with_last_error();
    }
    if (listed) {
        DeleteProcThreadAttributeList(list);
    }
    free(list);
    return good;
}

static int keep(const PROCESS_INFORMATION *made)
{
    for (int i = 0; i < MOST_PROCESSES; i++) {
        if (running[i].id == 0) {
            running[i].id = (pid_t)made->dwProcessId;
            running[i].process = made->hProcess;
            running[i].job = make_job();
            if (running[i].job != NULL) {
                AssignProcessToJobObject(running[i].job, made->hProcess);
            }
            return i;
        }
    }
    return -1;
}

pid_t process_start(const Process *process, int *error)
{
    wchar_t program[WIDE_PATH];
    Line line = {0};
    wchar_t *environment = make_environment(process->environment);
    PROCESS_INFORMATION made = {0};
    HANDLE handles[3] = {inherited(process->in > 0 ? process->in : -1, true),
                         inherited(process->out, false), inherited(process->err, false)};
    bool ready = environment != NULL && wide_path(process->program, program);
    if (ready && !make_line(&line, process->arguments)) {
        errno = E2BIG;
        ready = false;
    }
    bool good = ready && create(program, &line, environment, handles, &made);
    *error = good ? 0 : errno;
    for (int i = 0; i < 3; i++) {
        CloseHandle(handles[i]);
    }
    free(line.at);
    free(environment);
    if (!good) {
        return -1;
    }
    if (keep(&made) < 0) {
        TerminateProcess(made.hProcess, 1);
        CloseHandle(made.hProcess);
        *error = EAGAIN;
        good = false;
    } else {
        ResumeThread(made.hThread);
    }
    CloseHandle(made.hThread);
    return good ? (pid_t)made.dwProcessId : -1;
}

/* --- waiting and ending */

static int place_of(pid_t id)
{
    int i = 0;
    while (i < MOST_PROCESSES && running[i].id != id) {
        i++;
    }
    return i < MOST_PROCESSES ? i : -1;
}

static void forget(int place)
{
    CloseHandle(running[place].process);
    if (running[place].job != NULL) {
        CloseHandle(running[place].job);
    }
    running[place].id = 0;
}

ProcessEnd process_wait(pid_t id, int64_t end, int *status)
{
    int place = place_of(id);
    DWORD code = 0;
    if (place < 0) {
        errno = ECHILD;
        return PROCESS_LOST;
    }
    int64_t left = end - clock_ms();
    DWORD patience = left < 0 ? 0 : left > INT32_MAX ? INFINITE : (DWORD)left;
    if (WaitForSingleObject(running[place].process, patience) == WAIT_TIMEOUT) {
        return PROCESS_LATE;
    }
    GetExitCodeProcess(running[place].process, &code);
    forget(place);
    *status = code > 255 ? 128 : (int)code; /* a crash is a number with the highest bit */
    return PROCESS_EXITED;
}

bool process_pipe(int *reader, int *writer)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    *reader = ends[0];
    *writer = ends[1];
    return true;
}

void process_close(int *end)
{
    if (*end >= 0) {
        close(*end);
        *end = -1;
    }
}

/* Windows has no way to ask a program without a window to end. */
void process_end(pid_t id, int64_t grace_ms)
{
    int place = place_of(id);
    (void)grace_ms;
    if (place >= 0) {
        TerminateJobObject(running[place].job, 1);
        TerminateProcess(running[place].process, 1);
        WaitForSingleObject(running[place].process, INFINITE);
        forget(place);
    }
}

int process_end_by(int number)
{
    return 128 + number;
}
