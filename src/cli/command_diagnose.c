/* `diagnose`: what a log says about why a kernel, or what it needs, failed. Reads text and runs
 * nothing. */
#include "base/ascii.h"
#include "base/path.h"
#include "cli/cli.h"
#include "cli/diagnose_print.h"
#include "lint/config.h"

#include <unistd.h>

typedef struct DiagnoseOptions {
    unsigned json; /* text or json */
    Str kernel;
    Lang lang;
} DiagnoseOptions;

static const Option rows[] = {
    CHOICE_ROW(DiagnoseOptions, json, "--format", "text|json", "format of the answer",
               "输出的格式"),
    TEXT_ROW(DiagnoseOptions, kernel, "--kernel", "FILE",
             "the kernel's file: its line and call are shown", "kernel 文件：显示其中的行与调用"),
    LANG_ROW(DiagnoseOptions, lang),
};

const OptionTable diagnose_options = OPTION_TABLE(rows, .most_words = 1);

/* An error's text or code in the place of a path: nothing of that name exists. */
static bool is_error_text(Str word)
{
    enum { LEAST_CODE = 5 };
    bool code = word.length >= LEAST_CODE;
    for (size_t i = 0; i < word.length; i++) {
        code = code && (is_digit(word.at[i]) || (word.at[i] >= 'A' && word.at[i] <= 'Z'));
    }
    return code || str_contains(word, STR(" "));
}

static bool is_missing(const Words *words)
{
    return words->count > 0 && strcmp(words->items[0], "-") != 0 && !file_exists(words->items[0]);
}

static int read_logs(LogScan *scan, LogRead *logs, const Words *words)
{
    Str error = STR("");
    Str word = words->count > 0 ? str_from(words->items[0]) : STR("-");
    if (words->count == 0 && isatty(STDIN_FILENO)) {
        return print_error("which log? Name a file or a folder, or `-` for standard input");
    }
    if (word.length == 0) {
        return print_error("empty path");
    }
    if (str_is(word, "-")) {
        return log_read_fd(scan, logs, STDIN_FILENO, STR(""), &error)
                   ? EXIT_CLEAN
                   : print_error("standard input: %.*s", STR_ARG(error));
    }
    if (!file_exists(word.at) && is_error_text(word)) {
        log_scan_file(scan, STR(""));
        log_scan_add(scan, word.at, word.length);
        log_scan_file_end(scan);
        return EXIT_CLEAN;
    }
    return log_read_path(scan, logs, word, &error)
               ? EXIT_CLEAN
               : print_error("%s: %.*s", word.at, STR_ARG(error));
}

static int read_kernel(Arena *arena, Str path, KernelFile *kernel)
{
    Str reason = STR("");
    kernel->path = path;
    kernel->text = STR("");
    if (path.length == 0) {
        return EXIT_CLEAN;
    }
    FileStatus status =
        file_read(arena, str_dup(arena, path), CONFIG_DEFAULT_FILE_SIZE, &kernel->text, &reason);
    return status == FILE_OK ? EXIT_CLEAN
                             : print_error("%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
}

int command_diagnose(const Command *self, Arena *arena, int argc, char **argv)
{
    DiagnoseOptions options = {.lang = default_lang()};
    DiagnoseReport report = {0};
    LogRead logs = {0};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status == EXIT_CLEAN) {
        status = read_kernel(arena, options.kernel, &report.kernel);
    }
    if (status != EXIT_CLEAN) {
        return status;
    }
    LogScan *scan = log_scan_begin(arena, log_forms(arena), path_name(options.kernel));
    status = read_logs(scan, &logs, &words);
    if (status != EXIT_CLEAN) {
        return status;
    }
    report.scan = scan;
    report.logs = &logs;
    report.diagnosis = diagnosis_of(scan);
    if (is_missing(&words) && report.diagnosis.count == 0) {
        return print_error("%s: no such file, and not a known error", words.items[0]);
    }
    bool printed = options.json != 0 ? diagnose_print_json(arena, &report, options.lang)
                                     : diagnose_print_text(arena, &report, options.lang);
    /* What was not read may contain the error: saying "none found" would claim too much. */
    if (printed && report.diagnosis.status == EXIT_CLEAN && logs.failed.length > 0) {
        return print_error("%.*s", STR_ARG(logs.failed));
    }
    return printed ? report.diagnosis.status : EXIT_ERROR;
}
