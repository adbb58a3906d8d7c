/* Errors against doubles, by figures that are worked out by hand. */
#include "record_fixture.h"

#include <math.h>

static const uint16_t HALF_2048 = 0x6800, HALF_1 = 0x3C00;

enum { SIDE = 16, ELEMENTS = SIDE * SIDE };

typedef struct Rows {
    PtsPrecisionRow rows[16];
    size_t count;
    PtsPrecisionSummary summary;
} Rows;

static const PtsPrecisionRow *row_of(const Rows *rows, PtsOp op)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].op == op) {
            return &rows->rows[i];
        }
    }
    return NULL;
}

static Rows run(Fixture *f, PtsArgument *arguments, int count, double tolerance)
{
    Rows rows = {.count = 0};
    PtsPrecision *precision = pts_precision_start(f->context, tolerance);
    assert_non_null(precision);
    bool ok = pts_run(f->program, count, arguments, 1, NULL, &f->error);
    if (!ok) {
        fail_msg("%s", f->error.message);
    }
    rows.count = pts_precision_rows(precision, rows.rows, 16);
    rows.summary = pts_precision_summary(precision);
    pts_precision_free(precision);
    return rows;
}

static PtsArgument argument(void *data, PtsDtype dtype)
{
    return (PtsArgument){data, dtype, 2, {SIDE, SIDE}, NULL};
}

/* A kernel over a = 2048, b = 1 and y in F16, begun. */
typedef struct Halves {
    uint16_t a[ELEMENTS], b[ELEMENTS], y[ELEMENTS];
    PtsArgument arguments[3];
    PtsSlot first, second, out;
} Halves;

static void open_halves(Fixture *f, Halves *t)
{
    for (int i = 0; i < ELEMENTS; i++) {
        t->a[i] = HALF_2048;
        t->b[i] = HALF_1;
    }
    t->arguments[0] = argument(t->a, PTS_FP16);
    t->arguments[1] = argument(t->b, PTS_FP16);
    t->arguments[2] = argument(t->y, PTS_FP16);
    fixture_open(f, "910B1", PTS_PROFILE_DEVICE);
    t->first = parameter(f, PTS_FP16, "a", (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
    t->second = parameter(f, PTS_FP16, "b", (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
    t->out = parameter(f, PTS_FP16, "y", (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
}

/* 2048 + 1 = 2049, which F16 rounds to 2048. */
static void test_rounding(void **state)
{
    Fixture f;
    Halves t;
    (void)state;
    open_halves(&f, &t);
    while (next_path(&f)) {
        move(&f, emit(&f, PTS_OP_ADD, NULL, 2, slot(t.first), slot(t.second)), t.out);
    }
    end(&f);
    Rows rows = run(&f, t.arguments, 3, 0);
    const PtsPrecisionRow *add = row_of(&rows, PTS_OP_ADD);
    assert_non_null(add);
    assert_int_equal(t.y[0], HALF_2048);
    assert_true(fabs(add->added - 1.0 / 2049) < 1e-12);
    assert_true(fabs(add->share - 1.0 / 2049) < 1e-12);
    assert_true(add->inherited <= 0);
    assert_int_equal(add->executions, 1);
    assert_false(add->in_loop);
    assert_false(add->is_accused);
    assert_int_equal(rows.summary.runs, 1);
    assert_int_equal(rows.summary.unchecked, 0);
    assert_false(rows.summary.has_beyond);
    /* The same against a tolerance that it exceeds. */
    rows = run(&f, t.arguments, 3, 1e-4);
    assert_true(rows.summary.has_beyond);
    assert_int_equal(rows.summary.beyond.op, PTS_OP_ADD);
    assert_true(fabs(rows.summary.output_error - 1.0 / 2049) < 1e-12);
    fixture_close(&f);
}

/* acc = 2048; eight times acc + 1 stays 2048, where 2056 would be right: an error of 8/2056 that
 * the additions share alone. */
static void test_loop(void **state)
{
    Fixture f;
    Halves t;
    (void)state;
    open_halves(&f, &t);
    while (next_path(&f)) {
        PtsSlot acc = declare(&f, PTS_FP16, (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
        move(&f, emit(&f, PTS_OP_CLONE, NULL, 1, slot(t.first)), acc);
        loop(&f, number(&f, 0), number(&f, 8), 1);
        while (next_loop_path(&f)) {
            move(&f, emit(&f, PTS_OP_ADD, NULL, 2, slot(acc), slot(t.second)), acc);
        }
        end_loop(&f);
        move(&f, emit(&f, PTS_OP_CLONE, NULL, 1, slot(acc)), t.out);
    }
    end(&f);
    Rows rows = run(&f, t.arguments, 3, 0);
    const PtsPrecisionRow *add = row_of(&rows, PTS_OP_ADD);
    assert_ptr_equal(add, &rows.rows[0]);
    assert_int_equal(t.y[0], HALF_2048);
    assert_int_equal(add->executions, 8);
    assert_true(add->in_loop);
    assert_int_equal(add->iteration, 7); /* the worst is the last */
    assert_true(fabs(add->added - 1.0 / 2049) < 1e-12);
    assert_true(fabs(rows.summary.output_error - 8.0 / 2056) < 1e-12);
    assert_true(fabs(add->share - 8.0 / 2056) < 1e-5);
    assert_int_equal(add->flags, PTS_PRECISION_ACCUMULATION);
    assert_true(add->is_accused);
    const PtsPrecisionRow *clone = row_of(&rows, PTS_OP_CLONE);
    assert_non_null(clone);
    assert_true(clone->share <= 0 && !clone->is_accused);
    fixture_close(&f);
}

/* 3·10^9 does not fit into I32; what fits is not accused. */
static void test_clipping(void **state)
{
    Fixture f;
    float a[ELEMENTS];
    int32_t y[ELEMENTS];
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        a[i] = i == 3 ? 3e9F : (float)i;
    }
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot first = parameter(&f, PTS_FP32, "a", (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
    PtsSlot out = parameter(&f, PTS_INT32, "y", (int64_t)SIDE, (int64_t)SIDE, (int64_t)-1);
    PtsAttributes cast = PTS_ATTRIBUTES;
    cast.dtype = PTS_INT32;
    while (next_path(&f)) {
        move(&f, emit(&f, PTS_OP_CAST, &cast, 1, slot(first)), out);
    }
    end(&f);
    PtsArgument arguments[2] = {argument(a, PTS_FP32), argument(y, PTS_INT32)};
    Rows rows = run(&f, arguments, 2, 0);
    const PtsPrecisionRow *row = row_of(&rows, PTS_OP_CAST);
    assert_non_null(row);
    assert_int_equal(row->flags, PTS_PRECISION_SATURATION);
    assert_true(fabs(row->added - (3e9 - 2147483647.0) / 3e9) < 1e-9);
    assert_int_equal(y[5], 5);
    a[3] = 0;
    rows = run(&f, arguments, 2, 0);
    assert_int_equal(rows.count == 0 ? 0 : rows.rows[0].flags, 0);
    fixture_close(&f);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < PTS_PRECISION_FLAGS; i++) {
        assert_non_null(pts_precision_flag(1U << i));
    }
    assert_null(pts_precision_flag(1U << PTS_PRECISION_FLAGS));
    pts_precision_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_clipping),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
