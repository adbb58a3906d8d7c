/* What is wrong with a blamed line, in words; see blame.h. They say what to change and reveal
 * nothing about the reference's values. */
#include "harness/blame/blame.h"

/* clang-format off */
static const BlameWords table[] = {
    {"operation", {"the outputs are right with {o} instead", "改为 {o} 后输出正确"}},
    {"axis", {"the outputs are right when it computes along axis {a}", "改为沿轴 {a} 计算后输出正确"}},
    {"number", {"the outputs are right with another number here: look at the scalar operand",
                    "换一个数后输出正确：检查此处的标量操作数"}},
    {"order", {"the outputs are right with its operands the other way round", "两个操作数对调后输出正确"}},
    {"matmul_order", {"the outputs are right with its operands the other way round: compare their order with the "
                          "reference, and look at a_trans and b_trans",
                      "两个操作数对调后输出正确：对照参考实现检查操作数的次序以及 a_trans、b_trans"}},
    {"transposed", {"the outputs are right with a transposed operand: look at a_trans, b_trans and transpose",
                        "转置操作数后输出正确：检查 a_trans、b_trans 与 transpose"}},
    {"offset", {"the outputs are right when its window begins elsewhere along axis {a}",
                     "窗口沿轴 {a} 的起点改变后输出正确"}},
    {"offset_at", {"the outputs are right when its window begins at {t} along axis {a}, not at {b}",
                   "窗口沿轴 {a} 从 {t} 而不是 {b} 开始时输出正确"}},
    {"rounding", {"the outputs are right when its result stays in FP32: 16 bits are too few here",
                      "结果保持 FP32 后输出正确：此处 16 位精度不够"}},
    {"diagonal", {"the outputs are right with diagonal {s}", "参数 diagonal {s}后输出正确"}},
    {"cast_mode", {"the outputs are right with another rounding mode of the cast", "换用另一种 cast 舍入模式后输出正确"}},
    {"count", {"the outputs are right when it keeps another number of elements", "保留另一个数目的元素后输出正确"}},
    {"grouping", {"the outputs are right with the operands of this line in another order or with other "
                      "parentheses", "调整此行操作数的次序或括号后输出正确"}},
    {"carried", {"the outputs are right when the old value is added: a loop-carried tensor is overwritten",
                     "加上原有的值后输出正确：循环携带的张量被覆盖"}},
    {"idle", {"this statement gives a tensor its own value: it does nothing", "该语句把张量赋给自身，没有任何作用"}},
    {"operand", {"the outputs are right with the tensor that line {l} makes as its operand",
                      "以第 {l} 行得到的张量为操作数后输出正确"}},
    {"operand_earlier", {"the outputs are right with the tensor that line {l} made in the iteration before as its operand",
                         "以第 {l} 行在上一次迭代得到的张量为操作数后输出正确"}},
    {"source", {"the outputs are right when it takes its window from {n}", "改从{n}取窗口后输出正确"}},
    {"exchanged", {"the outputs are right with two tensors in each other's place: compare the order of "
                       "arguments and parameters", "两个张量对调后输出正确：对照实参与形参的顺序"}},
    {"superfluous", {"the outputs are right without this operation", "去掉该操作后输出正确"}},
    {"missing", {"a step is missing near it: {o}", "附近缺少一步：{o}"}},
    {"missing_tensor", {"a step is missing near it: {o} with the tensor that line {l} makes",
                              "附近缺少一步：与第 {l} 行得到的张量做 {o}"}},
    {"misplaced", {"it writes right values to the wrong place: compare its offsets with the loop",
                       "写出的值正确而位置有误：对照循环检查偏移"}},
    {"never_written", {"no write covers the wrong elements: look how often the loop runs, and at offsets and "
                           "valid shapes", "没有任何写入覆盖出错的元素：检查循环次数、偏移和有效形状"}},
    {"cut_short", {"no write covers the wrong elements: along axis {a} its last window has {w} of the {r} elements "
                       "that remain there: look at its valid shape",
                   "没有任何写入覆盖出错的元素：沿轴 {a}，最后一个窗口只有剩余 {r} 个元素中的 {w} 个：检查其 valid_shape"}},
    {"unmatched", {"its inputs are right, its result is wrong: the reference has no such tensor",
                       "其输入正确而结果错误：参考实现中没有这样的张量"}},
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

static void add_place(Buf *out, const Blame *blame, char letter, Lang lang)
{
    switch (letter) {
    case 'o':
        buf_add(out, blame->other);
        break;
    case 's':
        add_step(out, blame->step, lang);
        break;
    case 'n':
        add_parameter(out, blame->parameter, lang);
        break;
    case 'a':
        buf_addf(out, "%lld", (long long)blame->axis);
        break;
    case 'w':
        buf_addf(out, "%lld", (long long)blame->written);
        break;
    case 'r':
        buf_addf(out, "%lld", (long long)blame->remaining);
        break;
    case 'b':
        buf_addf(out, "%lld", (long long)blame->begins);
        break;
    case 't':
        buf_addf(out, "%lld", (long long)blame->right);
        break;
    default:
        buf_addf(out, "%lld", (long long)blame->line);
    }
}

/* The row: some kinds have another one where more is known. */
static Str row_of(const Blame *blame)
{
    if (str_is(blame->kind, "order") && str_is(blame->operation, "matmul")) {
        return STR("matmul_order");
    }
    if (str_is(blame->kind, "offset") && blame->begins >= 0 && blame->right >= 0) {
        return STR("offset_at");
    }
    return str_is(blame->kind, "operand") && blame->is_earlier ? STR("operand_earlier")
                                                               : blame->kind;
}

void blame_add_words(Buf *out, const Blame *blame, Lang lang)
{
    Str kind = row_of(blame);
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
