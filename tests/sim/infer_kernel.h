/* A kernel with parameters of many dtypes, in which one operation is tried. */
#ifndef PTOSIM_TEST_INFER_KERNEL_H
#define PTOSIM_TEST_INFER_KERNEL_H

#include "record_fixture.h"

typedef struct Kernel {
    Fixture f;
    PtsSlot a, b, row, column, half, bf, ints, bytes, bools, wide, out;
} Kernel;

/* Opens a kernel with some parameters, on its first path. */
static inline void open_on(Kernel *k, const char *soc)
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

static inline void opened(Kernel *k)
{
    open_on(k, "910B1");
}

static inline void closed(Kernel *k)
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

static inline void check(Kernel *k, PtsOp op, const PtsAttributes *attributes, int count,
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

static inline void list2(Fixture *f, PtsSym *list, int64_t a, int64_t b)
{
    list[0] = number(f, a);
    list[1] = number(f, b);
}

#define SHAPE(x, y)   (at.shape_rank = 2, list2(f, at.shape, x, y))
#define OFFSETS(x, y) (at.offset_rank = 2, list2(f, at.offsets, x, y))
#define VALID(x, y)   (at.valid_rank = 2, list2(f, at.valid, x, y))
#define NOTHING       ((void)0)

#endif
