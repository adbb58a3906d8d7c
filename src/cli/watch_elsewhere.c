/* Watching files where there is no inotify; see watch.h. */
#include "cli/watch.h"

#include "cli/message.h"

int watch_run(Arena *arena, Strs paths, WatchedWork *work, void *argument)
{
    (void)arena;
    (void)paths;
    (void)work;
    (void)argument;
    return print_error(
        "--watch works on Linux only; an editor shows findings by `pypto-lint server`");
}
