/* Chooses the cases to search and runs the searches; see blame_run.h. */
#include "harness/blame/blame_run.h"

enum { BLAME_MOST_CASES = 8 };
/* The search runs the case again, also in double precision, and then takes a few seconds more at
 * most (blame.py limits it). Unless the user asked for it, it must be over within ten seconds. Work
 * is counted, not timed, so that every machine searches the same cases: 10,000 operations take
 * about two seconds, and smaller cases up to four more for runs with edits of the text. */
enum { MOST_OPERATIONS = 20000, MOST_ELEMENTS = 1 << 20 /* of the outputs */ };

static bool is_slow(const CaseResult *result)
{
    uint64_t elements = 0;
    for (uint32_t i = 0; i < result->leaves.count; i++) {
        elements += result->leaves.items[i].elements;
    }
    return result->ops < 0 || result->ops > MOST_OPERATIONS || elements > MOST_ELEMENTS;
}

static bool is_wanted(const CaseResult *result)
{
    if (result->verdict != VERDICT_FAIL || result->category != CATEGORY_PRECISION) {
        return false;
    }
    for (uint32_t i = 0; i < result->leaves.count; i++) {
        const Leaf *leaf = &result->leaves.items[i];
        if (leaf->structure.length == 0 && leaf->judged && !leaf->all_close) {
            return true;
        }
    }
    return false;
}

static void read_answer(Arena *arena, const WorkerOutcome *outcome, CaseResult *result)
{
    WorkerResult answer;
    worker_result_read(arena, outcome->result, &answer);
    result->blame = answer.blame;
    if (result->blame.status ==
        BLAME_NONE) { /* the worker died, or its outputs were right this time */
        result->blame.status = BLAME_UNSURE;
    }
}

bool blame_run(Verification *verification)
{
    const VerifyRequest *asked = &verification->asked;
    if (asked->blame == BLAME_NEVER || verification->kind == RESULT_OF_SELF_TEST ||
        asked->inspect.length > 0 || !verification->able[MODE_SIM]) {
        return true;
    }
    bool local = asked->scheduler.length == 0;
    CaseResult *wanted[BLAME_MOST_CASES];
    WorkerJob jobs[BLAME_MOST_CASES];
    WorkerOutcome outcomes[BLAME_MOST_CASES] = {{0}};
    size_t most = asked->blame == BLAME_ALWAYS ? BLAME_MOST_CASES : 1;
    size_t count = 0;
    size_t seen = 0;
    for (uint32_t i = 0; i < verification->cases.count && seen < most; i++) {
        CaseModes *modes = &verification->results[i];
        CaseResult *result = &modes->by_mode[MODE_SIM];
        if (!is_wanted(result)) {
            continue;
        }
        seen++;
        if (!local || (asked->blame == BLAME_USUAL && is_slow(result))) {
            result->blame.status = local ? BLAME_SKIPPED : BLAME_REMOTE;
            continue;
        }
        wanted[count] = result;
        jobs[count++] = verify_blame_job(verification, modes->source);
    }
    if (count == 0) {
        return true;
    }
    verification->signal = pool_run(verification->arena, &asked->pool, jobs, count, outcomes);
    for (size_t i = 0; i < count && verification->signal == 0; i++) {
        read_answer(verification->arena, &outcomes[i], wanted[i]);
    }
    return verification->signal == 0;
}
