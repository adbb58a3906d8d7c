/* `hook EVENT` and the Python linter's `--hook EVENT`: options and output; the rest is in
 * src/hook. */
#include "cli/cli.h"
#include "hook/hook.h"
#include "report/terminal.h"

#include <unistd.h>

static bool find_event(HookCall *call, Str name)
{
    for (int i = 0; i < HOOK_NAME_COUNT; i++) {
        const char *known = call->old_form ? hook_facts[i].old_name : hook_facts[i].name;
        if (known != NULL && str_is(name, known)) {
            call->name = (HookName)i;
            return true;
        }
    }
    return false;
}

/* The value of the option at argv[*i] ("--name value" or "--name=value"); moves `*i` to it. */
static bool option_value(int argc, char **argv, int *i, const char *name, Str *value)
{
    Str argument = str_from(argv[*i]);
    Str option = str_from(name);
    if (!str_starts(argument, option)) {
        return false;
    }
    Str rest = str_slice(argument, option.length, argument.length);
    if (rest.length > 0) {
        *value = str_slice(rest, 1, rest.length);
        return rest.at[0] == '=';
    }
    *value = *i + 1 < argc ? str_from(argv[++*i]) : STR("");
    return true;
}

/* The log comes after the answer and never spoils it: not even a message, as hosts take one for
 * part of the answer. */
static int answer(Arena *arena, HookCall *call, Str log)
{
    Metrics metrics;
    metrics_open(&metrics, log.at, hook_facts[call->name].name);
    call->metrics = &metrics;
    call->working_dir = working_directory(arena);
    HookAnswer answer = hook_run(arena, call);
    print_error_lines(answer.err);
    bool printed = answer.out.length == 0 || print_all(answer.out);
    const char *unused;
    metrics_close(&metrics, &unused);
    call->metrics = NULL;
    return printed ? answer.status : EXIT_ERROR;
}

/* What a command line asks for. */
typedef struct HookLine {
    HookCall call;
    bool has_event, help;
    Str log;
    Strs unknown; /* words that this version does not know */
} HookLine;

static void add_events(Buf *out)
{
    for (int i = 0; i < HOOK_NAME_COUNT; i++) {
        buf_addf(out, "%s\n", hook_facts[i].name);
    }
}

static bool read_client(void *given, Arena *arena, Str name, Str *error)
{
    HookLine *line = given;
    const Client *client = client_find(name);
    if (client == NULL || client->sign == NULL) {
        *error = str_format(arena, "no client '%.*s'", STR_ARG(name));
        return false;
    }
    line->call.client = client;
    return true;
}

static void add_clients(Buf *out)
{
    buf_addf(out, "%.*s\n", STR_ARG(client_names(out->arena, true, "\n")));
}

static const Option rows[] = {
    {.name = "--client",
     .argument = "NAME",
     .kind = OPTION_READ,
     .read = read_client,
     .words = add_clients,
     .help = {"the client that asks, which decides the form of the answer: %s",
              "调用方，决定应答的形式：%s"}},
    TEXT_ROW(HookLine, call.wants, "--wants", "VERSION",
             "the version that the settings were written for", "配置所针对的版本"),
    TEXT_ROW(HookLine, log, "--metrics", "FILE",
             "append what ran, and how long, to this log (pypto-lint stats)",
             "把运行的规则和耗时追加到该日志（pypto-lint stats）"),
    FLAG_ROW(HookLine, call.statistics, "--statistics", "say how far kernels were evaluated",
             "说明 kernel 的求值进度"),
    LANG_ROW(HookLine, call.lang),
};
const OptionTable hook_options = OPTION_TABLE(rows, .words = add_events, .most_words = 1);

/* Unlike other commands, this one goes on when it does not know a word; see remark_about. */
static void read_line(HookLine *line, Arena *arena, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        Str word = str_from(argv[i]);
        Str error;
        int at = i;
        if (str_is(word, "--help") || str_is(word, "-h")) {
            line->help = true;
        } else if (!line->has_event && find_event(&line->call, word)) {
            line->has_event = true;
        } else if (!option_take(&hook_options, arena, line, argc, argv, &i, &error)) {
            size_t equals = str_find(word, STR("="), 0);
            bool joined = error.length > 0 && equals != SIZE_MAX; /* the value is at fault */
            word = i > at ? str_from(argv[i]) : word;
            VEC_PUSH(arena, &line->unknown,
                     joined ? str_slice(word, equals + 1, word.length) : word);
        }
    }
}

/* Settings may have been written by a newer version than this. To refuse all that is asked would
 * stop every write, and silence would be taken for consent: the answer says so, and the rest is
 * done. */
static Str remark_about(Arena *arena, const HookLine *line)
{
    Text unknown = {"[pypto-op-lint] pypto-lint " PYPTO_LINT_VERSION
                    " does not know%.*s in the hook's "
                    "command. Tell the user: update pypto-lint, or run pypto-lint init again.",
                    "[pypto-op-lint] pypto-lint " PYPTO_LINT_VERSION " 不认识钩子命令中的%.*s。"
                    "请告知用户：更新 pypto-lint，或重新运行 pypto-lint init。"};
    Text no_event = {" (no event)", "（缺少事件）"};
    Text unchecked = {" Nothing was checked.", "未作任何检查。"};
    enum { SHOWN = 5, BYTES = 80 };
    Lang lang = line->call.lang;
    Buf words = {.arena = arena};
    for (uint32_t i = 0; i < line->unknown.count && i < SHOWN; i++) {
        buf_add(&words, i > 0 ? STR(", '") : STR(" '"));
        terminal_add(&words, str_slice(line->unknown.items[i], 0, BYTES));
        buf_add_char(&words, '\'');
    }
    if (line->unknown.count == 0) {
        buf_add(&words, str_from(text_in(lang, no_event)));
    }
    Str remark = str_format(arena, text_in(lang, unknown), STR_ARG(buf_str(&words)));
    return line->has_event ? remark
                           : str_format(arena, "%.*s%s", STR_ARG(remark), text_in(lang, unchecked));
}

int command_hook(const Command *self, Arena *arena, int argc, char **argv)
{
    (void)self;
    HookLine line = {.call = {.lang = default_lang(), .name = HOOK_NAME_UNKNOWN}, .log = STR("")};
    read_line(&line, arena, argc, argv);
    if (line.help) {
        return EXIT_HELP;
    }
    if (!line.has_event && isatty(STDIN_FILENO)) {
        return print_error("which event? %.*s",
                           STR_ARG(option_words_text(add_events, arena, LANG_EN)));
    }
    if (!line.has_event || line.unknown.count > 0) {
        line.call.remark = remark_about(arena, &line);
    }
    return answer(arena, &line.call, line.log);
}

bool is_old_hook(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        if (str_is(argument, "--hook") || str_starts(argument, STR("--hook="))) {
            return true;
        }
    }
    return false;
}

/* With other modes on the line, --hook is the one that counts; their options mean nothing then. */
int command_old_hook(Arena *arena, int argc, char **argv)
{
    static const char *const with_value[] = {"--op-dir", "--stage", "--phase"};
    HookCall call = {.old_form = true, .lang = default_lang()};
    const char *unknown = NULL;
    for (int i = 0; i < argc; i++) {
        Str value;
        if (is_old_help(argv[i])) {
            return print_old_help();
        }
        bool known = is_upstream(1, argv + i);
        for (int k = 0; k < 3 && !known; k++) {
            known = option_value(argc, argv, &i, with_value[k], &value);
        }
        if (known) {
            continue;
        }
        if (!option_value(argc, argv, &i, "--hook", &value)) {
            unknown = unknown == NULL ? argv[i] : unknown;
        } else if (!find_event(&call, value)) {
            return print_error(
                "no hook event '%.*s'; it is post-edit, pre-edit-backup, post-bash or stop",
                STR_ARG(value));
        }
    }
    if (unknown != NULL) {
        return print_error("unknown argument '%s'", unknown);
    }
    return answer(arena, &call, STR(""));
}
