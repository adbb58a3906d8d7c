/* Patterns over cases; see case_patterns.h. */
#include "harness/judge/case_patterns.h"

enum {
    LEAST_RIGHT = 2,
    LEAST_RIGHT_OF_TAIL = 3, /* two extents have a common divisor too easily */
    LEAST_DIVISOR = 3,       /* half of all extents are even: that says nothing about tiles */
};

/* --- finding */

typedef struct Cases {
    const PatternCase *items;
    size_t count;
    uint32_t wrong, right;
} Cases;

static const InputFact *fact_of(const PatternCase *one, Str name)
{
    for (uint32_t i = 0; i < one->inputs->count; i++) {
        if (str_equal(one->inputs->items[i].name, name)) {
            return &one->inputs->items[i];
        }
    }
    return NULL;
}

/* -1 where the case has no such axis. */
static int64_t extent_of(const PatternCase *one, Str name, uint32_t axis)
{
    const InputFact *fact = fact_of(one, name);
    return fact != NULL && axis < fact->shape.rank ? fact->shape.extents[axis] : -1;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Do the wrong elements of the case lie elsewhere than a tail of this extent would put them? Only
 * the last along another axis: its tail is to blame. */
static bool is_elsewhere(const PatternCase *one, int64_t extent)
{
    for (uint32_t i = 0; one->leaves != NULL && i < one->leaves->count; i++) {
        const LeafPlaces *places = one->leaves->items[i].places;
        bool is_last = places != NULL && strcmp(places->place->name, "last") == 0 &&
                       places->place_axis >= 0 && places->place_axis < (int32_t)places->rank;
        if (is_last && (int64_t)places->axes[places->place_axis].extent != extent) {
            return true;
        }
    }
    return false;
}

/* What divides the axis in all right cases and in no wrong one; 0 = nothing does, or all right
 * cases have one extent, which says little. */
static int64_t divisor_of(const Cases *cases, Str name, uint32_t axis)
{
    int64_t divisor = 0, first = -1;
    bool varies = false;
    for (size_t i = 0; i < cases->count; i++) {
        int64_t extent = extent_of(&cases->items[i], name, axis);
        if (extent <= 0) {
            return 0;
        }
        if (!cases->items[i].is_wrong) {
            varies = varies || (first >= 0 && extent != first);
            first = extent;
            divisor = common_divisor(divisor, extent);
        }
    }
    if (divisor == 0 || !varies) {
        return 0;
    }
    for (size_t i = 0; i < cases->count; i++) {
        const PatternCase *one = &cases->items[i];
        int64_t extent = extent_of(one, name, axis);
        if (one->is_wrong && (extent % divisor == 0 || is_elsewhere(one, extent))) {
            return 0;
        }
    }
    return divisor;
}

/* Has an axis that was found before these extents in all cases? Then it is the same one. */
static bool is_repeated(const Cases *cases, const CasePatterns *found, Str name, uint32_t axis)
{
    for (uint32_t k = 0; k < found->count; k++) {
        const CasePattern *other = &found->items[k];
        bool same = true;
        for (size_t i = 0; i < cases->count && same; i++) {
            same = extent_of(&cases->items[i], name, axis) ==
                   extent_of(&cases->items[i], other->input, other->axis);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static void push(Arena *arena, const Cases *cases, CasePatterns *found, CasePattern pattern)
{
    pattern.wrong = cases->wrong;
    pattern.right = cases->right;
    if (found->count < PATTERNS_MOST) {
        VEC_PUSH(arena, found, pattern);
    }
}

static void find_tails(Arena *arena, const Cases *cases, CasePatterns *found)
{
    const InputFacts *inputs = cases->items[0].inputs;
    for (uint32_t i = 0; i < inputs->count; i++) {
        for (uint32_t axis = 0; axis < inputs->items[i].shape.rank; axis++) {
            Str name = inputs->items[i].name;
            int64_t divisor = divisor_of(cases, name, axis);
            if (divisor >= LEAST_DIVISOR && !is_repeated(cases, found, name, axis)) {
                push(arena, cases, found,
                     (CasePattern){
                         .kind = PATTERN_TAIL, .input = name, .axis = axis, .divisor = divisor});
            }
        }
    }
}

static void find_zero_rows(Arena *arena, const Cases *cases, CasePatterns *found)
{
    const InputFacts *inputs = cases->items[0].inputs;
    for (uint32_t i = 0; i < inputs->count; i++) {
        Str name = inputs->items[i].name;
        bool fits = true;
        for (size_t k = 0; k < cases->count && fits; k++) {
            const InputFact *fact = fact_of(&cases->items[k], name);
            fits = fact != NULL && fact->zero_row == cases->items[k].is_wrong;
        }
        if (fits) {
            push(arena, cases, found, (CasePattern){.kind = PATTERN_ZERO_ROW, .input = name});
        }
    }
}

CasePatterns case_patterns_find(Arena *arena, const PatternCase *cases, size_t count)
{
    Cases all = {.items = cases, .count = count};
    CasePatterns found = {0};
    for (size_t i = 0; i < count; i++) {
        all.wrong += cases[i].is_wrong;
        all.right += !cases[i].is_wrong;
    }
    if (all.wrong > 0 && all.right >= LEAST_RIGHT) {
        find_zero_rows(arena, &all, &found);
    }
    if (all.wrong > 0 && all.right >= LEAST_RIGHT_OF_TAIL) {
        find_tails(arena, &all, &found);
    }
    return found;
}

/* --- words */

const char *case_pattern_name(PatternKind kind)
{
    return kind == PATTERN_TAIL ? "tail" : "zero_row";
}

void case_pattern_add(Buf *out, const CasePattern *pattern, Lang lang)
{
    if (pattern->kind == PATTERN_TAIL && lang == LANG_ZH) {
        buf_addf(
            out,
            "仅在有尾块时出错：数值正确的 %u 个用例中 %.*s 的轴 %u 均为 %lld 的倍数，数值错误的 "
            "%u 个用例中均不是：检查最后一块（块数向上取整、valid_shape 和偏移）",
            pattern->right, STR_ARG(pattern->input), pattern->axis, (long long)pattern->divisor,
            pattern->wrong);
    } else if (pattern->kind == PATTERN_TAIL) {
        buf_addf(out,
                 "only with a tail: axis %u of %.*s is a multiple of %lld in every case with right "
                 "values (%u) and in none with wrong ones (%u): look at the last block (number of "
                 "blocks rounded up, its valid_shape, its offset)",
                 pattern->axis, STR_ARG(pattern->input), (long long)pattern->divisor,
                 pattern->right, pattern->wrong);
    } else if (lang == LANG_ZH) {
        buf_addf(out,
                 "仅在有全零行时出错：数值错误的 %u 个用例中 %.*s 均有全零的行，数值正确的 %u "
                 "个用例中均没有：检查除以零、对 0 取 log 或 rsqrt，以及 epsilon",
                 pattern->wrong, STR_ARG(pattern->input), pattern->right);
    } else {
        buf_addf(out,
                 "only with a zero row: %.*s has a row of zeros in every case with wrong values "
                 "(%u) and in none with right ones (%u): look at divisions by 0, at log and rsqrt "
                 "of 0, and at epsilon",
                 STR_ARG(pattern->input), pattern->wrong, pattern->right);
    }
}
