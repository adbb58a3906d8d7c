/* `stats`: what a log of metrics comes to. */
#include "base/ascii.h"
#include "cli/cli.h"
#include "cli/place_arguments.h"
#include "cli/stats_print.h"
#include "lint/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef enum StatsFormat { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_JSON, FORMAT_COUNT } StatsFormat;
static const char *const format_names[FORMAT_COUNT] = {"text", "markdown", "json"};

typedef struct StatsOptions {
    Arena *arena;
    StatsFormat format;
    StatsFilter filter;
    Lang lang;
} StatsOptions;

static bool read_seconds(Str text, int64_t *seconds)
{
    *seconds = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_digit(text.at[i])) {
            return false;
        }
        *seconds = *seconds * 10 + (text.at[i] - '0');
    }
    return text.length > 0 && text.length <= 15;
}

static bool set_format(StatsOptions *options, Str value)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (str_is(value, format_names[i])) {
            options->format = (StatsFormat)i;
            return true;
        }
    }
    trouble("--format takes text, markdown or json, not '%.*s'", STR_ARG(value));
    return false;
}

static bool set_option(void *given, Str name, Str value)
{
    StatsOptions *options = given;
    if (str_is(name, "--format")) {
        return set_format(options, value);
    }
    if (str_is(name, "--op-dir")) {
        /* The log has absolute paths. */
        options->filter.op_dir = value.length == 0 ? value : path_absolute(options->arena, value);
        return value.length > 0 || (trouble("--op-dir needs a directory"), false);
    }
    if (str_is(name, "--since")) {
        return read_seconds(value, &options->filter.since) ||
               (trouble("--since takes seconds since 1970, not '%.*s'", STR_ARG(value)), false);
    }
    if (str_is(name, "--lang")) {
        options->lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
        return str_is(value, "zh") || str_is(value, "en") ||
               (trouble("--lang takes en or zh, not '%.*s'", STR_ARG(value)), false);
    }
    trouble("unknown option '%.*s' (see pypto-lint help stats)", STR_ARG(name));
    return false;
}

static bool read_log(Stats *stats, Arena *arena, const StatsFilter *filter, Str file)
{
    Str error = STR("");
    bool from_stdin = str_is(file, "-");
    int fd = from_stdin ? STDIN_FILENO : open(file.at, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        trouble("%s: %s", file.at, strerror(errno));
        return false;
    }
    bool good = stats_read(stats, arena, fd, filter, &error);
    if (!from_stdin) {
        close(fd);
    }
    if (!good) {
        trouble("%s: %.*s", file.at, STR_ARG(error));
    }
    return good;
}

int command_stats(Arena *arena, int argc, char **argv)
{
    StatsOptions options = {.arena = arena, .lang = default_lang()};
    PlaceArguments arguments = {.set_option = set_option, .options = &options};
    if (!place_arguments_read(&arguments, argc, argv)) {
        return arguments.many ? trouble("stats takes one file") : EXIT_TROUBLE;
    }
    if (arguments.help) {
        char *words[] = {(char[]){"stats"}, NULL};
        return command_help(arena, 1, words);
    }
    if (arguments.place.length == 0) {
        return trouble("which log? (see pypto-lint help stats)");
    }
    Stats *stats = ARENA_NEW(arena, Stats);
    if (!read_log(stats, arena, &options.filter, arguments.place)) {
        return EXIT_TROUBLE;
    }
    if (stats->broken > 0) {
        Text text = {"%lld line(s) of the log are broken and were passed over",
                     "日志中有 %lld 行损坏，已跳过"};
        print_note(text_in(options.lang, text), (long long)stats->broken);
    }
    bool printed =
        options.format == FORMAT_JSON
            ? stats_print_json(arena, stats)
            : stats_print_page(arena, stats, options.format == FORMAT_MARKDOWN, options.lang);
    return printed ? EXIT_CLEAN : EXIT_TROUBLE;
}
