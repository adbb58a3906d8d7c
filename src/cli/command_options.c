/* Options of a command; see command_options.h. */
#include "cli/command_options.h"

enum { HELP_COLUMN = 28 };

static const CommandOption *find(const CommandOptions *known, Str name)
{
    for (size_t i = 0; i < known->count; i++) {
        if (str_is(name, known->table[i].name)) {
            return &known->table[i];
        }
    }
    return NULL;
}

static bool read_number(Str text, uint32_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || sum > UINT32_MAX / 10) {
            return false;
        }
        sum = sum * 10 + (uint64_t)(text.at[i] - '0');
    }
    *number = (uint32_t)sum;
    return text.length > 0 && sum <= UINT32_MAX;
}

static bool set(const CommandOption *option, void *options, Str value)
{
    void *member = (char *)options + option->offset;
    if (option->kind == OPTION_NUMBER) {
        uint32_t number = 0;
        if (!read_number(value, &number)) {
            trouble("%s takes a number, not '%.*s'", option->name, STR_ARG(value));
            return false;
        }
        *(uint32_t *)member = number;
        return true;
    }
    if (value.length == 0) {
        trouble("%s needs a value", option->name);
        return false;
    }
    *(Str *)member = value;
    return true;
}

/* The option at argv[*index] with its value, which may be the next argument. */
static bool read_one(const CommandOptions *known, void *options, int argc, char **argv, int *index)
{
    Str argument = str_from(argv[*index]);
    size_t equals = str_find(argument, STR("="), 0);
    bool joined = equals != SIZE_MAX;
    Str name = joined ? str_slice(argument, 0, equals) : argument;
    const CommandOption *option = find(known, name);
    if (option == NULL) {
        trouble("unknown option '%.*s' (see pypto-lint help %s)", STR_ARG(name), known->command);
        return false;
    }
    if (option->kind == OPTION_FLAG) {
        if (joined) {
            trouble("%s takes no value", option->name);
            return false;
        }
        *(bool *)(void *)((char *)options + option->offset) = true;
        return true;
    }
    if (joined) {
        return set(option, options, str_slice(argument, equals + 1, argument.length));
    }
    if (*index + 1 >= argc) {
        trouble("%s needs a value", option->name);
        return false;
    }
    return set(option, options, str_from(argv[++*index]));
}

bool command_options_read(const CommandOptions *known, Arena *arena, void *options, Words *words,
                          bool *help, int argc, char **argv)
{
    bool only_words = false;
    *help = false;
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        if (!only_words && str_is(argument, "--")) {
            only_words = true;
        } else if (!only_words && (str_is(argument, "--help") || str_is(argument, "-h"))) {
            *help = true;
        } else if (only_words || argument.length < 2 || argument.at[0] != '-' ||
                   (known->program_follows && str_is(argument, "-m"))) {
            if (words->count == known->most_words) {
                trouble("%s: '%s' is one argument too many (see pypto-lint help %s)",
                        known->command, argv[i], known->command);
                return false;
            }
            VEC_PUSH(arena, words, argv[i]);
            only_words = only_words || known->program_follows;
        } else if (!read_one(known, options, argc, argv, &i)) {
            return false;
        }
    }
    return true;
}

void command_options_help(const CommandOptions *known, Buf *out, Lang lang)
{
    for (size_t i = 0; i < known->count; i++) {
        const CommandOption *option = &known->table[i];
        size_t start = out->length;
        buf_addf(out, "  %s%s%s", option->name, option->argument == NULL ? "" : " ",
                 option->argument == NULL ? "" : option->argument);
        size_t width = out->length - start;
        buf_addf(out, "%*s%s\n", width < HELP_COLUMN ? (int)(HELP_COLUMN - width) : 1, "",
                 text_in(lang, option->help));
    }
}

int command_show_help(Arena *arena, const char *command)
{
    char *words[] = {str_dup(arena, str_from(command)), NULL};
    return command_help(arena, 1, words);
}
