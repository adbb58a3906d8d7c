/* Readers of the options of `check`: each puts one value where it belongs; see option_readers.h. */
#include "cli/option_readers.h"

static bool complain(const char *message, Str value)
{
    trouble("%s: '%.*s'", message, STR_ARG(value));
    return false;
}

static bool read_number(Str text, long low, long high, int *number)
{
    if (text.length == 0 || text.length > 9) {
        return false;
    }
    long value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        value = value * 10 + (text.at[i] - '0');
    }
    *number = (int)value;
    return value >= low && value <= high;
}

bool read_stage(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->has_scope = true;
    return read_number(value, 1, 7, &options->request.stage) ||
           complain("--stage takes a number from 1 to 7", value);
}

bool read_phase(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->has_scope = true;
    Str number = str_slice(value, 1, value.length);
    bool good = value.length > 1 && value.at[0] == 'M' && value.at[1] != '0' &&
                read_number(number, 1, 999, &options->request.phase);
    return good || complain("--phase takes M1, M2, …", value);
}

bool read_design(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    (void)value;
    options->has_scope = true;
    options->request.design = true;
    return true;
}

bool read_file(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    while (str_starts(value, STR("./"))) {
        value = str_slice(value, 2, value.length);
    }
    options->request.file = value;
    return value.length > 0 || complain("--file needs a path", value);
}

/* Comma-separated selectors; a retired id is answered with its story. */
static bool read_selectors(Arena *arena, Str value, Strs *list)
{
    size_t start = 0;
    while (start <= value.length) {
        size_t comma = str_find(value, STR(","), start);
        size_t end = comma == SIZE_MAX ? value.length : comma;
        Str selector = str_trim(str_slice(value, start, end));
        Str message = STR("");
        if (selector.length > 0) {
            if (!selector_check(selector, arena, default_lang(), &message)) {
                trouble("%.*s", STR_ARG(message));
                return false;
            }
            if (message.length > 0) {
                trouble("%.*s", STR_ARG(message));
            }
            VEC_PUSH(arena, list, selector);
        }
        start = end + 1;
    }
    return list->count > 0 || complain("no rule named", value);
}

bool read_rules(CheckOptions *options, Arena *arena, Str value)
{
    return read_selectors(arena, value, &options->request.rules);
}

bool read_ignore(CheckOptions *options, Arena *arena, Str value)
{
    return read_selectors(arena, value, &options->request.ignore);
}

bool read_format(CheckOptions *options, Arena *arena, Str value)
{
    options->writer = report_writer(value);
    return options->writer != NULL ||
           complain(str_format(arena, "--format takes %s", report_names(arena, ", ", " or ")).at,
                    value);
}

bool read_lang(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.has_lang = true;
    options->request.lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
    return str_is(value, "zh") || str_is(value, "en") || complain("--lang takes en or zh", value);
}

bool read_fail_on(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.has_fail_on = true;
    options->request.fail_never = str_is(value, "never");
    if (options->request.fail_never) {
        return true;
    }
    if (value.length == 2 && value.at[0] == 'S' && value.at[1] >= '0' && value.at[1] <= '3') {
        options->request.fail_on = (Severity)(value.at[1] - '0');
        return true;
    }
    return complain("--fail-on takes S0, S1, S2, S3 or never", value);
}

bool read_jobs(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    int jobs = 0;
    bool good = read_number(value, 1, 256, &jobs);
    options->request.jobs = (unsigned)jobs;
    return good || complain("-j takes a number from 1 to 256", value);
}

bool read_baseline(CheckOptions *options, Arena *arena, Str value)
{
    options->request.baseline = (Str){str_dup(arena, value), value.length};
    return value.length > 0 || complain("--baseline needs a file", value);
}

/* Git takes what begins with a dash for an option of its own. */
bool read_changed_since(CheckOptions *options, Arena *arena, Str value)
{
    options->request.changed_since = (Str){str_dup(arena, value), value.length};
    return (value.length > 0 && value.at[0] != '-') ||
           complain("--changed-since needs a revision", value);
}

bool read_color(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    if (str_is(value, "auto") || str_is(value, "always") || str_is(value, "never")) {
        options->color = str_is(value, "auto")     ? COLOR_AUTO
                         : str_is(value, "always") ? COLOR_ALWAYS
                                                   : COLOR_NEVER;
        return true;
    }
    return complain("--color takes auto, always or never", value);
}

#define TEXT(function, member, complaint)                                                          \
    bool function(CheckOptions *options, Arena *arena, Str value)                                  \
    {                                                                                              \
        (void)arena;                                                                               \
        options->member = value;                                                                   \
        return value.length > 0 || complain(complaint, value);                                     \
    }
TEXT(read_op_dir, request.op_dir, "--op-dir needs a directory")
TEXT(read_python, request.python, "--python needs an interpreter")
TEXT(read_output, output, "--output needs a file")
TEXT(read_metrics, metrics, "--metrics needs a file")
TEXT(read_stdin_name, stdin_name, "--stdin-filename needs a path")
TEXT(read_config_path, request.config, "--config needs a file")

#define FLAG(function, member)                                                                     \
    bool function(CheckOptions *options, Arena *arena, Str value)                                  \
    {                                                                                              \
        (void)arena;                                                                               \
        (void)value;                                                                               \
        options->member = true;                                                                    \
        return true;                                                                               \
    }
FLAG(read_no_config, request.no_config)
FLAG(read_no_exec, request.no_exec)
FLAG(read_show_passed, show_passed)
FLAG(read_statistics, statistics)
FLAG(read_fix, fix)
FLAG(read_remove_unused, remove_unused)
FLAG(read_update_baseline, request.update_baseline)
FLAG(read_whole, request.whole_operators)
FLAG(read_staged, request.staged)
FLAG(read_new_only, request.new_only)
FLAG(read_help, help)
