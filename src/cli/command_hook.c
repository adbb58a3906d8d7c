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

static bool find_client(HookCall *call, Str name)
{
    const Client *client = client_find(name);
    bool known = client != NULL && client->sign != NULL;
    call->client = known ? client : call->client;
    return known;
}

static bool find_lang(HookCall *call, Str name)
{
    bool known = str_is(name, "zh") || str_is(name, "en");
    if (known) {
        call->lang = str_is(name, "zh") ? LANG_ZH : LANG_EN;
    }
    return known;
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
    return printed ? answer.status : EXIT_TROUBLE;
}

/* What a command line asks for. */
typedef struct HookLine {
    HookCall call;
    bool has_event, help;
    Str log;
    Strs unknown; /* words that this version does not know */
} HookLine;

static void read_line(HookLine *line, Arena *arena, int argc, char **argv)
{
    HookCall *call = &line->call;
    for (int i = 0; i < argc; i++) {
        Str value = STR(""), word = str_from(argv[i]);
        bool known = true;
        if (option_value(argc, argv, &i, "--client", &value)) {
            known = find_client(call, value);
        } else if (option_value(argc, argv, &i, "--metrics", &value)) {
            line->log = value;
        } else if (option_value(argc, argv, &i, "--wants", &value)) {
            call->wants = value;
        } else if (option_value(argc, argv, &i, "--lang", &value)) {
            known = find_lang(call, value);
        } else if (str_is(word, "--help") || str_is(word, "-h")) {
            line->help = true;
        } else if (!line->has_event && find_event(call, word)) {
            line->has_event = true;
        } else {
            known = false;
        }
        if (!known) {
            VEC_PUSH(arena, &line->unknown, value.length > 0 ? value : word);
        }
    }
}

/* Settings may have been written by a newer version than this. To refuse all that is asked would
 * stop every write, to say nothing would be taken for consent: it is told, and the rest is done. */
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

int command_hook(Arena *arena, int argc, char **argv)
{
    HookLine line = {.call = {.lang = default_lang(), .name = HOOK_NAME_UNKNOWN}, .log = STR("")};
    read_line(&line, arena, argc, argv);
    if (line.help) {
        char *words[] = {(char[]){"hook"}, NULL};
        return command_help(arena, 1, words);
    }
    if (!line.has_event && isatty(STDIN_FILENO)) {
        return trouble("which event? post-edit, pre-edit, post-bash, stop or session-start");
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
    for (int i = 0; i < argc; i++) {
        Str value;
        bool known = is_upstream(1, argv + i);
        for (int k = 0; k < 3 && !known; k++) {
            known = option_value(argc, argv, &i, with_value[k], &value);
        }
        if (known) {
            continue;
        }
        if (!option_value(argc, argv, &i, "--hook", &value)) {
            return trouble("unknown argument '%s'", argv[i]);
        }
        if (!find_event(&call, value)) {
            return trouble(
                "no hook event '%.*s'; it is post-edit, pre-edit-backup, post-bash or stop",
                STR_ARG(value));
        }
    }
    return answer(arena, &call, STR(""));
}
