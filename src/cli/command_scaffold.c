/* `scaffold`. */
#include "cli/cli.h"

int command_scaffold(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("scaffold is not built yet");
}
