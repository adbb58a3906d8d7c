/* `init`: writes the settings of editors and other programs that call the linter. What is to be
 * changed is worked out in src/init; here it is shown, asked about and carried out. */
#include "base/path.h"
#include "base/program.h"
#include "cli/cli.h"
#include "init/line_diff.h"
#include "init/place.h"
#include "init/plan.h"

#include <stdio.h>
#include <unistd.h>

typedef struct InitOptions {
    InitRequest request;       /* remove, user, repository and lang only */
    bool chosen[CLIENT_COUNT]; /* by --client */
    bool any_chosen;
    bool yes, dry_run;
} InitOptions;

typedef struct Outcome {
    bool failed; /* something was refused or went wrong */
    bool undone; /* something remains to be done */
    bool unseen; /* changes could not be shown, and are not made */
    uint32_t changes;
} Outcome;

/* --- which clients */

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

static bool read_clients(void *given, Arena *arena, Str list, Str *error)
{
    for (size_t start = 0; start <= list.length;) {
        size_t end = str_find(list, STR(","), start);
        end = end == SIZE_MAX ? list.length : end;
        Str name = str_slice(list, start, end);
        if (!choose_client(given, name)) {
            *error = str_format(arena, "--client takes %.*s, not '%.*s'",
                                STR_ARG(client_names(arena, false, ", ")), STR_ARG(name));
            return false;
        }
        start = end + 1;
    }
    return true;
}

static void add_clients(Buf *out)
{
    buf_addf(out, "%.*s\n", STR_ARG(client_names(out->arena, false, "\n")));
}

static const Option rows[] = {
    {.name = "--client",
     .argument = "LIST",
     .kind = OPTION_READ,
     .read = read_clients,
     .words = add_clients,
     .help = {"%s; by default, those in use here", "%s；缺省为此处正在使用的"}},
    TEXT_ROW(
        InitOptions, request.repository, "--repository", "ADDRESS",
        "where pypto-lint is published: for github OWNER/NAME[@REF], for pre-commit what git clones (URL[@REV] or ../PATH[@REV])",
        "pypto-lint 的发布位置：github 为 OWNER/NAME[@REF]，pre-commit 为 git 可克隆的地址（URL[@REV] 或 ../PATH[@REV]）"),
    FLAG_ROW(InitOptions, request.user, "--user",
             "write the settings of this user, for all projects, instead of the project's",
             "写入用户级配置（对所有项目生效），而不是项目配置"),
    FLAG_ROW(InitOptions, request.remove, "--remove",
             "remove what init has written; without --client, for all clients",
             "移除 init 写入的内容；不带 --client 时全部移除"),
    FLAG_ROW(InitOptions, yes, "-y, --yes", "make the changes without asking",
             "不询问，直接写入更改"),
    FLAG_ROW(InitOptions, dry_run, "-n, --dry-run",
             "show the changes only; exit status 1 when there are any",
             "只显示更改；有更改时退出状态为 1"),
    LANG_ROW(InitOptions, request.lang),
};

const OptionTable init_options = OPTION_TABLE(rows, .most_words = 0);

/* Chooses the clients that are in use here. False, with a message, when there are none. */
static bool detect_clients(Arena *arena, InitOptions *options)
{
    const InitRequest *request = &options->request;
    for (int i = 0; i < CLIENT_COUNT; i++) {
        Str sign;
        if (place_finds(arena, clients[i], request->root, request->user, &sign)) {
            options->chosen[i] = options->any_chosen = true;
            print_note(
                text_in(request->lang, (Text){"%s is in use here (%.*s)", "发现 %s（%.*s）"}),
                clients[i]->name, STR_ARG(sign));
        }
    }
    if (!options->any_chosen) {
        Text text = {"no sign of an editor or another client here; name one with --client: %.*s",
                     "此处未发现编辑器或其他客户端，请用 --client 指定：%.*s"};
        print_error(text_in(request->lang, text),
                    STR_ARG(option_words_text(add_clients, arena, request->lang)));
    }
    return options->any_chosen;
}

/* --- showing */

static void show_snippet(Lang lang, const InitPlan *plan)
{
    if (plan->snippet.length > 0) { /* the status is EXIT_ERROR already */
        print_note(text_in(lang, (Text){"to put into %.*s by hand:", "请手工写入 %.*s："}),
                   STR_ARG(plan->shown));
        print_all(plan->snippet);
    }
}

/* False when it cannot be shown. */
static bool show_change(Arena *arena, const InitPlan *plan)
{
    Buf out = {.arena = arena};
    Str path = plan->shown;
    if (path_is_absolute(path)) {
        path = str_slice(path, 1, path.length);
    }
    line_diff(&out, path, plan->before, plan->after, !plan->exists, plan->deletes);
    return print_all(buf_str(&out));
}

static void show_plan(Arena *arena, const InitOptions *options, const InitPlan *plan,
                      Outcome *outcome)
{
    Lang lang = options->request.lang;
    Str name = plan->shown.length > 0 ? plan->shown : str_from(plan->client->name);
    switch (plan->state) {
    case PLAN_CHANGE:
        outcome->changes++;
        outcome->unseen = !show_change(arena, plan) || outcome->unseen;
        break;
    case PLAN_REFUSED:
        outcome->failed = true;
        print_error("%s: %.*s: %.*s", plan->client->name, STR_ARG(name), STR_ARG(plan->message));
        show_snippet(lang, plan);
        break;
    case PLAN_LEFT:
        outcome->undone = true;
        print_note("%s: %.*s: %.*s", plan->client->name, STR_ARG(name), STR_ARG(plan->message));
        break;
    case PLAN_NOTHING:
        print_note(text_in(lang, (Text){"%s: %.*s: nothing to do", "%s：%.*s：无需更改"}),
                   plan->client->name, STR_ARG(name));
        break;
    }
    for (uint32_t i = 0; i < plan->notes.count; i++) {
        print_note("%s: %.*s: %.*s", plan->client->name, STR_ARG(name),
                   STR_ARG(plan->notes.items[i]));
    }
}

/* --- doing */

static bool ask(Lang lang)
{
    char answer[16] = "";
    fputs(text_in(lang, (Text){"Make these changes? [y/N] ", "是否写入以上更改？[y/N] "}), stderr);
    fflush(stderr);
    if (fgets(answer, sizeof answer, stdin) == NULL) {
        fputc('\n', stderr);
        return false;
    }
    Str word = str_trim(str_from(answer));
    return str_is(word, "y") || str_is(word, "Y") || str_is(word, "yes") || str_is(word, "是");
}

/* Shall the changes that were shown be made? Says so when not. */
static bool is_agreed(const InitOptions *options)
{
    Lang lang = options->request.lang;
    if (options->yes) {
        return true;
    }
    bool can_ask = !options->dry_run && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    if (can_ask && ask(lang)) {
        return true;
    }
    if (options->dry_run || can_ask) {
        print_note("%s", text_in(lang, (Text){"nothing was changed", "未作任何更改"}));
    } else {
        print_note("%s",
                   text_in(lang, (Text){"nothing was changed; add --yes to make these changes",
                                        "未作任何更改；加 --yes 以写入以上更改"}));
    }
    return false;
}

/* False, with a message, when it could not be done. */
static bool carry_out(Arena *arena, const InitRequest *request, const InitPlan *plan)
{
    Str error = STR("");
    if (!plan_carry_out(arena, request, plan, &error)) {
        print_error("%.*s: %.*s", STR_ARG(plan->shown), STR_ARG(error));
        return false;
    }
    Text done = plan->deletes ? (Text){"%.*s deleted", "已删除 %.*s"}
                              : (Text){"%.*s written", "已写入 %.*s"};
    print_note(text_in(request->lang, done), STR_ARG(plan->shown));
    if (!request->remove) {
        print_note(text_in(request->lang, (Text){"%s: %s", "%s：%s"}), plan->client->title,
                   text_in(request->lang, plan->client->next));
    }
    return true;
}

/* Does what was installed look for the program on PATH? */
static bool uses_path(const InitRequest *request, const InitPlan *plan)
{
    return plan->client->format == SETTINGS_OWN_FILE ||
           str_contains(plan->after, STR("entry: pypto-lint ")) ||
           (plan->client->format == SETTINGS_HOOKS && str_is(request->program, "pypto-lint"));
}

static void warn_about_path(Arena *arena, Lang lang)
{
    print_note(
        text_in(lang, (Text){"pypto-lint is not on PATH, where the clients look for it: copy "
                             "or link %.*s there",
                             "PATH 中没有 pypto-lint，而客户端要在其中查找：请将 %.*s "
                             "复制或链接到其中"}),
        STR_ARG(program_own(arena)));
}

/* Settings with hooks name a path although `pypto-lint` would do: why, and what follows. */
static void explain_path(const InitRequest *request)
{
    print_note(
        text_in(request->lang,
                (Text){"the hooks call %.*s directly, as the launcher of npm would add a fifth "
                       "of a second to each edit; the path is this machine's: run init "
                       "again when the package moves",
                       "钩子直接调用 %.*s，因为 npm 的启动器会使每次编辑多花约 0.2 秒；"
                       "该路径只属于本机：软件包位置改变后请重新运行 init"}),
        STR_ARG(request->program));
}

static int run_plans(Arena *arena, const InitOptions *options, bool quiet)
{
    const InitRequest *request = &options->request;
    InitPlan plans[CLIENT_COUNT];
    Outcome outcome = {0};
    for (int i = 0; i < CLIENT_COUNT; i++) {
        plans[i] = (InitPlan){.state = PLAN_NOTHING};
        if (options->chosen[i]) {
            plans[i] = plan_make(arena, request, clients[i]);
        }
        if (options->chosen[i] && !(quiet && plans[i].state == PLAN_NOTHING)) {
            show_plan(arena, options, &plans[i], &outcome);
        }
    }
    outcome.failed = outcome.failed || outcome.unseen;
    bool agreed = outcome.changes > 0 && !outcome.unseen && is_agreed(options);
    bool needs_path = false;
    bool names_path = false;
    for (int i = 0; i < CLIENT_COUNT && agreed; i++) {
        if (plans[i].state == PLAN_CHANGE) {
            bool done = carry_out(arena, request, &plans[i]);
            outcome.failed = outcome.failed || !done;
            needs_path = needs_path || (done && !request->remove && uses_path(request, &plans[i]));
            names_path = names_path || (done && !request->remove && place_has_launcher() &&
                                        plans[i].client->format == SETTINGS_HOOKS);
        }
    }
    if (needs_path && !place_program_on_path(arena)) {
        warn_about_path(arena, request->lang);
    }
    if (names_path && !str_is(request->program, "pypto-lint")) {
        explain_path(request);
    }
    if (quiet && outcome.changes == 0 && !outcome.failed && !outcome.undone) {
        print_note("%s", text_in(request->lang, (Text){"nothing of pypto-lint to remove here",
                                                       "此处没有可移除的 pypto-lint 配置"}));
    }
    outcome.undone = outcome.undone || (outcome.changes > 0 && !agreed);
    return outcome.failed ? EXIT_ERROR : outcome.undone ? EXIT_FINDINGS : EXIT_CLEAN;
}

int command_init(const Command *self, Arena *arena, int argc, char **argv)
{
    InitOptions options = {.request = {.lang = default_lang(), .repository = STR("")}};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (options.yes && options.dry_run) {
        return print_error("--yes and --dry-run contradict each other");
    }
    Str cwd = working_directory(arena);
    options.request.root = place_project(arena, cwd);
    options.request.program = place_program(arena, options.request.user);
    if (!options.request.user && !str_equal(options.request.root, cwd)) {
        print_note(text_in(options.request.lang, (Text){"project: %.*s", "项目：%.*s"}),
                   STR_ARG(options.request.root));
    }
    /* Without a name, everything that init has put in is taken out. */
    bool all = options.request.remove && !options.any_chosen;
    for (int i = 0; i < CLIENT_COUNT; i++) {
        options.chosen[i] =
            options.chosen[i] || (all && (!options.request.user || clients[i]->user_path != NULL));
    }
    if (!all && !options.any_chosen && !detect_clients(arena, &options)) {
        return EXIT_ERROR;
    }
    return run_plans(arena, &options, all);
}
