/* `hook EVENT` and the Python linter's `--hook EVENT`: options and output; the rest is in
 * src/hook. */
#include "cli/cli.h"
#include "hook/hook.h"

enum { EVENT_COUNT = 4, CLIENT_COUNT = 4 };

static const struct {
    const char *name, *old_name;
    HookName hook;
} events[EVENT_COUNT] = {
    {"post-edit", "post-edit", HOOK_NAME_POST_EDIT},
    {"pre-edit", "pre-edit-backup", HOOK_NAME_PRE_EDIT},
    {"post-bash", "post-bash", HOOK_NAME_POST_BASH},
    {"stop", "stop", HOOK_NAME_STOP},
};

static const struct {
    const char *name;
    HookClient client;
} clients[CLIENT_COUNT] = {
    {"claude", CLIENT_CLAUDE},
    {"codex", CLIENT_CODEX},
    {"gemini", CLIENT_GEMINI},
    {"opencode", CLIENT_OPENCODE},
};

static bool find_event(HookCall *call, Str name)
{
    for (int i = 0; i < EVENT_COUNT; i++) {
        if (str_is(name, call->old_form ? events[i].old_name : events[i].name)) {
            call->name = events[i].hook;
            return true;
        }
    }
    trouble("no hook event '%.*s'; it is post-edit, %s, post-bash or stop", STR_ARG(name),
            call->old_form ? "pre-edit-backup" : "pre-edit");
    return false;
}

static bool find_client(HookCall *call, Str name)
{
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (str_is(name, clients[i].name)) {
            call->client = clients[i].client;
            return true;
        }
    }
    trouble("--client takes claude, codex, gemini or opencode, not '%.*s'", STR_ARG(name));
    return false;
}

static bool find_lang(HookCall *call, Str name)
{
    call->lang = str_is(name, "zh") ? LANG_ZH : LANG_EN;
    if (!str_is(name, "zh") && !str_is(name, "en")) {
        trouble("--lang takes en or zh, not '%.*s'", STR_ARG(name));
        return false;
    }
    return true;
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

static const char *event_mode(HookName name)
{
    int i = 0;
    while (i < EVENT_COUNT - 1 && events[i].hook != name) {
        i++;
    }
    return events[i].name;
}

/* The log comes after the answer and never spoils it: not even a message, as hosts take one for
 * part of the answer. */
static int answer(Arena *arena, HookCall *call, Str log)
{
    Metrics metrics;
    metrics_open(&metrics, log.at, event_mode(call->name));
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

int command_hook(Arena *arena, int argc, char **argv)
{
    HookCall call = {.lang = default_lang()};
    bool has_event = false;
    Str log = STR("");
    for (int i = 0; i < argc; i++) {
        Str value;
        if (option_value(argc, argv, &i, "--client", &value)) {
            if (!find_client(&call, value)) {
                return EXIT_TROUBLE;
            }
        } else if (option_value(argc, argv, &i, "--metrics", &value)) {
            log = value;
        } else if (option_value(argc, argv, &i, "--lang", &value)) {
            if (!find_lang(&call, value)) {
                return EXIT_TROUBLE;
            }
        } else if (str_is(str_from(argv[i]), "--help") || str_is(str_from(argv[i]), "-h")) {
            char *words[] = {(char[]){"hook"}, NULL};
            return command_help(arena, 1, words);
        } else if (!has_event && argv[i][0] != '-') {
            has_event = true;
            if (!find_event(&call, str_from(argv[i]))) {
                return EXIT_TROUBLE;
            }
        } else {
            return trouble("unknown argument '%s' (see pypto-lint help hook)", argv[i]);
        }
    }
    if (!has_event) {
        return trouble("which event? post-edit, pre-edit, post-bash or stop");
    }
    return answer(arena, &call, log);
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
            return EXIT_TROUBLE;
        }
    }
    return answer(arena, &call, STR(""));
}
