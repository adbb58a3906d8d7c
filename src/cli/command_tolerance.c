/* `tolerance`. */
#include "cli/cli.h"

int command_tolerance(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("tolerance is not built yet");
}
