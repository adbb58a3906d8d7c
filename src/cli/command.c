/* The table of commands, and the arguments of a command; see command.h. */
#include "cli/command.h"

#include "cli/message.h"

#define COMMAND(name, id, usage, en, zh, page)                                                     \
    {name, usage, {en, zh}, page, &id##_options, command_##id},
const Command commands[COMMAND_COUNT] = {
#include "cli/commands.def"
};

const Command *command_find(Str name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (str_is(name, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}

bool command_is_listed(const Command *command)
{
    return command->summary.en != NULL;
}

void command_summary_add(Buf *out, const Command *command, Lang lang)
{
    const char *place = text_in(lang, (Text){" (docs/%s)", "（docs/%s）"});
    buf_add(out, str_from(text_in(lang, command->summary)));
    if (*command->page != '\0') {
        buf_add(out, str_format(out->arena, place, command->page));
    }
    buf_add_char(out, '\n');
}

void command_usage_add(Buf *out, const Command *command, Lang lang)
{
    const char *usage = text_in(lang, (Text){"Usage: ", "用法："});
    buf_addf(out, "%spypto-lint %s\n", usage, command->usage);
    command_summary_add(out, command, lang);
    if (command->options->count > 0) {
        buf_addf(out, "\n%s\n", text_in(lang, (Text){"Options:", "选项："}));
        option_table_help(command->options, out, lang);
    }
}

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
