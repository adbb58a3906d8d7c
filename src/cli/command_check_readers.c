/* Readers of the options of `check`: each puts one value where it belongs; see
 * command_check_readers.h. */
#include "cli/command_check_readers.h"

static bool complain(Arena *arena, Str *error, const char *message, Str value)
{
    *error = str_format(arena, "%s, not '%.*s'", message, STR_ARG(value));
    return false;
}

static bool read_number(Str text, uint32_t low, uint32_t high, int *number)
{
    uint32_t value = 0;
    bool good = option_number(text, high, &value) && value >= low;
    *number = (int)value;
    return good;
}

bool read_stage(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->has_scope = true;
    return read_number(value, 1, 7, &options->request.what.stage) ||
           complain(arena, error, "--stage takes a number from 1 to 7", value);
}

bool read_phase(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->has_scope = true;
    Str number = str_slice(value, 1, value.length);
    bool good = value.length > 1 && value.at[0] == 'M' && value.at[1] != '0' &&
                read_number(number, 1, 999, &options->request.what.phase);
    return good || complain(arena, error, "--phase takes M1, M2, …", value);
}

bool read_design(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    (void)arena, (void)value, (void)error;
    options->has_scope = true;
    options->request.what.design = true;
    return true;
}

bool read_file(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    while (str_starts(value, STR("./"))) {
        value = str_slice(value, 2, value.length);
    }
    options->request.what.file = value;
    return value.length > 0 || complain(arena, error, "--file needs a path", value);
}

/* Comma-separated selectors; a retired id is answered with its story. */
static bool read_selectors(Arena *arena, Str value, Strs *list, Str *error)
{
    size_t start = 0;
    while (start <= value.length) {
        size_t comma = str_find(value, STR(","), start);
        size_t end = comma == SIZE_MAX ? value.length : comma;
        Str selector = str_trim(str_slice(value, start, end));
        Str message = STR("");
        if (selector.length > 0) {
            if (!selector_check(selector, arena, default_lang(), &message)) {
                *error = message;
                return false;
            }
            if (message.length > 0) {
                print_error("%.*s", STR_ARG(message));
            }
            VEC_PUSH(arena, list, selector);
        }
        start = end + 1;
    }
    return list->count > 0 || complain(arena, error, "no rule named", value);
}

bool read_rules(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    return read_selectors(arena, value, &options->request.what.rules, error);
}

bool read_ignore(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    return read_selectors(arena, value, &options->request.what.ignore, error);
}

bool read_select(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    return read_selectors(arena, value, &options->request.what.select, error);
}

bool read_extend_select(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    return read_selectors(arena, value, &options->request.what.extend_select, error);
}

bool read_profile(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    bool kernel = str_is(value, "kernel");
    options->request.what.profile = kernel ? PROFILE_KERNEL : PROFILE_OPERATOR;
    return kernel || str_is(value, "operator") ||
           complain(arena, error, "--profile takes operator or kernel", value);
}

bool read_max_warnings(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->has_max_warnings = true;
    return option_number(value, UINT32_MAX, &options->max_warnings) ||
           complain(arena, error, "--max-warnings takes a number", value);
}

bool read_lang(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->request.who.has_lang = true;
    options->request.who.lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
    return str_is(value, "zh") || str_is(value, "en") ||
           complain(arena, error, "--lang takes en or zh", value);
}

bool read_fail_on(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->request.who.has_fail_on = true;
    options->request.who.fail_never = str_is(value, "never");
    if (options->request.who.fail_never) {
        return true;
    }
    if (value.length == 2 && value.at[0] == 'S' && value.at[1] >= '0' && value.at[1] <= '3') {
        options->request.who.fail_on = (Severity)(value.at[1] - '0');
        return true;
    }
    return complain(arena, error, "--fail-on takes S0, S1, S2, S3 or never", value);
}

bool read_jobs(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    int jobs = 0;
    bool good = read_number(value, 1, 256, &jobs);
    options->request.who.jobs = (unsigned)jobs;
    return good || complain(arena, error, "-j takes a number from 1 to 256", value);
}

/* Git takes what begins with a dash for an option of its own. */
bool read_changed_since(void *given, Arena *arena, Str value, Str *error)
{
    CheckOptions *options = given;
    options->request.what.changed_since = str_copy(arena, value);
    return (value.length > 0 && value.at[0] != '-') ||
           complain(arena, error, "--changed-since needs a revision", value);
}
