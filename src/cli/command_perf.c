/* `perf`: what a trace says about time, of the simulator or of a device
 * (docs/kernel-authors/perf.md). */
#include "base/file.h"
#include "cli/perf_print.h"

typedef struct PerfOptions {
    int json;
    Lang lang;
} PerfOptions;

static const Option rows[] = {
    CHOICE_ROW(PerfOptions, json, "--format", "text|json", "format of the result", "结果的格式"),
    LANG_ROW(PerfOptions, lang),
};

const OptionTable perf_options = OPTION_TABLE(rows, .most_words = 1);

/* The text of a trace; false after a message. */
static bool read_file(Arena *arena, Str file, Str *text)
{
    Str error = STR("");
    switch (file_read(arena, file.at, TRACE_MOST_BYTES, text, &error)) {
    case FILE_OK:
        return true;
    case FILE_TOO_LARGE:
        print_error("%s: larger than %d MiB", file.at, TRACE_MOST_BYTES >> 20);
        return false;
    case FILE_NOT_REGULAR:
        print_error("%s: not a file", file.at);
        return false;
    case FILE_MISSING:
        print_error("%s: no such file or folder", file.at);
        return false;
    case FILE_ERROR:
        break;
    }
    print_error("%s: %.*s", file.at, STR_ARG(error));
    return false;
}

/* Finds the trace and the logs of a folder, or takes the file, which may be a log of waits or of
 * counters instead of a trace. False after a message. */
static bool find_files(Arena *arena, Str place, PerfFiles *files, PerfLogs *logs)
{
    *files = (PerfFiles){.is_cut = false};
    if (!file_is_directory(place.at)) {
        if (str_ends(place, STR(".json")) || !perf_log_take(logs, arena, place)) {
            files->trace = place;
        }
        return true;
    }
    perf_find(files, arena, place);
    perf_logs_take(logs, arena, files);
    if (files->is_cut) {
        print_note("%s has more entries than are looked at", place.at);
    }
    if (files->trace.length == 0 && logs->waits_file.length == 0 &&
        logs->counters_file.length == 0) {
        print_error("%s: no trace in it (merged_swimlane.json, *trace*.json)%s", place.at,
                    files->others.count > 0 ? "; its logs have a form that is not known" : "");
        return false;
    }
    return true;
}

/* False after a message. */
static bool read_trace(Arena *arena, PerfPage *page)
{
    Str text;
    Str error = STR("");
    if (!read_file(arena, page->file, &text)) {
        return false;
    }
    Trace *trace = ARENA_NEW(arena, Trace);
    if (!trace_read(trace, arena, text, &error)) {
        print_error("%s: not a trace: %.*s", page->file.at, STR_ARG(error));
        return false;
    }
    if (trace->events.count == 0) {
        print_error("%s: the trace has no events with a time", page->file.at);
        return false;
    }
    Analysis *analysis = ARENA_NEW(arena, Analysis);
    analyse(analysis, arena, trace);
    page->trace = trace;
    page->analysis = analysis;
    return true;
}

int command_perf(const Command *self, Arena *arena, int argc, char **argv)
{
    PerfOptions options = {.lang = default_lang()};
    Words words;
    PerfFiles files;
    PerfLogs *logs = ARENA_NEW(arena, PerfLogs);
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0 || words.items[0][0] == '\0') {
        return print_error("which trace? (see pypto-lint help perf)");
    }
    if (!find_files(arena, str_from(words.items[0]), &files, logs)) {
        return EXIT_ERROR;
    }
    PerfPage page = {
        .file = files.trace, .logs = logs, .others = &files.others, .lang = options.lang};
    if (files.trace.length > 0 && !read_trace(arena, &page)) {
        return EXIT_ERROR;
    }
    bool printed =
        options.json != 0 ? perf_print_json(arena, &page) : perf_print_text(arena, &page);
    return printed ? EXIT_CLEAN : EXIT_ERROR;
}
