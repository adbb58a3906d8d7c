/* The completion script for fish: one `complete` a command and an option. */
#include "cli/completions.h"

static void add_quoted(Buf *out, const char *text)
{
    buf_add_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\') {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, *text);
    }
    buf_add_char(out, '\'');
}

/* When the rows of a command apply: `check` is what runs without another command. */
static void add_condition(Buf *out, const Command *command)
{
    bool is_default = command == &commands[COMMAND_check];
    buf_add(out, STR("complete -c pypto-lint -n '"));
    if (!is_default) {
        buf_addf(out, "__fish_seen_subcommand_from %s'", command->name);
        return;
    }
    buf_add(out, STR("not __fish_seen_subcommand_from $pypto_lint_commands'"));
}

static void add_value(Buf *out, const Option *option)
{
    Completion completion = option_completion(option, out->arena);
    switch (completion.kind) {
    case COMPLETE_NONE:
        break;
    case COMPLETE_ANY:
        buf_add(out, STR(" -x"));
        break;
    case COMPLETE_FILE:
        buf_add(out, STR(" -r -F"));
        break;
    case COMPLETE_DIRECTORY:
        buf_add(out, STR(" -x -a '(__fish_complete_directories)'"));
        break;
    case COMPLETE_WORD:
        buf_addf(out, " -x -a '%.*s'", STR_ARG(completion.words));
        break;
    case COMPLETE_LIST:
        buf_addf(out, " -x -a '(__fish_append , %.*s)'", STR_ARG(completion.words));
        break;
    }
}

static void add_option(Buf *out, const Command *command, const Option *option)
{
    Str spelling;
    add_condition(out, command);
    for (size_t at = 0; option_spelling(option, &at, &spelling);) {
        bool is_long = str_starts(spelling, STR("--"));
        buf_addf(out, " -%c %.*s", is_long ? 'l' : 's', (int)spelling.length - (is_long ? 2 : 1),
                 spelling.at + (is_long ? 2 : 1));
    }
    add_value(out, option);
    buf_add(out, STR(" -d "));
    add_quoted(out, option_help(option, out->arena, LANG_EN).at);
    buf_add_char(out, '\n');
}

static void add_command(Buf *out, const Command *command)
{
    Str words = command_words(command, out->arena);
    buf_addf(out, "complete -c pypto-lint -n __fish_use_subcommand -a %s -d ", command->name);
    add_quoted(out, command->summary.en);
    buf_add_char(out, '\n');
    add_condition(out, command);
    buf_add(out, STR(" -l help -d 'this text'\n"));
    if (words.length > 0) {
        add_condition(out, command);
        buf_addf(out, " -f -a '%.*s'\n", STR_ARG(words));
    }
    for (size_t i = 0; i < command->options->count; i++) {
        add_option(out, command, &command->options->rows[i]);
    }
}

void completions_fish(Buf *out)
{
    buf_add(out,
            STR("# Completions of pypto-lint for fish, made by `pypto-lint completions fish`.\n"
                "set -g pypto_lint_commands"));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        bool other = i != COMMAND_check && command_is_listed(&commands[i]);
        buf_addf(out, "%s%s", other ? " " : "", other ? commands[i].name : "");
    }
    buf_add_char(out, '\n');
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            add_command(out, &commands[i]);
        }
    }
}
