/* `verify`: runs an implementation against its reference and reports
 * (docs/kernel-authors/verify.md). */
#include "cli/command_verify_past.h"

#include "base/fence.h"
#include "base/file.h"
#include "base/io_error.h"
#include "cli/launch_options.h"
#include "cli/progress.h"
#include "harness/report/evaluation_report.h"
#include "harness/report/verify_page.h"
#include "process/process.h"
#include "report/report_common.h"
#include "report/terminal.h"
#include "rules/data/api.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the report */

/* Can a file be written there? False after a message that names `what`. Asked before the run, which
 * may take hours. */
static bool can_write(const Verification *plan, Str path, const char *what)
{
    Arena *arena = plan->arena;
    Str name = path_basename(path);
    Str folder = str_slice(path, 0, path.length - name.length);
    const char *where = folder.length == 0 ? "." : str_dup(arena, folder);
    const char *place = str_dup(arena, path);
    bool exists = file_exists(place);
    if (name.length == 0 || file_is_directory(place)) {
        print_error("the %s cannot be written: %s is a directory", what, place);
        return false;
    }
    if (!file_is_directory(where)) {
        print_error("the %s cannot be written: no such directory: %s", what, where);
        return false;
    }
    if (verify_reads(plan, path)) {
        print_error("the %s cannot be written: %s is a file of the operator", what, place);
        return false;
    }
    bool special = exists && !file_is_regular(place);
    if ((!special && access(where, W_OK) != 0) || (exists && access(place, W_OK) != 0)) {
        print_error("the %s cannot be written: %s: %s", what, place, strerror(errno));
        return false;
    }
    return true;
}

/* Where the report goes; empty for none. False after a message when nothing can be written
 * there. */
static bool prepare_report(const VerifyCommand *command, const Verification *plan, Str *path)
{
    *path = command->report;
    if (path->length == 0 && command->asked.self_test) {
        return true;
    }
    if (path->length == 0) {
        Str folder = path_join(plan->arena, plan->op_dir, STR("eval"));
        *path = path_join(plan->arena, folder, STR("evaluation_report.json"));
        if (mkdir(folder.at, 0777) != 0 && errno != EEXIST) {
            print_error("%s: %s", folder.at, strerror(errno));
            return false;
        }
    }
    return can_write(plan, *path, "report");
}

/* The same for the log: as --log says, else beside the report, with .log instead of .json or after
 * the name. */
static bool prepare_log(const VerifyCommand *command, const Verification *plan, Str report,
                        Str *path)
{
    const char *place = str_dup(plan->arena, report);
    *path = command->log;
    if (path->length == 0 && report.length > 0 &&
        (!file_exists(place) || file_is_regular(place))) { /* nothing is beside /dev/stdout */
        bool json = str_ends(report, STR(".json"));
        Str stem = json ? str_slice(report, 0, report.length - 5) : report;
        *path = str_format(plan->arena, "%.*s.log", STR_ARG(stem));
    }
    return path->length == 0 || can_write(plan, *path, "log");
}

static bool write_file(Arena *arena, Str path, Str content)
{
    Str error = STR("");
    if (io_error_is_pending()) {
        return false; /* main says why */
    }
    if (!fence_write(arena, STR(""), str_dup(arena, path), content, &error)) {
        print_error("%.*s: %.*s", STR_ARG(path), STR_ARG(error));
        return false;
    }
    return true;
}

static bool write_results(const VerifyCommand *command, Verification *verification, Str report,
                          Str log)
{
    Arena *arena = verification->arena;
    if (log.length > 0 && !write_file(arena, log, report_log(arena, &verification->judgement))) {
        return false;
    }
    bool named = command->log.length > 0 || command->report.length > 0;
    verification->log_path = named ? log : path_from(arena, command->asked.working_dir, log);
    return report.length == 0 || write_file(arena, report, verification->report);
}

/* --- the verdict */

static bool print_verdict(const VerifyCommand *command, const Verification *verification,
                          Str report)
{
    Arena *arena = verification->arena;
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (command->format == VERIFY_JSON) {
        buf_add(&out, verification->report);
    } else if (command->format == VERIFY_TEXT) {
        verify_text(&out, verification, command->asked.lang);
        if (verification->asked.baseline != NULL) {
            run_diff_text(&out, &verification->diff, command->asked.lang);
        }
    } else if (!verify_sarif(&out, verification, command->asked.lang)) {
        arena_fail(arena);
    }
    Buf summary = {.arena = arena};
    Str place =
        command->report.length > 0 ? report : path_from(arena, command->asked.working_dir, report);
    terminal_add(&summary, judgement_summary_line(arena, &verification->judgement,
                                                  report.length > 0 ? place : STR("-")));
    buf_add_char(&summary, '\n');
    if (command->output.length > 0) {
        return write_file(arena, command->output, buf_str(&out)) && print_all(buf_str(&summary));
    }
    if (command->format == VERIFY_TEXT) {
        buf_add(&out, buf_str(&summary));
    } else {
        print_error_lines(buf_str(&summary));
    }
    return print_all(buf_str(&out));
}

/* --html. False after a message. */
static bool write_page(const VerifyCommand *command, const Verification *verification)
{
    Buf page = {.arena = verification->arena};
    if (command->html.length == 0) {
        return true;
    }
    if (!verify_page_add(&page, verification)) {
        print_error("--html: the report cannot be read");
        return false;
    }
    return write_file(verification->arena, command->html, buf_str(&page));
}

int command_verify(const Command *self, Arena *arena, int argc, char **argv)
{
    VerifyCommand command;
    int read = verify_options_read(self, &command, arena, argc, argv);
    if (read != EXIT_CLEAN) {
        return read;
    }
    Str error = STR("");
    if (!api_load(arena, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    Progress progress;
    progress_of_pool(&progress, &command.asked.pool);
    Verification *verification = ARENA_NEW(arena, Verification);
    if (!verify_plan(verification, arena, &command.asked)) {
        return print_error("%.*s", STR_ARG(verification->refusal));
    }
    Str report;
    Str log;
    if (!past_read_baseline(&command, verification) || !past_check_memory(&command, verification) ||
        !prepare_report(&command, verification, &report) ||
        !prepare_log(&command, verification, report, &log) ||
        (command.output.length > 0 && !can_write(verification, command.output, "verdict")) ||
        (command.html.length > 0 && !can_write(verification, command.html, "page"))) {
        return EXIT_ERROR;
    }
    VerifyEnd end = verify_run(verification);
    progress_end(&progress);
    switch (end) {
    case VERIFY_INTERRUPTED:
        print_note("interrupted: no report was written");
        return process_end_by(verification->signal);
    case VERIFY_REFUSED:
        return print_error("%.*s", STR_ARG(verification->refusal));
    case VERIFY_JUDGED:
        break;
    }
    return write_results(&command, verification, report, log) &&
                   write_page(&command, verification) &&
                   past_append_memory(&command, verification) &&
                   print_verdict(&command, verification, report)
               ? past_exit_status(verification)
               : EXIT_ERROR;
}
