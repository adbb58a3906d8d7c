/* Run: rounds of linting and fixing, on disk or in texts. */
#include "lint/fix.h"
#include "lint/run_parts.h"
#include "lint/suppress_add.h"

/* Plans the comments of --add-suppressions; they are written like fixes. */
static uint32_t add_suppressions(Run *run)
{
    uint32_t refused = 0;
    for (uint32_t i = 0; i < run->units.count && run->request.what.add_suppressions; i++) {
        refused += suppressions_add(&run->units.items[i], run->request.what.reason);
    }
    return refused;
}

static bool fix_all(Fixing *fixing, Run *run)
{
    bool again = false;
    fixing->fixes.partial = false;
    for (uint32_t i = 0; i < run->units.count; i++) {
        again = fix_unit(fixing, &run->units.items[i]) || again;
    }
    return again;
}

/* Was a state file rewritten since the first `seen` files? A link to it may have another name, so
 * every file counts that is not Python. */
static bool wrote_state(const Fixing *fixing, uint32_t *seen)
{
    bool wrote = false;
    for (; *seen < fixing->written.count; (*seen)++) {
        wrote = wrote || !str_ends(fixing->written.items[*seen], STR(".py"));
    }
    return wrote;
}

Run *run_fix(const Request *request, Plan *plan, Fixes *fixes)
{
    Arena *arena = plan->arena;
    Fixing fixing = {.arena = arena, .request = request, .notices.arena = arena};
    Run *run = run_check(request, plan);
    fixing.notices.lang = run->result.lang;
    fixing.fixes.refused = add_suppressions(run);
    int round = 0;
    uint32_t seen = 0;
    for (; round < FIX_ROUNDS && fix_all(&fixing, run); round++) {
        run_free(run);
        if (wrote_state(&fixing, &seen)) {
            plan_forget_states(plan);
        }
        run = run_check(request, plan);
    }
    fixing.only_look = true;
    fixing.fixes.unfinished = round == FIX_ROUNDS && fix_all(&fixing, run);
    for (uint32_t i = 0; i < fixing.notices.count; i++) {
        VEC_PUSH(arena, &run->result.notices, fixing.notices.items[i]);
    }
    run_note_errors(&run->result);
    fixing_count_files(&fixing);
    *fixes = fixing.fixes;
    return run;
}

/* Further rounds for one text, whose first fixes are known; the operator around it is as on disk.
 * The result is that of the last lint. */
static Run *fix_text(Fixing *fixing, const Request *request, Plan *plan, FixedText *fixed)
{
    Request again = *request;
    TextSource text = {fixed->path, fixed->after};
    again.what.paths = (Strs){0};
    again.what.op_dir = again.what.file = STR("");
    again.what.text = &text;
    fixing->request = &again;
    Run *run = run_check(&again, plan);
    for (int round = 1; round < FIX_ROUNDS && fix_all(fixing, run); round++) {
        for (uint32_t i = 0; i < fixing->texts->count; i++) {
            const FixedText *one = &fixing->texts->items[i];
            text.text = str_equal(one->path, text.path) ? one->after : text.text;
        }
        run_free(run);
        run = run_check(&again, plan);
    }
    fixing->request = request;
    return run;
}

Run *run_fix_texts(const Request *request, Plan *plan, Fixes *fixes, FixedTexts *texts)
{
    Fixing fixing = {
        .arena = plan->arena, .request = request, .notices.arena = plan->arena, .texts = texts};
    Run *run = run_check(request, plan);
    fixing.notices.lang = run->result.lang;
    fix_all(&fixing, run);
    uint32_t first = texts->count;
    for (uint32_t i = 0; i < first; i++) {
        if (!str_ends(texts->items[i].path, STR(".py"))) {
            continue;
        }
        FixedText one = texts->items[i];
        Run *last = fix_text(&fixing, request, plan, &one);
        if (request->what.text != NULL) {
            run_free(run);
            run = last;
        } else {
            run_free(last);
        }
    }
    for (uint32_t i = 0; i < fixing.notices.count; i++) {
        VEC_PUSH(plan->arena, &run->result.notices, fixing.notices.items[i]);
    }
    run_note_errors(&run->result);
    fixing_count_files(&fixing);
    *fixes = fixing.fixes;
    return run;
}
