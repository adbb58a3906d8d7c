/* The commands that run kernels, where that is not possible: they say so. The program is named in
 * documents and settings that are the same everywhere, so the words are known. */
#include "cli/cli.h"

#include "cli/message.h"

static int not_here(const Command *self)
{
    return print_error("%s works on Linux only; use a container or WSL (docs/install.md)",
                       self->name);
}

/* Any arguments: they are not looked at. */
#define NOT_HERE(id)                                                                               \
    const OptionTable id##_options = {.most_words = 0};                                            \
    int command_##id(const Command *self, Arena *arena, int argc, char **argv)                     \
    {                                                                                              \
        (void)arena;                                                                               \
        (void)argc;                                                                                \
        (void)argv;                                                                                \
        return not_here(self);                                                                     \
    }

NOT_HERE(bisect)
NOT_HERE(compose)
NOT_HERE(run)
NOT_HERE(test)
NOT_HERE(tolerance)
NOT_HERE(verify)
NOT_HERE(verify_job)
