/* Compares differences with the rounding of 16-bit types; see log_rounding.h. */
#include "diagnose/log_rounding.h"

#include "diagnose/log_number.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum {
    /* A type applies to differences up to so many lines after it (a report of pytest), or just
     * before it. */
    LINES_AFTER = 20,
    LINES_BEFORE = 5,
};

/* Finds a type in the line; the step is the rounding of a 16-bit type, 0 for any other. References
 * and accumulators in FP32 do not count: the result may still have 16 bits. */
static bool finds_step(Str line, double *step)
{
    static const char *const bf16[] = {"bfloat16", "bf16"};
    static const char *const fp16[] = {"float16", "fp16", "torch.half"};
    static const char *const fp32[] = {"float32", "fp32"};
    static const char *const beside[] = {"golden", "ref", "reference", "expected", "acc"};
    const double bf16_step = 0.0079, fp16_step = 0.00099; /* 2^-7 and 2^-10 */
    bool is_bf16 = HAS_WORD(bf16, line), is_fp16 = HAS_WORD(fp16, line);
    bool is_fp32 = HAS_WORD(fp32, line) && !text_contains_folded(line, STR("accum")) &&
                   !HAS_WORD(beside, line);
    /* Of two types, take the one that proves less. */
    *step = is_fp32 ? 0 : is_fp16 ? fp16_step : is_bf16 ? bf16_step : 0;
    return is_bf16 || is_fp16 || is_fp32;
}

/* The type is not 16-bit after all: forgets the difference and refutes proofs based on it. */
static void forget(LogRounding *rounding, uint64_t order)
{
    uint64_t result = rounding->difference_order;
    rounding->withdrawn = result > 0 && order - result <= LINES_BEFORE ? result : 0;
    rounding->difference_order = 0;
}

static void take_difference(LogRounding *rounding, double difference, uint64_t order)
{
    uint64_t known = rounding->difference_order;
    bool near = known > 0 && order - known <= LINES_AFTER;
    rounding->difference =
        near && rounding->difference > difference ? rounding->difference : difference;
    rounding->difference_order = order;
}

bool log_rounding_line(LogRounding *rounding, Str line, uint64_t order)
{
    static const char *const names[] = {"relative difference", "max_rel",    "max rel",
                                        "relative error",      "rel_err",    "rel err",
                                        "rel error",           "max_relerr", "rel_diff"};
    bool maybe = text_contains_folded(line, STR("rel")); /* part of every name */
    double difference = maybe ? log_number_after(line, names, COUNT(names)) : -1, step;
    bool names_type = finds_step(line, &step);
    if (names_type) {
        rounding->step = step;
        rounding->step_order = order;
        if (step == 0) {
            forget(rounding, order);
        }
    }
    if (difference > 0) {
        take_difference(rounding, difference, order);
    }
    uint64_t type = rounding->step_order, result = rounding->difference_order;
    bool near = type <= result ? result - type <= LINES_AFTER : type - result <= LINES_BEFORE;
    return (names_type || difference > 0) && rounding->step > 0 && result > 0 && near &&
           rounding->difference <= rounding->step;
}

bool log_rounding_is_wide(const LogRounding *rounding, uint64_t order)
{
    uint64_t type = rounding->step_order;
    return type > 0 && rounding->step == 0 && order - type <= LINES_AFTER;
}
