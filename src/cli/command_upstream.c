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

static bool read_arguments(Upstream *upstream, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        Mode mode = mode_of(argument);
        if (mode != MODE_COUNT) {
            upstream->mode = mode < upstream->mode ? mode : upstream->mode;
            continue;
        }
        size_t equals = str_find(argument, STR("="), 0);
        Str name = equals == SIZE_MAX ? argument : str_slice(argument, 0, equals);
        if (!str_is(name, "--op-dir") && !str_is(name, "--stage") && !str_is(name, "--phase")) {
            print_error("unknown argument '%s'", argv[i]);
            return false;
        }
        Str value = STR("");
        if (equals != SIZE_MAX) {
            value = str_slice(argument, equals + 1, argument.length);
        } else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0) {
            value = str_from(argv[++i]);
        } else {
            print_error("%.*s needs a value", STR_ARG(name));
            return false;
        }
        if (!take_value(upstream, name, value)) {
            return false;
        }
    }
    return true;
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
    if (!read_arguments(&upstream, argc, argv) || !fill_request(&request, &upstream)) {
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
