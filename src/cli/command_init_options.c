/* Options of `init`; see command_init.h. */
#include "cli/command_init.h"

typedef enum InitOption {
    OPTION_CLIENT,
    OPTION_REPOSITORY,
    OPTION_USER,
    OPTION_REMOVE,
    OPTION_YES,
    OPTION_DRY_RUN,
    OPTION_LANG,
    OPTION_HELP,
    OPTION_COUNT
} InitOption;

enum { HELP_COLUMN = 34 };

static const struct {
    const char *name, *letter;
    const char *argument; /* NULL: a flag */
    Text help;
} table[OPTION_COUNT] = {
    [OPTION_CLIENT] = {"--client",
                       NULL,
                       "LIST",
                       {"; without it, those that are in use here", "；缺省为此处正在使用的"}},
    [OPTION_REPOSITORY] = {"--repository",
                           NULL,
                           "ADDRESS",
                           {"where pypto-lint is published: for github OWNER/NAME[@REF], for "
                            "pre-commit what git clones (URL[@REV] or ../PATH[@REV])",
                            "pypto-lint 的发布位置：github 为 OWNER/NAME[@REF]，pre-commit 为 git "
                            "可克隆的地址（URL[@REV] 或 ../PATH[@REV]）"}},
    [OPTION_USER] = {"--user",
                     NULL,
                     NULL,
                     {"this user's settings, for all projects, not the project's",
                      "写入用户级配置（对所有项目生效），而不是项目配置"}},
    [OPTION_REMOVE] = {"--remove",
                       NULL,
                       NULL,
                       {"take out what init has put in; without --client everywhere",
                        "移除 init 写入的内容；不带 --client 时全部移除"}},
    [OPTION_YES] = {"--yes",
                    "-y",
                    NULL,
                    {"make the changes without asking", "不询问，直接写入更改"}},
    [OPTION_DRY_RUN] = {"--dry-run",
                        "-n",
                        NULL,
                        {"show the changes only; exit status 1 when there are any",
                         "只显示更改；有更改时退出状态为 1"}},
    [OPTION_LANG] = {"--lang", NULL, "en|zh", {"language of messages", "消息语言"}},
    [OPTION_HELP] = {"--help", "-h", NULL, {"these options", "显示这些选项"}},
};

void init_options_help(Buf *out, Lang lang)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        size_t start = out->length;
        buf_addf(out, "  %s%s%s%s%s", table[i].letter == NULL ? "" : table[i].letter,
                 table[i].letter == NULL ? "" : ", ", table[i].name,
                 table[i].argument == NULL ? "" : " ",
                 table[i].argument == NULL ? "" : table[i].argument);
        size_t width = out->length - start;
        Str names = i == OPTION_CLIENT
                        ? client_names(out->arena, false, text_in(lang, (Text){", ", "、"}))
                        : STR("");
        buf_addf(out, "%*s%.*s%s\n", width < HELP_COLUMN ? (int)(HELP_COLUMN - width) : 1, "",
                 STR_ARG(names), text_in(lang, table[i].help));
    }
}

static bool choose_client(InitOptions *options, Str name)
{
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (str_is(name, clients[i]->name)) {
            options->chosen[i] = options->any_chosen = true;
            return true;
        }
    }
    return false;
}

static bool choose_clients(InitOptions *options, Arena *arena, Str list)
{
    for (size_t start = 0; start <= list.length;) {
        size_t end = str_find(list, STR(","), start);
        end = end == SIZE_MAX ? list.length : end;
        Str name = str_slice(list, start, end);
        if (!choose_client(options, name)) {
            trouble("--client takes %.*s, not '%.*s'", STR_ARG(client_names(arena, false, ", ")),
                    STR_ARG(name));
            return false;
        }
        start = end + 1;
    }
    return true;
}

static bool choose_lang(InitOptions *options, Str name)
{
    options->request.lang = str_is(name, "zh") ? LANG_ZH : LANG_EN;
    if (!str_is(name, "zh") && !str_is(name, "en")) {
        trouble("--lang takes en or zh, not '%.*s'", STR_ARG(name));
        return false;
    }
    return true;
}

static bool choose_repository(InitOptions *options, Str address)
{
    options->request.repository = address;
    if (address.length == 0) {
        trouble("--repository takes an address");
        return false;
    }
    return true;
}

static InitOption find_option(Str name)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (str_is(name, table[i].name) ||
            (table[i].letter != NULL && str_is(name, table[i].letter))) {
            return (InitOption)i;
        }
    }
    return OPTION_COUNT;
}

static bool set_option(InitOptions *options, Arena *arena, InitOption option, Str value)
{
    switch (option) {
    case OPTION_CLIENT:
        return choose_clients(options, arena, value);
    case OPTION_REPOSITORY:
        return choose_repository(options, value);
    case OPTION_LANG:
        return choose_lang(options, value);
    case OPTION_USER:
        options->request.user = true;
        break;
    case OPTION_REMOVE:
        options->request.remove = true;
        break;
    case OPTION_YES:
        options->yes = true;
        break;
    case OPTION_DRY_RUN:
        options->dry_run = true;
        break;
    case OPTION_HELP:
    case OPTION_COUNT:
        options->help = true;
        break;
    }
    return true;
}

bool init_options_read(InitOptions *options, Arena *arena, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]), value = STR("");
        size_t equals = str_find(argument, STR("="), 0);
        InitOption option = find_option(str_slice(argument, 0, equals));
        bool takes_value = option != OPTION_COUNT && table[option].argument != NULL;
        if (option == OPTION_COUNT || (equals != SIZE_MAX && !takes_value)) {
            trouble("unknown argument '%s' (see pypto-lint help init)", argv[i]);
            return false;
        }
        if (equals != SIZE_MAX) {
            value = str_slice(argument, equals + 1, argument.length);
        } else if (takes_value && i + 1 < argc) {
            value = str_from(argv[++i]);
        }
        if (!set_option(options, arena, option, value)) {
            return false;
        }
    }
    if (options->yes && options->dry_run) {
        trouble("--yes and --dry-run contradict each other");
        return false;
    }
    return true;
}
