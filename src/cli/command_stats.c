/* `stats`: what a log of metrics comes to. */
#include "base/ascii.h"
#include "base/path.h"
#include "cli/cli.h"
#include "cli/stats_print.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef enum StatsFormat { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_JSON } StatsFormat;

typedef struct StatsOptions {
    StatsFormat format;
    StatsFilter filter;
    Lang lang;
} StatsOptions;

static bool read_since(void *given, Arena *arena, Str value, Str *error)
{
    enum { MOST_DIGITS = 15 };
    StatsOptions *options = given;
    bool good = value.length > 0 && value.length <= MOST_DIGITS;
    int64_t seconds = 0;
    for (size_t i = 0; i < value.length && good; i++) {
        good = is_digit(value.at[i]);
        seconds = seconds * 10 + (value.at[i] - '0');
    }
    options->filter.since = seconds;
    if (!good) {
        *error = str_format(arena, "--since takes seconds since 1970, not '%.*s'", STR_ARG(value));
    }
    return good;
}

static const Option rows[] = {
    CHOICE_ROW(StatsOptions, format, "--format", "text|markdown|json", "format of the summary",
               "汇总的格式"),
    TEXT_ROW(StatsOptions, filter.op_dir, "--op-dir", "DIR", "only this operator directory",
             "只统计该算子目录"),
    READ_ROW(read_since, "--since", "SECONDS", "only what ran since then, in seconds since 1970",
             "只统计此后的运行，自 1970 年起的秒数"),
    LANG_ROW(StatsOptions, lang),
};

const OptionTable stats_options = OPTION_TABLE(rows, .most_words = 1);

static bool read_log(Stats *stats, Arena *arena, const StatsFilter *filter, Str file)
{
    Str error = STR("");
    bool from_stdin = str_is(file, "-");
    int fd = from_stdin ? STDIN_FILENO : open(file.at, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        print_error("%s: %s", file.at, strerror(errno));
        return false;
    }
    bool good = stats_read(stats, arena, fd, filter, &error);
    if (!from_stdin) {
        close(fd);
    }
    if (!good) {
        print_error("%s: %.*s", file.at, STR_ARG(error));
    }
    return good;
}

int command_stats(const Command *self, Arena *arena, int argc, char **argv)
{
    StatsOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    Str file = words.count > 0 ? str_from(words.items[0]) : STR("");
    if (file.length == 0) {
        return print_error("which log? (see pypto-lint help stats)");
    }
    if (file_is_directory(file.at)) {
        return stats_print_history(arena, file, (HistoryForm)options.format, options.lang)
                   ? EXIT_CLEAN
                   : EXIT_ERROR;
    }
    if (options.filter.op_dir.length > 0) { /* the log has absolute paths */
        options.filter.op_dir = path_absolute(arena, options.filter.op_dir);
    }
    Stats *stats = ARENA_NEW(arena, Stats);
    if (!read_log(stats, arena, &options.filter, file)) {
        return EXIT_ERROR;
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
    return printed ? EXIT_CLEAN : EXIT_ERROR;
}
