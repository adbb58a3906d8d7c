/* KS08: a vector tile that is missing, or does not fit.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_VECTOR_TILE);
}

const Rule ks08 = {
    .id = "KS08",
    .name = "vector-tile",
    .order = 70,
    .severity = S1,
    SEMANTICS_COMMON,
    .yields_to = "OL04* OL48",
    .hint =
        {"Call pypto.set_vec_tile_shapes with an entry for each axis, before the operation, and small enough for the unified buffer.",
         "在该操作之前调用 pypto.set_vec_tile_shapes，每个轴一个值，且不超过统一缓冲区容量。"},
    .check = check,
};
