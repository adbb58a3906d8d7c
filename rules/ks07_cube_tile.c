/* KS07: a cube tile that is missing, or does not fit the hardware.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_CUBE_TILE);
}

const Rule ks07 = {
    .id = "KS07",
    .name = "cube-tile",
    .order = 69,
    .severity = S1,
    SEMANTICS_COMMON,
    .yields_to = "OL48",
    .hint =
        {"Call pypto.set_cube_tile_shapes before the product: [L0, L1] for m and n, [L0, L1a, L1b] for k, each a multiple of 16.",
         "在矩阵乘之前调用 pypto.set_cube_tile_shapes：m、n 为 [L0, L1]，k 为 [L0, L1a, L1b]，均为 16 的倍数。"},
    .check = check,
};
