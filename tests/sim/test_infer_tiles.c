/* What products and tiles are refused: shapes, cube and vector tiles, and what the memories of a
 * core take. */
#include "infer_kernel.h"

#include <stdio.h>

static void products(void **state)
{
    (void)state;
    GIVES("DT_FP32 [16, 16]", PTS_OP_MATMUL, (at.dtype = PTS_FP32, at.b_trans = true), slot(k.a),
          slot(k.b));
    GIVES("DT_FP32 [32, 32]", PTS_OP_MATMUL, (at.dtype = PTS_FP32, at.a_trans = true), slot(k.half),
          slot(k.half));
    GIVES("DT_INT32 [16, 16]", PTS_OP_MATMUL, (at.dtype = PTS_INT32, at.b_trans = true),
          slot(k.bytes), slot(k.bytes));
    /* 4 of 8 rows are valid */
    GIVES("DT_FP32 [8, 16] valid [4, 16]", PTS_OP_MATMUL, (at.dtype = PTS_FP32, at.b_trans = true),
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))), slot(k.b));
    FAILS(0xF0000B, PTS_OP_MATMUL, at.dtype = PTS_FP32, slot(k.a), slot(k.b));
    FAILS(0xF00003, PTS_OP_MATMUL, at.dtype = PTS_FP32, slot(k.a), slot(k.wide));
    FAILS(0xF00002, PTS_OP_MATMUL, at.dtype = PTS_FP32, slot(k.a), slot(k.half));
    /* one rounding at the end: not documented, but the product does not refuse it */
    GIVES("DT_BF16 [16, 16]", PTS_OP_MATMUL, (at.dtype = PTS_BF16, at.b_trans = true), slot(k.half),
          slot(k.half));
    GIVES("DT_BF16 [16, 16]", PTS_OP_MATMUL, (at.dtype = PTS_BF16, at.b_trans = true), slot(k.a),
          slot(k.b));
    FAILS(0xF00002, PTS_OP_MATMUL, (at.dtype = PTS_INT32, at.b_trans = true), slot(k.a), slot(k.b));
    FAILS(0xF00002, PTS_OP_MATMUL, (at.dtype = PTS_INT8, at.b_trans = true), slot(k.a), slot(k.b));
    FAILS(0xF00002, PTS_OP_MATMUL, (at.dtype = PTS_DOUBLE, at.b_trans = true), slot(k.a),
          slot(k.b));
    FAILS(0xF00002, PTS_OP_MATMUL, (at.dtype = PTS_FP32, at.c_matrix_nz = true, at.b_trans = true),
          slot(k.a), slot(k.b));
    FAILS(0xFC0001, PTS_OP_MATMUL, (at.dtype = PTS_INT32, at.b_trans = true), slot(k.ints),
          slot(k.ints));
    FAILS(0xF0000B, PTS_OP_MATMUL, (at.dtype = PTS_FP32, at.b_trans = true), slot(k.a), slot(k.b),
          slot(k.row)); /* a bias of 32 for 16 columns */
}

typedef struct CubeCase {
    int64_t m[2], k[3], n[2];
    uint32_t code;
} CubeCase;

static void cube_tiles_are_checked(void **state)
{
    (void)state;
    static const CubeCase cases[] = {
        {{16, 16}, {16, 16, 16}, {16, 16}, 0},
        {{0, 16}, {16, 16, 16}, {16, 16}, 0xF0000C},  /* not positive */
        {{16, 16}, {8, 16, 16}, {16, 16}, 0xF0000C},  /* kL0 no multiple of 16 */
        {{16, 16}, {16, 16, 16}, {24, 24}, 0xF0000C}, /* nL0 */
        {{16, 24}, {16, 16, 16}, {16, 16}, 0xF0000C}, /* mL1 no multiple of mL0 */
        {{16, 16}, {32, 16, 32}, {16, 16}, 0xF0000C}, /* kL0 above kL1a */
        {{256, 256}, {256, 256, 256}, {16, 16}, 0},   /* 256·256·4 bytes, but 16·32 are used */
        {{16, 16}, {16, 48, 32}, {16, 16}, 0},        /* kL1a reaches K */
        {{16, 16}, {16, 16, 16}, {2048, 2048}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Kernel k;
        opened(&k);
        PtsCubeTile tile = {.set = true};
        memcpy(tile.m, cases[i].m, sizeof tile.m);
        memcpy(tile.k, cases[i].k, sizeof tile.k);
        memcpy(tile.n, cases[i].n, sizeof tile.n);
        assert_true(pts_config_set_cube_tile(k.f.context, &tile, &k.f.error));
        PtsAttributes at = PTS_ATTRIBUTES;
        at.dtype = PTS_FP32;
        at.b_trans = true;
        uint32_t code = emit_error(&k.f, PTS_OP_MATMUL, &at, 2, slot(k.a), slot(k.b));
        if (code != cases[i].code) {
            fail_msg("case %zu: F%05X %s", i, code, code == 0 ? "" : k.f.error.message);
        }
        closed(&k);
    }
}

/* A product of m × k and k × n with tiles of its own; gives the code, or 0 and the findings. */
static uint32_t product(int m, int k, int n, CubeCase tile, size_t *findings)
{
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot a = parameter(&f, PTS_FP32, "a", m, k, -1);
    PtsSlot b = parameter(&f, PTS_FP32, "b", k, n, -1);
    assert_true(next_path(&f));
    PtsCubeTile cube = {.set = true};
    memcpy(cube.m, tile.m, sizeof cube.m);
    memcpy(cube.k, tile.k, sizeof cube.k);
    memcpy(cube.n, tile.n, sizeof cube.n);
    assert_true(pts_config_set_cube_tile(f.context, &cube, &f.error));
    PtsAttributes at = PTS_ATTRIBUTES;
    at.dtype = PTS_FP32;
    uint32_t code = emit_error(&f, PTS_OP_MATMUL, &at, 2, slot(a), slot(b));
    *findings = pts_diagnostic_count(f.program);
    fixture_close(&f);
    return code;
}

static void cube_capacity(void **state)
{
    (void)state;
    size_t findings;
    /* L0A holds 65536 bytes: 128 × 128 × 4 fits, 128 × 256 × 4 does not */
    CubeCase fits = {{128, 128}, {128, 128, 128}, {128, 128}, 0};
    assert_int_equal(product(512, 512, 512, fits, &findings), 0);
    assert_int_equal(findings, 0);
    CubeCase l0a = {{128, 128}, {256, 256, 256}, {64, 64}, 0};
    assert_int_equal(product(512, 512, 512, l0a, &findings), 0xF40005);
    /* in a small matrix the tile is clipped: only a warning by the formula */
    assert_int_equal(product(64, 128, 512, l0a, &findings), 0);
    assert_int_equal(findings, 1);
    /* L0C: 256 × 256 × 4 bytes are 262144 of 131072 */
    CubeCase l0c = {{256, 256}, {32, 32, 32}, {256, 256}, 0};
    assert_int_equal(product(512, 512, 512, l0c, &findings), 0xF40005);
    /* L1 512 KiB: mL0·kL1a + kL1b·nL0 = 128·512·4·2 = 512 KiB fits; with kL1 = 1024 not */
    CubeCase l1 = {{128, 128}, {64, 512, 512}, {128, 128}, 0};
    assert_int_equal(product(512, 2048, 512, l1, &findings), 0);
    CubeCase l1_full = {{128, 128}, {64, 1024, 1024}, {128, 128}, 0};
    assert_int_equal(product(512, 2048, 512, l1_full, &findings), 0xF40005);
    /* the documented formula counts mL1 and nL1: 256·512·4·2 = 1 MiB */
    CubeCase l1_asked = {{128, 256}, {64, 512, 512}, {128, 256}, 0};
    assert_int_equal(product(512, 2048, 512, l1_asked, &findings), 0);
    assert_int_equal(findings, 1);
}

/* ---- tiles ---- */

static uint32_t with_tile(PtsOp op, int count, const int64_t *tile, int rows, int columns,
                          const char **finding)
{
    static char id[40];
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot a = parameter(&f, PTS_FP32, "a", rows, columns, -1);
    PtsSlot b = parameter(&f, PTS_FP32, "b", rows, columns, -1);
    assert_true(next_path(&f));
    assert_true(pts_config_set_vector_tile(f.context, count, tile, &f.error));
    uint32_t code = op == PTS_OP_ADD ? emit_error(&f, op, NULL, 2, slot(a), slot(b))
                                     : emit_error(&f, op, NULL, 1, slot(a));
    id[0] = '\0';
    if (pts_diagnostic_count(f.program) > 0) {
        snprintf(id, sizeof id, "%s", pts_diagnostic(f.program, 0)->id);
    }
    *finding = id;
    fixture_close(&f);
    return code;
}

static void vector_tiles_are_checked(void **state)
{
    (void)state;
    const char *finding;
    /* three buffers of 128 × 128 × 4 = 64 KiB are all of the 192 KiB */
    assert_int_equal(with_tile(PTS_OP_ADD, 2, (int64_t[]){128, 128}, 512, 512, &finding), 0);
    assert_int_equal(with_tile(PTS_OP_ADD, 2, (int64_t[]){128, 136}, 512, 512, &finding), 0xF40005);
    assert_int_equal(with_tile(PTS_OP_EXP, 2, (int64_t[]){128, 136}, 512, 512, &finding), 0);
    /* clipped to the tensor */
    assert_int_equal(with_tile(PTS_OP_ADD, 2, (int64_t[]){4096, 4096}, 64, 64, &finding), 0);
    /* a tile of one entry for two axes; more entries than axes are fine */
    assert_int_equal(with_tile(PTS_OP_EXP, 1, (int64_t[]){128}, 64, 64, &finding), 0xF42003);
    assert_int_equal(with_tile(PTS_OP_EXP, 3, (int64_t[]){8, 8, 8}, 64, 64, &finding), 0);
    assert_string_equal(finding, "");
    assert_int_equal(with_tile(PTS_OP_EXP, 2, (int64_t[]){8, 4}, 64, 64, &finding), 0);
    assert_string_equal(finding, "alignment");
    assert_int_equal(with_tile(PTS_OP_EXP, 2, (int64_t[]){1, 8}, 1024, 1024, &finding), 0);
    assert_string_equal(finding, "many-tiles");
    /* the documentation wants at most 64 KiB; kernels that run on the device take 80 */
    assert_int_equal(with_tile(PTS_OP_SUM, 2, (int64_t[]){128, 128}, 512, 512, &finding), 0);
    assert_string_equal(finding, "");
    assert_int_equal(with_tile(PTS_OP_SUM, 2, (int64_t[]){32, 640}, 512, 1024, &finding), 0);
    assert_string_equal(finding, "reduction-tile");
    /* along axis 0: 128 × 128 × 4 and half of it as scratch fit; 256 × 128 × 4 and more do not */
    assert_int_equal(with_tile(PTS_OP_SUM, 2, (int64_t[]){256, 128}, 512, 512, &finding), 0xF40005);
}

static void tiles_must_be_set(void **state)
{
    (void)state;
    PtsSoc soc = {.name = "bare", .arch = 2201, .ub = 196608};
    PtsContext *context = pts_context_new(&soc, NULL);
    PtsError error;
    for (int kind = 0; kind < 3; kind++) {
        PtsProgram *program = pts_program_begin(context, "kernel", here(1), &error);
        PtsSym shape[2] = {pts_sym_constant(context, 16, &error),
                           pts_sym_constant(context, 16, &error)};
        PtsSlot a = pts_parameter(program, PTS_FP32, 2, shape, PTS_ND, "a", here(2), &error);
        assert_true(pts_program_next_path(program));
        PtsOperand operands[2] = {slot(a), kind == 1 ? real(1) : slot(a)};
        PtsAttributes at = PTS_ATTRIBUTES;
        at.dtype = PTS_FP32;
        PtsSlot results[PTS_MAX_RESULTS];
        int count;
        static const char *const messages[] = {"op [ADD]tile shape not set",
                                               "op [ADDS]tile shape not set",
                                               "op [A_MUL_B]tile shape not set"};
        assert_false(pts_emit(program, kind == 2 ? PTS_OP_MATMUL : PTS_OP_ADD, 2, operands, &at,
                              here(5), results, &count, &error));
        assert_int_equal(error.code, 0xF21003);
        assert_string_equal(error.message, messages[kind]);
        assert_int_equal(error.site.line, 5);
        pts_program_free(program);
    }
    pts_context_free(context);
}

static void dynamic_tensors_are_only_viewed(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSym shape[2] = {pts_parameter_dim(f.program, 0, 0, NULL, &f.error), number(&f, 16)};
    PtsSlot a = pts_parameter(f.program, PTS_FP32, 2, shape, PTS_ND, "a", here(2), &f.error);
    assert_true(next_path(&f));
    view(&f, a, 16, 16, number(&f, 0), number(&f, 0));
    PtsAttributes at = PTS_ATTRIBUTES;
    at.inplace = true;
    at.shape_rank = 1;
    at.shape[0] = times(&f, shape[0], 16);
    PtsSlot flat = emit(&f, PTS_OP_RESHAPE, &at, 1, slot(a));
    assert_string_equal(describe(&f, flat), "DT_FP32 [16*dim_0_0]");
    assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(a)), 0xF0000A);
    fixture_close(&f);
}

static void ranks_and_sizes(void **state)
{
    (void)state;
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot five = parameter(&f, PTS_FP32, "five", 2, 2, 2, 2, 2, -1);
    assert_true(next_path(&f));
    assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(five)), 0xFC0002);
    again(&f);
    PtsSlot huge = parameter(&f, PTS_FP32, "huge", 65536, 32768, -1);
    assert_true(next_path(&f));
    assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(huge)), 0xFC0000);
    again(&f);
    PtsSym shape[2] = {number(&f, 16), number(&f, 16)};
    PtsSlot nz = pts_parameter(f.program, PTS_FP16, 2, shape, PTS_NZ, "nz", here(2), &f.error);
    assert_true(next_path(&f));
    assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(nz)), 0xFC0000);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),          cmocka_unit_test(cube_tiles_are_checked),
        cmocka_unit_test(cube_capacity),     cmocka_unit_test(vector_tiles_are_checked),
        cmocka_unit_test(tiles_must_be_set), cmocka_unit_test(dynamic_tensors_are_only_viewed),
        cmocka_unit_test(ranks_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
