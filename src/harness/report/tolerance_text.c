/* The verdict on a kernel beyond the tolerance, as text; see tolerance.h. */
#include "harness/judge/tolerance.h"

#include "report/terminal.h"

enum { MOST_LEAVES_SHOWN = 20, DIFFERENCE_COLUMN = 19 };

static const Text verdict_words[] = {
    [TOLERANCE_NONE] = {"no verdict", "无结论"},
    [TOLERANCE_INNOCENT] = {"innocent", "无责"},
    [TOLERANCE_UNDECIDED] = {"undecided", "无法判定"},
    [TOLERANCE_GUILTY] = {"guilty", "有责"},
};

static const Text reasons[TOLERANCE_REASON_COUNT] = {
    [TOLERANCE_WITHIN] = {"the kernel is within the tolerance", "kernel 在容差之内"},
    [TOLERANCE_EXPLAINED] =
        {"the reference itself leaves the tolerance when it adds up in another "
         "order, and rounding explains every element of the kernel",
         "参考实现改变求和顺序后也超出容差，且 kernel 的每个元素都可由舍入解释"},
    [TOLERANCE_ALIKE] =
        {"the kernel cannot be distinguished from the reference with another order of summation",
         "kernel 与改变求和顺序的参考实现无法区分"},
    [TOLERANCE_NEAR] = {"rounding explains every element of the kernel, but in no order does the "
                        "reference leave the tolerance",
                        "kernel 的每个元素都可由舍入解释，但参考实现在任何顺序下都不超出容差"},
    [TOLERANCE_FEW] = {"the reference leaves the tolerance in another order, but rounding does not "
                       "explain some elements of the kernel",
                       "参考实现改变顺序后超出容差，但 kernel 的个别元素无法用舍入解释"},
    [TOLERANCE_STRUCTURE] =
        {"shape, dtype or number of the outputs differ, which rounding does not "
         "change",
         "输出的形状、dtype 或个数不同：与舍入无关"},
    [TOLERANCE_ORDERS_AGREE] = {"in every order the reference stays within the tolerance, and "
                                "rounding does not explain the kernel",
                                "参考实现在所有顺序下都在容差之内，kernel 的误差无法用舍入解释"},
    [TOLERANCE_NO_DIGITS] =
        {"this case has no digits: its reference is 0, one number or integers "
         "that no order changes; take other inputs",
         "该用例没有可比较的有效数字：参考结果为 0、单一数值，或任何顺序都不改变的"
         "整数；请换用其他输入"},
    [TOLERANCE_UNEXPLAINED] = {"the kernel differs where the orders of summation agree",
                               "在各求和顺序一致的位置，kernel 仍有差异"},
};

static void add_metric(Buf *out, Metric metric)
{
    if (metric.known) {
        buf_addf(out, "%.3g", metric.value);
    } else {
        buf_add(out, STR("-"));
    }
}

static void add_difference(Buf *out, const ToleranceDifference *difference, Lang lang)
{
    buf_addf(out, "max_abs_diff ");
    add_metric(out, difference->max_abs);
    buf_addf(out, ", max_rel_diff ");
    add_metric(out, difference->max_rel);
    buf_addf(out,
             text_in(lang, (Text){", %llu beyond the tolerance, at most ",
                                  "，%llu 个超出容差，最大为允许值的 "}),
             (unsigned long long)difference->out_of_tolerance);
    add_metric(out, difference->worst);
    buf_addf(out, "%s\n", text_in(lang, (Text){" times what is allowed", " 倍"}));
}

static void add_unexplained(Buf *out, const char *who, uint64_t count, Metric worst, Lang lang)
{
    buf_addf(out,
             text_in(lang, (Text){"    not explained by rounding, %s: %llu, at most ",
                                  "    舍入无法解释的元素，%s：%llu 个，最大为允许值的 "}),
             who, (unsigned long long)count);
    add_metric(out, worst);
    buf_addf(out, "%s\n", text_in(lang, (Text){" times what is allowed", " 倍"}));
}

static void add_name(Buf *out, Str name)
{
    size_t start = out->length;
    buf_addf(out, "    ");
    terminal_add(out, name);
    do {
        buf_add_char(out, ' ');
    } while (out->length - start < DIFFERENCE_COLUMN);
}

static void add_leaf(Buf *out, const Tolerance *tolerance, uint32_t index, Lang lang)
{
    const ToleranceLeaf *leaf = &tolerance->leaves.items[index];
    buf_addf(out, "  ");
    terminal_add(out, leaf->name);
    buf_addf(out, ": %s — %s\n", text_in(lang, verdict_words[leaf->verdict]),
             text_in(lang, reasons[leaf->reason]));
    if (leaf->reason == TOLERANCE_STRUCTURE) {
        return;
    }
    add_name(out, STR("kernel"));
    add_difference(out, &leaf->kernel, lang);
    for (uint32_t i = 0; i < tolerance->orders.count; i++) {
        const ToleranceOrder *order = &tolerance->orders.items[i];
        if (index < order->leaves.count) {
            add_name(out, order->name);
            add_difference(out, &order->leaves.items[index], lang);
        }
    }
    if (leaf->reason != TOLERANCE_WITHIN && leaf->reason != TOLERANCE_NO_DIGITS) {
        add_unexplained(out, "kernel", leaf->unexplained, leaf->unexplained_worst, lang);
        add_unexplained(out, text_in(lang, (Text){"an order", "某一顺序"}),
                        leaf->orders_unexplained, leaf->orders_unexplained_worst, lang);
    }
}

static void add_reductions(Buf *out, const Tolerance *tolerance, Lang lang)
{
    buf_addf(out, "%s",
             text_in(lang, (Text){"  reductions of the reference:", "  参考实现中的归约："}));
    for (uint32_t i = 0; i < tolerance->reductions.count; i++) {
        const ToleranceCount *count = &tolerance->reductions.items[i];
        buf_addf(out, " ");
        terminal_add(out, count->name);
        buf_addf(out, " %llu%s", (unsigned long long)count->count,
                 i + 1 < tolerance->reductions.count ? "," : "");
    }
    if (tolerance->reductions.count == 0) {
        buf_addf(out, "%s", text_in(lang, (Text){" none", "无"}));
    }
    for (uint32_t i = 0; i < tolerance->not_reordered.count; i++) {
        buf_addf(
            out, "%s",
            i == 0 ? text_in(lang, (Text){"; always in torch's order: ", "；始终按 torch 的顺序："})
                   : ", ");
        terminal_add(out, tolerance->not_reordered.items[i]);
    }
    buf_addf(out, "\n");
}

void tolerance_text(Buf *out, const Tolerance *tolerance, const SuiteCase *source, const char *mode,
                    Lang lang)
{
    buf_addf(out, "%s ", text_in(lang, (Text){"case", "用例"}));
    terminal_add(out, source->id);
    buf_addf(out, " (%s, atol=%g rtol=%g): %s\n", mode, source->atol, source->rtol,
             text_in(lang, verdict_words[tolerance->verdict]));
    for (uint32_t i = 0; i < tolerance->leaves.count && i < MOST_LEAVES_SHOWN; i++) {
        add_leaf(out, tolerance, i, lang);
    }
    add_reductions(out, tolerance, lang);
}
