/* Guard where a program cannot be limited: nothing is started. See guard.h. */
#include "process/guard.h"

#include <errno.h>
#include <string.h>

pid_t guard_start(const GuardLaunch *launch, int *status)
{
    (void)launch;
    (void)status;
    errno = ENOSYS;
    return -1;
}

void guard_status_add(GuardStatus *status, const char *bytes, size_t count)
{
    (void)status;
    (void)bytes;
    (void)count;
}

void guard_bury(pid_t guard)
{
    (void)guard;
}
