/* `verify-job`. */
#include "cli/cli.h"

int command_verify_job(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("verify-job is not built yet");
}
