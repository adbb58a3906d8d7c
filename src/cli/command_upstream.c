/* The command line of the Python linter: `--check-gate --op-dir DIR` and its kin. Options, output
 * and exit status are that program's (docs/agents/gates.md), so that replacing its path is all it
 * takes. */
#include "cli/cli.h"

#include "base/ascii.h"
#include "lint/plan.h"
#include "rules/data/api.h"

enum { EXIT_BLOCKED = 2 };

/* The modes in the order in which they count when several are given. */
typedef enum Mode {
    MODE_IMPL,
    MODE_GOLDEN,
    MODE_TEST,
    MODE_CONSISTENCY,
    MODE_GATE,
    MODE_PHASE_GATE,
    MODE_DESIGN_GATE,
    MODE_COUNT,
} Mode;

static const struct {
    const char *flag;
    RuleSet set;
} modes[MODE_COUNT] = {
    [MODE_IMPL] = {"--lint-impl", SET_IMPL},
    [MODE_GOLDEN] = {"--lint-golden", SET_GOLDEN},
    [MODE_TEST] = {"--lint-test", SET_TEST},
    [MODE_CONSISTENCY] = {"--lint-consistency", SET_CONSISTENCY},
    [MODE_GATE] = {"--check-gate", SET_STAGE_GATE},
    [MODE_PHASE_GATE] = {"--check-phase-gate", SET_PHASE_GATE},
    [MODE_DESIGN_GATE] = {"--check-design-gate", SET_DESIGN_GATE},
};

typedef struct Upstream {
    Mode mode; /* MODE_COUNT: none yet */
    Str op_dir, phase;
    int stage;
    bool has_stage;
    bool help;
} Upstream;

static Mode mode_of(Str argument)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        if (str_is(argument, modes[i].flag)) {
            return (Mode)i;
        }
    }
    return MODE_COUNT;
}

bool is_upstream(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (mode_of(str_from(argv[i])) != MODE_COUNT) {
            return true;
        }
    }
    return false;
}

/* --- help */

bool is_old_help(const char *argument)
{
    /* Python's argparse takes `--he` and `--hel` for --help, too. */
    return strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0 ||
           strcmp(argument, "--hel") == 0 || strcmp(argument, "--he") == 0;
}

int print_old_help(void)
{
    Text text = {
        "Usage: pypto-lint FLAG --op-dir DIR [--stage N] [--phase Mk]\n"
        "       pypto-lint --hook EVENT\n"
        "the command line of the Python linter: its flags, its output, its exit status\n"
        "\n"
        "Flags; of several the first in this list counts:\n"
        "  --hook EVENT         post-edit, post-bash, pre-edit-backup, stop; JSON on standard input\n"
        "  --lint-impl          the rules about the implementation\n"
        "  --lint-golden        the rule about the golden\n"
        "  --lint-test          the rules about the test\n"
        "  --lint-consistency   the rules about documents and their agreement\n"
        "  --check-gate         every rule of the stage\n"
        "  --check-phase-gate   the rules of a phase; needs --phase\n"
        "  --check-design-gate  the rules of the design\n"
        "\n"
        "Options:\n"
        "  --op-dir DIR         the operator directory; every flag but --hook needs it\n"
        "  --stage N            the stage; 5 if nothing is said, for the design 4\n"
        "  --phase Mk           the phase: M1, M2, …\n"
        "  -h, --help           this text; 'pypto-lint help' has the commands\n"
        "\n"
        "Exit status: 0, or 2 if a rule of S0 or S1 fails.\n",
        "用法：pypto-lint FLAG --op-dir DIR [--stage N] [--phase Mk]\n"
        "      pypto-lint --hook EVENT\n"
        "Python 版 linter 的命令行：参数、输出和退出状态均与其一致\n"
        "\n"
        "FLAG；给出多个时，以此表中最前面的为准：\n"
        "  --hook EVENT         post-edit、post-bash、pre-edit-backup、stop；标准输入为 JSON\n"
        "  --lint-impl          关于实现的规则\n"
        "  --lint-golden        关于 golden 的规则\n"
        "  --lint-test          关于测试的规则\n"
        "  --lint-consistency   关于文档及其一致性的规则\n"
        "  --check-gate         该阶段的全部规则\n"
        "  --check-phase-gate   某个 phase 的规则；需要 --phase\n"
        "  --check-design-gate  关于设计的规则\n"
        "\n"
        "选项：\n"
        "  --op-dir DIR         算子目录；除 --hook 外都需要\n"
        "  --stage N            阶段；缺省 5，设计门禁为 4\n"
        "  --phase Mk           phase：M1、M2……\n"
        "  -h, --help           显示本说明；'pypto-lint help' 列出命令\n"
        "\n"
        "退出状态：0；有 S0 或 S1 规则失败时为 2。\n"};
    return print_all(str_from(text_in(default_lang(), text))) ? EXIT_CLEAN : EXIT_ERROR;
}

/* --- options */

/* A decimal integer of any size with an optional sign. No rule knows a stage beyond 9, so larger
 * numbers need not be distinguished. */
static bool read_integer(Str text, int *number)
{
    text = str_trim(text);
    bool negative = str_starts(text, STR("-"));
    if (negative || str_starts(text, STR("+"))) {
        text = str_slice(text, 1, text.length);
    }
    int value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_digit(text.at[i])) {
            return false;
        }
        value = value > 99999 ? value : value * 10 + (text.at[i] - '0');
    }
    *number = negative ? -value : value;
    return text.length > 0;
}

/* "M1", "M2" …: its number, or 0. */
static int phase_number(Str text)
{
    int number = 0;
    bool good = text.length >= 2 && text.length <= 4 && text.at[0] == 'M' && text.at[1] >= '1' &&
                text.at[1] <= '9' && read_integer(str_slice(text, 1, text.length), &number);
    return good ? number : 0;
}

static bool take_value(Upstream *upstream, Str name, Str value)
{
    if (str_is(name, "--op-dir")) {
        upstream->op_dir = value;
    } else if (str_is(name, "--phase")) {
        upstream->phase = value;
    } else {
        upstream->has_stage = true;
        if (!read_integer(value, &upstream->stage)) {
            print_error("--stage takes an integer, not '%.*s'", STR_ARG(value));
            return false;
        }
    }
    return true;
}

/* Like argparse: one after the other; what is not known matters only at the end. */
static bool read_arguments(Upstream *upstream, int argc, char **argv)
{
    const char *unknown = NULL;
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        Mode mode = mode_of(argument);
        if (mode != MODE_COUNT) {
            upstream->mode = mode < upstream->mode ? mode : upstream->mode;
            continue;
        }
        if (is_old_help(argv[i])) { /* what follows is not looked at */
            upstream->help = true;
            return true;
        }
        size_t equals = str_find(argument, STR("="), 0);
        Str name = equals == SIZE_MAX ? argument : str_slice(argument, 0, equals);
        if (!str_is(name, "--op-dir") && !str_is(name, "--stage") && !str_is(name, "--phase")) {
            unknown = unknown == NULL ? argv[i] : unknown;
            continue;
        }
        Str value = STR("");
        if (equals != SIZE_MAX) {
            value = str_slice(argument, equals + 1, argument.length);
        } else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0 &&
                   !is_old_help(argv[i + 1])) {
            value = str_from(argv[++i]);
        } else {
            print_error("%.*s needs a value", STR_ARG(name));
            return false;
        }
        if (!take_value(upstream, name, value)) {
            return false;
        }
    }
    if (unknown != NULL) {
        print_error("unknown argument '%s'", unknown);
    }
    return unknown == NULL;
}

static bool fill_request(Request *request, const Upstream *upstream)
{
    const char *flag = modes[upstream->mode].flag;
    if (upstream->op_dir.length == 0) {
        print_error("%s needs --op-dir DIR", flag);
        return false;
    }
    *request = (Request){
        .what = {.op_dir = upstream->op_dir,
                 .set = modes[upstream->mode].set,
                 .stage = upstream->has_stage ? upstream->stage : 5,
                 .has_stage = true,
                 .gate = true},
        .who = {.upstream = true, .has_fail_on = true, .fail_on = S1, .lang = default_lang()}};
    if (upstream->mode == MODE_PHASE_GATE) {
        request->what.phase = phase_number(upstream->phase);
        if (request->what.phase == 0) {
            print_error("%s needs --phase M1, M2, …", flag);
            return false;
        }
    }
    if (upstream->mode == MODE_DESIGN_GATE && request->what.stage == 5) {
        request->what.stage = 4; /* the default of the other modes, where somebody wrote it out */
    }
    return true;
}

/* --- running */

int command_upstream(Arena *arena, int argc, char **argv)
{
    Upstream upstream = {.mode = MODE_COUNT};
    Request request;
    if (!read_arguments(&upstream, argc, argv)) {
        return EXIT_ERROR;
    }
    if (upstream.help) {
        return print_old_help();
    }
    if (!fill_request(&request, &upstream)) {
        return EXIT_ERROR;
    }
    Str error = STR("");
    if (!api_load(arena, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    Plan plan;
    plan_begin(&plan, arena, &request.who);
    Run *run = run_check(&request, &plan);
    const RunResult *result = run_result(run);
    print_errors(result);
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (result->operators.count > 0) {
        report_upstream(&out, result, &(ReportOptions){.color = false});
    }
    int status = result->exit_status == EXIT_CLEAN ? EXIT_CLEAN : EXIT_BLOCKED;
    status = print_all(buf_str(&out)) ? status : EXIT_ERROR;
    log_metrics(STR(""), result);
    run_free(run);
    return status;
}
