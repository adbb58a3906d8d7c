/* The completion script for zsh: _arguments for each command. */
#include "cli/completions.h"

/* Text in single quotes, within the brackets of _arguments or before the colon of _describe. */
static void add_quoted(Buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            buf_add(out, STR("'\\''"));
            continue;
        }
        if (strchr("[]:\\", *text) != NULL) {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, *text);
    }
}

/* ":message:action" of a value. */
static void add_action(Buf *out, const Option *option)
{
    Completion completion = option_completion(option, out->arena);
    if (completion.kind == COMPLETE_NONE) {
        return;
    }
    buf_add_char(out, ':');
    add_quoted(out, option->argument);
    buf_add_char(out, ':');
    switch (completion.kind) {
    case COMPLETE_FILE:
        buf_add(out, STR("_files"));
        break;
    case COMPLETE_DIRECTORY:
        buf_add(out, STR("_files -/"));
        break;
    case COMPLETE_WORD:
        buf_addf(out, "(%.*s)", STR_ARG(completion.words));
        break;
    case COMPLETE_LIST:
        buf_addf(out, "_values -s , value %.*s", STR_ARG(completion.words));
        break;
    case COMPLETE_NONE:
    case COMPLETE_ANY:
        buf_add_char(out, ' ');
        break;
    }
}

static void add_option(Buf *out, const Option *option)
{
    Str spelling;
    for (size_t at = 0; option_spelling(option, &at, &spelling);) {
        const char *joint = !option_takes_value(option)       ? ""
                            : str_starts(spelling, STR("--")) ? "="
                                                              : "+";
        buf_addf(out, " \\\n            '%.*s%s[", STR_ARG(spelling), joint);
        add_quoted(out, option_help(option, out->arena, LANG_EN).at);
        buf_add_char(out, ']');
        add_action(out, option);
        buf_add_char(out, '\'');
    }
}

static void add_arguments(Buf *out, const Command *command)
{
    Str words = command_words(command, out->arena);
    buf_addf(out, "        _arguments '--help[this text]'");
    for (size_t i = 0; i < command->options->count; i++) {
        add_option(out, &command->options->rows[i]);
    }
    if (words.length > 0) {
        buf_addf(out, " \\\n            '*:argument:(%.*s)'\n", STR_ARG(words));
    } else {
        buf_add(out, STR(" \\\n            '*:file:_files'\n"));
    }
}

void completions_zsh(Buf *out)
{
    buf_add(out, STR("#compdef pypto-lint\n"
                     "# Completions of pypto-lint for zsh, made by `pypto-lint completions zsh`.\n"
                     "_pypto-lint() {\n    local -a commands\n    commands=(\n"));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_addf(out, "        '%s:", commands[i].name);
            add_quoted(out, commands[i].summary.en);
            buf_add(out, STR("'\n"));
        }
    }
    buf_add(out, STR("    )\n    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
                     "        _describe command commands\n        _files\n        return\n    fi\n"
                     "    local command=$words[2]\n"
                     "    if (( ${commands[(I)$command:*]} )); then\n"
                     "        shift words\n        (( CURRENT-- ))\n"
                     "    else\n        command=check\n    fi\n    case $command in\n"));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_addf(out, "    %s)\n", commands[i].name);
            add_arguments(out, &commands[i]);
            buf_add(out, STR("        ;;\n"));
        }
    }
    buf_add(out, STR("    esac\n}\n"
                     "if [[ $funcstack[1] == _pypto-lint ]]; then\n    _pypto-lint \"$@\"\n"
                     "else\n    compdef _pypto-lint pypto-lint\nfi\n"));
}
