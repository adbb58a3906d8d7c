/* Warnings of a case, and the summaries that are made in English only; see warning_text.h. The
 * English sentences are made in src/harness/judge (case_result.c, case_compared.c, case_repeat.c,
 * provenance.c), in verify.c and in runtime/harness/pypto_lint_worker. */
#include "harness/report/warning_text.h"

enum { MOST_HOLES = 6 };

/* `*` stands for any text, `{1}` for that of the first `*`, itself translated when the table has
 * it. */
static const Text sentences[] = {
    /* the worker's own */
    {"the wrapper changed the input *", "封装函数修改了输入 {1}"},
    {"the reference is not deterministic: a second run gave other values",
     "参考实现的结果不确定：再次运行得到不同的值"},
    {"* makes no comparison that can be followed: detailed_tensor_compare, "
     "numpy.testing.assert_allclose and torch.testing.assert_close can",
     "{1} 中没有可跟踪的比较；可跟踪的是 detailed_tensor_compare、"
     "numpy.testing.assert_allclose 和 torch.testing.assert_close"},
    {"the process of the kernel could not be kept from looking into its judge: this user may trace "
     "all processes",
     "无法阻止 kernel 进程查看判定进程：当前用户可以跟踪所有进程"},
    {"make_inputs() gives *, which PRIMARY_INPUT_ORDER does not list",
     "make_inputs() 给出了 PRIMARY_INPUT_ORDER 中没有的 {1}"},
    {"zeros would pass out* of this case: its reference is within the tolerance of 0 everywhere",
     "本用例的 out{1} 全写 0 也能通过：其参考值处处与 0 相差不超过容差"},
    {"zeros would pass this case: its reference is within the tolerance of 0 everywhere (*)",
     "本用例全写 0 也能通过：其参考值处处与 0 相差不超过容差（{1}）"},
    {"one number would pass out* of this case: its reference is the same everywhere",
     "本用例的 out{1} 只写同一个数也能通过：其参考值处处相同"},
    {"the operator has one module and no module files: its golden is compared with a second run of "
     "itself",
     "该算子只有一个模块且没有模块文件：golden 与其自身的第二次运行结果相比较"},
    /* how the worker ended */
    {"after the comparison the process was ended by *", "比较之后进程被 {1} 终止"},
    {"after the comparison the process ended with status *", "比较之后进程以状态码 {1} 结束"},
    /* what made the outputs */
    {"not checked on *: whether kernels made the outputs (*)",
     "{1} 上未检查：输出是否由 kernel 算出（{2}）"},
    {"no launch wrote * of * elements of * on *: they are *",
     "{4} 上没有任何一次启动写入 {3} 的 {2} 个元素中的 {1} 个：它们是 {5}"},
    {"no launch wrote * on *: it holds *; let the kernel write it and return that memory",
     "{2} 上没有任何一次启动写入 {1}：其内容为 {3}；应由 kernel 写入并返回该内存"},
    {"* is not the kernel's work on *: torch computed * of * elements*; compute them in the kernel",
     "{2} 上 {1} 不是 kernel 算出的：{4} 个元素中有 {3} 个由 torch 计算{5}；请在 kernel 中计算"},
    {"torch computed what a kernel reads on * (*): is that the operator's work?",
     "{1} 上 kernel 读取的数据由 torch 计算（{2}）：这属于算子的工作吗？"},
    {"torch computed what a kernel reads on *: is that the operator's work?",
     "{1} 上 kernel 读取的数据由 torch 计算：这属于算子的工作吗？"},
    {"the input * unchanged", "未改动的输入 {1}"},
    {"what the host put there*", "host 侧写入的内容{1}"},
    {"memory that neither torch nor a kernel filled in this run (numpy, a cache, another library)",
     "本次运行中 torch 和 kernel 都未填充的内存（来自 numpy、缓存或其他库）"},
    {"the log says \"*\": look whether the wrapper falls back to another computation",
     "日志中有 \"{1}\"：请检查封装函数是否退回到了别的计算方式"},
    {"every output equals the reference bit for bit, although the reference calls a transcendental "
     "function",
     "每个输出都与参考值逐位相等，而参考实现调用了超越函数"},
    {"the test passed, but recorded no comparison", "测试通过，但没有记录任何比较"},
    /* failures: no kernel did the work */
    {"no kernel was launched: on * the outputs were computed without one",
     "没有启动任何 kernel：{1} 上的输出不是由 kernel 算出的"},
    {"no kernel was launched successfully on *: the log says \"*\", yet the outputs are right, so "
     "something else computed them",
     "{1} 上没有成功启动任何 kernel：日志中有 \"{2}\"，而输出正确，因此输出由别处算出"},
    {"no kernel was launched as far as can be seen: on * every output equals the reference bit for "
     "bit, although the reference calls a transcendental function",
     "看不到启动过 kernel：{1} 上每个输出都与参考值逐位相等，而参考实现调用了超越函数"},
    {"the implementation imports the reference *: whatever it returns proves nothing",
     "实现导入了参考实现 {1}：它返回什么都不能说明问题"},
    {"nothing was compared: the reference has no output", "没有可比较的内容：参考实现没有输出"},
    {"no requested mode could run: *", "所要求的模式都无法运行：{1}"},
    {"no requested mode could run", "所要求的模式都无法运行"},
    /* the second call */
    {"on * a later call gives an earlier result, or writes over it (stale output): every call must "
     "return memory of its own",
     "{1} 上后一次调用给出或覆盖了前一次的结果（stale output）：每次调用都应返回自己的内存"},
    {"on * only the first call is right (first call only): the same inputs in fresh memory, and "
     "others, give wrong results later",
     "{1} 上只有第一次调用正确（first call only）：之后无论是新内存中的相同输入还是其他输入，结果都不对"},
    {"on * a call with other inputs is wrong although the first is right (input-dependent state): "
     "something of the first call is kept",
     "{1} 上换输入再次调用结果出错，而第一次正确（input-dependent state）：第一次调用的某些内容被保留了下来"},
    {"on * the kernel's process did not call the wrapper again, although it was asked to",
     "{1} 上 kernel 进程没有按要求再次调用封装函数"},
    {"the wrapper raised * on * when it was called again", "{2} 上再次调用封装函数时抛出 {1}"},
    {"the same inputs give other bits on * when the wrapper is called again, within the tolerance "
     "(flaky)",
     "{1} 上以相同输入再次调用封装函数，结果的位不同，但在容差之内（flaky）"},
    {"on * the same inputs give another result when the wrapper is called again (flaky)",
     "{1} 上以相同输入再次调用封装函数，得到不同的结果（flaky）"},
    /* the suite */
    {"the case is the same as * but for its name and tolerances: it tests nothing more",
     "本用例除名称和容差外与 {1} 相同：没有测试更多内容"},
};

typedef struct Holes {
    Str texts[MOST_HOLES];
    uint32_t count;
} Holes;

/* Is the sentence one of the pattern? The first text that fits is taken for each hole. */
static bool fits(Str pattern, Str sentence, Holes *holes)
{
    holes->count = 0;
    size_t star = str_find(pattern, STR("*"), 0);
    Str head = str_slice(pattern, 0, star);
    if (!str_starts(sentence, head)) {
        return false;
    }
    sentence = str_slice(sentence, head.length, sentence.length);
    while (star != SIZE_MAX) {
        size_t next = str_find(pattern, STR("*"), star + 1);
        Str words = str_slice(pattern, star + 1, next);
        size_t end = next != SIZE_MAX            ? str_find(sentence, words, 0)
                     : str_ends(sentence, words) ? sentence.length - words.length
                                                 : SIZE_MAX;
        if (end == SIZE_MAX || holes->count == MOST_HOLES) {
            return false;
        }
        holes->texts[holes->count++] = str_slice(sentence, 0, end);
        sentence = str_slice(sentence, end + words.length, sentence.length);
        star = next;
    }
    return sentence.length == 0;
}

/* The Chinese form of a sentence and what is in its holes; an empty form when there is none. */
static Str form_of(Str sentence, Holes *holes)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        if (fits(str_from(sentences[i].en), sentence, holes)) {
            return str_from(sentences[i].zh);
        }
    }
    return STR("");
}

static Str filled(Arena *arena, Str form, const Holes *holes)
{
    Buf out = {.arena = arena};
    for (size_t i = 0; i < form.length; i++) {
        bool hole = form.at[i] == '{' && i + 2 < form.length && form.at[i + 2] == '}';
        uint32_t number = hole ? (uint32_t)(form.at[i + 1] - '1') : MOST_HOLES;
        if (number < holes->count) {
            buf_add(&out, holes->texts[number]);
            i += 2;
        } else {
            buf_add_char(&out, form.at[i]);
        }
    }
    return buf_str(&out);
}

Str warning_text(Arena *arena, Lang lang, Str sentence)
{
    Holes holes, inner;
    Str form = lang == LANG_ZH ? form_of(sentence, &holes) : STR("");
    if (form.length == 0) {
        return sentence;
    }
    for (uint32_t i = 0; i < holes.count; i++) {
        Str part = form_of(holes.texts[i], &inner);
        holes.texts[i] = part.length > 0 ? filled(arena, part, &inner) : holes.texts[i];
    }
    return filled(arena, form, &holes);
}

Str summary_text(Arena *arena, Lang lang, const CaseResult *case_result)
{
    return lang == LANG_ZH && case_result->summary_zh.length > 0
               ? case_result->summary_zh
               : warning_text(arena, lang, case_result->summary);
}

Str first_summary_text(Arena *arena, Lang lang, const FirstFailure *first)
{
    return first->result != NULL ? summary_text(arena, lang, &first->result->by_mode[first->mode])
                                 : warning_text(arena, lang, first->summary);
}
