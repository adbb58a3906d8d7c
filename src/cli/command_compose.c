/* `compose`. */
#include "cli/cli.h"

int command_compose(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("compose is not built yet");
}
