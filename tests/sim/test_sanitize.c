/* The sanitizer: what it says of elements that nothing wrote and of padding, word for word, and
 * what it does not say. Expected texts are worked out by hand. */
#include "sanitize_kernel.h"

#include <math.h>

/* ---- init ---- */

/* Rows 8 to 11 of `local` are missing when all of it is doubled. */
static void rows_that_nothing_wrote_reach_an_output(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        write_rows(&k, rows_of(&k, k.in, 4, 0), local, 0);
        write_rows(&k, rows_of(&k, k.in, 4, 4), local, 4);
        move(&k.f, doubled(&k, local), k.out);
    }
    expect(&k, "unwritten-read",
           "local rows 8-11 of 12 were never written; the last write was line 10, rows 4-7; what "
           "is computed from them reaches y\n");
}

/* Columns 4 to 7 of rows 2 and 3, read by the assemble itself. */
static void columns_are_named(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_INIT);
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        write_rows(&k, view(&k.f, k.in, ROWS, 4, number(&k.f, 0), number(&k.f, 0)), local, 0);
        write_rows(&k, rows_of(&k, local, 2, 2), k.out, 0);
    }
    expect(&k, "unwritten-read",
           "local rows 2-3 of 12, columns 4-7 of 8 were never written; the last write was line 10, "
           "rows 0-11, columns 0-3; y gets them\n");
}

/* A window whose first element is the second of its row, rows 3 and 4. */
static void the_last_write_is_named_by_its_corners(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_INIT);
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        PtsSlot part = view(&k.f, k.in, 2, 4, number(&k.f, 0), number(&k.f, 0));
        assemble(&k.f, part, local, number(&k.f, 3), number(&k.f, 1));
        write_rows(&k, rows_of(&k, local, 2, 6), k.out, 0);
    }
    expect(&k, "unwritten-read",
           "local rows 6-7 of 12 were never written; the last write was line 10, rows 3-4, "
           "columns 1-4; y gets them\n");
}

/* The root of one number is a number, that of another NaN: it depends on which was there. */
static void roots_depend(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        write_rows(&k, rows_of(&k, k.in, 4, 0), local, 0);
        move(&k.f, emit(&k.f, PTS_OP_SQRT, NULL, 1, slot(local)), k.out);
    }
    expect(&k, "unwritten-read",
           "local rows 4-11 of 12 were never written; the last write was line 10, rows 0-3; what "
           "is computed from them reaches y\n");
}

static void rows_that_are_dropped_are_not_told(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        write_rows(&k, rows_of(&k, k.in, 4, 0), local, 0);
        PtsSlot sum = doubled(&k, local); /* of all rows */
        write_rows(&k, rows_of(&k, sum, 4, 0), k.out, 0);
    }
    expect(&k, "unwritten-read", "");
}

/* Each result of a sum over rows depends on the missing ones; NaN that was computed does not
 * count. */
static void sums_depend_and_nan_does_not(void **unused)
{
    (void)unused;
    for (int missing = 0; missing < 2; missing++) {
        Kernel k;
        open_kernel(&k, PTS_SANITIZE_ALL);
        k.x[3] = NAN;
        PtsAttributes over_rows = PTS_ATTRIBUTES;
        over_rows.keepdim = true;
        while (next_path(&k.f)) {
            PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            write_rows(&k, rows_of(&k, k.in, ROWS - missing, 0), local, 0);
            PtsSlot sum = emit(&k.f, PTS_OP_SUM, &over_rows, 1, slot(local));
            write_rows(&k, sum, k.out, 5);
        }
        expect(&k, "unwritten-read",
               missing == 0
                   ? ""
                   : "local row 11 (of 0..11) was never written; the last write was line 10, "
                     "rows 0-10; what is computed from them reaches y\n");
    }
}

/* The first causes count: what `first` lacks goes through `second` and a reshape. */
static void copies_keep_where_it_came_from(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    PtsAttributes flat = PTS_ATTRIBUTES;
    flat.shape_rank = 1;
    flat.shape[0] = number(&k.f, 4 * COLUMNS);
    PtsAttributes square = flat;
    square.shape_rank = 2;
    square.shape[0] = number(&k.f, 4);
    square.shape[1] = number(&k.f, COLUMNS);
    while (next_path(&k.f)) {
        PtsSlot first = declare(&k.f, PTS_FP32, 4, COLUMNS, -1);
        PtsSlot second = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        assert_true(pts_slot_set_name(k.f.program, first, "first"));
        write_rows(&k, rows_of(&k, k.in, 3, 0), first, 0);
        write_rows(&k, first, second, 4);
        PtsSlot line = emit(&k.f, PTS_OP_RESHAPE, &flat, 1, slot(rows_of(&k, second, 4, 4)));
        PtsSlot back = emit(&k.f, PTS_OP_RESHAPE, &square, 1, slot(doubled(&k, line)));
        write_rows(&k, back, k.out, 0);
    }
    expect(&k, "unwritten-read",
           "first row 3 (of 0..3) was never written; the last write was line 10, rows 0-2; what is "
           "computed from them reaches y\n");
}

/* Only asked for bounds, or not at all, nothing is said of what was not written. */
static void kinds_are_chosen(void **unused)
{
    (void)unused;
    static const unsigned others[] = {0, PTS_SANITIZE_BOUNDS, PTS_SANITIZE_RACES};
    for (size_t i = 0; i < 3; i++) {
        Kernel k;
        open_kernel(&k, others[i]);
        while (next_path(&k.f)) {
            PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            write_rows(&k, rows_of(&k, k.in, 4, 0), local, 0);
            move(&k.f, doubled(&k, local), k.out);
        }
        expect(&k, "unwritten-read", "");
    }
}

static void strict_makes_an_error_of_it(void **unused)
{
    (void)unused;
    Kernel k;
    open_with(&k, &(PtsOptions){.profile = PTS_PROFILE_STRICT, .sanitize = PTS_SANITIZE_ALL});
    while (next_path(&k.f)) {
        PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        write_rows(&k, rows_of(&k, k.in, 4, 0), local, 0);
        move(&k.f, doubled(&k, local), k.out);
    }
    assert_false(run(&k));
    assert_int_equal(k.f.error.code, 0xF74007);
    assert_non_null(strstr(k.f.error.message, "local rows 4-11 of 12 were never written"));
    fixture_close(&k.f);
}

/* ---- what a launch leaves ---- */

/* A smaller value fills the leading part of the memory, whatever its rows. */
static void a_smaller_value_writes_the_leading_part(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    while (next_path(&k.f)) {
        move(&k.f, doubled(&k, rows_of(&k, k.in, 5, 0)), k.out);
    }
    assert_true(run(&k));
    assert_true(pts_wrote(k.f.program, 1, 0, 5 * COLUMNS * 4));
    assert_false(pts_wrote(k.f.program, 1, 5 * COLUMNS * 4, COUNT * 4));
    fixture_close(&k.f);
}

static void last_rows_are_left(void **unused)
{
    (void)unused;
    Kernel k;
    PtsUnwritten left;
    open_kernel(&k, PTS_SANITIZE_ALL);
    while (next_path(&k.f)) {
        for (int i = 0; i < 2; i++) { /* 12 rows in windows of 5: two are left */
            write_rows(&k, doubled(&k, rows_of(&k, k.in, 5, 5 * i)), k.out, 5 * i);
        }
    }
    assert_true(run(&k));
    assert_true(pts_unwritten(k.f.program, 0, &left));
    assert_string_equal(left.message, "y rows 10-11 of 12 were never written; the last write was "
                                      "line 10, rows 5-9");
    assert_int_equal(left.parameter, 1);
    assert_false(left.is_unset);
    assert_true(left.begin == 10 * COLUMNS * 4 && left.end == COUNT * 4);
    assert_false(pts_unwritten(k.f.program, 1, &left));
    assert_true(pts_wrote(k.f.program, 1, 0, 4));
    assert_false(pts_wrote(k.f.program, 1, 10 * COLUMNS * 4, COUNT * 4));
    assert_false(pts_wrote(k.f.program, 0, 0, COUNT * 4));
    fixture_close(&k.f);
}

/* A row of a cache, rows before the end, and outputs that are wholly written are no mistake. */
static void other_rows_are_not_told(void **unused)
{
    (void)unused;
    static const int64_t windows[][2] = {{1, 1}, {4, 2}, {12, 1}, {6, 2}};
    for (size_t i = 0; i < 4; i++) {
        Kernel k;
        PtsUnwritten left;
        open_kernel(&k, PTS_SANITIZE_ALL);
        while (next_path(&k.f)) {
            for (int64_t j = 0; j < windows[i][1]; j++) {
                int64_t rows = windows[i][0];
                write_rows(&k, doubled(&k, rows_of(&k, k.in, rows, rows * j)), k.out, rows * j);
            }
        }
        assert_true(run(&k));
        assert_false(pts_unwritten(k.f.program, 0, &left));
        fixture_close(&k.f);
    }
}

/* What torch.empty left is told wherever it is. */
static void memory_without_content_is_left(void **unused)
{
    (void)unused;
    static const uint32_t pattern = 0x7FDC3C3C;
    Kernel k;
    PtsUnwritten left;
    open_kernel(&k, PTS_SANITIZE_ALL);
    for (int i = 0; i < COUNT; i++) {
        memcpy(&k.y[i], &pattern, sizeof pattern);
    }
    k.y[2 * COLUMNS + 7] = 1; /* the program has set one of them */
    while (next_path(&k.f)) {
        write_rows(&k, doubled(&k, rows_of(&k, k.in, 10, 0)), k.out, 2);
        write_rows(&k, doubled(&k, rows_of(&k, k.in, 1, 0)), k.out, 0);
    }
    assert_true(run(&k));
    assert_true(pts_unwritten(k.f.program, 0, &left));
    assert_true(left.is_unset);
    assert_string_equal(left.message,
                        "y row 1 (of 0..11) was never written; the last write was line "
                        "10, row 0");
    fixture_close(&k.f);
}

/* ---- bounds ---- */

/* Row 3 of `tail` is padding, and the sum runs over the four rows of the first operand. */
static void padding_reaches_an_output(void **unused)
{
    (void)unused;
    for (int swapped = 0; swapped < 2; swapped++) {
        Kernel k;
        open_kernel(&k, PTS_SANITIZE_ALL);
        PtsAttributes three = PTS_ATTRIBUTES;
        three.shape_rank = three.offset_rank = three.valid_rank = 2;
        three.shape[0] = number(&k.f, 4);
        three.valid[0] = number(&k.f, 3);
        three.shape[1] = three.valid[1] = number(&k.f, COLUMNS);
        three.offsets[0] = three.offsets[1] = number(&k.f, 0);
        while (next_path(&k.f)) {
            PtsSlot tail = emit(&k.f, PTS_OP_VIEW, &three, 1, slot(k.in));
            assert_true(pts_slot_set_name(k.f.program, tail, "tail"));
            PtsSlot whole = rows_of(&k, k.in, 4, 4);
            PtsSlot sum = swapped ? emit(&k.f, PTS_OP_ADD, NULL, 2, slot(tail), slot(whole))
                                  : emit(&k.f, PTS_OP_ADD, NULL, 2, slot(whole), slot(tail));
            write_rows(&k, sum, k.out, 0);
        }
        expect(&k, "padding-read",
               swapped ? "" /* the sum has three valid rows */
                       : "tail is read beyond its valid part: [3, 8] of [4, 8] hold data; what is "
                         "computed from them reaches y\n");
    }
}

/* ---- lists of kinds ---- */

static void lists_are_read(void **unused)
{
    (void)unused;
    const char *unknown = NULL;
    size_t length = 0;
    unsigned kinds = 0;
    assert_true(pts_sanitize_kinds("init, races", &kinds, &unknown, &length));
    assert_int_equal(kinds, PTS_SANITIZE_INIT | PTS_SANITIZE_RACES);
    assert_true(pts_sanitize_kinds("all", &kinds, &unknown, &length));
    assert_int_equal(kinds, PTS_SANITIZE_ALL);
    assert_true(pts_sanitize_kinds("", &kinds, &unknown, &length));
    assert_int_equal(kinds, 0);
    assert_true(pts_sanitize_kinds("none", &kinds, &unknown, &length));
    assert_int_equal(kinds, 0);
    assert_false(pts_sanitize_kinds("bounds,race", &kinds, &unknown, &length));
    assert_int_equal(length, 4);
    assert_memory_equal(unknown, "race", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_nothing_wrote_reach_an_output),
        cmocka_unit_test(columns_are_named),
        cmocka_unit_test(roots_depend),
        cmocka_unit_test(a_smaller_value_writes_the_leading_part),
        cmocka_unit_test(the_last_write_is_named_by_its_corners),
        cmocka_unit_test(rows_that_are_dropped_are_not_told),
        cmocka_unit_test(sums_depend_and_nan_does_not),
        cmocka_unit_test(copies_keep_where_it_came_from),
        cmocka_unit_test(kinds_are_chosen),
        cmocka_unit_test(strict_makes_an_error_of_it),
        cmocka_unit_test(last_rows_are_left),
        cmocka_unit_test(other_rows_are_not_told),
        cmocka_unit_test(memory_without_content_is_left),
        cmocka_unit_test(padding_reaches_an_output),
        cmocka_unit_test(lists_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
