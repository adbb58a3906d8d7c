/* poll(); see posix/poll.h. */
#include <poll.h>
#include <windows.h>

/* Milliseconds between two looks: short after something has happened, longer the longer nothing
 * does. */
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
