/* pypto-lint: the program. */
#include "base/io_error.h"
#include "cli/dispatch.h"
#include "cli/message.h"
#include "document/json.h"

#include <signal.h>

int main(int argc, char **argv)
{
    Arena arena;
    jmp_buf env;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* ignored, as it may be inherited, it would hide how children end */
    arena_init(&arena, 0);
    if (!OOM_GUARD(&arena, env)) {
        return print_error("out of memory");
    }
    json_memory_begin();
    int status = dispatch(&arena, argc - 1, argv + 1);
    Str path;
    Str reason;
    if (io_error_take(&arena, &path, &reason)) {
        status =
            print_error("%.*s%s%.*s", STR_ARG(path), path.length > 0 ? ": " : "", STR_ARG(reason));
    }
    arena_free(&arena);
    return status;
}
