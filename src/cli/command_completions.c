/* `completions`: prints a completion script for a shell. */
#include "cli/cli.h"
#include "cli/completions.h"

#include <stdio.h>

static const struct {
    const char *name;
    CompletionScript *write;
} shells[] = {{"bash", completions_bash}, {"zsh", completions_zsh}, {"fish", completions_fish}};

enum { SHELL_COUNT = sizeof shells / sizeof *shells };

static void add_shells(Buf *out)
{
    for (int i = 0; i < SHELL_COUNT; i++) {
        buf_addf(out, "%s\n", shells[i].name);
    }
}

const OptionTable completions_options = {.words = add_shells, .most_words = 1};

int command_completions(const Command *self, Arena *arena, int argc, char **argv)
{
    Words words;
    int status = command_read(self, arena, NULL, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    Str shell = words.count > 0 ? str_from(words.items[0]) : STR("");
    for (int i = 0; i < SHELL_COUNT; i++) {
        if (str_is(shell, shells[i].name)) {
            Buf out = {.arena = arena};
            shells[i].write(&out);
            return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
        }
    }
    return print_error("completions are for bash, zsh or fish (see pypto-lint help completions)");
}
