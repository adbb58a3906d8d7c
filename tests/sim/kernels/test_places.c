/* Places and likenesses of differences: tensors with one mistake each, which is planted here. */
#include "sim/places.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 12, COLUMNS = 16, MOST = 4096 };

static float reference[MOST], candidate[MOST];
static const PtsTolerance tight = {1e-4, 1e-4};

/* Numbers without a pattern between −2 and 2, none near 0; the candidate is the same. */
static void fill(size_t count)
{
    uint32_t bits = 7;
    for (size_t i = 0; i < count; i++) {
        bits = bits * 1664525U + 1013904223U;
        float size = 0.25F + (float)(bits >> 12 & 0xFFF) / 2340.0F;
        reference[i] = (bits >> 30 & 1) != 0 ? size : -size;
    }
    memcpy(candidate, reference, count * sizeof *candidate);
}

static PtsPlaces look(int rank, const size_t *extents)
{
    PtsPlaces places;
    PtsError error;
    assert_true(pts_places(candidate, reference, PTS_FP32, rank, extents, tight, &places, &error));
    return places;
}

static PtsPlaces look_at_matrix(void)
{
    return look(2, (const size_t[]){ROWS, COLUMNS});
}

#define FOR_ALL(row, column)                                                                       \
    for (size_t row = 0; row < ROWS; row++)                                                        \
        for (size_t column = 0; column < COLUMNS; column++)

#define assert_is(places, where, what)                                                             \
    do {                                                                                           \
        assert_string_equal(pts_place_name((places).place), where);                                \
        assert_string_equal(pts_likeness_name((places).likeness), what);                           \
    } while (0)

/* Spoils the elements for which the condition holds, each by another number. */
#define SPOIL(condition)                                                                           \
    do {                                                                                           \
        fill((size_t)ROWS *COLUMNS);                                                               \
        FOR_ALL(r, c)                                                                              \
        {                                                                                          \
            if (condition) {                                                                       \
                size_t at = r * COLUMNS + c;                                                       \
                candidate[at] += 1.0F + (float)(at * 37 % 11) * (float)(at % 5);                   \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* --- places */

static void test_rows(void **unused)
{
    (void)unused;
    SPOIL(r >= 9);
    PtsPlaces places = look_at_matrix();
    assert_is(places, "last", "nothing");
    assert_int_equal(places.place_axis, 0);
    assert_int_equal(places.out_of_tolerance, 3 * COLUMNS);
    assert_int_equal(places.axes[0].range[0][0], 9);
    assert_int_equal(places.axes[0].range[0][1], 11);
    assert_int_equal(places.axes[1].hit, COLUMNS);
    assert_int_equal(places.first[0], 9);
    assert_int_equal(places.first[1], 0);
    assert_int_equal(places.last[0], 11);
    assert_int_equal(places.last[1], 15);
    SPOIL(r < 2);
    assert_is(look_at_matrix(), "first", "nothing");
    SPOIL(r >= 6);
    assert_is(look_at_matrix(), "last_half", "nothing");
    SPOIL(r < 6);
    assert_is(look_at_matrix(), "first_half", "nothing");
    SPOIL(r >= 2);
    assert_is(look_at_matrix(), "all_but_first", "nothing");
    SPOIL(r < 8);
    assert_is(look_at_matrix(), "all_but_last", "nothing");
    SPOIL(r == 4 || r == 5);
    assert_is(look_at_matrix(), "range", "nothing");
    SPOIL(c >= 15);
    places = look_at_matrix();
    assert_is(places, "last", "nothing");
    assert_int_equal(places.place_axis, 1);
}

static void test_periods(void **unused)
{
    (void)unused;
    SPOIL(r % 4 == 3);
    PtsPlaces places = look_at_matrix();
    assert_is(places, "periodic", "nothing");
    assert_int_equal(places.axes[0].period, 4);
    assert_int_equal(places.axes[0].run, 1);
    assert_int_equal(places.axes[0].range[0][0], 3);
    SPOIL(c % 5 >= 3); /* the last run is cut by the end: 3 4, 8 9, 13 14 */
    places = look_at_matrix();
    assert_is(places, "periodic", "nothing");
    assert_int_equal(places.place_axis, 1);
    assert_int_equal(places.axes[1].period, 5);
    assert_int_equal(places.axes[1].run, 2);
    SPOIL(r == 1 || r == 4 || r == 9); /* at no one distance */
    places = look_at_matrix();
    assert_is(places, "scattered", "nothing");
    assert_int_equal(places.axes[0].ranges, 3);
}

static void test_areas(void **unused)
{
    (void)unused;
    SPOIL(r >= 4 && r < 8 && c >= 8);
    assert_is(look_at_matrix(), "tile", "nothing");
    SPOIL(r == 5 && c == 7);
    PtsPlaces places = look_at_matrix();
    assert_is(places, "one_element", "nothing");
    assert_int_equal(places.worst[0], 5);
    assert_int_equal(places.worst[1], 7);
    SPOIL(true);
    assert_is(look_at_matrix(), "everywhere", "nothing");
    SPOIL((r * 5 + c * 3) % 13 == 0);
    assert_is(look_at_matrix(), "scattered", "nothing");
    fill((size_t)ROWS * COLUMNS);
    assert_is(look_at_matrix(), "nowhere", "nothing");
}

/* Two matrices of 12 × 12. */
static void test_squares(void **unused)
{
    (void)unused;
    static const struct {
        int least, most; /* column − row */
        const char *name;
    } rows[] = {{0, 0, "diagonal"},
                {2, 2, "diagonal"},
                {1, 11, "upper_triangle"},
                {0, 11, "upper_triangle"},
                {-11, -1, "lower_triangle"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        fill(2 * 12 * 12);
        for (int i = 0; i < 2 * 12 * 12; i++) {
            int diagonal = i % 12 - i / 12 % 12;
            if (diagonal >= rows[k].least && diagonal <= rows[k].most) {
                candidate[i] += 1.0F + (float)(i * 37 % 11) * (float)(i % 5);
            }
        }
        PtsPlaces places = look(3, (const size_t[]){2, 12, 12});
        assert_is(places, rows[k].name, "nothing");
        assert_int_equal(places.diagonal, rows[k].least == rows[k].most ? rows[k].least : 0);
    }
}

static void test_by_reference(void **unused)
{
    (void)unused;
    fill((size_t)ROWS * COLUMNS);
    FOR_ALL(r, c)
    {
        size_t at = r * COLUMNS + c;
        if (at * 7 % 10 < 3) {
            reference[at] = 0;
            candidate[at] = 1.0F + (float)(at % 7);
        }
    }
    assert_is(look_at_matrix(), "reference_zero", "nothing");
    fill((size_t)ROWS * COLUMNS);
    FOR_ALL(r, c)
    {
        size_t at = r * COLUMNS + c;
        if (at * 7 % 10 < 2) {
            reference[at] = 100.0F + (float)(at % 9);
            candidate[at] = INFINITY;
        }
    }
    assert_is(look_at_matrix(), "reference_large", "not_finite");
}

/* --- likenesses */

static float expected_at(const char *kind, size_t r, size_t c)
{
    float own = reference[r * COLUMNS + c];
    switch (kind[0]) {
    case 'z':
        return 0;
    case 'n':
        return NAN;
    case '1':
        return 7;
    case '-':
        return -own;
    case '*':
        return own * 0.125F;
    case '+':
        return own + 3;
    case 'r':
        return own * (float)(r + 2);
    case 'c':
        return own * (float)(c + 2);
    case 'R':
        return own + (float)(r + 2);
    case 'C':
        return own + (float)(c + 2);
    case '~':
        return own * ((r * 7 + c * 3) % 5 < 2 ? 1.004F : 0.997F);
    case 't':
        return reference[(r * COLUMNS + c) % ROWS * COLUMNS + (r * COLUMNS + c) / ROWS];
    case 'v':
        return reference[(ROWS - 1 - r) * COLUMNS + c];
    case 's':
        return r + 2 < ROWS ? reference[(r + 2) * COLUMNS + c] : own;
    case 'p':
        return reference[r % 4 * COLUMNS + c];
    default:
        return own;
    }
}

static PtsPlaces look_like(const char *kind)
{
    fill((size_t)ROWS * COLUMNS);
    FOR_ALL(r, c)
    {
        candidate[r * COLUMNS + c] = expected_at(kind, r, c);
    }
    return look_at_matrix();
}

static void test_likenesses(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"z", "zeros"},      {"n", "not_finite"},    {"1", "one_number"},  {"-", "sign"},
        {"*", "factor"},     {"+", "offset"},        {"r", "row_factor"},  {"c", "column_factor"},
        {"R", "row_offset"}, {"C", "column_offset"}, {"~", "small_error"}, {"t", "transposed"},
        {"v", "reversed"},   {"s", "shifted"},       {"p", "repeated"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PtsPlaces places = look_like(rows[i][0]);
        assert_string_equal(pts_likeness_name(places.likeness), rows[i][1]);
    }
    assert_true(fabs(look_like("*").number - 0.125) < 1e-6);
    assert_true(fabs(look_like("+").number - 3) < 1e-3);
    assert_int_equal(look_like("s").distance, 2);
    assert_int_equal(look_like("s").axis, 0);
    PtsPlaces places = look_like("p");
    assert_int_equal(places.distance, 4);
    assert_int_equal(places.axis, 0);
    assert_string_equal(pts_place_name(places.place), "all_but_first");
    places = look_like("t");
    assert_int_equal(places.axis, 0);
    assert_int_equal(places.other, 1);
    assert_true(look_like("~").number > 0.002 && look_like("~").number < 0.005);
}

/* Where the reference is one number, every row of one number would be a multiple of it. */
static void test_uniform_reference(void **unused)
{
    (void)unused;
    static const PtsTolerance tolerances[] = {{1e-4, 1e-4}, {0, 0}};
    FOR_ALL(r, c)
    {
        reference[r * COLUMNS + c] = 2;
        candidate[r * COLUMNS + c] = 5 + (float)r;
    }
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        PtsPlaces places;
        PtsError error;
        assert_true(pts_places(candidate, reference, PTS_FP32, 2, (const size_t[]){ROWS, COLUMNS},
                               tolerances[i], &places, &error));
        assert_is(places, "everywhere", "nothing");
    }
    reference[0] = 2.5F; /* now there is something to multiply */
    candidate[0] = 6.25F;
    assert_string_equal(pts_likeness_name(look_at_matrix().likeness), "row_factor");
}

static void test_accumulated(void **unused)
{
    (void)unused;
    fill((size_t)ROWS * COLUMNS);
    for (size_t i = 3 * (size_t)COLUMNS; i < (size_t)ROWS * COLUMNS; i++) {
        candidate[i] += candidate[i - 3 * (size_t)COLUMNS];
    }
    PtsPlaces places = look_at_matrix();
    assert_is(places, "all_but_first", "accumulated");
    assert_int_equal(places.distance, 3);
    assert_int_equal(places.axis, 0);
}

/* A small error in a part is no rounding: a mask that is off by one looks like that. */
static void test_small_error_in_a_part(void **unused)
{
    (void)unused;
    fill((size_t)ROWS * COLUMNS);
    for (size_t i = 11 * (size_t)COLUMNS; i < (size_t)ROWS * COLUMNS; i++) {
        candidate[i] = reference[i] * (i % 3 == 0 ? 1.004F : 0.997F);
    }
    assert_is(look_at_matrix(), "last", "nothing");
}

/* A part that is wrong has a likeness of its own; too little to go by has none. */
static void test_parts(void **unused)
{
    (void)unused;
    fill((size_t)ROWS * COLUMNS);
    for (size_t i = 10 * (size_t)COLUMNS; i < (size_t)ROWS * COLUMNS; i++) {
        candidate[i] = 0;
    }
    assert_is(look_at_matrix(), "last", "zeros");
    fill(4);
    for (size_t i = 0; i < 4; i++) {
        candidate[i] = reference[i] * 2;
    }
    assert_is(look(1, (const size_t[]){4}), "everywhere", "nothing");
    /* References within the tolerance of each other: any order would do. */
    for (size_t i = 0; i < 64; i++) {
        reference[i] = 1;
        candidate[i] = 1.5F + (float)(i % 3);
    }
    assert_is(look(2, (const size_t[]){8, 8}), "everywhere", "nothing");
}

static void test_dtypes(void **unused)
{
    (void)unused;
    static const uint16_t half[2][16] = {{0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,
                                          0x4800, 0x4880, 0x4900, 0x4980, 0x4A00, 0x4A80, 0x4B00,
                                          0x4B80, 0x4C00}};
    uint16_t flipped[16];
    int64_t whole[2][16];
    PtsPlaces places;
    PtsError error;
    const size_t extents[] = {16};
    for (int i = 0; i < 16; i++) {
        flipped[i] = half[0][i] | 0x8000; /* the sign */
        whole[0][i] = (int64_t)i * i * i + 10;
        whole[1][i] = whole[0][i] + (i == 15);
    }
    assert_true(pts_places(flipped, half[0], PTS_FP16, 1, extents, tight, &places, &error));
    assert_is(places, "everywhere", "sign");
    const PtsTolerance none = {0, 0};
    assert_true(pts_places(whole[1], whole[0], PTS_INT64, 1, extents, none, &places, &error));
    assert_is(places, "one_element", "small_error");
    assert_int_equal(places.first[0], 15);
    assert_false(pts_places(half, half, PTS_HF4, 1, extents, tight, &places, &error));
    const size_t nothing[] = {0, 4};
    assert_true(pts_places(half, half, PTS_FP16, 2, nothing, tight, &places, &error));
    assert_is(places, "nowhere", "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_by_reference),
        cmocka_unit_test(test_likenesses),
        cmocka_unit_test(test_uniform_reference),
        cmocka_unit_test(test_accumulated),
        cmocka_unit_test(test_small_error_in_a_part),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_dtypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
