/* `help`: the commands, and each command's usage. */
#include "cli/cli.h"
#include "cli/command.h"

void command_names(Buf *out)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_addf(out, "%s\n", commands[i].name);
        }
    }
}

const OptionTable help_options = {.words = command_names, .most_words = 1};

static void add_overview(Buf *out, Lang lang)
{
    enum { NAME_WIDTH = 11 };
    Text title = {"pypto-lint: finds mistakes in PyPTO kernels and their operator directories",
                  "pypto-lint：检查 PyPTO kernel 及其算子目录中的错误"};
    Text gates = {"Gates (without a command): --stage N, --phase Mk, --design [--op-dir DIR]",
                  "门禁（不带命令）：--stage N、--phase Mk、--design [--op-dir DIR]"};
    Text status = {"Exit status: 0 clean, 1 findings at or above --fail-on, 2 error.",
                   "退出状态：0 无问题，1 有达到 --fail-on 级别的问题，2 出错。"};
    buf_addf(out, "%s\n\n", text_in(lang, title));
    buf_addf(out, "%s\n", text_in(lang, (Text){"Commands:", "命令："}));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_addf(out, "  %-*s ", NAME_WIDTH, commands[i].name);
            command_summary_add(out, &commands[i], lang);
        }
    }
    buf_addf(out, "\n%s\n%s\n\n", text_in(lang, gates), text_in(lang, status));
}

int command_help(const Command *self, Arena *arena, int argc, char **argv)
{
    Lang lang = default_lang();
    Buf out = {.arena = arena};
    Words words;
    int status = command_read(self, arena, NULL, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    const Command *command = &commands[0];
    if (words.count > 0) {
        command = command_find(str_from(words.items[0]));
    } else {
        add_overview(&out, lang);
    }
    if (command == NULL || !command_is_listed(command)) {
        return print_error("no command '%s' (see pypto-lint help)", words.items[0]);
    }
    command_usage_add(&out, command, lang);
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}
