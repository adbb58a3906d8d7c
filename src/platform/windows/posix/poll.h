/* poll() for pipes, files and consoles; see platform/windows/posix.h. */
#ifndef PYPTO_LINT_PLATFORM_WINDOWS_POLL_H
#define PYPTO_LINT_PLATFORM_WINDOWS_POLL_H

#define POLLIN  1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16

typedef unsigned long long nfds_t;
struct pollfd {
    int fd;
    short events, revents;
};

/* Pipes cannot be waited for together: it looks at them again and again, less often when
 * nothing happens. Writing never has to wait. */
int poll(struct pollfd *list, nfds_t count, int milliseconds);

#endif
