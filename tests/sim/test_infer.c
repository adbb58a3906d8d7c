/* What operations give and what they refuse: shapes, valid extents, dtypes, codes. */
#include "record_fixture.h"

#include <stdio.h>

typedef struct Kernel {
    Fixture f;
    PtsSlot a, b, row, column, half, bf, ints, bytes, bools, wide, out;
} Kernel;

/* Opens a kernel with some parameters, on its first path. */
static void open_on(Kernel *k, const char *soc)
{
    Fixture *f = &k->f;
    fixture_open(f, soc, PTS_PROFILE_DEVICE);
    k->a = parameter(f, PTS_FP32, "a", 16, 32, -1);
    k->b = parameter(f, PTS_FP32, "b", 16, 32, -1);
    k->row = parameter(f, PTS_FP32, "row", 1, 32, -1);
    k->column = parameter(f, PTS_FP32, "column", 16, 1, -1);
    k->half = parameter(f, PTS_FP16, "half", 16, 32, -1);
    k->bf = parameter(f, PTS_BF16, "bf", 16, 32, -1);
    k->ints = parameter(f, PTS_INT32, "ints", 16, 32, -1);
    k->bytes = parameter(f, PTS_INT8, "bytes", 16, 32, -1);
    k->bools = parameter(f, PTS_BOOL, "bools", 16, 32, -1);
    k->wide = parameter(f, PTS_FP32, "wide", 2, 3, 4, 5, -1);
    k->out = parameter(f, PTS_FP32, "out", 16, 32, -1);
    assert_true(next_path(f));
}

static void opened(Kernel *k)
{
    open_on(k, "910B1");
}

static void closed(Kernel *k)
{
    fixture_close(&k->f);
}

/* The result of one operation in a fresh kernel, or the code of its error. */
#define GIVES(expected, op, attributes, ...)                                                       \
    do {                                                                                           \
        Kernel k;                                                                                  \
        opened(&k);                                                                                \
        Fixture *f = &k.f;                                                                         \
        PtsAttributes at = PTS_ATTRIBUTES;                                                         \
        (void)f;                                                                                   \
        attributes;                                                                                \
        const PtsOperand operands[] = {__VA_ARGS__};                                               \
        check(&k, op, &at, (int)(sizeof operands / sizeof *operands), operands, expected, 0);      \
        closed(&k);                                                                                \
    } while (0)

#define FAILS_ON(soc, code, op, attributes, ...)                                                   \
    do {                                                                                           \
        Kernel k;                                                                                  \
        open_on(&k, soc);                                                                          \
        Fixture *f = &k.f;                                                                         \
        PtsAttributes at = PTS_ATTRIBUTES;                                                         \
        (void)f;                                                                                   \
        attributes;                                                                                \
        const PtsOperand operands[] = {__VA_ARGS__};                                               \
        check(&k, op, &at, (int)(sizeof operands / sizeof *operands), operands, "", code);         \
        closed(&k);                                                                                \
    } while (0)

#define FAILS(code, op, attributes, ...) FAILS_ON("910B1", code, op, attributes, __VA_ARGS__)

static void check(Kernel *k, PtsOp op, const PtsAttributes *attributes, int count,
                  const PtsOperand *operands, const char *expected, uint32_t code)
{
    PtsSlot results[PTS_MAX_RESULTS];
    int result_count;
    bool ok = pts_emit(k->f.program, op, count, operands, attributes, here(10), results,
                       &result_count, &k->f.error);
    if (!ok && (code == 0 || k->f.error.code != code)) {
        fail_msg("%s: F%05X %s", expected, k->f.error.code, k->f.error.message);
    }
    if (ok && code != 0) {
        fail_msg("no error F%05X for %s", code, describe(&k->f, results[0]));
    }
    if (ok) {
        assert_string_equal(describe(&k->f, results[0]), expected);
    }
}

static void list2(Fixture *f, PtsSym *list, int64_t a, int64_t b)
{
    list[0] = number(f, a);
    list[1] = number(f, b);
}

#define SHAPE(x, y)   (at.shape_rank = 2, list2(f, at.shape, x, y))
#define OFFSETS(x, y) (at.offset_rank = 2, list2(f, at.offsets, x, y))
#define VALID(x, y)   (at.valid_rank = 2, list2(f, at.valid, x, y))
#define NOTHING       ((void)0)

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

/* ---- matmul ---- */

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
        cmocka_unit_test(views),
        cmocka_unit_test(writes),
        cmocka_unit_test(reshapes),
        cmocka_unit_test(moves_of_axes),
        cmocka_unit_test(joins_and_pads),
        cmocka_unit_test(constants),
        cmocka_unit_test(element_wise),
        cmocka_unit_test(selections),
        cmocka_unit_test(casts),
        cmocka_unit_test(powers),
        cmocka_unit_test(reductions),
        cmocka_unit_test(indexing),
        cmocka_unit_test(products),
        cmocka_unit_test(cube_tiles_are_checked),
        cmocka_unit_test(cube_capacity),
        cmocka_unit_test(vector_tiles_are_checked),
        cmocka_unit_test(tiles_must_be_set),
        cmocka_unit_test(dynamic_tensors_are_only_viewed),
        cmocka_unit_test(ranks_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
