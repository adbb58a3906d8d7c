/* What is wrong with a blamed line, in words; see blame.h. They say what to change and reveal
 * nothing about the reference's values. */
#include "harness/blame/blame.h"

/* clang-format off */
static const BlameWords table[] = {
    {"operation", {"the outputs are right with {o} instead", "改为 {o} 后输出正确"}},
    {"axis", {"the outputs are right when it computes along axis {a}", "改为沿轴 {a} 计算后输出正确"}},
    {"number", {"the outputs are right with another number here: look at the scalar operand",
                    "换一个数后输出正确：检查此处的标量操作数"}},
    {"number_plain", {"the outputs are right with {v} as the scalar here", "此处标量改为 {v} 后输出正确"}},
    {"number_times", {"the outputs are right with a scalar about {v} times as large here", "此处标量约为现在的 {v} 倍时输出正确"}},
    {"number_slightly", {"the outputs are right with a scalar here that is slightly larger or smaller: compare its digits",
                         "此处标量略大或略小时输出正确：逐位核对该数值"}},
    {"number_opposite", {"the outputs are right with the opposite sign of the scalar here", "此处标量变号后输出正确"}},
    {"number_reciprocal", {"the outputs are right with the reciprocal of the scalar here: compare multiplication and division",
                           "此处标量取倒数后输出正确：对照检查乘与除"}},
    {"number_nonzero", {"the outputs are right with another scalar than 0 here", "此处标量不为 0 时输出正确"}},
    {"order", {"the outputs are right with its operands the other way round", "两个操作数对调后输出正确"}},
    {"order_matmul", {"the outputs are right with its two operands exchanged, a_trans and b_trans as they are",
                      "两个操作数对调、a_trans 与 b_trans 不变时输出正确"}},
    {"transposed", {"the outputs are right with its result transposed", "转置其结果后输出正确"}},
    {"transposed_first", {"the outputs are right with its first operand transposed: look at a_trans, and at a transpose before it",
                          "转置第一个操作数后输出正确：检查 a_trans 及之前的 transpose"}},
    {"transposed_second", {"the outputs are right with its second operand transposed: look at b_trans, and at a transpose before it",
                           "转置第二个操作数后输出正确：检查 b_trans 及之前的 transpose"}},
    {"transposed_both", {"the outputs are right with both operands transposed: look at a_trans and b_trans",
                         "两个操作数都转置后输出正确：检查 a_trans 与 b_trans"}},
    {"offset", {"the outputs are right when its window begins elsewhere along axis {a}",
                     "窗口沿轴 {a} 的起点改变后输出正确"}},
    {"offset_at", {"the outputs are right when its window begins at {t} along axis {a}, not at {b}",
                   "窗口沿轴 {a} 从 {t} 而不是 {b} 开始时输出正确"}},
    {"begin", {"the outputs are right when its window begins at {t} along axis {a}, not at {b}, and the other windows that "
                   "use the same scalar move with it: look at the scalar",
               "窗口沿轴 {a} 改从 {t} 而不是 {b} 开始，且使用同一标量的其他窗口随之移动后，输出正确：检查该标量"}},
    {"end", {"the outputs are right when its window has {t} valid elements along axis {a}, not {b}, and the other windows "
                 "that use the same scalar change with it: look at the scalar",
             "窗口沿轴 {a} 的有效元素由 {b} 个改为 {t} 个，且使用同一标量的其他窗口随之改变后，输出正确：检查该标量"}},
    {"rounding", {"the outputs are right when its result stays in FP32: 16 bits are too few here",
                      "结果保持 FP32 后输出正确：此处 16 位精度不够"}},
    {"diagonal", {"the outputs are right with diagonal {s}", "参数 diagonal {s}后输出正确"}},
    {"cast_mode", {"the outputs are right with another rounding mode of the cast", "换用另一种 cast 舍入模式后输出正确"}},
    {"cast_mode_known", {"the outputs are right with {k} as the mode of the cast", "cast 的模式改为 {k} 后输出正确"}},
    {"correction", {"the outputs are right with {v} as the correction of the variance: it divides by the number of elements "
                        "less that",
                    "方差的 correction 改为 {v} 后输出正确：除数为元素个数减去该值"}},
    {"count_known", {"the outputs are right when it keeps {c} elements", "保留 {c} 个元素后输出正确"}},
    {"count", {"the outputs are right when it keeps another number of elements", "保留另一个数目的元素后输出正确"}},
    {"grouping", {"the outputs are right with the operands of this line in another order or with other "
                      "parentheses", "调整此行操作数的次序或括号后输出正确"}},
    {"grouping_known", {"the outputs are right with {f} instead of {g} (a, b, c …: the operands in their order in this line)",
                        "以 {f} 代替 {g} 后输出正确（a、b、c……为此行的操作数，按出现次序）"}},
    {"steps", {"the outputs are right when this step and the one before it are swapped", "此步与前一步互换次序后输出正确"}},
    {"extent", {"the outputs are right when its window is larger along axis {a}: it reads too few elements",
                "窗口沿轴 {a} 加大后输出正确：此处读取的元素过少"}},
    {"scalar", {"the outputs are right with another value of the scalar here: look at its names, constants and operators",
                "此处的标量取另一个值时输出正确：检查其中的名称、常量和运算符"}},
    {"scalar_known", {"the outputs are right with a scalar such as {f} here instead of {g}",
                      "此处的标量由 {g} 改为 {f} 之类的表达式后输出正确"}},
    {"edited", {"the outputs are right with another expression here: look at its names, numbers and arguments",
                "此处换用另一个表达式后输出正确：检查其中的名称、数值和实参"}},
    {"edited_known", {"the outputs are right with an expression such as {f} here instead of {g}",
                      "此处由 {g} 改为 {f} 之类的表达式后输出正确"}},
    {"reordered", {"the outputs are right with two arguments, elements or operands of this line swapped",
                   "此行的两个实参、元素或操作数对调后输出正确"}},
    {"moved", {"the outputs are right when this statement is moved: look at the statements around it, and at its indentation",
               "该语句移到别处后输出正确：检查其前后的语句及缩进"}},
    {"begins_once", {"the outputs are right when the loop-carried tensor is initialized in each iteration of the outer loop",
                     "在外层循环的每次迭代中重新初始化循环携带的张量后输出正确"}},
    {"begins_again", {"the outputs are right when the loop-carried tensor keeps its value here: it is initialized too often",
                      "此处保留循环携带的张量的值后输出正确：它被初始化的次数过多"}},
    {"carried", {"the outputs are right when the old value is kept, such as added: a loop-carried tensor is overwritten",
                     "保留原有的值（例如相加）后输出正确：循环携带的张量被覆盖"}},
    {"not_carried", {"the outputs are right when the next iteration reads this result: now every iteration starts from the initial value",
                     "下一次迭代读取此结果后输出正确：目前每次迭代都从循环开始时的值算起"}},
    {"branch", {"the outputs are right when this branch runs in another iteration of its loop: look at the condition",
                "此分支改在循环的另一次迭代中执行后输出正确：检查该条件"}},
    {"in_loop", {"the outputs are right when this statement runs in each iteration of the loop before it: look at its indentation",
                 "该语句改在其前面循环的每次迭代中执行后输出正确：检查缩进"}},
    {"idle", {"this statement gives a tensor its own value: it does nothing", "该语句把张量赋给自身，没有任何作用"}},
    {"operand", {"the outputs are right with {m} as its operand", "以{m}为操作数后输出正确"}},
    {"source", {"the outputs are right when it takes its window from {n}", "改从{n}取窗口后输出正确"}},
    {"exchanged", {"the outputs are right with two tensors swapped: compare the order of arguments and parameters",
                   "两个张量对调后输出正确：对照实参与形参的顺序"}},
    {"argument", {"the outputs are right with {m} as an argument of this call", "此次调用以{m}为实参后输出正确"}},
    {"arguments", {"the outputs are right with two arguments of this call swapped",
                   "此次调用的两个实参对调后输出正确"}},
    {"passed", {"the outputs are right when the wrapper passes the elements of {n} here in their original order",
                "wrapper 在此按原有次序传入{n}的元素后输出正确"}},
    {"repeated", {"one tensor appears twice and another one is missing: compare the names",
                  "同一个张量出现了两次，而另一个缺失：对照名称"}},
    {"returned", {"the wrapper returns {n} unchanged", "wrapper 原样返回了{n}"}},
    {"unread_parameter", {"nothing in this function reads {n}: something else is used in its place",
                          "此函数从未使用{n}：其位置上用了别的东西"}},
    {"results", {"the outputs are right with two results of the helper swapped: compare its return statement with the "
                     "names at the call",
                 "辅助函数的两个结果对调后输出正确：对照其 return 语句与调用处的名称"}},
    {"unread", {"the outputs are right with elements of {n} here, which nothing reads", "此处改用{n}的元素后输出正确，该输入目前从未被读取"}},
    {"unread_step", {"a step is missing near it: {o} with {n}, which nothing reads", "附近缺少一步：与{n}做 {o}，该输入目前从未被读取"}},
    {"superfluous", {"the outputs are right without this operation", "去掉该操作后输出正确"}},
    {"missing", {"a step is missing near it: {o}", "附近缺少一步：{o}"}},
    {"missing_tensor", {"a step is missing near it: {o} with {m}", "附近缺少一步：与{m}做 {o}"}},
    {"misplaced", {"it writes right values to the wrong place: compare its offsets with the loop",
                       "写出的值正确而位置有误：对照循环检查偏移"}},
    {"never_written", {"no write covers the wrong elements: look how often the loop runs, and at offsets and "
                           "valid shapes", "没有任何写入覆盖出错的元素：检查循环次数、偏移和有效形状"}},
    {"never_written_overlap", {"no write covers the wrong elements: its windows overlap along axis {a}, so they do not reach "
                                  "the end: look at the offset",
                              "没有任何写入覆盖出错的元素：各窗口沿轴 {a} 重叠，因而到不了末尾：检查偏移"}},
    {"never_written_apart", {"no write covers the wrong elements: its windows leave gaps along axis {a}: look at the valid "
                                "shape and at the step of the offset",
                            "没有任何写入覆盖出错的元素：各窗口沿轴 {a} 之间有空隙：检查有效形状和偏移的步长"}},
    {"never_written_narrow", {"no write covers the wrong elements: along axis {a} all its windows have {w} of {r} elements: "
                                 "look at the shape and the valid shape",
                             "没有任何写入覆盖出错的元素：沿轴 {a}，所有窗口只有 {r} 个元素中的 {w} 个：检查形状和有效形状"}},
    {"never_written_few", {"no write covers the wrong elements: along axis {a} its last window (of {c}) ends at {w} of "
                              "{r}: look how often the loop runs",
                          "没有任何写入覆盖出错的元素：沿轴 {a} 有 {c} 个窗口，写到 {r} 中的 {w} 为止：检查循环次数"}},
    {"never_written_skipped", {"no write covers the wrong elements: the loop runs iterations without the write: look at the condition "
                                  "around it",
                              "没有任何写入覆盖出错的元素：循环的某些迭代没有执行该写入：检查其外的条件"}},
    {"cut_short", {"no write covers the wrong elements: along axis {a} its last window has {w} of the {r} elements "
                       "that remain there: look at its valid shape",
                   "没有任何写入覆盖出错的元素：沿轴 {a}，最后一个窗口只有剩余 {r} 个元素中的 {w} 个：检查其 valid_shape"}},
    {"partly_written", {"along axis {a} its windows have {w} of {r} elements: the rest is never written, and results that depend on all "
                            "of them are wrong, too; look at the valid shape",
                        "沿轴 {a}，它的窗口只有 {r} 个元素中的 {w} 个：其余从未写入，依赖全部元素的结果也因此出错：检查 valid_shape"}},
    {"target", {"the outputs are right when it writes into {n}", "改为写入{n}后输出正确"}},
    {"write_offset", {"the outputs are right when it writes elsewhere along axis {a}, where later windows read", "沿轴 {a} 改写到后续窗口读取的位置后输出正确"}},
    {"never_read", {"its windows of {n} end at {w} of {r} along axis {a}, and nothing reads the rest: look how often the loop "
                        "runs",
                    "它在{n}上的窗口沿轴 {a} 到 {r} 中的 {w} 为止，其余部分从未读取：检查循环次数"}},
    {"never_ran", {"the loop that should fill its operand runs no iterations, so the result is NaN or infinity: look at the loop's bounds",
                   "本应填充其操作数的循环一次也没有执行，因而结果为 NaN 或无穷大：检查该循环的上下界"}},
    {"never_used", {"one tensor of a list is never read, while the others are: check how often this loop runs",
                    "列表中有一个张量从未被读取，其余的都被读取：检查此循环的次数"}},
    {"unpacked", {"it binds the function's results in another order than the return statement gives them: compare the "
                      "names",
                  "此处接收函数结果的次序与 return 语句不一致：对照名称"}},
    {"unmatched", {"its inputs are right, its result is wrong: the reference has no such tensor",
                       "其输入正确而结果错误：参考实现中没有这样的张量"}},
    {"unmatched_shapes", {"its inputs ({i}) are right, its result ({p}) is wrong: the reference has no such tensor",
                          "其输入（{i}）正确而结果（{p}）错误：参考实现中没有这样的张量"}},
    {"elsewhere", {"the reference has the tensor that it writes, but in another place or with its axes in another order: "
                       "compare the offsets, and look for a transpose",
                   "参考实现中有它写出的张量，但位置或轴的次序不同：对照偏移，并检查是否有转置"}},
    {"not_finite", {"it makes NaN or infinite elements from finite ones", "它由有限值得到 NaN 或无穷大"}},
    {"inf_minus_inf", {"it makes NaN from infinities (inf - inf): mask with a large finite number, or "
                           "subtract a maximum that is finite",
                       "无穷大相减（inf − inf）得到 NaN：用较大的有限数做掩码，或减去有限的最大值"}},
    {"swapped_outputs", {"the outputs are each other's: compare the order of the writes, of the "
                             "arguments and of the return statement",
                             "输出互相对调：检查写出、实参和 return 的顺序"}},
};
/* clang-format on */

const BlameWords *blame_words(Str kind)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(kind, table[i].kind)) {
            return &table[i];
        }
    }
    return NULL;
}

static void add_step(Buf *out, int64_t step, Lang lang)
{
    if (step == 0) {
        buf_add(out, str_from(text_in(lang, (Text){"changed", "改变"})));
    } else {
        buf_addf(out,
                 text_in(lang, step > 0 ? (Text){"larger by %lld", "增大 %lld "}
                                        : (Text){"smaller by %lld", "减小 %lld "}),
                 (long long)(step > 0 ? step : -step));
    }
}

static void add_parameter(Buf *out, Str name, Lang lang)
{
    if (name.length == 0) {
        buf_add(out, str_from(text_in(lang, (Text){"another parameter", "另一个参数"})));
    } else {
        buf_addf(out, text_in(lang, (Text){"the parameter %.*s", "参数 %.*s "}), STR_ARG(name));
    }
}

/* "now (line 24) of the iteration before", "the tensor that line 24 makes". */
static void add_tensor(Buf *out, const BlameDetail *detail, bool is_here, Lang lang)
{
    if (detail->is_earlier && lang == LANG_ZH) {
        buf_add(out, STR("上一次迭代的"));
    }
    if (detail->name.length > 0) {
        buf_addf(out, text_in(lang, (Text){"%.*s (line %lld)", " %.*s（第 %lld 行）"}),
                 STR_ARG(detail->name), (long long)detail->line);
    } else if (detail->by.length > 0) {
        buf_addf(out, text_in(lang, (Text){"the result of %.*s in ", " %.*s 的结果（"}),
                 STR_ARG(detail->by));
        buf_addf(out,
                 text_in(lang, is_here ? (Text){"the same line", "同一行）"}
                                       : (Text){"line %lld", "第 %lld 行）"}),
                 (long long)detail->line);
    } else {
        buf_addf(out, text_in(lang, (Text){"the tensor of line %lld", "第 %lld 行得到的张量"}),
                 (long long)detail->line);
    }
    if (detail->is_earlier && lang == LANG_EN) {
        buf_add(out, STR(" of the iteration before"));
    }
}

/* "0.5", "1/80", "sqrt(80)": a number that is not the reference's alone. */
static void add_scalar(Buf *out, const BlameDetail *detail)
{
    static const struct {
        const char *form, *text;
    } forms[] = {
        {"extent", "%lld"},
        {"one_over", "1/%lld"},
        {"root", "sqrt(%lld)"},
        {"one_over_root", "1/sqrt(%lld)"},
        {"one_over_less", "1/(%lld - 1)"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (str_is(detail->form, forms[i].form)) {
            buf_addf(out, forms[i].text, (long long)detail->extent);
            return;
        }
    }
    buf_addf(out, "%g", detail->value);
}

static const char *mode_of_cast(int64_t mode)
{
    static const char *const names[] = {"CAST_NONE",  "CAST_RINT", "CAST_ROUND",
                                        "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC"};
    return mode >= 0 && mode < (int64_t)(sizeof names / sizeof *names) ? names[mode] : NULL;
}

/* "[16, 64] FP32". */
static void add_shape(Buf *out, const BlameTensor *tensor)
{
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < tensor->rank; i++) {
        buf_addf(out, "%s%lld", i == 0 ? "" : ", ", (long long)tensor->shape[i]);
    }
    Str dtype = str_starts(tensor->dtype, STR("DT_"))
                    ? str_slice(tensor->dtype, 3, tensor->dtype.length)
                    : tensor->dtype;
    buf_addf(out, "] %.*s", STR_ARG(dtype));
}

static void add_inputs(Buf *out, const BlameDetail *detail, Lang lang)
{
    for (uint32_t i = 0; i < detail->input_count; i++) {
        buf_add(out, i == 0 ? STR("") : str_from(text_in(lang, (Text){", ", "、"})));
        add_shape(out, &detail->inputs[i]);
    }
}

static void add_number(Buf *out, int64_t number)
{
    buf_addf(out, "%lld", (long long)number);
}

static void add_place(Buf *out, const Blame *blame, char letter, Lang lang)
{
    const BlameDetail *detail = &blame->detail;
    switch (letter) {
    case 'o':
        buf_add(out, detail->other);
        break;
    case 's':
        add_step(out, detail->step, lang);
        break;
    case 'n':
        add_parameter(out, detail->name, lang);
        break;
    case 'm':
        add_tensor(out, detail, (int64_t)blame->place.line == detail->line, lang);
        break;
    case 'v':
        add_scalar(out, detail);
        break;
    case 'k':
        buf_add(out, str_from(mode_of_cast(detail->mode)));
        break;
    case 'f':
        buf_add(out, detail->formula);
        break;
    case 'g':
        buf_add(out, detail->instead_of);
        break;
    case 'i':
        add_inputs(out, detail, lang);
        break;
    case 'p':
        add_shape(out, &detail->made);
        break;
    default:
        add_number(out, letter == 'a'   ? detail->axis
                        : letter == 'w' ? detail->written
                        : letter == 'r' ? detail->remaining
                        : letter == 'b' ? detail->begins
                        : letter == 't' ? detail->right
                                        : detail->count);
    }
}

/* What a kind's row is called where more is known; empty where it has no such row. */
static const char *known_of(const Blame *blame, Str kind)
{
    const BlameDetail *detail = &blame->detail;
    if (str_is(kind, "order") && str_is(blame->operation, "matmul")) {
        return "matmul";
    }
    if (str_is(kind, "transposed") && (detail->transposes[0] || detail->transposes[1])) {
        return !detail->transposes[1] ? "first" : detail->transposes[0] ? "both" : "second";
    }
    bool has_count = str_is(kind, "count") && detail->count >= 0;
    bool has_mode = str_is(kind, "cast_mode") && mode_of_cast(detail->mode) != NULL;
    bool has_formula =
        detail->formula.length > 0 && detail->instead_of.length > 0 &&
        (str_is(kind, "grouping") || str_is(kind, "scalar") || str_is(kind, "edited"));
    if (has_count || has_mode || has_formula) {
        return "known";
    }
    if (str_is(kind, "offset") && detail->begins >= 0 && detail->right >= 0) {
        return "at";
    }
    return str_is(kind, "unmatched") && detail->input_count > 0 && detail->made.rank > 0 ? "shapes"
                                                                                         : "";
}

/* The row: some kinds have another one where more is known. */
static Str row_of(Arena *arena, const Blame *blame)
{
    static const char *const of_extents[] = {"extent", "one_over", "root", "one_over_root",
                                             "one_over_less"};
    const BlameDetail *detail = &blame->detail;
    Str known = str_from(known_of(blame, blame->kind));
    if (str_is(blame->kind, "number")) {
        known = STR_IS_ANY(detail->form, of_extents) ? STR("plain") : detail->form;
    } else if (str_is(blame->kind, "never_written")) {
        known = detail->how;
    }
    Str row = str_format(arena, "%.*s_%.*s", STR_ARG(blame->kind), STR_ARG(known));
    return known.length > 0 && blame_words(row) != NULL ? row : blame->kind;
}

void blame_add_words(Buf *out, const Blame *blame, Lang lang)
{
    Str kind = row_of(out->arena, blame);
    const char *sentence = text_in(lang, blame_words(kind)->text);
    for (const char *at = sentence; *at != '\0'; at++) {
        if (at[0] != '{' || at[1] == '\0' || at[2] != '}') {
            buf_add_char(out, *at);
            continue;
        }
        add_place(out, blame, at[1], lang);
        at += 2;
    }
}

bool blame_add_result(Buf *out, const Blame *blame, Lang lang)
{
    if (blame->status != BLAME_FOUND || blame->result == NULL) {
        return false;
    }
    leaf_places_add_where(out, blame->result, lang);
    if (blame->result->likeness != NULL) {
        buf_add(out, str_from(text_in(lang, (Text){"; ", "；"})));
        leaf_places_add_likeness(out, blame->result, STR(""), lang);
    }
    return true;
}
