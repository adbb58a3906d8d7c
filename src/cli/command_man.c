/* `man`: manual pages, made from the tables of commands and options. */
#include "cli/cli.h"
#include "cli/command.h"

#include <ctype.h>

typedef struct ManOptions {
    Lang lang;
} ManOptions;

static const Option rows[] = {LANG_ROW(ManOptions, lang)};

const OptionTable man_options = OPTION_TABLE(rows, .words = command_names, .most_words = 1);

/* Text as roff takes it: no requests, no escapes, and dashes that can be copied. */
static void add_text(Buf *out, Str text)
{
    bool line_start = out->length == 0 || out->at[out->length - 1] == '\n';
    if (line_start && text.length > 0 && (text.at[0] == '.' || text.at[0] == '\'')) {
        buf_add(out, STR("\\&"));
    }
    for (size_t i = 0; i < text.length; i++) {
        switch (text.at[i]) {
        case '\\':
            buf_add(out, STR("\\e"));
            break;
        case '-':
            buf_add(out, STR("\\-"));
            break;
        case '`':
            buf_add(out, STR("\\(ga"));
            break;
        case '\'':
            buf_add(out, STR("\\(aq"));
            break;
        default:
            buf_add_char(out, text.at[i]);
        }
    }
}

static void add_section(Buf *out, Lang lang, const char *en, const char *zh)
{
    buf_addf(out, ".SH %s\n", text_in(lang, (Text){en, zh}));
}

static void add_title(Buf *out, const Command *command, Lang lang)
{
    Text manual = {"pypto\\-lint manual", "pypto\\-lint 手册"};
    buf_add(out, STR(".\\\" Made by `pypto-lint man`.\n.TH PYPTO\\-LINT"));
    if (command != NULL) {
        buf_add(out, STR("\\-"));
        for (const char *at = command->name; *at != '\0'; at++) {
            buf_add_char(out, (char)toupper((unsigned char)*at));
        }
    }
    buf_addf(out, " 1 \"\" \"pypto\\-lint " PYPTO_LINT_VERSION "\" \"%s\"\n",
             text_in(lang, manual));
    buf_add(out, STR(".ad l\n"));
}

/* "-y, --yes" in bold, with the dashes that people type. */
static void add_option(Buf *out, const Option *option, Lang lang)
{
    buf_add(out, STR(".TP\n\\fB"));
    add_text(out, str_from(option->name));
    buf_add(out, STR("\\fR"));
    if (option->argument != NULL) {
        buf_add(out, option_takes_value(option) ? STR(" \\fI") : STR("\\fI"));
        add_text(out, str_from(option->argument));
        buf_add(out, STR("\\fR"));
    }
    buf_add_char(out, '\n');
    add_text(out, option_help(option, out->arena, lang));
    buf_add_char(out, '\n');
}

static void add_command(Buf *out, const Command *command, Lang lang)
{
    add_title(out, command, lang);
    add_section(out, lang, "NAME", "名称");
    buf_add(out, STR("pypto\\-lint\\-"));
    add_text(out, str_from(command->name));
    buf_add(out, STR(" \\- "));
    add_text(out, str_from(text_in(lang, command->summary)));
    buf_add_char(out, '\n');
    add_section(out, lang, "SYNOPSIS", "用法");
    buf_add(out, STR("\\fBpypto\\-lint\\fR "));
    add_text(out, str_from(command->usage));
    buf_add_char(out, '\n');
    if (command->options->count > 0) {
        add_section(out, lang, "OPTIONS", "选项");
        for (size_t i = 0; i < command->options->count; i++) {
            add_option(out, &command->options->rows[i], lang);
        }
    }
    add_section(out, lang, "SEE ALSO", "另见");
    buf_add(out, STR("\\fBpypto\\-lint\\fR(1)"));
    if (*command->page != '\0') {
        buf_add(out, STR(", docs/"));
        add_text(out, str_from(command->page));
    }
    buf_add_char(out, '\n');
}

static void add_status(Buf *out, Lang lang)
{
    static const struct {
        const char *status;
        Text meaning;
    } statuses[] = {
        {"0", {"no FAIL at or above --fail-on", "没有达到 --fail-on 级别的 FAIL"}},
        {"1", {"at least one", "至少有一个"}},
        {"2", {"wrong usage, unreadable input, broken settings, or an error of the program",
               "用法错误、输入无法读取、设置有误，或程序出错"}},
    };
    add_section(out, lang, "EXIT STATUS", "退出状态");
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        buf_addf(out, ".TP\n%s\n", statuses[i].status);
        add_text(out, str_from(text_in(lang, statuses[i].meaning)));
        buf_add_char(out, '\n');
    }
}

static void add_program(Buf *out, Lang lang)
{
    Text summary = {"find mistakes in PyPTO kernels and their operator directories",
                    "检查 PyPTO kernel 及其算子目录中的错误"};
    add_title(out, NULL, lang);
    add_section(out, lang, "NAME", "名称");
    buf_addf(out, "pypto\\-lint \\- %s\n", text_in(lang, summary));
    add_section(out, lang, "SYNOPSIS", "用法");
    buf_add(out, STR("\\fBpypto\\-lint\\fR [\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIPATH\\fR...]\n"));
    add_section(out, lang, "COMMANDS", "命令");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_add(out, STR(".TP\n\\fBpypto\\-lint\\-"));
            add_text(out, str_from(commands[i].name));
            buf_add(out, STR("\\fR(1)\n"));
            add_text(out, str_from(text_in(lang, commands[i].summary)));
            buf_add_char(out, '\n');
        }
    }
    add_status(out, lang);
    add_section(out, lang, "FILES", "文件");
    buf_addf(out, ".TP\n\\&.pypto\\-lint.yaml, pyproject.toml\n%s\n",
             text_in(lang, (Text){"settings of the folder and of those below it",
                                  "该目录及其下级目录的设置"}));
}

int command_man(const Command *self, Arena *arena, int argc, char **argv)
{
    ManOptions options = {.lang = default_lang()};
    Buf out = {.arena = arena};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        add_program(&out, options.lang);
        return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
    }
    const Command *command = command_find(str_from(words.items[0]));
    if (command == NULL || !command_is_listed(command)) {
        return print_error("no command '%s' (see pypto-lint help)", words.items[0]);
    }
    add_command(&out, command, options.lang);
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}
