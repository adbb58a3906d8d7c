/* Options of commands that start programs; see launch_options.h. */
#include "cli/launch_options.h"

#include "base/ascii.h"
#include "base/path.h"
#include "harness/pool/python_home.h"
#include "lint/project_product.h"
#include "process/process.h"

#include <stdlib.h>

/* --- limits */

enum { LONGEST_SECONDS = 7 * 24 * 3600, MS = 1000 };

/* Digits from `*at` on; false when there are none or too many. */
static bool read_digits(Str text, size_t *at, uint64_t *number)
{
    size_t start = *at;
    *number = 0;
    while (*at < text.length && is_digit(text.at[*at])) {
        *number = *number * 10 + (uint64_t)(text.at[*at] - '0');
        (*at)++;
        if (*number > (uint64_t)1 << 50) {
            return false;
        }
    }
    return *at > start;
}

/* Thousandths after the point; further digits do not count. */
static bool read_fraction(Str text, size_t *at, uint64_t *thousandths)
{
    uint64_t unit = MS / 10;
    size_t start = *at;
    for (; *at < text.length && is_digit(text.at[*at]); (*at)++) {
        *thousandths += unit * (uint64_t)(text.at[*at] - '0');
        unit /= 10;
    }
    return *at > start;
}

bool read_time_limit(const char *option, Str text, uint32_t *milliseconds)
{
    uint64_t whole = 0;
    uint64_t part = 0;
    size_t at = 0;
    *milliseconds = 0;
    if (text.length == 0) {
        return true;
    }
    bool good = read_digits(text, &at, &whole);
    if (good && at < text.length && text.at[at] == '.') {
        at++;
        good = read_fraction(text, &at, &part);
    }
    if (!good || at != text.length || whole > LONGEST_SECONDS || whole * MS + part == 0) {
        print_error("%s takes seconds, from 0.001 to %d, not '%.*s'", option, LONGEST_SECONDS,
                    STR_ARG(text));
        return false;
    }
    *milliseconds = (uint32_t)(whole * MS + part);
    return true;
}

bool read_size_limit(const char *option, Str text, uint64_t *bytes)
{
    size_t at = 0;
    unsigned shift = 0;
    *bytes = 0;
    if (text.length == 0) {
        return true;
    }
    bool good = read_digits(text, &at, bytes) && *bytes > 0;
    if (good && at + 1 == text.length) {
        char unit = text.at[at];
        shift = unit == 'K' || unit == 'k'   ? 10
                : unit == 'M' || unit == 'm' ? 20
                : unit == 'G' || unit == 'g' ? 30
                                             : 0;
        at += shift > 0 ? 1 : 0;
    }
    if (!good || at != text.length || *bytes > UINT64_MAX >> (shift + 1)) {
        print_error("%s takes a size such as 4G, 512M or 65536 (bytes), not '%.*s'", option,
                    STR_ARG(text));
        return false;
    }
    *bytes <<= shift;
    return true;
}

/* --- programs */

bool soc_option_check(Arena *arena, Str folder, Str soc)
{
    if (soc.length == 0) {
        return true;
    }
    Str file = str_format(arena, "%.*s/soc/%.*s.soc", STR_ARG(folder), STR_ARG(soc));
    if (str_find(soc, STR("/"), 0) == SIZE_MAX && file_is_regular(file.at)) {
        return true;
    }
    DirEntries entries = {0};
    Buf known = {.arena = arena};
    buf_add(&known, STR(""));
    directory_list(arena, str_format(arena, "%.*s/soc", STR_ARG(folder)).at, &entries);
    for (size_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        if (str_ends(name, STR(".soc"))) {
            buf_addf(&known, " %.*s", (int)(name.length - 4), name.at);
        }
    }
    print_error("--soc: no hardware named '%.*s'; there are:%.*s", STR_ARG(soc), (int)known.length,
                known.at);
    return false;
}

bool sanitize_option_check(Str words)
{
    for (size_t at = 0; at < words.length;) {
        size_t comma = str_find(words, STR(","), at);
        size_t end = comma == SIZE_MAX ? words.length : comma;
        Str word = str_trim(str_slice(words, at, end));
        if (!str_is(word, "races") && !str_is(word, "init") && !str_is(word, "bounds") &&
            !str_is(word, "all") && !str_is(word, "none")) {
            print_error(
                "--sanitize takes races, init and bounds with commas between them, all or none, "
                "not '%.*s'",
                STR_ARG(word));
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool check_mode(const LaunchOptions *options, Mode *mode)
{
    *mode = MODE_SIM;
    if (options->mode.length > 0) {
        mode_find(options->mode, mode); /* one of the words in its row */
    }
    size_t given = options->soc.length + options->profile.length + options->warn.length +
                   options->pypto.length + options->trace.length + options->sanitize.length +
                   options->precision.length;
    if (*mode == MODE_NPU && (given > 0 || options->stats)) {
        print_error(
            "--soc, --pypto, --profile, --warn, --sanitize, --trace, --precision and --stats are the "
            "simulator's, not for --mode npu");
        return false;
    }
    if (*mode == MODE_NPU && getenv("ASCEND_HOME_PATH") == NULL) {
        print_error("mode npu cannot run here: ASCEND_HOME_PATH is not set (source the toolkit's "
                    "set_env.sh)");
        return false;
    }
    return true;
}

Product product_for(Arena *arena, Str folder, Str option, Str python)
{
    ProjectProduct found = project_product(arena, folder, option, python, LANG_EN);
    if (found.error.length > 0) {
        print_error("settings not used: %.*s", STR_ARG(found.error));
    }
    return found.product;
}

/* The program may change its working directory. */
static Str file_of_program(Arena *arena, Str path)
{
    bool is_relative = path.length > 0 && !path_is_absolute(path);
    return is_relative ? path_join(arena, working_directory(arena), path) : path;
}

bool launch_options_read(Arena *arena, const LaunchOptions *options, Str program, Launch *launch,
                         const char **python)
{
    Str sim = python_home(arena, "sim");
    *launch = (Launch){.soc = options->soc,
                       .profile = options->profile,
                       .warn = options->warn,
                       .sanitize = options->sanitize,
                       .stats = options->stats};
    if (!check_mode(options, &launch->mode) || !soc_option_check(arena, sim, options->soc) ||
        !sanitize_option_check(options->sanitize) ||
        !read_time_limit("--timeout", options->timeout, &launch->timeout_ms) ||
        !read_size_limit("--mem-limit", options->memory, &launch->memory)) {
        return false;
    }
    launch->trace = file_of_program(arena, options->trace);
    launch->precision = str_is(options->precision, "all")
                            ? options->precision
                            : file_of_program(arena, options->precision);
    if (launch->mode == MODE_SIM && !simulator_is_built(sim)) {
        print_error("the simulator is not in %.*s: it was built without Python's headers "
                    "(python3-dev)",
                    STR_ARG(sim));
        return false;
    }
    *python = python_interpreter(arena, options->python);
    if (*python == NULL) {
        print_error("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
        return false;
    }
    if (launch->mode == MODE_SIM) {
        Str folder = program.length > 0 ? path_parent(program) : STR(".");
        folder = (Str){str_dup(arena, folder), folder.length};
        launch->product = product_for(arena, folder, options->pypto, options->python);
    }
    return true;
}

char **launch_words(Arena *arena, const char *python, Str script, const Words *words)
{
    char **list = arena_alloc(arena, sizeof *list * (words->count + 3));
    list[0] = str_dup(arena, str_from(python));
    list[1] = str_dup(arena, script);
    for (uint32_t i = 0; i < words->count; i++) {
        list[2 + i] = words->items[i];
    }
    list[2 + words->count] = NULL;
    return list;
}

int launch_status(const ProcessResult *result, const char *program, int late)
{
    switch (result->end) {
    case PROCESS_LATE:
        return late;
    case PROCESS_NOT_STARTED:
        return print_error("%s: %s", program, strerror(result->value));
    case PROCESS_KILLED:
    case PROCESS_CANCELLED:
        return process_end_by(result->value);
    default:
        return result->value;
    }
}
