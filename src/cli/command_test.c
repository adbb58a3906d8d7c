/* `test`. */
#include "cli/cli.h"

int command_test(Arena *arena, int argc, char **argv)
{
    (void)arena;
    (void)argc;
    (void)argv;
    return trouble("test is not built yet");
}
