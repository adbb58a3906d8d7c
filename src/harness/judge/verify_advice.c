/* Advice; see verify_advice.h. */
#include "harness/judge/verify_advice.h"

static const Text route_advice[] = {
    [ROUTE_PRECISION] =
        {"Compare the kernel with the reference step by step; --inspect NAME finds the first "
         "iteration that differs, pypto-lint tolerance CASE tells whether the tolerance is too "
         "tight for any kernel.",
         "逐步比较 kernel 与参考实现；--inspect NAME 找出第一个出现差异的迭代，pypto-lint tolerance "
         "CASE 说明容差是否对任何 kernel 都过严。"},
    [ROUTE_AICORE] = {"The device stopped the kernel: look at tile shapes, addresses and lengths "
                      "of the operation that the log names.",
                      "设备中止了 kernel：检查日志所指操作的 tile shape、地址和长度。"},
    [ROUTE_HOST_CRASH] = {"The process of the host crashed: the log ends with its stack; run the "
                          "case alone with --case and pypto-lint run.",
                          "主机进程崩溃：日志末尾有调用栈；用 --case 和 pypto-lint run 单独运行。"},
    [ROUTE_WORKSPACE_OVERLAP] =
        {"The device says that buffers overlap: look for outputs and workspaces that share "
         "storage.",
         "设备报告缓冲区重叠：检查共用存储的输出和 workspace。"},
    [ROUTE_OOM] = {"Memory ran out: make tiles or cases smaller, or raise --mem-limit.",
                   "内存不足：减小 tile 或用例规模，或提高 --mem-limit。"},
    [ROUTE_TILE_SHAPE] =
        {"Correct the tile shapes (set_vec_tile_shapes, set_cube_tile_shapes) of "
         "the operation named.",
         "修正所指操作的 tile shape（set_vec_tile_shapes、set_cube_tile_shapes）。"},
    [ROUTE_STRUCTURE] = {"Make names, files and the number, shapes and dtypes of outputs those of "
                         "eval/module_interfaces.yaml and of the suite.",
                         "使名称、文件以及输出的数量、shape、dtype 与 eval/module_interfaces.yaml "
                         "和用例一致。"},
    [ROUTE_LAYOUT] =
        {"Correct what the linter found ('pypto-lint check --stage 5', or 6 from that stage on, "
         "shows it with its source), or run nevertheless with --no-lint-gate.",
         "修正检查发现的问题（用 'pypto-lint check --stage 5' 连同源码查看，第 6 阶段起用 6），"
         "或用 --no-lint-gate 强制运行。"},
    [ROUTE_TIMEOUT] = {"Look for a loop that does not end; if the case is only large, raise "
                       "--timeout.",
                       "检查是否有不终止的循环；如果只是用例较大，请提高 --timeout。"},
    [ROUTE_OTHER] = {"Read what the case printed: it is in the log file (--log, or beside the "
                     "report).",
                     "请查看该用例的输出：位于日志文件中（--log 指定，或在报告旁）。"},
};

const Leaf *failing_leaf(const FirstFailure *first)
{
    if (first->result == NULL || first->has_drift_onset) {
        return NULL;
    }
    const Leaves *leaves = &first->result->by_mode[first->mode].leaves;
    const Leaf *found = NULL;
    for (uint32_t i = 0; i < leaves->count; i++) {
        const Leaf *leaf = &leaves->items[i];
        bool better = found == NULL || (leaf->structure.length > 0 && found->structure.length == 0);
        found = !leaf->all_close && better ? leaf : found;
    }
    return found;
}

/* For these likenesses the place says how they came about. */
static bool is_by_place(const AdviceRow *likeness)
{
    static const char *const names[] = {"never_written", "not_finite", "one_number", "zeros"};
    return likeness == NULL || STR_IS_ANY(str_from(likeness->name), names);
}

/* What the likeness asks for, then what the place does; by the place alone without a likeness. */
static Str advice_on_places(Arena *arena, const LeafPlaces *places, Lang lang)
{
    const AdviceRow *likeness = places->likeness;
    const char *first = likeness == NULL ? "" : text_in(lang, likeness->advice);
    const char *then = is_by_place(likeness) ? text_in(lang, places->place->advice) : "";
    if (likeness != NULL && strcmp(places->place->name, "everywhere") == 0) {
        then = "";
    }
    const char *separator = lang == LANG_EN && *first != '\0' && *then != '\0' ? " " : "";
    return str_format(arena, "%s%s%s", first, separator, then);
}

static const AdviceRow *row_of(const FirstFailure *first, const Leaf *leaf)
{
    const CaseResult *case_result =
        first->result == NULL ? NULL : &first->result->by_mode[first->mode];
    const AdviceRow *row = NULL;
    if (case_result != NULL && case_result->cause != NULL) {
        row = advice_row(ADVICE_CAUSE, str_from(case_result->cause));
    } else if (case_result != NULL && case_result->code.length > 0) {
        row = advice_row(ADVICE_CODE, case_result->code);
    } else if (leaf != NULL && leaf->structure.length > 0) {
        row = advice_row(ADVICE_CAUSE, leaf->structure);
    }
    return row;
}

/* The line that makes the first failure wrong; NULL when the search found none. */
static const Blame *found_line(const FirstFailure *first)
{
    if (first->result == NULL || first->has_drift_onset) {
        return NULL;
    }
    const Blame *blame = &first->result->by_mode[first->mode].blame;
    return blame->status == BLAME_FOUND ? blame : NULL;
}

/* "Look at x_impl.py:24 first: the outputs are right when …" */
static Str advice_on_line(Arena *arena, const Blame *blame, Lang lang)
{
    static const Text sure = {"Look at %.*s first: ", "先看 %.*s："};
    static const Text suspected = {"The suspected line is %.*s: ", "疑似出错的行是 %.*s："};
    Buf text = {.arena = arena};
    Str place = source_place_text(arena, blame->place);
    buf_addf(&text, text_in(lang, blame->is_sure ? sure : suspected), STR_ARG(place));
    blame_add_words(&text, blame, lang);
    buf_add(&text, str_from(text_in(lang, (Text){".", "。"})));
    return buf_str(&text);
}

Str verify_advice_on_kind(Arena *arena, const FirstFailure *first, Lang lang)
{
    if (first->category == CATEGORY_INFRA) {
        const Text unknown = {"Nothing is known about the kernel: repair the environment, then run "
                              "again.",
                              "对 kernel 没有任何结论：请修复环境后重新运行。"};
        return str_from(text_in(lang, first->symptom != NULL ? first->symptom->recipe : unknown));
    }
    const Leaf *leaf = failing_leaf(first);
    const AdviceRow *row = row_of(first, leaf);
    if (row != NULL) {
        return str_from(text_in(lang, row->advice));
    }
    bool by_values = first->category == CATEGORY_PRECISION && first->route == ROUTE_PRECISION;
    if (by_values && leaf != NULL && leaf->places != NULL) {
        return advice_on_places(arena, leaf->places, lang);
    }
    if (first->result == NULL && first->route == ROUTE_STRUCTURE) {
        const Text nothing = {"Nothing was run: put right what the first failure names (a file, a "
                              "name, the suite, the choice of cases), then run again.",
                              "未运行任何用例：请修正首个失败所指出的问题（文件、名称、用例集或"
                              "用例的选择），然后重新运行。"};
        return str_from(text_in(lang, nothing));
    }
    bool compared = first->result != NULL && first->category == CATEGORY_STRUCTURAL;
    return str_from(text_in(lang, route_advice[compared ? ROUTE_STRUCTURE : first->route]));
}

Str verify_advice(Arena *arena, const FirstFailure *first, Lang lang)
{
    const Blame *blame = first->category == CATEGORY_INFRA ? NULL : found_line(first);
    if (blame == NULL) {
        return verify_advice_on_kind(arena, first, lang);
    }
    Str line = advice_on_line(arena, blame, lang);
    /* Advice on failures of its kind could contradict it, or say less. */
    if (blame->is_sure || str_is(blame->kind, "cut_short") || blame->detail.how.length > 0) {
        return line;
    }
    Str kind = verify_advice_on_kind(arena, first, lang);
    const char *separator = kind.length == 0 || lang == LANG_ZH ? "" : " ";
    return str_format(arena, "%.*s%s%.*s", STR_ARG(kind), separator, STR_ARG(line));
}

Text category_title(Category category)
{
    static const Text titles[] = {
        [CATEGORY_STRUCTURAL] = {"The implementation breaks its contract", "实现违反约定"},
        [CATEGORY_RUNTIME] = {"The implementation does not run through", "实现未能运行到底"},
        [CATEGORY_PRECISION] = {"Values differ from the reference", "数值与参考实现不符"},
        [CATEGORY_OTHER] = {"The case could not be judged", "无法判定该用例"},
        [CATEGORY_INFRA] = {"The environment is not in order", "环境有问题"},
        [CATEGORY_NONE] = {"No failure", "没有失败"},
    };
    return titles[category];
}

/* Whether modes disagree can be said only when both ran the case. */
static Str all_fail_meaning(Arena *arena, const bool ran[MODE_COUNT], Lang lang)
{
    const Text both = {"sim and npu both fail: algorithm, structure or runtime",
                       "sim 和 npu 均未通过：算法、结构或运行时"};
    const Text one = {"%s fails, and no other mode ran: algorithm, structure or runtime",
                      "%s 未通过，且没有运行其他模式：算法、结构或运行时"};
    const Text none = {"no mode ran this case", "没有任何模式运行过该用例"};
    if (ran[MODE_SIM] != ran[MODE_NPU]) {
        return str_format(arena, text_in(lang, one),
                          mode_name(ran[MODE_SIM] ? MODE_SIM : MODE_NPU));
    }
    return str_from(text_in(lang, ran[MODE_SIM] ? both : none));
}

Str fingerprint_meaning(Arena *arena, const FirstFailure *first, Lang lang)
{
    static const Text meanings[] = {
        [DIVERGENCE_NPU_ONLY] =
            {"sim passes, the device does not: leave the algorithm alone; "
             "look at tile shapes, pipes, memory layout, generated code",
             "sim 通过而设备不通过：不要改算法；检查 tile shape、pipe、内存布局、"
             "生成的代码"},
        [DIVERGENCE_IR] = {"the device passes, sim does not: graph generation, or the "
                           "simulator's approximation",
                           "设备通过而 sim 不通过：图生成，或模拟器的近似"},
    };
    if (first->fingerprint == DIVERGENCE_ALL_FAIL) {
        return all_fail_meaning(arena, first->basis, lang);
    }
    return str_from(text_in(lang, meanings[first->fingerprint]));
}
