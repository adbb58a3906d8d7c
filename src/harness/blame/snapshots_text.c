/* The result of watching a kernel, as text; see snapshots.h. */
#include "harness/blame/snapshots.h"

#include "report/terminal.h"

/* The worker gives its reason in English; for Chinese these parts of it select the sentence. */
static const struct {
    const char *part;
    const char *zh;
} reasons[] = {
    {"the reference has no buffer", "参考实现中没有对应的缓冲区或张量（清单中可用 golden: 指定）"},
    {"has no axis", "参考实现的张量没有该轴"},
    {"never computed it", "kernel 在该用例中没有把它作为张量计算"},
    {"the kernel computes it in", "kernel 只在部分迭代中计算它"},
    {"the reference computes", "参考实现在一次迭代中于多处计算它"},
    {"the kernel computes it at",
     "kernel 在一次迭代中于多处计算它：请给出 `line`，或改为观察函数的返回值"},
    {"in another order", "kernel 循环处理各块的顺序与参考实现不同"},
    {"the reference has it in", "参考实现与 kernel 的迭代次数不同"},
    {"two axes", "设备上只能观察两个轴的张量"},
    {"on a device", "设备上无法观察该表达式（见文档 bisect）"},
    {"a probe needs", "设备上无法观察该表达式（见文档 bisect）"},
    {"the kernel has shape", "参考实现与 kernel 的形状不同"},
};

static Str reason(Str why, Lang lang)
{
    for (size_t i = 0; lang == LANG_ZH && i < sizeof reasons / sizeof *reasons; i++) {
        if (str_contains(why, str_from(reasons[i].part))) {
            return str_from(reasons[i].zh);
        }
    }
    return why;
}

static const Text pattern_texts[DRIFT_PATTERN_COUNT] = {
    [DRIFT_NONE] = {"close in all %lld iterations", "%lld 次迭代均在容差内"},
    [DRIFT_ALL] = {"differs in all %lld iterations", "%lld 次迭代全部超差"},
    [DRIFT_FROM] = {"differs from iteration %lld on", "从迭代 %lld 起一直超差"},
    [DRIFT_FIRST] = {"differs in the first iteration (%lld) only", "仅首次迭代（%lld）超差"},
    [DRIFT_LAST] = {"differs in the last iteration (%lld) only", "仅末次迭代（%lld）超差"},
    [DRIFT_SOME] = {"differs in some iterations, first in %lld", "部分迭代超差，最早为迭代 %lld"},
};

/* What to look at, by the pattern of the first expression that differs. */
static const Text advice[DRIFT_PATTERN_COUNT] = {
    [DRIFT_ALL] = {"wrong from the start: compare the expression, its operands and its initial "
                   "value with the reference",
                   "从一开始就错误：对照参考实现检查该表达式、操作数和初值"},
    [DRIFT_FROM] = {"look at what that iteration does for the first time: a condition on the "
                    "index, an offset, a rescaling",
                    "查看该迭代首次发生了什么：关于下标的条件、偏移、重新缩放"},
    [DRIFT_FIRST] = {"look at initial values, is_loop_begin and the offset of the first block",
                     "检查初值、is_loop_begin 以及首块的偏移"},
    [DRIFT_LAST] = {"look at the tail: valid shape, padding, is_loop_end",
                    "检查尾块：有效形状、填充、is_loop_end"},
    [DRIFT_SOME] = {"look at what these iterations have in common: a condition, a stride, the rest "
                    "of an unrolled loop",
                    "检查这些迭代的共同点：条件、步长、循环展开的余数"},
};

static const Text advice_precision = {
    "the error grows from iteration to iteration in a 16-bit value: accumulate in FP32",
    "误差随迭代增大，且该值为 16 位：请用 FP32 累加"};

static void add_drift(Buf *out, const Drift *drift, Lang lang)
{
    bool counts = drift->pattern == DRIFT_NONE || drift->pattern == DRIFT_ALL;
    buf_add(out, drift->why.length > 0          ? STR("  ? ")
                 : drift->pattern == DRIFT_NONE ? STR("  ok ")
                                                : STR("  ! "));
    terminal_add(out, drift->name);
    buf_addf(out, text_in(lang, (Text){" (line %llu): ", "（第 %llu 行）："}),
             (unsigned long long)drift->line);
    if (drift->why.length > 0) {
        buf_add(out, str_from(text_in(lang, (Text){"not compared: ", "未比较："})));
        terminal_add(out, reason(drift->why, lang));
        buf_add_char(out, '\n');
        return;
    }
    buf_addf(out, text_in(lang, pattern_texts[drift->pattern]),
             counts ? (long long)drift->iterations : (long long)drift->onset);
    if (drift->pattern != DRIFT_NONE && drift->worst.known) {
        buf_addf(out, text_in(lang, (Text){", relative error up to %.3g", "，相对误差最大 %.3g"}),
                 drift->worst.value);
    }
    if (drift->pattern != DRIFT_NONE && drift->handing_known) {
        Text handed = {"; loop-carried", "；随循环传递"},
             own = {"; not loop-carried", "；不随循环传递"};
        buf_add(out, str_from(text_in(lang, drift->handed_on ? handed : own)));
    }
    buf_add_char(out, '\n');
}

void bisection_text(Buf *out, const Bisection *bisection, Lang lang)
{
    for (uint32_t i = 0; i < bisection->drifts.count; i++) {
        add_drift(out, &bisection->drifts.items[i], lang);
    }
    const Drift *first = bisection->first;
    if (first == NULL) {
        return;
    }
    bool narrow = str_is(first->dtype, "bfloat16") || str_is(first->dtype, "float16");
    buf_add(out, str_from(text_in(lang, (Text){"First to drift: ", "最先偏离："})));
    terminal_add(out, first->name);
    buf_addf(out,
             text_in(lang, (Text){", line %llu, iteration %lld\n", "，第 %llu 行，迭代 %lld\n"}),
             (unsigned long long)first->line, (long long)first->onset);
    buf_addf(out, "  %s\n",
             text_in(lang, first->grows && narrow ? advice_precision : advice[first->pattern]));
}
