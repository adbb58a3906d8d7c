/* Last run; see last_run.h. */
#include "harness/report/last_run.h"

#include "base/fence.h"
#include "base/path.h"
#include "document/json.h"
#include "harness/plan/phase.h"
#include "harness/verify.h"

enum { MOST_BYTES = 64 << 20 };

/* What is read of the report. */
typedef struct Reading {
    Arena *arena;
    json_t *root;
    Str status, kernel, suite, case_id;
    uint64_t module, cases;
} Reading;

static void read_report(void *argument)
{
    Reading *reading = argument;
    Arena *arena = reading->arena;
    const json_t *hashes = json_object_get(reading->root, "hashes");
    json_text_at(arena, reading->root, "status", &reading->status);
    json_text_at(arena, hashes, "kernel", &reading->kernel);
    json_text_at(arena, hashes, "suite", &reading->suite);
    json_text_at(arena, json_object_get(reading->root, "first_failure"), "case_id",
                 &reading->case_id);
    reading->module = json_count_at(reading->root, "up_to_module");
    reading->cases = json_count_at(reading->root, "cases_total");
}

/* The plan of the same phase, with all cases. False when there is none: modules may be gone. */
static bool plan_now(Verification *plan, Arena *arena, Str op_dir, uint64_t module)
{
    bool known = module > 0 && module <= PHASE_MOST_MODULES;
    VerifyRequest asked = {.op_dir = op_dir,
                           .impl = STR(""),
                           .suite = STR(""),
                           .case_id = STR(""),
                           .levels = STR(""),
                           .modes = STR(""),
                           .inspect = STR(""),
                           .scheduler = STR(""),
                           .working_dir = op_dir,
                           .module = known ? (uint32_t)module : 0};
    return verify_plan(plan, arena, &asked);
}

static LastRunState state_of(const Reading *reading, Arena *arena, Str op_dir)
{
    bool failed = str_is(reading->status, "FAIL") || str_is(reading->status, "ERROR");
    if (reading->kernel.length == 0) {
        return failed ? LAST_RUN_FAILED : LAST_RUN_UNKNOWN;
    }
    Verification *plan = ARENA_NEW(arena, Verification);
    Str real = path_real(arena, str_from(str_dup(arena, op_dir)));
    if (real.length == 0 || !plan_now(plan, arena, real, reading->module)) {
        return LAST_RUN_OTHER_KERNEL;
    }
    RunHashes now = run_hashes(plan);
    if (!str_equal(now.kernel, reading->kernel)) {
        return LAST_RUN_OTHER_KERNEL;
    }
    if (failed) {
        return LAST_RUN_FAILED;
    }
    if (!str_is(reading->status, "PASS")) {
        return LAST_RUN_UNKNOWN;
    }
    bool whole = str_equal(now.suite, reading->suite) && reading->cases >= plan->cases.count &&
                 reading->module >= plan->total_modules;
    return whole ? LAST_RUN_PASSED : LAST_RUN_PARTIAL;
}

LastRun last_run_read(Arena *arena, Str op_dir)
{
    LastRun last = {.state = LAST_RUN_NONE, .case_id = STR("")};
    Str text, error;
    Str path = str_from(str_dup(arena, path_join(arena, op_dir, STR(LAST_RUN_REPORT))));
    if (fence_read(arena, fence_of(arena, op_dir), path.at, MOST_BYTES, &text, &error) != FILE_OK) {
        return last;
    }
    Reading reading = {.arena = arena,
                       .root = json_read(arena, text, 0, NULL),
                       .status = STR(""),
                       .kernel = STR(""),
                       .suite = STR(""),
                       .case_id = STR("")};
    if (reading.root == NULL) {
        return last;
    }
    json_take(arena, reading.root, read_report, &reading);
    last.case_id = reading.case_id;
    last.state = state_of(&reading, arena, op_dir);
    return last;
}

const char *last_run_name(LastRunState state)
{
    static const char *const names[LAST_RUN_STATES] = {
        [LAST_RUN_NONE] = "none",       [LAST_RUN_OTHER_KERNEL] = "other-kernel",
        [LAST_RUN_PARTIAL] = "partial", [LAST_RUN_UNKNOWN] = "unknown",
        [LAST_RUN_FAILED] = "failed",   [LAST_RUN_PASSED] = "passed",
    };
    return names[state];
}
