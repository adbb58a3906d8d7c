/* `verify --baseline` and `--memory`; see command_verify_past.h. */
#include "cli/command_verify_past.h"

#include "harness/report/verification_log.h"

#include <time.h>

enum { MOST_REPORT_BYTES = 256 << 20 };

static bool refuse(Str path, const char *reason)
{
    print_error("--baseline %.*s: %s", STR_ARG(path), reason);
    return false;
}

bool past_read_baseline(const VerifyCommand *command, Verification *plan)
{
    Arena *arena = plan->arena;
    Str path = command->baseline, text, error = STR("");
    if (path.length == 0) {
        return true;
    }
    FileStatus status = file_read(arena, str_dup(arena, path), MOST_REPORT_BYTES, &text, &error);
    if (status != FILE_OK) {
        return refuse(path, status == FILE_MISSING       ? "no such file"
                            : status == FILE_NOT_REGULAR ? "not a regular file"
                            : status == FILE_TOO_LARGE   ? "larger than 256 MiB"
                                                         : str_dup(arena, error));
    }
    RunRecord *record = ARENA_NEW(arena, RunRecord);
    if (!run_record_read(arena, text, record, &error)) {
        return refuse(path, str_dup(arena, error));
    }
    if (!str_equal(record->op_name, plan->op_name) || record->module != plan->module) {
        Str other = str_format(arena, "it is a report of %.*s M%u, not of %.*s M%u",
                               STR_ARG(record->op_name), record->module, STR_ARG(plan->op_name),
                               plan->module);
        return refuse(path, other.at);
    }
    plan->asked.baseline = record;
    return true;
}

static bool refuse_memory(const Verification *plan, Str reason)
{
    print_error("--memory: %.*s/%s cannot be used", STR_ARG(plan->op_dir), MEMORY_PATH);
    print_error_lines(str_format(plan->arena, "%.*s\n", STR_ARG(reason)));
    return false;
}

bool past_check_memory(const VerifyCommand *command, const Verification *plan)
{
    Str error = STR("");
    return !command->record || verification_log_check(plan->arena, plan->op_dir, &error) ||
           refuse_memory(plan, error);
}

bool past_append_memory(const VerifyCommand *command, const Verification *verification)
{
    Str error = STR("");
    return !command->record || verification_log_append(verification, (int64_t)time(NULL), &error) ||
           refuse_memory(verification, error);
}

int past_exit_status(const Verification *verification)
{
    int status = judgement_exit_status(&verification->judgement);
    return status == EXIT_CLEAN && run_diff_lost_cases(&verification->diff) ? EXIT_FINDINGS
                                                                            : status;
}
