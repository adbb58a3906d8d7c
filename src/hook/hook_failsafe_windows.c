/* Hook failsafe on Windows; see hook_failsafe.h. */
#include "hook/hook_failsafe.h"

#include <windows.h>

static HookAnswer answer_crashed, answer_late;
static HANDLE timer;

static void write_text(DWORD stream, Str text)
{
    DWORD wrote = 0;
    HANDLE out = GetStdHandle(stream);
    while (text.length > 0 && WriteFile(out, text.at, (DWORD)text.length, &wrote, NULL) &&
           wrote > 0) {
        text.at += wrote;
        text.length -= wrote;
    }
}

static void give(const HookAnswer *answer)
{
    write_text(STD_ERROR_HANDLE, answer->err);
    write_text(STD_OUTPUT_HANDLE, answer->out);
    TerminateProcess(GetCurrentProcess(), (UINT)answer->status);
}

static LONG WINAPI on_crash(EXCEPTION_POINTERS *what)
{
    (void)what;
    give(&answer_crashed);
    return EXCEPTION_EXECUTE_HANDLER;
}

static void on_abort(int number)
{
    (void)number;
    give(&answer_crashed);
}

static void CALLBACK on_time(void *nothing, BOOLEAN fired)
{
    (void)nothing;
    (void)fired;
    give(&answer_late);
}

void hook_failsafe_set(const HookAnswer *crashed, const HookAnswer *late)
{
    answer_crashed = *crashed;
    answer_late = *late;
}

/* A handler of an overflowed stack runs on what is left of it: more than the guard page is kept. */
void hook_failsafe_start(unsigned seconds)
{
    ULONG left = 64 * 1024;
    SetThreadStackGuarantee(&left);
    SetUnhandledExceptionFilter(on_crash);
    signal(SIGABRT, on_abort);
    CreateTimerQueueTimer(&timer, NULL, on_time, NULL, seconds * 1000, 0, WT_EXECUTEONLYONCE);
}

void hook_failsafe_stop(void)
{
    if (timer != NULL) {
        DeleteTimerQueueTimer(NULL, timer, INVALID_HANDLE_VALUE);
        timer = NULL;
    }
}
