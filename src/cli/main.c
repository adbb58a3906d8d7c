/* pypto-lint: the program. */
#include "base/lapse.h"
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
        return trouble("out of memory");
    }
    json_memory_begin();
    int status = dispatch(&arena, argc - 1, argv + 1);
    Str path;
    Str reason;
    if (lapse_take(&arena, &path, &reason)) {
        status = trouble("%.*s%s%.*s", STR_ARG(path), path.length > 0 ? ": " : "", STR_ARG(reason));
    }
    arena_free(&arena);
    return status;
}
