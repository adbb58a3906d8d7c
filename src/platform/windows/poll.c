/* poll(); see posix/poll.h. */
#include "platform/platform.h"

#include <poll.h>
#include <windows.h>

/* Milliseconds between two attempts: short at first, longer after PATIENCE. */
enum { SHORT_PAUSE = 1, LONG_PAUSE = 15, PATIENCE = 200 };

static short look_at_pipe(HANDLE pipe)
{
    DWORD waiting = 0;
    if (!PeekNamedPipe(pipe, NULL, 0, NULL, &waiting, NULL)) {
        return POLLHUP;
    }
    return waiting > 0 ? POLLIN : 0;
}

static short look_at(const struct pollfd *asked)
{
    HANDLE file = (HANDLE)_get_osfhandle(asked->fd);
    short found = asked->events & POLLOUT;
    if (file == INVALID_HANDLE_VALUE) {
        return POLLERR;
    }
    if ((asked->events & POLLIN) == 0) {
        return found;
    }
    switch (GetFileType(file)) {
    case FILE_TYPE_PIPE:
        return (short)(found | look_at_pipe(file));
    case FILE_TYPE_CHAR: /* a console, or NUL */
        return (short)(found | (WaitForSingleObject(file, 0) == WAIT_TIMEOUT ? 0 : POLLIN));
    default:
        return (short)(found | POLLIN);
    }
}

int poll(struct pollfd *list, nfds_t count, int milliseconds)
{
    ULONGLONG start = GetTickCount64();
    for (;;) {
        int ready = 0;
        for (nfds_t i = 0; i < count; i++) {
            list[i].revents = list[i].fd < 0 ? 0 : look_at(&list[i]);
            ready += list[i].revents != 0;
        }
        ULONGLONG passed = GetTickCount64() - start;
        if (ready > 0 || (milliseconds >= 0 && passed >= (ULONGLONG)milliseconds)) {
            return ready;
        }
        Sleep(passed < PATIENCE ? SHORT_PAUSE : LONG_PAUSE);
    }
}

/* --- what cannot be asked */

/* A socket, for one, which also counts as a pipe; and a pipe of Unix under Wine. */
static bool can_be_asked(HANDLE file)
{
    DWORD waiting = 0;
    if (GetFileType(file) != FILE_TYPE_PIPE || PeekNamedPipe(file, NULL, 0, NULL, &waiting, NULL)) {
        return true;
    }
    DWORD error = GetLastError();
    return error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED;
}

typedef struct Pump {
    HANDLE from;
    int to;
} Pump;

/* Lives as long as the process, which may end while it waits. */
static DWORD WINAPI pump(void *given)
{
    Pump *it = given;
    char bytes[65536];
    DWORD got = 0;
    bool open = true;
    while (open && ReadFile(it->from, bytes, sizeof bytes, &got, NULL) && got > 0) {
        for (DWORD sent = 0; open && sent < got;) {
            int wrote = _write(it->to, bytes + sent, got - sent);
            open = wrote > 0;
            sent += open ? (DWORD)wrote : 0;
        }
    }
    close(it->to);
    free(it);
    return 0;
}

int platform_pollable(int fd)
{
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    int ends[2];
    if (file == INVALID_HANDLE_VALUE || can_be_asked(file)) {
        return fd;
    }
    Pump *it = malloc(sizeof *it);
    if (it == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        free(it);
        return -1;
    }
    *it = (Pump){file, ends[1]};
    HANDLE thread = CreateThread(NULL, 0, pump, it, 0, NULL);
    if (thread == NULL) {
        close(ends[0]);
        close(ends[1]);
        free(it);
        return -1;
    }
    CloseHandle(thread);
    return ends[0];
}
