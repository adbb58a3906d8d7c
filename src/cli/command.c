/* Arguments of a command; see command.h. */
#include "cli/command.h"

#include "cli/message.h"

static int too_many(const Command *self, const char *word)
{
    return print_error("%s: '%s' is one argument too many (see pypto-lint help %s)", self->name,
                       word, self->name);
}

/* `error` is empty for an option that the command does not have. */
static int wrong_option(const Command *self, const char *argument, Str error)
{
    if (error.length > 0) {
        return print_error("%.*s", STR_ARG(error));
    }
    Str name = str_slice(str_from(argument), 0, str_find(str_from(argument), STR("="), 0));
    return print_error("unknown option '%.*s' (see pypto-lint help %s)", STR_ARG(name), self->name);
}

/* Is it an option, not a word, not `-` (standard input), not what begins a program? */
static bool is_option(const OptionTable *table, Str argument)
{
    return argument.length > 1 && argument.at[0] == '-' &&
           !(table->program_follows && str_is(argument, "-m"));
}

int command_read(const Command *self, Arena *arena, void *options, Words *words, int argc,
                 char **argv)
{
    const OptionTable *table = self->options;
    bool only_words = false;
    int status = EXIT_CLEAN;
    *words = (Words){.plain = UINT32_MAX};
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        Str error;
        if (!only_words && str_is(argument, "--")) {
            only_words = true;
            words->plain = words->count;
        } else if (!only_words && (str_is(argument, "--help") || str_is(argument, "-h"))) {
            status = EXIT_HELP;
        } else if (only_words || !is_option(table, argument)) {
            if (words->count == table->most_words) {
                return too_many(self, argv[i]);
            }
            VEC_PUSH(arena, words, argv[i]);
            only_words = only_words || table->program_follows;
        } else if (!option_take(table, arena, options, argc, argv, &i, &error)) {
            return wrong_option(self, argv[i], error);
        }
    }
    return status;
}
