/* Beyond; see beyond.h. */
#include "lint/beyond.h"

#include <stdlib.h>

/* --- rules of later stages */

/* The number of "OL48". */
static int number_of(Str id)
{
    return (id.at[2] - '0') * 10 + (id.at[3] - '0');
}

static bool follows(Str id, Str before)
{
    return str_equal(str_slice(id, 0, 2), str_slice(before, 0, 2)) &&
           number_of(id) == number_of(before) + 1;
}

/* "OL01–OL08, OL23": ids in ascending order. */
static void add_ranges(Buf *out, const Strs *ids)
{
    for (uint32_t first = 0; first < ids->count;) {
        uint32_t last = first;
        while (last + 1 < ids->count && follows(ids->items[last + 1], ids->items[last])) {
            last++;
        }
        buf_addf(out, "%s%.*s", first == 0 ? "" : ", ", STR_ARG(ids->items[first]));
        if (last > first) {
            buf_addf(out, "%s%.*s", last > first + 1 ? "–" : ", ", STR_ARG(ids->items[last]));
        }
        first = last + 1;
    }
}

/* Rules that were not asked in some operator; `stage`: the lowest stage of these operators. */
static Strs later_rules(const RunResult *result, Arena *arena, int *stage, uint32_t *operators)
{
    Strs ids = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        bool any = false;
        for (uint32_t k = 0; k < op->rules.count; k++) {
            if (op->rules.items[k].later) {
                VEC_PUSH(arena, &ids, str_from(op->rules.items[k].rule->id));
                any = true;
            }
        }
        *stage = any && (*operators == 0 || op->stage < *stage) ? op->stage : *stage;
        *operators += any;
    }
    strs_sort_unique(&ids);
    return ids;
}

static void add_later(Buf *out, const RunResult *result)
{
    int stage = 0;
    uint32_t operators = 0;
    Strs ids = later_rules(result, out->arena, &stage, &operators);
    Text one = {"not checked at stage %d: %u rules of later stages (--stage N checks them): ",
                "阶段 %d 未检查后续阶段的 %u 条规则（--stage N 可检查）："};
    Text several = {
        "not checked in %u operators at their stages: %u rules of later stages (--stage N "
        "checks them): ",
        "%u 个算子在各自阶段未检查后续阶段的 %u 条规则（--stage N 可检查）："};
    if (ids.count == 0) {
        return;
    }
    if (operators == 1) {
        buf_addf(out, text_in(result->lang, one), stage, ids.count);
    } else {
        buf_addf(out, text_in(result->lang, several), operators, ids.count);
    }
    add_ranges(out, &ids);
    buf_add_char(out, '\n');
}

/* --- kernels about which little is known */

static unsigned percent(uint32_t part, uint32_t whole)
{
    return whole == 0 ? 100 : (unsigned)((uint64_t)part * 100 / whole);
}

/* Some unknown sizes are the rule: an axis may be dynamic. Few known dtypes are not; they come from
 * parameters that no call in these files gives, like those of a function that makes kernels. */
static void add_kernels(Buf *out, const RunResult *result)
{
    enum { MOST_ARE_KNOWN = 50 }; /* percent */
    const KernelCounts sum = result_kernel_counts(result);
    bool zh = result->lang == LANG_ZH;
    Buf said = {.arena = out->arena};
    unsigned dtypes = percent(sum.dtype_known, sum.operations);
    if (dtypes < MOST_ARE_KNOWN) {
        buf_addf(
            &said,
            zh ? "kernel 中的操作：dtype 已知 %u %%，形状已知 %u %%；"
               : "of the operations in kernels, the dtypes of %u %% and the shapes of %u %% are "
                 "known; ",
            dtypes, percent(sum.shape_known, sum.operations));
    }
    if (sum.unfinished > 0) {
        buf_addf(&said,
                 zh                    ? "%u 个 kernel 未能求值到底；"
                 : sum.unfinished == 1 ? "%u kernel could not be followed to its end; "
                                       : "%u kernels could not be followed to their ends; ",
                 sum.unfinished);
    }
    if (said.length > 0) {
        buf_addf(
            out, "%.*s%s\n", STR_ARG(buf_str(&said)),
            zh ? "其余部分的错误可能未被发现（--statistics 和 --show-types 给出详情）"
               : "mistakes in the rest may go unseen (--statistics and --show-types say more)");
    }
}

void beyond_note(RunResult *result, Arena *arena, const Request *request)
{
    const Question *what = &request->what;
    bool person = request->who.hook == HOOK_NONE && !request->who.upstream;
    Buf out = {.arena = arena};
    result->beyond = STR("");
    if (!person || what->gate || what->rules.count > 0 || result->exit_status != 0) {
        return;
    }
    add_later(&out, result);
    add_kernels(&out, result);
    result->beyond = buf_str(&out);
}
