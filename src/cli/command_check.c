/* `check`: lint files and directories; the gates; what runs when no command is named. */
#include "base/fence.h"
#include "base/io_error.h"
#include "cli/check_shows.h"
#include "cli/job_summary.h"
#include "cli/progress.h"
#include "cli/watch.h"
#include "lint/discover.h"
#include "lint/plan.h"
#include "rules/data/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STDIN_LIMIT = 1024 * 1024 * 1024 };

static bool use_color(const CheckOptions *options)
{
    if (options->color != COLOR_AUTO) {
        return options->color == COLOR_ALWAYS;
    }
    const char *no_color = getenv("NO_COLOR");
    return options->output.length == 0 && isatty(STDOUT_FILENO) &&
           (no_color == NULL || *no_color == '\0');
}

static bool read_text(const CheckOptions *options, Arena *arena, TextSource *text)
{
    text->path = options->stdin_name.length > 0 ? options->stdin_name : STR("stdin.py");
    Str error = STR("");
    if (file_read_fd(arena, STDIN_FILENO, STDIN_LIMIT, &text->text, &error) != FILE_OK) {
        print_error("standard input: %.*s", STR_ARG(error));
        return false;
    }
    return true;
}

/* The folder `dir`, which is `here` or above it, as seen from there. */
static Str way_up(Arena *arena, Str here, Str dir)
{
    Buf path = {.arena = arena};
    for (size_t i = dir.length > 1 ? dir.length : 0; i < here.length; i++) {
        if (here.at[i] == '/') {
            buf_add(&path, path.length == 0 ? STR("..") : STR("/.."));
        }
    }
    return path.length == 0 ? STR(".") : buf_str(&path);
}

/* A gate without --op-dir is about the operator directory that holds the working directory. */
static bool find_op_dir(CheckOptions *options, Arena *arena)
{
    Question *what = &options->request.what;
    if (what->op_dir.length > 0 || what->paths.count > 0) {
        return true;
    }
    Str here = working_directory(arena);
    Str dir;
    if (operator_of_folder(arena, here, &dir)) {
        what->op_dir = way_up(arena, here, dir);
        return true;
    }
    print_error("no operator directory here; name one with --op-dir");
    return false;
}

static bool is_for_reading(const CheckOptions *options)
{
    return options->output.length == 0 && report_formats[options->format].readers == FOR_PEOPLE;
}

/* On a terminal the report's own words about errors and those on stderr meet. */
static bool report_tells_errors(const CheckOptions *options)
{
    return is_for_reading(options) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

/* Puts a report into the file of --output or --html. False after a message. */
static bool save(Arena *arena, Str path, Str text)
{
    Str error = STR("");
    return fence_write(arena, STR(""), str_dup(arena, path), text, &error) ||
           print_error("%.*s: %.*s", STR_ARG(path), STR_ARG(error)) == EXIT_CLEAN;
}

/* --html: the page, besides the report. One that says what could not be checked is complete,
 * too. */
static bool write_page(const CheckOptions *options, Arena *arena, const RunResult *result,
                       const ReportOptions *report_options)
{
    Buf page = {.arena = arena};
    return options->html.length == 0 || (report_html(&page, result, report_options) &&
                                         save(arena, options->html, buf_str(&page)));
}

static int write_report(const CheckOptions *options, Arena *arena, const RunResult *result)
{
    ReportOptions report_options = {
        .color = use_color(options),
        .show_passed = options->show_passed,
        .quiet = options->quiet,
        .statistics = options->request.what.statistics,
        .working_dir = working_directory(arena),
        .version = STR(PYPTO_LINT_VERSION),
        .home_uri = STR(PYPTO_LINT_HOME),
        .rules_uri =
            sizeof PYPTO_LINT_HOME == 1 ? STR("") : STR(PYPTO_LINT_HOME "/blob/main/docs/rules/")};
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (!report_formats[options->format].write(&out, result, &report_options)) {
        return print_error("out of memory while writing the report");
    }
    if (options->format == REPORT_github) {
        job_summary_write(arena, result, &report_options);
    }
    /* An incomplete report must not take the place of a file. */
    if (result->exit_status == EXIT_ERROR && !report_tells_errors(options)) {
        print_errors(result);
    }
    if (io_error_is_pending() && (options->output.length > 0 || options->html.length > 0)) {
        return EXIT_ERROR; /* main says why */
    }
    if (!write_page(options, arena, result, &report_options)) {
        return EXIT_ERROR;
    }
    if (options->output.length == 0) {
        return print_all(buf_str(&out)) ? result->exit_status : EXIT_ERROR;
    }
    if (result->exit_status != EXIT_ERROR && !save(arena, options->output, buf_str(&out))) {
        return EXIT_ERROR;
    }
    return result->exit_status;
}

/* A call without a command that names a stage, a phase or the design gate, and no file. */
static bool is_gate(const CheckOptions *options)
{
    const Question *what = &options->request.what;
    return options->has_scope && !options->read_stdin && what->paths.count == 0 &&
           what->file.length == 0;
}

static bool make_gate(CheckOptions *options)
{
    Question *what = &options->request.what;
    if (what->fix || what->remove_unused || what->add_suppressions || options->diff) {
        print_error("a gate changes no files; use pypto-lint check --fix");
        return false;
    }
    if (what->update_baseline || what->staged || what->changed_since.length > 0) {
        print_error("a gate checks everything: it takes neither --update-baseline nor --staged nor "
                    "--changed-since");
        return false;
    }
    if (options->exit_zero || options->watch || options->show_settings || options->show_files) {
        print_error("a gate says whether it passes: it takes neither --exit-zero nor --watch nor "
                    "--show-settings nor --show-files");
        return false;
    }
    what->gate = true;
    what->set = what->phase != 0 ? SET_PHASE_GATE : what->design ? SET_DESIGN_GATE : SET_STAGE_GATE;
    if (what->design && what->stage == 5) {
        what->stage = 4; /* nothing of a design is left to check at stage 5 */
    }
    return true;
}

static void print_fixes(const Question *what, const Fixes *fixes, Lang lang)
{
    if (what->fix) {
        Text text = {"%u finding(s) fixed in %u file(s)", "修复了 %u 个问题，涉及 %u 个文件"};
        print_note(text_in(lang, text), fixes->findings, fixes->files);
    }
    if (what->remove_unused) {
        Text text = {"%u unused suppression(s) removed", "删除了 %u 处未使用的抑制"};
        print_note(text_in(lang, text), fixes->suppressions);
    }
    if (what->add_suppressions) {
        Text text = {
            "%u suppression(s) written in %u file(s); %u finding(s) stay, those of severity "
            "S0 among them",
            "写入 %u 处抑制，涉及 %u 个文件；%u 个问题保留（包括 S0 级）"};
        print_note(text_in(lang, text), fixes->suppressions, fixes->files, fixes->refused);
    }
    if (what->remove_unused && fixes->partial) {
        Text text = {"unused suppressions stay where only a part of an operator was checked",
                     "只检查算子的一部分时，保留未使用的抑制"};
        print_note("%s", text_in(lang, text));
    }
    if (fixes->unfinished) {
        Text text = {"stopped after %d rounds of fixes; run again for the rest",
                     "修复 %d 轮后停止；请再次运行以完成其余修复"};
        print_note(text_in(lang, text), FIX_ROUNDS);
    }
}

static Run *run_request(const CheckOptions *options, Plan *plan)
{
    const Request *request = &options->request;
    if (!request->what.fix && !request->what.remove_unused && !request->what.add_suppressions) {
        return run_check(request, plan);
    }
    Fixes fixes;
    Run *run = run_fix(request, plan, &fixes);
    print_fixes(&request->what, &fixes, run_result(run)->lang);
    return run;
}

/* What must not be missed by whoever takes status 0 for "all is well". */
static void print_remarks(const CheckOptions *options, const RunResult *result, int status)
{
    if (status == EXIT_CLEAN && result->nothing.length > 0) {
        print_note("%.*s", STR_ARG(result->nothing));
    }
    if (status == EXIT_CLEAN && result->verdict.length > 0 && !is_for_reading(options)) {
        print_note("%.*s", STR_ARG(result->verdict));
    }
}

/* --max-warnings and --exit-zero. */
static int final_status(const CheckOptions *options, const RunResult *result, int status)
{
    uint32_t warnings = 0;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        Counts counts = result_counts(result->operators.items[i]);
        warnings += counts.fail + counts.warn;
    }
    if (status == EXIT_CLEAN && options->has_max_warnings && warnings > options->max_warnings) {
        Text text = {"%u warning(s), more than --max-warnings %u",
                     "%u 个警告，超过 --max-warnings %u"};
        print_note(text_in(result->lang, text), warnings, options->max_warnings);
        status = EXIT_FINDINGS;
    }
    return options->exit_zero && status == EXIT_FINDINGS ? EXIT_CLEAN : status;
}

typedef struct CheckWork {
    CheckOptions *options;
    Arena *arena;
} CheckWork;

static int check_once(void *argument)
{
    CheckWork *work = argument;
    CheckOptions *options = work->options;
    Plan plan;
    plan_begin(&plan, work->arena, &options->request.who);
    Progress progress;
    progress_of_check(&progress, &options->request.who);
    Run *run = run_request(options, &plan);
    progress_end(&progress);
    const RunResult *result = run_result(run);
    int status = options->show_files ? show_files(work->arena, result)
                                     : write_report(options, work->arena, result);
    if (!options->show_files) {
        print_remarks(options, result, status);
        status = final_status(options, result, status);
    }
    if (options->verbose) {
        show_details(result);
    }
    log_metrics(options->metrics, result);
    run_free(run);
    return status;
}

static Strs watched_paths(const CheckOptions *options, Arena *arena)
{
    Strs paths = options->request.what.paths;
    if (options->request.what.op_dir.length > 0) {
        VEC_PUSH(arena, &paths, options->request.what.op_dir);
    }
    return paths;
}

static int check(const Command *self, Arena *arena, int argc, char **argv, bool gate_allowed)
{
    CheckOptions options;
    int read = check_options_read(self, &options, arena, argc, argv);
    if (read != EXIT_CLEAN) {
        return read;
    }
    Str error = STR("");
    if (!api_load(arena, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    if (gate_allowed && is_gate(&options) && !make_gate(&options)) {
        return EXIT_ERROR;
    }
    if (options.has_scope && !options.read_stdin && !find_op_dir(&options, arena)) {
        return EXIT_ERROR;
    }
    TextSource text;
    if (options.read_stdin) {
        if (!read_text(&options, arena, &text)) {
            return EXIT_ERROR;
        }
        options.request.what.text = &text;
    }
    if (options.show_settings) {
        return show_settings(&options, arena);
    }
    options.request.what.show_files = options.show_files;
    if (options.diff || (options.read_stdin && options.request.what.fix)) {
        Plan plan;
        plan_begin(&plan, arena, &options.request.who);
        return show_fixes(&options, arena, &plan);
    }
    CheckWork work = {&options, arena};
    return options.watch ? watch_run(arena, watched_paths(&options, arena), check_once, &work)
                         : check_once(&work);
}

int command_check(const Command *self, Arena *arena, int argc, char **argv)
{
    return check(self, arena, argc, argv, false);
}

int check_without_command(const Command *self, Arena *arena, int argc, char **argv)
{
    return check(self, arena, argc, argv, true);
}
