/* What operations give and what they refuse: shapes, valid extents, dtypes, codes. */
#include "infer_kernel.h"

static void views(void **state)
{
    (void)state;
    GIVES("DT_FP32 [8, 16]", PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(0, 16)), slot(k.a));
    /* reaches over the edge: 16 rows, offset 12, so 4 are valid */
    GIVES("DT_FP32 [8, 16] valid [4, 16]", PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(12, 16)), slot(k.a));
    GIVES("DT_FP32 [8, 16] valid [0, 16]", PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(20, 0)), slot(k.a));
    GIVES("DT_FP32 [8, 16] valid [2, 3]", PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(0, 0), VALID(2, 3)),
          slot(k.a));
    FAILS(0xF21003, PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(0, 0), at.offset_rank = 1), slot(k.a));
    /* extents beyond the window are clipped to it */
    GIVES("DT_FP32 [8, 16] valid [8, 3]", PTS_OP_VIEW, (SHAPE(8, 16), OFFSETS(0, 0), VALID(17, 3)),
          slot(k.a));
    FAILS(0xF00001, PTS_OP_VIEW,
          (SHAPE(8, 16), OFFSETS(0, 0), at.shape[0] = pts_sym_symbol(f->context, "n", &f->error)),
          slot(k.a));
    GIVES("DT_FP16 [16, 64]", PTS_OP_VIEW_TYPE, at.dtype = PTS_FP16, slot(k.a));
    GIVES("DT_FP32 [16, 16]", PTS_OP_VIEW_TYPE, at.dtype = PTS_FP32, slot(k.half));
}

static void writes(void **state)
{
    (void)state;
    FAILS(0xF00001, PTS_OP_ASSEMBLE, OFFSETS(0, 0), integer(3), slot(k.out));
    FAILS(0xF00001, PTS_OP_ASSEMBLE, OFFSETS(0, 0), slot(k.a), integer(3));
    FAILS(0xF0FFFF, PTS_OP_ASSEMBLE, OFFSETS(0, 0), slot(k.half), slot(k.out));
    FAILS(0xF0FFFF, PTS_OP_ASSEMBLE, OFFSETS(0, 0), slot(k.wide), slot(k.out));
    FAILS(0xF0FFFF, PTS_OP_ASSEMBLE, at.offset_rank = 1, slot(k.a), slot(k.out));
    FAILS(0xF74006, PTS_OP_ASSEMBLE, OFFSETS(1, 0), slot(k.a), slot(k.out));
    FAILS(0xF00001, PTS_OP_ELEMENT_WRITE, OFFSETS(1, 0), integer(3), slot(k.out));
    FAILS(0xF00001, PTS_OP_ELEMENT_WRITE, OFFSETS(1, 0), real(3), slot(k.ints));
    FAILS(0xF00002, PTS_OP_ELEMENT_WRITE, at.offset_rank = 1, integer(3), slot(k.ints));
}

static void reshapes(void **state)
{
    (void)state;
    GIVES("DT_FP32 [8, 64]", PTS_OP_RESHAPE, SHAPE(8, 64), slot(k.a));
    GIVES("DT_FP32 [4, 128]", PTS_OP_RESHAPE, SHAPE(4, -1), slot(k.a));
    GIVES("DT_FP32 [8, 64] valid [2, 64]", PTS_OP_RESHAPE, (SHAPE(8, 64), VALID(2, 64)), slot(k.a));
    FAILS(0xF21003, PTS_OP_RESHAPE, SHAPE(8, 65), slot(k.a));
    FAILS(0xF00002, PTS_OP_RESHAPE, SHAPE(-1, -1), slot(k.a));
    FAILS(0xF00002, PTS_OP_RESHAPE, SHAPE(7, -1), slot(k.a));
    FAILS(0xF00002, PTS_OP_RESHAPE, (SHAPE(8, -1), VALID(2, 64)), slot(k.a));
    FAILS(0xF21001, PTS_OP_RESHAPE, (SHAPE(8, 16), at.inplace = true),
          slot(view(f, k.a, 16, 8, number(f, 0), number(f, 0))));
    GIVES("DT_FP32 [16, 1, 32]", PTS_OP_UNSQUEEZE, at.dim = 1, slot(k.a));
    GIVES("DT_FP32 [16, 32, 1]", PTS_OP_UNSQUEEZE, at.dim = -1, slot(k.a));
    FAILS(0xF00002, PTS_OP_UNSQUEEZE, at.dim = 3, slot(k.a));
}

static void tile_of_two(Fixture *f)
{
    assert_true(pts_config_set_vector_tile(f->context, 2, (int64_t[]){16, 32}, &f->error));
}

static void moves_of_axes(void **state)
{
    (void)state;
    GIVES("DT_FP32 [32, 16]", PTS_OP_TRANSPOSE, (tile_of_two(f), at.dim1 = 1), slot(k.a));
    GIVES("DT_FP32 [32, 16]", PTS_OP_TRANSPOSE, (tile_of_two(f), at.dim = -1, at.dim1 = 0),
          slot(k.a));
    FAILS(0xFC0000, PTS_OP_TRANSPOSE, at.dim1 = 1, slot(k.a)); /* a tile of four entries */
    GIVES("DT_FP32 [4, 3, 2, 5]", PTS_OP_TRANSPOSE, at.dim1 = 2, slot(k.wide));
    FAILS(0xFC0000, PTS_OP_TRANSPOSE, at.dim1 = 1, slot(k.wide)); /* (0, 1) of four axes */
    FAILS(0xFC0000, PTS_OP_TRANSPOSE, at.dim1 = 3, slot(k.wide));
    FAILS(0xF00002, PTS_OP_TRANSPOSE, at.dim1 = 4, slot(k.wide));
    GIVES("DT_FP32 [32, 16]", PTS_OP_PERMUTE, SHAPE(1, 0), slot(k.a));
    FAILS(0xF00002, PTS_OP_PERMUTE, SHAPE(1, 1), slot(k.a));
    FAILS(0xF00002, PTS_OP_PERMUTE, SHAPE(1, 2), slot(k.a));
    GIVES("DT_FP32 [16, 32]", PTS_OP_EXPAND_CLONE, SHAPE(16, 32), slot(k.row));
    GIVES("DT_FP32 [16, 32] valid [9, 32]", PTS_OP_EXPAND_CLONE, (SHAPE(16, 32), VALID(9, 32)),
          slot(k.row));
    FAILS(0xFC0000, PTS_OP_EXPAND_CLONE, SHAPE(16, 64), slot(k.row));
    FAILS(0xFC0002, PTS_OP_EXPAND_CLONE, at.shape_rank = 1, slot(k.row));
}

static void joins_and_pads(void **state)
{
    (void)state;
    GIVES("DT_FP32 [17, 32]", PTS_OP_CONCAT, at.dim = 0, slot(k.a), slot(k.row));
    GIVES("DT_FP32 [16, 65]", PTS_OP_CONCAT, at.dim = -1, slot(k.a), slot(k.column), slot(k.b));
    FAILS(0xFC0003, PTS_OP_CONCAT, at.dim = 0, slot(k.a));
    FAILS(0xFC0001, PTS_OP_CONCAT, at.dim = 0, slot(k.a), slot(k.half));
    FAILS(0xFC0000, PTS_OP_CONCAT, at.dim = 1, slot(k.a), slot(k.row));
    FAILS(0xFC0002, PTS_OP_CONCAT, at.dim = 1, slot(k.a), slot(k.wide));
    FAILS(0xFC0000, PTS_OP_CONCAT, at.dim = 0, /* valid rows 4 of 8 */
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))), slot(k.row));
    GIVES("DT_FP32 [16, 35]", PTS_OP_PAD, SHAPE(0, 3), slot(k.a), real(0));
    FAILS(0xF00002, PTS_OP_PAD, SHAPE(1, 3), slot(k.a), real(0));
    FAILS(0xF00002, PTS_OP_PAD, SHAPE(0, 3), slot(k.ints), real(0.5));
    GIVES("DT_FP32 [8, 32]", PTS_OP_FILLPAD, NOTHING,
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))), real(0));
}

static void constants(void **state)
{
    (void)state;
    GIVES("DT_BF16 [3, 4]", PTS_OP_FULL, (SHAPE(3, 4), at.dtype = PTS_BF16), integer(1));
    GIVES("DT_FP32 [3, 4] valid [2, 4]", PTS_OP_FULL,
          (SHAPE(3, 4), VALID(2, 4), at.dtype = PTS_FP32), integer(1));
    FAILS(0xFC0001, PTS_OP_FULL, (SHAPE(3, 4), at.dtype = PTS_INT64), integer(1));
    FAILS(0xFC0002, PTS_OP_FULL, (at.dtype = PTS_FP32), integer(1));
    FAILS(0xF00001, PTS_OP_FULL, (SHAPE(3, 4), at.dtype = PTS_FP32), slot(k.a));
    GIVES("DT_INT32 [4]", PTS_OP_ARANGE, NOTHING, integer(1), integer(8), integer(2));
    GIVES("DT_FP32 [4]", PTS_OP_ARANGE, NOTHING, integer(0), real(2), real(0.5));
    FAILS(0xF00002, PTS_OP_ARANGE, NOTHING, integer(0), integer(8), integer(0));
    FAILS(0xF00002, PTS_OP_ARANGE, NOTHING, integer(0), integer(8), integer(-1));
}

static void element_wise(void **state)
{
    (void)state;
    GIVES("DT_FP32 [16, 32]", PTS_OP_ADD, NOTHING, slot(k.a), slot(k.row));
    GIVES("DT_FP32 [16, 32]", PTS_OP_MUL, NOTHING, slot(k.column), slot(k.row));
    GIVES("DT_FP32 [2, 3, 4, 5]", PTS_OP_ADD, NOTHING, slot(k.wide), real(1));
    GIVES("DT_FP32 [16, 32]", PTS_OP_DIV, NOTHING, slot(k.ints), integer(2));
    GIVES("DT_FP32 [8, 32] valid [4, 32]", PTS_OP_ADD, NOTHING,
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))), slot(k.row));
    /* operand 0 is broadcast there, so operand 1's valid rows hold */
    GIVES("DT_FP32 [8, 32] valid [4, 32]", PTS_OP_ADD, NOTHING, slot(k.row),
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))));
    /* two full operands: the first one's for add, the smaller for maximum */
    GIVES("DT_FP32 [8, 32]", PTS_OP_ADD, NOTHING,
          slot(view(f, k.b, 8, 32, number(f, 0), number(f, 0))),
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))));
    GIVES("DT_FP32 [8, 32] valid [4, 32]", PTS_OP_MAXIMUM, NOTHING,
          slot(view(f, k.b, 8, 32, number(f, 0), number(f, 0))),
          slot(view(f, k.a, 8, 32, number(f, 12), number(f, 0))));
    FAILS(0xFC0001, PTS_OP_ADD, NOTHING, slot(k.a), slot(k.half));
    FAILS(0xFC0001, PTS_OP_ADD, NOTHING, slot(k.bytes), integer(1));
    FAILS(0xFC0000, PTS_OP_ADD, NOTHING, slot(k.a),
          slot(view(f, k.b, 8, 32, number(f, 0), number(f, 0))));
    FAILS(0xF00001, PTS_OP_ADD, NOTHING, slot(k.ints), real(1.5));
    FAILS(0xF00001, PTS_OP_ADD, NOTHING, integer(1), integer(1));
    FAILS(0xFC0001, PTS_OP_EXP, NOTHING, slot(k.ints));
    FAILS(0xFC0001, PTS_OP_ABS, NOTHING, slot(k.ints));
    GIVES("DT_FP32 [16, 32]", PTS_OP_EXP2, NOTHING, slot(k.ints));
    FAILS(0xF00002, PTS_OP_LRELU, at.real = -1, slot(k.a));
    GIVES("DT_BOOL [16, 32]", PTS_OP_GT, NOTHING, slot(k.a), real(1));
    FAILS(0xF00001, PTS_OP_GT, NOTHING, slot(k.a), integer(1));
    FAILS(0xFC0001, PTS_OP_GT, NOTHING, slot(k.bf), real(1));
    GIVES("DT_BOOL [16, 32]", PTS_OP_LOGICAL_AND, NOTHING, slot(k.a), slot(k.bools));
    FAILS(0xF00001, PTS_OP_INTERLEAVE, NOTHING, slot(k.a), real(1));
    FAILS(0xF00001, PTS_OP_DEINTERLEAVE, NOTHING, slot(k.a), real(1));
    GIVES("DT_FP32 [16, 16]", PTS_OP_DEINTERLEAVE, NOTHING, slot(k.a));
    FAILS(0xF00001, PTS_OP_NOP, NOTHING, slot(k.a), real(1));
    FAILS(0xF00005, PTS_OP_VERIFY, NOTHING, slot(k.a));
}

static void selections(void **state)
{
    (void)state;
    GIVES("DT_FP32 [16, 32]", PTS_OP_WHERE, NOTHING, slot(k.bools), slot(k.a), real(0));
    GIVES("DT_FP32 [16, 32]", PTS_OP_WHERE, NOTHING, slot(k.bools), real(1), real(0));
    GIVES("DT_FP16 [16, 32]", PTS_OP_WHERE, NOTHING, slot(k.bools), element(PTS_FP16, 1),
          slot(k.half));
    FAILS(0xF00002, PTS_OP_WHERE, NOTHING, slot(k.bools), slot(k.half), real(0));
    FAILS(0xFC0001, PTS_OP_WHERE, NOTHING, slot(k.a), slot(k.a), real(0));
    FAILS(0xFC0001, PTS_OP_WHERE, NOTHING, slot(k.bools), slot(k.a), slot(k.half));
    FAILS(0xFC0002, PTS_OP_WHERE, NOTHING, slot(k.bools), slot(k.wide), real(0));
    GIVES("DT_FP32 [16, 32]", PTS_OP_CLIP, NOTHING, slot(k.a), real(0), real(1));
    GIVES("DT_FP32 [16, 32]", PTS_OP_CLIP, NOTHING, slot(k.a), slot(k.row), slot(k.b));
    FAILS(0xFC0000, PTS_OP_CLIP, NOTHING, slot(k.a), slot(k.row), real(1));
    GIVES("DT_FP16 [16, 32]", PTS_OP_CLIP, NOTHING, slot(k.half), real(0), real(1));
    FAILS(0xF00001, PTS_OP_CLIP, NOTHING, slot(k.ints), real(0), real(1));
    FAILS(0xFC0000, PTS_OP_CLIP, NOTHING, slot(k.row), slot(k.a), slot(k.b));
}

static void casts(void **state)
{
    (void)state;
    GIVES("DT_FP16 [16, 32]", PTS_OP_CAST, at.dtype = PTS_FP16, slot(k.a));
    GIVES("DT_FP32 [16, 32]", PTS_OP_CAST, at.dtype = PTS_FP32, slot(k.a)); /* the input itself */
    FAILS(0xFC0001, PTS_OP_CAST, at.dtype = PTS_INT8, slot(k.a));
    FAILS(0xFC0001, PTS_OP_CAST, (at.dtype = PTS_FP32, at.mode = 5), slot(k.a));
    FAILS(0xFC0001, PTS_OP_CAST, at.dtype = PTS_FP16, slot(k.bf));
    FAILS_ON("950PR", 0xFC0001, PTS_OP_CAST, at.dtype = PTS_BF16, slot(k.half));
    FAILS(0xF00002, PTS_OP_CAST, at.mode = 9, slot(k.a));
    Kernel k;
    opened(&k);
    PtsAttributes to_bool = PTS_ATTRIBUTES;
    to_bool.dtype = PTS_BOOL;
    assert_int_equal(emit_error(&k.f, PTS_OP_CAST, &to_bool, 1, slot(k.half)), 0xFC0001);
    assert_string_equal(k.f.error.message,
                        "A2A3 architecture does not support cast from DT_FP16 to DT_BOOL in CAST");
    char text[300];
    pts_error_text(&k.f.error, text, sizeof text);
    assert_string_equal(text,
                        "CHECK FAILED: ErrCode: FC0001! Enum: PARAM_DTYPE_UNSUPPORTED\n"
                        "A2A3 architecture does not support cast from DT_FP16 to DT_BOOL in CAST");
    closed(&k);
}

static void powers(void **state)
{
    (void)state;
    GIVES("DT_INT32 [16, 32]", PTS_OP_POW, NOTHING, slot(k.ints), integer(2));
    GIVES("DT_FP32 [16, 32]", PTS_OP_POW, NOTHING, slot(k.ints), real(2.5));
    GIVES("DT_FP32 [16, 32]", PTS_OP_POW, NOTHING, slot(k.half), slot(k.bf));
    GIVES("DT_FP16 [16, 32]", PTS_OP_POW, NOTHING, slot(k.half), slot(k.ints));
    FAILS(0xFC0001, PTS_OP_POW, NOTHING, slot(k.bytes), slot(k.ints));
}

static void reductions(void **state)
{
    (void)state;
    GIVES("DT_FP32 [16]", PTS_OP_SUM, at.dim = -1, slot(k.a));
    GIVES("DT_FP32 [1, 32]", PTS_OP_AMAX, (at.dim = 0, at.keepdim = true), slot(k.a));
    GIVES("DT_FP32 [2, 4, 5]", PTS_OP_AMIN, at.dim = 1, slot(k.wide));
    FAILS(0xFC0001, PTS_OP_SUM, at.dim = 1, slot(k.half));
    FAILS(0xF00002, PTS_OP_SUM, at.dim = 2, slot(k.a));
    GIVES("DT_INT32 [16]", PTS_OP_ARGMAX, at.dim = -1, slot(k.a));
    FAILS(0xFC1001, PTS_OP_ARGMAX,
          (at.dim = -1, pts_config_set_vector_tile(f->context, 2, (int64_t[]){8, 4}, &f->error)),
          slot(k.a)); /* a last tile axis of 16 bytes */
    GIVES("DT_INT64 [16, 32]", PTS_OP_CUMSUM, at.dim = 1, slot(k.ints));
    GIVES("DT_FP32 [1, 32]", PTS_OP_VAR,
          (at.shape_rank = 1, at.shape[0] = number(f, 0), at.keepdim = true, at.real = 1),
          slot(k.a));
    GIVES("DT_FP32 [1]", PTS_OP_VAR, at.real = 1, slot(k.a));
    GIVES("DT_FP32 [16, 4]", PTS_OP_TOPK, (at.dim = -1, at.count = 4), slot(k.a));
    FAILS(0xFC0000, PTS_OP_TOPK, (at.dim = -1, at.count = 33), slot(k.a));
    FAILS(0xF00002, PTS_OP_TOPK, (at.dim = 0, at.count = 3), slot(k.a));
    FAILS(0xF00002, PTS_OP_TOPK, (at.dim = 1, at.count = 3, at.mode = 1), slot(k.a)); /* 950 only */
    FAILS(0xFC0001, PTS_OP_TOPK, (at.dim = 1, at.count = 3), slot(k.half));
}

static void indexing(void **state)
{
    (void)state;
    GIVES("DT_FP32 [16, 32]", PTS_OP_GATHER, at.dim = 1, slot(k.a), slot(k.ints));
    FAILS(0xFC0001, PTS_OP_GATHER, at.dim = 1, slot(k.a), slot(k.b));
    FAILS(0xFC0002, PTS_OP_GATHER, at.dim = 1, slot(k.wide), slot(k.ints));
    FAILS(0xFC0000, PTS_OP_GATHER, at.dim = 1, slot(k.row), slot(k.ints));
    GIVES("DT_FP32 [16, 32, 32]", PTS_OP_INDEX_SELECT, at.dim = 0, slot(k.a), slot(k.ints));
    GIVES("DT_FP32 [16, 32]", PTS_OP_SCATTER, at.dim = 0, slot(k.a), slot(k.ints), real(2));
    FAILS(0xFC0001, PTS_OP_SCATTER, at.dim = 0, slot(k.a), slot(k.ints), slot(k.half));
    FAILS(0xF00002, PTS_OP_SCATTER, at.mode = 3, slot(k.a), slot(k.ints), real(2));
    GIVES("DT_INT64 [16, 32, 10]", PTS_OP_ONE_HOT, at.count = 10, slot(k.ints));
    FAILS(0xF00002, PTS_OP_SCATTER_UPDATE, at.dim = 1, slot(k.a), slot(k.ints), slot(k.b));
    FAILS(0xFC0000, PTS_OP_SCATTER_UPDATE, at.dim = -2, slot(k.a), slot(k.ints), slot(k.b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views),          cmocka_unit_test(writes),
        cmocka_unit_test(reshapes),       cmocka_unit_test(moves_of_axes),
        cmocka_unit_test(joins_and_pads), cmocka_unit_test(constants),
        cmocka_unit_test(element_wise),   cmocka_unit_test(selections),
        cmocka_unit_test(casts),          cmocka_unit_test(powers),
        cmocka_unit_test(reductions),     cmocka_unit_test(indexing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
