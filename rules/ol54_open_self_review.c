/* OL54: the self-review of the phase is missing or has open items.
 *
 * Looks at the section "Phase M<k> self-review" of MEMORY.md for the phase of the run. For each of
 * six keywords the first item that contains it decides. */
#include "operator/memory_document.h"
#include "rules/common.h"

static void check_keyword(RuleRun *run, const Document *memory, const Review *review,
                          const char *keyword)
{
    const ReviewItem *item = review_item(review, keyword);
    int phase = run->op->phase;
    if (item == NULL) {
        report(run, STATUS_FAIL, at_document_line(memory, review->heading),
               "MEMORY.md: the self-review of phase M%d has no item '- [x] …' with '%s'",
               "MEMORY.md：阶段 M%d 的 self-review 没有包含 '%s' 的条目 '- [x] …'", phase, keyword);
    } else if (!item->done) {
        Place place = at_document_line(memory, item->line);
        place.start = (uint32_t)item->box_start;
        place.end = (uint32_t)item->box_end;
        Str text = shorten(run, item->text);
        report(run, STATUS_FAIL, place,
               "MEMORY.md: the self-review of phase M%d is open for '%s': '[%.*s] %.*s'",
               "MEMORY.md：阶段 M%d 的 self-review 中 '%s' 尚未完成：'[%.*s] %.*s'", phase, keyword,
               STR_ARG(item->mark), STR_ARG(text));
    }
}

static void check(RuleRun *run)
{
    if (run->op->scope != SCOPE_PHASE) {
        rule_skip(run, "no phase scope (--phase)", "未指定阶段（--phase）");
        return;
    }
    const Document *memory = operator_document(run->op, STR("MEMORY.md"));
    int phase = run->op->phase;
    if (!memory->exists) {
        report(run, STATUS_FAIL, at_file(memory->path),
               "MEMORY.md does not exist, so phase M%d has no self-review",
               "MEMORY.md 不存在，阶段 M%d 没有 self-review", phase);
        return;
    }
    Review review = memory_review(run->arena, memory->text, phase);
    if (review.heading == 0) {
        report(run, STATUS_FAIL, at_file(memory->path),
               "MEMORY.md has no section '## Phase M%d self-review'",
               "MEMORY.md 没有 '## Phase M%d self-review' 一节", phase);
        return;
    }
    for (size_t i = 0; i < REVIEW_KEYWORD_COUNT; i++) {
        check_keyword(run, memory, &review, review_keywords[i]);
    }
}

const Rule ol54 = {
    .id = "OL54",
    .name = "open-self-review",
    .order = 54,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(5),
    .target = TARGET_GATE,
    .sets = IN(SET_PHASE_GATE),
    .fix = FIX_NONE,
    .hint =
        {"Check the point in the code, then write it under '## Phase M<k> self-review' as a "
         "ticked item with a line reference, as in \"- [x] output: written at L.51\"; the six "
         "items contain the words: signature, output, view, inventory, for ... in range, exactly "
         "once ('pypto-lint explain OL54').",
         "先在代码中核对，再在 '## Phase M<k> self-review' 中写成已勾选并带行号的条目，例如 "
         "\"- [x] output：写入于 L.51\"；六项须含：signature、output、view、inventory、for ... in "
         "range、exactly once（'pypto-lint explain OL54'）。"},
    .check = check,
};
