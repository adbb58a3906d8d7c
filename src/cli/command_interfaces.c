/* `interfaces`. */
#include "cli/cli.h"

int command_interfaces(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("interfaces is not built yet");
}
