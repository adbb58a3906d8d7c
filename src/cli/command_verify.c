/* `verify`. */
#include "cli/cli.h"

int command_verify(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("verify is not built yet");
}
